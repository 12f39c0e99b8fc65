"""What ranks and sources did, as numbers to compare or draw: last lines and step times, and known lines over time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.activity import KINDS, samples
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.identity import Identity
from logtui.diagnosis.facts.steps import StepSeries, durations
from logtui.diagnosis.verdict.timeline import SEVERITY
from logtui.parsers.pattern import Pattern, Trait
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.columns import AnyRows
from logtui.parsers.registry import registry

# -- Single ranks: last line, step time, whether they left a dump


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


Times = npt.NDArray[np.float64]
# -- Density: known lines of each source in columns of time, all records and not the thinned timeline

SEVERITIES = ("info", "warning", "error")
LETTERS = {"I": 0, "W": 1, "E": 2}
"""Severities of storage daemons."""
PLACED = (TimeFrom.ZONED, TimeFrom.DATED, TimeFrom.YEARLESS, TimeFrom.CLOCK, TimeFrom.NEIGHBOUR)


@dataclass(frozen=True, eq=False)
class CountLane:
    """The lines of one source: ascending times for each severity, on the workers' clock."""

    times: tuple[Times, Times, Times]
    running: tuple[tuple[float, float], ...] = ()
    """Spans that the files of a storage daemon's processes cover: in them it wrote, whether or not that is read."""

    @property
    def total(self) -> int:
        """Lines of all severities."""
        return sum(map(len, self.times))

    @property
    def span(self) -> tuple[float, float] | None:
        """First and last line."""
        ends = [(float(t[0]), float(t[-1])) for t in self.times if len(t)]
        return (min(a for a, _ in ends), max(b for _, b in ends)) if ends else None

    def silence(self, time: float) -> float:
        """Seconds between the last line before a time and the first one after it; 0 at either end."""
        before, after = -np.inf, np.inf
        for times in self.times:
            at = int(np.searchsorted(times, time))
            before = max(before, float(times[at - 1]) if at else -np.inf)
            after = min(after, float(times[at]) if at < len(times) else np.inf)
        return after - before if np.isfinite(after - before) else 0.0

    def runs_at(self, time: float) -> bool:
        """Whether a file of the daemon goes on before and after a time."""
        return any(start <= time <= end for start, end in self.running)

    def columns(self, start: float, end: float, width: int) -> list[tuple[int, int]]:
        """Per column how many lines, and the worst severity among them, -1 for none. O(width log lines)."""
        half = (end - start) / max(width - 1, 1) / 2
        edges = np.linspace(start - half, end + half, width + 1)
        counts = np.stack([np.diff(np.searchsorted(times, edges)) for times in self.times])
        worst = np.where(counts > 0, np.arange(len(SEVERITIES))[:, None], -1).max(axis=0)
        return list(zip(counts.sum(axis=0).tolist(), worst.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Density:
    """Lanes by source, and those of single ranks when they are asked for."""

    lanes: Mapping[str, CountLane]
    """worker, nccl, launcher, scheduler, kernel, steps; storage daemons by their names."""
    _order: npt.NDArray[np.int32]
    """Dated rows by rank."""
    _starts: npt.NDArray[np.int64]
    """Where in `_order` each rank begins."""
    _time: Times
    _severity: npt.NDArray[np.uint8]

    def of_rank(self, rank: int) -> CountLane:
        """One rank's lines."""
        if not 0 <= rank < len(self._starts) - 1:
            return CountLane((_NONE, _NONE, _NONE))
        rows = self._order[self._starts[rank] : self._starts[rank + 1]]
        return _lane(self._time[rows], self._severity[rows])


_NONE: Times = np.empty(0, np.float64)


def density(facts: Facts) -> Density:
    """Sort all dated records, and samples of all other lines; 3 s for ten million, most of it without holding the
    interpreter."""
    table = facts.case.records
    severity = np.array([_severity(p) for p in table.patterns] or [0], np.uint8)
    names, source = _sources(table.patterns)
    rows = np.flatnonzero(np.isfinite(table.rows["time"]) & np.isin(table.rows["time_from"], PLACED))
    found = table.rows[rows] if len(rows) < len(table.rows) else table.rows
    time, pattern = np.ascontiguousarray(found["time"]), found["pattern"]
    loud, of = severity[pattern], source[pattern]
    ranks = ranks_of_rows(facts.identity, found)
    others = _unknown_lines(facts, names)
    time, loud = np.append(time, others["time"]), np.append(loud, np.zeros(len(others), np.uint8))
    of, ranks = np.append(of, others["source"]), np.append(ranks, others["rank"])
    lanes = {name: _lane(time[of == n], loud[of == n]) for n, name in enumerate(names)}
    lanes = {name: lane for name, lane in lanes.items() if lane.total} | dict(_daemons(facts))
    order, starts = _counted_by_rank(ranks)
    return Density(lanes, order, starts, time, loud)


def _lane(time: Times, severity: npt.NDArray[np.uint8]) -> CountLane:
    parts = [np.sort(time[severity == n]) for n in range(len(SEVERITIES))]
    return CountLane((parts[0], parts[1], parts[2]))


def _severity(pattern: Pattern) -> int:
    return SEVERITIES.index(SEVERITY.get(pattern.role, "info"))


def _sources(patterns: Sequence[Pattern]) -> tuple[list[str], npt.NDArray[np.uint8]]:
    """Names of the sources, and the one of each pattern."""
    said = ["steps" if p.numeric else registry().source_of(p.area).value for p in patterns]
    names = sorted(set(said))
    return names, np.array([names.index(name) for name in said] or [0], np.uint8)


_UNKNOWN = np.dtype([("time", "f8"), ("source", "u1"), ("rank", "i8")])


def _unknown_lines(facts: Facts, names: Sequence[str]) -> npt.NDArray[np.void]:
    """Samples of the lines that no format knows: without them a busy file would look silent."""
    rows, files = facts.case.records.rows, facts.case.files
    found = [s for s in samples(facts.identity, facts.job.ended) if KINDS[files[s.file].kind] in names]
    key = np.array([s.file << 44 | s.offset for s in found], np.int64)
    known = rows["file"].astype(np.int64) << 44 | rows["offset"]
    source = [names.index(KINDS[files[s.file].kind]) for s in found]
    table = np.array([(s.time, n, s.rank) for s, n in zip(found, source, strict=True)], _UNKNOWN)
    other: npt.NDArray[np.void] = table[~np.isin(key, known)]
    return other


def _counted_by_rank(ranks: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    order = np.argsort(ranks, kind="stable").astype(np.int32)
    top = int(ranks.max()) + 1 if len(ranks) else 0
    return order, np.searchsorted(ranks[order], np.arange(top + 1))


def _daemons(facts: Facts) -> Iterator[tuple[str, CountLane]]:
    storage = facts.storage
    if storage is None:
        return
    said: dict[int, list[tuple[float, int]]] = {}
    for message in storage.logs.messages:
        if message.time is not None:
            said.setdefault(message.daemon, []).append((message.time, LETTERS.get(message.letter, 0)))
    for unknown in storage.logs.unknown:
        said.setdefault(unknown.daemon, []).extend((t, LETTERS.get(unknown.letter, 0)) for t in unknown.times)
    from logtui.parsers.daemons.reread import stats_times  # most jobs come without daemons

    shift = storage.clock.shift
    for daemon in storage.logs.daemons:
        if daemon.index in said:
            said[daemon.index] += [(t, 0) for t in stats_times(daemon)]
            time, severity = np.array(said[daemon.index], np.float64).T
            spans = ((f.start, f.end) for f in daemon.used)
            running = tuple((a + shift, b + shift) for a, b in spans if a is not None and b is not None)
            yield daemon.label, replace(_lane(time + shift, severity.astype(np.uint8)), running=running)
