"""Find a rank, a file or a finding by a few letters."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from logtui.tui.finder_items import Place, matching
from logtui.tui.option_walk import walk


class FinderScreen(ModalScreen[Place | None]):
    """A field and what fits; Enter goes there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close", show=False),
        Binding("down,ctrl+n", "walk(1)", "Down", show=False, priority=True),
        Binding("up,ctrl+p", "walk(-1)", "Up", show=False, priority=True),
    ]

    def __init__(self, places: list[Place]) -> None:
        super().__init__()
        self._places = places
        self._shown: list[Place] = []

    def compose(self) -> ComposeResult:
        """Field above, places below."""
        with Vertical(id="finder"):
            field = Input(placeholder="rank, node, file, finding", id="finder-field", compact=True)
            field.cursor_blink = False
            yield field
            yield OptionList(id="finder-list", compact=True)

    def on_mount(self) -> None:
        """Offer the outliers before anything is typed."""
        self.query_one("#finder").border_title = "find"
        self.query_one(OptionList).can_focus = False
        self._offer("")

    def on_input_changed(self, message: Input.Changed) -> None:
        """Offer what fits."""
        self._offer(message.value)

    def _offer(self, typed: str) -> None:
        self._shown = matching(self._places, typed)
        listed = self.query_one(OptionList)
        listed.set_options([Option(Content(place.words.split("\n")[0])) for place in self._shown])
        listed.highlighted = 0 if self._shown else None

    def action_walk(self, direction: int) -> None:
        """Move the choice while the field keeps the focus."""
        walk(self.query_one(OptionList), direction)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Go to the chosen place."""
        at = self.query_one(OptionList).highlighted
        self.dismiss(self._shown[at] if at is not None and at < len(self._shown) else None)

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """A click goes there at once."""
        self.dismiss(self._shown[message.option_index])
