"""What reading and judging gives: a case with its report, and the steps to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logtui.diagnosis.dumps.findings import FlightRecorderFindings
    from logtui.diagnosis.facts.case_facts import Facts
    from logtui.diagnosis.model.analyses import OddLines
    from logtui.diagnosis.model.evidence import MarkedLine
    from logtui.diagnosis.model.report import Report
    from logtui.diagnosis.storage.daemon_view import DaemonView
    from logtui.diagnosis.storage.findings import StorageFindings
    from logtui.parsers.files.case import Case
    from logtui.parsers.scan.plan import Progress


@dataclass(frozen=True, slots=True)
class Analysis:
    """A case and what the diagnosis says about it."""

    case: Case
    report: Report
    storage: StorageFindings | None = None
    """What the AIStore daemons' logs say, in full; None where there are none."""
    dumps: FlightRecorderFindings | None = None
    """What the flight-recorder dumps say, in full; None where there are none, or before they are read."""
    compare: Callable[[], OddLines] | None = None
    """Compares the lines of all ranks, in a second or so; the report holds that only where the verdict is weak."""
    facts: Facts | None = None
    """What the report was made from, for whoever looks closer; None where that was not kept."""
    marks: tuple[MarkedLine, ...] = ()
    """What a person marked, where a case file was opened."""
    daemons: DaemonView | None = None
    """The AIStore daemons as a screen asks about them; None where there are none."""
    failed: str = ""
    """How the diagnosis failed, of a report that holds only what was read."""


@dataclass(frozen=True, slots=True)
class Update:
    """Progress, and an analysis whenever there is a newer one."""

    progress: Progress
    analysis: Analysis | None = None
    may_be_kept: bool = False
    """Whether the analysis is of everything, and no file failed that may be readable the next time."""
