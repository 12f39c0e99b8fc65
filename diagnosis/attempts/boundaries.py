"""Where in a file a new attempt begins: at lines that a process writes once as it starts, seen once more.

Neither a banner seen twice nor steps that count from the start again is enough: what went before must have lived
(steps) or have been ended (a launcher's or the scheduler's word), so that banners of many ranks are one start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.attempts.appended import appended
from logtui.diagnosis.attempts.openings import begun_again
from logtui.diagnosis.steps import FURTHER
from logtui.parsers.case import Case
from logtui.parsers.groups import run_starts
from logtui.parsers.pattern import Mark
from logtui.parsers.record import Record, RecordTable

LEAST_STEPS = 2
"""Steps that show that an attempt lived."""
BIRTH, RESTART, DEATH, FRESH = range(4)

Rows = npt.NDArray[np.intp]


def boundaries(case: Case) -> dict[int, list[Record]]:
    """By file, the first line of each attempt but the first, in order."""
    records = case.records
    births, restarts, deaths = (records.rows_marked(m) for m in (Mark.STARTS, Mark.RESTARTS, Mark.ENDS))
    restarts = np.union1d(restarts, np.union1d(appended(case), _after_reports(records)))
    fresh = begun_again(case)
    steps = records.indices(*(p.name for p in records.patterns if p.numeric is not None))
    found: dict[int, list[Record]] = {}
    for file in _candidates(records, births, np.union1d(restarts, fresh), deaths, steps):
        mine = [_of_file(records, rows, file) for rows in (births, restarts, deaths, fresh)]
        marks = sorted((row, kind) for kind, rows in enumerate(mine) for row in rows.tolist())
        begins = list(_in_file(records, marks, _of_file(records, steps, file)))
        if begins:
            found[file] = [records[row] for row in begins]
    return found


def _after_reports(records: RecordTable) -> Rows:
    """The first record after each of a scheduler's reports at the end of a job: the next job's output."""
    after = records.rows_marked(Mark.REPORTS) + 1
    after = after[after < len(records.rows)]
    same: Rows = after[records.rows["file"][after] == records.rows["file"][after - 1]]
    return same


def _candidates(records: RecordTable, births: Rows, restarts: Rows, deaths: Rows, steps: Rows) -> list[int]:
    """Files that may hold another attempt: of ten thousand files hardly any does."""
    files, never = records.rows["file"], 1 << 62
    born, dead, lived = _edge(files, births, last=True), _edge(files, deaths), _edge(files, steps)
    trained = _edge(files, steps, last=True)
    again = {f for f, row in born.items() if row > min(dead.get(f, never), lived.get(f, never))}
    again |= {f for f, row in dead.items() if trained.get(f, -1) > row}
    return sorted(again | {int(f) for f in np.unique(files[restarts])})


def _edge(files: npt.NDArray[np.uint32], rows: Rows, last: bool = False) -> dict[int, int]:
    """The first or last of some rows, which are ordered by file, in each file."""
    mine = files[rows]
    first = run_starts(mine)
    at = np.append(first[1:], len(rows)) - 1 if last and len(rows) else first
    return dict(zip(mine[first].tolist(), rows[at].tolist(), strict=True))


def _of_file(records: RecordTable, rows: Rows, file: int) -> Rows:
    whole = records.rows_of_file(file)
    begin, end = np.searchsorted(rows, (whole.start, whole.stop))
    return rows[begin:end]


def _in_file(records: RecordTable, marks: Sequence[tuple[int, int]], steps: Rows) -> Iterator[int]:
    """Rows at which an attempt begins."""
    seen: dict[object, object] = {}
    begun, dead = -1, -1
    for row, kind in marks:
        resumed = _resumed(records, steps, dead, row) if dead >= 0 else None
        if resumed is not None:
            yield resumed
            seen, begun, dead = {}, resumed, -1
        if kind == DEATH:
            dead = row
        elif kind == FRESH:
            yield row
            seen, begun, dead = {}, row, -1
        elif kind == RESTART:
            if dead > begun or _lived(steps, begun, row):
                yield row
                seen, begun, dead = {}, row, -1
        else:
            writer, process = _writer(records[row])
            again = writer in seen and (process is None or seen[writer] != process)
            if again and (dead > begun or _lived(steps, begun, row)):
                yield row
                seen, begun, dead = {}, row, -1
            seen[writer] = process
    if dead >= 0 and (resumed := _resumed(records, steps, dead, 1 << 62)) is not None:
        yield resumed


def _lived(steps: Rows, begin: int, end: int) -> bool:
    return int(np.searchsorted(steps, end) - np.searchsorted(steps, begin)) >= LEAST_STEPS


def _resumed(records: RecordTable, steps: Rows, dead: int, until: int) -> int | None:
    """The first of several different steps after a death: a start that no banner shows."""
    after = steps[np.searchsorted(steps, dead) : np.searchsorted(steps, until)]
    different = {(int(records.rows["pattern"][r]), float(records.rows["a"][r])) for r in after[: 16 * FURTHER]}
    return int(after[0]) if len({step for _, step in different}) >= FURTHER else None


def _writer(record: Record) -> tuple[object, object]:
    """Who writes a line of a start, and which process of it, where the line says so."""
    rank = record.number("rank") if record.rank is None else record.rank
    pid = record.pid if record.pid is not None else record.number("pid")
    if record.name == "nccl.bootstrap":  # the process is new where the GPU is the same
        return (record.name, record.host, record.first_line.partition("[")[2].partition("]")[0]), pid
    return (record.name, rank, record.task, record.local_rank, record.host, record.fields.get("world_size")), pid
