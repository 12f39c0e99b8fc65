"""The part of the screen that sets the storage daemons' clock by two marked lines."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.reactive import var
from textual.screen import Screen

from logtui.tui.case_view import CaseView
from logtui.tui.selection import Selection
from logtui.tui.widgets.clock_link import ClockLink
from logtui.tui.widgets.head_line import HeadLine


class ClockKeys(Screen[None]):
    """A case and a selection, and the keys that mark its line as the same event as another one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "M",
            "same_event",
            "Same event",
            show=False,
            id="clocks.same-event",
            tooltip="Mark a worker's line and a daemon's as one event: sets the clock",
        ),
        Binding("alt+m", "derived_clock", "Clocks as derived", show=False, id="clocks.derived"),
    ]

    view: var[CaseView | None] = var(None)
    """The newest report."""
    selection: var[Selection] = var(Selection())
    """Where the user is."""

    def go(self, place: Selection, *, step: bool = False) -> None:
        """To a place; a step leaves none of its own in the history."""
        raise NotImplementedError

    def move_time(self, seconds: float) -> None:
        """The storage daemons' clock was set: the time of their line that is selected moves with it."""
        here = self.selection
        if self.view is not None and here.file in self.view.daemon_files and here.time is not None:
            self.go(replace(here, time=here.time + seconds), step=True)

    def on_clock_link_said(self, message: ClockLink.Said) -> None:
        """What is marked stands in the head line."""
        self.query_one(HeadLine).clock = message.words

    def action_same_event(self) -> None:
        """Mark the selected line."""
        self.query_one(ClockLink).mark(self.selection)

    def action_derived_clock(self) -> None:
        """Forget the marks."""
        self.query_one(ClockLink).undo()
