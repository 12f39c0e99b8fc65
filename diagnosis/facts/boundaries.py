"""Where in the files of a case one attempt ends and the next begins.

Six signs of a beginning: a file's first lines come again after an end (`openings`) or, word for word, at a later time
(`said_again`), a program that had surely ended
ends once more (`relaunches`), the counters are back at their start (`counted_anew`), lines that a process writes
once as it starts are seen once more, or a launcher of the same program says its last word twice. Against all of them
speak clocks and ranks: what was written at the same time, or by others, is not a later attempt
(`_one_after_the_other`).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.counted_anew import UNCLOCKED, appended, begun_within_epochs
from logtui.diagnosis.facts.counted_on import counted_on
from logtui.diagnosis.facts.one_process import counts_on, goes_on_in
from logtui.diagnosis.facts.openings import (
    HEAD,
    MOST_BYTES,
    Ends,
    Writers,
    begun_again,
    later_starts,
    unknown_opening,
    writers,
)
from logtui.diagnosis.facts.other_process import begun_by_another
from logtui.diagnosis.facts.relaunches import relaunched, unknown_behind_hand
from logtui.diagnosis.facts.run_begins import Signs, begins_at, behind_block
from logtui.diagnosis.facts.said_again import said_again
from logtui.diagnosis.facts.stages import is_next_stage
from logtui.diagnosis.facts.start_places import NOTHING, Judged
from logtui.diagnosis.facts.steps import BACK_S, FURTHER
from logtui.parsers.files.case import Case
from logtui.parsers.files.ends import head
from logtui.parsers.pattern import Mark, Trait
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.columns import run_starts
from logtui.parsers.records.record import Record, RecordTable
from logtui.parsers.regex import regex
from logtui.parsers.registry import registry

Rows = npt.NDArray[np.intp]

# -- Lines that are written once at a start
#
# Neither a banner seen twice nor steps that count from the start again is enough: what went before must have lived
# (steps) or have been ended (a launcher's or the scheduler's word), so that banners of many ranks are one start.


LEAST_STEPS = 2
"""Steps that show that an attempt lived."""
AROUND = 4096
"""Bytes behind a place in which it shows whose it is."""
ABOVE_TRIAL = 4
"""Lines above the first step of a trial among which the end of the one before stands."""
_TRIAL = regex(r"\bTrial #?\d{1,6} (?:finished|pruned|complete[d]?|failed|ended)\b|\bfold\W{0,3}\d{1,3}\b", re.I)
"""How the one before ended in the trials of a search, or the folds of a data set."""
AGAIN, RESTART, DEATH, FRESH, RAISED, BIRTH = range(6)
"""Signs, in the order in which those of one line count: a start that is known already is no second one."""


@dataclass(frozen=True, slots=True)
class Boundaries:
    """Where attempts begin."""

    by_file: Mapping[int, Sequence[Record]]
    """The first line of each attempt but the first, in order."""
    runs: Mapping[int, int]
    """Rows of the first records of runs that were appended, and not restarted within one; and where each begins."""
    unknown: tuple[int, int] | None = None
    """File and byte of the newest run, if no line of it is known."""
    judged: Mapping[int, Judged] = field(default_factory=dict)
    """Of small files, what was learnt of such places has to say."""


_MARKS = (Mark.STARTS, Mark.RESTARTS, Mark.ENDS, Mark.LAST_WORD)


def boundaries(case: Case) -> Boundaries:
    """Where the attempts of a case begin, but the first one."""
    records = case.records
    births, restarts, deaths, words = (records.rows_marked(m) for m in _MARKS)
    anew = begun_within_epochs(case) | counted_on(case)
    paused = appended(case)
    counted = np.array([r for r in np.union1d(paused, [*anew]).astype(int) if not _of_trial(case, r)], np.intp)
    restarts = np.union1d(restarts, np.union1d(counted, _after_reports(records)))
    ends = Ends.of(case)
    like_the_first = later_starts(case, ends)
    begun = begun_again(case, like_the_first)
    later = _but_before_openings(relaunched(case), np.array([*begun], np.intp), ends.all)
    fresh = np.union1d([*begun], np.union1d(later, records.rows_marked(Mark.NEW_JOB))).astype(np.intp)
    restarts = np.union1d(restarts, after_last_words(case, np.union1d(fresh, restarts)))
    steps = records.indices(*(p.name for p in records.patterns if p.numeric is not None))
    alike, others = said_again(case, ends), begun_by_another(case)
    said = alike.openings | alike.first_lines
    again = np.union1d([*said], [*others]).astype(np.intp)
    found: dict[int, list[Record]] = {}
    signs = np.union1d(restarts, np.union1d(again, fresh))
    for file in _candidates(records, births, signs, np.union1d(deaths, ends.raised), steps):
        mine = [_of_file(records, rows, file) for rows in (again, restarts, deaths, fresh)]
        mine.append(_uncaught_alone(case, file, _of_file(records, ends.raised, file), _of_file(records, births, file)))
        mine.append(_of_file(records, births, file))
        marks = sorted((row, kind) for kind, rows in enumerate(mine) for row in rows.tolist())
        begins = list(_in_file(records, marks, _of_file(records, steps, file), ends.all))
        begins = [row for row in begins if row not in said or not _begun_already(begins, said, ends.all, steps, row)]
        begins = [row for row in begins if row not in others or not _begun_above(records, begins, ends.all, row)]
        told, last, raised = (_of_file(records, rows, file) for rows in (deaths, words, ends.raised))
        begins = [row for row in begins if not _amid_last_words(told, last, raised, row)]
        begins = [row for row in _one_after_the_other(records, file, begins) if not is_next_stage(case, row)]
        if begins:
            found[file] = [records[row] for row in begins]
    to_the_byte = begun | alike.first_lines
    to_the_byte |= {r: max(byte, alike.openings.get(r, 0)) for r, byte in to_the_byte.items()}  # of several the newest
    soft = {*said, *counted.tolist(), *begun}
    found = _but_refuted(case, found, alike.judged, to_the_byte, soft)
    tells = Signs(ends, steps, frozenset(fresh.tolist()), others | anew | said, to_the_byte, frozenset(paused.tolist()))
    unknown = alike.unknown or _unknown(case, like_the_first, alike.judged)
    return Boundaries(found, begins_at(case, found, tells), unknown, alike.judged)


def _but_refuted(
    case: Case,
    found: Mapping[int, list[Record]],
    judged: Mapping[int, Judged],
    begins: Mapping[int, int],
    soft: Container[int],
) -> dict[int, list[Record]]:
    """Some beginnings but those at headings that count on, and those of the `soft` ones, told by a counter or by lines
    that come again, at which no log like it begins a run."""
    kept = dict(found)
    for file in found.keys() & judged.keys():
        data = head(case.files[file], MOST_BYTES)
        places = [(record, begins.get(record.row, record.offset)) for record in found[file]]
        places = [(record, at) for record, at in places if not counts_on(data, at)]
        kept[file] = [r for r, at in places if r.row not in soft or not judged[file].refutes(at)]
    return kept


def _unknown(
    case: Case, like_the_first: Mapping[int, Sequence[int]], judged: Mapping[int, Judged]
) -> tuple[int, int] | None:
    """File and byte of a run of which no line is known, told by an end above it, unless the process goes on that wrote
    there, or no log like it begins a run at such a place."""
    unknown = unknown_behind_hand(case) or unknown_opening(case, like_the_first)
    if unknown is None:
        return None
    file, begin = unknown
    goes_on = goes_on_in(head(case.files[file], begin + AROUND), begin)
    return None if goes_on or judged.get(file, NOTHING).refutes(begin) else unknown


def _of_trial(case: Case, row: int) -> bool:
    """Whether a counter begins anew since a search goes on with its next trial."""
    return any(_TRIAL.search(text) for text in case.preceding(case.records[row], ABOVE_TRIAL))


def _but_before_openings(rows: Rows, openings: Rows, ends: Rows) -> Rows:
    """Some beginnings but those behind which an opening comes again before anything else ends: that is where the
    next run begins, and what stands between is left of the one before."""
    if not len(openings):
        return rows
    following = np.append(openings, 1 << 62)[np.searchsorted(openings, rows)]
    kept: Rows = rows[(following == 1 << 62) | (np.searchsorted(ends, following) > np.searchsorted(ends, rows))]
    return kept


def _uncaught_alone(case: Case, file: int, raised: Rows, births: Rows) -> Rows:
    """Exceptions between two starts that ended a run: those of one process, and not of one among several that a
    launcher runs, which may all say that they start."""
    who = writers(case, file)
    if who is not Writers.OF_A_NODE:
        return raised if who is Writers.ONE else raised[:0]
    of_many = _of_many(case, file)
    if not len(births) or not len(of_many):
        return raised[:0]
    bounds = np.concatenate(([-1], births, [1 << 62]))
    span = np.searchsorted(births, raised, side="right")  # of each: between a start and the next one
    behind = np.minimum(span + 2, len(bounds) - 1)  # and the next span: a launcher tells of its end there
    told = np.searchsorted(of_many, bounds[behind]) - np.searchsorted(of_many, bounds[span])
    gone = _behind_launcher(_of_file(case.records, case.records.rows_marked(Mark.LAST_WORD), file), births, raised)
    alone: Rows = raised[(told == 0) | gone]
    return alone


def _behind_launcher(words: Rows, births: Rows, raised: Rows) -> npt.NDArray[np.bool_]:
    """Of each of some exceptions, whether a launcher had said its last word above it, and nothing was started since:
    what was raised there is the script's next program's."""
    since = np.append(-1, words)[np.searchsorted(words, raised)]
    gone: npt.NDArray[np.bool_] = (since >= 0) & (np.searchsorted(births, since) == np.searchsorted(births, raised))
    return gone


def _of_many(case: Case, file: int) -> Rows:
    """Rows of a file that a launcher of a node wrote, or a rank beside the first."""
    rows, whole = case.records.rows, case.records.rows_of_file(file)
    areas = registry().areas_with(Trait.ONE_OUTPUT)
    launchers = np.array([p.area in areas and not p.bulk for p in case.records.patterns], np.bool_)
    mine = rows[whole]
    told = launchers[mine["pattern"]] | (mine["rank"] > 0) | (mine["local_rank"] > 0)
    found: Rows = whole.start + np.flatnonzero(told)
    return found


def _after_reports(records: RecordTable) -> Rows:
    """The first record after each of a scheduler's reports at the end of a job: the next job's output."""
    after = records.rows_marked(Mark.REPORTS) + 1
    after = after[after < len(records.rows)]
    same: Rows = after[records.rows["file"][after] == records.rows["file"][after - 1]]
    return same


def after_last_words(case: Case, known: Rows) -> Rows:
    """The first record after a launcher's last word on a program, where it says one on the same program later, and
    nothing known is a beginning between the two."""
    words: dict[tuple[int, str], list[Record]] = {}
    for record in case.records.marked(Mark.LAST_WORD):
        words.setdefault((record.file, _program(case, record)), []).append(record)
    several = [w for (file, _), w in words.items() if len(w) > 1 and writers(case, file) is Writers.OF_A_NODE]
    pairs = [pair for w in several for pair in pairwise(w) if not _between(known, pair[0].row + 1, pair[1].row)]
    return np.array(sorted(row for before, after in pairs if (row := _next(case, before)) < after.row), np.intp)


def _amid_last_words(told: Rows, words: Rows, raised: Rows, row: int) -> bool:
    """Whether a launcher tells before a row that a process failed, and says its last word on that behind it: what
    stands between was printed by a library that the launcher itself loads."""
    word, at = int(np.searchsorted(words, row)), int(np.searchsorted(told, row))
    if word == len(words) or at == 0 or (word and words[word - 1] > told[at - 1]):
        return False
    own = np.searchsorted(raised, words[word]) - np.searchsorted(raised, row)
    return bool(own < 2 and (at == len(told) or told[at] >= words[word]))


def _between(rows: Rows, before: int, after: int) -> bool:
    """Whether one of some rows, which are ordered, lies between two others, or is the first of them."""
    return bool(np.searchsorted(rows, after) > np.searchsorted(rows, before))


def _program(case: Case, record: Record) -> str:
    """What failed and where, by the block that a launcher's word begins: `train.py FAILED`, `host : node007`."""
    block = [text.strip() for text in case.following(record, record.pattern.follow)]
    host = next((text for text in block if text.startswith("host ")), "")
    return f"{block[2]} {host}" if len(block) > 2 else ""


