"""Log text and places as markdown that cannot break out of a table, a code span or a page."""

from __future__ import annotations

from logtui.diagnosis.report import Evidence

TEXT_WIDTH = 220


def code_free(text: str) -> str:
    """Plain words of ours, which may hold names from logs."""
    return text.replace("|", "\\|").replace("<", "&lt;")


def quote(text: str) -> str:
    """Log text as inline code that cannot break out of a table or a code span."""
    plain = plain_quote(text)
    return f"`{plain}`" if plain else ""


def plain_quote(text: str, width: int = TEXT_WIDTH) -> str:
    """Log text as a report quotes it: blanks folded, signs of markdown replaced, cut at `width` (0: not cut)."""
    text = " ".join(text.split()).replace("`", "'").replace("|", "¦")
    return text[: width - 1] + "…" if width and len(text) > width else text


def cite(e: Evidence) -> str:
    """`file:line`."""
    return f"`{e.place}`"
