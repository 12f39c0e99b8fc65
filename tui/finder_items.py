"""What the finder looks through: ranks, findings, files; and how well each fits what was typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from logtui.tui.case_view import CaseView
from logtui.tui.finding_items import finding_items
from logtui.tui.printable import printable
from logtui.tui.status import look_of

if TYPE_CHECKING:
    from logtui.diagnosis.report import Evidence

SHOWN = 50
"""Rows offered."""
LEAST_SCORE = 60.0
"""Of 100: below that a row has nothing to do with what was typed."""
LEAST_BEHIND = 12.0
"""Rows that fit worse than the best one by more than that are left out."""


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere to go: a rank, a file, or a cited line."""

    words: str
    rank: int | None = None
    file: str | None = None
    evidence: Evidence | None = None
    why: str = ""


def places_of(view: CaseView) -> Iterator[Place]:
    """Findings, outliers, all other ranks, all files."""
    odd = frozenset(view.outliers)
    for item in finding_items(view.report):
        if item.evidence is not None and item.kind != "evidence":
            yield Place(f"finding {printable(item.text)}", evidence=item.evidence, why=item.why)
    yield from (_rank_place(view, rank) for rank in (*view.outliers, *(r for r in view.ranks if r not in odd)))
    yield from (Place(f"file {printable(f.name)}", file=f.name) for f in (view.case.files if view.case else ()))


def _rank_place(view: CaseView, rank: int) -> Place:
    state = view.states.get(rank)
    host = f" {state.host}" if state and state.host else ""
    look = look_of(view.status(rank))
    return Place(f"rank {rank}{host} {look.glyph} {look.words}", rank=rank)


def matching(places: Sequence[Place], typed: str) -> list[Place]:
    """The places that fit best, best first; a bare number means a rank before anything else."""
    from rapidfuzz import fuzz, process, utils  # only who searches waits for it

    typed = typed.strip()
    if not typed:
        return list(places[:SHOWN])
    exact = [p for p in places if p.rank is not None and typed.lower() in (f"{p.rank}", f"rank {p.rank}", f"r{p.rank}")]
    names = [place.words for place in places]
    ranked = process.extract(
        typed, names, scorer=fuzz.partial_ratio, processor=utils.default_process, limit=SHOWN, score_cutoff=LEAST_SCORE
    )
    least = ranked[0][1] - LEAST_BEHIND if ranked else 0.0
    best = [places[at] for _, score, at in ranked if score >= least]
    return [*exact, *(p for p in best if p not in exact)][:SHOWN]
