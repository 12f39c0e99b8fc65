"""Lanes over time: which there are, what stands in their cells, and how they are drawn.

Density by severity, gaps as gaps, landmarks as letters, step times as heights; a ghost bar for each collective that
hung.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.timeline_scale import SEVERITIES, Scale, StuckSpan, axis, bar, loudness
from logtui.tui.shared.wording import duration_text
from logtui.tui.widgets.row_list import ComponentStyles

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.diagnosis.facts.rank_activity import CountLane
    from logtui.diagnosis.model.analyses import StepTime
    from logtui.diagnosis.model.report import TimelineEvent

STEP_TIME = "step time"
_BARS = "▁▂▃▄▅▆▇█"
EMPTY, FAST, SLOW = -1, 0, 1
"""No step ended there; as fast as the best; at least 1.8 times the best before it."""
_STYLES = {EMPTY: "empty", FAST: "info", SLOW: "warning"}

GAP_COLUMNS = 12
"""Empty columns from which on a lane says how long it is silent."""
LETTERS = {"restart": "R", "attempt": "A", "checkpoint": "C", "resumed": "L"}
"""Landmarks; of several in a column the first of these counts."""
Runs = Iterator[tuple[str, str]]
"""Text and the name of its style, from the left."""
LANE_ORDER = ("worker", "nccl", "launcher", "scheduler", "kernel")
LAST = ("steps",)
STORAGE = "ais"
"""The source of all storage daemons together."""
PINNED = 2
"""Lanes from the top that stay, but for landmarks."""
MOST_DAEMONS = 6
"""Storage daemons with a lane of their own: those with the most errors and warnings."""
LABEL_WIDTH = 11
STRIPS_KEPT = 256
MAX_STUCK = 2
"""Ghost bars shown; the rest is in the list below."""


def step_times(view: CaseView) -> tuple[StepTime, ...]:
    """What the strip shows; () where no step line has a time of its own."""
    steps = view.report.steps
    return steps.pace.strip if steps is not None and steps.pace is not None else ()


def strip_columns(times: Sequence[StepTime], scale: Scale) -> list[tuple[str, int]]:
    """Per column its glyph and how slow it is. Columns between two stretches show the later one, which they are of."""
    columns = [("·", EMPTY)] * scale.width
    longest, before = max((t.ms for t in times), default=0.0), None
    for one in times:
        last = scale.column(one.time)
        first = last if before is None else min(before + 1, last)
        for at in range(max(first, 0), min(last + 1, scale.width)):
            worst = max(columns[at][1], SLOW if one.slow else FAST)
            columns[at] = (_BARS[min(int(one.ms / longest * len(_BARS)), len(_BARS) - 1)], worst)
        before = last
    return columns


def strip_runs(times: Sequence[StepTime], scale: Scale) -> Iterator[tuple[str, str]]:
    """Text and the name of its style, from the left."""
    for pace, run in groupby(strip_columns(times, scale), key=lambda cell: cell[1]):
        yield "".join(glyph for glyph, _ in run), _STYLES[pace]


@dataclass(frozen=True, slots=True)
class Lane:
    """One row of the timeline."""

    name: str
    events: tuple[TimelineEvent, ...] = ()
    counted: CountLane | None = None
    """All known lines of the source, where they have been counted; else the events stand for them."""
    landmarks: bool = False
    """Whether it shows restarts, attempts and checkpoints."""
    steps: tuple[StepTime, ...] = ()
    """How long steps took, where it shows that."""


def lane_runs(lane: Lane, scale: Scale) -> Runs:
    """What stands in a lane."""
    if lane.landmarks:
        yield from _landmark_runs(lane.events, scale)
    elif lane.steps:
        yield from strip_runs(lane.steps, scale)
    elif lane.counted is not None:
        columns = lane.counted.columns(scale.start, scale.start + scale.span, scale.width)
        yield from _density_runs(columns, scale, lane.counted)
    else:
        yield from _density_runs(loudness(lane.events, scale), scale, None)


def _density_runs(columns: Sequence[tuple[int, int]], scale: Scale, counted: CountLane | None) -> Runs:
    most = max((count for count, _ in columns), default=0)
    at = 0
    for worst, group in groupby(columns, key=lambda column: column[1]):
        run = list(group)
        if worst >= 0:
            yield "".join(bar(count, worst, most) for count, _ in run), SEVERITIES[worst]
        else:
            middle = scale.time(at + len(run) // 2)
            silent = counted.silence(middle) if counted and len(run) >= GAP_COLUMNS else 0.0
            what = "running, unread" if counted and counted.runs_at(middle) else "nothing known"
            yield _gap(len(run), silent, what), "empty"
        at += len(run)


def _gap(width: int, silent: float, what: str) -> str:
    """Dots; of a lane that goes on afterwards, how long nothing that is read was written, in view or not."""
    if not silent:
        return "·" * width
    words = f" {duration_text(silent)} "
    long = f" {what} for {duration_text(silent)} "
    return (long if len(long) + 4 <= width else words).center(width, "┄")


def is_empty(lane: Lane, scale: Scale) -> bool:
    """Whether a lane has nothing to show in a window."""
    return all(style == "empty" for _, style in lane_runs(lane, scale))


def _landmark_runs(events: Sequence[TimelineEvent], scale: Scale) -> Runs:
    cells = [" "] * scale.width
    order = list(LETTERS)
    for event in sorted(events, key=lambda e: -order.index(e.mark) if e.mark in order else 0):
        if event.time is not None and scale.holds(event.time):
            cells[min(scale.column(event.time), scale.width - 1)] = LETTERS.get(event.mark, " ")
    for blank, run in groupby(cells, key=str.isspace):
        yield "".join(run), "empty" if blank else "mark"


def lanes_of(view: CaseView, rank: int | None, rank_lane: CountLane | None = None) -> tuple[Lane, ...]:
    """Landmarks, then lanes by source, the selected rank's below the first."""
    events = view.events_by_source
    counted = view.counted_lanes
    daemons = _loudest_daemons(view)
    names = [*_ordered({*events, *counted} - _daemons(view) - ({STORAGE} if daemons else set())), *daemons]
    names = [*(n for n in names if n not in LAST), *(n for n in names if n in LAST)]
    lanes = [Lane(name, events.get(name, ()), counted.get(name)) for name in names]
    if rank is not None:
        lanes.insert(1, Lane(f"rank {rank}", view.events_by_rank.get(rank, ()), rank_lane))
    if steps := step_times(view):
        first = view.report.verdict.cls == "slow-training"
        lanes.insert(1 + (rank is not None) if first else len(lanes), Lane(STEP_TIME, steps=steps))
    marks = view.landmarks
    return (Lane("marks", marks, landmarks=True), *lanes) if marks else tuple(lanes)


