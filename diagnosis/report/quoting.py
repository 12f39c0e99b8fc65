"""Words of ours and words of logs in markdown: neither can break out of a table, a code span or a page."""

from __future__ import annotations

from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.report.code_spans import code, code_free
from logtui.parsers.gist import gist
from logtui.parsers.prefix.stamp import iso

TEXT_WIDTH = 220
SHORT_WIDTH = 140
"""Of a quote that stands beside others: the piece that matters, what is cut marked."""


def clock(time: float | None, inherited: bool = False) -> str:
    """`~` before a neighbouring line's time."""
    text = iso(time)
    return ("~" if inherited else "") + text.replace("T", " ") if text else "–"


def quote(text: str, width: int = TEXT_WIDTH) -> str:
    """Log text as inline code that cannot break out of a table or a code span."""
    plain = plain_quote(text, width)
    return f"`{plain}`" if plain else ""


def plain_quote(text: str, width: int = TEXT_WIDTH) -> str:
    """Log text as a report quotes it: blanks folded, signs of markdown replaced, cut to the piece that matters at
    `width` (0: not cut)."""
    text = " ".join(text.split())
    return (gist(text, width) if width else text).replace("`", "'").replace("|", "¦")


def cite(e: Evidence) -> str:
    """`file:line`."""
    return code(e.place)


__all__ = ["SHORT_WIDTH", "TEXT_WIDTH", "cite", "clock", "code", "code_free", "plain_quote", "quote"]
