"""The first line: the job on the left, what was read of it on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from logtui.tui.job_words import coverage_is_partial, coverage_words, job_words, state_words
from logtui.tui.printable import printable
from logtui.tui.progress_words import progress_words

if TYPE_CHECKING:
    from logtui.diagnosis.report import Report
    from logtui.parsers.progress import Progress


class HeadLine(Widget):
    """Job facts and coverage; progress while files are read."""

    title: reactive[str] = reactive("logtui")
    """What was opened, shown until the job is known by name."""
    report: reactive[Report | None] = reactive(None)
    """The newest report."""
    clock: reactive[str] = reactive("")
    """How the storage daemons' clock was set, where the user set it."""
    growth: reactive[str] = reactive("")
    """How the logs have gone on since they were read."""
    progress: reactive[Progress | None] = reactive(None)
    """How far the reading is; None when it is over."""

    _states = ""

    def watch_report(self, report: Report | None) -> None:
        """Count the ranks once: every change of the size draws this line."""
        self._states = state_words(report) if report else ""

    def render(self) -> Content:
        """Left and right with room between; the left gives way."""
        right, style = self._right()
        room = max(self.size.width - len(right) - 2, 0)
        left = printable(job_words(self.report, self.title, room, self._states) if self.report else self.title)
        left = left if len(left) <= room else left[: max(room - 1, 0)] + "…"
        return Content.assemble((left.ljust(room), "bold"), "  ", (right, style))

    def watch_progress(self, before: Progress | None, now: Progress | None) -> None:
        """Say once that a worker failed: from there on reading is slower."""
        if now is not None and now.trouble and not (before and before.trouble):
            why = printable(now.trouble)
            self.notify(f"A worker failed; what it was to read is read here. {why}", severity="warning", markup=False)

    def _right(self) -> tuple[str, str]:
        progress = self.progress
        if progress is not None:
            return progress_words(progress, self.size.width * 2 // 3, "esc stops"), "$text-warning"
        if self.report is None:
            return "", ""
        partial, clock = coverage_is_partial(self.report), f"{self.clock} · " if self.clock else ""
        if self.growth:
            return f"{self.growth} · ctrl+r reads · {coverage_words(self.report)}", "$text-warning"
        return clock + ("! " if partial else "") + coverage_words(self.report), "$text-warning" if partial else ""