def _next(case: Case, record: Record) -> int:
    """The first record behind the block that a launcher's word begins."""
    whole = case.records.rows_of_file(record.file)
    lines = case.records.rows["line"][whole]
    return int(whole.start + np.searchsorted(lines, behind_block(case, record)))


OVERLAP = 0.5
"""Of the shorter of two spans of time, so much in the other one makes them simultaneous."""


def _one_after_the_other(records: RecordTable, file: int, begins: Sequence[int]) -> list[int]:
    """The beginnings in a file that are of a later attempt: not those of files of one run put behind each other."""
    whole = records.rows_of_file(file)
    kept: list[int] = []
    for at, row in enumerate(begins):
        before = slice(kept[-1] if kept else whole.start, row)
        after = slice(row, begins[at + 1] if at + 1 < len(begins) else whole.stop)
        if not (_other_ranks(records, before, after) or _simultaneous(records, before, after)):
            kept.append(row)
    return kept


def _other_ranks(records: RecordTable, before: slice, after: slice) -> bool:
    """Whether several ranks wrote in each part, and those of one all stand before those of the other."""
    mine, others = (np.unique(records.rows["rank"][part]) for part in (before, after))
    mine, others = mine[mine >= 0], others[others >= 0]
    return bool(len(mine) > 1 and len(others) > 1 and (mine[-1] < others[0] or others[-1] < mine[0]))


