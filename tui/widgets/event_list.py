"""The events of the timeline one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from logtui.tui.cited_text import without_prefix
from logtui.tui.printable import printable
from logtui.tui.widgets.row_list import Cells, RowList
from logtui.tui.wording import time_text

if TYPE_CHECKING:
    from logtui.diagnosis.report import TimelineEvent

MARKS = {"error": "✖", "warning": "▲"}
"""Severity without colour; plain events have none."""


class EventList(RowList):
    """Time, rank, what happened, and where it says so."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._events: tuple[TimelineEvent, ...] = ()

    def show_events(self, events: tuple[TimelineEvent, ...]) -> None:
        """Show these, in the order given."""
        self._events = events
        self.show_rows(len(events))

    def cells(self, row: int, width: int) -> Cells:
        """`15:42:03 ✖ r57   what   file:line`, the place only where there is room for it."""
        event = self._events[row]
        severity = event.severity if event.severity in MARKS else ""
        rank = f"r{event.rank}" if event.rank is not None else event.source[:8]
        cells = [
            (f"{time_text(event.time)} ", "dim"),
            (f"{MARKS.get(event.severity, ' ')} ", severity),
            (f"{rank:<8} ", "bold"),
        ]
        what, place = printable(without_prefix(event.what)), printable(f"  {event.file}:{event.line}")
        room = width - sum(len(text) for text, _ in cells)
        if len(place) < room // 2:
            return [*cells, (what[: room - len(place)].ljust(room - len(place)), severity), (place, "dim")]
        return [*cells, (what, severity)]
