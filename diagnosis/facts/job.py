"""Job facts: framework, launcher, scale, start, last step, end; which ranks there should be and which were seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.identity import Identity
from logtui.diagnosis.facts.scale import MOST, derived_world_size, vote, with_field
from logtui.diagnosis.facts.stated_size import stated_size
from logtui.diagnosis.facts.votes import votes
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import JobFacts
from logtui.parsers.files.dates import (
    SPEAKING,
    Date,
    ahead_by,
    ahead_of_utc,
    dated_at,
    first_and_last,
    named_span,
    spread,
    told_to_the_minute,
    yearless_at,
    zone_of_stamps,
)
from logtui.parsers.files.ends import head
from logtui.parsers.files.told_days import MOST_BYTES, told_days
from logtui.parsers.pattern import Kind
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.columns import present
from logtui.parsers.registry import registry
from logtui.parsers.source import LogFile

SEVERAL = 4
"""Ranks of one file from which a gapless row is hardly chance."""
A_NODE, NODE_HEARD = 4, 0.8
"""GPUs of which nodes hold a multiple; the share of their ranks that must speak."""
FAR_S = 30 * 86400.0
"""No line of a job stands so far from all others that are known."""
_LOCAL = np.isin(np.arange(256), (TimeFrom.DATED, TimeFrom.YEARLESS))
_WITH_DATE = _LOCAL | (np.arange(256) == TimeFrom.ZONED)
"""By where a time is from."""
LONG_S = 90 * 86400.0
"""No matched line stands so far from the middle of them."""


def _text(identity: Identity, field: str) -> str | None:
    for record in with_field(identity, field):
        value = record.fields.get(field)
        if value:
            return value
    return None


def read_job(
    identity: Identity,
    last_step: int | None,
    seen: Sequence[int],
    heard: Collection[int] = (),
    called: int | None = None,
) -> JobFacts:
    """Everything established; None for what is not. `seen` are the ranks that left any trace, ascending; `heard` those
    that files name, where they are the ranks of a whole job; `called` are the workers that a launcher named."""
    found = identity.case.records.areas
    span = _span(identity)
    size = _world_size(identity, seen, heard)
    told = max(len(heard), called or 0)
    told = told if told > max(seen, default=-1) else 0
    job = JobFacts(
        id=_text(identity, "job_id") or _job_from_names(identity),
        framework=registry().title_of(Kind.FRAMEWORK, found),
        framework_version=_text(identity, "framework_version"),
        launcher=registry().title_of(Kind.LAUNCHER, found),
        scheduler=registry().title_of(Kind.SCHEDULER, found),
        world_size=size or told or None,
        size_is_heard=size is None and told > 0,
        nodes=vote(identity, "nodes"),
        gpus_per_node=vote(identity, "gpus_per_node"),
        started=span.started,
        ended=span.ended,
        zoned=span.zoned,
        ahead_s=span.ahead_s,
        resumed_from=_text(identity, "resumed_from"),
        last_step=last_step,
        data_source=_text(identity, "data_source"),
        pytorch=_text(identity, "pytorch"),
    )
    return _completed(identity, job)


def _world_size(identity: Identity, seen: Sequence[int], heard: Collection[int]) -> int | None:
    """As lines state it, or else as it follows from what they say, or from who speaks."""
    speaking = max(seen, default=-1) + 1
    stated = expected_ranks(identity)[0] or derived_world_size(identity, speaking)
    least = max(speaking, len(heard))
    if stated is None and identity.case.share_read >= 1.0:
        stated = stated_size(identity.case, least)
    return stated or (speaking if speaking == least and _all_of_them(identity, seen) else None)


def _all_of_them(identity: Identity, seen: Sequence[int]) -> bool:
    """Whether ranks without a gap, each with a file of its own or more than a few, are taken for the whole job."""
    if len(seen) > NODE_HEARD * (size := max(seen, default=-1) + 1) and size % A_NODE == 0 and len(seen) >= SEVERAL:
        return True  # whole nodes, of which some rank had nothing to say
    gapless = len(seen) > 1 and list(seen) == list(range(len(seen)))
    return gapless and (len(seen) >= SEVERAL or len(set(identity.by_file.values())) == len(seen))


def _completed(identity: Identity, job: JobFacts) -> JobFacts:
    hosts = len(set(identity.hosts.values()))
    nodes = job.nodes or (hosts or None)
    per_node = job.gpus_per_node
    if per_node is None and nodes and job.world_size and job.world_size % nodes == 0:
        per_node = job.world_size // nodes
    return replace(job, nodes=nodes, gpus_per_node=per_node)


def _job_from_names(identity: Identity) -> str | None:
    votes = Counter(f.hints.job for f in identity.case.files if f.hints.job)
    return votes.most_common(1)[0][0] if votes else None


MOST_ASKED = 64
"""Files that are asked for a date."""
AT_ONCE_S = 10.0
"""Lines that stand together are of one time, if they tell clocks that are so far from whole quarters of hours."""
SET_BACK_S = 1800.0
"""By which a clock is set back at least."""
FAR = 16 << 20
"""Bytes of all files in which the last date is looked for, where their ends show none."""


@dataclass(frozen=True, slots=True)
class _Span:
    """When a job began and ended, and how that is known."""

    started: float | None
    ended: float | None
    zoned: bool
    """Whether both are UTC; else they are of the clocks whose lines tell no zone."""
    ahead_s: float
    """Seconds by which those clocks are ahead of UTC, where lines tell that."""


def _span(identity: Identity) -> _Span:
    """First and last time of any line, as far as the ends of files show them, or of the matched ones between."""
    matched = _matched_span(identity)
    some = spread(identity.case.files) if identity.case.share_read >= 1.0 else []
    near = max((d.epoch for d in matched), default=None) or dated_at(some) or yearless_at(some)
    pairs = [first_and_last(file, near, FAR // len(some)) for file in some] if near is not None else []
    if {d.turned for pair in pairs for d in pair if d is not None} == {True}:
        matched = []  # their lines, read one by one, took the days for months
    if _borrowed(identity) and any(d.zoned for pair in pairs for d in pair if d is not None):
        all_zoned = all(d.zoned for pair in pairs for d in pair if d is not None)
        matched = [d._replace(zoned=True) for d in matched if all_zoned]  # else nobody knows whose clock they have
    dates = [*matched, *(d for pair in pairs for d in pair if d is not None)]
    kinds = {d.zoned for d in dates}
    ahead = _ahead(some, near, dates) if len(kinds) > 1 else 0.0
    known = [d.epoch + ahead * d.zoned for d in matched]
    reach = (min(known), max(known)) if known else (None, None)
    ends = [[t for pair in pairs if (t := _local(pair[at], ahead, reach)) is not None] for at in (0, 1)]
    first, last = min((*known, *ends[0]), default=None), max((*known, *ends[1]), default=None)
    if first is None:
        return _Span(*_told_otherwise(some), zoned=False, ahead_s=0.0)
    if last is not None and first > last:
        first = last  # a clock was set back between two runs: of the newest one no more is known
    return _Span(first, last, kinds == {True}, ahead)


def _told_otherwise(files: Sequence[LogFile]) -> tuple[float | None, float | None]:
    """First and last time of files in which no line is stamped, as far as they tell them in other ways."""
    to_the_minute = told_to_the_minute(files)
    if to_the_minute is not None:
        return to_the_minute
    days = told_days(head(file, MOST_BYTES // len(files)) for file in files)
    return days if days is not None else named_span(files)


def last_behind(files: Sequence[LogFile], begun: float) -> float | None:
    """The last date of the ends of files, where it may be of a run that began then; by the clocks of their lines."""
    lasts = (first_and_last(file, begun)[1] for file in spread(files))
    return max((d.epoch for d in lasts if d is not None and begun <= d.epoch <= begun + FAR_S), default=None)


def last_of_set_back(files: Sequence[LogFile], begun: float | None, *dates: float | None) -> float | None:
    """The last date of a lone file whose clock was set back before its newest run, which began then; None where that
    is not so: the latest of the other dates is an older run's."""
    last = first_and_last(files[0], begun)[1] if begun is not None and len(files) == 1 else None
    latest = max((date for date in dates if date is not None), default=0.0)
    return last.epoch if last is not None and begun is not None and begun <= last.epoch < latest - SET_BACK_S else None


