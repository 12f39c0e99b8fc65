"""Two lines that a user marks as the same event: one of a worker, one of a daemon; together they give the offset."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.diagnosis.aistore.anchors import NEAR_S, STEP_S
from logtui.diagnosis.aistore.given_offset import GivenOffset
from logtui.diagnosis.evidence import SHOWN
from logtui.diagnosis.report import Evidence
from logtui.parsers.aistore.ingest import AisLogs
from logtui.parsers.aistore.reread import record_on_line
from logtui.parsers.case import Case
from logtui.parsers.stamp import stamp_near

BACK = 200
"""Lines looked at for a stamp above a line that has none, as in a traceback."""
READ_CHARS = 400


@dataclass(frozen=True, slots=True)
class Mark:
    """A line of either side and its time, by the clock of the process that wrote it."""

    file: str
    line: int
    time: float
    daemon: bool
    """Written by a storage daemon."""
    text: str

    @property
    def evidence(self) -> Evidence:
        """The line as a citation."""
        return Evidence(self.file, self.line, self.text.strip()[:SHOWN], self.time)


def mark_line(case: Case, logs: AisLogs, name: str, line: int, near: float | None = None) -> Mark | None:
    """The line with its time; None where neither it nor the lines above it have one.

    `near` completes stamps without a year or a day. Reads from disk.
    """
    for daemon in logs.daemons:
        for file in daemon.files:
            if file.name == name:
                found = record_on_line(logs, file, line)
                return Mark(name, found.line, found.time, True, found.text) if found else None
    return _worker_line(case, name, line, near)


def _worker_line(case: Case, name: str, line: int, near: float | None) -> Mark | None:
    file = case.file_named(name)
    if file is None:
        return None
    around = near if near is not None else file.mtime
    above = case.bodies(file.index, max(1, line - BACK), min(line, BACK + 1))
    for text in reversed(above):
        if stamp := stamp_near(text[:READ_CHARS], around):
            return Mark(name, line, stamp.epoch, False, above[-1])
    return None


def offset_of(worker: Mark, daemon: Mark) -> GivenOffset:
    """The offset that makes the two lines one event.

    Zones differ by quarter hours, and a client notices within seconds: what is that near is taken for such an offset,
    and the rest for the time from line to line. What is farther off is taken as it is: clocks that nothing keeps.
    """
    apart = worker.time - daemon.time
    whole = round(apart / STEP_S) * STEP_S
    offset_s, residual_s = (whole, apart - whole) if abs(apart - whole) <= NEAR_S else (apart, 0.0)
    moved = Evidence(daemon.file, daemon.line, daemon.evidence.text, daemon.time + offset_s)
    return GivenOffset(offset_s, residual_s, (worker.evidence, moved))
