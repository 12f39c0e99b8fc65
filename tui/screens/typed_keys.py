"""The part of the screen that does what was typed behind the colon."""

from __future__ import annotations

from textual.reactive import var
from textual.screen import Screen

from logtui.tui.case_view import CaseView
from logtui.tui.messages import CommandTyped, RankChosen
from logtui.tui.rank_names import named_rank
from logtui.tui.selection import Selection
from logtui.tui.typed_commands import read_command
from logtui.tui.widgets.prompt_bar import PromptBar
from logtui.tui.widgets.raw_pane import RawPane
from logtui.tui.widgets.timeline_pane import TimelinePane


class TypedKeys(Screen[None]):
    """A case and a selection, and the commands that people type."""

    view: var[CaseView | None] = var(None)
    """The newest report."""
    selection: var[Selection] = var(Selection())
    """Where the user is."""

    async def on_command_typed(self, message: CommandTyped) -> None:
        """Do it, or say that nothing is called so."""
        typed = read_command(message.text)
        if typed.line is not None:
            self.query_one(RawPane).go_to_line(typed.line)
        elif typed.action:
            await self.run_action(typed.action)
        elif typed.time:
            self.query_one(TimelinePane).post_message(PromptBar.Answered("t", typed.time))
        else:
            self._to_rank(typed.rank)

    def _to_rank(self, name: str) -> None:
        rank = named_rank(self.view, name, self.view.outliers) if self.view is not None else None
        if rank is None:
            self.notify(
                f"no command, rank or node is called {name}; ctrl+p lists all", severity="warning", markup=False
            )
        else:
            self.post_message(RankChosen(rank, self.selection.group))
