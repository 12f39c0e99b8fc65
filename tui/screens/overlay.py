"""A screen above another one, which is seen dimmed around it; a page of text, a line in full, a note.

The framework (Textual 8) renders and dims the screen below anew, piece by piece, for every frame of the one above: most
of what opening a small menu costs. Here that is done once, and again when the screen below has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar, Self

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Region, Size
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen, ScreenResultType
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Input, Static

STYLES_KEPT = 4096


class Overlay(ModalScreen[ScreenResultType]):
    """Lies above whatever screen it was opened from."""

    def __init__(self) -> None:
        super().__init__()
        self._ground: list[Strip] | None = None

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """As the framework; single regions are what changed on the screen below."""
        if regions:
            self._ground = None
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def notify_style_update(self) -> None:
        """Another theme dims otherwise."""
        super().notify_style_update()
        self._ground = None

    def render_line(self, y: int) -> Strip:
        """A row of what lies below."""
        if self._ground is None or len(self._ground) != self.size.height:
            self._ground = self.draw_ground()
        return self._ground[y] if y < len(self._ground) else Strip.blank(self.size.width, self.rich_style)

    def draw_ground(self) -> list[Strip]:
        """All rows of what lies below, where it shows through."""
        screens = self.app.screen_stack
        at = screens.index(self) if self in screens else 0
        tint = self.styles.background
        if not at or tint.a == 1:
            return [Strip.blank(self.size.width, self.rich_style)] * self.size.height
        return [_dimmed(strip, tint) for strip in screens[at - 1]._compositor.render_strips()]


def _dimmed(strip: Strip, tint: Color) -> Strip:
    segments = [Segment(text, _dimmed_style(style, tint)) for text, style, control in strip if not control]
    return Strip(segments, strip.cell_length)


@lru_cache(maxsize=STYLES_KEPT)
def _dimmed_style(style: Style | None, tint: Color) -> Style | None:
    """As the framework dims it; few styles make up a screen."""
    return next(iter(BackgroundScreen.process_segments([Segment(" ", style)], tint))).style


class TextPage(ScrollView, can_focus=True):
    """Draws lines that are laid out for its width."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: Sequence[Strip] = ()
        self._width = 0

    def lay_out(self, width: int) -> Sequence[Strip]:
        """The lines for a width; they may be shown later instead."""
        return self._lines

    def show(self, lines: Sequence[Strip]) -> None:
        """Show other lines."""
        self._lines = lines
        self.virtual_size = Size(self._width, len(lines))
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Paragraphs follow the width."""
        self._fit()
        self.virtual_size = Size(self._width, len(self._lines))

    def _fit(self) -> None:
        width = self.scrollable_content_region.width
        if width != self._width:
            self._width = width
            self._lines = self.lay_out(width)

    def notify_style_update(self) -> None:
        """Lay out anew in another theme."""
        super().notify_style_update()
        self._width = 0

    def render_line(self, y: int) -> Strip:
        """A line in sight."""
        self._fit()
        at, base = y + int(self.scroll_offset.y), self.rich_style
        if at >= len(self._lines):
            return Strip.blank(self.size.width, base)
        return self._lines[at].apply_style(base).extend_cell_length(self.size.width, base)

    def action_scroll(self, lines: int) -> None:
        """Some lines up or down."""
        self.scroll_relative(y=lines, animate=False)

    def action_page(self, direction: int) -> None:
        """A page up or down."""
        self.scroll_relative(y=direction * max(self.size.height - 1, 1), animate=False)

    def action_edge(self, end: int) -> None:
        """To the top or the bottom."""
        self.scroll_to(y=self.max_scroll_y if end else 0, animate=False)


class WholeLineScreen(Overlay[None]):
    """What does not fit into a row."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q", "dismiss(None)", "Close", show=False),
        Binding("j", "scroll(1)", "Down", show=False),
        Binding("k", "scroll(-1)", "Up", show=False),
    ]

    def __init__(self, place: str, text: str) -> None:
        super().__init__()
        self._place = place
        self._text = text

    def compose(self) -> ComposeResult:
        """The text, scrollable."""
        with VerticalScroll(id="whole-line"):
            yield Static(Content(self._text or "(an empty line)"), id="whole-line-text")

    def on_mount(self) -> None:
        """Say where it is from."""
        box = self.query_one("#whole-line")
        box.border_title = Content(self._place)
        box.border_subtitle = "esc closes"

    def action_scroll(self, lines: int) -> None:
        """A line up or down."""
        self.query_one("#whole-line").scroll_relative(y=lines, animate=False)


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
