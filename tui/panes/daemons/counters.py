"""The counters and disks of one daemon round the failure, a row each: sparklines, heat strips, numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.worker import get_current_worker

from logtui.tui.shared.timeline_scale import Scale
from logtui.tui.shared.wording import printable, shortened, time_text
from logtui.tui.widgets.row_list import Cells, RowList

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.diagnosis.storage.counters import FlagState
    from logtui.diagnosis.storage.daemon_view import DaemonView
    from logtui.diagnosis.storage.panels import Gauge, Panel, Step, UnreadKind
    from logtui.parsers.daemons.reread import DiskLoad

SPARKS = "▁▂▃▄▅▆▇█"
UNKNOWN, MEANWHILE = "·", "+"
"""No line speaks of this time; it grew somewhere in such a time."""
HEAT = ((15, "░"), (40, "▒"), (70, "▓"), (95, "█"))
"""Percent of busy time from which a glyph stands; below the first one a disk writes no line."""
TICK_S = 10.0
REQUESTS = {"getbatch.n": "batch", "get.n": "get", "put.n": "put"}
TIMES = 1.5
"""A rate that grew by less is not worth a factor."""
LEGEND = "▁▄█ growth  · no line  ░15 ▒40 ▓70 █95 % busy  n N other daemon  s files"

WIDE = 72
"""From here on there is room for rates; below, for the growth alone."""
FULL = 95
"""Percent of busy time from which a disk is at its limit."""
KEPT = 12
"""Panels kept; each is read from disk again after that."""


def _amount(counter: str, amount: float) -> str:
    from logtui.diagnosis.storage.counters import amount_text  # most jobs come without daemons

    return amount_text(counter, amount)


def spark(steps: Sequence[Step], scale: Scale) -> str:
    """A glyph per column: the fastest growth in it, against the fastest of all columns."""
    rates: list[float | None] = [None] * scale.width
    marked: set[int] = set()
    for step in steps:
        if step.end < scale.start or step.start > scale.start + scale.span:
            continue
        first, last = (scale.column(t) for t in (step.start, step.end))
        if step.idle:
            marked |= {last} if step.growth and last < scale.width else set()
            continue
        for column in range(max(first, 0), min(last, scale.width - 1) + 1):
            rates[column] = max(rates[column] or 0.0, step.per_s)
    most = max((r for r in rates if r), default=0.0)
    glyphs = [UNKNOWN if r is None else _spark(r, most) for r in rates]
    for column in marked:
        glyphs[column] = MEANWHILE if glyphs[column] == UNKNOWN else glyphs[column]
    return "".join(glyphs)


def _spark(rate: float, most: float) -> str:
    """Nothing has a glyph of its own: the least growth stands above it."""
    return SPARKS[0] if rate <= 0 else SPARKS[max(1, min(7, round(rate / most * 7)))]


def heat(loads: Sequence[DiskLoad], scale: Scale) -> str:
    """A glyph per column: the highest load in it."""
    busiest = [0] * scale.width
    for load in loads:
        # A line speaks of the ten seconds before it.
        for column in range(scale.column(load.time - TICK_S + 0.1), scale.column(load.time) + 1):
            if 0 <= column < scale.width:
                busiest[column] = max(busiest[column], load.busy)
    return "".join(_heat(busy) for busy in busiest)


def _heat(busy: int) -> str:
    return next((glyph for least, glyph in reversed(HEAT) if busy >= least), UNKNOWN)


def pieces(glyphs: str, style: str, window: tuple[int, int] | None, cursor: int | None) -> Iterable[tuple[str, str]]:
    """Glyphs as (text, style): what is loud in the failure, the cursor, the rest."""
    named = [(glyph, _style(glyph, n, style, window, cursor)) for n, glyph in enumerate(glyphs)]
    for ink, run in groupby(named, key=lambda pair: pair[1]):
        yield "".join(glyph for glyph, _ in run), ink


def _style(glyph: str, column: int, style: str, window: tuple[int, int] | None, cursor: int | None) -> str:
    if column == cursor:
        return "time"
    if glyph in (UNKNOWN, SPARKS[0]):
        return "gap"
    inside = window is not None and window[0] <= column <= window[1]
    return style or ("failing" if inside else "file")


def heat_pieces(glyphs: str, cursor: int | None) -> Iterable[tuple[str, str]]:
    """Glyphs of a heat strip as (text, style)."""
    inks = {"█": "error", "▓": "warning", UNKNOWN: "gap"}
    named = [(glyph, "time" if n == cursor else inks.get(glyph, "file")) for n, glyph in enumerate(glyphs)]
    for ink, run in groupby(named, key=lambda pair: pair[1]):
        yield "".join(glyph for glyph, _ in run), ink


def grown(gauge: Gauge) -> str:
    """`+7m33s`: over the failure window."""
    return f"+{_amount(gauge.name, gauge.move.delta.delta)}" if gauge.move and gauge.move.delta.delta else "–"


def rate(gauge: Gauge) -> str:
    """`6ms→778ms/batch ×136`: before the window and in it, per request where there were any."""
    if gauge.move is None or not (gauge.grew or gauge.move.base_rate):
        return ""
    against = gauge.against
    if against is not None and against.now is not None:
        then, now, unit = against.before or 0.0, against.now, REQUESTS.get(against.of, against.of)
    else:
        then, now, unit = gauge.move.base_rate, gauge.move.rate, "s"
    text = f"{_amount(gauge.name, then)}→{_amount(gauge.name, now)}/{unit}".replace(" ", "")
    return f"{text} ×{now / then:.0f}" if then and now / then >= TIMES else text


def counter_words(gauge: Gauge) -> str:
    """Everything about a counter in one line."""
    parts = [gauge.name]
    if gauge.move is not None:
        delta = gauge.move.delta
        parts[0] += f" {_amount(gauge.name, delta.before)} → {_amount(gauge.name, delta.after)}"
        marks = ((delta.resets, "reset"), (delta.restarts, "new process"))
        parts += [f"{rate(gauge)}", *(f"{n} {what}" for n, what in marks if n)]
    return " · ".join(part for part in (*parts, gauge.means) if part)


def disk_words(name: str, loads: Sequence[DiskLoad], time: float | None) -> str:
    """A disk at the time cursor, and when it was at its limit."""
    full = [load for load in loads if load.busy >= HEAT[-1][0]]
    here = next((x for x in loads if time is not None and 0 <= x.time - time < TICK_S), None)
    busy = f"{here.busy} % at the cursor" if here else f"less than {HEAT[0][0]} % at the cursor"
    if not full:
        return f"{name} · {busy} · never at its limit"
    return f"{name} · {busy} · at its limit {time_text(full[0].time)}–{time_text(full[-1].time)}, {len(full)} lines"


@dataclass(frozen=True, slots=True)
class Unread:
    """A row of warnings or errors that nothing reads."""

    kind: UnreadKind

    @property
    def words(self) -> str:
        """The template, and how often it was written."""
        kind = self.kind
        name = "errors" if kind.letter == "E" else "warnings"
        return f"{kind.template} · {kind.count} {name} that logtui does not know, {kind.in_window} in the failure"

    def cells(self, width: int) -> Cells:
        """`? E ×3 fshc: failed to read …`."""
        head = f"? {self.kind.letter} ×{self.kind.count} "
        loud = "error" if self.kind.letter == "E" else "warning"
        style = loud if self.kind.in_window else "dim"
        return [(head, style), (shortened(printable(self.kind.template), max(width - len(head), 1)), style)]


if TYPE_CHECKING:
    Line = Gauge | Unread | tuple[str, tuple[DiskLoad, ...]] | str


class DaemonCounters(RowList):
    """Sparklines of what moved, errors first, and a heat strip per disk."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "row-list--file", "row-list--failing", "row-list--gap", "row-list--time",
    }  # fmt: skip

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Line", id="counters.open", tooltip="The stats or disk line at the time cursor"),
    ]

    @dataclass
    class Loaded(Message):
        """A daemon's counters are read."""

        of: DaemonView
        panel: Panel

    @dataclass
    class Shown(Message):
        """Other counters are drawn, or another row is under the cursor."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.panel: Panel | None = None
        self.scale: Scale | None = None
        self.time: float | None = None
        self._lines: tuple[Line, ...] = ()
        self._window: tuple[float, float] | None = None
        self._daemons: DaemonView | None = None
        self._kept: dict[tuple[int, int], Panel] = {}

    @property
    def indent(self) -> int:
        """Columns before those that stand for time."""
        return 21 if self._width >= WIDE else 16

    @property
    def columns(self) -> int:
        """Columns that stand for time."""
        return max(self._width - self.indent - self._tail, 1)

    @property
    def _width(self) -> int:
        return self.scrollable_content_region.width

    @property
    def _tail(self) -> int:
        return 36 if self._width >= 110 else 30 if self._width >= WIDE else 8

    def show(
        self,
        daemons: DaemonView,
        daemon: int,
        scale: Scale,
        time: float | None,
        window: tuple[float, float] | None,
    ) -> None:
        """Draw a daemon's counters over a time; what is not read yet appears when it is."""
        if daemons is not self._daemons:
            self._daemons, self._kept = daemons, {}
        self.scale, self.time, self._window = scale, time, window
        known = self._kept.get((id(daemons), daemon))
        if known is not None and known.start <= scale.start and known.end >= scale.end:
            self._take(known)
            return
        if self.panel is not None and self.panel.daemon != daemon:
            self.panel, self._lines = None, ("reading …",)
            self.show_rows(1)
        self.load(daemons, daemon, scale.start, scale.end)

    @work(thread=True, exclusive=True, exit_on_error=False, group="counters", name="read-counters", description="-")
    def load(self, daemons: DaemonView, daemon: int, start: float, end: float) -> None:
        """Read a daemon's counters; its files are large, and some lie in archives."""
        first, last = daemons.span
        read = daemons.panel(daemon, min(start, first), max(end, last))
        if not get_current_worker().is_cancelled:
            self.post_message(self.Loaded(daemons, read))

    def on_daemon_counters_loaded(self, message: Loaded) -> None:
        """Keep and draw them."""
        message.stop()
        if message.of is not self._daemons:
            return
        while len(self._kept) >= KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[id(message.of), message.panel.daemon] = message.panel
        self._take(message.panel)

    def _take(self, panel: Panel) -> None:
        if panel is not self.panel:
            self.panel, self._lines = panel, _lines(panel)
        self.show_rows(len(self._lines))
        self.post_message(self.Shown())

    @property
    def words(self) -> str:
        """The row under the cursor in words."""
        line = self._lines[self.cursor] if self.cursor < len(self._lines) else ""
        if isinstance(line, str):
            return _flag_words(self.panel.flags) if self.cursor == 0 and self.panel and self.panel.flags else LEGEND
        if isinstance(line, Unread):
            return line.words
        return disk_words(*line, self.time) if isinstance(line, tuple) else counter_words(line)

    def place(self, row: int) -> tuple[int, int] | None:
        """(file, line) that a row rests on at the time cursor."""
        line = self._lines[row] if row < len(self._lines) else ""
        if isinstance(line, str):
            return None
        if isinstance(line, tuple):
            load = min(line[1], key=lambda x: abs(x.time - (self.time or 0.0)))
            return load.file, load.line
        if isinstance(line, Unread):
            return line.kind.file, line.kind.line
        after = [s for s in line.steps if self.time is not None and s.end >= self.time]
        step = after[0] if after else max(line.steps, key=lambda s: s.per_s)
        return step.file, step.line

    def cells(self, row: int, width: int) -> Cells:
        """`getbatch.rxwait.ns   ▁▁▁▁▁▁▁▂▇█▇▁   +7m33s 6ms→778ms/batch ×136`."""
        line, scale = self._lines[row], self.scale
        if isinstance(line, str) or scale is None:
            return [(str(line), "bold" if row == 0 else "dim")]
        if isinstance(line, Unread):
            return line.cells(width)
        cursor = scale.column(self.time) if scale.holds(self.time) and self.time is not None else None
        if isinstance(line, tuple):
            head = shortened(line[0], self.indent - 1).ljust(self.indent)
            busiest = max((x.busy for x in line[1] if _inside(x.time, self._window)), default=0)
            tail = f"{busiest:>6} %" if self._tail == 8 else f"{busiest:>8} % at most"
            return [
                (head, "dim"),
                *heat_pieces(heat(line[1], scale), cursor),
                (tail, "error" if busiest >= FULL else "dim"),
            ]
        head = shortened(line.name, self.indent - 1).ljust(self.indent)
        loud = "error" if line.error and line.grew else ""
        drawn = pieces(spark(line.steps, scale), loud, self._columns_of_window(scale), cursor)
        tail = f"{grown(line):>9}" if self._tail > 8 else f"{grown(line):>8}"
        rates = f" {rate(line)}" if self._tail > 8 else ""
        return [(head, loud or "bold"), *drawn, (tail, loud or "bold"), (rates, loud or "dim")]

    def _columns_of_window(self, scale: Scale) -> tuple[int, int] | None:
        return (scale.column(self._window[0]), scale.column(self._window[1])) if self._window else None


