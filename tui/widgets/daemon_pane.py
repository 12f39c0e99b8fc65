"""The daemon file picker: which file of which storage daemon speaks of the time under the cursor."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from logtui.tui import help_texts
from logtui.tui.case_view import CaseView
from logtui.tui.daemon_bars import Shown, failure_span
from logtui.tui.daemon_words import begins, legend, note
from logtui.tui.daemon_zoom import DaemonZoom
from logtui.tui.messages import LineChosen, TimeChosen
from logtui.tui.printable import printable
from logtui.tui.selection import Selection
from logtui.tui.timeline_scale import Scale
from logtui.tui.widgets.daemon_counters import DaemonCounters
from logtui.tui.widgets.daemon_files import DaemonFiles
from logtui.tui.widgets.daemon_line_finder import DaemonLineFinder
from logtui.tui.widgets.daemon_rows import BLAMED, DaemonAxis, DaemonRows
from logtui.tui.widgets.pane import Pane
from logtui.tui.widgets.row_list import RowList

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.diagnosis.storage.daemon_view import DaemonView
    from logtui.diagnosis.storage.panels import Bar
    from logtui.diagnosis.storage.suspects import Link


class DaemonPane(Pane):
    """Daemons above, the files of the one under the cursor below."""

    HELP_TEXT = help_texts.DAEMONS
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
        """The time cursor follows the selection; on a client's line, the daemon that served it is the one shown."""
        if self.shown is None or self._daemons is None:
            return
        self.shown = replace(self.shown, time=selection.time, file=selection.file)
        self._link = next((k for k in self._daemons.links if k.client.place == selection.place), None)
        if self._link is not None:
            labels = [row.label for row in self.shown.picker.rows]
            self.rows.move_to(labels.index(self._link.daemon) if self._link.daemon in labels else self.rows.cursor)
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
            why = self.counters.told.partition(" · ")[0]
            self.post_message(LineChosen(file, line, why=why, step=not opened, opened=opened))

    def on_daemon_counters_shown(self) -> None:
        """The row under the cursor in words, where the glyphs are told otherwise."""
        if not self.counting:
            return
        self.query_one("#daemon-legend", Static).update(Content(printable(self.counters.told)))
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
