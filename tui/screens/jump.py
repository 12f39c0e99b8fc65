"""Jump mode: a letter on everything that can be gone to; the letter goes there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.screen import Screen
from textual.strip import Strip

from logtui.tui.screens.overlay import Overlay
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


class JumpScreen(Overlay[JumpTarget | None]):
    """The letters, over what is there."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"jump--letter"}

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+o", "dismiss(None)", "Close", show=False)]

    def __init__(self, targets: Iterable[JumpTarget]) -> None:
        super().__init__()
        self._targets = dict(zip(LETTERS, targets, strict=False))

    def draw_ground(self) -> list[Strip]:
        """What lies below, with a letter on each target, as far as the letters go."""
        rows, style = super().draw_ground(), self.get_component_rich_style("jump--letter")
        for letter, target in self._targets.items():
            x, y = target.offset
            if y < len(rows):
                tag = Strip([Segment(f" {letter} ", style)])
                rows[y] = Strip.join([rows[y].crop(0, x), tag, rows[y].crop(x + tag.cell_length)])
        return rows

    def on_key(self, event: events.Key) -> None:
        """Go, or leave with any other key."""
        event.stop()
        self.dismiss(self._targets.get(event.key))
