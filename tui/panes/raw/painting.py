"""One raw line as it is drawn, kept while it is likely to be drawn again: number, marks, text, and what is picked out.

Times, ranks, errors, numbers, paths; what declared formats know in it, where each matches and the fields it reads; what
is cited; what is searched for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.strip import Strip

from logtui.parsers.gist import piece, recognising
from logtui.tui.panes.raw.expressions import Spotter
from logtui.tui.shared.shortening import formats_are_loaded
from logtui.tui.widgets.row_list import ComponentStyles

LOOKED_AT_CHARS = 600
"""As much of a line as is picked out."""

FIELD_CHARS = 48
"""A longer field is a text, and is not picked out."""

Span = tuple[int, int, str]
"""Start, end, and the name of a style."""

HIGHLIGHTED_CHARS = 600
"""Further right nobody looks, and each line costs its share of a frame."""
_TOKENS = re.compile(
    r"(?P<time>\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?Z?|\b[IWEF]\d{3,4} \d\d:\d\d:\d\d\.\d+"
    r"|\b\d\d:\d\d:\d\d(?:[.,]\d+)?)"
    r"|(?P<rank>^ *\d+: |\[(?:default|rank|Rank )\d+\]:?|\b[Rr]ank[ =:]+\d+|\[PG[^\]]{0,60}Rank \d+\])"
    r"|(?P<error>\b(?:[A-Z]\w{2,40}(?:Error|Exception)|ERROR|FATAL|CRITICAL|[Ee]rror|[Ff]ailed|[Ff]ailure|"
    r"[Tt]imed ?out|[Tt]imeout|Traceback|Aborted|Killed|SIG[A-Z]{3,6}|CANCELLED)\b)"
    r"|(?P<warning>\b(?:WARN(?:ING)?|[Ww]arning|[Rr]etry(?:ing)?|Watchdog|watchdog)\b)"
    r"|(?P<path>(?:s3:/|ais:/)?(?:/[\w.+-]+){2,})"
    r"|(?P<number>\b\d+(?:\.\d+)?\b)"
)
TOKENS = ("time", "rank", "error", "warning", "path", "number")
ROLES = ("role-cause", "role-symptom", "role-noise")
"""Those that colour the whole of what a format recognises."""
LAYERS = (*ROLES, "field", *TOKENS, "match")
"""Names of styles, the later ones above."""
SPAN = Style(underline=True)
"""What a citation rests on; the colours stay."""
STRIPS_KEPT = 512
GUTTER_TAIL = 3
"""Columns between a line's number and its text."""


@lru_cache(maxsize=2048)
def format_spans(text: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """(whole matches named by their role, fields) of a line, each ascending and without overlaps."""
    head = text[:LOOKED_AT_CHARS]
    matches: list[Span] = []
    fields: list[Span] = []
    for pattern in recognising(head):
        match = pattern.compiled.search(head)
        if match is None:
            continue
        matches.append((*match.span(), f"role-{pattern.role.value}"))
        spans = (match.span(group) for group in match.groupdict())
        fields += [(start, end, "field") for start, end in spans if 0 <= start < end <= start + FIELD_CHARS]
    return _apart(matches), _apart(fields)


def _apart(spans: list[Span]) -> tuple[Span, ...]:
    """The spans in order; of those that overlap, the one that begins first, the shorter one of two that begin there."""
    kept: list[Span] = []
    for span in sorted(spans):
        if span[1] > span[0] and (not kept or span[0] >= kept[-1][1]):
            kept.append(span)
    return tuple(kept)


def pieces(
    text: str,
    style: Callable[[str], Style],
    base: Style,
    search: Spotter | None = None,
    cited: str | None = None,
) -> Iterator[Segment]:
    """Cut a line into styled segments. `cited` is what a citation rests on; a match of the search lies above all."""
    known, fields = format_spans(text) if formats_are_loaded() else ((), ())
    layers: list[Sequence[Span]] = [[span for span in known if span[2] in ROLES], fields, _tokens(text)]
    if cited is not None:
        layers.append(_cited_span(text, cited, known))
    if search is not None:
        layers.append([(start, end, "match") for start, end in search.spans(text)])
    yield from _painted(text, [layer for layer in layers if layer], style, base)


def _tokens(text: str) -> list[Span]:
    return [(*m.span(), m.lastgroup or "number") for m in _TOKENS.finditer(text[:HIGHLIGHTED_CHARS])]


def _cited_span(text: str, cited: str, known: Sequence[Span]) -> Sequence[Span]:
    """What the citation rests on: what a declared format recognises, else the cited text."""
    if known:
        return [(start, end, "span") for start, end, _ in known]
    if formats_are_loaded() and (found := piece(text)) is not None:
        return [(*found, "span")]
    words = cited.strip()
    at = text.find(words) if words else -1
    return [(at, at + len(words), "span")] if at >= 0 else []


def _painted(
    text: str, layers: Sequence[Sequence[Span]], style: Callable[[str], Style], base: Style
) -> Iterator[Segment]:
    """The spans of each layer ascend and do not overlap; later layers lie above."""
    cuts = sorted({0, len(text), *(end for layer in layers for span in layer for end in span[:2])})
    heads = [0] * len(layers)
    for start, end in pairwise(cuts):
        ink = base
        for n, layer in enumerate(layers):
            while heads[n] < len(layer) and layer[heads[n]][1] <= start:
                heads[n] += 1
            if heads[n] < len(layer) and layer[heads[n]][0] <= start:
                name = layer[heads[n]][2]
                ink += SPAN if name == "span" else style(name)
        yield Segment(text[start:end], ink)


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
