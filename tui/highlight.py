"""What is picked out in a raw line: times, ranks, errors, numbers, paths; what declared formats read; what is cited."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from rich.segment import Segment
from rich.style import Style

from logtui.tui.format_spans import are_loaded, format_spans
from logtui.tui.time_limit import Spotter

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

Span = tuple[int, int, str]


def pieces(
    text: str,
    style: Callable[[str], Style],
    base: Style,
    search: Spotter | None = None,
    cited: str | None = None,
) -> Iterator[Segment]:
    """Cut a line into styled segments. `cited` is what a citation rests on; a match of the search lies above all."""
    known, fields = format_spans(text) if are_loaded() else ((), ())
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
