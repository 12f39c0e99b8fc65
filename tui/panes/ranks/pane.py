"""The ranks: grid, legend with counts, and the two numbers that decide about the rank under the cursor."""

from __future__ import annotations

import pkgutil
import time as clock
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static
from textual.worker import get_current_worker

from logtui.tui.panes.ranks import modes
from logtui.tui.panes.ranks.arrangement import NODE, Arrangement
from logtui.tui.panes.ranks.grid import RankGrid
from logtui.tui.panes.ranks.modes.reading import UNKNOWN, Mode, Reading
from logtui.tui.panes.ranks.words import legend, named_rank, names_a_number, rank_detail
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.messages import RankChosen, SearchWanted
from logtui.tui.shared.selection import Selection
from logtui.tui.shared.wording import ranks_text
from logtui.tui.widgets.pane import Pane, PaneRow, Place
from logtui.tui.widgets.prompt_bar import PromptBar

if TYPE_CHECKING:
    from logtui.diagnosis.model.evidence import Evidence

LOOKED_AT_ONCE = 2048
"""Ranks up to which last words are read before anybody asks for them; above that a mode asks."""
LEGEND_ROWS = 3
"""At most, as in the style sheet."""
NO_RANKS = "No line of any file names a rank, so there is no cell to draw.\n3 findings, 4 files, 5 raw lines"
TELL_S = 0.2
"""Words that were read are shown no more often."""


def _declared() -> Iterator[Mode]:
    """Ours in their order, then those of other modules by name."""
    names = (found.name for found in pkgutil.iter_modules(modes.__path__))
    for name in sorted(names, key=lambda name: (name != "known", name)):
        yield from getattr(import_module(f"{modes.__name__}.{name}"), "MODES", ())


MODES = tuple(_declared())
"""What the grid can show, in the order `v` shows it."""

HELP = """\
## Ranks

A cell per rank, a row per node. Glyph and colour say what the rank was doing when the job died:

- `◆` never entered the collective the others wait in · `▼` behind · `▲` ahead · `△` queued ahead
- `■` waiting inside the collective · `✖` crashed · `†` killed · `□` exited · `●` healthy
- `·` silent: no line of this rank was found · `▣` blamed by the verdict, though others are in the same state

Below the cells: the numbers that decide about the rank under the cursor against those of the others, and its last
words: the last line it wrote before watchdogs spoke for it.

**enter** the line that proves the rank's state · **/** `57` or `node007` goes there; anything else is searched for in
the file · **n** / **N** next and previous odd rank · **p** / **P** process groups

**v** / **V** modes: status · enqueued − completed (digits; `▼` `▲` who has enqueued less or more than the group) ·
last words (the taller, the longer silent) · step time · errors · exit (`S` SIGSEGV, `K` SIGKILL, `A` SIGABRT, `!` a
code) · dump

Underlined: no line names the rank, its number is worked out from a local rank or a task label (`r3?` in the timeline).

Where a job has more ranks than the pane has room, a cell stands for several and looks as the oddest of them does: the
title says how many, **n** goes to the odd ones, **z** gives the pane the whole screen.

**s** nodes with odd ranks first · **F** identical ranks folded into a row · **L** by node, or by tensor, pipeline,
data parallel group where logs or dumps tell them
"""


