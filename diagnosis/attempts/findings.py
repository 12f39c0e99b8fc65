"""How the attempts of a job ended, as frozen values."""

from logtui.diagnosis.findings import AttemptSummary as AttemptSummary
from logtui.diagnosis.findings import History as History
from logtui.diagnosis.findings import Recurring as Recurring
