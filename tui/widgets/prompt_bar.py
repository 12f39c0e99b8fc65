"""One line to type into, at the foot of a pane: a search, or a line number."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Label


class PromptBar(Horizontal):
    """Hidden until it is opened; Enter answers, Escape closes."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Close", show=False)]

    class Answered(Message):
        """What was typed for which sign."""

        def __init__(self, sign: str, text: str) -> None:
            super().__init__()
            self.sign = sign
            self.text = text

    class Changed(Message):
        """What is being typed for which sign."""

        def __init__(self, sign: str, text: str) -> None:
            super().__init__()
            self.sign = sign
            self.text = text

    class Closed(Message):
        """The bar is hidden again."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sign = "/"
        self._typed: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        """The sign, then the field."""
        yield Label("/", id="prompt-sign")
        field = Input(id="prompt-field", compact=True, select_on_focus=True)
        field.cursor_blink = False
        yield field

    def open(self, sign: str, hint: str) -> None:
        """Ask; what was typed last for this sign is offered."""
        self.sign = sign
        self.query_one(Label).update(sign)
        field = self.query_one(Input)
        field.placeholder = hint
        field.value = self._typed.get(sign, "")
        self.add_class("-open")
        field.focus()

    def on_input_changed(self, message: Input.Changed) -> None:
        """Tell while it is typed."""
        message.stop()
        if self.has_class("-open"):
            self.post_message(self.Changed(self.sign, message.value))

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Answer and close."""
        message.stop()
        self._typed[self.sign] = message.value
        self.action_dismiss()
        self.post_message(self.Answered(self.sign, message.value))

    def action_dismiss(self) -> None:
        """Close without an answer."""
        self.remove_class("-open")
        self.post_message(self.Closed())
