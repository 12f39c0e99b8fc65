"""A job that is still there writes on: the app notices, and reads that when asked, or by itself while it follows.

What it reads with, too. While it follows, what is late by the job's own pace is said as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import App
from textual.message import Message
from textual.timer import Timer

from logtui.tui.shared.wording import count_text, printable, size_text

if TYPE_CHECKING:
    from logtui.diagnosis.model.report import Report
    from logtui.diagnosis.options import Options
    from logtui.diagnosis.predicates.overdue import Alarm
    from logtui.diagnosis.report.kept.lookahead import Lookahead
    from logtui.diagnosis.session.opening import Update
    from logtui.parsers.files.discover import LogChanges
    from logtui.tui.screens.case_screen import CaseScreen

Reader = Callable[["Sequence[Path]", "Options | None", Callable[[], bool]], "Iterator[Update]"]
"""Reads paths and yields what it finds, until the given function says that it is no longer wanted."""

LOOK_EVERY_S = 30.0
LOOK_SHARE = 0.01
"""Of the time, at most: a file system that is slow to list is asked less often."""
FOLLOW_EVERY_S, FOLLOW_SHARE = 5.0, 0.2
"""The same while following; readings take this share of the time at most."""
LIVE_S = 3600.0
"""A job that wrote nothing for so long is left alone."""


def session_reader(ahead: Lookahead | None = None) -> Reader:
    """The session's `analyse`; `ahead`, which looks at the files already, is for the first reading."""
    looks = [ahead]

    def read(paths: Sequence[Path], options: Options | None, cancelled: Callable[[], bool]) -> Iterator[Update]:
        from logtui.diagnosis.session.opening import analyse  # numpy and the scanner: not before the first frame

        return analyse(paths, options, cancelled, looks.pop() if looks else None)

    return read


def quietly(options: Options | None) -> Options:
    """The options for reading again: nothing provisional in the place of a whole report."""
    from logtui.diagnosis.options import Options

    return replace(options or Options(), early=False, closer=True)


def revised(update: Update, before: Report) -> Update:
    """An update whose report says what the one before concluded otherwise."""
    from logtui.diagnosis.session.reading import with_revisions

    found = update.analysis
    if found is None:
        return update
    return replace(update, analysis=replace(found, report=with_revisions(found.report, before)))


@dataclass
class Looked(Message):
    """The files were looked at."""

    growth: LogChanges | None
    """None for a case file."""
    took_s: float
    wanted: bool
    """Somebody asked for it."""
    alarms: tuple[Alarm, ...] = ()
    """What is late, while following."""


