"""A case: the files of one job, their records, and any of their lines."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING

from logtui.parsers.clean import clean, clean_again
from logtui.parsers.errors import LogtuiError
from logtui.parsers.files.lines import BRIEF, LINE_CAP, UNCOUNTED, Int64s, LineReader, Placed
from logtui.parsers.prefix.stamp import Stamp, stamp_near
from logtui.parsers.prefix.wrapping import unwrapped, unwrapper
from logtui.parsers.source import Coding, LogFile, TimeWindow, Unread

if TYPE_CHECKING:
    from logtui.parsers.records.record import Record, RecordTable


OPEN_READERS = 32
"""Files kept open for reading lines; ten thousand files must not need ten thousand descriptors."""
MARK_CHARS = 200
"""What a launcher puts before a line at most."""


@dataclass
class FileIndex:
    """What the scan learnt about one file's layout."""

    offsets: Int64s
    before: Int64s
    """For each block its first byte and the newlines before it, from the file's start without a gap."""
    end: int = 0
    """Bytes covered from the start without a gap."""
    newlines: int = 0
    lines: int = 0
    matched: int = 0
    complete: bool = False
    nul_bytes: bool = False
    loose: tuple[int, ...] = ()
    """First bytes of stretches that are scanned before what lies before them; lines in them are `UNCOUNTED`."""