class RankPane(Pane):
    """Which ranks are out of line."""

    HELP_TEXT = HELP

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "mode(1)", "Next mode", show=False, id="ranks.next-mode"),
        Binding("V", "mode(-1)", "Previous mode", show=False, id="ranks.previous-mode"),
        Binding("p", "group(1)", "Next process group", show=False, id="ranks.next-group"),
        Binding("P", "group(-1)", "Previous process group", show=False, id="ranks.previous-group"),
        Binding("s", "odd_first", "Odd ranks first", show=False, id="ranks.odd-first"),
        Binding("F", "fold", "Fold identical ranks", show=False, id="ranks.fold"),
        Binding("L", "layout", "By node or parallel group", show=False, id="ranks.layout"),
    ]

    @dataclass
    class LookedCloser(Message):
        """All records of a case were gone through, or the ends of some of its files."""

        view: CaseView
        words: dict[int, Evidence] = field(default_factory=dict)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.mode = 0
        self.wanted = Arrangement()
        self._readings: dict[tuple[str, str | None], Reading] = {}
        self._closer: CaseView | None = None
        """The case whose records were gone through."""
        self._looking: CaseView | None = None
        """The case that is gone through, or was."""
        self._per_cell = 1

    def compose_pane(self) -> ComposeResult:
        """Grid above, words below."""
        yield RankGrid(id="rank-grid")
        yield Static(id="rank-detail")
        yield Static(id="rank-legend")
        yield PromptBar(id="rank-prompt")

    def watch_view(self, view: CaseView | None) -> None:
        """Show a newer report."""
        self._readings.clear()
        if view is not None:
            self._show(view)
            if not view.report.provisional and len(view.ranks) <= LOOKED_AT_ONCE:
                self._begin_looking(view)

    def _begin_looking(self, view: CaseView) -> None:
        """Once for each report."""
        if self._looking is not view:
            self._looking = view
            self.look_closer(view)

    def watch_selection(self, old: Selection, new: Selection) -> None:
        """Follow the selection."""
        if self.view is None:
            return
        if old.group != new.group:
            self._show(self.view)
        elif old.rank != new.rank:
            self.query_one("#rank-grid", RankGrid).move_to(new.rank)
            self._show_detail(self.view)

    def _reading(self, view: CaseView) -> Reading:
        """What the chosen mode says; kept until there is a newer report."""
        mode, group = MODES[self.mode], self.selection.group
        if mode.looks_closer and self._closer is not view:
            self._begin_looking(view)
            return Reading(dict.fromkeys(view.ranks, UNKNOWN), (UNKNOWN,), lambda rank: "all records are being read")
        key = (mode.name, group)
        if key not in self._readings:
            self._readings[key] = mode.read(view, group)
        return self._readings[key]

    @work(thread=True, exclusive=True, exit_on_error=False, group="closer", name="look-closer", description="-")
    def look_closer(self, view: CaseView) -> None:
        """Go through all records once, then through the files from their ends, until cancelled."""
        from logtui.diagnosis.facts.last_words import last_words_by_file

        worker, told = get_current_worker(), clock.monotonic()
        view.activity  # noqa: B018  kept by the view
        self.post_message(self.LookedCloser(view))
        if view.facts is None:
            return
        near = view.report.job.ended or view.report.job.started or 0.0
        read: dict[int, Evidence] = {}
        for words in last_words_by_file(view.facts.identity, view.report.ranks, near, lambda: worker.is_cancelled):
            read |= words
            if clock.monotonic() - told > TELL_S:
                told = clock.monotonic()
                self.post_message(self.LookedCloser(view, read))
                read = {}
        self.post_message(self.LookedCloser(view, read))

    def on_rank_pane_looked_closer(self, message: LookedCloser) -> None:
        """Show what was found."""
        message.stop()
        view, first = message.view, self._closer is not message.view
        if self.view is not view:
            return
        self._closer = view
        view.own_words.update(message.words)
        if MODES[self.mode].looks_closer:
            self._readings = {key: kept for key, kept in self._readings.items() if key[0] != MODES[self.mode].name}
            self._show(view)
        elif first or self.selection.rank in message.words:
            self._show_detail(view)

    def _show(self, view: CaseView) -> None:
        reading = self._reading(view)
        self.query_one("#rank-grid", RankGrid).show(view, reading, self.wanted, self.selection.rank)
        self._show_heading(view)
        self._show_legend(legend(reading, len(view.guessed)))
        self._show_detail(view)

    def _show_heading(self, view: CaseView) -> None:
        group = self.selection.group
        early = "so far" if view.report.provisional else ""
        shared = f"{self._per_cell} ranks a cell" if self._per_cell > 1 else ""
        of_group = view.group_label(group) if view.groups else ""
        shown = (early, MODES[self.mode].name, shared, of_group, self.wanted.words())
        self.heading.note = " · ".join(filter(None, shown))

    def _show_legend(self, words: Content) -> None:
        """The screen is laid out anew only where the words take more or fewer rows than before."""
        shown = self.query_one("#rank-legend", Static)
        rows = min(words.get_height({}, max(shown.size.width, 1)), LEGEND_ROWS)
        shown.update(words, layout=rows != shown.size.height)

    def _show_detail(self, view: CaseView) -> None:
        rank, detail = self.selection.rank, Content("" if view.ranks else NO_RANKS)
        if rank is not None and view.ranks:
            detail = rank_detail(view, rank, self.selection.group, self._reading(view), self.size.width)
        self.query_one("#rank-detail", Static).update(detail, layout=False)

    def on_rank_grid_shared(self, message: RankGrid.Shared) -> None:
        """Say what a cell is."""
        message.stop()
        self._per_cell = message.per_cell
        if self.view is not None:
            self._show_heading(self.view)

    def on_rank_grid_moved(self, message: RankGrid.Moved) -> None:
        """Pass the cursor on, with the group it was moved in."""
        message.stop()
        self.post_message(RankChosen(message.rank, self.selection.group, message.opened))

    def action_mode(self, direction: int) -> None:
        """Show something else of the ranks."""
        self.mode = (self.mode + direction) % len(MODES)
        if self.view is not None:
            self._show(self.view)

    def action_group(self, direction: int) -> None:
        """Show the ranks' states in the next process group; the first choice is all of them together."""
        if self.view is None or not self.view.groups or self.selection.rank is None:
            return
        choices: list[str | None] = [None, *self.view.groups]
        at = choices.index(self.selection.group) if self.selection.group in choices else 0
        self.post_message(RankChosen(self.selection.rank, choices[(at + direction) % len(choices)]))

    def action_odd_first(self) -> None:
        """Nodes with odd ranks first, and back."""
        self._arrange(replace(self.wanted, odd_first=not self.wanted.odd_first, folded=False))

    def action_fold(self) -> None:
        """A row for all ranks that are alike, and back."""
        self._arrange(replace(self.wanted, folded=not self.wanted.folded))

    def action_layout(self) -> None:
        """By node, or by tensor, pipeline, data parallel group where those are known."""
        if self.view is None:
            return
        choices = [NODE, *(d.name for d in self.view.dimensions)]
        if len(choices) == 1:
            self.notify("no log or dump says how the ranks are divided for parallelism")
            return
        at = choices.index(self.wanted.by) if self.wanted.by in choices else 0
        self._arrange(replace(self.wanted, by=choices[(at + 1) % len(choices)], folded=False))

    def put_back(self, mode: int, wanted: Arrangement) -> None:
        """Show what was shown before."""
        self.mode = mode
        self._arrange(wanted)

    def _arrange(self, wanted: Arrangement) -> None:
        self.wanted = wanted
        if self.view is not None:
            self._show(self.view)

    def on_rank_grid_asked(self, message: RankGrid.Asked) -> None:
        """Which rank or node?"""
        message.stop()
        self.query_one(PromptBar).open("/", "rank 57, node007, or else an expression to search the file for")

    def on_prompt_bar_closed(self, message: PromptBar.Closed) -> None:
        """Back to the ranks."""
        message.stop()
        self.query_one("#rank-grid", RankGrid).focus()

    def on_prompt_bar_answered(self, message: PromptBar.Answered) -> None:
        """Go there; what names no rank and no node is searched for in the file."""
        message.stop()
        if self.view is None or not message.text.strip():
            return
        rank = named_rank(self.view, message.text, self._reading(self.view).outliers)
        if rank is None and names_a_number(message.text):
            self.notify(f"no rank is {message.text.strip()}: {ranks_text(self.view.ranks) or 'none is known'}")
        elif rank is None:
            self.post_message(SearchWanted(message.text))
        else:
            self.post_message(RankChosen(rank, self.selection.group))


PANE = PaneRow("ranks", RankPane, key=1, place=Place.RANKS)
