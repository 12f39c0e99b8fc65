"""What frames the panes: the job and what was read of it, the verdict, and where the user is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.deciding import deciding_keys, is_open
from logtui.tui.shared.looks import CONFIDENCE_MARKS, verdict_mark
from logtui.tui.shared.selection import History, Selection
from logtui.tui.shared.wording import (
    about,
    count_text,
    coverage_is_partial,
    coverage_words,
    cut,
    cut_to_rows,
    job_words,
    printable,
    progress_words,
    shortened,
    state_words,
)

if TYPE_CHECKING:
    from logtui.diagnosis.model.report import Report
    from logtui.parsers.scan.plan import Progress

_MOODS = {"healthy": "-healthy", "unknown": "-undecided"}
FIRST_RUN = "enter proof · c cause · e effect · [ back · ? help · ctrl+p all there is"
"""What a user who has never been here needs."""
SEPARATOR = " › "
MIN_FILE = 16
VERDICT_ROWS = 3
"""At most, as in the style sheet; the keys that decide are one of them."""
SURE_COLUMNS = 19
"""Of certainty and evidence, with the edges."""
DECLARED = "declared-by-user"
"""The rule that the user's own word goes by."""


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


class VerdictStrip(Horizontal):
    """Glyph, class and title on the left, the keys that decide below; confidence and evidence on the right."""

    view: reactive[CaseView | None] = reactive(None)
    """The newest report."""
    trouble: reactive[str] = reactive("")
    """Why there is no report, if reading failed."""

    _said = ""

    def compose(self) -> ComposeResult:
        """Three texts."""
        with Vertical(id="verdict-left"):
            yield Static("reading…", id="verdict-title", markup=False)
            yield Static("", id="verdict-keys", markup=False)
        yield Static("", id="verdict-sure", markup=False)

    def watch_trouble(self, trouble: str) -> None:
        """Say what went wrong."""
        if trouble:
            self.add_class("-failed")
            self._said = ""
            self.query_one("#verdict-title", Static).update(f"✖ {printable(trouble)}")

    def watch_view(self, view: CaseView | None) -> None:
        """Show a newer verdict."""
        if view is None:
            return
        verdict, self.trouble = view.report.verdict, ""
        for name in ("-healthy", "-undecided", "-failed"):
            self.set_class(name == _MOODS.get(verdict.cls, "-failed"), name)
        keys = deciding_keys(view)
        self.set_class(bool(keys), "-deciding")
        self.query_one("#verdict-keys", Static).update(_key_words(keys, is_open(view)))
        self.query_one("#verdict-sure", Static).update(_certainty(view))
        self._say(view)

    def on_resize(self) -> None:
        """What is cut depends on the width."""
        if self.view is not None and not self.trouble:
            self._say(self.view)

    def _say(self, view: CaseView) -> None:
        """The verdict, `…` where it is cut: all of it stands first among the findings."""
        verdict = view.report.verdict
        settle = f". Would settle it: {verdict.missing[0]}" if verdict.cls == "unknown" and verdict.missing else ""
        head, words = f"{verdict_mark(verdict.cls)} {verdict.cls} ", printable(f"{verdict.title}{settle}")
        title = self.query_one("#verdict-title", Static)
        rows = VERDICT_ROWS - self.has_class("-deciding")
        width = self.size.width - SURE_COLUMNS
        if width > MIN_FILE:
            words = cut_to_rows(head + words, width, rows)[len(head) :]
        if self._said != head + words:  # else the screen would be laid out anew for every size
            self._said = head + words
            title.update(Content.assemble((head, "bold"), words))


def _certainty(view: CaseView) -> str:
    verdict = view.report.verdict
    early = "so far: " if view.report.provisional else ""
    mark = CONFIDENCE_MARKS.get(verdict.confidence, "")
    sure = f"{early}{mark} {verdict.confidence}" if verdict.rule != DECLARED else "your word"
    dumps = view.dumps.dumps if view.dumps is not None else 0
    cited = view.evidence_count or not dumps
    lines = count_text(view.evidence_count, "cited line") if cited else f"{count_text(dumps, 'dump')}: d"
    return f"{sure}\n{lines}"


def _key_words(keys: Sequence[tuple[str, str]], is_open: bool) -> Content:
    """`decide it: i 3 not explained · b odd lines`."""
    named = [Content.assemble((key, "bold $text-accent"), f" {words}") for key, words in keys]
    return (
        Content.assemble("decide it: " if is_open else "see it: ", Content(" · ").join(named)) if keys else Content("")
    )


@dataclass(frozen=True, slots=True)
class Trail:
    """A place among the places visited."""

    here: Selection
    back: int = 0
    """Places that `[` leads to."""
    forward: int = 0
    """Places that `]` leads to."""
    host: str = ""
    group: str = ""
    inherited: bool = False
    """Whether the time is a neighbouring line's."""
    guessed: bool = False
    """Whether no line names the rank's number."""

    @classmethod
    def of(
        cls, history: History, host: str | None, group: str, inherited: bool = False, guessed: bool = False
    ) -> Trail:
        """The current place of a history."""
        forward = len(history.places) - history.at - 1
        return cls(history.current, history.at, forward, host or "", group, inherited, guessed)

    def words(self, room: int) -> str:
        """Host, rank, group, time, line and what it is for, as far as they are known and there is room.

        The reason gives way first, then the middle of the file's name, then the host.
        """
        here = self.here
        rank = "" if here.rank is None else f"rank {here.rank}{'?' if self.guessed else ''}"
        front = [part for part in (self.host, rank, self.group, about(here.time, self.inherited)) if part]
        place, why = here.place or here.file or "", here.why
        if self._length([*front, place, why]) <= room:
            return SEPARATOR.join(filter(None, [*front, place, why]))
        while len(front) > 1 and self._length([*front, place[-MIN_FILE:]]) > room:
            front.pop(0)
        left = room - self._length([*front, ""]) - (len(SEPARATOR) if front else 0)
        known = SEPARATOR.join(filter(None, [*front, shortened(place, max(left, 1))]))
        left = room - len(known) - len(SEPARATOR)
        return known if left < MIN_FILE // 2 or not why else f"{known}{SEPARATOR}{cut(why, left)}"

    @staticmethod
    def _length(parts: list[str]) -> int:
        return len(SEPARATOR.join(filter(None, parts)))


class Breadcrumb(Widget):
    """`[2  node007 › rank 57 › 15:09:37 › error-4821-7.out:153 › proves the verdict  0]`."""

    trail: reactive[Trail] = reactive(Trail(Selection()))
    """What is shown."""
    hint: reactive[str] = reactive("")
    """Shown instead, until it is taken away."""

    def watch_hint(self, hint: str) -> None:
        """Advice stands out from a place."""
        self.set_class(bool(hint), "-hint")

    def render(self) -> Content:
        """Parts that are not known are left out."""
        if self.hint:
            return Content(cut(printable(self.hint), max(self.size.width, 1)))
        trail = self.trail
        back, forward = f"[ {trail.back or ''}", f"{trail.forward or ''} ]"
        room = max(self.size.width - len(back) - len(forward) - 4, 1)
        ends = (back, "" if trail.back else "dim"), (forward, "" if trail.forward else "dim")
        return Content.assemble(ends[0], "  ", printable(trail.words(room)).ljust(room), "  ", ends[1])
