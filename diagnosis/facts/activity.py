"""When files were written to, by all their lines and not only those that some format knows: samples, where time passes.

A file is asked at its ends, then in the middle of whatever stretch holds the most time, until no stretch of many bytes
holds much of it. What is silent between two samples is silent in the file.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field

from logtui.diagnosis.facts.census import Dating, has_clock
from logtui.diagnosis.facts.identity import Identity
from logtui.diagnosis.facts.speakers import Speakers
from logtui.parsers.errors import LogtuiError
from logtui.parsers.files.excerpts import Stretch, lines_of
from logtui.parsers.files.lines import LineReader
from logtui.parsers.source import FileKind, LogFile

PROBE_BYTES = 4096
"""Looked at for each sample."""
LEAST_BYTES = 512
"""A stretch that is not cut any more: a few lines."""
PROBES = 6000
"""Of all files together: less than a second."""
MOST_OF_A_FILE = 400
PACKED_BYTES = 4 << 20
"""Of text in a packed file that is unpacked for this."""
SHARE = 400
"""Time that a stretch may hold unasked: this part of the whole, less than a column of the screen."""
KINDS = {
    FileKind.WORKER: "worker", FileKind.UNKNOWN: "worker", FileKind.LAUNCHER: "launcher",
    FileKind.SCHEDULER: "scheduler", FileKind.KERNEL: "kernel",
}  # fmt: skip
"""Kinds of files, and the lanes of what is written there."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One line with a time."""

    file: int
    offset: int
    time: float
    rank: int
    """-1 unknown."""


def samples(identity: Identity, about: float | None) -> list[Sample]:
    """Dated lines of all files, spread over their time; `about` is a time of the job, for stamps without a year."""
    case, dating, speakers = identity.case, Dating(identity.case, about), Speakers(identity)
    files = [f for f in case.files if f.kind in KINDS and f.size]
    most = min(MOST_OF_A_FILE, PROBES // max(len(files), 1))
    found: list[Sample] = []
    for file in files if most > 1 else ():
        index = case.indexes.get(file.index)
        size = index.end if index is not None else file.size
        if not file.in_place and size > PACKED_BYTES:
            continue
        try:
            with closing(case.new_reader(file.index)) as reader:
                found += _Asked(reader, file, dating, speakers).spread(size, most)
        except (LogtuiError, OSError):
            continue
    return found


@dataclass
class _Asked:
    """One file, and what was found in it."""

    reader: LineReader
    file: LogFile
    dating: Dating
    speakers: Speakers
    found: dict[int, Sample] = field(default_factory=dict)

    def spread(self, size: int, most: int) -> list[Sample]:
        """Up to `most` probes; the stretch with the most time is asked next."""
        first, last = self._probe(0), self._probe(max(size - PROBE_BYTES, 0))
        if first is None or last is None:
            return list(self.found.values())
        enough = abs(last[1].time - first[0].time) / SHARE
        waiting: list[tuple[float, int, Sample, int, Sample]] = []
        self._queue(waiting, enough, first[1], last[0])
        while waiting and most > 2:
            *_, before, _, after = heapq.heappop(waiting)
            most -= 1
            between = self._probe((before.offset + after.offset) // 2)
            if between is not None:
                self._queue(waiting, enough, before, between[0])
                self._queue(waiting, enough, between[1], after)
        return list(self.found.values())

    @staticmethod
    def _queue(
        waiting: list[tuple[float, int, Sample, int, Sample]], enough: float, before: Sample, after: Sample
    ) -> None:
        passed = abs(after.time - before.time)
        if passed > enough and after.offset - before.offset > LEAST_BYTES:
            heapq.heappush(waiting, (-passed, before.offset, before, after.offset, after))

    def _probe(self, offset: int) -> tuple[Sample, Sample] | None:
        """The first and the last dated line of a few."""
        dated = list(self._dated(Stretch(offset, offset + PROBE_BYTES)))
        for sample in dated:
            self.found[sample.offset] = sample
        return (dated[0], dated[-1]) if dated else None

    def _dated(self, stretch: Stretch) -> Iterator[Sample]:
        own = self.speakers.owner(self.file)
        for offset, raw in lines_of(self.reader, stretch):
            stamp = self.dating.time(self.file.index, raw) if has_clock(raw) else None
            if stamp is not None:
                writer = own if own is not None else self.speakers.of(self.file, raw)
                yield Sample(self.file.index, offset, stamp.epoch, max(writer, -1))
