"""A daemon log as blocks of whole lines, whatever it is packed in, and what a collector put before each line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from logtui.parsers.aistore.scanned import FileScan
from logtui.parsers.archive import open_stream
from logtui.parsers.clean import clean
from logtui.parsers.reading import PlainSource, TextStream
from logtui.parsers.source import Compression, LogFile

BLOCK = 1 << 19
"""Bytes per read: the columns made from a block stay in the cache, and their memory is used again."""
CARRY_CAP = 8 << 20
"""A line longer than this is taken in pieces."""
_STAMP = rb"(?:[IWE] (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6} |Started up at 20|Rotated at 20)"
_PREFIXED = re.compile(rb"^(.{1,120}? )" + _STAMP, re.M)
_PLAIN = re.compile(rb"^" + _STAMP, re.M)


def whole_line_blocks(file: LogFile, found: FileScan) -> Iterator[tuple[int, bytes]]:
    """Blocks that end at a newline, the last one perhaps not; damage is noted in `found`."""
    stream: TextStream = open_stream(file) if file.compression is not Compression.NONE else _PlainStream(file)
    try:
        at, carry = 0, b""
        while fresh := stream.read(BLOCK):
            cut = fresh.rfind(b"\n") + 1 or (len(fresh) if len(carry) + len(fresh) >= CARRY_CAP else 0)
            if not cut:
                carry += fresh
                continue
            block = b"".join((carry, memoryview(fresh)[:cut]))
            yield at, block
            at, carry = at + len(block), fresh[cut:]
        if carry:
            yield at, carry
        found.damage = stream.damage
        found.size = at + len(carry)
    finally:
        stream.close()


class _PlainStream:
    """A plain file from its start."""

    damage: str | None = None

    def __init__(self, file: LogFile) -> None:
        self._source = PlainSource(file.path)
        self._at = 0

    def read(self, count: int) -> bytes:
        block = self._source.read_at(self._at, count)
        self._at += len(block)
        return block

    def close(self) -> None:
        self._source.close()


def collector_prefix(block: bytes) -> tuple[int, str]:
    """Length and first text of what a collector (`kubectl logs --timestamps`, `--prefix`) puts before each line."""
    head = block[:16384]
    if _PLAIN.search(head):
        return 0, ""
    prefixes = [m[1] for m in _PREFIXED.finditer(head)]
    lengths = [len(p) for p in prefixes]
    if not lengths:
        return 0, ""
    common = max(set(lengths), key=lengths.count)
    return common, clean(next(p for p in prefixes if len(p) == common))
