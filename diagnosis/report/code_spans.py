"""Names and log text in markdown, as code spans that nothing in them can end."""

from __future__ import annotations

import re

_TICKS = re.compile(r"`+")
_WORDS = {"|": "\\|", "<": "&lt;", "`": "\\`", "](": "]\\(", "![": "!\\["}
_OPENS = re.compile(r"\]\(|!\[|[|<`]")


def code(text: str, in_table: bool = False) -> str:
    """A name as a code span: between more backticks than it holds itself, and with no cell's end in it."""
    name = " ".join(text.split("\n"))
    if in_table:
        name = name.replace("|", "\\|")
    longest = max(map(len, _TICKS.findall(name)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {name} {fence}" if longest else f"`{name}`"


def code_free(text: str) -> str:
    """Plain words of ours, which may hold names from logs: no tag, link, picture, code or cell ends there."""
    return _OPENS.sub(lambda m: _WORDS[m[0]], text)