def fitting(lanes: Sequence[Lane], room: int, empty: Mapping[str, bool]) -> tuple[Lane, ...]:
    """As many lanes as there is room for; those with nothing in the window go first, then the last ones."""
    if len(lanes) <= room:
        return tuple(lanes)
    may_leave = [lane for lane in lanes[::-1] if lane.landmarks or lane not in lanes[:PINNED]]
    leaving = sorted(may_leave, key=lambda lane: not empty[lane.name])[: len(lanes) - room]
    return tuple(lane for lane in lanes if lane not in leaving)


def _ordered(names: set[str]) -> list[str]:
    return sorted(names, key=lambda s: (LANE_ORDER.index(s) if s in LANE_ORDER else len(LANE_ORDER), s))


def _daemons(view: CaseView) -> set[str]:
    return set(view.daemons.labels) if view.daemons else set()


def _loudest_daemons(view: CaseView) -> list[str]:
    """Daemons that wrote something known, blamed ones first; all of them where they are few."""
    blamed = set(view.daemons.blamed) if view.daemons else set()
    counted = {name: lane for name, lane in view.counted_lanes.items() if name in _daemons(view)}

    def loudness(name: str) -> tuple[bool, int, int]:
        _, warnings, errors = counted[name].times
        return name not in blamed, -len(errors), -len(warnings)

    return sorted(sorted(counted, key=loudness)[:MOST_DAEMONS])


@dataclass(frozen=True)
class LaneData:
    """What the lanes show."""

    lanes: tuple[Lane, ...] = ()
    stuck: tuple[StuckSpan, ...] = field(default=())
    clocks: tuple[tuple[str, float], ...] = (("", 0.0),)
    """The clocks along the top: name, and seconds to add to the workers' time."""
    version: int = 0
    """Grows when lanes of the same name have other lines."""


