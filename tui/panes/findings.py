"""What the diagnosis says, each sentence with the line it rests on.

Verdict, chain, runners-up, advice, what is missing or not explained, witnesses, symptoms, noise: in the order people
ask for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from logtui.tui.shared.case_view import CaseView, proof_words
from logtui.tui.shared.looks import CONFIDENCE_MARKS, verdict_mark
from logtui.tui.shared.messages import LineChosen, WalkWanted
from logtui.tui.shared.selection import Selection
from logtui.tui.shared.shortening import fitted
from logtui.tui.shared.walks import Walk
from logtui.tui.shared.wording import about, count_text, printable, timed_text
from logtui.tui.widgets.pane import Pane, PaneRow, Place

if TYPE_CHECKING:
    from logtui.diagnosis.model.evidence import Evidence
    from logtui.diagnosis.model.report import Report

MOST_UNEXPLAINED = 12
SHOWN_PER_ITEM = 6
"""Lines listed below one finding; the others are counted."""

TEXT_CHARS = 110
"""Of a cited line; all of it is one key away."""

STYLES = {
    "heading": "bold $text-muted",
    "verdict": "bold",
    "step": "",
    "evidence": "$text-accent",
    "note": "$text-muted",
}
_INDENTS = {"evidence": "  "}


@dataclass(frozen=True, slots=True)
class FindingItem:
    """One row. Without evidence it can be read, not opened."""

    kind: str
    """heading, verdict, step, evidence, note: names its look."""
    text: str
    evidence: Evidence | None = None
    why: str = ""
    lines: tuple[Evidence, ...] = ()
    """All the lines it stands for, where there are several to walk along."""
    pattern: str = ""
    """The kind of lines it stands for, where they are not cited one by one."""

    @property
    def is_open(self) -> bool:
        """Whether there is a line to go to."""
        return self.evidence is not None or bool(self.pattern)

    def walk(self, view: CaseView) -> Walk:
        """All its lines."""
        if self.pattern:
            return view.walks.of_pattern(self.pattern)
        return Walk.of("line", ((e.file, e.line) for e in (*self.lines, *filter(None, (self.evidence,)))))


def finding_items(report: Report) -> list[FindingItem]:
    """Everything the diagnosis says, in the order people ask for it."""
    return [
        *_verdict(report), *_chain(report), *_runners_up(report), *_advice(report), *_attempts(report),
        *_missing(report), *_unexplained(report), *_witnesses(report), *_symptoms(report), *_noise(report),
        *_checks(report),
    ]  # fmt: skip


def _heading(text: str) -> FindingItem:
    return FindingItem("heading", text)


def _lines(evidence: Sequence[Evidence], why: str) -> Iterator[FindingItem]:
    for cited in evidence[:SHOWN_PER_ITEM]:
        yield FindingItem("evidence", f"{printable(cited.place)}  {timed_text(cited, TEXT_CHARS, fitted)}", cited, why)
    if len(evidence) > SHOWN_PER_ITEM:
        yield FindingItem("note", f"   … {count_text(len(evidence) - SHOWN_PER_ITEM, 'more line')}")


def _unexplained(report: Report) -> Iterator[FindingItem]:
    """Lines that look fatal and that the verdict leaves open: what a sceptic reads first."""
    rows = [e for e in report.explained if e.verdict == "unexplained"]
    if rows:
        yield _heading("NOT EXPLAINED BY IT")
    for row in rows[:MOST_UNEXPLAINED]:
        often = f" ×{row.count}" if row.count > 1 else ""
        yield from _lines((row.evidence,), f"not explained{often}: {row.why}")
    if len(rows) > MOST_UNEXPLAINED:
        yield FindingItem("note", f"   … {count_text(len(rows) - MOST_UNEXPLAINED, 'more line')}")


def _witnesses(report: Report) -> Iterator[FindingItem]:
    """Contradictions first: they are findings; what each says, after them."""
    found = report.witnesses
    if found is None or not found.testimonies:
        return
    yield _heading("WITNESSES")
    for against in found.disagreements:
        yield FindingItem("note", f"≠ {printable(against.what)}")
        yield from _lines(against.evidence, f"contradiction: {against.what}")
    for said in found.testimonies:
        yield FindingItem("note", f"{said.witness}: {printable(said.what)}")
        yield from _lines(said.evidence, f"what the {said.witness} says")


def _verdict(report: Report) -> Iterator[FindingItem]:
    verdict = report.verdict
    sure = f"{CONFIDENCE_MARKS.get(verdict.confidence, '')} {verdict.confidence}"
    yield _heading("VERDICT (provisional)" if report.provisional else "VERDICT")
    text = f"{verdict_mark(verdict.cls)} {verdict.title}\n  {verdict.cls} · {sure}"
    yield FindingItem("verdict", text, verdict.first_evidence, proof_words(report))
    first = (verdict.first_evidence,) if verdict.first_evidence else ()
    rest = tuple(e for e in verdict.supporting if e not in first)
    yield from _lines(first, proof_words(report))
    yield from _lines(rest, "supports the verdict")
    for meant in verdict.meanings:
        cited = meant.evidence[0] if meant.evidence else None
        yield FindingItem("note", f"  that means: {printable(meant.what)}", cited, f"means: {meant.what}")
    if verdict.refuting:
        yield FindingItem("note", "but against it:")
        yield from _lines(verdict.refuting, "speaks against the verdict")
    for change in report.revisions:
        yield FindingItem("note", f"was “{change.was}”, overturned:", change.because, f"overturned: {change.was}")


def _chain(report: Report) -> Iterator[FindingItem]:
    if report.chain:
        yield _heading("CAUSE CHAIN")
    for step in report.chain:
        why = f"cause {step.step}/{len(report.chain)}: {step.what}"
        text = f"{step.step} {about(step.time, step.inherited)} {printable(step.what)}".replace("  ", " ")
        text += " ↓" if step.leads_to else ""
        yield FindingItem("step", text, step.evidence[0] if step.evidence else None, why, step.evidence)
        yield from _lines(step.evidence, why)


def _runners_up(report: Report) -> Iterator[FindingItem]:
    if report.verdict.runners_up:
        yield _heading("WHY NOT")
    for other in report.verdict.runners_up:
        first = other.evidence[0] if other.evidence else None
        text = f"{other.title}\n  {other.cls}: {other.why_not}"
        yield FindingItem("step", text, first, f"why not {other.cls}: {other.why_not}", other.evidence)


def _advice(report: Report) -> Iterator[FindingItem]:
    if report.recommendations:
        yield _heading("WHAT TO DO")
    for advice in report.recommendations:
        first = advice.because[0] if advice.because else None
        yield FindingItem("step", f"{advice.side}: {advice.what}", first, f"why: {advice.what}")


def _attempts(report: Report) -> Iterator[FindingItem]:
    if report.attempts:
        yield _heading("ATTEMPTS")
    for tried in report.attempts:
        text = f"{tried.number} {tried.cls} {CONFIDENCE_MARKS.get(tried.confidence, '')} {printable(tried.title)}"
        yield FindingItem("step", text, tried.evidence or tried.begins, f"attempt {tried.number}: {tried.title}")


def _missing(report: Report) -> Iterator[FindingItem]:
    if report.verdict.missing:
        yield _heading("WHAT WOULD SETTLE IT")
    for what in report.verdict.missing:
        yield FindingItem("note", f"· {printable(what)}")


def _symptoms(report: Report) -> Iterator[FindingItem]:
    if report.symptoms:
        yield _heading("LOUD, BUT NOT THE CAUSE")
    for symptom in report.symptoms:
        first = symptom.evidence[0] if symptom.evidence else None
        many = f" ({count_text(len(symptom.evidence), 'line')})" if len(symptom.evidence) > 1 else ""
        yield FindingItem(
            "step", f"{printable(symptom.what)}{many}", first, f"symptom: {symptom.what}", symptom.evidence
        )
        if symptom.meaning:
            yield FindingItem("note", f"  {printable(symptom.meaning)}")


def _noise(report: Report) -> Iterator[FindingItem]:
    folded = [c for c in report.counts if c.noise]
    if folded:
        yield _heading("FOLDED AS NOISE")
    for count in sorted(folded, key=lambda c: -c.total):
        yield FindingItem("note", f"{count.total:>8,} × {count.pattern}", pattern=count.pattern)


def _checks(report: Report) -> Iterator[FindingItem]:
    checked = report.verification
    if checked.checked or checked.failed:
        yield _heading("VERIFICATION")
        yield FindingItem("note", f"{count_text(checked.checked, 'cited line')} read again from disk, "
                          f"{len(checked.failed)} changed")  # fmt: skip
        for failed in checked.failed:
            yield FindingItem("note", f"✖ {printable(failed)}")


class FindingList(OptionList, inherit_bindings=False):
    """Wrapped rows; arrow keys and vi's."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "cursor_down", "Down", show=False, id="findings.down"),
        Binding("up,k", "cursor_up", "Up", show=False, id="findings.up"),
        Binding("pageup,ctrl+b", "page_up", "Page up", show=False, id="findings.page-up"),
        Binding("pagedown,ctrl+f,space", "page_down", "Page down", show=False, id="findings.page-down"),
        Binding("home,g", "first", "First", show=False, id="findings.first"),
        Binding("end,G", "last", "Last", show=False, id="findings.last"),
        Binding("enter", "select", "Line", id="findings.open"),
        Binding("right,l", "walk(1)", "Next of its lines", show=False, id="findings.next-line"),
        Binding("left,h", "walk(-1)", "Previous of its lines", show=False, id="findings.previous-line"),
    ]

    @dataclass
    class Walked(Message):
        """The user goes along the lines of a row."""

        direction: int

    def action_walk(self, direction: int) -> None:
        """Along the lines of the row under the cursor."""
        self.post_message(self.Walked(direction))


