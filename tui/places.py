"""Where a rank, or a whole report, is best looked at first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from logtui.tui.case_view import CaseView
from logtui.tui.citations import proof_words
from logtui.tui.line_facts import line_facts
from logtui.tui.selection import Selection

if TYPE_CHECKING:
    from logtui.diagnosis.report import Evidence


def rank_place(view: CaseView, rank: int, group: str | None) -> Selection:
    """A rank with its proving line."""
    proof = view.proof(rank, group)
    if proof is None:
        return Selection(rank=rank, group=group)
    why = view.citations.get(proof.file, {}).get(proof.line, "")
    return Selection(rank, group, _time(view, proof), proof.file, proof.line, why)


def first_place(view: CaseView) -> Selection:
    """Where the user starts: the line that proves the verdict, else a rank's, the odd one's first, else any file.

    The rank is the culprit that wrote the line, else another culprit, else whoever wrote it, else the odd one out.
    """
    verdict = view.report.verdict
    cited = (verdict.first_evidence, *verdict.supporting, *(place.evidence for place in view.path))
    first = next((evidence for evidence in cited if evidence is not None), None)
    if first is not None:
        rank, time = _first_rank(view, first.rank), _time(view, first)
        return Selection(rank, None, time, first.file, first.line, proof_words(view.report))
    ranks = view.outliers or view.ranks
    place = rank_place(view, ranks[0], None) if ranks else Selection()
    if place.file or not view.case:
        return place
    from logtui.parsers.source import FileKind

    files = [file for file in view.case.files if file.kind is not FileKind.FLIGHT_RECORDER]
    return Selection(place.rank, file=files[0].name, line=1) if files else place


def _time(view: CaseView, line: Evidence) -> float | None:
    return line_facts(view, line.file, line.text, None)[1] if line.time is None else line.time


def _first_rank(view: CaseView, wrote: int | None) -> int | None:
    culprits = view.report.verdict.culprit_ranks
    if wrote is not None and (wrote in culprits or not culprits):
        return wrote
    return next(iter((*culprits, *view.outliers, *view.ranks)), None)
