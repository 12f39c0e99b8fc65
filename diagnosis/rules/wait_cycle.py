"""Every rank waits, in groups of different kinds, and nobody is left for whom the others could wait."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import WatchedGroup
from logtui.diagnosis.predicates.hangs import circle
from logtui.diagnosis.predicates.stall import first_timeout, operation, start_order
from logtui.diagnosis.rules.ranking import WAIT_CYCLE
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass


def _find(facts: Facts) -> Iterator[Claim]:
    if stuck := circle(facts):
        yield _claim(facts, stuck)


def _claim(facts: Facts, stuck: list[WatchedGroup]) -> Claim:
    lines = [cite(facts.case, t.record, t.rank) for t in map(first_timeout, stuck[:4])]
    kinds = sorted({g.desc or g.key for g in stuck})
    return Claim(
        title=f"every rank waits, and for each other: a cycle through {', '.join(kinds[:3])}",
        cls=FailureClass.COLLECTIVE_MISMATCH,
        first=lines[0],
        order=min(start_order(g) for g in stuck),
        rung=WAIT_CYCLE,
        supporting=tuple(lines),
        missing=("flight-recorder dumps: they give the order in which each rank called its collectives",),
        what=f"ranks wait for each other, first in {operation(stuck[0])}",
    )


RULE = Rule(
    id="wait-cycle",
    title="Ranks wait for each other in a circle",
    claim="Collectives of different groups were called in different orders, so that everybody waits for somebody.",
    needs="timeout lines of all ranks, in groups of two kinds",
    refuted_by="a rank that waits nowhere; a wait in the world group; groups whose members all wait in them",
    find=_find,
    maturity="experimental",
    references=("pytorch torch.distributed, order of collectives",),
)
