"""What comparing the lines of all ranks shows, as frozen values."""

from logtui.diagnosis.findings import LastWords as LastWords
from logtui.diagnosis.findings import OddLine as OddLine
from logtui.diagnosis.findings import OddLines as OddLines
from logtui.diagnosis.findings import Unsaid as Unsaid
