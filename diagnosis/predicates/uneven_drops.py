"""Loaders that leave out samples on some ranks far more often than on others: those ranks run out of batches early."""

from __future__ import annotations

from collections import defaultdict
from statistics import median

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.report import Symptom
from logtui.parsers.pattern import Mark

MANY, TIMES = 10, 3
"""A rank stands out that left out so many samples, and so many times as many as half of the others."""
MEANING = "Ranks then have unlike numbers of batches: one is out of data early, and the others wait in a collective."


def uneven_drops(facts: Facts) -> tuple[Symptom, ...]:
    """The rank that left out most, with a line of its own; empty where all do alike, or ranks are not told apart."""
    names = {p.name for p in facts.case.records.patterns if Mark.DROPS_SAMPLES in p.marks}
    dropped: dict[int, int] = defaultdict(int)
    for count in facts.case.records.counts:
        rank = count.rank if count.rank >= 0 else facts.identity.by_file.get(count.file, -1)
        if count.pattern in names and rank >= 0:
            dropped[rank] += count.total
    if not dropped or len(facts.seen_ranks) < 2:
        return ()
    worst = max(dropped, key=lambda rank: (dropped[rank], -rank))
    usual = median(dropped.get(rank, 0) for rank in facts.seen_ranks if rank != worst)
    if dropped[worst] < MANY or dropped[worst] < TIMES * max(1, usual):
        return ()
    lines = facts.case.records.marked(Mark.DROPS_SAMPLES)
    own = [cite(facts.case, r, worst) for r in lines if facts.identity.rank_of(r)[0] == worst][:1]
    what = f"rank {worst} left out samples {dropped[worst]:,} times, half of the others {usual:g} times at most"
    return (Symptom(what, tuple(own), MEANING),)
