"""What expressions do to a block of lines; run here, or in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from logtui.parsers.clean import clean

Answer = TypeVar("Answer")
Answer_co = TypeVar("Answer_co", covariant=True)
Cancelled = Callable[[], bool]

_CONTROLS = bytes({*range(32), 127} - {9, 10})


@dataclass(frozen=True, slots=True)
class Block:
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
        self, job: Job[Answer], blocks: Iterator[Block], cancelled: Cancelled
    ) -> Iterator[tuple[Block, Answer]]:
        """Each block with its answer, until there are no more or they are no longer wanted."""


class Overtime(Exception):
    """An expression took longer on some lines than anybody would wait."""

    def __init__(self, block: Block, why: str) -> None:
        super().__init__(why)
        self.block, self.why = block, why

    def words(self, expression: str) -> str:
        """What to tell the user."""
        first, last = self.block.line, self.block.line + self.block.lines - 1
        return f"{expression} {self.why} on a line from {first:,} to {last:,} and was stopped there: say it more simply"


def inline(job: Job[Answer], blocks: Iterator[Block], cancelled: Cancelled) -> Iterator[tuple[Block, Answer]]:
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
