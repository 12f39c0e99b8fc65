"""Which lanes the timeline has, and in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from logtui.tui.case_view import CaseView
from logtui.tui.lane_cells import Lane
from logtui.tui.step_strip import NAME as STEP_TIME
from logtui.tui.step_strip import step_times

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.diagnosis.density import CountLane

LANE_ORDER = ("worker", "nccl", "launcher", "scheduler", "kernel")
LAST = ("steps",)
STORAGE = "ais"
"""The source of all storage daemons together."""
PINNED = 2
"""Lanes from the top that stay, but for landmarks."""
MOST_DAEMONS = 6
"""Storage daemons with a lane of their own: those with the most errors and warnings."""


def lanes_of(view: CaseView, rank: int | None, rank_lane: CountLane | None = None) -> tuple[Lane, ...]:
    """Landmarks, then lanes by source, the selected rank's below the first."""
    events = view.events_by_source
    counted = view.counted_lanes
    daemons = _loudest_daemons(view)
    names = [*_ordered({*events, *counted} - _daemons(view) - ({STORAGE} if daemons else set())), *daemons]
    names = [*(n for n in names if n not in LAST), *(n for n in names if n in LAST)]
    lanes = [Lane(name, events.get(name, ()), counted.get(name)) for name in names]
    if rank is not None:
        lanes.insert(1, Lane(f"rank {rank}", view.events_by_rank.get(rank, ()), rank_lane))
    if steps := step_times(view):
        first = view.report.verdict.cls == "slow-training"
        lanes.insert(1 + (rank is not None) if first else len(lanes), Lane(STEP_TIME, steps=steps))
    marks = view.landmarks
    return (Lane("marks", marks, landmarks=True), *lanes) if marks else tuple(lanes)


def fitting(lanes: Sequence[Lane], room: int, empty: Mapping[str, bool]) -> tuple[Lane, ...]:
    """As many lanes as there is room for; those with nothing in the window go first, then the last ones."""
    if len(lanes) <= room:
        return tuple(lanes)
    may_leave = [lane for lane in lanes[::-1] if lane.landmarks or lane not in lanes[:PINNED]]
    leaving = sorted(may_leave, key=lambda lane: not empty[lane.name])[: len(lanes) - room]
    return tuple(lane for lane in lanes if lane not in leaving)


def _ordered(names: set[str]) -> list[str]:
    return sorted(names, key=lambda s: (LANE_ORDER.index(s) if s in LANE_ORDER else len(LANE_ORDER), s))


def _daemons(view: CaseView) -> set[str]:
    return set(view.daemons.labels) if view.daemons else set()


def _loudest_daemons(view: CaseView) -> list[str]:
    """Daemons that wrote something known, blamed ones first; all of them where they are few."""
    blamed = set(view.daemons.blamed) if view.daemons else set()
    counted = {name: lane for name, lane in view.counted_lanes.items() if name in _daemons(view)}

    def loudness(name: str) -> tuple[bool, int, int]:
        _, warnings, errors = counted[name].times
        return name not in blamed, -len(errors), -len(warnings)

    return sorted(sorted(counted, key=loudness)[:MOST_DAEMONS])
