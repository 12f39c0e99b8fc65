"""What expressions do to blocks of a file's lines, run here or in a process of its own; a search for one of them.

From a line on and round, in batches that can be cancelled.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from logtui.parsers.clean import clean
from logtui.parsers.files.lines import LineReader
from logtui.tui.panes.raw.expressions import Found

Answer = TypeVar("Answer")
Answer_co = TypeVar("Answer_co", covariant=True)
Cancelled = Callable[[], bool]

_CONTROLS = bytes({*range(32), 127} - {9, 10})

BLOCK = 256 << 10
"""Bytes per step: what is found is told, and a wish to stop is heard, between two of them."""
TOLD_S = 0.1
"""What was found is told no more often than that, the first match at once."""
BATCH_LINES = 50_000


@dataclass(frozen=True, slots=True)
class LineBlock:
    """Whole lines of a file."""

    line: int
    """Number of the first."""
    data: bytes
    bytes_done: int
    """Of those to be looked at, this block included."""
    bytes_total: int

    @property
    def lines(self) -> int:
        """How many, an unfinished last one included."""
        return self.data.count(b"\n") + (not self.data.endswith(b"\n"))


class Job(Protocol[Answer_co]):
    """Can be sent to another process."""

    def __call__(self, text: str, line: int) -> Answer_co:
        """What is said of some lines, of which `line` is the number of the first."""


class Runner(Protocol):
    """Where jobs are run."""

    def __call__(
        self, job: Job[Answer], blocks: Iterator[LineBlock], cancelled: Cancelled
    ) -> Iterator[tuple[LineBlock, Answer]]:
        """Each block with its answer, until there are no more or they are no longer wanted."""


class Overtime(Exception):
    """An expression took longer on some lines than anybody would wait."""

    def __init__(self, block: LineBlock, why: str) -> None:
        super().__init__(why)
        self.block, self.why = block, why

    def words(self, expression: str) -> str:
        """What to tell the user."""
        first, last = self.block.line, self.block.line + self.block.lines - 1
        return f"{expression} {self.why} on a line from {first:,} to {last:,} and was stopped there: say it more simply"


def inline(job: Job[Answer], blocks: Iterator[LineBlock], cancelled: Cancelled) -> Iterator[tuple[LineBlock, Answer]]:
    """Run in this thread. An expression that takes for ever then holds up everybody."""
    for block in blocks:
        if cancelled():
            return
        yield block, job(shown_text(block.data), block.line)


def shown_text(block: bytes) -> str:
    """The block as the viewer shows it: without terminal sequences, line breaks kept."""
    if len(block.translate(None, _CONTROLS)) == len(block):
        return block.decode("utf-8", "replace")
    return "\n".join(clean(line) for line in block.split(b"\n"))


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


def file_blocks(reader: LineReader, start: int) -> Iterator[LineBlock]:
    """The lines of a file from line `start` on and round."""
    spans = _spans(reader, start)
    total, done = sum(end - offset for offset, end, _ in spans), 0
    for offset, end, line in spans:
        for data in _blocks(reader, offset, end):
            done += len(data)
            yield LineBlock(line, data, done, total)
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
