"""Search one file for a regular expression, from a line on and round, in batches that can be cancelled."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from logtui.parsers.lines import LineReader
from logtui.tui.matches import Found
from logtui.tui.pattern_jobs import Block, Runner, inline

BLOCK = 256 << 10
"""Bytes per step: what is found is told, and a wish to stop is heard, between two of them."""

TOLD_S = 0.1
"""What was found is told no more often than that, the first match at once."""
BATCH_LINES = 50_000


@dataclass(frozen=True, slots=True)
class SearchJob:
    """Finds the lines that an expression matches."""

    regex: re.Pattern[str]

    def __call__(self, text: str, line: int) -> list[int]:
        """Their numbers."""
        return list(matching_lines(self.regex, text, line))


def search_lines(
    reader: LineReader,
    regex: re.Pattern[str],
    start: int,
    cancelled: Callable[[], bool] = lambda: False,
    run: Runner = inline,
) -> Iterator[Found]:
    """Yield the lines that match, first those from line `start` to the end, then those before it.

    Raises:
        Overtime: if the expression takes too long, where `run` minds that.
    """
    lines: list[int] = []
    told, done, total = 0.0, 0, 1
    for block, here in run(SearchJob(regex), file_blocks(reader, start), cancelled):
        done, total = block.bytes_done, block.bytes_total
        if lines and here and here[0] < lines[-1]:  # round the end of the file
            yield Found(tuple(lines), done, total)
            lines = []
        lines += here
        if (lines and not told) or time.monotonic() - told >= TOLD_S or len(lines) >= BATCH_LINES:
            yield Found(tuple(lines), done, total)
            lines, told = [], time.monotonic()
    if not cancelled():
        yield Found(tuple(lines), done, total)


def file_blocks(reader: LineReader, start: int) -> Iterator[Block]:
    """The lines of a file from line `start` on and round."""
    spans = _spans(reader, start)
    total, done = sum(end - offset for offset, end, _ in spans), 0
    for offset, end, line in spans:
        for data in _blocks(reader, offset, end):
            done += len(data)
            yield Block(line, data, done, total)
            line += data.count(b"\n")


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
    """Blocks of whole lines between two bytes that begin lines. O(bytes), however long a line is."""
    begun: list[bytes] = []
    while offset < end:
        read = reader.bytes_at(offset, min(BLOCK, end - offset))
        if not read:
            break
        offset += len(read)
        whole, newline, rest = read.rpartition(b"\n")
        if newline:
            yield b"".join((*begun, whole, newline))
            begun = [rest]
        else:
            begun.append(read)
    if last := b"".join(begun):
        yield last


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