class TimelineLanes(Widget):
    """A row of times, the ghost bars, then a lane per source. Drawn from what it is given; takes no focus."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "lanes--label",
        "lanes--axis",
        "lanes--empty",
        "lanes--stuck",
        "lanes--cursor",
        "lanes--mark",
        *(f"lanes--{severity}" for severity in SEVERITIES),
    }

    class TimePicked(Message):
        """A column was clicked."""

        def __init__(self, time: float) -> None:
            super().__init__()
            self.time = time

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.shown = LaneData()
        self.scale: Scale | None = None
        self.cursor: float | None = None
        self._strips: dict[tuple[str, Scale, str], Strip] = {}
        self._styles: dict[str, Style] = {}
        self._look = ComponentStyles(self, "lanes")

    @property
    def columns(self) -> int:
        """Columns that stand for time."""
        return max(self.size.width - LABEL_WIDTH, 1)

    def show(self, shown: LaneData, scale: Scale | None, cursor: float | None) -> None:
        """Draw these lanes in this window; only what differs from before is sent to the terminal."""
        before, old_scale, old_cursor = self.shown, self.scale, self.cursor
        self.shown, self.scale, self.cursor = shown, scale, cursor
        changed = (shown.stuck, shown.clocks, shown.version) != (before.stuck, before.clocks, before.version)
        if len(self._strips) > STRIPS_KEPT or changed:
            self._strips.clear()
        if self._row_count(shown) != self._row_count(before):
            self.refresh(layout=True)
        elif scale != old_scale or changed:
            self.refresh()
        else:
            self._refresh_rows(before.lanes)
            self._refresh_columns(old_cursor, cursor)

    def _refresh_rows(self, before: tuple[Lane, ...]) -> None:
        top = self._row_count(self.shown) - len(self.shown.lanes)
        for n, (old, new) in enumerate(zip(before, self.shown.lanes, strict=True)):
            if old.name != new.name:
                self.refresh(Region(0, top + n, self.size.width, 1))

    def _refresh_columns(self, *times: float | None) -> None:
        if self.scale is not None and times[0] != times[1]:
            for time in times:
                if time is not None and self.scale.holds(time):
                    self.refresh(Region(LABEL_WIDTH + self.scale.column(time), 0, 1, self.size.height))

    @staticmethod
    def _row_count(shown: LaneData) -> int:
        return len(shown.clocks) + len(shown.stuck[:MAX_STUCK]) + len(shown.lanes)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A row per clock, per ghost bar, per lane."""
        return self._row_count(self.shown)

    def notify_style_update(self) -> None:
        """Forget what was drawn in another theme."""
        super().notify_style_update()
        self._styles.clear()
        self._look.clear()
        self._strips.clear()

    def on_click(self, event: events.Click) -> None:
        """A click picks a time."""
        if self.scale is not None and event.x >= LABEL_WIDTH:
            self.post_message(self.TimePicked(self.scale.time(event.x - LABEL_WIDTH)))

    def render_line(self, y: int) -> Strip:
        """One row."""
        width = self.size.width
        if self.scale is None or y >= self._row_count(self.shown):
            return Strip.blank(width, self._look.base)
        label, draw, content = self._row(y, self.scale)
        key = (label, self.scale, content)
        if key not in self._strips:
            words = label.replace("[", " ").rstrip("]")  # t[QvTbWmKe] in ten cells
            head = Segment(words[: LABEL_WIDTH - 1].ljust(LABEL_WIDTH), self._part("label"))
            self._strips[key] = Strip([head, *draw()])
        return self._with_cursor(self._strips[key], self.scale).adjust_cell_length(width, self._look.base)

    def _part(self, name: str) -> Style:
        if name not in self._styles:
            self._styles[name] = self.get_component_rich_style(f"lanes--{name}")
        return self._styles[name]

    def _row(self, y: int, scale: Scale) -> tuple[str, Callable[[], list[Segment]], str]:
        """Label, how the row is drawn, and what tells it from others with this label."""
        stuck, clocks = self.shown.stuck[:MAX_STUCK], self.shown.clocks
        if y < len(clocks):
            label, ahead = clocks[y]
            shifted = replace(scale, start=scale.start + ahead, end=scale.end + ahead)
            return label, lambda: [Segment(axis(shifted), self._part("axis"))], "clock"
        y -= len(clocks)
        if y < len(stuck):
            return "stuck", lambda: self._ghost(stuck[y], scale), str(y)
        lane = self.shown.lanes[y - len(stuck)]
        return lane.name, lambda: [Segment(text, self._part(name)) for text, name in lane_runs(lane, scale)], "lane"

    def _ghost(self, span: StuckSpan, scale: Scale) -> list[Segment]:
        first = max(scale.column(span.start), 0)
        last = min(scale.column(span.end), scale.width - 1)
        if last < 0 or first >= scale.width:
            return [Segment(" " * scale.width, self._look.base)]
        room = max(last - first - 1, 0)
        words = f" {span.op} #{span.seq} · {duration_text(span.end - span.start)} "
        short = f" {duration_text(span.end - span.start)} "
        text = words if len(words) <= room else short if len(short) <= room else ""
        drawn = ("├" if scale.column(span.start) >= 0 else "─") + text.center(room, "─") + "┤"
        return [
            Segment(" " * first, self._look.base),
            Segment(drawn[: scale.width - first], self._part("stuck")),
            Segment(" " * max(scale.width - first - len(drawn), 0), self._look.base),
        ]

    def _with_cursor(self, strip: Strip, scale: Scale) -> Strip:
        if self.cursor is None or not scale.holds(self.cursor):
            return strip
        at = LABEL_WIDTH + min(scale.column(self.cursor), scale.width - 1)
        cursor = strip.crop(at, at + 1).apply_style(self._part("cursor"))
        return Strip.join([strip.crop(0, at), cursor, strip.crop(at + 1)])
