"""What is typed behind the colon: a line number, or a word for what a key does."""

from __future__ import annotations

from dataclasses import dataclass

from textual.screen import Screen

from logtui.tui.panes.ranks.words import named_rank
from logtui.tui.panes.raw.pane import RawPane
from logtui.tui.panes.timeline.pane import TimelinePane
from logtui.tui.screens.navigation import Navigation
from logtui.tui.screens.pane_table import PANES
from logtui.tui.shared.messages import RankChosen
from logtui.tui.widgets.prompt_bar import PromptBar

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


class TypedCommands:
    """Does what people type."""

    def __init__(self, screen: Screen[None], navigation: Navigation) -> None:
        self._screen, self._navigation = screen, navigation

    async def do(self, text: str) -> None:
        """Do it, or say that nothing is called so."""
        typed = read_command(text)
        if typed.line is not None:
            self._screen.query_one(RawPane).go_to_line(typed.line)
        elif typed.action:
            await self._screen.run_action(typed.action)
        elif typed.time:
            self._screen.query_one(TimelinePane).post_message(PromptBar.Answered("t", typed.time))
        else:
            self._to_rank(typed.rank)

    def _to_rank(self, name: str) -> None:
        view = self._navigation.view
        rank = named_rank(view, name, view.outliers) if view is not None else None
        if rank is None:
            words = f"no command, rank or node is called {name}; ctrl+p lists all"
            self._screen.notify(words, severity="warning", markup=False)
        else:
            self._screen.post_message(RankChosen(rank, self._navigation.here.group))
