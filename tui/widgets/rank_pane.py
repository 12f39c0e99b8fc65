"""The ranks: grid, legend with counts, and the two numbers that decide about the rank under the cursor."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from logtui.diagnosis.report import RankState
from logtui.tui import help_texts
from logtui.tui.case_view import CaseView
from logtui.tui.cited_text import without_prefix
from logtui.tui.messages import RankChosen
from logtui.tui.printable import printable
from logtui.tui.selection import Selection
from logtui.tui.status import ABSENT, BY_STATUS, LOOKS, StatusLook, look_of
from logtui.tui.widgets.pane import Pane
from logtui.tui.widgets.rank_grid import RankGrid
from logtui.tui.wording import time_text


class RankPane(Pane):
    """Which ranks are out of line."""

    HELP_TEXT = help_texts.RANKS

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "group(1)", "Next process group", show=False, id="ranks.next-group"),
        Binding("P", "group(-1)", "Previous process group", show=False, id="ranks.previous-group"),
    ]

    def compose_pane(self) -> ComposeResult:
        """Grid above, words below."""
        yield RankGrid(id="rank-grid")
        yield Static(id="rank-detail")
        yield Static(id="rank-legend")

    def watch_view(self, view: CaseView | None) -> None:
        """Show a newer report."""
        if view is not None:
            self._show(view)

    def watch_selection(self, old: Selection, new: Selection) -> None:
        """Follow the selection."""
        if self.view is None:
            return
        if old.group != new.group:
            self._show(self.view)
        else:
            self.query_one(RankGrid).move_to(new.rank)
            self._show_detail(self.view)

    def _show(self, view: CaseView) -> None:
        group = self.selection.group
        self.query_one(RankGrid).show(view, group, self.selection.rank)
        self.heading.note = view.group_label(group) if view.groups else ""
        self.query_one("#rank-legend", Static).update(legend(view, group))
        self._show_detail(view)

    def _show_detail(self, view: CaseView) -> None:
        rank = self.selection.rank
        detail = Content("") if rank is None else rank_detail(view, rank, self.selection.group)
        self.query_one("#rank-detail", Static).update(detail, layout=False)

    def on_rank_grid_moved(self, message: RankGrid.Moved) -> None:
        """Pass the cursor on, with the group it was moved in."""
        message.stop()
        self.post_message(RankChosen(message.rank, self.selection.group, message.opened))

    def action_group(self, direction: int) -> None:
        """Show the ranks' states in the next process group; the first choice is all of them together."""
        if self.view is None or not self.view.groups or self.selection.rank is None:
            return
        choices: list[str | None] = [None, *self.view.groups]
        at = choices.index(self.selection.group) if self.selection.group in choices else 0
        self.post_message(RankChosen(self.selection.rank, choices[(at + direction) % len(choices)]))


def _coloured(look: StatusLook, text: str) -> Content:
    variable = look.css if look.status in BY_STATUS else "silent"
    return Content.styled(text, f"$rank-{variable}")


def legend(view: CaseView, group: str | None) -> Content:
    """`◆ never entered 1   ■ waiting 127`, loudest first."""
    counts = Counter(view.status(rank, group) for rank in view.ranks)
    looks = [*LOOKS, *(look_of(s) for s in sorted(counts) if s not in BY_STATUS)]
    parts = [
        Content.assemble(_coloured(look, look.glyph), f" {look.words} {counts[look.status]}".replace(" ", "\xa0"))
        for look in looks
        if counts[look.status] and look.status != ABSENT
    ]  # fmt: skip
    return Content("  ").join(parts)


def rank_detail(view: CaseView, rank: int, group: str | None) -> Content:
    """Who the rank is, its two deciding numbers, its last words: a line each."""
    state = view.states.get(rank)
    look = look_of(view.status(rank, group))
    who = [state.host or ""] if state else []
    who += [f"local {state.local_rank}"] if state and state.local_rank is not None else []
    who += [state.role] if state and state.role != "silent" else []
    head = Content.assemble(
        _coloured(look, f"{look.glyph} "), (f"rank {rank} ", "bold"), _coloured(look, look.words),
        ("  " + " · ".join(filter(None, who)), "dim"),
    )  # fmt: skip
    if state is None:
        return Content("\n").join([head, Content("no line of this rank was found in any file")])
    return Content("\n").join([head, _numbers(view, rank, group), Content(_last_words(state))])


def _numbers(view: CaseView, rank: int, group: str | None) -> Content:
    """`enqueued 1233 of 1234  completed 1233  in ALLREDUCE #1234  default_pg`."""
    found = view.state_in(rank, group)
    if found is None:
        return Content("no collective state in the logs")
    enqueued, completed = view.usual_counters.get(found.group, (None, None))
    stuck = found.stuck_on
    on = f"  in {stuck.op or '?'} #{_number(stuck.seq)}" if stuck else ""
    return Content.assemble(
        "enqueued ", (_number(found.enqueued), "bold"), _against(found.enqueued, enqueued),
        "  completed ", (_number(found.completed), "bold"), _against(found.completed, completed),
        on, (f"  {printable(found.desc or found.group)}", "dim"),
    )  # fmt: skip


def _against(own: int | None, usual: int | None) -> str:
    """What the others have, where it differs."""
    return "" if own == usual or usual is None else f" (others {usual})"


def _number(value: int | None) -> str:
    return "?" if value is None else str(value)


def _last_words(state: RankState) -> str:
    ended = state.exit
    if ended is not None and (ended.signal or ended.code is not None):
        return f"ended by {ended.signal}" if ended.signal else f"exit code {ended.code}"
    words = state.last_words
    return (
        f"last words {time_text(words.time).strip()} {without_prefix(printable(words.text))}"
        if words
        else "no last words"
    )
