"""When it happened: lanes above, the events one by one below."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from logtui.diagnosis.report import TimelineEvent
from logtui.tui import help_texts
from logtui.tui.case_view import CaseView
from logtui.tui.chain_walk import event_index, nearest_event
from logtui.tui.daemon_time import both_clocks
from logtui.tui.messages import LineChosen, TimeChosen
from logtui.tui.selection import Selection
from logtui.tui.stuck import StuckSpan, stuck_spans
from logtui.tui.timeline_scale import Scale, failure_window, whole_window
from logtui.tui.widgets.event_list import EventList
from logtui.tui.widgets.pane import Pane
from logtui.tui.widgets.row_list import RowList
from logtui.tui.widgets.timeline_lanes import LaneData, Lanes, TimelineLanes

LANE_ORDER = ("worker", "nccl", "launcher", "scheduler", "kernel")


class TimelinePane(Pane):
    """The lines that matter, in order of time."""

    HELP_TEXT = help_texts.TIMELINE

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "time(-1)", "Earlier", show=False, id="timeline.earlier"),
        Binding("right,l", "time(1)", "Later", show=False, id="timeline.later"),
        Binding("plus,equals_sign", "zoom(0.5)", "Zoom in", show=False, id="timeline.zoom-in"),
        Binding("minus", "zoom(2)", "Zoom out", show=False, id="timeline.zoom-out"),
        Binding("0", "whole", "Whole run, or the failure", show=False, id="timeline.whole"),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._stuck: tuple[StuckSpan, ...] = ()
        self._window: Scale | None = None
        self._is_whole = False

    def compose_pane(self) -> ComposeResult:
        """Lanes, then events."""
        yield TimelineLanes(id="lanes")
        yield EventList(id="event-list")

    @property
    def lanes(self) -> TimelineLanes:
        """The drawn lanes."""
        return self.query_one(TimelineLanes)

    @property
    def listed(self) -> EventList:
        """The events one by one."""
        return self.query_one(EventList)

    def watch_view(self, view: CaseView | None) -> None:
        """Show a newer report; a window the user chose stays."""
        if view is None:
            return
        self._stuck = stuck_spans(view.report)
        self.listed.show_events(view.events)
        if self._window is None or not self._is_whole:
            self._window = failure_window(view, self._stuck, self.lanes.columns)
        self._follow(self.selection)

    def watch_selection(self, selection: Selection) -> None:
        """Follow the selection."""
        self._follow(selection)

    def on_resize(self) -> None:
        """Columns follow the width."""
        self._draw()

    def _follow(self, selection: Selection) -> None:
        if self.view is None:
            return
        at, _ = event_index(self.view, selection)
        if at is not None:
            self.listed.move_to(at)
        if self._window is not None and selection.time is not None:
            self._window = self._window.showing(selection.time)
        self._draw()

    def _draw(self) -> None:
        if self.view is None:
            return
        window = self._window
        scale = Scale(window.start, window.end, self.lanes.columns) if window else None
        self.lanes.show(LaneData(lanes_of(self.view, self.selection.rank), self._stuck), scale, self.selection.time)
        clocks, events = both_clocks(self.view, self.selection), f"{len(self.view.events):,} events"
        self.heading.note = f"{clocks} · {events}" if clocks else events

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """An event was passed over or opened."""
        message.stop()
        if self.view is not None:
            self.post_message(line_of(self.view.events[message.row], step=not message.opened, opened=message.opened))

    def on_timeline_lanes_time_picked(self, message: TimelineLanes.TimePicked) -> None:
        """A click on a lane."""
        message.stop()
        self._to_time(message.time)

    def action_time(self, columns: int) -> None:
        """Move the time cursor by columns; the nearest event follows where one is that near."""
        if self._window is not None:
            scale = Scale(self._window.start, self._window.end, self.lanes.columns)
            now = self.selection.time if self.selection.time is not None else scale.start
            self._to_time(scale.time(scale.column(now) + columns))

    def _to_time(self, time: float) -> None:
        if self.view is None or self._window is None:
            return
        near = nearest_event(self.view, time)
        column = self._window.span / self.lanes.columns
        if near is not None and near.time is not None and abs(near.time - time) <= column / 2:
            self.post_message(line_of(near, step=True))
        self.post_message(TimeChosen(time))

    def action_zoom(self, factor: float) -> None:
        """A narrower or wider window round the cursor."""
        if self._window is not None:
            middle = self._window.start + self._window.span / 2
            around = self.selection.time if self._window.holds(self.selection.time) else middle
            self._window = self._window.zoomed(factor, around if around is not None else middle)
            self._is_whole = True
            self._draw()

    def action_whole(self) -> None:
        """The whole run, or back to the failure."""
        if self.view is not None:
            self._is_whole = not self._is_whole
            make = whole_window if self._is_whole else failure_window
            self._window = make(self.view, self._stuck, self.lanes.columns)
            self._draw()


def line_of(event: TimelineEvent, *, step: bool = False, opened: bool = False) -> LineChosen:
    """The message that shows an event's line."""
    return LineChosen(event.file, event.line, event.rank, event.time, event.what, step=step, opened=opened)


def lanes_of(view: CaseView, rank: int | None) -> Lanes:
    """Events by source, the selected rank's below the first."""
    sources = view.events_by_source
    order = sorted(sources, key=lambda s: (LANE_ORDER.index(s) if s in LANE_ORDER else len(LANE_ORDER), s))
    lanes = [(source, sources[source]) for source in order]
    if rank is not None:
        lanes.insert(1, (f"rank {rank}", view.events_by_rank.get(rank, ())))
    return tuple(lanes)
