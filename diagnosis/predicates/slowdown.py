"""Whether training became slow: by step lines that tell how long steps took, else by a progress bar's own clock.

One decision from which the rules about slow training draw; which clock counts is settled here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.evidence import cite, cite_unknown
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.slow_steps import BLOCK, Slow, slow_spans
from logtui.diagnosis.facts.steps import StepSeries, durations
from logtui.diagnosis.model.analyses import SlowRank
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.predicates.health import Sign, stands
from logtui.diagnosis.verdict.rule import Order
from logtui.parsers.clean import clean
from logtui.parsers.files.case import Case
from logtui.parsers.numbers import real, wholes_in
from logtui.parsers.pattern import Mark
from logtui.parsers.prefix.wrapping import unwrapped
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex
from logtui.parsers.source import OF_PROGRAMS

# -- By step lines: which steps count

LOOKED_AT = 4
"""Series that are asked, the longest first."""
LEAST_MS = 5_000.0
"""What slow steps cost at least: of steps of milliseconds some take long for no reason."""

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


def timed_series(case: Case, found: Sequence[StepSeries]) -> tuple[StepSeries, Mask] | None:
    """The longest series that tells how long steps took, and which of its steps count."""
    for series in found[:LOOKED_AT]:
        counted = counted_steps(case, series)
        if counted.sum() >= 2 * BLOCK and not _elapsed(durations(series)[counted]):
            return series, counted
    return None


GROWS, RISES, NEVER_FALLS, GROWN = 0.85, 0.3, 0.99, 8.0
"""A time that is longer than the one before on so many lines, or on fewer but shorter on hardly any, and so many times
as long in the end, is that since the start of the epoch: a step may slow down, and not so steadily."""


def _elapsed(ms: Floats) -> bool:
    """Whether a program prints how long it has run, and not how long a step took."""
    grown = np.diff(ms)
    rises = (grown > 0).mean()
    grows = rises >= GROWS or (rises >= RISES and (grown >= 0).mean() >= NEVER_FALLS)
    return bool(grows and ms.max() >= GROWN * ms.min())


def counted_steps(case: Case, series: StepSeries) -> Mask:
    """The steps of a series that hold nothing but training: not the first of a start, no evaluation, no checkpoint."""
    ms = durations(series)
    counted = np.isfinite(ms) & (ms > 0)
    begins = np.diff(series.steps, prepend=np.inf) < 0
    first = series.steps[np.flatnonzero(begins)[np.cumsum(begins) - 1]]
    counted &= series.steps != first  # every rank that writes into this file compiles in its first step
    rows = case.records.rows_marked(Mark.LENGTHENS_STEP)
    bumps = case.records.rows["line"][rows[case.records.rows["file"][rows] == series.file]]
    if len(bumps):
        ends = np.searchsorted(series.lines, bumps)
        counted[ends[ends < len(counted)]] = False
    return counted


# -- Single ranks: where a line or the ranks' own step times say so

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
        if rank is not None and real(score) < LOW_SCORE:
            yield SlowRank(rank, f"scores {score} of 1 in the straggler report", cite(facts.case, record, rank))


def _timed(facts: Facts) -> Iterator[SlowRank]:
    """Megatron's timers with one line a rank."""
    times: dict[int, list[float]] = defaultdict(list)
    longest: dict[int, tuple[float, Record]] = {}
    for record in facts.case.records.of("megatron.rank_timer"):
        rank, ms = record.number("timed_rank"), real(record.fields.get("ms", "nan"))
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
        for rank in wholes_in(record.fields.get("ranks", ""))[:64]:
            what = f"{record.fields.get('what', 'is slow')}, says the straggler detection"
            yield SlowRank(rank, what, cite(facts.case, record, rank))


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


# -- The decision, and a progress bar's own clock

BLOCKS = 2
"""Slow blocks of five steps before it is said: one alone is a checkpoint or an evaluation."""
MOST_STAGES = 3
"""Stages that are named each."""
AGAIN = 1.3
"""So many times as long as those of a few steps behind it, a slow stretch is over."""
LASTS = 10
"""Steps after a slow stretch at most for it to last until the end."""
MOST_FILES, MOST_BYTES = 4, 64 << 20
"""Files whose bars are read, and how large; a larger job has step lines that are declared."""
BARS = ("tqdm.start", "tqdm.end")

