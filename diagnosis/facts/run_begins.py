"""Where runs begin that were appended to others in one file: the bytes behind what ended the one before, or those of
their own first lines.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.counted_anew import UNCLOCKED
from logtui.diagnosis.facts.cut_short import begun_after_cut
from logtui.diagnosis.facts.openings import Ends
from logtui.diagnosis.facts.stamped import dated_clock, parted
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Mark
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.record import Record, RecordTable
from logtui.parsers.regex import regex

Rows = npt.NDArray[np.intp]
_DIGITS = regex(r"\d+")

REST_S = 600.0
"""Between the end of a run that was meant and a start: so much later somebody started another. The same before a
counter that begins anew."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What tells where a run begins that was appended."""

    ends: Ends
    steps: Rows
    fresh: Container[int]
    """Rows at which one begins that needs an end before it."""
    told: Mapping[int, int]
    """Rows → bytes, where its own lines tell."""
    again: Mapping[int, int]
    """The same, where they tell it to the byte: an opening came again behind an end, or the file's first line."""
    paused: Container[int]
    """Rows of step lines with which a counter begins anew after a pause."""


def begins_at(case: Case, found: Mapping[int, Sequence[Record]], signs: Signs) -> dict[int, int]:
    """Rows with which runs begin that were appended, and the bytes at which they do."""
    failures, at = np.union1d(signs.ends.raised, signs.ends.stopped), {}
    for since, row in (pair for begins in found.values() for pair in pairwise((-1, *(r.row for r in begins)))):
        fresh = row in signs.fresh
        behind = _behind(case, _since(failures if fresh else signs.ends.stopped, since), signs.steps, row)
        if behind is None and fresh:
            behind = _after_rest(case.records, _since(signs.ends.meant, since), signs.steps, row)
        if behind is None and row in signs.paused:
            behind = _of_steps(case, signs.steps, row)
        begin = signs.told.get(row, behind)
        if begin is not None:
            at[row] = signs.again.get(row, begin)
    return at


def _of_steps(case: Case, steps: Rows, row: int) -> int | None:
    """The byte at which a run begins of which nothing is known but its steps."""
    if _nothing_but_steps(case, steps, row) or _right_behind(case, steps, row) or _first_behind_rest(case, steps, row):
        return int(case.records.rows["offset"][row])
    line = begun_after_cut(case, steps, row)
    return None if line is None else case.reader(case.records[row].file).offset_of(line)


def _nothing_but_steps(case: Case, steps: Rows, row: int) -> bool:
    """Whether the very first line of a row's file is a step's: each of its runs begins with one."""
    file = case.records.rows["file"][row]
    first = int(steps[np.searchsorted(case.records.rows["file"][steps], file)])
    head = case.head(int(file), int(case.records.rows["line"][first]))
    return not any(text.strip() for text in head[:-1])


def _first_behind_rest(case: Case, steps: Rows, row: int) -> bool:
    """Whether a row's line is the first one that was said after a rest: of a run that tells of its set-up, and of its
    steps when all are made, the set-up stands above it, as above the first step of all."""
    record = case.records[row]
    said = [*case.preceding(record, 1), *case.bodies(record.file, record.line, 1)]
    clocks = [dated_clock(text) for text in said]
    known = [clock for clock in clocks if clock is not None]
    if len(known) != 2 or known[1] - known[0] < REST_S:
        return False
    first = case.records[int(steps[np.searchsorted(case.records.rows["file"][steps], record.file)])]
    return _words(said[0]) not in map(_words, case.preceding(first, 1))


def _words(text: str) -> str:
    """What a line says behind its stamp, whatever its numbers are."""
    return _DIGITS.sub("0", parted(text.encode())[0].decode(errors="replace"))


def _right_behind(case: Case, steps: Rows, row: int) -> bool:
    """Whether a row's line stands right below another step's: nothing else was said of the start."""
    at = int(np.searchsorted(steps, row))
    if at == 0:
        return False
    files, lines, above = case.records.rows["file"], case.records.rows["line"], steps[at - 1]
    return bool(files[above] == files[row] and lines[above] + 1 == lines[row])


def _since(ends: Rows, row: int) -> Rows:
    """Those of some ends that are of the run that began at a row."""
    return ends[np.searchsorted(ends, row) :]


def _behind(case: Case, failures: Rows, steps: Rows, row: int) -> int | None:
    """The byte at which a run begins that was started after one that failed: right behind the failure; None where
    something trained between the two, or what went before did not fail."""
    fall = _before(case.records, failures, steps, row)
    if fall is None:
        return None
    offsets, record = case.records.rows["offset"], case.records[fall]
    if Mark.LAST_WORD not in record.pattern.marks:
        return int(offsets[min(fall + 1, row)])
    behind = case.reader(record.file).offset_of(behind_block(case, record))  # its table tells of the run that failed
    return int(offsets[row]) if behind is None else min(behind, int(offsets[row]))


def _after_rest(records: RecordTable, meant: Rows, steps: Rows, row: int) -> int | None:
    """The byte at which a run begins that was started a while after one that ended on purpose: what a script goes on
    with at once is the same job's."""
    end = _before(records, meant, steps, row)
    if end is None:
        return None
    rows = records.rows[np.array((end, row))]
    told = np.isfinite(rows["time"]).all() and not np.isin(rows["time_from"], (*UNCLOCKED, TimeFrom.UPTIME)).any()
    return int(rows["offset"][1]) if told and rows["time"][1] - rows["time"][0] > REST_S else None


def _before(records: RecordTable, ends: Rows, steps: Rows, row: int) -> int | None:
    """The last of some ends before a row of its file, where nothing was trained between the two."""
    end, step = (int(np.searchsorted(rows, row)) - 1 for rows in (ends, steps))
    files = records.rows["file"]
    if end < 0 or files[ends[end]] != files[row] or (step >= 0 and steps[step] > ends[end]):
        return None
    return int(ends[end])


def behind_block(case: Case, record: Record) -> int:
    """The first line behind the block that a launcher's word begins: it ends with a rule of `=`."""
    block = case.following(record, record.pattern.follow)
    last = max((n for n, text in enumerate(block) if text.lstrip().startswith("=====")), default=0)
    return int(record.line) + last + 1
