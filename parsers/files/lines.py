"""Any line of any file by number, through a sparse index: one entry per block, whatever the file's size."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from itertools import count as counted
from operator import add
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from logtui.parsers.files.archive import open_log
from logtui.parsers.files.reading import BLOCK, ByteSource
from logtui.parsers.source import LogFile

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


# -- Counting newlines at the speed of the cache

_COMPARED = 1 << 17
"""Bytes compared at a time, so that neither they nor the result leave the cache."""
_SHORT = 2048
"""Bytes below which a plain count is faster than numpy's calls."""

Indices = npt.NDArray[np.int64]


class NewlineCounter:
    """Counts in one buffer, whose content may change between calls but not its size."""

    def __init__(self, buffer: bytearray) -> None:
        self._buffer = buffer
        self._bytes = np.frombuffer(buffer, np.uint8)
        self._equal = np.empty(_COMPARED, np.bool_)

    def count(self, begin: int, end: int) -> int:
        """Newlines in `buffer[begin:end]`."""
        if end - begin < _SHORT:
            return self._buffer.count(b"\n", begin, end)
        total = 0
        for first in range(begin, end, _COMPARED):
            piece = self._bytes[first : min(first + _COMPARED, end)]
            equal = self._equal[: len(piece)]
            np.equal(piece, 10, out=equal)
            total += int(np.count_nonzero(equal))
        return total

    def bounds_of_few(self, places: list[int], begin: int, end: int) -> tuple[Indices, Indices, Indices]:
        """For some bytes of `buffer[begin:end]` in ascending order: the newlines before each, and where its line begins
        and ends."""
        lines, count, at = np.empty((3, len(places)), np.int64), 0, begin
        for n, place in enumerate(places):
            first = self._buffer.rfind(b"\n", begin, place) + 1 or begin
            stop = self._buffer.find(b"\n", place, end)
            count += self.count(at, max(at, first))
            at = max(at, first)
            lines[:, n] = count, first, end if stop < 0 else stop
        return lines[0], lines[1], lines[2]


Int64s: TypeAlias = "npt.NDArray[np.int64] | array[int]"
# -- Lines by number

UNCOUNTED = 1 << 62
"""Line numbers from here on stand for lines of a stretch that is scanned before what lies before it: the excess is the
byte the stretch begins at plus the line's number in it. They sort as the lines do, and neighbours have neighbouring
numbers. Only provisional records have them; `Case` and `LineReader` take them wherever they take line numbers."""
LINE_CAP = 1 << 20
"""Bytes of one line that are ever returned."""
BRIEF = 1 << 15
"""Bytes of one line that a program looks through at most: half of them its head, half its end, where a progress bar has
written last."""
_IN_ALL = 1 << 24
"""Bytes returned at once, after which no line is returned whole that is longer than `_SCANT`."""
_SCANT = 1 << 12
"""Its head alone is more than a report cites of a line."""
_BETWEEN = " … ".encode()
_NEAR = 1 << 12
"""Bytes before a line that mostly hold the few that are asked for."""
_STEP = 1 << 16
"""Bytes read first where few lines are wanted."""


class Placed(NamedTuple):
    """A line, and where it stands."""

    offset: int
    length: int
    """Of all of it, without the newline."""
    raw: bytes


