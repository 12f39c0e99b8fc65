"""What a job that still runs owes by its own pace: a hang seen minutes after it began, long before a watchdog speaks.

Every limit is the job's own: multiples of its usual interval between steps and of the longest pause that it survived.
Nothing here is a verdict; an alarm says what is late, by how much, and whose last words differ from all others'.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.last_words import Words
from logtui.diagnosis.facts.steps import FURTHER, StepSeries
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.predicates.odd_last_words import last_words_of, odd_last_words
from logtui.diagnosis.predicates.setup import largest_creation
from logtui.diagnosis.predicates.silence import fell_silent
from logtui.diagnosis.ranges import named_ranks
from logtui.parsers.pattern import Mark
from logtui.parsers.records.record import Record

LEAST_S = 120.0
"""Nothing is late before this: clocks, buffers and file systems delay lines so long."""
PACES = 12.0
"""So many usual intervals without a step are late."""
PAUSES = 2.0
"""And so many times the longest pause before it, evaluations and checkpoints included."""
TALKING = 4.0
"""How much more patience there is while ranks print lines of other kinds."""
LONG_SAVES = 10.0
"""A checkpoint or an evaluation that takes so many times its usual time is late."""
SETUP_S = 300.0
"""After so long, a rank that began to create the communicator and did not finish is late."""
ZONES_S = 900.0
"""Zones differ by whole quarters of an hour."""
MOST = 256
"""Ranks whose last words are compared."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something that is late."""

    kind: str
    """`steps-overdue`, `checkpoint-overdue`, `rank-silent`, `set-up-unfinished`: stable names."""
    what: str
    ranks: tuple[int, ...] = ()
    """Whose last words differ from the others'; empty where nobody's do."""
    evidence: Evidence | None = None
    """The last line before the silence."""
    late_s: float = 0.0


def alarms(facts: Facts, now: float) -> list[Alarm]:
    """What is late at a time by the logs' own clock; empty for a job that completed."""
    if facts.outcome.completed is not None:
        return []
    found = [*_steps(facts, now), *_silent(facts), *_setup(facts, now)]
    return sorted(found, key=lambda a: -a.late_s)


def _steps(facts: Facts, now: float) -> Iterator[Alarm]:
    series = next((s for s in facts.steps if len(np.unique(s.steps)) > 2 * FURTHER and s.dated), None)
    if series is None:
        return
    gaps, last, now = _gaps(series), float(series.times[-1]), now - _ahead_s(facts, series)
    if not len(gaps):
        return
    spoken = max((w.cited.time or 0.0 for w in _words(facts).values()), default=0.0)
    patience = TALKING if spoken > last + float(np.median(gaps)) + 1 else 1.0
    limit = patience * max(LEAST_S, PACES * float(np.median(gaps)), PAUSES * float(gaps.max()))
    kind, saving = "steps-overdue", _saving(facts, series)
    if saving is not None:
        kind, limit = "checkpoint-overdue", min(limit, max(LEAST_S, LONG_SAVES * _usual_save_s(facts, series)))
    if now - last > limit:
        yield _overdue(facts, series, saving, kind, now - last, float(np.median(gaps)))


def _ahead_s(facts: Facts, series: StepSeries) -> float:
    """How far the zone of other lines in its file is ahead of the steps' own: time then runs backwards in it."""
    rows = facts.case.records.rows
    times = rows["time"][(rows["file"] == series.file) & np.isfinite(rows["time"])]
    back = float(np.max(times[:-1] - times[1:], initial=0.0))
    return round(back / ZONES_S) * ZONES_S if np.max(times, initial=0.0) > series.times[-1] + ZONES_S / 2 else 0.0


def _overdue(facts: Facts, series: StepSeries, saving: Record | None, kind: str, late: float, usual: float) -> Alarm:
    odd = tuple(sorted(odd_last_words(facts, facts.seen_ranks[:MOST])))
    record = saving if saving is not None else facts.case.records[int(series.rows[-1])]
    who = f"; {named_ranks(odd)} ended with other words than the rest" if odd else ""
    what = "a checkpoint or an evaluation" if kind.startswith("checkpoint") else f"step {int(series.steps[-1]) + 1}"
    cited = _words(facts)[odd[0]].cited if odd else cite(facts.case, record)
    return Alarm(kind, f"{what} is {_time(late)} late, usual is {_time(usual)} a step{who}", odd, cited, late)


def _gaps(series: StepSeries) -> Floats:
    """Seconds between the lines of successive steps."""
    gaps = np.diff(series.times)
    return gaps[np.isfinite(gaps) & (gaps > 0)]


def _saving(facts: Facts, series: StepSeries) -> Record | None:
    """The line of a checkpoint or an evaluation that stands after the last step."""
    rows = facts.case.records.rows_marked(Mark.LENGTHENS_STEP)
    table = facts.case.records.rows
    later = rows[(table["file"][rows] == series.file) & (table["line"][rows] > series.lines[-1])]
    return facts.case.records[int(later[0])] if len(later) else None


def _usual_save_s(facts: Facts, series: StepSeries) -> float:
    """The usual pause between the steps around such a line; infinite where there was none before."""
    rows = facts.case.records.rows_marked(Mark.LENGTHENS_STEP)
    lines = facts.case.records.rows["line"][rows[facts.case.records.rows["file"][rows] == series.file]]
    at = np.searchsorted(series.lines, lines[lines < series.lines[-1]])
    pauses = (series.times[at] - series.times[np.maximum(at - 1, 0)])[at > 0]
    pauses = pauses[np.isfinite(pauses) & (pauses > 0)]
    return float(np.median(pauses)) if len(pauses) else float("inf")


def _words(facts: Facts) -> dict[int, Words]:
    return last_words_of(facts, set(facts.seen_ranks[:MOST]))


def _silent(facts: Facts) -> Iterator[Alarm]:
    found = fell_silent(facts)
    if found:
        ranks = tuple(sorted(s.rank for s in found))
        what = f"{named_ranks(ranks)} silent for {_time(found[0].seconds)} while the others go on"
        yield Alarm("rank-silent", what, ranks, found[0].words.cited, found[0].seconds)


def _setup(facts: Facts, now: float) -> Iterator[Alarm]:
    world = largest_creation(facts)
    if world is None or not world.left or facts.lived:
        return
    began = max((r.time or 0.0 for r in world.started.values()), default=0.0)
    if began and now - began > SETUP_S:
        few = world.left if len(world.left) <= world.size // 2 else ()
        who = named_ranks(world.left) if few else f"{len(world.left)} ranks"
        what = f"{who} of {world.size} did not finish creating the communicator for {_time(now - began)}"
        yield Alarm("set-up-unfinished", what, few, cite(facts.case, world.started[world.left[0]]), now - began)


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 180 else f"{seconds / 60:.0f} minutes"
