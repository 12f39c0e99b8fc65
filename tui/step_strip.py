"""The time of a step over the run: a column's height is how long steps took there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from logtui.tui.case_view import CaseView
from logtui.tui.timeline_scale import Scale

if TYPE_CHECKING:
    from logtui.diagnosis.pace.findings import StepTime

NAME = "step time"
_BARS = "▁▂▃▄▅▆▇█"
EMPTY, FAST, SLOW = -1, 0, 1
"""No step ended there; as fast as the best; at least 1.8 times the best before it."""
_STYLES = {EMPTY: "empty", FAST: "info", SLOW: "warning"}


def step_times(view: CaseView) -> tuple[StepTime, ...]:
    """What the strip shows; () where no step line has a time of its own."""
    steps = view.report.steps
    return steps.pace.strip if steps is not None and steps.pace is not None else ()


def strip_columns(times: Sequence[StepTime], scale: Scale) -> list[tuple[str, int]]:
    """Per column its glyph and how slow it is. Columns between two stretches show the later one, which they are of."""
    columns = [("·", EMPTY)] * scale.width
    longest, before = max((t.ms for t in times), default=0.0), None
    for one in times:
        last = scale.column(one.time)
        first = last if before is None else min(before + 1, last)
        for at in range(max(first, 0), min(last + 1, scale.width)):
            worst = max(columns[at][1], SLOW if one.slow else FAST)
            columns[at] = (_BARS[min(int(one.ms / longest * len(_BARS)), len(_BARS) - 1)], worst)
        before = last
    return columns


def strip_runs(times: Sequence[StepTime], scale: Scale) -> Iterator[tuple[str, str]]:
    """Text and the name of its style, from the left."""
    for pace, run in groupby(strip_columns(times, scale), key=lambda cell: cell[1]):
        yield "".join(glyph for glyph, _ in run), _STYLES[pace]
