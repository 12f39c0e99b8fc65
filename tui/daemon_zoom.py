"""Which part of the time axis the daemons' pane shows, and where its time cursor goes."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.tui.timeline_scale import Scale


@dataclass
class DaemonZoom:
    """Times are the workers' clock."""

    span: tuple[float, float] | None = None
    """What the user zoomed to; None for all of it."""

    def scale(self, whole: tuple[float, float], time: float | None, columns: int) -> Scale:
        """The axis; one that was zoomed moves along until the time cursor is on it."""
        scale = Scale(*(self.span or whole), columns)
        return scale.showing(time) if self.span is not None and time is not None else scale

    def zoom(self, scale: Scale, time: float | None, factor: float) -> None:
        """Show that many times as much, round the time cursor where it is in sight."""
        around = time if time is not None and scale.holds(time) else scale.start + scale.span / 2
        zoomed = scale.zoomed(factor, around)
        self.span = zoomed.start, zoomed.end

    def stepped(self, scale: Scale, time: float | None, window: tuple[float, float] | None, columns: int) -> float:
        """The time some columns on; it leaves the axis only where that moves along."""
        now = time if time is not None else (window or (scale.start,))[0]
        column = scale.column(now) + columns
        return scale.time(column if self.span is not None else max(0, min(column, scale.width - 1)))
