"""Steps along the cause chain and along the timeline, from wherever the user is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from logtui.tui.case_view import CaseView
from logtui.tui.citations import CausePlace
from logtui.tui.selection import Selection

if TYPE_CHECKING:
    from logtui.diagnosis.report import TimelineEvent


def chain_step(path: Sequence[CausePlace], here: Selection, direction: int) -> CausePlace | None:
    """What caused the selected line (-1), or what followed from it (+1); None past either end.

    A line that is not on the chain is placed by its time; one without a time counts as the crash, so that the
    step back goes to the last cause.
    """
    on_path = [n for n, p in enumerate(path) if (p.evidence.file, p.evidence.line) == (here.file, here.line)]
    if on_path:
        at = on_path[0] if direction < 0 else on_path[-1]
        return path[at + direction] if 0 <= at + direction < len(path) else None
    now = float("inf") if here.time is None else here.time
    if direction < 0:
        earlier = [p for p in path if (p.evidence.time or 0.0) < now]
        return earlier[-1] if earlier else None
    return next((p for p in path if (p.evidence.time or 0.0) > now), None)


def event_index(view: CaseView, here: Selection) -> tuple[int | None, bool]:
    """The event of the selected line, or the last before the selected time; and whether it is that line."""
    exact = view.event_places.get((here.file or "", here.line or 0))
    if exact is not None or here.time is None:
        return exact, exact is not None
    before = bisect_right(view.event_times, here.time) - 1
    return (before if before >= 0 else None), False


def event_step(view: CaseView, here: Selection, direction: int) -> TimelineEvent | None:
    """The next (+1) or previous (-1) event; None past either end."""
    at, exact = event_index(view, here)
    at = -1 if at is None else at
    target = at if direction < 0 and not exact else at + direction
    return view.events[target] if 0 <= target < len(view.events) else None


def nearest_event(view: CaseView, time: float) -> TimelineEvent | None:
    """The event nearest to a time."""
    times = view.event_times
    after = bisect_right(times, time)
    near = [n for n in (after - 1, after) if 0 <= n < len(times)]
    return view.events[min(near, key=lambda n: abs(times[n] - time))] if near else None
