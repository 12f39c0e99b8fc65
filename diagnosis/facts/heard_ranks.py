"""Ranks that lines speak of in words that no format declares: which processes of the job a file tells of at all.

Read from the beginnings and the ends of files. Nothing is blamed on what is heard here: it only says who was there.
Each way of naming a rank is a row of rank_wordings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from logtui.diagnosis.facts.numbered_files import files_of_processes
from logtui.diagnosis.facts.rank_wordings import CODE, MAY_SAY, WORDINGS, WORDS, Wording
from logtui.diagnosis.facts.task_ranks import named_tasks
from logtui.parsers.clean import clean
from logtui.parsers.files.case import Case
from logtui.parsers.files.dates import affordable
from logtui.parsers.files.ends import both
from logtui.parsers.prefix.origin import read_origin
from logtui.parsers.records.shapes import ALIKE
from logtui.parsers.source import LogFile

HEAD_BYTES, TAIL_BYTES = 256 << 10, 64 << 10
"""Bytes at the two ends of a file that are looked at."""
MOST_BYTES = 8 * (HEAD_BYTES + TAIL_BYTES)
WIDTH = 1000
"""Characters of a line that are looked at."""
MOST = 1 << 16
OFTEN = 2
"""Lines of known forms behind a task's label that show that it is one."""
LABEL = "[rank "
"""By this word the wording is known that stands before lines as a label."""
FEWEST = 2
"""Different ranks from 0 on, without a gap, that speak of a job of several where no line says its size."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What the ends of files name, and how often."""

    named: Counter[int]
    written: frozenset[int]
    """Ranks that stand before lines as their writer: those are there, whatever the size."""
    labels: frozenset[int] = frozenset()
    """Those of labels like `[Rank 3]`, which are there where rank 0 is among them."""
    sure: frozenset[int] = frozenset()
    """Ranks that a launcher or a library names in words of its own."""

    @property
    def all_of_them(self) -> frozenset[int]:
        """Ranks from 0 on, without a gap: those that write, else those named; what is named once may come of lines that
        run into each other."""
        return self._numbered_on(0)

    def _numbered_on(self, first: int) -> frozenset[int]:
        often = frozenset(n for n, times in self.named.items() if times > 1)
        ways = (self.written, frozenset(self.named), often)
        return next((some for some in ways if _gapless(some, first) and self.sure <= some), frozenset())

    def within(self, size: int | None) -> frozenset[int]:
        """The ranks of a job of so many; of one whose size nobody knows those that are surely there: every job has a
        rank 0, other numbers may be of anything."""
        if size is None:
            together = self.all_of_them or self._numbered_on(1)  # the first may have nothing to say
            labelled = self.labels if 0 in self.labels else frozenset()
            return together | self.written | self.sure | labelled | ({0} & self.named.keys())
        return frozenset(n for n in self.named if n < size) | self.sure


def _gapless(ranks: frozenset[int], first: int = 0) -> bool:
    return len(ranks) >= FEWEST + first and min(ranks) == first and max(ranks) == len(ranks) - 1 + first


def _tasks(case: Case) -> frozenset[int]:
    """The labels of tasks that stand before lines of a known form, where they have no gap."""
    labels, times = np.unique(case.records.rows["task"], return_counts=True)
    found = frozenset(labels[(labels >= 0) & (labels < MOST) & (times >= OFTEN)].tolist())
    return found if _gapless(found) else frozenset()


def read_heard(case: Case, known: Container[int] = ()) -> Heard:
    """What files say of ranks, those that are `known` by their names what is sure; nothing of a part."""
    named, written, sure, own = Counter[int](), set[int](), set[int](), list[set[int]]()
    labels = set[int]()
    if case.share_read < 1.0:
        return Heard(named, frozenset())
    by_name = [f for f in case.files if f.index in known and len(case.files) > 1]
    for file in _affordable(by_name):
        sure |= {rank for line in _lines(file) for wording, rank in _named(line) if wording.sure}
    files = _affordable(f for f in case.files if f.index not in known or not by_name)
    first = max(HEAD_BYTES, MOST_BYTES // (len(files) or 1) - TAIL_BYTES)  # few files are read further
    for file in files:
        own.append(set())
        for line in _lines(file, first):
            origin = read_origin(line)
            written |= {origin.rank} if 0 <= origin.rank < MOST else set()
            found = list(_named(line))
            sure |= {rank for wording, rank in found if wording.sure}
            labels |= {rank for wording, rank in found if wording.word == LABEL}
            named.update({*(rank for _, rank in found), *written & {origin.rank}})
            own[-1] |= {rank for _, rank in found}
    sure |= _each_its_own(own)
    count = files_of_processes(case) if files else 0
    if not (named or written):  # each task is a process, and else each of the files that are numbered
        sure = sure or {*named_tasks(case)}
        named.update(_tasks(case) or sure or range(count))
    elif not written and len(named) < count and max(named) in (count - 1, count):  # some do not say who they are
        named.update(range(max(named) - count + 1, max(named) + 1))
    return Heard(named, frozenset(written), frozenset(labels), frozenset(sure))


def _affordable(files: Iterable[LogFile]) -> list[LogFile]:
    return affordable(files, HEAD_BYTES + TAIL_BYTES, MOST_BYTES)


def _each_its_own(named: Sequence[set[int]]) -> set[int]:
    """The ranks of files that name one each, and no two the same: each process writes its own, and says who it is."""
    ranks = [rank for found in named for rank in found]
    alone = len(ranks) == len(named) == len({*ranks}) and all(len(found) == 1 for found in named)
    return {*ranks} if alone and len(ranks) >= FEWEST else set()


def _named(line: str) -> Iterator[tuple[Wording, int]]:
    low = line.lower()
    found = ((one, m) for one in WORDINGS if one.word in low for m in one.regex.finditer(line))
    return ((one, int(rank)) for one, m in found for rank in m[1].split(", "))


def _lines(file: LogFile, first: int = HEAD_BYTES) -> Iterator[str]:
    """Lines of the ends of a file that may name a rank, but for those of a program's source."""
    telling = _Telling()
    for part in both(file, first, TAIL_BYTES):
        for raw in part.replace(b"\r", b"\n").split(b"\n") if _has_word(part) else ():
            if telling[raw.translate(ALIKE)]:
                yield clean(raw[:WIDTH])


class _Telling(dict[bytes, bool]):
    """Whether lines may name a rank, by what is the same of all that differ in digits alone."""

    def __missing__(self, mask: bytes) -> bool:
        self[mask] = tells = _has_word(mask) and bool(MAY_SAY.search(mask) and not CODE.search(mask))
        return tells


def _has_word(text: bytes) -> bool:
    low = text.lower()
    return any(map(low.__contains__, WORDS))
