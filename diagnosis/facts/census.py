"""Which kinds of lines each writer prints, from excerpts of a case's files, in bounded time."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.identity import Identity
from logtui.diagnosis.facts.last_words import is_aftermath
from logtui.diagnosis.model.evidence import Evidence
from logtui.parsers.clean import clean
from logtui.parsers.errors import LogtuiError
from logtui.parsers.files.case import Case
from logtui.parsers.files.excerpts import Stretch, lines_of, share_of_each, stretches
from logtui.parsers.files.lines import LineReader
from logtui.parsers.pattern import Role
from logtui.parsers.prefix.origin import named_rank, read_origin
from logtui.parsers.prefix.stamp import Stamp, TimeFrom, stamp_near
from logtui.parsers.prefix.template import rough_key, template
from logtui.parsers.prefix.wrapping import unwrapped
from logtui.parsers.records.shapes import Shapes
from logtui.parsers.source import FileKind, LogFile

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
    count: int = 1


@dataclass(slots=True)
class Template:
    """One kind of line."""

    text: str
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


class Census:
    """Templates of lines, added one by one. Memory grows with what is different, not with what is repeated."""

    def __init__(self) -> None:
        self.templates: dict[str, Template] = {}
        self.writers: dict[int, Writer] = {}
        self._by_key: dict[bytes, Template] = {}
        self.lines = 0
        self._details = 0

    def add(self, writer: int, file: int, offset: int, raw: bytes, stamped: bytes) -> Template:
        """Count a line; `stamped` is the nearest line with a time of day, itself included."""
        found = self._template(raw)
        who = self.writers.get(writer)
        if who is None:
            who = self.writers[writer] = Writer()
        known = found.said.get(writer)
        if known is not None:
            known.count, known.last = known.count + 1, who.lines
            if file == known.file:
                known.last_offset, known.last_raw, known.last_stamped = offset, raw, stamped
        elif writer not in found.said:
            detailed = len(found.said) < DETAILED or self._details < MOST_DETAILS
            self._details += detailed
            place = (file, offset, raw, stamped, who.lines, who.lines, offset, raw, stamped)
            found.said[writer] = Said(*place) if detailed else None
        found.count += 1
        if not found.aftermath:
            who.last = (file, offset, raw, stamped)
        who.lines += 1
        self.lines += 1
        return found

    def _template(self, raw: bytes) -> Template:
        key = rough_key(raw)
        found = self._by_key.get(key)
        if found is None:
            text = template(raw)
            if text not in self.templates and len(self.templates) >= MOST_TEMPLATES:
                text = OTHER
            found = self.templates.setdefault(
                text, Template(text, aftermath=not text or is_aftermath(clean(raw[:400])))
            )
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
    own, stamped = speakers.owner(file), b""
    left_out = file.cut.passages[0].line - 1 if file.cut and file.cut.passages else 0  # each an empty line
    for stretch in stretches(size, *plan, left_out):
        taken.bytes_read += stretch.end - stretch.begin
        standing = known.within(file.index, stretch)
        for offset, raw in lines_of(reader, stretch):
            if not raw.strip():
                continue
            stamped = raw if has_clock(raw) else stamped
            writer = own if own is not None else speakers.of(file, raw)
            found = taken.census.add(writer, file.index, offset, raw, stamped)
            if offset in standing:
                found.standing = max(found.standing, standing[offset])


class Speakers:
    """Who wrote a line: a rank, from 0 on, or below 0 what stands in one file without a rank."""

    def __init__(self, identity: Identity | None, ranks: Collection[int] = ()) -> None:
        self._identity = identity
        self._ranks = ranks
        self._shapes = Shapes()

    def owner(self, file: LogFile) -> int | None:
        """The one writer of a file; None where each line says it."""
        if self._identity is None:
            return -1 - file.index
        return self._identity.by_file.get(file.index)

    def of(self, file: LogFile, raw: bytes) -> int:
        """The writer of one line."""
        if self._identity is None:
            return -1 - file.index
        head = raw[:400]
        shape = self._shapes.of(head)
        text = head.decode() if shape else clean(head)
        origin = shape.origin(text, 0).read(text) if shape else read_origin(text)
        found = self._identity.rank_of_origin(file, origin)
        if found is None:
            found = shape.named_rank(text) if shape else named_rank(text)
            found = found if found in self._ranks else None
        return -1 - file.index if found is None else found


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