def _inside(time: float, window: tuple[float, float] | None) -> bool:
    return window is None or window[0] <= time <= window[1]


def _lines(panel: Panel) -> tuple[Line, ...]:
    """Flags, errors and waits, full disks; then what nothing reads, work done, what stood still, other disks."""
    if not panel.lines and not panel.disks:
        return ("no stats line: an idle daemon prints none", *map(Unread, panel.unread))
    names = ", ".join(dict.fromkeys(n for f in panel.flags for n in f.names))
    alert = "▲ " if any(f.red for f in panel.flags) else ""
    still = f"{len(panel.still)} error counters stand still: {', '.join(panel.still)}"
    flags = f"{alert}state.flags: {names}" if names else "state.flags: normal"
    full = {name for name, loads in panel.disks if any(load.busy >= FULL for load in loads)}
    telling = [g for g in panel.gauges if g.error or g.waits]
    return (
        flags, *telling, *(d for d in panel.disks if d[0] in full), *map(Unread, panel.unread),
        *(g for g in panel.gauges if g not in telling),
        *((still,) if panel.still else ()), *(d for d in panel.disks if d[0] not in full),
    )  # fmt: skip


def _flag_words(flags: tuple[FlagState, ...]) -> str:
    return " · ".join(f"{time_text(f.time)} {f.flags} {', '.join(f.names) or 'normal'}" for f in flags)
