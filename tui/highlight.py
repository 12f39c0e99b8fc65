"""What is picked out in a raw line: times, ranks, errors, numbers, paths."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rich.segment import Segment
from rich.style import Style

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


def pieces(
    text: str, style: Callable[[str], Style], base: Style, search: re.Pattern[str] | None = None
) -> Iterator[Segment]:
    """Cut a line into styled segments; what the search matches lies above all else."""
    if search is None:
        yield from _tokens(text, 0, len(text), style, base)
        return
    at = 0
    for match in _matches(text, search):
        yield from _tokens(text, at, match.start(), style, base)
        yield Segment(match.group(), base + style("match"))
        at = match.end()
    yield from _tokens(text, at, len(text), style, base)


def _matches(text: str, search: re.Pattern[str]) -> Iterator[re.Match[str]]:
    return (m for m in search.finditer(text) if m.end() > m.start())


def _tokens(text: str, start: int, end: int, style: Callable[[str], Style], base: Style) -> Iterator[Segment]:
    at = start
    for match in _TOKENS.finditer(text, start, min(end, HIGHLIGHTED_CHARS)):
        if match.start() > at:
            yield Segment(text[at : match.start()], base)
        yield Segment(match.group(), base + style(match.lastgroup or "number"))
        at = match.end()
    if end > at:
        yield Segment(text[at:end], base)