def _local(date: Date | None, ahead: float, reach: tuple[float | None, float | None]) -> float | None:
    """A date by the clock without a zone, if it may be the job's."""
    time = date.epoch + ahead * date.zoned if date is not None else None
    return time if time is not None and is_plausible(time, *reach) else None


def _ahead(files: Sequence[LogFile], near: float | None, dates: Sequence[Date]) -> float:
    """By how much what has no zone is ahead of what has one: as lines show that stand together, as the zone itself says
    that some bear, or as both began and both ended; else 0."""
    ahead = ahead_of_utc(files, near, AT_ONCE_S)
    ahead = zone_of_stamps(files) if ahead is None else ahead
    ahead = ahead_of_utc(files, near) if ahead is None else ahead
    if ahead is not None:
        return ahead
    pairs = [[edge(d for d in dates if d.zoned == kind) for kind in (False, True)] for edge in (min, max)]
    told = {ahead_by(local, zoned) for local, zoned in pairs}
    return (told.pop() or 0.0) if len(told) == 1 else 0.0


def is_plausible(time: float, started: float | None, ended: float | None) -> bool:
    """Whether a line of that time may be the job's: none is, weeks away from all that is known of it."""
    return started is None or ended is None or started - FAR_S <= time <= ended + FAR_S


def _borrowed(identity: Identity) -> bool:
    """Whether no matched line bears a date itself: what they have is that of others, and has a zone if those have."""
    return not _WITH_DATE[identity.case.records.rows["time_from"]].any()


