"""The daemons, a row each: the axis above, the bars of their files below."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from logtui.tui.component_styles import ComponentStyles
from logtui.tui.daemon_bars import Shown, bracket, columns, runs, window_columns
from logtui.tui.printable import printable
from logtui.tui.timeline_scale import Scale, axis
from logtui.tui.widgets.row_list import Cells, RowList
from logtui.tui.wording import shortened

LABEL_WIDTH = 14
BLAMED = "◆"
"""Before the daemons that the verdict names."""


class DaemonAxis(Widget):
    """Times along the top, and where the failure lies."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"daemon-axis--times", "daemon-axis--window", "daemon-axis--head"}

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: Shown | None = None
        self._scale: Scale | None = None
        self._indent, self._head = LABEL_WIDTH, ""
        self._look = ComponentStyles(self, "daemon-axis")

    def show(self, shown: Shown, scale: Scale, indent: int = LABEL_WIDTH, head: str = "") -> None:
        """Draw this axis from a column on; `head` stands to the left of it."""
        drawn = (self._shown and self._shown.picker.window, self._scale, self._indent, self._head)
        if (shown.picker.window, scale, indent, head) != drawn:
            self._shown, self._scale, self._indent, self._head = shown, scale, indent, head
            self.refresh()

    def notify_style_update(self) -> None:
        """Forget the styles of another theme."""
        super().notify_style_update()
        self._look.clear()

    def render_line(self, y: int) -> Strip:
        """Times, then the failure."""
        width, base = self.size.width, self._look.base
        if self._shown is None or self._scale is None or y > 1:
            return Strip.blank(width, base)
        window = window_columns(self._shown, self._scale)
        text = axis(self._scale) if y == 0 else bracket(window, self._scale.width)
        ink = self._look.ink("times" if y == 0 else "window")
        drawn = text.lstrip()  # blanks by themselves: pictures of the screen stretch what begins with them
        head = shortened(self._head, self._indent) if y == 0 else ""
        blank = " " * (self._indent + len(text) - len(drawn) - len(head))
        named = [Segment(head, base + self._look.ink("head"))] if head else []
        segments = [*named, Segment(blank, base), Segment(drawn.rstrip(), base + ink)]
        return Strip(segments).adjust_cell_length(width, base)


class DaemonRows(RowList):
    """One row per daemon."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "row-list--file", "row-list--chosen", "row-list--failing", "row-list--restart", "row-list--gap",
        "row-list--window", "row-list--time",
    }  # fmt: skip

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Line", id="daemons.open", tooltip="The daemon's line at this time"),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.shown: Shown | None = None
        self.scale: Scale | None = None
        self.blamed: frozenset[str] = frozenset()

    @property
    def columns(self) -> int:
        """Columns that stand for time."""
        return max(self.scrollable_content_region.width - LABEL_WIDTH, 1)

    def count(self, daemons: int) -> None:
        """So many rows: known, and the cursor moved in them, before there is room to draw any."""
        if daemons != self.row_count:
            self.show_rows(daemons)
            self.refresh(layout=True)

    def show(self, shown: Shown, scale: Scale) -> None:
        """Draw these rows on this axis."""
        if (shown, scale) != (self.shown, self.scale):
            self.shown, self.scale = shown, scale
            self.show_rows(len(shown.picker.rows))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as there are daemons, where there is room."""
        return self.row_count

    def cells(self, row: int, width: int) -> Cells:
        """`◆ t[QvTbWmKe] ▗▄▄██████`."""
        if self.shown is None or self.scale is None:
            return []
        label = printable(self.shown.picker.rows[row].label)
        mark = BLAMED if label in self.blamed else " "
        time = self.shown.time
        cursor = self.scale.column(time) if time is not None and self.scale.holds(time) else None
        glyphs = columns(self.shown, row, self.scale)
        head = shortened(label, LABEL_WIDTH - 3).ljust(LABEL_WIDTH - 2)
        window = window_columns(self.shown, self.scale)
        return [(f"{mark} ", "error"), (head, "bold"), *runs(glyphs, 0, window, cursor)]