HELP = """\
## Findings

The verdict with the lines it rests on; the chain from the trigger to the crash; the verdicts that lost and why;
what to do; what would settle an open question; loud lines that are not the cause.

**up** / **down** walk, and the other panes follow · **enter** opens the line · **right** / **left** along all lines of
a row: of a loud symptom, of a kind that was folded as noise · **c** / **e** along the cause chain, from any pane ·
**x** / **X** next and previous error, **i** / **I** next and previous line that the verdict does not explain, from any
pane · **C** declares the selected line the cause · **r** exports all of it as markdown
"""


class FindingsPane(Pane):
    """Verdict, cause chain, runners-up, advice, symptoms."""

    HELP_TEXT = HELP

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._items: list[FindingItem] = []
        self._walked: Walk | None = None
        """The lines of the row under the cursor, while the user goes along them."""

    def compose_pane(self) -> ComposeResult:
        """One list."""
        yield FindingList(id="finding-list", compact=True)

    @property
    def listed(self) -> FindingList:
        """The rows."""
        return self.query_one(FindingList)

    def watch_view(self, view: CaseView | None) -> None:
        """Show a newer report."""
        if view is None:
            return
        self._items = finding_items(view.report)
        with self.prevent(OptionList.OptionHighlighted):
            self.listed.set_options([_option(item) for item in self._items])
        self._follow(self.selection)

    def formats_loaded(self) -> None:
        """Cut the cited lines so that what matters in them is seen; the cursor stays."""
        here = self.listed.highlighted
        self.watch_view(self.view)
        if here is not None:
            with self.prevent(OptionList.OptionHighlighted):
                self.listed.highlighted = here

    def watch_selection(self, selection: Selection) -> None:
        """Follow the selection."""
        self._follow(selection)

    def _follow(self, selection: Selection) -> None:
        """Put the cursor on a row that cites the selected line; stay where one does already."""
        here = self.listed.highlighted
        if here is not None and _rests_on(self._items[here], selection):
            return
        if self._walked is not None and (selection.file, selection.line) in self._walked.places:
            return
        rows = ((n, item) for n, item in enumerate(self._items) if item.kind == "evidence")
        at = next((n for n, item in rows if _rests_on(item, selection)), None)
        if at is not None:
            with self.prevent(OptionList.OptionHighlighted):
                self.listed.highlighted = at

    def on_option_list_option_highlighted(self, message: OptionList.OptionHighlighted) -> None:
        """The user passes a row: the panes follow."""
        message.stop()
        if self.listed.has_focus:
            self._choose(self._items[message.option_index], opened=False)

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Enter: to the line."""
        message.stop()
        self._choose(self._items[message.option_index], opened=True)

    def on_finding_list_walked(self, message: FindingList.Walked) -> None:
        """Along the lines of a row, from the first one on."""
        message.stop()
        here = self.listed.highlighted
        if here is not None and self.view is not None:
            self._walk(self._items[here].walk(self.view), message.direction)

    def _walk(self, walk: Walk, direction: int, *, opened: bool = False) -> None:
        self._walked = walk
        self.post_message(WalkWanted(walk, direction, opened))

    def _choose(self, item: FindingItem, *, opened: bool) -> None:
        self._walked = None
        self._tell_walk(item)
        if item.evidence is not None:
            self.post_message(line_of(item.evidence, item.why, step=not opened, opened=opened))
        elif opened and self.view is not None:
            self._walk(item.walk(self.view), 1, opened=True)

    def _tell_walk(self, item: FindingItem) -> None:
        """There is more than the line that is shown."""
        several = len(item.lines) > 1 or item.pattern
        self.heading.note = "right: the next of its lines" if several else ""


def line_of(evidence: Evidence, why: str, *, step: bool = False, opened: bool = False) -> LineChosen:
    """The message that shows a cited line."""
    return LineChosen(evidence.file, evidence.line, evidence.rank, evidence.time, why, step=step, opened=opened)


def _rests_on(item: FindingItem, selection: Selection) -> bool:
    return item.evidence is not None and item.evidence.place == selection.place


def _option(item: FindingItem) -> Option:
    indent = _INDENTS.get(item.kind, "")
    return Option(Content.styled(indent + item.text, STYLES[item.kind]), disabled=not item.is_open)


PANE = PaneRow("findings", FindingsPane, key=3, place=Place.FINDINGS)
