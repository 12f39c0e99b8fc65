"""The screen that shows a case: puts its parts together, and passes on what keys and panes say.

What is done about it stands in the parts, each of one subject: where the user is (`navigation`), which panes are in
sight (`pane_layout`), what is marked (`marks`), what is kept for the next time (`session`), the storage daemons' clock
(`clock_link`), typed commands, and the views that open above.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.reactive import var
from textual.screen import Screen
from textual.widgets import Static

from logtui.tui.panes.raw.pane import RawPane
from logtui.tui.panes.timeline.pane import TimelinePane
from logtui.tui.screens.case_keys import CASE_KEYS
from logtui.tui.screens.clock_link import ClockLink
from logtui.tui.screens.declaring import DeclaredCause
from logtui.tui.screens.marks import Marks
from logtui.tui.screens.navigation import Navigation
from logtui.tui.screens.pane_layout import PaneLayout
from logtui.tui.screens.pane_table import MIN_HEIGHT, MIN_WIDTH, PANES, layout_for
from logtui.tui.screens.session import KeptSession
from logtui.tui.screens.typed_commands import TypedCommands
from logtui.tui.screens.wider_views import WiderViews
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.messages import (
    CommandTyped,
    LineChosen,
    RankChosen,
    SearchWanted,
    TimeChosen,
    WalkWanted,
    WholeLineWanted,
)
from logtui.tui.shared.selection import MarkBook, Selection
from logtui.tui.widgets.frame import Breadcrumb, HeadLine, Trail, VerdictStrip
from logtui.tui.widgets.key_line import KeyLine
from logtui.tui.widgets.pane import Pane, PaneTitle
from logtui.tui.widgets.prompt_bar import PromptBar

if TYPE_CHECKING:
    from logtui.parsers.scan.plan import Progress


class CaseScreen(Screen[None]):
    """One case. Panes post what the user did; only the screen's navigation changes the selection."""

    BINDINGS: ClassVar[list[BindingType]] = CASE_KEYS
    ALLOW_IN_MAXIMIZED_VIEW: ClassVar[str | None] = "KeyLine"

    view: var[CaseView | None] = var(None)
    """The newest report."""
    selection: var[Selection] = var(Selection())
    """Where the user is."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title_given = title
        self._navigation = Navigation(self, self._arrive)
        self._panes = PaneLayout(self)
        self._marks = Marks(self, self._navigation, self.save_session)
        self._cause = DeclaredCause(self, self._navigation, self.show_view)
        self._session = KeptSession(self, self._navigation, self._marks, self._cause, self._panes)
        self._typed = TypedCommands(self, self._navigation)
        self._wider = WiderViews(self, self._navigation)

    def compose(self) -> ComposeResult:
        """Head, verdict, panes, keys."""
        layout = layout_for(self.app.size)
        self.add_class(layout)  # now: later it would style everything below anew
        yield HeadLine(id="head")
        yield VerdictStrip(id="verdict")
        with Container(id="panes"):
            yield from self._panes.compose(layout)
        yield Static(f"logtui needs a terminal of at least {MIN_WIDTH} × {MIN_HEIGHT}", id="too-small")
        yield ClockLink(id="clocks")
        yield Breadcrumb(id="breadcrumb")
        yield KeyLine()

    def on_mount(self) -> None:
        """Name what was opened; the ranks have the focus."""
        self.query_one(HeadLine).title = self._title_given
        self._panes.lay(layout_for(self.app.size))
        self.query_one("#rank-grid").focus()

    def on_unmount(self) -> None:
        """Keep it for the next time."""
        self.save_session()

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """Everything has its styles from being mounted; they are not looked up once more before the first frame."""
        event.refresh_styles = event.refresh_styles and self.stack_updates > 0

    def on_resize(self, event: events.Resize) -> None:
        """Panes stand where there is room."""
        self._panes.fit(event.size)

    def on_descendant_focus(self) -> None:
        """Remember the pane."""
        self._panes.note_focus()

    def set_class(self, add: bool, *class_names: str, update: bool = True) -> Self:
        """As the framework; but of its class for a pane alone nothing here depends, and all styles need not be sought.

        What it is there for, the framework's own look of a small widget in the middle, is none of ours: a pane fills
        the screen.
        """
        return super().set_class(add, *class_names, update=update and class_names != ("-maximized-view",))

    @property
    def stands(self) -> bool:
        """Whether there is anything to show on; while the app ends, its panes go first."""
        return bool(self.query(HeadLine))

    @property
    def found(self) -> CaseView | None:
        """The newest view without what the user declared."""
        return self._cause.found

    @property
    def book(self) -> MarkBook:
        """The user's marks."""
        return self._marks.book

    def focused_pane(self) -> Pane | None:
        """The pane the user is in."""
        return self._panes.focused()

    def keep(self, paths: Sequence[Path]) -> None:
        """Keep a session for some paths, and offer the one that was kept, once the logs are there."""
        self._session.keep(paths)

    def save_session(self) -> None:
        """Keep what is there, if it is anything new."""
        self._session.save()

    def show_progress(self, progress: Progress | None) -> None:
        """Say how far the reading is; None when it is over."""
        self.query_one(HeadLine).progress = progress

    def show_growth(self, words: str) -> None:
        """Say that the logs have gone on; "" where they have not."""
        self.query_one(HeadLine).growth = words

    def show_trouble(self, words: str) -> None:
        """Say why there is no report."""
        self.query_one(VerdictStrip).trouble = words
        self.show_progress(None)

    def show_view(self, view: CaseView) -> None:
        """Take a newer report; the selection stays where the user put it."""
        view = self._cause.applied(view)
        self._navigation.view = view
        self.view = view
        self.query_one(HeadLine).report = view.report
        self.query_one(VerdictStrip).view = self.query_one(ClockLink).view = view
        for pane in self._panes.panes:
            pane.view = view
        self.refresh_bindings()
        self._panes.show_view(view)
        if self._navigation.is_at_start:
            self._navigation.begin(view)
            if not view.ranks and not view.report.provisional and self.query_one("#rank-grid").has_focus:
                self.action_pane("daemons" if view.daemons else "findings")

    def watch_view(self, old: CaseView | None, new: CaseView | None) -> None:
        """With the first report, offer what was kept once there is something to restore it in."""
        if new is not None and old is None:
            self._marks.begin(new.marks)
            self.call_after_refresh(self._session.offer)

    def hush(self) -> None:
        """The hint has been read."""
        if (place := self.query_one_optional("#breadcrumb", Breadcrumb)) is not None:
            place.hint = ""

    def move_time(self, seconds: float) -> None:
        """The storage daemons' clock was set."""
        self._navigation.shift_daemons(seconds)

    def _arrive(self, place: Selection) -> None:
        self.selection = place

    def watch_selection(self, selection: Selection) -> None:
        """Hand the selection down."""
        for pane in self._panes.panes:
            pane.selection = selection
        view, rank = self.view, selection.rank
        state = view.states.get(rank) if view is not None and rank is not None else None
        group = view.group_label(selection.group) if view is not None and selection.group else ""
        inherited = view is not None and (selection.file, selection.line) in view.inherited_places
        host, guessed = (state.host, state.guessed) if state else (None, False)
        trail = Trail.of(self._navigation.history, host, group, inherited, guessed)
        self.query_one("#breadcrumb", Breadcrumb).trail = trail

    def on_formats_loaded(self) -> None:
        """Tell the panes."""
        for pane in self._panes.panes:
            pane.formats_loaded()

    def on_pane_title_picked(self, message: PaneTitle.Picked) -> None:
        """To the pane whose name was clicked."""
        name = next((name for name, row in PANES.items() if row.key == message.key), None)
        if name is not None:
            self.action_pane(name)

    def on_rank_chosen(self, message: RankChosen) -> None:
        """To a rank; opened, to its line, or to its dump where nothing else tells of it."""
        if self.view is None:
            return
        self._navigation.to_rank(self.view, message)
        if message.opened and self.selection.file is None and self.view.dumps is not None:
            self.action_dumps()
        elif message.opened:
            self._open_raw()

    def on_line_chosen(self, message: LineChosen) -> None:
        """To a line."""
        if self._navigation.to_line(message) and message.opened:
            self._open_raw()

    def on_walk_wanted(self, message: WalkWanted) -> None:
        """Along some lines."""
        self._navigation.along(message.walk, message.direction)
        if message.opened:
            self._open_raw()

    def on_time_chosen(self, message: TimeChosen) -> None:
        """To a moment."""
        self._navigation.to_time(message.moment)

    def on_search_wanted(self, message: SearchWanted) -> None:
        """In the file that is shown, as if it had been asked for there."""
        self._open_raw()
        self.query_one(RawPane).post_message(PromptBar.Answered("/", message.pattern))

    def on_whole_line_wanted(self, message: WholeLineWanted) -> None:
        """Show a line in full."""
        from logtui.tui.screens.overlay import WholeLineScreen

        self.app.push_screen(WholeLineScreen(message.place, message.text))

    async def on_command_typed(self, message: CommandTyped) -> None:
        """Do what was typed behind the colon."""
        await self._typed.do(message.text)

    def on_clock_link_said(self, message: ClockLink.Said) -> None:
        """What is marked stands in the head line."""
        self.query_one(HeadLine).clock = message.words

    def _open_raw(self) -> None:
        self.query_one(RawPane).viewer.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without dumps the key for them only says so."""
        there = self._wider.has_dumps
        return there if action == "dumps" else not there if action == "no_dumps" else True

    def action_chain(self, direction: int) -> None:
        """Along the cause chain."""
        self._navigation.along_chain(direction)

    def action_event(self, direction: int) -> None:
        """Along the timeline."""
        self._navigation.along_events(direction)

    def action_walk(self, name: str, direction: int) -> None:
        """Along the lines that speak of errors, or that the verdict leaves open."""
        if self.view is not None:
            self._navigation.along(self.view.walks.named(name), direction)

    def action_back(self) -> None:
        """To the place before."""
        self._navigation.back()

    def action_forward(self) -> None:
        """To the place `back` came from."""
        self._navigation.forward()

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

    def action_zoom(self) -> None:
        """The focused pane alone, and back."""
        self._panes.zoom()

    def action_pane(self, name: str) -> None:
        """Show a pane and move into it."""
        self._panes.bring(name)

    def action_mark(self) -> None:
        """Mark the selected line, or change its note."""
        self._marks.mark_line()

    def action_declare(self) -> None:
        """The selected line is the cause, the user says; on the same line again it is not."""
        self._cause.turn()

    def action_to_mark(self, direction: int) -> None:
        """To the next or previous marked line."""
        self._marks.step(direction)

    def action_restore(self) -> None:
        """Bring back what was kept last time."""
        self._session.restore()

    def action_same_event(self) -> None:
        """Mark the selected line as the same event as another one."""
        self.query_one(ClockLink).mark(self.selection)

    def action_derived_clock(self) -> None:
        """Forget what was marked as one event."""
        self.query_one(ClockLink).undo()

    def action_search_all(self) -> None:
        """Look for an expression in all files."""
        self._wider.search_all()

    def action_compare(self) -> None:
        """The selected rank beside another one."""
        self._wider.compare()

    def action_dumps(self) -> None:
        """The flight-recorder view."""
        self._wider.dumps()

    def action_no_dumps(self) -> None:
        """Say why nothing opens."""
        self.notify("no flight-recorder dumps are among these files")

    def action_odd_lines(self) -> None:
        """What single ranks said, said last, or stopped saying."""
        self._wider.odd_lines()

    def action_find(self) -> None:
        """Somewhere else, by a few letters."""
        self._wider.find()
