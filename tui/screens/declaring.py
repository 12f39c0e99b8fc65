"""The cause that the user declares in the place of the verdict's: kept until it is taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.screen import Screen

from logtui.tui.panes.raw.pane import RawPane
from logtui.tui.screens.navigation import Navigation
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.destinations import line_facts
from logtui.tui.shared.prefixes import without_prefix

if TYPE_CHECKING:
    from logtui.diagnosis.model.evidence import MarkedLine


class DeclaredCause:
    """Which line is the cause, as the user has it."""

    def __init__(self, screen: Screen[None], navigation: Navigation, changed: Callable[[CaseView], object]) -> None:
        """`changed` is handed what logtui itself found."""
        self._screen, self._navigation, self._changed = screen, navigation, changed
        self.line: MarkedLine | None = None
        self.found: CaseView | None = None
        """The newest view without it."""

    def applied(self, view: CaseView) -> CaseView:
        """A view that follows the user's word."""
        self.found = view
        if self.line is None:
            return view
        from logtui.diagnosis.verdict.declared import declared

        return replace(view, report=declared(view.report, self.line, without_prefix(self.line.text).strip()))

    def turn(self) -> None:
        """The selected line is the cause; where it is already, no longer."""
        from logtui.diagnosis.model.evidence import MarkedLine

        here = self._navigation.here
        if here.file is None or here.line is None or self.found is None:
            self._screen.notify("no line is selected", severity="warning")
        elif self.line is not None and (self.line.file, self.line.line) == (here.file, here.line):
            self.take(None)
            self._screen.notify("the verdict is logtui's own again")
        else:
            text = self._screen.query_one(RawPane).viewer.text_of(here.line)
            rank, time = line_facts(self.found, here.file, text, here.time)  # not those that were selected before
            self.take(MarkedLine(here.file, here.line, text, "the cause", rank, here.time if time is None else time))
            self._screen.notify(f"declared the cause: {here.place}; C on it again takes it back", markup=False)

    def take(self, line: MarkedLine | None) -> None:
        """Take a line for the cause, or none."""
        self.line = line
        if self.found is not None:
            self._changed(self.found)
