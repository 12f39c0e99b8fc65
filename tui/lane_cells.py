"""The cells of a timeline's lanes: density by severity, gaps as gaps, landmarks as letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from logtui.tui.step_strip import strip_runs
from logtui.tui.timeline_scale import SEVERITIES, Scale, bar, loudness
from logtui.tui.wording import duration_text

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.diagnosis.density import CountLane
    from logtui.diagnosis.pace.findings import StepTime
    from logtui.diagnosis.report import TimelineEvent

GAP_COLUMNS = 12
"""Empty columns from which on a lane says how long it is silent."""
LETTERS = {"restart": "R", "attempt": "A", "checkpoint": "C", "resumed": "L"}
"""Landmarks; of several in a column the first of these counts."""
Runs = Iterator[tuple[str, str]]
"""Text and the name of its style, from the left."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One row of the timeline."""

    name: str
    events: tuple[TimelineEvent, ...] = ()
    counted: CountLane | None = None
    """All known lines of the source, where they have been counted; else the events stand for them."""
    landmarks: bool = False
    """Whether it shows restarts, attempts and checkpoints."""
    steps: tuple[StepTime, ...] = ()
    """How long steps took, where it shows that."""


def lane_runs(lane: Lane, scale: Scale) -> Runs:
    """What stands in a lane."""
    if lane.landmarks:
        yield from _landmark_runs(lane.events, scale)
    elif lane.steps:
        yield from strip_runs(lane.steps, scale)
    elif lane.counted is not None:
        columns = lane.counted.columns(scale.start, scale.start + scale.span, scale.width)
        yield from _density_runs(columns, scale, lane.counted)
    else:
        yield from _density_runs(loudness(lane.events, scale), scale, None)


def _density_runs(columns: Sequence[tuple[int, int]], scale: Scale, counted: CountLane | None) -> Runs:
    most = max((count for count, _ in columns), default=0)
    at = 0
    for worst, group in groupby(columns, key=lambda column: column[1]):
        run = list(group)
        if worst >= 0:
            yield "".join(bar(count, worst, most) for count, _ in run), SEVERITIES[worst]
        else:
            silent = counted.silence(scale.time(at + len(run) // 2)) if counted and len(run) >= GAP_COLUMNS else 0.0
            yield _gap(len(run), silent), "empty"
        at += len(run)


def _gap(width: int, silent: float) -> str:
    """Dots; of a lane that goes on afterwards, how long nothing known was written, in view or not."""
    if not silent:
        return "·" * width
    words = f" {duration_text(silent)} "
    long = f" nothing known for {duration_text(silent)} "
    return (long if len(long) + 4 <= width else words).center(width, "┄")


def is_empty(lane: Lane, scale: Scale) -> bool:
    """Whether a lane has nothing to show in a window."""
    return all(style == "empty" for _, style in lane_runs(lane, scale))


def _landmark_runs(events: Sequence[TimelineEvent], scale: Scale) -> Runs:
    cells = [" "] * scale.width
    order = list(LETTERS)
    for event in sorted(events, key=lambda e: -order.index(e.mark) if e.mark in order else 0):
        if event.time is not None and scale.holds(event.time):
            cells[min(scale.column(event.time), scale.width - 1)] = LETTERS.get(event.mark, " ")
    for blank, run in groupby(cells, key=str.isspace):
        yield "".join(run), "empty" if blank else "mark"
