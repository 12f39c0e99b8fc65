"""Search one file for a regular expression, from a line on and round, in batches that can be cancelled."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

from logtui.parsers.clean import clean
from logtui.parsers.lines import LineReader
from logtui.tui.matches import Found

BLOCK = 256 << 10
"""Bytes per step: `re` lets nobody else run meanwhile, and a frame must not wait for it."""

TOLD_S = 0.1
"""What was found is told no more often than that, the first match at once."""
BATCH_LINES = 50_000

_CONTROLS = bytes({*range(32), 127} - {9, 10})


def search_lines(
    reader: LineReader, regex: re.Pattern[str], start: int, cancelled: Callable[[], bool] = lambda: False
) -> Iterator[Found]:
    """Yield the lines that match, first those from line `start` to the end, then those before it."""
    lines: list[int] = []
    told, done, total = 0.0, 0, 1
    for line, text, done, total in text_blocks(reader, start, cancelled):
        here = list(matching_lines(regex, text, line))
        if lines and here and here[0] < lines[-1]:  # round the end of the file
            yield Found(tuple(lines), done, total)
            lines = []
        lines += here
        if (lines and not told) or time.monotonic() - told >= TOLD_S or len(lines) >= BATCH_LINES:
            yield Found(tuple(lines), done, total)
            lines, told = [], time.monotonic()
    if not cancelled():
        yield Found(tuple(lines), done, total)


def text_blocks(reader: LineReader, start: int, cancelled: Callable[[], bool]) -> Iterator[tuple[int, str, int, int]]:
    """(number of its first line, text, bytes done, bytes in all) of each block, from line `start` on and round."""
    spans = _spans(reader, start)
    total, done = sum(end - offset for offset, end, _ in spans), 0
    for offset, end, line in spans:
        for block in _blocks(reader, offset, end):
            if cancelled():
                return
            done += len(block)
            yield line, _text(block), done, total
            line += block.count(b"\n")


def _spans(reader: LineReader, start: int) -> list[tuple[int, int, int]]:
    """(first byte, byte after the last, first line) of what is there, from line `start` on, then what is before it."""
    size = reader.size()
    if reader.held is None:
        middle = reader.offset_of(start)
        return [(middle, size, start), (0, middle, 1)] if middle else [(0, size, 1)]
    spans = []
    for first, count in reader.held:
        end = reader.offset_of(first + count)
        spans.append((reader.offset_of(first) or 0, size if end is None else end, first))
    at = next((n for n, (first, count) in enumerate(reader.held) if first + count > start), 0)
    return [*spans[at:], *spans[:at]]


def _blocks(reader: LineReader, offset: int, end: int) -> Iterator[bytes]:
    """Blocks of whole lines between two bytes that begin lines."""
    rest = b""
    while offset < end:
        read = reader.bytes_at(offset, min(BLOCK, end - offset))
        if not read:
            break
        offset += len(read)
        whole, newline, rest_of_read = read.rpartition(b"\n")
        if not newline:
            rest += read
            continue
        yield rest + whole + newline
        rest = rest_of_read
    if rest:
        yield rest


def _text(block: bytes) -> str:
    """The block as the viewer shows it: without terminal sequences, line breaks kept."""
    if len(block.translate(None, _CONTROLS)) == len(block):
        return block.decode("utf-8", "replace")
    return "\n".join(clean(line) for line in block.split(b"\n"))


def matching_lines(regex: re.Pattern[str], text: str, line: int) -> Iterator[int]:
    """Numbers of the lines that match by themselves; `line` is the number of the first."""
    at = counted = 0
    while match := regex.search(text, at):
        start = text.rfind("\n", 0, match.start()) + 1
        end = text.find("\n", match.start())
        end = len(text) if end < 0 else end
        if start >= len(text) > 0 and text.endswith("\n"):
            return
        line += text.count("\n", counted, start)
        counted = start
        if match.end() <= end or regex.search(text[start:end]):
            yield line
        at = end + 1
        if at > len(text):
            return