def _simultaneous(records: RecordTable, before: slice, after: slice) -> bool:
    """Whether the clocks of both parts run over the same time."""
    spans = [_dated_span(records, part) for part in (before, after)]
    if spans[0] is None or spans[1] is None:
        return False
    (begin, end), (other_begin, other_end) = spans[0], spans[1]
    shared = min(end, other_end) - max(begin, other_begin)
    return shared > OVERLAP * max(min(end - begin, other_end - other_begin), BACK_S)


def _dated_span(records: RecordTable, part: slice) -> tuple[float, float] | None:
    own = ~np.isin(records.rows["time_from"][part], (*UNCLOCKED, TimeFrom.UPTIME))
    times = records.rows["time"][part][own]
    times = times[np.isfinite(times)]
    return (float(times.min()), float(times.max())) if len(times) else None


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


def _in_file(records: RecordTable, marks: Sequence[tuple[int, int]], steps: Rows, ends: Rows) -> Iterator[int]:
    """Rows at which an attempt begins."""
    seen: dict[object, object] = {}
    ever: set[object] = set()
    begun, dead, raised = -1, -1, -1
    for row, kind in marks:
        resumed = _resumed(records, steps, dead, row) if dead >= 0 else None
        if resumed is not None:
            yield resumed
            seen, begun, dead = {}, resumed, -1
        if kind == DEATH:
            dead = row
        elif kind == RAISED:
            raised = row
        elif kind in (AGAIN, FRESH):
            if row > begun and (kind == AGAIN or _between(ends, begun, row)):
                yield row
                seen, begun, dead = {}, row, -1
        elif kind == RESTART:
            if dead > begun or _lived(steps, begun, row):
                yield row
                seen, begun, dead = {}, row, -1
        else:
            writer, process = _writer(records[row])
            again = writer in seen and (process is None or seen[writer] != process)
            ended = raised >= begun >= 0  # of the program with which it begins, maybe at its first line
            again |= ended and writer in ever and writer not in seen
            if again and (ended or max(dead, raised) > begun or _lived(steps, begun, row)):
                yield row
                seen, begun, dead = {}, row, -1
            seen[writer] = process
            ever.add(writer)
    if dead >= 0 and (resumed := _resumed(records, steps, dead, 1 << 62)) is not None:
        yield resumed


