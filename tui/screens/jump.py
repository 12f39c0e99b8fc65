"""Jump mode: a letter on everything that can be gone to; the letter goes there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.screen import ModalScreen, Screen
from textual.widgets import Label

from logtui.tui.widgets.pane import Pane
from logtui.tui.widgets.row_list import RowList

LETTERS = "asdfghjklqwertyuiopzxcvbnm"
"""The home row first."""


@dataclass(frozen=True, slots=True)
class JumpTarget:
    """A place on the screen and what going there does."""

    offset: Offset
    go: Callable[[], object]


def jump_targets(screen: Screen[Any]) -> Iterator[JumpTarget]:
    """The panes that are shown, then the rows of their lists."""
    panes = [pane for pane in screen.query(Pane) if pane.display and pane.region.area]
    for pane in panes:
        yield JumpTarget(pane.region.offset, pane.focus_content)
    for pane in panes:
        for rows in pane.query(RowList):
            yield from _rows(rows)


def _rows(rows: RowList) -> Iterator[JumpTarget]:
    region, top = rows.region, rows.scroll_offset.y
    for y in range(min(region.height, rows.row_count - top)):
        yield JumpTarget(region.offset + Offset(0, y), _opener(rows, top + y))


def _opener(rows: RowList, row: int) -> Callable[[], object]:
    def go() -> None:
        rows.focus(scroll_visible=False)
        rows.move_to(row)
        rows.post_message(RowList.Moved(row))

    return go


class JumpScreen(ModalScreen[JumpTarget | None]):
    """The letters, over what is there."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+o", "dismiss(None)", "Close", show=False)]

    def __init__(self, targets: Iterable[JumpTarget]) -> None:
        super().__init__()
        self._targets = dict(zip(LETTERS, targets, strict=False))

    def compose(self) -> ComposeResult:
        """A letter per target, as far as the letters go."""
        for letter, target in self._targets.items():
            label = Label(letter, classes="jump-letter")
            label.absolute_offset = target.offset
            yield label

    def on_key(self, event: events.Key) -> None:
        """Go, or leave with any other key."""
        event.stop()
        self.dismiss(self._targets.get(event.key))