MOST_LINES = 20_000
"""Lines at the end of a file that are read."""
SEGMENTS, STRETCH, LASTING = 20, 3, 4
"""Equal parts of the way a bar went; so many together are its best pace; so many at the end make a change last."""
LEAST_S, LEAST_STEPS = 200.0, 60
"""A shorter bar tells nothing: its clock shows whole seconds."""
SLOW = 2.5
"""Times the best pace."""
_REFRESH = regex(
    r"\| *(?P<done>\d{1,9})/(?P<total>\d{1,9}) \[(?P<elapsed>(?:\d{1,4}:)?\d{1,2}:\d\d)<[\d:?]+, *[\d.]+(?:it/s|s/it)"
)
_OTHER = (
    "map", "load", "tokeni", "generat", "sav", "shard", "filter", "eval", "valid", "test", "process", "pack", "fetch",
    "infer", "captur", "compil", "autotun",
)  # fmt: skip
"""Words in the label of a bar that counts something else than steps of training."""
TAIL, LONGEST = 8, 2000
"""Lines at the end of a file in which a bar may stand, and characters of them that are looked at."""
LABEL = 60
"""Characters before a bar in which its label stands."""


@dataclass(frozen=True, slots=True)
class SlowBar:
    """A bar that became slow and stayed so."""

    file: int
    line: int
    """Where its first slow stretch begins."""
    first: int
    last: int
    """Steps of the slow stretch."""
    ratio: float
    """Seconds per step there, over the best ones before."""


@dataclass(slots=True)
class _Bar:
    """Refreshes of one bar: (step, seconds since it began, line)."""

    total: int
    points: list[tuple[int, float, int]]

    @property
    def seconds(self) -> float:
        return self.points[-1][1] - self.points[0][1]

    @property
    def steps(self) -> int:
        return self.points[-1][0] - self.points[0][0]


@dataclass(frozen=True, slots=True)
class Slowdown:
    """The worst stretch of slow steps."""

    first: int
    last: int
    """Its steps."""
    ratio: float
    """Seconds per step there, over the best ones before."""
    evidence: Evidence
    """The line at which it begins."""
    order: Order
    lasting: bool
    """Whether steps were slow until the end of what was read."""
    slow_ranks: tuple[SlowRank, ...] = ()
    stages: tuple[tuple[int, int, float], ...] = ()
    """First and last step of each stage of the stretch, and its ratio."""

    @property
    def words(self) -> str:
        """`steps 83–87 took 3.1 times the best, 88–92 took 5.4 times`."""
        stages = self.stages if 1 < len(self.stages) <= MOST_STAGES else ((self.first, self.last, self.ratio),)
        first, last, ratio = stages[0]
        others = "".join(f", {begin}–{end} took {times:.1f} times" for begin, end, times in stages[1:])
        return f"steps {first}–{last} took {ratio:.1f} times the best{others}"


def slow_by_steps(facts: Facts) -> Slowdown | None:
    """By step lines with times."""
    found = timed_series(facts.case, facts.steps)
    found = _recent(*found) if found is not None else None
    stretches = [s for s in _stretches(slow_spans(*found)) if _long(s)] if found is not None else []
    stretches = [spans for spans in stretches if _cost_ms(spans) >= LEAST_MS]
    if found is None or not stretches or _denied_by_bar(facts.case, found[0]):
        return None
    worst = max(stretches, key=lambda spans: max(s.ratio for s in spans))
    record = facts.case.records[worst[0].row]
    return Slowdown(
        worst[0].first,
        worst[-1].last,
        max(s.ratio for s in worst) + 1,
        cite(facts.case, record),
        record.order,
        _to_the_end(found[0], worst[-1]) and not _begins_anew(found[0], worst[0].row),
        slow_ranks(facts),
        tuple((s.first, s.last, s.ratio + 1) for s in worst),
    )


def _denied_by_bar(case: Case, series: StepSeries) -> bool:
    """Whether it is a bar that tells how long steps took, and its own clock shows no slower ones: what it tells is a
    moving mean, in which one long evaluation fades for many steps."""
    record = case.records[int(series.rows[-1])]
    told = case.text_at(record.file, record.offset, record.length)[-LONGEST:]
    return _REFRESH.search(told) is not None and slow_bar(case, series.file) is None