class _Shares:
    """What is returned of each line, where each of thousands may be a megabyte."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._left = _IN_ALL

    def of(self, line: bytes) -> bytes:
        width = self._width if self._left > 0 else _SCANT
        if len(line) > width:
            head = width // 2
            line = line[:width] if width == LINE_CAP else line[:head] + _BETWEEN + line[head + len(_BETWEEN) - width :]
        self._left -= len(line)
        return line

    def of_all(self, lines: list[bytes], lengths: list[int]) -> list[bytes]:
        """Of several lines and their lengths: where none is long, all of each is returned, whatever is left."""
        if max(lengths, default=0) > _SCANT:
            return [self.of(line) for line in lines]
        self._left -= sum(lengths)
        return lines


class LineReader:
    """Reads the lines of one log. Lines count from 1, by `\\n` alone, as `sed -n 57p` counts them.

    The index a scan left may be given; what it does not cover is indexed on the way. A file that grew gives more
    lines; one that shrank, and so was truncated or replaced, is indexed anew: nothing here fails on either. Not for
    use by two threads at once.
    """

    def __init__(
        self,
        file: LogFile,
        offsets: Int64s | None = None,
        before: Int64s | None = None,
        end: tuple[int, int] | None = None,
        loose: Sequence[int] = (),
        source: ByteSource | None = None,
        held: Sequence[tuple[int, int]] | None = None,
    ) -> None:
        """`offsets[i]` is the first byte of block i, `before[i]` the newlines before it, from the file's start without
        a gap; `end` is (bytes, newlines) covered so far; `loose` are the stretches that `UNCOUNTED` numbers mean."""
        self.file = file
        self.held = held
        """(first line, how many) of the lines that are there, where others are not; None where all are."""
        self._source = source or open_log(file)
        self._offsets, self._before = _compact(offsets), _compact(before)
        self._end, self._newlines = end or (0, 0)
        self._loose = loose

    def close(self) -> None:
        """Release the file."""
        self._source.close()

    def _extend(self) -> bool:
        """Index one more block; False at the end of the file."""
        block = self._source.read_at(self._end, BLOCK)
        if not block:
            return False
        self._offsets.append(self._end)
        self._before.append(self._newlines)
        self._end += len(block)
        self._newlines += count_newlines(block)
        return True

    def _forget_what_is_gone(self) -> None:
        """Index anew if the file is shorter than what was indexed."""
        if self._source.size() < self._end:
            self._offsets, self._before = _compact(None), _compact(None)
            self._end = self._newlines = 0

    def offset_of(self, line: int) -> int | None:
        """First byte of a line, or None past the end. O(one block) once indexed."""
        if line >= UNCOUNTED:
            return self._offset_of_uncounted(line - UNCOUNTED)
        self._forget_what_is_gone()
        newlines = line - 1
        while self._newlines < newlines:
            if not self._extend():
                return None
        # The line starts after a newline, which may stand in the block before the first one that counts it.
        at = max(0, bisect_left(self._before, newlines) - 1)
        if not self._offsets:
            return 0
        return self._skip(self._offsets[at], newlines - self._before[at])

    def _offset_of_uncounted(self, number: int) -> int | None:
        """`number` is the first byte of a stretch plus the line's number in it; it has at least a byte per line."""
        at = bisect_left(self._loose, number) - 1
        return self._skip(self._loose[at], number - self._loose[at] - 1) if at >= 0 else None

    def _skip(self, offset: int, newlines: int) -> int | None:
        """The byte after the given number of newlines from `offset`."""
        while newlines > 0:
            block = self._source.read_at(offset, min(BLOCK, _COMPARED))  # what stands behind the line is not wanted
            if not block:
                return None
            are_newlines = np.frombuffer(block, np.uint8) == 10
            here = int(np.count_nonzero(are_newlines))
            if here >= newlines:
                return offset + _nth(are_newlines, newlines) + 1
            newlines -= here
            offset += len(block)
        return offset

    def line_at(self, offset: int) -> int:
        """Number of the line that holds a byte; counts what lies before it and is not indexed yet."""
        self._forget_what_is_gone()
        while self._end <= offset and self._extend():
            pass
        if not self._offsets:
            return 1
        i = max(0, bisect_right(self._offsets, offset) - 1)
        at, lines = self._offsets[i], self._before[i]
        while at < offset:
            block = self._source.read_at(at, min(BLOCK, offset - at))
            if not block:
                break
            lines += count_newlines(block)
            at += len(block)
        return lines + 1

    def count(self) -> int:
        """Number of lines in the whole file, an unfinished last one included. Reads what is not indexed yet."""
        self._forget_what_is_gone()
        while self._extend():
            pass
        if self._end == 0:
            return 0
        last = self._source.read_at(self._end - 1, 1)
        return self._newlines + (last != b"\n")

    @property
    def known(self) -> int:
        """Lines indexed so far: a lower bound of `count`, at no cost."""
        return self._newlines

    def line(self, number: int) -> bytes | None:
        """One line without its newline, at most `LINE_CAP` bytes; None past the end."""
        found = self.lines(number, 1)
        return found[0] if found else None

    def lines(self, first: int, count: int, width: int = LINE_CAP) -> list[bytes]:
        """Up to `count` lines from number `first`; fewer at the end. See `placed_from`."""
        offset = self.offset_of(max(1, first))
        return [] if offset is None else self.lines_from(offset, count, width)

    def lines_from(self, offset: int, count: int, width: int = LINE_CAP) -> list[bytes]:
        """Up to `count` lines from a byte that begins a line. See `placed_from`."""
        return [raw for _, _, raw in self.placed_from(offset, count, width)]

    def placed_from(self, offset: int, count: int, width: int = LINE_CAP) -> list[Placed]:
        """Up to `count` lines from a byte that begins a line. Of one that is longer than `width`, and where there are
        megabytes of them of one that is longer than `_SCANT`, both ends."""
        out: list[Placed] = []
        shares, step, pending, begin = _Shares(width), _STEP, b"", offset
        while len(out) < count:
            block = self._source.read_at(offset, step)
            if not block:
                if pending:
                    out.append(Placed(begin, offset - begin, shares.of(pending)))
                break
            *whole, rest = block.split(b"\n")
            if whole:
                at = offset + len(whole[0])
                out.append(Placed(begin, at - begin, shares.of(pending + whole[0])))
                begin, pending = at + 1, b""
                others = whole[1 : count - len(out) + 1]
                lengths = [*map(len, others)]
                begins = [*map(add, accumulate(lengths, initial=begin), counted())]
                out += map(Placed, begins, lengths, shares.of_all(others, lengths))
                begin = begins[-1]
            pending = _without_middle(pending + rest)
            offset += len(block)
            step = min(step * 2, BLOCK)
        return out

    def lines_before(self, offset: int, count: int) -> list[bytes]:
        """Up to `count` lines before the one that begins at a byte, nearest last, without counting anything; of long
        ones both ends, of the farthest, if it is very long, only the end."""
        if count <= 0:
            return []
        text = self._source.read_at(max(0, offset - _NEAR), min(_NEAR, offset))
        if text.count(b"\n") <= count:
            text = self._far_before(offset, count)
        shares = _Shares(BRIEF)
        return [shares.of(line) for line in text.rsplit(b"\n", count + 1)[:-1][-count:]]

    def _far_before(self, offset: int, count: int) -> bytes:
        text, step = b"", _STEP
        while offset > 0 and text.count(b"\n") <= count and len(text) < LINE_CAP:
            take = min(step, offset)
            offset -= take
            text = self._source.read_at(offset, take) + text
            step *= 2
        return text

    def bytes_at(self, offset: int, count: int) -> bytes:
        """Raw bytes, fewer at the end of the file."""
        return self._source.read_at(offset, count)

    def size(self) -> int:
        """Bytes of text right now."""
        return self._source.size()


def _without_middle(line: bytes) -> bytes:
    """What may be returned of a line, however long it is."""
    return line if len(line) <= LINE_CAP + BRIEF else line[:LINE_CAP] + line[-BRIEF:]


def _compact(numbers: Int64s | None) -> array[int]:
    """Eight bytes each, which can grow and be searched."""
    return array("q", b"" if numbers is None else numbers.tobytes())


def count_newlines(block: bytes) -> int:
    """Three times as fast as `bytes.count` where lines are short."""
    return int(np.count_nonzero(np.frombuffer(block, np.uint8) == 10))


def _nth(are: npt.NDArray[np.bool_], nth: int) -> int:
    """Where the nth newline stands, from 1 on; there are as many. By halves: to count is ten times as fast as to list
    where they all stand."""
    begin, end = 0, len(are)
    while end - begin > _SHORT:
        middle = (begin + end) // 2
        before = int(np.count_nonzero(are[begin:middle]))
        if before >= nth:
            end = middle
        else:
            begin, nth = middle, nth - before
    return begin + int(np.flatnonzero(are[begin:end])[nth - 1])