def _matched_span(identity: Identity) -> list[Date]:
    """First and last time that stand in matched lines, or before them, of either kind; not those of a file whose times
    have no date."""
    rows = identity.case.records.rows
    source = rows["time_from"]
    told = _WITH_DATE[source]
    if (near := source == TimeFrom.NEIGHBOUR).any():
        undated = [*np.unique(rows["file"][source == TimeFrom.CLOCK]).tolist(), *_without_date(identity, told, near)]
        told |= near & ~np.isin(rows["file"], undated) if len(undated) else near
    told &= told.any() and np.isfinite(rows["time"])
    if not told.any():
        return []
    middle = np.quantile(rows["time"][told], 0.5, method="higher")  # one that is told, not the mean of two years apart
    told &= np.abs(rows["time"] - middle) <= LONG_S  # a date that a program prints of something else is none
    zoned, local = told & (source == TimeFrom.ZONED), told & _LOCAL[source]
    if zoned.any() and local.any():  # a neighbour's time may be of either kind
        return [*_edges(rows["time"][zoned], zoned=True), *_edges(rows["time"][local], zoned=False)]
    return _edges(rows["time"][zoned if zoned.any() else told], zoned=bool(zoned.any()))


def _without_date(identity: Identity, told: npt.NDArray[np.bool_], near: npt.NDArray[np.bool_]) -> Iterator[int]:
    """Files whose matched lines have all their times of lines above, which may be times of day: no line dates one."""
    files = identity.case.records.rows["file"]
    doubtful = np.setdiff1d(files[near], files[told])[:MOST_ASKED]
    yield from (f for f in doubtful.tolist() if first_and_last(identity.case.files[f]) == (None, None))


def _edges(times: npt.NDArray[np.float64], *, zoned: bool) -> list[Date]:
    return [Date(float(times.min()), zoned), Date(float(times.max()), zoned)]


def expected_ranks(identity: Identity) -> tuple[int | None, Evidence | None]:
    """How many ranks there should be: the size most lines agree on, and the first line that says it."""
    records = identity.case.records
    said = votes(records, "world_size", MOST - 1)
    best = said.best
    if best is None or max(seen_ranks(identity), default=-1) >= best:
        return None, None
    return best, cite(identity.case, records[said.rows[best]])


def seen_ranks(identity: Identity) -> tuple[int, ...]:
    """Ranks that any line, file name or map speaks for."""
    rows = identity.case.records.rows
    seen = {rank for rank in present(rows["rank"]) if rank >= 0}
    seen |= set(identity.by_file.values()) | set(identity.by_pid.values()) | set(identity.by_local.values())
    seen |= _labelled(identity)
    labels = {task for task in present(rows["task"]) if task >= 0}
    seen |= {identity.by_task[t] for t in labels if t in identity.by_task}
    return tuple(sorted(seen))


def _labelled(identity: Identity) -> set[int]:
    """Ranks of a launcher's labels, which may stand before lines that name no rank."""
    records = identity.case.records
    rows = np.flatnonzero((records.rows["local_rank"] >= 0) & (records.rows["rank"] < 0))
    _, first = np.unique(records.rows[rows][["file", "host", "task", "local_rank"]], return_index=True)
    found = (identity.rank_of(records[int(row)])[0] for row in rows[first])
    return {rank for rank in found if rank is not None}


def one_file_for_all(files: Iterable[LogFile]) -> bool:
    """Whether files that name neither rank nor node hold what the ranks say: who is not in them is not lost."""
    own = [f.hints for f in files if f.kind in SPEAKING]
    named = any(h.rank is not None or h.node is not None or h.task is not None or h.local_rank is not None for h in own)
    return bool(own) and not named and not all(h.host for h in own)
