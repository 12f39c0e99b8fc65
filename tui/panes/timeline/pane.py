"""When it happened: lanes above, the events one by one below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.worker import get_current_worker

from logtui.parsers.prefix.typed_time import read_time
from logtui.tui.panes.timeline.lanes import MAX_STUCK, Lane, LaneData, TimelineLanes, fitting, is_empty, lanes_of
from logtui.tui.panes.timeline.times import TimeFinder
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.destinations import both_clocks, event_index, nearest_event
from logtui.tui.shared.messages import LineChosen, TimeChosen
from logtui.tui.shared.prefixes import without_prefix
from logtui.tui.shared.selection import Selection
from logtui.tui.shared.shortening import fitted
from logtui.tui.shared.timeline_scale import Scale, StuckSpan, failure_window, stuck_spans, whole_window
from logtui.tui.shared.wording import count_text, printable, time_text
from logtui.tui.widgets.pane import Pane, PaneRow, Place
from logtui.tui.widgets.prompt_bar import PromptBar
from logtui.tui.widgets.row_list import Cells, RowList

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.diagnosis.facts.rank_activity import CountLane
    from logtui.diagnosis.model.report import TimelineEvent

MARKS = {"error": "✖", "warning": "▲"}
"""Severity without colour; plain events have none."""

LANES_SHARE = 0.6
"""Of the pane's height; the rest is for the events."""
RANK_LANES = 64
"""Lanes of single ranks that are kept."""


class EventList(RowList):
    """Time, rank, what happened, and where it says so."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._events: tuple[TimelineEvent, ...] = ()
        self._guessed: frozenset[int] = frozenset()

    def show_events(self, events: tuple[TimelineEvent, ...], guessed: frozenset[int] = frozenset()) -> None:
        """Show these, in the order given; some ranks' numbers are guesses."""
        self._events, self._guessed = events, guessed
        self.show_rows(len(events))

    def cells(self, row: int, width: int) -> Cells:
        """`15:42:03 ✖ r57   what   file:line`, the place only where there is room for it.

        `15:42:03~` is a neighbouring line's time, `r57?` a number that was worked out.
        """
        event = self._events[row]
        severity = event.severity if event.severity in MARKS else ""
        doubt = "?" if event.rank in self._guessed else ""
        rank = f"r{event.rank}{doubt}" if event.rank is not None else event.source[:8]
        cells = [
            (f"{time_text(event.time)}{'~' if event.inherited else ' '}", "dim"),
            (f"{MARKS.get(event.severity, ' ')} ", severity),
            (f"{rank:<8} ", "bold"),
        ]
        what, place = printable(without_prefix(event.what)), printable(f"  {event.file}:{event.line}")
        room = width - sum(len(text) for text, _ in cells)
        if len(place) >= room // 2:
            return [*cells, (fitted(what, room), severity)]
        room -= len(place)
        return [*cells, (fitted(what, room).ljust(room), severity), (place, "dim")]


HELP = """\
## Timeline

A lane per source: all lines that logtui knows, and samples of all others that have a time. The height of a column is
its severity first and their number second: `▁▂▃` plain, `▃▄▅` warnings, `▆▇█` errors. `┄ 31 min ┄` nothing with a time
was written for so long; of a storage daemon nothing known, or nothing that is read though it was running; `·` before
the first and after the last line of a source.
`15:42:03~` in the list: the line has no time, a neighbour's is given. Of a case file the lanes show its events only.
`├── 30 min ──┤` is a collective that hung, from when its ranks began to wait (timeout minus limit) to the timeout.

Lane `marks`: `A` an attempt begins · `R` restart · `C` checkpoint · `L` resumed from a checkpoint. Where the storage
daemons' clock differs from the workers', both stand along the top.
Lane `step time`: how long steps took, the longest the highest; coloured where they took at least 1.8 times the best.

**up** / **down** events · **left** / **right** the time cursor · **+** / **-** zoom · **0** all of the run, and
back · **t** to a time, from any pane: `15:42`, `15:42:03`, `02-24 15:42`, `-10m`, `+1h` · **enter** opens the event's
line · **,** / **.** previous and next event, from any pane · **z** the pane alone, with all lanes
"""


