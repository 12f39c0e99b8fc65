"""Lanes of events over time: density by severity, and a ghost bar for each collective that hung."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from logtui.diagnosis.report import TimelineEvent
from logtui.tui.stuck import StuckSpan
from logtui.tui.timeline_scale import SEVERITIES, Scale, axis, bar, loudness
from logtui.tui.wording import duration_text

LABEL_WIDTH = 10
STRIPS_KEPT = 256
MAX_STUCK = 2
"""Ghost bars shown; the rest is in the list below."""


Lanes = tuple[tuple[str, tuple[TimelineEvent, ...]], ...]
"""Name and events of each lane, from the top."""


@dataclass(frozen=True)
class LaneData:
    """What the lanes show."""

    lanes: Lanes = ()
    stuck: tuple[StuckSpan, ...] = field(default=())


class TimelineLanes(Widget):
    """A row of times, the ghost bars, then a lane per source. Drawn from what it is given; takes no focus."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "lanes--label",
        "lanes--axis",
        "lanes--empty",
        "lanes--stuck",
        "lanes--cursor",
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
        self._strips: dict[tuple[str, Scale, int], Strip] = {}

    @property
    def columns(self) -> int:
        """Columns that stand for time."""
        return max(self.size.width - LABEL_WIDTH, 1)

    def show(self, shown: LaneData, scale: Scale | None, cursor: float | None) -> None:
        """Draw these lanes in this window; only what differs from before is sent to the terminal."""
        before, old_scale, old_cursor = self.shown, self.scale, self.cursor
        self.shown, self.scale, self.cursor = shown, scale, cursor
        if len(self._strips) > STRIPS_KEPT or shown.stuck != before.stuck:
            self._strips.clear()
        if self._row_count(shown) != self._row_count(before):
            self.refresh(layout=True)
        elif scale != old_scale or shown.stuck != before.stuck:
            self.refresh()
        else:
            self._refresh_rows(before.lanes)
            self._refresh_columns(old_cursor, cursor)

    def _refresh_rows(self, before: Lanes) -> None:
        top = 1 + len(self.shown.stuck[:MAX_STUCK])
        for n, (old, new) in enumerate(zip(before, self.shown.lanes, strict=True)):
            if old[0] != new[0] or old[1] is not new[1]:
                self.refresh(Region(0, top + n, self.size.width, 1))

    def _refresh_columns(self, *times: float | None) -> None:
        if self.scale is not None and times[0] != times[1]:
            for time in times:
                if time is not None and self.scale.holds(time):
                    self.refresh(Region(LABEL_WIDTH + self.scale.column(time), 0, 1, self.size.height))

    @staticmethod
    def _row_count(shown: LaneData) -> int:
        return 1 + len(shown.stuck[:MAX_STUCK]) + len(shown.lanes)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A row for the times, one per ghost bar, one per lane."""
        return self._row_count(self.shown)

    def notify_style_update(self) -> None:
        """Forget what was drawn in another theme."""
        super().notify_style_update()
        self._strips.clear()

    def on_click(self, event: events.Click) -> None:
        """A click picks a time."""
        if self.scale is not None and event.x >= LABEL_WIDTH:
            self.post_message(self.TimePicked(self.scale.time(event.x - LABEL_WIDTH)))

    def render_line(self, y: int) -> Strip:
        """One row."""
        width = self.size.width
        if self.scale is None or y >= self._row_count(self.shown):
            return Strip.blank(width, self.rich_style)
        label, draw, content = self._row(y, self.scale)
        key = (label, self.scale, content)
        if key not in self._strips:
            head = Segment(label[: LABEL_WIDTH - 1].ljust(LABEL_WIDTH), self._part("label"))
            self._strips[key] = Strip([head, *draw()])
        return self._with_cursor(self._strips[key], self.scale).adjust_cell_length(width, self.rich_style)

    def _part(self, name: str) -> Style:
        return self.get_component_rich_style(f"lanes--{name}")

    def _row(self, y: int, scale: Scale) -> tuple[str, Callable[[], list[Segment]], int]:
        """Label, how the row is drawn, and what tells its content from that of others with this label."""
        stuck = self.shown.stuck[:MAX_STUCK]
        if y == 0:
            return "", lambda: [Segment(axis(scale), self._part("axis"))], 0
        if y <= len(stuck):
            return "stuck", lambda: self._ghost(stuck[y - 1], scale), y
        name, lane = self.shown.lanes[y - 1 - len(stuck)]
        return name, lambda: self._lane(lane, scale), len(lane)

    def _ghost(self, span: StuckSpan, scale: Scale) -> list[Segment]:
        first = max(scale.column(span.start), 0)
        last = min(scale.column(span.end), scale.width - 1)
        if last < 0 or first >= scale.width:
            return [Segment(" " * scale.width, self.rich_style)]
        room = max(last - first - 1, 0)
        words = f" {span.op} #{span.seq} · {duration_text(span.end - span.start)} "
        short = f" {duration_text(span.end - span.start)} "
        text = words if len(words) <= room else short if len(short) <= room else ""
        drawn = ("├" if scale.column(span.start) >= 0 else "─") + text.center(room, "─") + "┤"
        return [
            Segment(" " * first, self.rich_style),
            Segment(drawn[: scale.width - first], self._part("stuck")),
            Segment(" " * max(scale.width - first - len(drawn), 0), self.rich_style),
        ]

    def _lane(self, lane: Sequence[TimelineEvent], scale: Scale) -> list[Segment]:
        columns = loudness(lane, scale)
        most = max((count for count, _ in columns), default=0)
        drawn = [(bar(count, worst, most), worst) for count, worst in columns]
        runs = groupby(drawn, key=lambda cell: cell[1])
        return [
            Segment("".join(glyph for glyph, _ in run), self._part("empty" if worst < 0 else SEVERITIES[worst]))
            for worst, run in runs
        ]

    def _with_cursor(self, strip: Strip, scale: Scale) -> Strip:
        if self.cursor is None or not scale.holds(self.cursor):
            return strip
        at = LABEL_WIDTH + min(scale.column(self.cursor), scale.width - 1)
        cursor = strip.crop(at, at + 1).apply_style(self._part("cursor"))
        return Strip.join([strip.crop(0, at), cursor, strip.crop(at + 1)])