def _begun_already(begins: Sequence[int], said: Container[int], ends: Rows, steps: Rows, row: int) -> bool:
    """Whether another sign shows the same beginning before an opening that is said again: nothing was done since."""
    before = max((b for b in begins if b < row), default=-1)
    return before >= 0 and before not in said and not (_between(ends, before, row) or _between(steps, before, row))


def _begun_above(records: RecordTable, begins: Sequence[int], ends: Rows, row: int) -> bool:
    """Whether another sign shows the same beginning some lines above, and nothing ended since."""
    lines = records.rows["line"]
    near = (b for b in begins if b < row and int(lines[row]) - int(lines[b]) <= HEAD)
    return any(not _between(ends, b, row) for b in near)


def _lived(steps: Rows, begin: int, end: int) -> bool:
    return int(np.searchsorted(steps, end) - np.searchsorted(steps, begin)) >= LEAST_STEPS


def _resumed(records: RecordTable, steps: Rows, dead: int, until: int) -> int | None:
    """The first of several different steps after a death: a start that no banner shows."""
    at = int(np.searchsorted(steps, dead))
    after = steps[at : np.searchsorted(steps, until)]
    different = {(int(records.rows["pattern"][r]), float(records.rows["a"][r])) for r in after[: 16 * FURTHER]}
    again = len({step for _, step in different}) >= FURTHER and not _keeps_pace(records, steps[: at + 1])
    return int(after[0]) if again else None


PACE_OF, SLOWER = 64, 3.0
"""Steps before a death by which the pace of a run is known; a step that takes so many times as long held a start."""


def _keeps_pace(records: RecordTable, steps: Rows) -> bool:
    """Whether the last step follows the one before it as soon as others of its writer did: a job that is told to stop
    trains on until it is killed."""
    near = records.rows[steps[-PACE_OF:]]
    near = near[(near["pattern"] == near["pattern"][-1]) & (near["rank"] == near["rank"][-1])]
    if len(near) < 2 * FURTHER or np.isin(near["time_from"], (*UNCLOCKED, TimeFrom.UPTIME)).any():
        return False
    pauses = np.diff(near["time"])
    usual = max(float(np.median(pauses[:-1])), 1.0)
    return bool(near["a"][-1] > near["a"][-2] and 0 <= pauses[-1] <= SLOWER * usual)


def _writer(record: Record) -> tuple[object, object]:
    """Who writes a line of a start, and which process of it, where the line says so."""
    pid = record.pid if record.pid is not None else record.number("pid")
    if record.name == "nccl.bootstrap":  # the process is new where the GPU is the same
        return (record.name, record.host, record.first_line.partition("[")[2].partition("]")[0]), pid
    rank = record.number("rank") if record.rank is None else record.rank
    what = record.fields.get("world_size") or record.fields.get("script")
    return (record.name, rank, record.task, record.local_rank, record.host, what), pid
