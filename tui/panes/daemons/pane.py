"""The daemon file picker: which file of which storage daemon speaks of the time under the cursor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import get_current_worker

from logtui.tui.panes.daemons.bars import BLAMED, LEGEND, DaemonAxis, DaemonFiles, DaemonRows, Shown, failure_span
from logtui.tui.panes.daemons.counters import DaemonCounters
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.messages import LineChosen, TimeChosen
from logtui.tui.shared.selection import Selection
from logtui.tui.shared.timeline_scale import Scale
from logtui.tui.shared.wording import count_text, printable, time_text
from logtui.tui.widgets.pane import Pane, PaneRow
from logtui.tui.widgets.row_list import RowList

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.diagnosis.storage.daemon_view import DaemonView
    from logtui.diagnosis.storage.panels import Bar
    from logtui.diagnosis.storage.suspects import Link


def legend() -> Content:
    """What the glyphs mean."""
    return Content("  ").join([Content(f"{glyph} {words}".replace(" ", "\xa0")) for glyph, words in LEGEND])


def note(shown: Shown, daemons: DaemonView) -> str:
    """Both clocks where they differ, how many files are listed."""
    total = sum(len(row.bars) for row in shown.picker.rows)
    listed = sum(len(shown.bars(row)) for row in shown.picker.rows)
    files = f"{listed} of {count_text(total, 'file')} cover the failure" if shown.narrow else count_text(total, "file")
    shift = daemons.shift
    clocks = ""
    if daemons.offset_s is None:
        clocks = "clocks not aligned · "
    elif shift and shown.time is not None:
        clocks = f"AIS {time_text(shown.time - shift)} · workers {time_text(shown.time)} · "
    return f"{clocks}{files} · {count_text(len(shown.picker.rows), 'daemon')}"


def begins(bar: Bar) -> str:
    """Why the first line of a file is shown."""
    return f"{bar.name.rpartition('/')[2]} begins"


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


class DaemonLineFinder(Widget):
    """Nothing to see: what it finds goes to the screen."""

    DEFAULT_CSS = "DaemonLineFinder { display: none; }"

    @dataclass
    class Located(Message):
        """The line of a daemon at a time was found; None where its files hold nothing near."""

        label: str
        time: float
        place: tuple[str, int] | None
        opened: bool

    @work(thread=True, exclusive=True, exit_on_error=False, group="daemon-line", name="find-line", description="-")
    def find_line(self, daemons: DaemonView, daemon: int, label: str, time: float, opened: bool) -> None:
        """Read the daemon's records round a time; the files are large, and some lie in archives."""
        found = daemons.line_at(daemon, time)
        place = (daemons.files[found[0]], found[1]) if found else None
        if not get_current_worker().is_cancelled:
            self.post_message(self.Located(label, time, place, opened))

    def on_daemon_line_finder_located(self, message: Located) -> None:
        """Show the line; the time cursor stays where the user put it."""
        message.stop()
        if message.place is not None:
            file, line = message.place
            why = f"{message.label} at {time_text(message.time).strip()}"
            self.post_message(LineChosen(file, line, why=why, step=not message.opened, opened=message.opened))
        elif message.opened:
            self.notify(f"{message.label}: no record near this time", severity="warning", markup=False)


HELP = """\
## Daemon files

A row per AIStore daemon, `◆` before those that the verdict names, and a bar per log file on the workers' clock.
Below them every file of the daemon under the cursor, with its first and last time and what they derive from.

- `█` the file that covers the time cursor · `▄` other files, `▗` where one begins · `╎` a new process
- `╱` rotated away · `╲` not collected · `┄` the daemon was down · `░` the failure, where no file covers it

**left** / **right** move the time cursor · **up** / **down** daemons, and their line at that time is shown ·
**enter** opens it · **f** only files that cover the failure, and back · **+** / **-** / **0** zoom ·
**tab** to the list of files

**s** counters and disks of the daemon instead of its files, and back: sparklines (`·` where no line speaks, `+` grew
meanwhile), errors and waits first, with their growth in the failure window and their rate before → in it, per request
where there were any; `?` warnings and errors that logtui does not know, by template, which **enter** opens; a heat
strip per disk, `░` 15 `▒` 40 `▓` 70 `█` 95 % busy. **n** / **N** another daemon ·
**enter** opens the stats or disk line at the time cursor

**M** on a worker's line, then **M** on the daemon's line of the same event (or the other way round) sets the daemons'
clock by them; **M** on either takes it back
"""


