"""The verdict, always in sight: what, how sure, on how many lines."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from logtui.tui.case_view import CaseView
from logtui.tui.printable import printable
from logtui.tui.status import CONFIDENCE_MARKS, verdict_mark
from logtui.tui.wording import count_text

_MOODS = {"healthy": "-healthy", "unknown": "-undecided"}


class VerdictStrip(Horizontal):
    """Glyph, class and title on the left; confidence and evidence on the right."""

    view: reactive[CaseView | None] = reactive(None)
    """The newest report."""
    trouble: reactive[str] = reactive("")
    """Why there is no report, if reading failed."""

    def compose(self) -> ComposeResult:
        """Two texts."""
        yield Static("reading…", id="verdict-title", markup=False)
        yield Static("", id="verdict-sure", markup=False)

    def watch_trouble(self, trouble: str) -> None:
        """Say what went wrong."""
        if trouble:
            self.add_class("-failed")
            self.query_one("#verdict-title", Static).update(f"✖ {printable(trouble)}")

    def watch_view(self, view: CaseView | None) -> None:
        """Show a newer verdict."""
        if view is None:
            return
        verdict = view.report.verdict
        for name in ("-healthy", "-undecided", "-failed"):
            self.set_class(name == _MOODS.get(verdict.cls, "-failed"), name)
        settle = f". Would settle it: {verdict.missing[0]}" if verdict.cls == "unknown" and verdict.missing else ""
        words = printable(f"{verdict.title}{settle}")
        head = Content.assemble((f"{verdict_mark(verdict.cls)} {verdict.cls} ", "bold"), words)
        self.query_one("#verdict-title", Static).update(head)
        early = "so far: " if view.report.provisional else ""
        sure = f"{early}{CONFIDENCE_MARKS.get(verdict.confidence, '')} {verdict.confidence}"
        dumps = view.dumps.dumps if view.dumps is not None else 0
        cited = view.evidence_count or not dumps
        lines = count_text(view.evidence_count, "cited line") if cited else f"{count_text(dumps, 'dump')}: d"
        self.query_one("#verdict-sure", Static).update(f"{sure}\n{lines}")
