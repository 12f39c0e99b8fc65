"""The keys that decide a case: where a verdict is open, those that lead to what it did not weigh; else to its proof."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.wording import count_text

OPEN = frozenset({"medium", "low"})


def is_open(view: CaseView) -> bool:
    """Whether the verdict invites to overrule it."""
    verdict = view.report.verdict
    return verdict.cls == "unknown" or verdict.confidence in OPEN


def deciding_keys(view: CaseView) -> tuple[tuple[str, str], ...]:
    """Keys with what they lead to here, the most telling first; none while the logs are still read."""
    if view.report.provisional or view.report.verdict.cls == "healthy":
        return ()
    return (*_open_questions(view), *_proofs(view)) if is_open(view) else tuple(_proofs(view))


def _open_questions(view: CaseView) -> Iterator[tuple[str, str]]:
    report = view.report
    unexplained = sum(row.verdict == "unexplained" for row in report.explained)
    if unexplained:
        yield "i", f"{unexplained} not explained"
    if report.odd_lines is None or report.odd_lines.odd or report.odd_lines.unsaid:
        yield "b", "odd lines"
    if view.dumps is not None:
        yield "d", count_text(view.dumps.dumps, "dump")
    yield "x", "next error"
    if len(report.attempts) > 1:
        yield "3", f"{len(report.attempts)} attempts"


def _proofs(view: CaseView) -> Iterator[tuple[str, str]]:
    """The lines of one rank alone, where several write into its file; its lines beside another rank's."""
    rank = next(iter((*view.report.verdict.culprit_ranks, *view.outliers)), None)
    state = view.states.get(rank) if rank is not None else None
    if state is None or len(view.states) < 2:
        return
    if any(view.rank_of_file(name) is None for name in state.files):
        yield "R R", f"rank {rank} alone"
    yield "|", "beside another"
