"""The lines that the user marks, with notes, and the way from one to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.screen import Screen

from logtui.tui.panes.raw.pane import RawPane
from logtui.tui.screens.navigation import Navigation
from logtui.tui.shared.messages import LineChosen
from logtui.tui.shared.selection import MarkBook

if TYPE_CHECKING:
    from logtui.diagnosis.model.evidence import MarkedLine


class Marks:
    """Marks the selected line, and goes from mark to mark."""

    def __init__(self, screen: Screen[None], navigation: Navigation, changed: Callable[[], object]) -> None:
        """`changed` is called whenever a note was given."""
        self._screen, self._navigation, self._changed = screen, navigation, changed
        self.book = MarkBook()

    def begin(self, marks: tuple[MarkedLine, ...]) -> None:
        """Take the marks of a case file; the raw lines show what is marked."""
        self._screen.query_one(RawPane).book = self.book
        for mark in marks:
            self.book.put(mark)

    def mark_line(self) -> None:
        """Mark the selected line, or change its note."""
        from logtui.diagnosis.model.evidence import MarkedLine
        from logtui.tui.screens.overlay import NoteScreen

        here = self._navigation.here
        if here.file is None or here.line is None:
            self._screen.notify("no line is selected", severity="warning")
            return
        known = self.book.at(here.file, here.line)
        text = self._screen.query_one(RawPane).viewer.text_of(here.line)
        mark = known or MarkedLine(here.file, here.line, text, "", here.rank, here.time)
        screen = NoteScreen(f"{here.file}:{here.line}", mark.note, known is not None)
        self._screen.app.push_screen(screen, lambda note: self._noted(mark, note, known is not None))

    def _noted(self, mark: MarkedLine, note: str | None, known: bool) -> None:
        if note is None:
            return
        if known and not note:
            self.book.remove(mark.file, mark.line)
        else:
            self.book.put(replace(mark, note=note))
        self.draw()
        self._changed()

    def draw(self) -> None:
        """Draw the lines with the marks they have now."""
        self._screen.query_one(RawPane).viewer.redraw()

    def step(self, direction: int) -> None:
        """To the next or previous marked line, over all files."""
        here = self._navigation.here
        mark = self.book.beyond(here.file, here.line, direction)
        if mark is None:
            self._screen.notify("nothing is marked: m marks a line")
        else:
            why = f"marked: {mark.note}" if mark.note else "marked"
            self._screen.post_message(LineChosen(mark.file, mark.line, mark.rank, mark.time, why))
