"""The text of a file of which only some lines are read, each at the number it has in the file."""

from __future__ import annotations

from bisect import bisect_right

from logtui.parsers.files.reading import ByteSource
from logtui.parsers.source import Cut


class CutSource:
    """The passages of another source, with an empty line for each line before and between them."""

    def __init__(self, inner: ByteSource, cut: Cut) -> None:
        self._inner = inner
        self._starts: list[int] = []
        self._pieces: list[tuple[int, int]] = []
        """First byte in the other source and how many; from -1 on so many empty lines."""
        self._size, line = 0, 1
        for passage in cut.passages:
            self._add(-1, passage.line - line)
            self._add(passage.begin, passage.end - passage.begin)
            line = passage.line + passage.lines

    def _add(self, begin: int, count: int) -> None:
        if count:
            self._starts.append(self._size)
            self._pieces.append((begin, count))
            self._size += count

    def read_at(self, offset: int, count: int) -> bytes:
        """Up to `count` bytes from `offset`; fewer where the file has shrunk."""
        out, stop = [], min(offset + count, self._size)
        at = max(0, bisect_right(self._starts, offset) - 1)
        while offset < stop:
            begin, many = self._pieces[at]
            inside = offset - self._starts[at]
            many = min(many - inside, stop - offset)
            piece = b"\n" * many if begin < 0 else self._inner.read_at(begin + inside, many)
            out.append(piece)
            if len(piece) < many:
                break
            offset, at = offset + many, at + 1
        return b"".join(out)

    def size(self) -> int:
        """Bytes of that text; those of a file that grows meanwhile are not chased."""
        return self._size

    def close(self) -> None:
        """Release the other source."""
        self._inner.close()
