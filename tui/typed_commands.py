"""What may be typed behind the colon: a line number, or a word for what a key does."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.tui.pane_layout import PANES

COMMANDS_HINT = "q, rank 57, node007, time 15:42, report, help"
"""Shown while nothing is typed."""

_WORDS = {
    **dict.fromkeys(("q", "q!", "qa", "qa!", "quit", "exit", "wq", "x"), "app.quit"),
    **dict.fromkeys(("h", "help"), "app.explain"),
    **dict.fromkeys(("w", "write", "export"), "app.export"),
    "report": "app.report", "theme": "app.change_theme", "edit": "app.open_editor", "copy": "app.copy_place",
    "find": "screen.find", "odd": "screen.odd_lines", "dumps": "screen.dumps", "back": "screen.back",
    "mark": "screen.mark", "restore": "screen.restore", "zoom": "screen.zoom", "compare": "screen.compare",
    **{pane: f"screen.pane('{pane}')" for pane in PANES},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Typed:
    """One of them is set."""

    line: int | None = None
    action: str = ""
    """As bindings name it."""
    rank: str = ""
    """A rank or node, as it was named."""
    time: str = ""
    """As it was typed."""


def read_command(text: str) -> Typed:
    """What is meant; a word that is no command may name a rank or a node."""
    word, _, rest = text.strip().partition(" ")
    rest, known = rest.strip(), _WORDS.get(word.lower(), "")
    if known and not rest:
        return Typed(action=known)
    number = rest if word.lower() in ("goto", "line") else text.strip()
    if number.isdecimal():
        return Typed(line=int(number))
    if word.lower() in ("time", "t") and rest:
        return Typed(time=rest)
    return Typed(rank=rest if word.lower() in ("rank", "node") and rest else text.strip())
