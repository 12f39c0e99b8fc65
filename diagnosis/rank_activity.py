"""What single ranks did, as numbers to compare: their last line, their step time, whether they left a dump."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts import Facts
from logtui.diagnosis.identity import Identity
from logtui.diagnosis.steps import StepSeries, durations
from logtui.parsers.narrow import AnyRows
from logtui.parsers.pattern import Trait
from logtui.parsers.registry import registry


@dataclass(frozen=True, slots=True)
class RankActivity:
    """Per rank; a rank of which a number is not known is missing."""

    last_line: dict[int, float]
    """Seconds since the epoch: its last known line that is no alarm."""
    step_ms: dict[int, float]
    """Median milliseconds per step, by its own lines."""
    dumps: dict[int, str]
    """`read`, `written` (its log says so) or `missing` (others list the rank)."""


def rank_activity(facts: Facts) -> RankActivity:
    """Look through all records once; 0.3 s for ten million."""
    return RankActivity(_last_lines(facts.identity), _step_times(facts), _dumps(facts))


def ranks_of_rows(identity: Identity, rows: AnyRows) -> npt.NDArray[np.int64]:
    """The rank of each row, by its own prefix or by the file; -1 unknown."""
    ranks = rows["rank"].astype(np.int64)
    if identity.by_file:
        writers = np.full(max(len(identity.case.files), 1), -1, np.int64)
        writers[list(identity.by_file)] = list(identity.by_file.values())
        ranks = np.where(ranks >= 0, ranks, writers[rows["file"]])
    return ranks


def _last_lines(identity: Identity) -> dict[int, float]:
    table = identity.case.records
    silent = registry().areas_with(Trait.NO_SIGN_OF_LIFE)
    alarms = np.array([p.area in silent for p in table.patterns] or [False])
    rows, ranks = table.rows, ranks_of_rows(identity, table.rows)
    kept = (ranks >= 0) & ~alarms[rows["pattern"]] & np.isfinite(rows["time"])
    if not kept.any():
        return {}
    last = np.full(int(ranks.max()) + 1, -np.inf)
    np.maximum.at(last, ranks[kept], rows["time"][kept])
    return {int(rank): float(last[rank]) for rank in np.flatnonzero(np.isfinite(last))}


def _step_times(facts: Facts) -> dict[int, float]:
    """Of the longest series of each rank."""
    found: dict[int, float] = {}
    for series in facts.steps:
        for rank, own in _by_rank(facts.identity, series):
            ms = durations(own)
            ms = ms[np.isfinite(ms) & (ms > 0)]
            if rank not in found and len(ms) >= 2:
                found[rank] = float(np.median(ms))
    return found


def _by_rank(identity: Identity, s: StepSeries) -> Iterator[tuple[int, StepSeries]]:
    """A series taken apart by who printed it; lines of unknown ranks are left out."""
    ranks = ranks_of_rows(identity, identity.case.records.rows[s.rows])
    for rank in np.unique(ranks[ranks >= 0]).tolist():
        own = ranks == rank
        rows, steps, ms, times, lines = (a[own] for a in (s.rows, s.steps, s.ms, s.times, s.lines))
        yield int(rank), StepSeries(s.file, s.pattern, rows, steps, ms, times, lines, s.dated)


def _dumps(facts: Facts) -> dict[int, str]:
    found: dict[int, str] = {}
    if facts.dumps is not None:
        found = dict.fromkeys(facts.dumps.missing_ranks, "missing")
    for record in facts.case.records.of("pg.dump_written"):
        rank = facts.identity.rank_of(record)[0]
        if rank is not None:
            found[rank] = "written"
    if facts.dumps is not None:
        found |= dict.fromkeys(facts.dumps.joined.dumps.by_rank, "read")
    return found
