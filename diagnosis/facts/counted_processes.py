"""Processes that lines number in words nobody declared: `Processor 3`, `process 0 sent`, `MPI STOP 12`.

What is read is learnt from the file itself: the numbers that stand behind one and the same word must be all from 0, or
from 1, without a gap, so many as the job has processes where a line says that.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from logtui.parsers.files.case import Case
from logtui.parsers.files.dates import affordable
from logtui.parsers.files.ends import both
from logtui.parsers.source import OF_PROGRAMS

HEAD_BYTES, TAIL_BYTES = 256 << 10, 64 << 10
"""Bytes at the two ends of a file that are looked at."""
MOST_BYTES, MOST = 8 * (HEAD_BYTES + TAIL_BYTES), 1 << 16
FEWEST = 2
"""Different numbers behind a word."""
_COUNTED = re.compile(
    rb"(?i)(?<![\w.-])(?<!data )(?<!loader )(?<!env )(?<!os )"
    rb"(process(?:or)?|proc|pe|mpi (?:rank|proc(?:ess)?|task|stop)|worker(?: name)?|replica"
    rb"|(?:spawn|fork)(?:process|poolworker)"
    rb"|my(?:_?(?:id|rank|pe|proc))|(?:(?<=\n)|(?<=client )|(?<= from ))client)"
    rb"(?:[ \t]{0,2}(?:#|:|=|no\.|id)|-|[_.])?[ \t]{0,24}(?:(?!spawnp|forkp)[\w.]{1,30}-)?"
    rb"(\d{1,5})(?![\w%]|[.:/]\d|-\d)"
)
MANY = 16
"""Different numbers that processes would hardly say in order, each more than once."""
_OF_ALL = re.compile(
    rb"(?i)(?<![\w.-])(?:process(?:or)?|proc|pe|rank)[ :#=]{0,3}(\d{1,5}) ?(?:of|out of|/) ?(\d{1,5})(?![\d.:/%])"
)
"""`process 3 of 8`: a number and that of all."""
_SPEAKS_OF = re.compile(
    rb"(?i)proc|\bpe\b|mpi |rank |my_?(?:id|rank|pe)|worker|replica|\nclient |(?:client|from) client"
)
_LABEL = re.compile(rb"(?m)^ {0,5}(\d{1,5}): (?=\S)")
"""What srun and prun put before each line of a task, where most lines have it."""
MOSTLY = 0.5
_SPAWNED = frozenset({b"spawnprocess", b"forkprocess", b"spawnpoolworker", b"forkpoolworker"})
"""Python's names of processes: those that say nothing are there all the same."""


def counted_processes(case: Case, size: int | None) -> frozenset[int]:
    """The numbers of a job's processes, from 0, as its lines count them; `size` is how many it is said to have, if any
    line says it.

    None are found in a job of which only a part was read.
    """
    if case.share_read < 1.0:
        return frozenset()
    files = affordable((f for f in case.files if f.kind in OF_PROGRAMS), HEAD_BYTES + TAIL_BYTES, MOST_BYTES)
    told: dict[bytes, Counter[int]] = defaultdict(Counter)
    of_all: dict[int, set[int]] = defaultdict(set)
    for file in files:
        for part in both(file, HEAD_BYTES, TAIL_BYTES):
            speaks = part if _SPEAKS_OF.search(part) else b""
            for word, number in _COUNTED.findall(speaks):
                told[b" ".join(word.lower().split())][int(number)] += 1
            for number, size_said in _OF_ALL.findall(speaks):
                of_all[int(size_said)].add(int(number))
            stood = [*map(int, _LABEL.findall(part))]
            labels = Counter(() if _in_order(stood) else stood)
            if labels and min(labels.values()) >= FEWEST and labels.total() >= MOSTLY * part.count(b"\n"):
                told[_LABEL.pattern] += labels
    if size is None and (said := [n for n, numbers in of_all.items() if n >= FEWEST and numbers == {*range(n)}]):
        return frozenset(range(max(said)))
    ways = sorted((frozenset(c) for c in told.values()), key=len, reverse=True)
    spawned = frozenset(n for word in _SPAWNED & told.keys() for n in told[word])
    if len(spawned) >= FEWEST:
        return frozenset(range(len(spawned)))
    found = next((w for w in ways if _all_of_them(w, size)), frozenset[int]())
    first = min(found, default=0) if size is None or len(found) == size else 0
    return frozenset(n - first for n in found)


def _in_order(numbers: Sequence[int]) -> bool:
    """Whether many numbers only grow, each said several times: they count what is worked on, and speak in no turn."""
    return len({*numbers}) >= MANY and len(numbers) > len({*numbers}) and all(a <= b for a, b in pairwise(numbers))


def _all_of_them(numbers: Iterable[int], size: int | None) -> bool:
    """Whether numbers are those of all processes of a job, from 0 or from 1."""
    ordered = sorted(numbers)
    if len(ordered) < FEWEST or ordered[0] > 1 or ordered[-1] >= MOST or ordered[-1] - ordered[0] + 1 != len(ordered):
        return False
    led = ordered[0] == 1 and ordered[-1] + 1 == size  # by rank 0, which gives the others their work
    return size is None or len(ordered) == size or led
