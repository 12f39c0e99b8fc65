"""Runs appended to one file without a word of the launcher: after an exception, the file's first lines come again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from logtui.parsers.case import Case
from logtui.parsers.pattern import Trait
from logtui.parsers.registry import registry
from logtui.parsers.source import FileKind, LogFile

HEAD, OPENING = 60, 8
"""Lines at the start of a file that are read; telling ones among them that are kept."""
AGAIN = 3
"""So many of them, each said once before, must come again."""
REACH = 150
"""Lines after the header of a traceback in which they must come."""
SHORTEST = 16
"""Characters of a line that tells anything."""
MOST_FILES, MOST_LOOKED_AT, MOST_BYTES = 8, 64, 8 << 20
"""Files that are read, tracebacks of one that are looked at first, and how large it is: runs are appended to the log of
a script, not of a large job."""
OF_PROGRAMS = frozenset({FileKind.WORKER, FileKind.UNKNOWN})
_TRACEBACK = re.compile(r'^\s*(?:Traceback \(most|File ")|^\s*[~^]+\s*$|^\w*(?:\.\w+)*(?:Error|Exception|Warning)\b')
_DIGITS = re.compile(r"\d+")

Rows = npt.NDArray[np.intp]


def begun_again(case: Case) -> Rows:
    """Rows of the first records of runs that begin like the first one after an exception ended another, ascending."""
    raised = case.records.indices("py.traceback")
    files = np.unique(case.records.rows["file"][raised])
    if len(files) > MOST_FILES:
        return np.array([], np.intp)
    small = [f for f in (case.files[int(i)] for i in files) if f.kind in OF_PROGRAMS and f.size <= MOST_BYTES]
    found = [row for file in small for row in _in_file(case, file, raised)]
    return np.array(sorted(found), np.intp)


def _in_file(case: Case, file: LogFile, raised: Rows) -> Iterator[int]:
    rows = case.records.rows
    whole = case.records.rows_of_file(file.index)
    if _many_write(case, whole):
        return  # their starts are no new runs
    mine = raised[(raised >= whole.start) & (raised < whole.stop)]
    lines = rows["line"][whole]
    for start in _starts(case, file.index, [int(rows["line"][row]) for row in mine.tolist()]):
        at = int(np.searchsorted(lines, start))
        if at < len(lines):
            yield whole.start + at


def _many_write(case: Case, whole: slice) -> bool:
    """Whether lines of a file are labelled as several processes', or a launcher of several speaks in it."""
    mine = case.records.rows[whole]
    labelled = any(len(np.unique(mine[by][mine[by] >= 0])) > 1 for by in ("rank", "local_rank", "task"))
    areas = {case.records.patterns[p].area for p in np.unique(mine["pattern"]).tolist()}
    return labelled or not areas.isdisjoint(registry().areas_with(Trait.ONE_OUTPUT))


def _comes_again(case: Case, file: int, opening: frozenset[str], header: int) -> bool:
    """Whether enough of the opening stands after a header at all: what came before it need not be read otherwise."""
    after = {_masked(text) for text in case.bodies(file, header + 1, REACH)}
    return len(after & opening) >= AGAIN


def _opening(case: Case, file: int, header: int) -> frozenset[str]:
    """Lines that stand once at the start of a file, before its first traceback, digits aside."""
    head = case.bodies(file, 1, min(HEAD, header - 1))
    telling = [m for text in head if (m := _masked(text)) is not None]
    counts = Counter(telling)
    return frozenset([m for m in telling if counts[m] == 1][:OPENING])


def _masked(text: str) -> str | None:
    text = text.strip()
    return None if len(text) < SHORTEST or _TRACEBACK.match(text) else _DIGITS.sub("#", text)[:400]


def _starts(case: Case, file: int, headers: list[int]) -> Iterator[int]:
    """First lines of later runs: not long after a traceback's header, what the run before said once is said again."""
    opening = _opening(case, file, headers[0]) if headers else frozenset()
    if len(opening) < AGAIN or not any(_comes_again(case, file, opening, h) for h in headers[:MOST_LOOKED_AT]):
        return
    counts: Counter[str] = Counter()
    once: frozenset[str] = frozenset()
    seen: dict[str, int] = {}
    ends, header = set(headers), 0
    for number, text in enumerate(case.bodies(file, 1, headers[-1] + REACH), start=1):
        if number in ends:
            header, seen = number, {}
            once = frozenset(line for line in opening if counts[line] == 1)
        elif (line := _masked(text)) in opening and line is not None:
            counts[line] += 1
            if line in once and number <= header + REACH:
                seen.setdefault(line, number)
            if len(seen) >= AGAIN:
                yield min(seen.values())
                counts, once, seen = Counter(seen.keys()), frozenset(), {}
