"""Which stretches of a file are looked at line by line, where all of it would take too long.

Of a file larger than its share: its end, what leads to its first sign of trouble, and a little of its beginning and
middle, to know what it says as a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from logtui.parsers.lines import LineReader

LEAST, MOST = 4 << 10, 4 << 20
"""Bytes of one file that are looked at, whatever the number of files."""
TAIL, TROUBLE = 0.5, 0.25
"""Shares of that: the end, the way to the first sign of trouble; beginning and middle halve the rest."""
_PART = 1 << 20


@dataclass(frozen=True, slots=True)
class Stretch:
    """Bytes of a file; the line that holds the first one is left out unless it begins there."""

    begin: int
    end: int


def share_of_each(budget: int, files: int) -> int:
    """Bytes of one file, where `budget` is for all of them."""
    return max(LEAST, min(MOST, budget // max(files, 1)))


def stretches(size: int, most: int, trouble: int | None = None) -> list[Stretch]:
    """At most about `most` bytes of a file of `size`, in its order; all of it where it is no larger.

    `trouble` is the byte at which the first line about a failure begins.
    """
    if size <= most:
        return [Stretch(0, size)] if size else []
    tail, lead = int(most * TAIL), int(most * TROUBLE)
    rest = (most - tail - lead) // 2
    middle = size // 2
    found = [Stretch(0, rest), Stretch(middle, middle + rest), Stretch(size - tail, size)]
    if trouble is not None:
        found.append(Stretch(max(0, trouble - lead * 3 // 4), min(size, trouble + lead // 4)))
    return _joined(sorted(found, key=lambda s: s.begin))


def _joined(ordered: Sequence[Stretch]) -> list[Stretch]:
    out: list[Stretch] = []
    for one in ordered:
        if out and one.begin <= out[-1].end:
            out[-1] = Stretch(out[-1].begin, max(out[-1].end, one.end))
        else:
            out.append(one)
    return out


def lines_of(reader: LineReader, stretch: Stretch) -> Iterator[tuple[int, bytes]]:
    """(offset, line) of the lines that begin in a stretch, an unfinished last line of the file included."""
    at, pending = stretch.begin, b""
    skip = at > 0 and reader.bytes_at(at - 1, 1) != b"\n"
    while at < stretch.end:
        block = reader.bytes_at(at, min(_PART, stretch.end - at))
        if not block:
            break
        begin, at = at - len(pending), at + len(block)
        *whole, pending = (pending + block).split(b"\n")
        for line in whole:
            if not skip:
                yield begin, line
            skip, begin = False, begin + len(line) + 1
    if pending and not skip and not reader.bytes_at(at, 1):
        yield at - len(pending), pending
