"""Which rank is slow, where a line or the ranks' own step times say so."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from statistics import median

import numpy as np

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.findings import SlowRank
from logtui.diagnosis.steps import durations
from logtui.parsers.record import Record

TIMES_USUAL = 1.5
"""A rank that takes so many times what the others take is slow."""
LOW_SCORE = 0.7
"""Below, NVIDIA's straggler detection calls a GPU slow."""
REPORTS, SHARE = 3, 0.6
"""A straggler report names some rank each time; one that it names this often is meant."""
LEAST_RANKS = 3


def slow_ranks(facts: Facts) -> tuple[SlowRank, ...]:
    """Each rank once, the best proof first."""
    found: dict[int, SlowRank] = {}
    for one in (*_scored(facts), *_timed(facts), *_warned(facts), *_reported(facts), *_own_steps(facts)):
        found.setdefault(one.rank, one)
    return tuple(found.values())


def _scored(facts: Facts) -> Iterator[SlowRank]:
    for record in facts.case.records.of("straggler.score"):
        rank, score = record.number("rank"), record.fields.get("score", "nan")
        if rank is not None and float(score) < LOW_SCORE:
            yield SlowRank(rank, f"scores {score} of 1 in the straggler report", cite(facts.case, record, rank))


def _timed(facts: Facts) -> Iterator[SlowRank]:
    """Megatron's timers with one line a rank."""
    times: dict[int, list[float]] = defaultdict(list)
    longest: dict[int, tuple[float, Record]] = {}
    for record in facts.case.records.of("megatron.rank_timer"):
        rank, ms = record.number("timed_rank"), float(record.fields.get("ms", "nan"))
        if rank is not None:
            times[rank].append(ms)
            longest[rank] = max(longest.get(rank, (0.0, record)), (ms, record), key=lambda x: x[0])
    yield from _outliers(
        facts, {r: median(t) for r, t in times.items()}, {r: x[1] for r, x in longest.items()}, "timer"
    )


def _outliers(facts: Facts, usual: dict[int, float], lines: dict[int, Record], what: str) -> Iterator[SlowRank]:
    if len(usual) < LEAST_RANKS:
        return
    middle = median(usual.values())
    for rank, ms in sorted(usual.items(), key=lambda x: -x[1]):
        if ms >= TIMES_USUAL * middle > 0:
            words = f"takes {ms:,.0f} ms by its {what}, the others {middle:,.0f} ms"
            yield SlowRank(rank, words, cite(facts.case, lines[rank], rank))


def _warned(facts: Facts) -> Iterator[SlowRank]:
    for record in facts.case.records.of("straggler.warning"):
        for rank in re.findall(r"\d+", record.fields.get("ranks", ""))[:64]:
            what = f"{record.fields.get('what', 'is slow')}, says the straggler detection"
            yield SlowRank(int(rank), what, cite(facts.case, record, int(rank)))


def _reported(facts: Facts) -> Iterator[SlowRank]:
    records = list(facts.case.records.of("megatron.straggler_report"))
    for field, what in (("max_data_rank", "waits longest for data"), ("min_clock_rank", "has the lowest GPU clock")):
        named = Counter(n for r in records if (n := r.number(field)) is not None)
        for rank, times in named.most_common(1):
            if times >= REPORTS and times >= SHARE * sum(named.values()):
                record = next(r for r in reversed(records) if r.number(field) == rank)
                words = f"{what} in {times} of {len(records)} straggler reports"
                yield SlowRank(rank, words, cite(facts.case, record, rank))


def _own_steps(facts: Facts) -> Iterator[SlowRank]:
    """Where each rank prints the time of its own steps; of steps that all wait for, all are equally slow."""
    usual: dict[int, float] = {}
    lines: dict[int, Record] = {}
    for series in facts.steps:
        rank = facts.identity.by_file.get(series.file)
        ms = durations(series)
        ms = ms[np.isfinite(ms) & (ms > 0)][1:]
        if rank is not None and rank not in usual and len(ms) >= REPORTS:
            usual[rank], lines[rank] = float(np.median(ms)), facts.case.records[int(series.rows[-1])]
    yield from _outliers(facts, usual, lines, "own steps")