def _cost_ms(spans: Sequence[Slow]) -> float:
    """Milliseconds that slow steps took longer than the best ones would have."""
    return sum((s.mean_ms - s.best_ms) * (s.last - s.first + 1) for s in spans)


def _recent(series: StepSeries, counted: Mask) -> tuple[StepSeries, Mask]:
    """The last two rounds of a counter that begins anew: what an earlier run or epoch took may be another program's."""
    begins = np.flatnonzero(np.diff(series.steps) < 0) + 1
    if len(begins) < 2:
        return series, counted
    at = slice(int(begins[-2]), None)
    cut = replace(
        series,
        rows=series.rows[at],
        steps=series.steps[at],
        ms=series.ms[at],
        times=series.times[at],
        lines=series.lines[at],
    )
    return cut, counted[at]


def _to_the_end(series: StepSeries, slow: Slow) -> bool:
    """Whether hardly a step stands behind a slow stretch, and those few are as slow; of a counter that begins anew
    behind it, hardly a line."""
    at = int(np.searchsorted(series.rows, slow.row))
    at += int(np.argmax(series.steps[at:] == slow.last))
    behind, ms = series.steps[at:], durations(series)[at + 1 :]
    if np.isfinite(ms).sum() >= BLOCK and np.nanmedian(ms) * AGAIN < slow.mean_ms:
        return False
    anew = bool((np.diff(behind) < 0).any())
    return len(behind) - 1 <= LASTS if anew else int(behind[-1]) <= slow.last + LASTS


def _begins_anew(series: StepSeries, row: int) -> bool:
    """Whether a row stands right where the counter begins anew: then another run is slower, not this one."""
    begins = np.flatnonzero(np.diff(series.steps) < 0) + 1
    at = int(np.searchsorted(series.rows, row))
    return bool(len(begins)) and bool((np.abs(begins - at) <= BLOCK).any())


def _stretches(spans: Sequence[Slow]) -> list[list[Slow]]:
    """Spans one right after the other are one stretch, which became slow in stages."""
    found: list[list[Slow]] = []
    for span in spans:
        if found and span.first - found[-1][-1].last <= LASTS:
            found[-1].append(span)
        else:
            found.append([span])
    return found


def _long(spans: Sequence[Slow]) -> bool:
    return sum(span.steps for span in spans) >= BLOCKS * BLOCK


def slow_by_bar(facts: Facts) -> Slowdown | None:
    """By the clock of a bar, where no step line tells the time and nothing speaks of a failure."""
    if timed_series(facts.case, facts.steps) is not None or not stands(facts, Sign.PROGRESS):
        return None
    files = [f.index for f in facts.case.files if f.kind in OF_PROGRAMS and f.size <= MOST_BYTES]
    begun = {record.file for record in facts.case.records.of(*BARS)}
    with_bars = [f for f in files[:MOST_FILES] if f in begun or ends_in_bar(facts.case, f)]
    slow = [bar for f in with_bars if (bar := slow_bar(facts.case, f)) is not None]
    if not slow:
        return None
    worst = max(slow, key=lambda bar: bar.ratio)
    line = cite_unknown(facts.case, worst.file, worst.line)
    return Slowdown(worst.first, worst.last, worst.ratio, line, (0.0, worst.file, worst.line), True)


def slow_bar(case: Case, file: int) -> SlowBar | None:
    """The longest bar of a file, if its last fifth or more was much slower than the best before it. O(file)."""
    bars = _bars(case, file)
    longest = max(bars, key=lambda b: b.seconds, default=None)
    if longest is None or longest.seconds < LEAST_S or longest.steps < LEAST_STEPS:
        return None
    later = bars[bars.index(longest) + 1 :]
    if any(_is_faster(bar, longest) for bar in later) or (later and longest.points[-1][0] >= longest.total):
        return None
    points = np.array([(step, seconds) for step, seconds, _ in longest.points], dtype=np.float64)
    edges = np.linspace(points[0, 0], points[-1, 0], SEGMENTS + 1)
    pace = np.diff(np.interp(edges, points[:, 0], points[:, 1])) / np.diff(edges)
    begin, ratio = _lasting(pace)
    if begin is None or _by_design(points, float(edges[begin])):
        return None
    line = next(line for step, _, line in longest.points if step >= edges[begin])
    return SlowBar(file, line, int(edges[begin]), longest.points[-1][0], ratio)


