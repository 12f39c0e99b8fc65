"""From the hits in a block to the texts that patterns are run on.

Usually the text is a whole line. In a line of many kilobytes, or one that a progress bar rewrites with `\\r`, it is
the stretch around some hits, so that no regex ever runs over megabytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from logtui.parsers.blocks import Block
from logtui.parsers.clean import clean
from logtui.parsers.shapes import Shape, Shapes
from logtui.parsers.wrapping import Unwrapper, Wrapped

WINDOW = 4096
"""Bytes looked at on either side of a hit where a line is longer."""
SPAN = 3 * WINDOW
"""Bytes between the first and the last hit that share one text."""


@dataclass(slots=True)
class Stretch:
    """A text to run patterns on, and where it stands. Indices are into the block's buffer."""

    raw: bytes
    shape: Shape | None
    """What is known of lines like it, if it is a whole line; such a line is its own text."""
    hits: Sequence[int]
    """The hits in it, `end << 16 | anchor`, `end` counted from the block's first byte."""
    begin: int
    """Of its line."""
    end: int
    """Of its line, without the newline."""
    offset: int
    """Of its line's first byte in the file; in a line too long for a block, of its own."""
    length: int
    """Bytes of its line, or its own."""
    wrapped: Wrapped | None = None
    """What a collector put before the line, in a file where one did."""
    _text: str | None = None

    @property
    def text(self) -> str:
        """What patterns see; made when the first one looks."""
        if self._text is None:
            self._text = clean(self.raw)
        return self._text


def stretches(
    block: Block, hits: Sequence[int], anchor_lengths: Sequence[int], shapes: Shapes, unwrapper: Unwrapper | None = None
) -> Iterator[Stretch]:
    """The texts of a block that hold hits, in order, without what `unwrapper` takes off."""
    buffer, base, stop = block.buffer, block.begin, block.end
    find, rfind, view = buffer.find, buffer.rfind, memoryview(buffer)
    i, count = 0, len(hits)
    while i < count:
        at = base + (hits[i] >> 16) - 1
        begin = rfind(b"\n", base, at) + 1 or base
        end = find(b"\n", at, stop)
        if end < 0:
            end = stop
        last, limit = i + 1, (end - base + 1) << 16
        while last < count and hits[last] < limit:
            last += 1
        if end - begin <= WINDOW and not block.piece and find(b"\r", begin, end) < 0:
            raw = bytes(view[begin:end])
            offset, wrapped = begin - base + block.offset, None
            if unwrapper:
                wrapped, raw = unwrapper.split(raw)
            yield Stretch(raw, shapes.of(raw), hits[i:last], begin, end, offset, end - begin, wrapped)
        else:
            yield from _long(block, begin, end, hits[i:last], anchor_lengths, unwrapper)
        i = last


def _long(
    block: Block, begin: int, end: int, hits: Sequence[int], anchor_lengths: Sequence[int], unwrapper: Unwrapper | None
) -> Iterator[Stretch]:
    """Stretches that do not overlap, each around hits that stand close together in one `\\r` segment."""
    floor, shift = begin, block.offset - block.begin
    is_piece = block.piece and begin == block.begin
    head = bytes(memoryview(block.buffer)[begin : min(end, begin + WINDOW)]) if unwrapper else b""
    wrapped = unwrapper.read(head) if unwrapper else None
    for low, high, some in _clusters(block, begin, end, hits, anchor_lengths):
        low, floor = max(low, floor), high
        skipped = len(wrapped.text) if wrapped and low == begin else 0
        raw = bytes(memoryview(block.buffer)[low + skipped : high])
        offset, length = (low, high - low) if is_piece else (begin, end - begin)
        yield Stretch(raw, None, some, begin, end, offset + shift, length, wrapped)


def _clusters(
    block: Block, begin: int, end: int, hits: Sequence[int], anchor_lengths: Sequence[int]
) -> Iterator[tuple[int, int, Sequence[int]]]:
    """(first byte, end, hits) of each run of hits; a run ends early where the next one must begin."""
    i, base = 0, block.begin
    while i < len(hits):
        first = base + (hits[i] >> 16)
        stop = block.buffer.find(b"\r", first, end)
        stop = end if stop < 0 else stop
        last = i + 1
        while last < len(hits) and base + (hits[last] >> 16) <= min(stop, first + SPAN):
            last += 1
        low = max(block.buffer.rfind(b"\r", begin, first - 1) + 1, begin, first - WINDOW)
        high = min(stop, base + (hits[last - 1] >> 16) + WINDOW)
        if last < len(hits):
            high = min(high, base + (hits[last] >> 16) - anchor_lengths[hits[last] & 0xFFFF])
        yield low, high, hits[i:last]
        i = last
