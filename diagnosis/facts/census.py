"""Which kinds of lines each writer prints, from excerpts of a case's files, in bounded time."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count as counted

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.identity import Identity
from logtui.diagnosis.facts.last_words import is_aftermath
from logtui.diagnosis.facts.speakers import Speakers
from logtui.diagnosis.model.evidence import Evidence
from logtui.parsers.clean import clean
from logtui.parsers.errors import LogtuiError
from logtui.parsers.files.case import Case
from logtui.parsers.files.excerpts import Stretch, lines_of, share_of_each, stretches
from logtui.parsers.files.lines import LineReader
from logtui.parsers.pattern import Role
from logtui.parsers.prefix.stamp import Stamp, TimeFrom, stamp_near
from logtui.parsers.prefix.template import rough_key, template
from logtui.parsers.prefix.wrapping import unwrapped
from logtui.parsers.source import FileKind, LogFile

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

# -- Times and line numbers for the few lines that are shown

SHOWN = 400
"""Characters of a line that are kept."""


class Dating:
    """Reads stamps as the scan does; `about` is a time of the job, where one is known, for stamps without a year."""

    def __init__(self, case: Case, about: float | None) -> None:
        self._case = case
        self._about = about

    def time(self, file: int, stamped: bytes) -> Stamp | None:
        """The time of a line; None where it has no time of day."""
        if not stamped:
            return None
        near = self._about if self._about is not None else self._case.files[file].mtime
        stamp = stamp_near(clean(stamped), near)
        return stamp if stamp and stamp.source is not TimeFrom.UPTIME else None

    def evidence(self, file: int, offset: int, raw: bytes, stamped: bytes, rank: int | None) -> Evidence:
        """A line as evidence; its number is counted now."""
        stamp = self.time(file, stamped)
        shown = clean(unwrapped(raw, self._case.files[file].wrapping)).strip()[:SHOWN]
        zoned = stamp is not None and stamp.source is TimeFrom.ZONED
        return Evidence(
            self._case.files[file].name, self._number(file, offset), shown, stamp.epoch if stamp else None, zoned, rank
        )

    def _number(self, file: int, offset: int) -> int:
        try:
            return self._case.line_at(file, offset)
        except (LogtuiError, OSError):
            return 0


# -- Templates: said by whom, how often, and when first

MOST_TEMPLATES = 50_000
"""More different templates are no templates: the rest of the lines are counted under one of their own."""
OTHER = "<other>"
DETAILED = 64
"""Writers of one template of which more is always kept than that they said it."""
MOST_DETAILS = 200_000
"""Beyond so many (template, writer) pairs only those."""
_CLOCK = re.compile(rb"\d\d:\d\d:\d\d")


class Standing(IntEnum):
    """What the declared formats know of a template."""

    NEW = 0
    DECLARED = 1
    """A sign of trouble, or a state: rules weigh it."""
    ROUTINE = 2
    """A fact of the job, a good ending, or noise."""


@dataclass(slots=True)
class Said:
    """What one writer said of one template."""

    file: int
    offset: int
    """Byte at which its first such line begins."""
    raw: bytes
    """That line."""
    stamped: bytes
    """The line with a time of day nearest before it, itself included; b"" where there is none."""
    first: int
    last: int
    """Its number among the lines of this writer that were looked at, and that of the last such line; from 0."""
    last_offset: int
    last_raw: bytes
    last_stamped: bytes
    """Like `offset`, `raw` and `stamped`, of the last such line of that file."""
    count: int


@dataclass(slots=True)
class Template:
    """One kind of line."""

    text: str
    number: int
    """Its place among all."""
    count: int = 0
    said: dict[int, Said | None] = field(default_factory=dict)
    """By writer; None where too many said it for more to be kept."""
    standing: Standing = Standing.NEW
    aftermath: bool = False
    """Whether watchdogs, launchers and teardown print it, not the program."""


@dataclass(slots=True)
class Writer:
    """One rank, or what nobody in particular wrote into one file."""

    lines: int = 0
    last: tuple[int, int, bytes, bytes] | None = None
    """Its last line that is not of the aftermath: file, offset, line, and the nearest line with a time."""


class Batch:
    """Lines of a file that come together."""

    def __init__(self, raws: Sequence[bytes], offsets: Sequence[int], stamped: bytes) -> None:
        """`stamped` is the nearest line before them with a time of day."""
        self.raws, self.offsets, self._before = raws, offsets, stamped
        numbers: defaultdict[bytes, int] = defaultdict(counted().__next__)
        masks = rough_key(b"\n".join(raws)).split(b"\n")  # no line has an end in it
        self.kinds: Numbers = np.array([*map(numbers.__getitem__, masks)], np.int64)
        """Of each line, by number: those of one kind differ in digits alone."""
        self.masks = list(numbers)
        """Of each kind the lines, all digits alike."""
        self.samples = [raws[at] for at in np.unique(self.kinds, return_index=True)[1].tolist()]
        """Of each kind the first line."""
        clocked = np.array([has_clock(mask) for mask in numbers], np.bool_)[self.kinds]
        self._stamped = np.maximum.accumulate(np.where(clocked, np.arange(len(raws)), -1))
        self.writers: Numbers = np.zeros(len(raws), np.int64)
        """Of each line."""

    def line(self, at: int) -> tuple[int, bytes, bytes]:
        """Where a line begins, the line, and the nearest one with a time of day, itself included."""
        return self.offsets[at], self.raws[at], self.stamped(at)

    def stamped(self, at: int) -> bytes:
        """The nearest line with a time of day, up to one of them."""
        near = int(self._stamped[at])
        return self.raws[near] if near >= 0 else self._before


def _runs(*keys: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """All lines by their keys, then as they come; where those of the same keys begin there, and how many they are."""
    order = np.lexsort(keys[::-1])
    changes = np.logical_or.reduce([np.diff(key[order]) != 0 for key in keys])
    starts = np.concatenate(([0], np.flatnonzero(changes) + 1))
    return order, starts, np.diff(starts, append=len(order))


class Census:
    """Templates of lines, added by the batch. Memory grows with what is different, not with what is repeated."""

    def __init__(self) -> None:
        self.templates: dict[str, Template] = {}
        self.writers: dict[int, Writer] = {}
        self._by_key: dict[bytes, Template] = {}
        self.lines = 0
        self._details = 0

    def add(self, file: int, batch: Batch) -> list[Template]:
        """Count lines of a file; gives the template of each kind of them."""
        found = [self._template(raw, mask) for raw, mask in zip(batch.samples, batch.masks, strict=True)]
        numbers = np.array([template.number for template in found])[batch.kinds]
        silent = np.array([template.aftermath for template in found])[batch.kinds]
        turns = self._count_writers(file, batch, silent)
        order, starts, counts = _runs(batch.writers, numbers)
        firsts, lasts = order[starts], order[starts + counts - 1]
        for run in np.argsort(firsts).tolist():
            first, last, count = int(firsts[run]), int(lasts[run]), int(counts[run])
            self._take(found[batch.kinds[first]], file, batch, turns, (first, last, count))
        self.lines += len(batch.raws)
        return found

    def _count_writers(self, file: int, batch: Batch, silent: Flags) -> Numbers:
        """The turn of each line among those of its writer; notes who wrote how many, and what last."""
        order, starts, counts = _runs(batch.writers)
        spoke = np.maximum.reduceat(np.where(silent, -1, np.arange(len(order)))[order], starts)
        before = np.zeros(len(starts), np.int64)
        for run in np.argsort(order[starts]).tolist():
            who = self.writers.setdefault(int(batch.writers[order[starts[run]]]), Writer())
            before[run], who.lines = who.lines, who.lines + int(counts[run])
            if spoke[run] >= 0:
                who.last = (file, *batch.line(int(spoke[run])))
        turns = np.empty(len(order), np.int64)
        turns[order] = np.arange(len(order)) + np.repeat(before - starts, counts)
        return turns

    def _take(self, found: Template, file: int, batch: Batch, turns: Numbers, lines: tuple[int, int, int]) -> None:
        """Count lines of one template by one writer: the first, the last, and how many they are."""
        first, last, count = lines
        writer = int(batch.writers[first])
        if writer not in found.said:
            detailed = len(found.said) < DETAILED or self._details < MOST_DETAILS
            self._details += detailed
            line, turn = batch.line(first), int(turns[first])
            found.said[writer] = Said(file, *line, turn, turn, *line, count=0) if detailed else None
        found.count += count
        if (known := found.said[writer]) is not None:
            known.count, known.last = known.count + count, int(turns[last])
            if file == known.file:
                known.last_offset, known.last_raw, known.last_stamped = batch.line(last)

    def _template(self, raw: bytes, key: bytes) -> Template:
        found = self._by_key.get(key)
        if found is None:
            text = template(raw)
            if text not in self.templates and len(self.templates) >= MOST_TEMPLATES:
                text = OTHER
            fresh = Template(text, len(self.templates), aftermath=not text or is_aftermath(clean(raw[:400])))
            found = self.templates.setdefault(text, fresh)
            if len(self._by_key) < 2 * MOST_TEMPLATES:
                self._by_key[key] = found
        return found

    def worth_telling(self) -> Iterator[Template]:
        """Templates that say something."""
        return (t for t in self.templates.values() if t.text and t.text != OTHER)


def has_clock(raw: bytes) -> bool:
    """Whether a line holds a time of day."""
    return raw.count(b":") > 1 and _CLOCK.search(raw) is not None


# -- Excerpts read into a census, and how much of the files that was

BUDGET = 8 << 20
"""Bytes of all files together: a second or two."""
LARGEST_PACKED = 64 << 20
"""Bytes of text of a packed file that are unpacked once more for this."""
KINDS = frozenset({FileKind.WORKER, FileKind.LAUNCHER})
_ROUTINE = frozenset({Role.INFO, Role.NOISE, Role.END})


@dataclass
class Taken:
    """A census and what it rests on."""

    census: Census = field(default_factory=Census)
    bytes_read: int = 0
    bytes_there: int = 0
    files: int = 0
    left_out: int = 0
    """Files that could not be read, or would take too long to unpack."""


def take(
    case: Case,
    identity: Identity | None = None,
    ranks: Collection[int] = (),
    trouble: Mapping[int, int] | None = None,
    budget: int = BUDGET,
) -> Taken:
    """Read excerpts of all worker and launcher logs.

    `ranks` are those that a line may name as its writer; `trouble` gives for some files the byte at which the first
    sign of a failure begins. Without an identity each file is a writer of its own. About 20 MB/s; memory as `Census`.
    """
    taken, files = Taken(), [f for f in case.files if f.kind in KINDS]
    speakers, known, leads = Speakers(identity, ranks), _KnownLines(case), trouble or {}
    most = share_of_each(budget, len(files))
    for file in files:
        try:
            with closing(case.new_reader(file.index)) as reader:
                _take_file(taken, reader, file, _text_size(case, file), (most, leads.get(file.index)), speakers, known)
        except (LogtuiError, OSError):
            taken.left_out += 1
    return taken


def _text_size(case: Case, file: LogFile) -> int | None:
    """Bytes of text, where that is known without unpacking; None where unpacking takes too long."""
    index = case.indexes.get(file.index)
    size = index.end if index is not None else file.size
    if not file.in_place and max(size, file.size) > LARGEST_PACKED:
        return None
    return size


def _take_file(
    taken: Taken,
    reader: LineReader,
    file: LogFile,
    size: int | None,
    plan: tuple[int, int | None],
    speakers: Speakers,
    known: _KnownLines,
) -> None:
    if size is None:
        taken.left_out += 1
        return
    taken.files += 1
    taken.bytes_there += size
    stamped = b""
    left_out = file.cut.passages[0].line - 1 if file.cut and file.cut.passages else 0  # each an empty line
    for stretch in stretches(size, *plan, left_out):
        taken.bytes_read += stretch.end - stretch.begin
        standing = known.within(file.index, stretch)
        lines = [(offset, raw) for offset, raw in lines_of(reader, stretch) if raw.strip()]
        if not lines:
            continue
        offsets, raws = zip(*lines, strict=True)
        batch = Batch(raws, offsets, stamped)
        batch.writers[:] = speakers.of_kinds(file, raws, batch.masks, batch.kinds.tolist())
        found = taken.census.add(file.index, batch)
        stamped = batch.stamped(len(raws) - 1)
        for at in np.flatnonzero(np.isin(offsets, [*standing])).tolist() if standing else ():
            told = found[batch.kinds[at]]
            told.standing = max(told.standing, standing[offsets[at]])


def file_of(writer: int) -> int | None:
    """The file that stands for a writer without a rank."""
    return -1 - writer if writer < 0 else None


class _KnownLines:
    """Which lines of a stretch declared formats match, and what they make of them."""

    def __init__(self, case: Case) -> None:
        rows = case.records.rows
        self._files: npt.NDArray[np.uint32] = np.ascontiguousarray(rows["file"])
        self._rows = rows
        roles = [p.role in _ROUTINE for p in case.records.patterns]
        self._standings = np.where(roles, Standing.ROUTINE, Standing.DECLARED)

    def within(self, file: int, stretch: Stretch) -> dict[int, Standing]:
        """By the byte at which the line begins."""
        begin, end = np.searchsorted(self._files, (file, file + 1))
        rows = self._rows[begin:end]
        rows = rows[(rows["offset"] >= stretch.begin) & (rows["offset"] < stretch.end)]
        standings = self._standings[rows["pattern"]]
        return dict(zip(rows["offset"].tolist(), map(Standing, standings.tolist()), strict=True))
