"""Clocks of the ranks against each other, and the date that text logs often lack."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from logtui.diagnosis.flight_recorder.joined import Group, Joined

MAX_SAMPLES = 200
"""Newest common collectives compared; older ones say little about the clocks at the end."""
MIN_SAMPLES = 3
_NS = 1e9


@dataclass(frozen=True, slots=True)
class Skew:
    """One rank's clock against the median rank's, by when they launched the same collectives.

    A rank that is always late to launch looks like one whose clock is ahead; milliseconds mean nothing.
    """

    rank: int
    offset_s: float
    residual_s: float
    """Median deviation from the offset."""
    samples: int

    def as_dict(self) -> dict[str, object]:
        """For the report."""
        return {"rank": self.rank, "offset_s": self.offset_s, "residual_s": self.residual_s, "samples": self.samples}


def clock_skews(joined: Joined) -> tuple[Skew, ...]:
    """Offsets of all ranks that share enough collectives of one group; the largest group is used."""
    for group in sorted(joined.groups, key=lambda group: -len(group.logs)):
        if len(group.logs) > 1 and (skews := _of_group(group)):
            return skews
    return ()


def _of_group(group: Group) -> tuple[Skew, ...]:
    ranks = sorted(group.logs)
    common = group.logs[ranks[0]].seq
    for rank in ranks[1:]:
        common = np.intersect1d(common, group.logs[rank].seq)
    common = common[-MAX_SAMPLES:]
    if len(common) < MIN_SAMPLES:
        return ()
    launched = np.array([_launched(group, rank, common) for rank in ranks], np.int64)
    base = launched[0].copy()
    late = launched - base
    late = late - np.median(late, axis=0)
    offsets = np.median(late, axis=1)
    residuals = np.median(np.abs(late - offsets[:, None]), axis=1)
    return tuple(
        Skew(rank, round(float(offset) / _NS, 6), round(float(residual) / _NS, 6), len(common))
        for rank, offset, residual in zip(ranks, offsets, residuals, strict=True)
    )


def _launched(group: Group, rank: int, seqs: np.typing.NDArray[np.int64]) -> np.typing.NDArray[np.int64]:
    log = group.logs[rank]
    units = log.unit[np.searchsorted(log.seq, seqs)]
    return log.dump.entries.created_ns[log.units.first[units]]


def time_span(joined: Joined) -> tuple[float, float] | None:
    """First and last launch in the dumps, in seconds since the epoch: wall clock, with date and zone."""
    known = [d.entries.created_ns[d.entries.created_ns > 0] for d in joined.dumps.dumps]
    firsts = [int(times.min()) for times in known if len(times)]
    lasts = [int(times.max()) for times in known if len(times)]
    return (min(firsts) / _NS, max(lasts) / _NS) if firsts else None
