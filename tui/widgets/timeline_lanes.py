"""Lanes of events over time: density by severity, and a ghost bar for each collective that hung."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from logtui.tui.component_styles import ComponentStyles
from logtui.tui.lane_cells import Lane, lane_runs
from logtui.tui.stuck import StuckSpan
from logtui.tui.timeline_scale import SEVERITIES, Scale, axis
from logtui.tui.wording import duration_text

LABEL_WIDTH = 11
STRIPS_KEPT = 256
MAX_STUCK = 2
"""Ghost bars shown; the rest is in the list below."""


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
