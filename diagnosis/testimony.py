"""What each witness of a hang says: the logs, flight-recorder dumps, RAS snapshots."""

from logtui.diagnosis.findings import Disagreement as Disagreement
from logtui.diagnosis.findings import Testimony as Testimony
from logtui.diagnosis.findings import Witnesses as Witnesses