EVEN, FEWEST, WITHIN = 0.05, 20, 0.1
"""Of the usual pace the middle half of a phase differs by less; states of a bar that show it; of a round step, so wide
is what its change lies in at most."""
ROUND = tuple(lead * 10**power for power in range(3, 9) for lead in (1, 2, 5))
"""Steps at which people let another phase begin."""


def _by_design(points: npt.NDArray[np.float64], slow_from: float) -> bool:
    """Whether the pace changes at a round step and is even from there on: another phase, and nothing that wears out."""
    pace = np.diff(points[:, 1]) / np.maximum(np.diff(points[:, 0]), 1.0)
    after = pace[points[1:, 0] >= slow_from]
    if len(after) < FEWEST:
        return False
    low, usual, high = np.quantile(after, (0.25, 0.5, 0.75))
    fast = np.flatnonzero(pace < usual * (1 - 4 * EVEN))
    if high - low > EVEN * usual or not len(fast) or fast[-1] + 2 >= len(points):
        return False
    last, first = points[fast[-1] + 1, 0], points[fast[-1] + 2, 0]  # of the fast ones, and of the slow ones
    return any(last - 1 <= step <= first and first - last <= WITHIN * step for step in ROUND)


FASTER = 0.8
"""Of the seconds a step took in a slow bar: a later bar below it is fast again."""


def _is_faster(later: _Bar, slow: _Bar) -> bool:
    alike = later.total == slow.total and later.steps >= LEAST_STEPS
    return alike and later.seconds / later.steps < FASTER * slow.seconds / slow.steps


def ends_in_bar(case: Case, file: int) -> bool:
    """Whether a bar stands in the last lines of a file."""
    last = case.bodies(file, max(1, case.line_count(file) - TAIL), TAIL + 1)
    return any(_REFRESH.search(text, max(0, len(text) - LONGEST)) for text in last)


def _lasting(pace: npt.NDArray[np.float64]) -> tuple[int | None, float]:
    """From which segment on all are slow, and how much; None where that is not so of the last ones."""
    blocks = np.convolve(pace, np.ones(STRETCH) / STRETCH, "valid")
    best = int(np.argmin(blocks))
    fast = np.flatnonzero(pace < SLOW * blocks[best])
    begin = int(fast[-1]) + 1
    if begin > SEGMENTS - LASTING or best + STRETCH > begin or blocks[best] <= 0:
        return None, 0.0
    return begin, float(pace[begin:].mean() / blocks[best])


def _bars(case: Case, file: int) -> list[_Bar]:
    """Every bar of training in a file; one ends where its count falls back or its total changes."""
    found: list[_Bar] = []
    for number, text in _with_pace(case, file):
        for m in _REFRESH.finditer(text):
            step, total, seconds = int(m["done"]), int(m["total"]), _seconds(m["elapsed"])
            last = found[-1].points[-1] if found else (0, 0.0, 0)
            begins = not found or found[-1].total != total or step < last[0] or seconds < last[1]
            label = text[max(0, m.start() - LABEL) : m.start()].lower()
            if (step == last[0] and not begins) or any(map(label.__contains__, _OTHER)):
                continue
            if begins:
                found.append(_Bar(total, []))
            found[-1].points.append((step, seconds, number))
    return found


def _with_pace(case: Case, file: int) -> Iterator[tuple[int, str]]:
    """Lines that may show a bar, as `bodies` has them, and their numbers: most others need not be cleaned."""
    first = max(case.first_line(file), case.line_count(file) - MOST_LINES + 1)  # how it ended counts
    wrapping = case.files[file].wrapping
    for number, (_, _, raw) in enumerate(case.placed(file, first, MOST_LINES), start=first):
        if b"it/s" in raw or b"s/it" in raw:
            yield number, clean(unwrapped(raw, wrapping))


def _seconds(clock: str) -> float:
    total = 0
    for part in clock.split(":"):
        total = total * 60 + int(part)
    return float(total)
