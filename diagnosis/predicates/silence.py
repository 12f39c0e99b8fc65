"""Who fell silent while the others spoke on, and how long all had been silent when the job was ended.

A rank that prints what its peers print, and stops while they go on, hangs or is gone, whatever it was doing. Ranks that
never printed much are no sign of anything: many programs let one rank of each node speak.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.last_words import Words
from logtui.diagnosis.facts.line_times import LineTimes
from logtui.diagnosis.predicates.odd_last_words import MOST, last_words_of, shape
from logtui.parsers.records.record import Record

SILENT_S = 300.0
"""Silence that counts: longer than an evaluation's usual pause between lines, far shorter than a collective's limit."""
SPREADS = 4.0
"""And so many times what the others' last words lie apart."""
FEW = 0.25
"""More silent ones than this share are no outliers: then most stopped, and the rest wound up."""
ENOUGH = 3
"""Ranks that must have spoken on."""
ABOVE = 24
"""Lines above an end that are looked at."""
_OF_SCHEDULER = re.compile(r"slurmstepd|srun:|CANCELLED|PBS:|preempt|requeue", re.I)


@dataclass(frozen=True, slots=True)
class Silent:
    """One rank that stopped before the others."""

    rank: int
    words: Words
    seconds: float
    """Before the last words of the others."""
    alike: bool
    """Its last line is of the kind that the others went on to print."""


def fell_silent(facts: Facts) -> list[Silent]:
    """The few ranks that stopped while all others spoke on, the first one first; empty where that is not known."""
    ranks = facts.seen_ranks
    if not ENOUGH < len(ranks) <= MOST:
        return []
    begun = (facts.first.time if facts.first is not None else None) or 0.0  # earlier words are another attempt's
    said = {r: w for r, w in last_words_of(facts, set(ranks)).items() if (w.cited.time or -1.0) >= begun}
    if len(said) < max(ENOUGH + 1, round((1 - FEW) * len(ranks))):
        return []
    at = {rank: words.cited.time or 0.0 for rank, words in said.items()}
    usual = median(at.values())
    late = [t for t in at.values() if t >= usual]
    limit = max(SILENT_S, SPREADS * (max(late) - min(late)))
    ends = Counter(shape(words.text) for words in said.values())
    common = ends.most_common(1)[0][0]
    found = [
        Silent(rank, said[rank], usual - t, shape(said[rank].text) == common)
        for rank, t in at.items()
        if usual - t > limit
    ]
    return sorted(found, key=lambda s: -s.seconds) if len(found) <= max(1, FEW * len(at)) else []


def silence_before(facts: Facts, ended: Record) -> float | None:
    """Seconds from the last thing that was said to an end; None where no line of ranks or steps is dated."""
    end = ended.time or 0.0
    steps = [float(s.times[-1]) for s in facts.steps if s.dated]
    words = last_words_of(facts, set(facts.seen_ranks[:MOST])).values() if facts.seen_ranks else ()
    said = [w.cited.time for w in words if w.cited.time is not None]
    before = [t for t in (*steps, *said) if t <= end]
    return end - max((*before, *_just_above(facts, ended, end))) if before else None


def _just_above(facts: Facts, ended: Record, end: float) -> Iterator[float]:
    """When the line above an end was written that no scheduler wrote; who is at work need not name a rank."""
    times = LineTimes(facts.case, end)
    for line in range(ended.line - 1, max(0, ended.line - 1 - ABOVE), -1):
        text = next(iter(facts.case.bodies(ended.file, line, 1)), "")
        own = None if _OF_SCHEDULER.search(text) else times.own(ended.file, line)
        if own is not None and own.epoch <= end:
            yield own.epoch
            return
