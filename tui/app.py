"""The app: reads in the background, hands reports to the screen, and does what reaches outside the terminal."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.message import Message
from textual.notifications import SeverityLevel
from textual.worker import Worker, WorkerState, get_current_worker

from logtui.parsers.directories import config_file, state_directory
from logtui.parsers.errors import LogtuiError, PathMissing
from logtui.tui.clipboard import is_in_tmux, to_tmux
from logtui.tui.garbage import spare_frames, tidy_when_idle
from logtui.tui.lean_output import lean_driver
from logtui.tui.lost_terminal import losable
from logtui.tui.process_start import ensure_tracker, prepare_processes
from logtui.tui.read_again import (
    GrowthWatch,
    Looked,
    Reader,
    quietly,
    revised,
    session_reader,
)
from logtui.tui.screens.case_screen import CaseScreen
from logtui.tui.screens.clock_link import ClockLink
from logtui.tui.screens.commands import CaseCommands, bound
from logtui.tui.settings import Settings, dress, is_first_run, read_settings, settle
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.looks import VARIABLES
from logtui.tui.told_to_end import app_ending_in_order
from logtui.tui.widgets.frame import FIRST_RUN, Breadcrumb

if TYPE_CHECKING:
    from logtui.diagnosis.model.evidence import MarkedLine
    from logtui.diagnosis.model.report import Report
    from logtui.diagnosis.options import Options
    from logtui.diagnosis.report.kept.lookahead import Lookahead
    from logtui.diagnosis.session.opening import Analysis, Update
    from logtui.tui.screens.export import Kind

APP_KEYS: list[BindingType] = [
    Binding(
        "ctrl+r", "read_again", "Read again", show=False, id="app.read-again",
        tooltip="What was written to the logs since they were read",
    ),
    Binding(
        "ctrl+t", "follow", "Follow", show=False, id="app.follow",
        tooltip="Read by itself what a running job writes, and say what is late; again: no longer",
    ),
    Binding("y", "copy_place", "Copy", id="line.copy", tooltip="Copy file:line"),
    Binding("o", "open_editor", "Open", show=False, id="line.open", tooltip="The file at this line in $EDITOR"),
    Binding("r", "report", "Report", id="report.preview", tooltip="The report, before it is written"),
    Binding("E", "export", "Export", show=False, id="report.export", tooltip="Markdown, JSON, or a case file"),
    Binding("question_mark,f1", "explain", "Help", key_display="?", id="help.pane", tooltip="What this pane is"),
    Binding(
        "T", "change_theme", "Theme", show=False, id="app.theme",
        tooltip="Colours, one for sixteen colours among them",
    ),
    Binding(
        "ctrl+z", "suspend_process", "Suspend", show=False, id="app.suspend",
        tooltip="Back to the shell; fg returns",
    ),
    Binding("q", "quit", "Quit", id="app.quit", tooltip="Leave"),
    Binding("ctrl+o", "jump", "Jump", show=False, id="go.jump", tooltip="A letter on each pane and row: it goes there"),
    Binding(
        "escape", "step_back", "Stop reading, or back", show=False, id="app.stop-reading",
        tooltip="Stops reading and keeps what was read; else one place back",
    ),
]  # fmt: skip

PROGRESS_S = 0.1
"""Progress is told no more often than that: each telling is bytes on the line."""


class LogtuiApp(App[int]):
    """One case on one screen."""

    CSS_PATH = Path(__file__).with_name("logtui.tcss")
    TITLE = "logtui"
    COMMANDS = App.COMMANDS | {CaseCommands}
    ENABLE_COMMAND_PALETTE = True

    BINDINGS: ClassVar[list[BindingType]] = APP_KEYS

    @dataclass
    class Read(Message):
        """The reading got further, or is over."""

        update: Update | None
        before: Report | None = None
        """At the end of reading again: what was said until then."""

    @dataclass
    class Exported(Message):
        """The report is written."""

        path: Path

    def __init__(
        self,
        paths: Sequence[Path],
        options: Options | None = None,
        title: str | None = None,
        reader: Reader | None = None,
        settings: Settings | None = None,
        hint: str = "",
        follow: bool = False,
    ) -> None:
        """`reader` stands in for the session's `analyse`; `hint` is shown until the first key."""
        super().__init__()
        self._reader = reader or session_reader()
        self._settings = settings or Settings()
        self._hint, self._follow = hint, follow
        self._is_shown = Event()
        self.failure: LogtuiError | None = None
        """Why nothing could be read, once the app has left for that."""
        self.paths = tuple(paths)
        self.options = options
        self._name = title or " ".join(path.absolute().name or str(path) for path in paths)
        self.case_screen = CaseScreen(self._name)
        looked_at = (*self.paths, *(options.ais if options else ()))
        self._growth = GrowthWatch(self, looked_at, self.case_screen, self.read_logs)
        self.animation_level = "none"
        dress(self)  # before the style sheet is read: it would be read again

    def get_driver_class(self) -> type[Driver]:
        """The platform's, with leaner output, and an end when its terminal is gone."""
        return lean_driver(losable(super().get_driver_class()))

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Colours of rank states and the like, for themes that have none."""
        return VARIABLES

    def get_default_screen(self) -> CaseScreen:
        """The case; one of the framework's own below it would be styled, laid out and drawn for nobody."""
        return self.case_screen

    def refresh_css(self, animate: bool = True) -> None:
        """As the framework; before there is a screen to style, nothing is parsed that will be parsed again."""
        if self.screen_stack:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    def on_mount(self) -> None:
        """Draw first, read after that."""
        # after fg, nothing is left of what stood there
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self.case_screen.keep(self.paths)
        tidy_when_idle(self)
        self.app_resume_signal.subscribe(self, lambda _: self._draw_anew())
        self._growth.begin(follow=self._follow)
        self.call_after_refresh(self._begin_to_read)
        self.call_after_refresh(self._settle)

    def _draw_anew(self) -> None:
        """All of it: after `fg` the terminal is empty, and the framework would send what has changed."""
        self.screen.refresh(layout=True)
        for widget in self.screen.query("*"):
            widget.refresh()

    def _begin_to_read(self) -> None:
        ensure_tracker()
        self.read_logs()

    def _settle(self) -> None:
        ids = {binding.id for _, binding in bound(self.case_screen) if binding.id}
        for problem in settle(self, self._settings, ids):
            self.notify(problem, title="config.toml", severity="warning", timeout=15, markup=False)
        if self._hint:
            self.case_screen.query_one(Breadcrumb).hint = self._hint

    async def on_event(self, event: events.Event) -> None:
        """The hint has been read with the first key."""
        if isinstance(event, events.Key):
            self.case_screen.hush()
        await super().on_event(event)

    @work(thread=True, exclusive=True, exit_on_error=False, group="read", name="read-logs", description="-")
    def read_logs(self, before: Report | None = None) -> None:
        """Post each newer report, and the progress now and then, until cancelled.

        In the place of one from `before` comes only one of everything.
        """
        read, options = self._reader, self.options if before is None else quietly(self.options)
        worker, told = get_current_worker(), 0.0
        for update in read(self.paths, options, lambda: worker.is_cancelled):
            if not self.is_running:
                return
            if before is not None and worker.is_cancelled:
                self.post_message(self.Read(None))
                return
            if before is not None:
                update = revised(update, before)
            if update.analysis is not None or time.monotonic() - told >= PROGRESS_S:
                told = time.monotonic()
                self.post_message(self.Read(update))
            if update.analysis is not None:
                self._is_shown.wait(1.0)  # reading on at once would only show it later
                self._is_shown.clear()
        self.post_message(self.Read(None, before))

    def on_logtui_app_read(self, message: Read) -> None:
        """Show what is new; the files of the report before are let go."""
        update = message.update
        if not self.case_screen.stands:  # the user has left
            return
        self.case_screen.show_progress(update.progress if update else None)
        if update is not None and update.analysis is not None:
            self._show(update.analysis)
            self.call_after_refresh(self._is_shown.set)
        if message.before is not None:
            self._growth.compare(message.before)

    def _show(self, found: Analysis) -> None:
        before = self.case_screen.view
        self.case_screen.show_view(
            CaseView(found.report, found.case, found.daemons, found.dumps, found.compare, found.facts, found.marks)
        )
        if not found.report.provisional:
            spare_frames()  # what was read stays: no look for garbage goes through it
        if before is not None and before.case is not None and before.case is not found.case:
            before.case.close()

    def on_clock_link_realigned(self, message: ClockLink.Realigned) -> None:
        """Show the report with the other offset; a daemon's line keeps its place, its time moves."""
        view = self.case_screen.view
        if view is not None and view.case is message.analysis.case:
            self._show(message.analysis)
            self.case_screen.move_time(message.moved_s)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A reading or an export that failed says so; the app goes on."""
        if event.state is WorkerState.ERROR:
            words = f"{type(event.worker.error).__name__}: {event.worker.error}"
            if event.worker.group == "read":
                self._reading_failed(event.worker.error, words)
            else:
                self.notify(words, severity="error", markup=False)

    def _reading_failed(self, error: BaseException | None, words: str) -> None:
        """Without anything to show there is nothing to stay for: `run_app` raises the reason."""
        if self.case_screen.view is None and isinstance(error, LogtuiError):
            self.failure = error
            self.exit(return_code=2)
        else:
            self.case_screen.show_trouble(words)

    def action_read_again(self) -> None:
        """Read again if there is anything new."""
        self._growth.ask()

    def action_follow(self) -> None:
        """Read what is written by itself, or no longer."""
        self._growth.toggle()

    def on_looked(self, message: Looked) -> None:
        """Say what is new of the files, and read it if that was asked for."""
        self._growth.take(message)

    def action_step_back(self) -> None:
        """Keep what was read so far; where nothing is being read, to the place before."""
        if not self.workers.cancel_group(self, "read"):
            self.case_screen.action_back()

    def action_copy_place(self) -> None:
        """Copy `file:line` through the terminal, and show it for terminals that do not."""
        if (place := self.case_screen.selection.place) is None:
            self.notify("no line is selected", severity="warning")
            return
        self.copy_to_clipboard(place)
        if is_in_tmux():
            self.copy_in_tmux(place)
        else:
            self.notify(place, title="copied", markup=False)

    @work(thread=True, exclusive=True, exit_on_error=False, group="copy", name="copy-in-tmux", description="-")
    def copy_in_tmux(self, place: str) -> None:
        """Into tmux's buffer, or say that it is not there."""
        title = "in tmux's buffer" if to_tmux(place) else "tmux took no copy"
        self.call_from_thread(self.notify, place, title=title, markup=False)

    def action_open_editor(self) -> None:
        """Leave the screen to the user's editor at the selected line."""
        from logtui.tui.editor import open_line

        open_line(self, self.case_screen.view, self.case_screen.selection)

    def action_export(self) -> None:
        """Choose what to write."""
        from logtui.tui.screens.report_screen import ExportMenu

        if self._is_read():
            self.push_screen(ExportMenu(), self._write)

    def action_report(self) -> None:
        """Show the report."""
        from logtui.diagnosis.report.markdown import render
        from logtui.diagnosis.report.ticket import origin_of
        from logtui.tui.screens.report_screen import ReportScreen

        view = self.case_screen.view
        if self._is_read() and view is not None:
            make = partial(render, view.report, self.case_screen.book.marks, origin_of(self.paths))
            self.push_screen(ReportScreen(make), self._write)

    def _is_read(self) -> bool:
        if self.case_screen.view is None:
            self.notify("nothing has been read yet", severity="warning")
        return self.case_screen.view is not None

    def _write(self, kind: Kind | None) -> None:
        view = self.case_screen.view
        if kind is not None and view is not None:
            self.export_report(view, kind, self.case_screen.book.marks)

    @work(thread=True, exclusive=True, exit_on_error=False, group="export", name="export-report", description="-")
    def export_report(self, view: CaseView, kind: Kind, marks: Sequence[MarkedLine]) -> None:
        """Write a report or a case file, never beside the logs."""
        from logtui.diagnosis.report.ticket import origin_of
        from logtui.tui.screens.export import export_directory, write_kind

        directory = export_directory(Path.cwd(), self.paths, Path.home())
        self.post_message(self.Exported(write_kind(directory, kind, view, marks, origin_of(self.paths))))

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """As the framework; but in one line, for it stands where the place stands, and never as markup."""
        words = f"{title}: {message}" if title else message
        super().notify(words, severity=severity, timeout=timeout, markup=False)

    def on_logtui_app_exported(self, message: Exported) -> None:
        """Say where it is."""
        self.notify(str(message.path), title="written", markup=False)

    def action_jump(self) -> None:
        """Letters on what can be gone to."""
        from logtui.tui.screens.jump import JumpScreen, jump_targets

        self.push_screen(JumpScreen(jump_targets(self.case_screen)), lambda target: target and target.go())

    def action_explain(self) -> None:
        """Help for the focused pane."""
        from logtui.tui.screens.commands import keys_here
        from logtui.tui.screens.help import HelpScreen

        pane = self.case_screen.focused_pane()
        self.push_screen(HelpScreen(pane.HELP_TEXT if pane else "", keys_here(self.case_screen)))


def run_app(
    paths: Sequence[Path], options: Options | None = None, ahead: Lookahead | None = None, *, follow: bool = False
) -> int:
    """Open the app on some paths; returns the exit status. `ahead` looks at the same paths already.

    Raises:
        SourceError: if a path is missing, or nothing below them is a log.
    """
    for path in paths:
        if not path.exists():
            raise PathMissing(path, "no such file or directory")
    if ahead is None or not ahead.has_found():
        prepare_processes((*paths, *(options.ais if options else ())))
    settings = read_settings(config_file())
    hint = FIRST_RUN if is_first_run(state_directory()) else ""
    app = LogtuiApp(paths, options, reader=session_reader(ahead), settings=settings, hint=hint, follow=follow)
    spare_frames()
    with app_ending_in_order(app):
        app.run(mouse=settings.mouse)
    if app.failure is not None:
        raise app.failure
    return app.return_code or 0