class GrowthWatch:
    """Looks now and then whether the job writes on; the app posts it what was seen."""

    def __init__(
        self, app: App[int], paths: Sequence[Path], screen: CaseScreen, read: Callable[[Report], object]
    ) -> None:
        """`read` reads what is there now, in the place of what was said of it so far."""
        self._app, self._paths, self._screen, self._read = app, tuple(paths), screen, read
        self._timer: Timer | None = None
        self._following = False
        self._reading_s, self._began = 0.0, 0.0
        self._said: set[str] = set()

    def begin(self, *, follow: bool = False) -> None:
        """Look now and then whether the job writes on, as long as it may; read it by itself if it is to be followed."""
        self._following = follow
        self._again_in(self._pause)

    def toggle(self) -> None:
        """Follow, or no longer."""
        self._following = not self._following
        self._app.notify("following: what is written is read" if self._following else "no longer following")
        if self._following:
            self._look(wanted=False)

    @property
    def _pause(self) -> float:
        return max(FOLLOW_EVERY_S, self._reading_s / FOLLOW_SHARE) if self._following else LOOK_EVERY_S

    def _again_in(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._app.set_timer(seconds, self._look_by_itself)

    def _look_by_itself(self) -> None:
        view = self._screen.view
        written = max((file.mtime for file in view.case.files), default=0.0) if view and view.case else time.time()
        if self._following or time.time() - written < LIVE_S:
            self._look(wanted=False)
        else:
            self._timer = None

    def ask(self) -> None:
        """Read again if there is anything new."""
        view = self._screen.view
        if view is None or view.report.provisional or self._is_reading:
            self._app.notify("still reading")
        else:
            self._look(wanted=True)

    @property
    def _is_reading(self) -> bool:
        return any(worker.group == "read" and worker.is_running for worker in self._app.workers)

    def _look(self, *, wanted: bool) -> None:
        self._app.run_worker(
            partial(self._see, wanted),
            thread=True, exclusive=True, exit_on_error=False, group="look", name="look-at-files", description="-",
        )  # fmt: skip

    def _see(self, wanted: bool) -> None:
        from logtui.parsers.files.case_file_mark import is_case_file
        from logtui.parsers.files.discover import changes_since

        begun, found, view, paths = time.monotonic(), None, self._screen.view, self._paths
        if view is not None and view.case is not None and not (len(paths) == 1 and is_case_file(paths[0])):
            found = changes_since(paths, view.case)
        late = self._late() if self._following and not found else ()
        self._app.post_message(Looked(found, time.monotonic() - begun, wanted, late))

    def _late(self) -> tuple[Alarm, ...]:
        """What is late in what was read, by now; of a case file nothing is known."""
        from logtui.diagnosis.predicates.overdue import alarms
        from logtui.diagnosis.session.watching import logs_clock

        view = self._screen.view
        if view is None or view.facts is None or view.report.provisional:
            return ()
        now = logs_clock(view.facts.last, time.time())
        return tuple(alarms(view.facts.last, now)) if now is not None else ()

    def take(self, seen: Looked) -> None:
        """Say what is new, and read it if that was asked for."""
        if not self._screen.stands:
            return
        view, found = self._screen.found, seen.growth
        self._screen.show_growth(short_words(found) if found else "")
        self._again_in(max(self._pause, seen.took_s / LOOK_SHARE))
        self._say_late(seen.alarms)
        if self._following and not seen.wanted and found and view is not None and not self._is_reading:
            self._read_on(view.report)
        if not seen.wanted:
            return
        if not found:
            self._app.notify("a case file does not change" if found is None else "nothing was written since")
        elif view is not None and not self._is_reading:
            self._app.notify(growth_words(found), title="reading again")
            self._read_on(view.report)

    def _read_on(self, report: Report) -> None:
        self._screen.show_growth("")
        self._began = time.monotonic()
        self._read(report)

    def _say_late(self, late: Sequence[Alarm]) -> None:
        """Each alarm once, as long as it lasts."""
        for alarm in late:
            if alarm.kind not in self._said:
                self._app.notify(printable(alarm.what), title="late", severity="warning", timeout=20, markup=False)
        self._said = {alarm.kind for alarm in late}

    def compare(self, before: Report) -> None:
        """After reading again: whether the verdict is another."""
        view = self._screen.found
        self._reading_s = time.monotonic() - self._began
        if view is None or len(view.report.revisions) == len(before.revisions):
            if not self._following:
                self._app.notify("the verdict stands", title="read again")
        else:
            was = printable(view.report.revisions[-1].was)
            self._app.notify(f"it was: {was}", title="the verdict is another now", severity="warning", markup=False)


def growth_words(found: LogChanges) -> str:
    """`3 files grew by 4.2 MB, 1 new`."""
    said = (
        f"{count_text(found.grown, 'file')} grew by {size_text(found.bytes)}" if found.grown else "",
        f"{found.new} new" if found.new else "",
        f"{found.replaced} replaced" if found.replaced else "",
        f"{found.gone} gone" if found.gone else "",
    )
    return ", ".join(filter(None, said))


def short_words(found: LogChanges) -> str:
    """`+4.2 MB`, or how many files are not what they were."""
    others = found.new + found.replaced + found.gone
    return f"+{size_text(found.bytes)}" if found.bytes else f"{count_text(others, 'file')} changed"