class TimelinePane(Pane):
    """The lines that matter, in order of time."""

    HELP_TEXT = HELP

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "time(-1)", "Earlier", show=False, id="timeline.earlier"),
        Binding("right,l", "time(1)", "Later", show=False, id="timeline.later"),
        Binding("plus,equals_sign", "zoom(0.5)", "Zoom in", show=False, id="timeline.zoom-in"),
        Binding("minus", "zoom(2)", "Zoom out", show=False, id="timeline.zoom-out"),
        Binding("0", "whole", "Whole run, or the failure", show=False, id="timeline.whole"),
    ]

    @dataclass
    class Counted(Message):
        """All records of a case were sorted by source and time."""

        view: CaseView

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._version = 0
        self._rank_lanes: dict[int, CountLane] = {}
        self._empty: dict[str, bool] = {}
        """Per lane whether it has nothing to show in the window."""
        self._seen_for: tuple[int, Scale] | None = None
        self._stuck: tuple[StuckSpan, ...] = ()
        self._window: Scale | None = None
        self._is_whole = False

    def compose_pane(self) -> ComposeResult:
        """Lanes, then events."""
        yield TimelineLanes(id="lanes")
        yield EventList(id="event-list")
        yield PromptBar(id="time-prompt")
        yield TimeFinder(id="time-finder")

    @property
    def lanes(self) -> TimelineLanes:
        """The drawn lanes."""
        return self.query_one("#lanes", TimelineLanes)

    @property
    def listed(self) -> EventList:
        """The events one by one."""
        return self.query_one("#event-list", EventList)

    def watch_view(self, view: CaseView | None) -> None:
        """Show a newer report; a window the user chose stays."""
        if view is None:
            return
        self._renew()
        self._stuck = stuck_spans(view.report)
        self.listed.show_events(view.events, view.guessed)
        if self._window is None or not self._is_whole:
            self._window = failure_window(view, self._stuck, self.lanes.columns)
        self._draw()
        self.call_later(lambda: self._follow(self.selection))  # a newer report may move the selection first
        if not view.report.provisional and view.facts is not None:
            self.count_lines(view)

    def formats_loaded(self) -> None:
        """Draw the events with the pieces that matter."""
        self.listed.refresh()

    def _renew(self) -> None:
        """The lanes have other lines."""
        self._version += 1
        self._rank_lanes.clear()

    @work(thread=True, exclusive=True, exit_on_error=False, group="lanes", name="count-lines-by-time", description="-")
    def count_lines(self, view: CaseView) -> None:
        """Sort all records by source and time, once per report."""
        view.density  # noqa: B018  kept by the view
        if not get_current_worker().is_cancelled:
            self.post_message(self.Counted(view))

    def on_timeline_pane_counted(self, message: Counted) -> None:
        """Show all lines instead of the events."""
        message.stop()
        if message.view is self.view:
            self._renew()
            self._draw()

    def _rank_lane(self, view: CaseView, rank: int | None) -> CountLane | None:
        if rank is None or not view.counted_lanes or view.density is None:
            return None
        if rank not in self._rank_lanes:
            if len(self._rank_lanes) >= RANK_LANES:
                self._rank_lanes.clear()
            self._rank_lanes[rank] = view.density.of_rank(rank)
        return self._rank_lanes[rank]

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
        rank = self.selection.rank
        lanes = lanes_of(self.view, rank, self._rank_lane(self.view, rank))
        clocks = clocks_of(self.view)
        room = max(int(self.size.height * LANES_SHARE) - len(clocks) - len(self._stuck[:MAX_STUCK]), 2)
        shown = self._fitting(lanes, room, scale)
        self.lanes.show(LaneData(shown, self._stuck, clocks, self._version), scale, self.selection.time)
        left_out = len(lanes) - len(shown)
        hidden = f"{count_text(left_out, 'lane')} hidden, z shows all" if left_out else ""
        early = "so far" if self.view.report.provisional else ""
        parts = (early, both_clocks(self.view, self.selection), hidden, _events_words(self.view))
        self.heading.note = " · ".join(filter(None, parts))

    def _fitting(self, lanes: tuple[Lane, ...], room: int, scale: Scale | None) -> tuple[Lane, ...]:
        """The lanes there is room for. Which of them are empty is found anew only where the window is another."""
        if scale is None or len(lanes) <= room:
            return lanes
        if self._seen_for != (self._version, scale):
            self._seen_for = self._version, scale
            self._empty.clear()
        for lane in lanes:
            if lane.name not in self._empty:
                self._empty[lane.name] = is_empty(lane, scale)
        return fitting(lanes, room, self._empty)

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
        is_here = near is not None and near.file == self.selection.file  # another file is not brought unasked
        if near is not None and is_here and near.time is not None and abs(near.time - time) <= column / 2:
            self.post_message(line_of(near, step=True))
        self.post_message(TimeChosen(time))

    def ask(self) -> None:
        """Which time?"""
        self.query_one(PromptBar).open("t", "15:42, 15:42:03, 02-24 15:42, -10m, +1h")

    def on_prompt_bar_closed(self, message: PromptBar.Closed) -> None:
        """Back to the events."""
        message.stop()
        self.listed.focus()

    def on_prompt_bar_answered(self, message: PromptBar.Answered) -> None:
        """Go to that time, and to what the shown file says about it."""
        message.stop()
        if self.view is None or not message.text.strip():
            return
        job, now = self.view.report.job, self.selection.time
        near = next((t for t in (now, job.ended, job.started) if t is not None), 0.0)
        time = read_time(message.text, near)
        if time is None:
            self.notify(f"not a time: {message.text}", severity="warning", markup=False)
        else:
            self._jump(self.view, time)

    def _jump(self, view: CaseView, time: float) -> None:
        """To a time, and to the line of the shown file that was written then."""
        if view.case is not None and self.selection.file is not None:
            self.query_one(TimeFinder).find_line(view, view.case, self.selection.file, time)
        else:
            self.post_message(TimeChosen(time))

    def on_time_finder_located(self, message: TimeFinder.Located) -> None:
        """Show the line; where no line of the file is dated, that of the nearest event."""
        message.stop()
        why = at_words(message.moment, message.written)
        event = nearest_event(self.view, message.moment) if self.view is not None and message.line is None else None
        if message.line is not None:
            self.post_message(LineChosen(message.file, message.line, None, message.moment, why))
        elif event is not None:
            self.post_message(LineChosen(event.file, event.line, event.rank, message.moment, why))
        else:
            self.post_message(TimeChosen(message.moment))

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


