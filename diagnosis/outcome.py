"""Whether the job ended on purpose, and where that stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logtui.diagnosis.events import Event
from logtui.diagnosis.steps import StepSeries
from logtui.parsers.pattern import Role


@dataclass(frozen=True, slots=True)
class Outcome:
    """The last line that says the job completed, and whether anything trained after it."""

    completed: Event | None
    reached_total: bool = False
    """The last step printed is the last one planned."""


def read_outcome(events: Sequence[Event], steps: Sequence[StepSeries]) -> Outcome:
    """Completion as the job itself states it; an ending that training went on after is an earlier attempt's."""
    endings = [e for e in events if e.role is Role.END]
    for ending in reversed(endings):
        if not _trained_after(ending, steps):
            return Outcome(ending)
    return Outcome(None)


def _trained_after(ending: Event, steps: Sequence[StepSeries]) -> bool:
    line, file = ending.record.line, ending.record.file
    return any(int((s.lines > line).sum()) >= 2 for s in steps if s.file == file)