class DaemonPane(Pane):
    """Daemons above, the files of the one under the cursor below."""

    HELP_TEXT = HELP
    STYLES_BELOW = True

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "time(-1)", "Earlier", show=False, id="daemons.earlier"),
        Binding("right,l", "time(1)", "Later", show=False, id="daemons.later"),
        Binding("f", "narrow", "Failure", id="daemons.narrow", tooltip="Only files that cover the failure"),
        Binding("plus,equals_sign", "zoom(0.5)", "Zoom in", show=False, id="daemons.zoom-in"),
        Binding("minus", "zoom(2)", "Zoom out", show=False, id="daemons.zoom-out"),
        Binding("0", "whole", "All of the time", show=False, id="daemons.whole"),
        Binding("s", "count", "Counters", id="daemons.counters", tooltip="Counters and disks, or files"),
        Binding("n", "daemon(1)", "Next daemon", show=False, id="daemons.next"),
        Binding("N", "daemon(-1)", "Previous daemon", show=False, id="daemons.previous"),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.shown: Shown | None = None
        self._zoom = DaemonZoom()
        self._row_chosen = False
        self._link: Link | None = None
        """What a daemon says to the client's line that is selected."""

    def compose_pane(self) -> ComposeResult:
        """Axis, daemons, files, what the glyphs mean."""
        yield DaemonAxis(id="daemon-axis")
        yield DaemonRows(id="daemon-rows")
        yield DaemonFiles(id="daemon-files")
        yield DaemonCounters(id="daemon-counters")
        yield Static(legend(), id="daemon-legend", markup=False)
        yield DaemonLineFinder(id="daemon-line-finder")

    @property
    def rows(self) -> DaemonRows:
        """The daemons."""
        return self.query_one(DaemonRows)

    @property
    def files(self) -> DaemonFiles:
        """The files of one daemon."""
        return self.query_one(DaemonFiles)

    @property
    def counters(self) -> DaemonCounters:
        """The counters of one daemon."""
        return self.query_one(DaemonCounters)

    @property
    def counting(self) -> bool:
        """Whether counters are shown instead of files."""
        return self.counters.display

    @property
    def _daemons(self) -> DaemonView | None:
        return self.view.daemons if self.view else None

    def watch_view(self, view: CaseView | None) -> None:
        """Lay out a newer reading; the cursor starts on the daemon that the verdict names."""
        daemons = view.daemons if view else None
        if daemons is None:
            self.shown = None
            return
        laid = daemons.picker
        narrow = self.shown.narrow if self.shown else False
        self.shown = Shown(laid, self.selection.time, narrow, self.selection.file) if laid else None
        self.rows.blamed = frozenset(daemons.blamed)
        if laid is not None:
            self.rows.count(len(laid.rows))
            if not self._row_chosen:
                labels = [row.label for row in laid.rows]
                self.rows.move_to(next((n for n, label in enumerate(labels) if label in self.rows.blamed), 0))
        self._draw()

    def watch_selection(self, selection: Selection) -> None:
        """The time cursor follows the selection; on a daemon's line that daemon is shown, on a client's the one that
        served it.

        Where only the time says which that was, or it was to gather what others have, the daemon that the verdict names
        stays.
        """
        if self.shown is None or self._daemons is None:
            return
        self.shown = replace(self.shown, time=selection.time, file=selection.file)
        self._link = next((k for k in self._daemons.links if k.client.place == selection.place), None)
        told_loosely = self._link is not None and self._link.how in ("same second", "batch") and bool(self.rows.blamed)
        if self._link is not None and not told_loosely:
            labels = [row.label for row in self.shown.picker.rows]
            self.rows.move_to(labels.index(self._link.daemon) if self._link.daemon in labels else self.rows.cursor)
        elif self._link is None and selection.file is not None:
            files = ({bar.name for bar in row.bars} for row in self.shown.picker.rows)
            self.rows.move_to(next((n for n, names in enumerate(files) if selection.file in names), self.rows.cursor))
        self._draw()

    def on_resize(self) -> None:
        """Columns follow the width."""
        self._draw()

    def _scale(self, shown: Shown) -> Scale:
        columns = self.counters.columns if self.counting else self.rows.columns
        return self._zoom.scale(self._whole(shown), shown.time, columns)

    def _whole(self, shown: Shown) -> tuple[float, float]:
        """All that the files cover; for counters the failure, with the time that it is compared with."""
        if not self.counting or self._daemons is None:
            return shown.picker.start, shown.picker.end
        return self._daemons.span

    def _draw(self) -> None:
        shown, daemons = self.shown, self._daemons
        if shown is None or daemons is None or not self.size:
            return
        scale = self._scale(shown)
        self.heading.note = note(shown, daemons)
        if self.counting:
            row = shown.picker.rows[self.rows.cursor]
            mark = BLAMED if row.label in self.rows.blamed else " "
            self.query_one(DaemonAxis).show(shown, scale, self.counters.indent, f"{mark} {printable(row.label)}")
            self.counters.show(daemons, row.daemon, scale, shown.time, shown.picker.window)
            return
        self.query_one(DaemonAxis).show(shown, scale)
        self.rows.show(shown, scale)
        row = shown.picker.rows[self.rows.cursor]
        self.files.show(shown.bars(row), shown.at_cursor(self.rows.cursor))

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Another daemon, or another of its files; Enter opens it."""
        message.stop()
        if self.counting:
            self._to_counter(message.opened)
        elif self.files.has_focus:
            self._to_file(self.files.bars[message.row], message.opened)
        else:
            self._row_chosen = True
            self._draw()
            self._look_up(message.opened)

    def _to_file(self, bar: Bar, opened: bool) -> None:
        """A file is shown at the time cursor where it covers that, else from its first line."""
        time = self.shown.time if self.shown else None
        covers = time is not None and bar.start is not None and bar.end is not None and bar.start <= time <= bar.end
        if covers and not bar.duplicate_of and bar.level == "INFO":
            self._look_up(opened)
            return
        moment = bar.start if not covers else None
        self.post_message(LineChosen(bar.name, bar.line, None, moment, begins(bar), step=not opened, opened=opened))

    def action_time(self, direction: int) -> None:
        """The time cursor moves by a column; every daemon's file at that time is marked."""
        if self.shown is not None:
            window = self.shown.picker.window
            to = self._zoom.stepped(self._scale(self.shown), self.shown.time, window, direction)
            self.shown = replace(self.shown, time=to)
            self.post_message(TimeChosen(to))
            if self.counting:
                self._draw()
                self._to_counter(opened=False)
            else:
                self._look_up(opened=False)

    def _to_counter(self, opened: bool) -> None:
        """The stats or disk line of the row under the cursor, at the time cursor."""
        daemons, place = self._daemons, self.counters.place(self.counters.cursor)
        self.on_daemon_counters_shown()
        if place is None:
            self._look_up(opened)
        elif daemons is not None:
            file, line = daemons.files[place[0]], place[1]
            why = self.counters.words.partition(" · ")[0]
            self.post_message(LineChosen(file, line, why=why, step=not opened, opened=opened))

    def on_daemon_counters_shown(self) -> None:
        """The row under the cursor in words, where the glyphs are told otherwise."""
        if not self.counting:
            return
        self.query_one("#daemon-legend", Static).update(Content(printable(self.counters.words)))
        if self.counters.scale is not None and self.counters.scale.width != self.counters.columns:
            self.call_after_refresh(self._draw)  # the rows took or gave back the place of their scrollbar

    def action_count(self) -> None:
        """Counters and disks of the daemon under the cursor, or its files."""
        self._show_counters(not self.counting)
        self._zoom.span = None
        if not self.counting:
            self.query_one("#daemon-legend", Static).update(legend())
        self.call_after_refresh(self._draw)

    def _show_counters(self, counting: bool) -> None:
        """Not by a class of the pane: with that, everything in it would be styled anew."""
        comes, goes = (self.counters, self.rows) if counting else (self.rows, self.counters)
        comes.display = True
        self.screen.set_focus(comes)  # what is hidden gives the focus away
        goes.display, self.files.display = False, not counting
        self.query_one("#daemon-legend").set_class(counting, "-counting")

    def action_daemon(self, step: int) -> None:
        """The next or previous daemon, at the same time."""
        if self.shown is None:
            return
        self.rows.move_to((self.rows.cursor + step) % len(self.shown.picker.rows))
        self._row_chosen = True
        self._draw()
        if not self.counting:
            self._look_up(opened=False)

    def action_narrow(self) -> None:
        """Only the files that cover the failure, and back."""
        if self.shown is not None:
            self.shown = replace(self.shown, narrow=not self.shown.narrow)
            self._zoom.span = failure_span(self.shown.picker) if self.shown.narrow else None
            self._draw()

    def action_zoom(self, factor: float) -> None:
        """A narrower or wider axis round the time cursor."""
        if self.shown is not None:
            self._zoom.zoom(self._scale(self.shown), self.shown.time, factor)
            self._draw()

    def action_whole(self) -> None:
        """The whole time axis."""
        self._zoom.span = None
        self._draw()

    def _look_up(self, opened: bool) -> None:
        """Show the daemon's line at the time cursor; opened from a client's line that it answers, the answer."""
        daemons, shown, link = self._daemons, self.shown, self._link
        if daemons is None or shown is None or not shown.picker.rows:
            return
        row = shown.picker.rows[self.rows.cursor]
        if opened and link is not None and link.server is not None and link.daemon == row.label:
            why = f"{row.label}: same {link.how.removeprefix('same ')}"
            self.post_message(LineChosen(link.server.file, link.server.line, None, link.server.time, why, opened=True))
            return
        time = shown.time if shown.time is not None else (shown.picker.window or (shown.picker.end,))[0]
        self.query_one(DaemonLineFinder).find_line(daemons, row.daemon, row.label, time, opened)


PANE = PaneRow(
    "daemons", DaemonPane, key=6,
    needs=lambda view: view.daemons is not None, absent="no logs of storage daemons were given",
)  # fmt: skip
