"""A note for a marked line."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from logtui.tui.screens.overlay import Overlay


class NoteScreen(Overlay[str | None]):
    """One line to type into; Enter keeps it, Escape leaves things as they were."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Close", show=False)]

    def __init__(self, place: str, note: str, marked: bool) -> None:
        super().__init__()
        self._place, self._note, self._marked = place, note, marked

    def compose(self) -> ComposeResult:
        """The field."""
        with Vertical(id="note"):
            hint = "no note: the mark is removed" if self._marked else "a note, or nothing"
            field = Input(self._note, placeholder=hint, compact=True, id="note-field")
            field.cursor_blink = False
            yield field

    def on_mount(self) -> None:
        """Say which line."""
        box = self.query_one("#note")
        box.border_title = Content(f"{'note on' if self._marked else 'mark'} {self._place}")
        box.border_subtitle = "enter keeps it · esc leaves it"

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Done."""
        message.stop()
        self.dismiss(message.value.strip())
