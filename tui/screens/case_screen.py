"""The screen: lays the panes out, keeps the one selection, and answers what the panes say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import Static

from logtui.tui.case_view import CaseView
from logtui.tui.chain_walk import chain_step, event_step
from logtui.tui.garbage import spare_frames
from logtui.tui.messages import LineChosen, RankChosen, SearchWanted, TimeChosen, WholeLineWanted
from logtui.tui.pane_layout import (
    LAYOUTS,
    MIN_HEIGHT,
    MIN_WIDTH,
    PANES,
    TOO_SMALL,
    PaneOrder,
    layout_for,
    pane_names,
)
from logtui.tui.places import first_place, rank_place
from logtui.tui.screens.beyond_keys import BeyondKeys
from logtui.tui.screens.case_keys import CASE_KEYS
from logtui.tui.screens.clock_keys import ClockKeys
from logtui.tui.screens.kept_screen import KeptScreen
from logtui.tui.screens.typed_keys import TypedKeys
from logtui.tui.selection import History, Selection
from logtui.tui.widgets.breadcrumb import Breadcrumb, Trail
from logtui.tui.widgets.clock_link import ClockLink
from logtui.tui.widgets.daemon_pane import DaemonPane
from logtui.tui.widgets.file_pane import FilePane
from logtui.tui.widgets.findings_pane import FindingsPane, line_of
from logtui.tui.widgets.head_line import HeadLine
from logtui.tui.widgets.key_line import KeyLine
from logtui.tui.widgets.pane import Pane
from logtui.tui.widgets.prompt_bar import PromptBar
from logtui.tui.widgets.rank_pane import RankPane
from logtui.tui.widgets.raw_pane import RawPane
from logtui.tui.widgets.timeline_pane import TimelinePane
from logtui.tui.widgets.timeline_pane import line_of as event_line
from logtui.tui.widgets.verdict_strip import VerdictStrip

if TYPE_CHECKING:
    from logtui.parsers.progress import Progress

_KINDS: Mapping[str, type[Pane]] = {
    "ranks": RankPane,
    "timeline": TimelinePane,
    "findings": FindingsPane,
    "daemons": DaemonPane,
    "files": FilePane,
    "raw": RawPane,
}


class CaseScreen(KeptScreen, ClockKeys, BeyondKeys, TypedKeys):
    """One case. Panes post what the user did; only this screen changes the selection."""

    BINDINGS: ClassVar[list[BindingType]] = CASE_KEYS
    ALLOW_IN_MAXIMIZED_VIEW: ClassVar[str | None] = "KeyLine"

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title_given = title
        self._history = History()
        self._order = PaneOrder()
        self._layout_class = ""

    def compose(self) -> ComposeResult:
        """Head, verdict, panes, keys."""
        layout = layout_for(self.app.size)
        self.add_class(layout)  # now: later it would style everything below anew
        yield HeadLine(id="head")
        yield VerdictStrip(id="verdict")
        with Container(id="panes"):
            yield from self._panes_in(layout)
        yield Static(f"logtui needs a terminal of at least {MIN_WIDTH} × {MIN_HEIGHT}", id="too-small")
        yield ClockLink(id="clocks")
        yield Breadcrumb(id="breadcrumb")
        yield KeyLine()

    def _panes_in(self, layout: str) -> ComposeResult:
        behind = self._order.hidden(layout)
        for name, kind in _KINDS.items():
            yield kind(id=name).set_class(name in behind, "-behind", update=False)

    def on_mount(self) -> None:
        """Name what was opened; the ranks have the focus."""
        self.query_one(HeadLine).title = self._title_given
        self._lay_panes(layout_for(self.app.size))
        self.query_one("#rank-grid").focus()

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """Everything has its styles from being mounted; they are not looked up once more before the first frame."""
        event.refresh_styles = event.refresh_styles and self.stack_updates > 0

    def on_resize(self, event: events.Resize) -> None:
        """Choose the layout by size; the pane the user is in stays in sight, and takes the focus up again."""
        layout, name = layout_for(event.size), self.was_in or "ranks"
        if name in self._order.hidden(layout) - self._order.absent:
            self._order.bring(name)
        self._lay_panes(layout)
        if self.focused is None and layout != TOO_SMALL and self.is_current:
            self.call_after_refresh(self._pane(name).focus_content)

    @cached_property
    def _all_panes(self) -> tuple[Pane, ...]:
        """They stay the same as long as the screen does."""
        return tuple(self.query(Pane))

    def _pane(self, name: str) -> Pane:
        return self.query_one(f"#{name}", Pane)

    def _lay_panes(self, layout: str) -> None:
        self._layout_class = layout
        if layout not in self.classes:  # each change of a class styles everything below anew
            self.set_classes([c for c in self.classes if c not in LAYOUTS] + [layout])
        hidden = self._order.hidden(layout)
        for name in PANES:
            self._pane(name).set_class(name in hidden, "-behind")
            if name != "raw":
                self._pane(name).heading.name_shown = pane_names(self._order.sharing(layout, name), name)

    @property
    def stands(self) -> bool:
        """Whether there is anything to show on; while the app ends, its panes go first."""
        return bool(self.query(HeadLine))

    def show_progress(self, progress: Progress | None) -> None:
        """Say how far the reading is; None when it is over."""
        self.query_one(HeadLine).progress = progress

    def show_growth(self, words: str) -> None:
        """Say that the logs have gone on; "" where they have not."""
        self.query_one(HeadLine).growth = words

    def show_view(self, view: CaseView) -> None:
        """Take a newer report; the selection stays where the user put it."""
        self.view = view
        self.query_one(HeadLine).report = view.report
        self.query_one(VerdictStrip).view = self.query_one(ClockLink).view = view
        for pane in self._all_panes:
            pane.view = view
        if not view.report.provisional:
            spare_frames()  # what was read stays: no look for garbage goes through it
        self.refresh_bindings()
        self._order.absent = frozenset() if view.daemons else frozenset({"daemons"})
        self._lay_panes(self._layout_class or layout_for(self.size))
        if len(self._history.places) == 1:
            self._history.restart(first_place(view))
            self._arrive()
            if not view.ranks and not view.report.provisional and self.query_one("#rank-grid").has_focus:
                self.action_pane("daemons" if view.daemons else "findings")

    def hush(self) -> None:
        """The hint has been read."""
        if (place := self.query_one_optional("#breadcrumb", Breadcrumb)) is not None:
            place.hint = ""

    def show_trouble(self, words: str) -> None:
        """Say why there is no report."""
        self.query_one(VerdictStrip).trouble = words
        self.show_progress(None)

    def go(self, place: Selection, *, step: bool = False) -> None:
        """To a place; a step leaves none of its own in the history."""
        self._history.visit(place, step=step)
        self._arrive()

    def _arrive(self) -> None:
        self.selection = self._history.current

    def watch_selection(self, selection: Selection) -> None:
        """Hand the selection down."""
        for pane in self._all_panes:
            pane.selection = selection
        view, rank = self.view, selection.rank
        state = view.states.get(rank) if view is not None and rank is not None else None
        group = view.group_label(selection.group) if view is not None and selection.group else ""
        self.query_one("#breadcrumb", Breadcrumb).trail = Trail.of(self._history, state.host if state else None, group)

    def on_rank_chosen(self, message: RankChosen) -> None:
        """To a rank and the line that says most about it; where the user starts, that is the verdict's own line."""
        if self.view is None:
            return
        if not (message.opened and len(self._history.places) == 1):
            self.go(rank_place(self.view, message.rank, message.group), step=not message.opened)
        if message.opened and self.selection.file is None and self.view.dumps is not None:
            self.action_dumps()  # nothing but its dump tells of this rank
        elif message.opened:
            self._open_raw()

    def on_line_chosen(self, message: LineChosen) -> None:
        """To a line; what it does not say about rank and time stays as it was."""
        if message.line < 1:
            self.notify("the line has no number before the file is read to there", severity="warning")
            return
        here = self.selection
        rank = here.rank if message.rank is None else message.rank
        time = here.time if message.moment is None else message.moment
        place = replace(here, file=message.file, line=message.line, rank=rank, time=time, why=message.why)
        self.go(place, step=message.step)
        if message.opened:
            self._open_raw()

    def on_time_chosen(self, message: TimeChosen) -> None:
        """To a moment; the line stays."""
        self.go(replace(self.selection, time=message.moment), step=True)

    def on_search_wanted(self, message: SearchWanted) -> None:
        """In the file that is shown, as if it had been asked for there."""
        self._open_raw()
        self.query_one(RawPane).post_message(PromptBar.Answered("/", message.pattern))

    def on_whole_line_wanted(self, message: WholeLineWanted) -> None:
        """Show a line in full."""
        from logtui.tui.screens.whole_line import WholeLineScreen

        self.app.push_screen(WholeLineScreen(message.place, message.text))

    def _open_raw(self) -> None:
        self.query_one(RawPane).viewer.focus()

    def action_chain(self, direction: int) -> None:
        """Along the cause chain, each step on a raw line."""
        place = chain_step(self.view.path, self.selection, direction) if self.view else None
        if place is not None:
            self.on_line_chosen(line_of(place.evidence, place.why))
        else:
            self.notify("nothing before this in the cause chain" if direction < 0 else "nothing follows from this")

    def action_event(self, direction: int) -> None:
        """Along the timeline."""
        event = event_step(self.view, self.selection, direction) if self.view else None
        if event is not None:
            self.on_line_chosen(event_line(event, step=True))

    def action_back(self) -> None:
        """To the place before."""
        if self._history.back():
            self._arrive()

    def action_forward(self) -> None:
        """To the place `back` came from."""
        if self._history.forward():
            self._arrive()

    def action_ask(self, sign: str) -> None:
        """A search, a line number or a command."""
        if self.selection.file is not None or sign == ":":
            self.query_one(RawPane).ask(sign)

    def action_match(self, direction: int) -> None:
        """The next or previous match of what was searched for, from any pane."""
        self.query_one(RawPane).step_match(direction)

    def action_time(self) -> None:
        """To a time that is typed; the timeline shows where it is."""
        if self.view is not None:
            self.action_pane("timeline")
            self.call_after_refresh(self.query_one(TimelinePane).ask)

    def set_class(self, add: bool, *class_names: str, update: bool = True) -> Self:
        """As the framework; but of its class for a pane alone nothing here depends, and all styles need not be sought.

        What it is there for, the framework's own look of a small widget in the middle, is none of ours: a pane fills
        the screen.
        """
        return super().set_class(add, *class_names, update=update and class_names != ("-maximized-view",))

    def action_zoom(self) -> None:
        """The focused pane alone, and back."""
        if self.maximized is not None:
            self.minimize()
        elif (pane := self.focused_pane()) is not None:
            self.maximize(pane, container=False)

    def action_pane(self, name: str) -> None:
        """Show a pane and move into it."""
        if name in self._order.absent:
            self.notify("no logs of storage daemons were given")
            return
        self.minimize()
        self._order.bring(name)
        self._lay_panes(self._layout_class)
        self.call_after_refresh(self._pane(name).focus_content)

    def focused_pane(self) -> Pane | None:
        """The pane the user is in."""
        chain = self.focused.ancestors_with_self if self.focused else []
        return next((node for node in chain if isinstance(node, Pane)), None)
