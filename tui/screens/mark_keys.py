"""The lines that the user marks, with notes, and the way from one to the next."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.reactive import var
from textual.screen import Screen

from logtui.tui.case_view import CaseView
from logtui.tui.mark_book import MarkBook
from logtui.tui.messages import LineChosen
from logtui.tui.selection import Selection
from logtui.tui.widgets.raw_pane import RawPane

if TYPE_CHECKING:
    from logtui.diagnosis.marks import Mark


class MarkKeys(Screen[None]):
    """A case and a selection, and the keys that mark its line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "mark", "Mark", show=False, id="mark.line", tooltip="Mark this line, with a note for the report"),
        Binding("u", "to_mark(1)", "Next mark", show=False, id="mark.next"),
        Binding("U", "to_mark(-1)", "Previous mark", show=False, id="mark.previous"),
    ]

    view: var[CaseView | None] = var(None)
    """The newest report."""
    selection: var[Selection] = var(Selection())
    """Where the user is."""

    def __init__(self) -> None:
        super().__init__()
        self.book = MarkBook()

    def save_session(self) -> None:
        """Keep what was marked."""
        raise NotImplementedError

    def action_mark(self) -> None:
        """Mark the selected line, or change its note."""
        from logtui.diagnosis.marks import Mark
        from logtui.tui.screens.note import NoteScreen

        here = self.selection
        if here.file is None or here.line is None:
            self.notify("no line is selected", severity="warning")
            return
        known = self.book.at(here.file, here.line)
        text = self.query_one(RawPane).viewer.text_of(here.line)
        mark = known or Mark(here.file, here.line, text, "", here.rank, here.time)
        screen = NoteScreen(f"{here.file}:{here.line}", mark.note, known is not None)
        self.app.push_screen(screen, lambda note: self._noted(mark, note, known is not None))

    def _noted(self, mark: Mark, note: str | None, known: bool) -> None:
        if note is None:
            return
        if known and not note:
            self.book.remove(mark.file, mark.line)
        else:
            self.book.put(replace(mark, note=note))
        self.show_marks()
        self.save_session()

    def show_marks(self) -> None:
        """Draw the lines with the marks they have now."""
        self.query_one(RawPane).viewer.redraw()

    def action_to_mark(self, direction: int) -> None:
        """To the next or previous marked line, over all files."""
        mark = self.book.beyond(self.selection.file, self.selection.line, direction)
        if mark is None:
            self.notify("nothing is marked: m marks a line")
        else:
            why = f"marked: {mark.note}" if mark.note else "marked"
            self.post_message(LineChosen(mark.file, mark.line, mark.rank, mark.time, why))
