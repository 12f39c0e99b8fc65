"""The pace of training, as frozen values."""

from logtui.diagnosis.findings import Pace as Pace
from logtui.diagnosis.findings import PaceChange as PaceChange
from logtui.diagnosis.findings import SlowRank as SlowRank
from logtui.diagnosis.findings import StepTime as StepTime
