"""Progress learnt from the files themselves, as records beside those of declared formats.

Where no declared step line stands in a program's file, its own counter is looked for (`counters`) and its lines become
records of `LEARNT`: whatever asks for steps, of pace, recovery, attempts or the last step, finds them with their lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np

from logtui.diagnosis.facts.counters import Counter, read_counter
from logtui.parsers.clean import clean
from logtui.parsers.files.case import Case
from logtui.parsers.files.lines import Placed
from logtui.parsers.prefix.origin import read_origin
from logtui.parsers.prefix.stamp import TimeFrom, stamp_near
from logtui.parsers.prefix.wrapping import unwrapped
from logtui.parsers.records.columns import cells, wide
from logtui.parsers.records.learnt import LEARNT
from logtui.parsers.records.record import ROW, RecordTable, Rows
from logtui.parsers.source import OF_PROGRAMS, LogFile

MOST_FILES = 16
"""Files that are looked at, the largest first; a larger job has step lines that are declared."""
ENDS, WINDOWS, WINDOW = 1500, 20, 100
"""Lines at both ends of a file that are read, and stretches between them, each of so many."""
BEHIND = 5 * ENDS
"""Lines behind the last that counts that are read as well, where they were passed over: a long farewell may follow."""
HELD = 2000
"""Bytes at each end of a long line that are kept: its prefixes, and what a bar showed last."""
MOST_RECORDS = 1 << 21
"""Of a case that is looked at: what is learnt stands among them in its place, for which all are copied."""
LEAST = 3
"""Different steps of declared lines that make learning needless."""


def with_learnt(case: Case) -> Case:
    """The case with records of the progress that its files tell in their own words; itself where they tell none."""
    records = case.records
    if case.share_read < 1.0 or len(records) >= MOST_RECORDS or any(p is LEARNT for p in records.patterns):
        return case
    known = _with_steps(records)
    files = [f for f in case.files if f.kind in OF_PROGRAMS and f.index not in known]
    found = [rows for f in sorted(files, key=lambda f: -f.size)[:MOST_FILES] if (rows := _learn(case, f)) is not None]
    if not found:
        return case
    rows = np.concatenate([wide(records.rows), *found])
    rows = rows[np.lexsort((rows["line"], rows["file"]))]
    _take_neighbours_times(rows)
    return replace(
        case, records=RecordTable(rows, records.blob, records.hosts, (*records.patterns, LEARNT), records.counts)
    )


def _with_steps(records: RecordTable) -> set[int]:
    """Files with several steps of declared lines."""
    names = [p.name for p in records.patterns if p.numeric is not None]
    parts = records.by_file(records.indices(*names)) if names else []
    several = (part for part in parts if len(np.unique(cells(records.rows, "a", part[:4096]))) >= LEAST)
    return {int(cells(records.rows, "file", part[:1])[0]) for part in several}


def _take_neighbours_times(rows: Rows) -> None:
    """Give a line without a time that of the nearest one before it in its file, as the scan does."""
    bare = rows["time_from"] == TimeFrom.NONE
    known = ~bare & (rows["time_from"] != TimeFrom.UPTIME)
    nearest = np.maximum.accumulate(np.where(known, np.arange(len(rows)), 0))
    bare &= known[nearest] & (rows["file"][nearest] == rows["file"])
    rows["time"][bare] = rows["time"][nearest[bare]]
    rows["time_from"][bare] = TimeFrom.NEIGHBOUR


def _learn(case: Case, file: LogFile) -> Rows | None:
    """The lines of a file's own counter, as rows of the record table."""
    lines = dict(line for first, many in _parts(case, file) for line in _lines(case, file, first, many))
    counter = read_counter(((number, line.raw) for number, line in lines.items()), clean)
    if counter is not None and (passed := _passed_over(sorted(lines), int(counter.lines[-1]))) is not None:
        lines |= dict(_lines(case, file, *passed))
        counter = read_counter(((number, lines[number].raw) for number in sorted(lines)), clean)
    return None if counter is None else _rows(case, file, counter, lines)


def _parts(case: Case, file: LogFile) -> list[tuple[int, int]]:
    """The first line and the number of those that are read: all of a short file, else both ends and stretches between
    them."""
    first, count = case.first_line(file.index), case.line_count(file.index)
    if count - first < 2 * ENDS + WINDOWS * WINDOW:
        return [(first, count - first + 1)]
    middles = np.linspace(first + ENDS, count - ENDS - WINDOW, WINDOWS).astype(int).tolist()
    return [(first, ENDS), *((middle, WINDOW) for middle in middles), (count - ENDS + 1, ENDS)]


def _passed_over(numbers: list[int], last: int) -> tuple[int, int] | None:
    """The first lines that were not read behind the last that counts: their beginning, and how many."""
    behind = [number for number in numbers if number >= last]
    gap = next(((one, two) for one, two in pairwise(behind) if two > one + 1), None)
    return None if gap is None else (gap[0] + 1, min(gap[1] - gap[0] - 1, BEHIND))


def _lines(case: Case, file: LogFile, first: int, many: int) -> Iterator[tuple[int, Placed]]:
    """Some lines of a file and their numbers, in order: without the middle of a long one, nor what a collector put
    before it."""
    for number, line in enumerate(case.placed(file.index, first, many), start=first):
        raw = line.raw if len(line.raw) <= 2 * HELD else line.raw[:HELD] + line.raw[-HELD:]
        body = unwrapped(raw, file.wrapping)
        yield number, line if body is line.raw else line._replace(raw=body)


def _rows(case: Case, file: LogFile, counter: Counter, lines: Mapping[int, Placed]) -> Rows:
    rows = np.zeros(len(counter.lines), ROW)
    rows["file"], rows["line"], rows["pattern"] = file.index, counter.lines, len(case.records.patterns)
    rows["a"], rows["b"], rows["text"], rows["host"] = counter.steps, counter.ms, -1, -1
    for at, number in enumerate(counter.lines.tolist()):
        line = lines[number]
        text = clean(line.raw)
        rows["offset"][at], rows["length"][at] = line.offset, line.length
        origin = read_origin(text)
        rows["rank"][at], rows["rank_from"][at] = origin.rank, origin.rank_from
        rows["local_rank"][at], rows["task"][at], rows["pid"][at] = origin.local_rank, origin.task, origin.pid
        stamp = stamp_near(text, file.mtime)
        dated = stamp is not None and stamp.source in (TimeFrom.ZONED, TimeFrom.DATED)
        rows["time"][at] = stamp.epoch if stamp is not None and dated else np.nan
        rows["time_from"][at] = stamp.source if stamp is not None and dated else TimeFrom.NONE
    return rows
