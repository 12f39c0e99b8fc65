"""The keys that work here, in the last line of a screen, drawn as one text.

The framework's footer is made of a widget for each key, all of them made anew whenever the focus moves: several frames.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget


@dataclass(frozen=True, slots=True)
class KeyItem:
    """One key."""

    key: str
    display: str
    words: str
    tooltip: str
    enabled: bool

    @property
    def width(self) -> int:
        """Cells, with the blank after it."""
        return cell_len(self.display) + 1 + cell_len(self.words) + 1


class KeyLine(Widget):
    """`enter Line  c Cause  e Effect`; a click presses the key, the wheel moves along keys there is no room for."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"key-line--key", "key-line--words", "key-line--hovered"}

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.items: tuple[KeyItem, ...] = ()
        self._first = 0
        self._hovered: KeyItem | None = None
        self._is_awaited = False

    def on_mount(self) -> None:
        """Follow the focus."""
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def on_unmount(self) -> None:
        """Nobody to tell any more."""
        self.screen.bindings_updated_signal.unsubscribe(self)

    def _bindings_changed(self, screen: Screen[object]) -> None:
        """What the key did is drawn first."""
        if not self._is_awaited and self.app.app_focus:
            self._is_awaited = True
            self.call_after_refresh(self._renew)

    def _renew(self) -> None:
        self._is_awaited = False
        if not self.is_attached:
            return
        items = tuple(self._found())
        if items != self.items:
            self.items, self._first = items, 0
            self.refresh()

    def _found(self) -> Iterator[KeyItem]:
        """An action is named once, with the first of its keys."""
        named: set[str] = set()
        for _, binding, enabled, tooltip in self.screen.active_bindings.values():
            if binding.show and binding.action not in named:
                named.add(binding.action)
                display = self.app.get_key_display(binding)
                yield KeyItem(binding.key, display, binding.description, tooltip, enabled)

    def render_line(self, y: int) -> Strip:
        """All of it: it is one line high."""
        base = self.rich_style
        key, words, hovered = (
            self.get_component_rich_style(f"key-line--{name}") for name in ("key", "words", "hovered")
        )
        segments: list[Segment] = []
        for item in self.items[self._first :]:
            over = Style(bgcolor=hovered.bgcolor if item is self._hovered else None, dim=not item.enabled or None)
            segments += [Segment(item.display, key + over), Segment(f" {item.words}", words + over), Segment(" ", base)]
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def item_at(self, x: int) -> KeyItem | None:
        """The key at a column."""
        end = 0
        for item in self.items[self._first :]:
            end += item.width
            if x < end:
                return item if x < end - 1 else None
        return None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show which key a click would press, and what it does."""
        self._hover(self.item_at(event.x))

    def on_leave(self) -> None:
        """The mouse is elsewhere."""
        self._hover(None)

    def _hover(self, item: KeyItem | None) -> None:
        if item is not self._hovered:
            self._hovered = item
            self.tooltip = item.tooltip or None if item else None
            self.refresh()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """As if it had been pressed."""
        item = self.item_at(event.x)
        if item is not None and item.enabled:
            self.app.simulate_key(item.key)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """To keys further right."""
        event.stop()
        room, left = self.size.width, sum(item.width for item in self.items[self._first :])
        self._scroll(1 if left - 1 > room else 0)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Back to the left."""
        event.stop()
        self._scroll(-1)

    def _scroll(self, keys: int) -> None:
        first = max(self._first + keys, 0)
        if first != self._first:
            self._first = first
            self.refresh()