def at_words(wanted: float, written: float | None) -> str:
    """`at 15:20:00`; where the line was written at another time, when: the file has nothing of the time that was asked
    for."""
    at = f"at {time_text(wanted)}"
    return at if written is None or abs(written - wanted) < 1 else f"{at}: the nearest line is of {time_text(written)}"


def line_of(event: TimelineEvent, *, step: bool = False, opened: bool = False) -> LineChosen:
    """The message that shows an event's line."""
    return LineChosen(event.file, event.line, event.rank, event.time, event.what, step=step, opened=opened)


def clocks_of(view: CaseView) -> tuple[tuple[str, float], ...]:
    """The workers' clock, and the storage daemons' where it differs."""
    shift = view.daemons.shift if view.daemons is not None else 0.0
    return (("workers", 0.0), ("ais", -shift)) if abs(shift) >= 1.0 else (("", 0.0),)


def _events_words(view: CaseView) -> str:
    if not view.events:
        return "no line that is known has a time"
    if view.is_case_file:
        return f"{count_text(len(view.events), 'event')}, all other lines not in the case file"
    known = sum(count.total for count in view.report.counts)
    return f"{len(view.events):,} of {known:,} events" if known > len(view.events) else count_text(known, "event")


PANE = PaneRow("timeline", TimelinePane, key=2, place=Place.TIMELINE)
