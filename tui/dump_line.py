"""From an entry of a dump to the log line that speaks of the same operation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from logtui.tui.case_view import CaseView

if TYPE_CHECKING:
    from logtui.diagnosis.report import Evidence, TimelineEvent

NEAR_S = 60.0
"""A rank's line this near to a launch may be about it."""


@dataclass(frozen=True, slots=True)
class MatchingLine:
    """A line and how it was found."""

    file: str
    line: int
    time: float | None
    how: str


def matching_line(view: CaseView, rank: int, group: str, seq: int, created_s: float | None) -> MatchingLine | None:
    """The line that names this operation; else the rank's line nearest to its launch; else the rank's telling line.

    `group` is the name of the process group; times are seconds since the epoch.
    """
    state = view.states.get(rank)
    for found in state.groups if state else ():
        if found.group == group and found.stuck_on and found.stuck_on.seq == seq and found.evidence:
            return _of(found.evidence, f"the log's own word of #{seq}")
    if (event := _nearest(view, rank, created_s)) is not None:
        return MatchingLine(event.file, event.line, event.time, "the rank's line nearest to the launch")
    proof = view.proof(rank)
    return None if proof is None else _of(proof, "says most about this rank")


def _of(evidence: Evidence, how: str) -> MatchingLine:
    return MatchingLine(evidence.file, evidence.line, evidence.time, how)


def _nearest(view: CaseView, rank: int, created_s: float | None) -> TimelineEvent | None:
    if created_s is None:
        return None
    near = [
        (abs(event.time - created_s), event.line, event)
        for event in view.events_by_rank.get(rank, ())
        if event.time is not None and abs(event.time - created_s) <= NEAR_S
    ]
    return min(near, key=lambda found: found[:2])[2] if near else None
