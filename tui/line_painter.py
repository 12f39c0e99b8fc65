"""One raw line as it is drawn: number, marks, text; kept while it is likely to be drawn again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.strip import Strip

from logtui.tui.component_styles import ComponentStyles
from logtui.tui.highlight import pieces
from logtui.tui.time_limit import Spotter

STRIPS_KEPT = 512
GUTTER_TAIL = 3
"""Columns between a line's number and its text."""


@dataclass
class Decoration:
    """What is known about the lines of the file shown."""

    cited: Mapping[int, str] = field(default_factory=dict)
    """Lines the diagnosis cites, with the cited text."""
    marks: Mapping[int, object] = field(default_factory=dict)
    """Lines the user marked."""
    search: Spotter | None = None
    faded: Callable[[str], bool] | None = None
    """Whether a line is of less interest: another rank's, or about to be filtered out."""


class LinePainter:
    """Draws lines in the styles of a widget."""

    def __init__(self, look: ComponentStyles) -> None:
        self._look = look
        self.decoration = Decoration()
        self._kept: LRUCache[int, Strip] = LRUCache(STRIPS_KEPT)

    def forget(self, *lines: int) -> None:
        """Draw some lines anew, or all."""
        if not lines:
            self._kept.clear()
        for line in lines:
            self._kept.discard(line)

    def gutter(self, line: int, cursor: int, digits: int) -> str:
        """`153 ▸ `: number, the user's mark, cited or cursor."""
        deco = self.decoration
        sign = "▶" if line == cursor else "▸" if line in deco.cited else " "
        return f"{line:>{digits}}{'*' if line in deco.marks else ' '}{sign} "

    def ground(self, line: int, cursor: int, base: Style) -> Style:
        """What lies below a line's text."""
        if line in self.decoration.cited:
            base += self._look.ground("cited")
        return base + self._look.ground("cursor") if line == cursor else base

    def strip(self, line: int, text: str | None, cursor: int, digits: int, base: Style) -> Strip:
        """A whole line; only its number where the text is late."""
        if (kept := self._kept.get(line)) is not None:
            return kept
        gutter, deco = self.gutter(line, cursor, digits), self.decoration
        if text is None:
            return Strip([Segment(gutter, base + self._look.ink("gutter"))])
        base = self.ground(line, cursor, base)
        marked = line == cursor or line in deco.cited or line in deco.marks
        head = Segment(gutter, base + self._look.ink("mark" if marked else "gutter"))
        self._kept[line] = strip = Strip([head, *self._body(line, text, base)])
        return strip

    def _body(self, line: int, text: str, base: Style) -> list[Segment]:
        deco = self.decoration
        if deco.faded is not None and deco.faded(text):
            return [Segment(text, base + self._look.ink("faded"))]
        return list(pieces(text, self._look.ink, base, deco.search, deco.cited.get(line)))
