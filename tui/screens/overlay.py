"""A screen above another one, which is seen dimmed around it.

The framework (Textual 8) renders and dims the screen below anew, piece by piece, for every frame of the one above: most
of what opening a small menu costs. Here that is done once, and again when the screen below has changed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Self

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.geometry import Region
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen, ScreenResultType
from textual.strip import Strip

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
