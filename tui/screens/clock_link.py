"""Two marked lines are one event: sets the storage daemons' clock by them, in the background, and takes it back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.reactive import var
from textual.widget import Widget
from textual.worker import get_current_worker

from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.selection import Selection
from logtui.tui.shared.wording import offset_text, time_text

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.diagnosis.options import GivenOffset
    from logtui.diagnosis.session.opening import Analysis
    from logtui.diagnosis.storage.anchors import SideOfEvent

SIDES = {True: "storage daemon", False: "worker"}


class ClockLink(Widget):
    """Takes no room on the screen: remembers the marks, and computes the report anew with the offset they give."""

    DEFAULT_CSS = "ClockLink { display: none; }"

    view: var[CaseView | None] = var(None)
    """The newest report."""

    @dataclass
    class Marked(Message):
        """A line was looked up; None where it has no time."""

        place: str
        mark: SideOfEvent | None

    @dataclass
    class Realigned(Message):
        """The report with the other offset."""

        analysis: Analysis
        moved_s: float
        """How far daemons' times moved on the workers' clock."""

    @dataclass
    class Said(Message):
        """Words for the head line; "" when the clocks are as derived."""

        words: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.pending: SideOfEvent | None = None
        self.given: GivenOffset | None = None
        """What the marks gave; None where nothing was marked."""

    def watch_view(self, view: CaseView | None) -> None:
        """A reading that went on knows nothing of the marks."""
        daemons = view.daemons if view is not None else None
        if self.given is not None and daemons is not None and daemons.offset_s != self.given.offset_s:
            self._realign()

    def mark(self, here: Selection) -> None:
        """Mark a line; the second one, of the other side, sets the clock."""
        view = self.view
        if view is None or view.daemons is None:
            self.notify("no logs of storage daemons were given", severity="warning")
        elif view.facts is None:
            self.notify("the clocks of a case file are as they were when it was written", severity="warning")
        elif here.file is None or here.line is None:
            self.notify("no line is selected", severity="warning")
        elif self.given is not None and here.place in {e.place for e in self.given.evidence}:
            self.undo()
        else:
            self.look_up(view, here)

    def take(self, given: GivenOffset) -> None:
        """Set the clock by what was marked before."""
        if self.view is not None and self.view.facts is not None and self.view.daemons is not None:
            self.pending, self.given = None, given
            self.post_message(self.Said(self._words()))
            self._realign()

    def undo(self) -> None:
        """Forget the marks; the clocks are as derived."""
        was, self.pending, self.given = self.given, None, None
        self.post_message(self.Said(""))
        if was is not None:
            self.notify("marks forgotten; the clocks are as derived")
            self._realign()
        else:
            self.notify("nothing is marked")

    @work(thread=True, exclusive=True, exit_on_error=False, group="clock", name="mark-line", description="-")
    def look_up(self, view: CaseView, here: Selection) -> None:
        """Read the line's time."""
        from logtui.diagnosis.storage.anchors import mark_line

        storage = view.facts.storage if view.facts is not None else None
        assert storage is not None, "checked before"
        assert view.case is not None, "a report with daemons has files"
        found = mark_line(view.case, storage.logs, here.file or "", here.line or 1, here.time)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Marked(here.place or "", found))

    def on_clock_link_marked(self, message: Marked) -> None:
        """Remember the first one; with one of either side, set the clock."""
        message.stop()
        mark, pending = message.mark, self.pending
        if mark is None:
            self.notify(f"{message.place}: no time in this line or above it", severity="warning", markup=False)
        elif pending is not None and (pending.file, pending.line) == (mark.file, mark.line):
            self.pending = None
            self.post_message(self.Said(self._words()))
            self.notify("mark taken back")
        elif pending is None or pending.daemon == mark.daemon:
            self.pending = mark
            self.post_message(self.Said(f"M {time_text(mark.time)} = ?"))
            words = f"now M on the {SIDES[not mark.daemon]}'s line of the same event; M here takes it back"
            self.notify(words, title=f"{time_text(mark.time)} of the {SIDES[mark.daemon]} marked", markup=False)
        else:
            self._same_event(pending, mark)

    def _same_event(self, first: SideOfEvent, second: SideOfEvent) -> None:
        from logtui.diagnosis.storage.anchors import offset_of

        worker, daemon = (second, first) if first.daemon else (first, second)
        self.pending, self.given = None, offset_of(worker, daemon)
        words = f"{time_text(worker.time)} workers = {time_text(daemon.time)} AIS"
        rest = self.given.residual_s or 0.0
        later = f", {abs(rest):.3g} s {'later' if rest > 0 else 'earlier'}" if rest else ""
        self.notify(f"{words}: {offset_text(self.given.offset_s)}{later}", title="clocks set", markup=False)
        self.post_message(self.Said(self._words()))
        self._realign()

    def _words(self) -> str:
        return f"AIS {offset_text(self.given.offset_s)} = workers (M)" if self.given is not None else ""

    def _realign(self) -> None:
        if self.view is not None and self.view.facts is not None:
            self.realign(self.view, self.given)

    @work(thread=True, exclusive=True, exit_on_error=False, group="clock", name="set-clock", description="-")
    def realign(self, view: CaseView, offset: GivenOffset | None) -> None:
        """Diagnose anew with another offset; the files are not read again."""
        from logtui.diagnosis.session.reading import realigned

        assert view.facts is not None, "checked before"
        analysis = realigned(view.facts, offset)
        before = view.daemons.shift if view.daemons else 0.0
        after = analysis.storage.clock.shift if analysis.storage else 0.0
        if not get_current_worker().is_cancelled:
            self.post_message(self.Realigned(analysis, after - before))
