"""Whether training became slow: by step lines that tell how long steps took, else by a progress bar's own clock.

One decision from which the rules about slow training draw; which clock counts is settled here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.evidence import cite, cite_unknown
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.findings import Evidence, SlowRank
from logtui.diagnosis.health import OF_PROGRAMS, Sign, stands
from logtui.diagnosis.pace.changes import timed_series
from logtui.diagnosis.pace.slow_ranks import slow_ranks
from logtui.diagnosis.rule import Order
from logtui.diagnosis.steps import slow_spans
from logtui.parsers.case import Case

BLOCKS = 2
"""Slow blocks of five steps before it is said: one alone is a checkpoint or an evaluation."""
LASTS = 10
"""Steps after a slow stretch at most for it to last until the end."""
MOST_FILES, MOST_BYTES = 4, 64 << 20
"""Files whose bars are read, and how large; a larger job has step lines that are declared."""
BARS = ("tqdm.start", "tqdm.end")

MOST_LINES = 20_000
"""Lines of a file that are read."""
SEGMENTS, STRETCH, LASTING = 20, 3, 4
"""Equal parts of the way a bar went; so many together are its best pace; so many at the end make a change last."""
LEAST_S, LEAST_STEPS = 200.0, 60
"""A shorter bar tells nothing: its clock shows whole seconds."""
SLOW = 1.8
"""Times the best pace."""
_REFRESH = re.compile(
    r"\| *(?P<done>\d{1,9})/(?P<total>\d{1,9}) \[(?P<elapsed>(?:\d{1,4}:)?\d{1,2}:\d\d)<[\d:?]+, *[\d.]+(?:it/s|s/it)"
)
_OTHER = re.compile(r"map|download|load|tokeni|generat|sav|shard|filter|eval|valid|test|process|pack|fetch|infer", re.I)
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


def slow_by_steps(facts: Facts) -> Slowdown | None:
    """By step lines with times."""
    found = timed_series(facts.case, facts.steps)
    spans = [s for s in slow_spans(*found) if s.last - s.first >= 5 * BLOCKS - 1] if found is not None else []
    if found is None or not spans:
        return None
    worst = max(spans, key=lambda s: s.ratio)
    record = facts.case.records[worst.row]
    return Slowdown(
        worst.first,
        worst.last,
        worst.ratio + 1,
        cite(facts.case, record),
        (record.time or 0.0, record.file, record.line),
        int(found[0].steps[-1]) <= worst.last + LASTS,
        slow_ranks(facts),
    )


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
    longest = max(_bars(case, file), key=lambda b: b.seconds, default=None)
    if longest is None or longest.seconds < LEAST_S or longest.steps < LEAST_STEPS:
        return None
    points = np.array([(step, seconds) for step, seconds, _ in longest.points], dtype=np.float64)
    edges = np.linspace(points[0, 0], points[-1, 0], SEGMENTS + 1)
    pace = np.diff(np.interp(edges, points[:, 0], points[:, 1])) / np.diff(edges)
    begin, ratio = _lasting(pace)
    if begin is None:
        return None
    line = next(line for step, _, line in longest.points if step >= edges[begin])
    return SlowBar(file, line, int(edges[begin]), longest.points[-1][0], ratio)


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
    for number, text in enumerate(case.bodies(file, 1, MOST_LINES), start=1):
        for m in _REFRESH.finditer(text) if "/it" in text or "it/s" in text else ():
            if _OTHER.search(text, max(0, m.start() - LABEL), m.start()):
                continue
            step, total, seconds = int(m["done"]), int(m["total"]), _seconds(m["elapsed"])
            last = found[-1].points[-1] if found else (0, 0.0, 0)
            if not found or found[-1].total != total or step < last[0] or seconds < last[1]:
                found.append(_Bar(total, []))
            elif step == last[0]:
                continue
            found[-1].points.append((step, seconds, number))
    return found


def _seconds(clock: str) -> float:
    total = 0
    for part in clock.split(":"):
        total = total * 60 + int(part)
    return float(total)