@dataclass
class Case:
    """Shared by the diagnosis and the screen. Line access is safe from any thread."""

    files: tuple[LogFile, ...]
    records: RecordTable
    indexes: dict[int, FileIndex] = field(default_factory=dict)
    unread: tuple[Unread, ...] = ()
    share_read: float = 1.0
    """Of the bytes on disk; below 1.0 the case is provisional."""
    window: TimeWindow | None = None
    """Where only lines of a span of time are read."""
    _readers: OrderedDict[int, LineReader] = field(default_factory=OrderedDict, repr=False)
    _originals: dict[int, LineReader] = field(default_factory=dict, repr=False)
    """Readers of what is otherwise read recoded."""
    _lock: RLock = field(default_factory=RLock, repr=False)

    def file_named(self, name: str) -> LogFile | None:
        """The file people see under this name."""
        return self._by_name.get(name)

    @cached_property
    def _by_name(self) -> dict[str, LogFile]:
        """Of files of one name the first."""
        return {file.name: file for file in reversed(self.files)}

    def held(self, file: int) -> tuple[tuple[int, int], ...] | None:
        """(first line, how many) of the lines of a file that are there; None where all are."""
        cut = self.files[file].cut
        return None if cut is None else tuple((s.line, s.lines) for s in cut.passages)

    @property
    def is_excerpt(self) -> bool:
        """Whether the files themselves are not there."""
        return False

    def first_line(self, file: int) -> int:
        """The first line of a file that is read."""
        cut = self.files[file].cut
        return cut.passages[0].line if cut and cut.passages else 1

    def reader(self, file: int) -> LineReader:
        """The line reader of a file; hold `lock` while using it.

        Raises:
            PathUnreadable: if the file is gone or cannot be opened.
        """
        with self._lock:
            if file in self._readers:
                self._readers.move_to_end(file)
                return self._readers[file]
            reader = self.new_reader(file)
            self._readers[file] = reader
            while len(self._readers) > OPEN_READERS:
                self._readers.popitem(last=False)[1].close()
            return reader

    def new_reader(self, file: int) -> LineReader:
        """A reader of a file for the caller alone, who closes it; needs no lock.

        Raises:
            PathUnreadable: if the file is gone or cannot be opened.
        """
        index = self.indexes.get(file)
        if index is not None:
            end = (index.end, index.newlines)
            return LineReader(self.files[file], index.offsets, index.before, end, index.loose, held=self.held(file))
        return LineReader(self.files[file], held=self.held(file))

    def lines(self, file: int, first: int, count: int) -> list[str]:
        """Cleaned text of up to `count` lines from number `first`, as they stand there; [] where the file cannot be
        read."""
        return [clean(raw) for raw in self._raw(file, first, count)]

    def original(self, file: int, line: int) -> str | None:
        """A line of JSON objects, cleaned, as the file has it and not as it is read; None of other files."""
        log = self.files[file]
        if Coding.JSON not in log.codings or log.cut is not None or line >= UNCOUNTED:
            return None
        try:
            with self._lock:
                if file not in self._originals:
                    plain = tuple(coding for coding in log.codings if coding is not Coding.JSON)
                    self._originals[file] = LineReader(replace(log, codings=plain))
                return next(map(clean, self._originals[file].lines(line, 1)), None)
        except (LogtuiError, OSError):
            return None

    def text_at(self, file: int, offset: int, length: int) -> str:
        """Cleaned text of a line by its first byte and its bytes; "" where the file cannot be read."""
        try:
            with self._lock:
                return clean(self.reader(file).bytes_at(offset, min(length, LINE_CAP)))
        except (LogtuiError, OSError):
            return ""

    def bodies(self, file: int, first: int, count: int) -> list[str]:
        """Like `lines`, to look through: without what a collector put before each line, and of long ones both ends."""
        return [clean(unwrapped(raw, self.files[file].wrapping)) for raw in self._raw(file, first, count, BRIEF)]

    def head(self, file: int, count: int) -> list[str]:
        """Like `bodies`, of the first lines that are read."""
        return self.bodies(file, self.first_line(file), count)

    def placed(self, file: int, first: int, count: int) -> list[Placed]:
        """Up to `count` raw lines from number `first`, of long ones both ends."""
        try:
            with self._lock:
                offset = self.reader(file).offset_of(first)
                return [] if offset is None else self.reader(file).placed_from(offset, count, BRIEF)
        except (LogtuiError, OSError):
            return []

    def collected_at(self, file: int, line: int) -> float | None:
        """When a collector took a line, in seconds since the epoch; None where none did, or it gives no time."""
        stamp = self.collected_stamp(file, line)
        return stamp.epoch if stamp else None

    def collected_stamp(self, file: int, line: int) -> Stamp | None:
        """The collector's stamp of a line; None likewise."""
        log = self.files[file]
        wrapping, raws = unwrapper(log.wrapping), self._raw(file, line, 1) if log.wrapping else []
        if wrapping is None or not raws:
            return None
        return stamp_near(wrapping.read(raws[0]).text, log.mtime)

    def _raw(self, file: int, first: int, count: int, width: int = LINE_CAP) -> list[bytes]:
        try:
            with self._lock:
                return self.reader(file).lines(first, count, width)
        except (LogtuiError, OSError):
            return []

    def first_known(self, file: int, line: int) -> int:
        """The first line that is read, has a number and stands before a line without a gap, or the first of its
        stretch."""
        if line < UNCOUNTED:
            return self.first_line(file)
        before = (
            [start for start in self.indexes[file].loose if start < line - UNCOUNTED] if file in self.indexes else []
        )
        return UNCOUNTED + max(before) + 1 if before else line

    def line_count(self, file: int) -> int:
        """Lines in a file; reads it to the end if the scan did not."""
        try:
            with self._lock:
                return self.reader(file).count()
        except (LogtuiError, OSError):
            return 0

    def line_at(self, file: int, offset: int) -> int:
        """Number of the line that holds a byte.

        Raises:
            PathUnreadable: if the file is gone or cannot be opened.
        """
        with self._lock:
            return self.reader(file).line_at(offset)

    def following(self, record: Record, count: int) -> list[str]:
        """The record's line and up to `count` after it, as `bodies` has them."""
        try:
            with self._lock:
                raws = self.reader(record.file).lines_from(record.offset, count + 1, BRIEF)
        except (LogtuiError, OSError):
            return []
        return self._cleaned(record, raws, raws[0] if raws else b"")

    def whole(self, record: Record) -> str:
        """The record's text, and the next line from where its pattern says that the record goes on there."""
        text, more = record.text, record.pattern.continues
        if not more or more in text:
            return text
        after = self.following(record, 1)[1:]
        at = after[0].find(more) if after else -1
        return text + after[0][at:] if 0 <= at <= MARK_CHARS else text

    def preceding(self, record: Record, count: int) -> list[str]:
        """Up to `count` lines before the record's, nearest last, as `bodies` has them."""
        try:
            with self._lock:
                reader = self.reader(record.file)
                raws = reader.lines_before(record.offset, count)
                own = reader.lines_from(record.offset, 1, BRIEF) if self.files[record.file].wrapping else []
        except (LogtuiError, OSError):
            return []
        return self._cleaned(record, raws, own[0] if own else b"")

    def _cleaned(self, record: Record, raws: list[bytes], own: bytes) -> list[str]:
        """Lines near a record's own, for whoever follows its writer."""
        wrapping = unwrapper(self.files[record.file].wrapping)
        return [clean_again(raw) for raw in (wrapping.bodies(raws, own) if wrapping else raws)]

    def counted(self, file: int, line: int) -> int:
        """The number in the file of an `UNCOUNTED` line; any other number as it is.

        Counts the lines before it, at a few GB/s, unless that was done before.
        """
        if line < UNCOUNTED:
            return line
        try:
            with self._lock:
                reader = self.reader(file)
                offset = reader.offset_of(line)
                return line if offset is None else reader.line_at(offset)
        except (LogtuiError, OSError):
            return line

    def file_name(self, record: Record) -> str:
        """The record's file as people see it."""
        return self.files[record.file].name

    def close(self) -> None:
        """Release all files."""
        with self._lock:
            for reader in (*self._readers.values(), *self._originals.values()):
                reader.close()
            self._readers.clear()
            self._originals.clear()
