"""Who fell silent first, and what a rank stopped saying, or never said, that the others say."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from logtui.diagnosis.findings import LastWords, Unsaid
from logtui.diagnosis.odd_lines.census import Census, Said, Template
from logtui.diagnosis.odd_lines.comparing import LEAST_PEERS
from logtui.diagnosis.odd_lines.dating import Dating

USUAL = 0.8
"""A kind of line is usual if this share of the ranks says it."""
EARLY_S, PERIODS = 30.0, 3.0
"""Stopped early: by more than this, and by more than so many of the intervals at which the others say it."""
LISTED = 4096
MOST_UNSAID = 40
NEAR_LINES = 3
MISSING_IN = 3
"""Of a line that many ranks lack, none is to be told."""


def last_words_by_silence(census: Census, dating: Dating) -> tuple[LastWords, ...]:
    """The last line of every rank, who fell silent first coming first; ranks without a time come last."""
    last = {rank: w.last for rank, w in census.writers.items() if rank >= 0 and w.last is not None}
    stamps = {rank: dating.time(place[0], place[3]) for rank, place in last.items()}
    times = {rank: stamp.epoch for rank, stamp in stamps.items() if stamp is not None}
    end = max(times.values(), default=0.0)
    ordered = sorted(last, key=lambda rank: (times.get(rank, float("inf")), rank))
    return tuple(
        LastWords(rank, dating.evidence(*last[rank], rank), end - times[rank] if rank in times else None)
        for rank in ordered[:LISTED]
    )


def unsaid(census: Census, dating: Dating, whole: bool) -> tuple[Unsaid, ...]:
    """What single ranks stopped saying or never said. `whole`: all text was looked at, so absence means something."""
    ranks = [r for r in census.writers if r >= 0]
    if len(ranks) < LEAST_PEERS:
        return ()
    found: list[Unsaid] = []
    for template in census.worth_telling():
        by = {r: s for r, s in template.said.items() if r >= 0 and s is not None}
        if template.aftermath or len(by) != sum(r >= 0 for r in template.said) or len(by) < USUAL * len(ranks):
            continue
        found += _stopped(template, by, dating)
        if whole and 0 < len(ranks) - len(by) <= MISSING_IN:
            found += _never(template, by, [r for r in ranks if r not in by], dating)
    found.sort(key=lambda u: (u.early_s is None, -(u.early_s or 0.0), u.rank, u.evidence.file, u.evidence.line))
    return tuple(_one_of_each(found))[:MOST_UNSAID]


def _one_of_each(found: list[Unsaid]) -> Iterator[Unsaid]:
    """The first of those that stand next to each other: the lines of one block go missing together."""
    told: set[tuple[int, str, int]] = set()
    for one in found:
        near = range(one.evidence.line - NEAR_LINES, one.evidence.line + NEAR_LINES + 1)
        if not any((one.rank, one.evidence.file, line) in told for line in near):
            yield one
        told.add((one.rank, one.evidence.file, one.evidence.line))


def _never(template: Template, by: dict[int, Said], absent: list[int], dating: Dating) -> Iterator[Unsaid]:
    rank, said = next(iter(by.items()))
    evidence = dating.evidence(said.file, said.offset, said.raw, said.stamped, rank)
    yield from (Unsaid(r, template.text, evidence, None, len(by)) for r in absent)


def _stopped(template: Template, by: dict[int, Said], dating: Dating) -> Iterator[Unsaid]:
    if min(s.count for s in by.values()) < 2 or len(by) < LEAST_PEERS:
        return
    lasts = {r: t.epoch for r, s in by.items() if (t := dating.time(s.file, s.last_stamped)) is not None}
    if len(lasts) < len(by):
        return
    usual = median(lasts.values())
    firsts = ((s, dating.time(s.file, s.stamped)) for s in by.values())
    periods = [(usual - t.epoch) / max(s.count - 1, 1) for s, t in firsts if t is not None]
    if not periods:
        return
    period = median(periods)
    for rank, last in lasts.items():
        if usual - last > max(EARLY_S, PERIODS * period):
            said = by[rank]
            evidence = dating.evidence(said.file, said.last_offset, said.last_raw, said.last_stamped, rank)
            yield Unsaid(rank, template.text, evidence, usual - last, len(by) - 1)
