"""Where a rank, or a whole report, is best looked at first."""

from __future__ import annotations

from logtui.tui.case_view import CaseView, proof_words
from logtui.tui.line_facts import line_facts
from logtui.tui.selection import Selection


def rank_place(view: CaseView, rank: int, group: str | None) -> Selection:
    """A rank with its proving line."""
    proof = view.proof(rank, group)
    if proof is None:
        return Selection(rank=rank, group=group)
    why = view.citations.get(proof.file, {}).get(proof.line, "")
    time = line_facts(view, proof.file, proof.text, None)[1] if proof.time is None else proof.time
    return Selection(rank, group, time, proof.file, proof.line, why)


def first_place(view: CaseView) -> Selection:
    """Where the user starts: the odd rank out, else the verdict's line, else any rank, else the first file."""
    ranks = view.outliers or view.ranks
    place = rank_place(view, ranks[0], None) if ranks else Selection()
    first = view.report.verdict.first_evidence
    if first is not None and not (view.outliers and place.file):
        rank = place.rank if first.rank is None else first.rank
        return Selection(rank, None, first.time, first.file, first.line, proof_words(view.report))
    files = view.case.files if view.case else ()
    return place if place.file or not files else Selection(place.rank, file=files[0].name, line=1)
