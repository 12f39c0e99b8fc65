"""A job that is still there writes on: the app notices, and reads that when asked."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer

from logtui.tui.printable import printable
from logtui.tui.wording import count_text, size_text

if TYPE_CHECKING:
    from logtui.diagnosis.options import Options
    from logtui.diagnosis.report import Report
    from logtui.parsers.growth import Growth
    from logtui.tui.screens.case_screen import CaseScreen

LOOK_EVERY_S = 30.0
LOOK_SHARE = 0.01
"""Of the time, at most: a file system that is slow to list is asked less often."""
LIVE_S = 3600.0
"""A job that wrote nothing for so long is left alone."""


class ReadsOn(App[int]):
    """An app with a case that can be read again."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+r", "read_again", "Read again", show=False, id="app.read-again",
                tooltip="What was written to the logs since they were read"),
    ]  # fmt: skip

    paths: tuple[Path, ...]
    options: Options | None
    case_screen: CaseScreen
    _look_timer: Timer | None = None

    @dataclass
    class Looked(Message):
        """The files were looked at."""

        growth: Growth | None
        """None for a case file."""
        took_s: float
        wanted: bool
        """Somebody asked for it."""

    def read_logs(self, before: Report | None = None) -> object:
        """Read what is there now; `before` is what was said of it so far."""
        raise NotImplementedError

    def watch_growth(self) -> None:
        """Look now and then whether the job writes on, as long as it may."""
        self._again_in(LOOK_EVERY_S)

    def _again_in(self, seconds: float) -> None:
        if self._look_timer is not None:
            self._look_timer.stop()
        self._look_timer = self.set_timer(seconds, self._look_by_itself)

    def _look_by_itself(self) -> None:
        view = self.case_screen.view
        written = max((file.mtime for file in view.case.files), default=0.0) if view and view.case else time.time()
        if time.time() - written < LIVE_S:
            self._look(wanted=False)
        else:
            self._look_timer = None

    def action_read_again(self) -> None:
        """Read again if there is anything new."""
        view = self.case_screen.view
        if view is None or view.report.provisional or self._is_reading:
            self.notify("still reading")
        else:
            self._look(wanted=True)

    @property
    def _is_reading(self) -> bool:
        return any(worker.group == "read" and worker.is_running for worker in self.workers)

    @work(thread=True, exclusive=True, exit_on_error=False, group="look", name="look-at-files", description="-")
    def _look(self, wanted: bool) -> None:
        from logtui.parsers.case_file_mark import is_case_file
        from logtui.parsers.growth import growth

        begun, found, view = time.monotonic(), None, self.case_screen.view
        paths = [*self.paths, *(self.options.ais if self.options else ())]
        if view is not None and view.case is not None and not (len(paths) == 1 and is_case_file(paths[0])):
            found = growth(paths, view.case)
        self.post_message(self.Looked(found, time.monotonic() - begun, wanted))

    def on_reads_on_looked(self, message: Looked) -> None:
        """Say what is new, and read it if that was asked for."""
        if not self.case_screen.stands:
            return
        view, found = self.case_screen.view, message.growth
        self.case_screen.show_growth(short_words(found) if found else "")
        self._again_in(max(LOOK_EVERY_S, message.took_s / LOOK_SHARE))
        if not message.wanted:
            return
        if not found:
            self.notify("a case file does not change" if found is None else "nothing was written since")
        elif view is not None and not self._is_reading:
            self.notify(growth_words(found), title="reading again")
            self.case_screen.show_growth("")
            self.read_logs(view.report)

    def say_what_came_of_it(self, before: Report) -> None:
        """After reading again: whether the verdict is another."""
        view = self.case_screen.view
        if view is None or len(view.report.revisions) == len(before.revisions):
            self.notify("the verdict stands", title="read again")
        else:
            was = printable(view.report.revisions[-1].was)
            self.notify(f"it was: {was}", title="the verdict is another now", severity="warning", markup=False)


def growth_words(found: Growth) -> str:
    """`3 files grew by 4.2 MB, 1 new`."""
    said = (
        f"{count_text(found.grown, 'file')} grew by {size_text(found.bytes)}" if found.grown else "",
        f"{found.new} new" if found.new else "",
        f"{found.replaced} replaced" if found.replaced else "",
        f"{found.gone} gone" if found.gone else "",
    )
    return ", ".join(filter(None, said))


def short_words(found: Growth) -> str:
    """`+4.2 MB`, or how many files are not what they were."""
    others = found.new + found.replaced + found.gone
    return f"+{size_text(found.bytes)}" if found.bytes else f"{count_text(others, 'file')} changed"
