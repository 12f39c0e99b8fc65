"""What a search looks for, and what it has found so far in one file."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass, field

LINES_KEPT = 200_000
"""Matching lines that can be stepped through; more are counted only."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one step found."""

    lines: tuple[int, ...]
    """Numbers of matching lines, ascending."""
    bytes_done: int
    bytes_total: int


def compile_search(pattern: str) -> re.Pattern[str]:
    """The expression as typed; case counts only where a capital letter is in it, as in less and ripgrep.

    Raises:
        re.error: if it is not a regular expression.
    """
    flags = re.MULTILINE if any(c.isupper() for c in re.sub(r"\\.", "", pattern)) else re.MULTILINE | re.IGNORECASE
    return re.compile(pattern, flags)


@dataclass
class Matches:
    """Matching lines in order, and how far the search is."""

    regex: re.Pattern[str]
    lines: list[int] = field(default_factory=list)
    total: int = 0
    share: float = 0.0
    finished: bool = False
    failed: bool = False
    """Whether it ended early: the expression took too long."""

    def add(self, found: Found) -> None:
        """Take in one batch; batches come in two ascending runs."""
        self.total += len(found.lines)
        self.share = found.bytes_done / found.bytes_total if found.bytes_total else 1.0
        if not found.lines or len(self.lines) >= LINES_KEPT:
            return
        if not self.lines or found.lines[0] > self.lines[-1]:
            self.lines.extend(found.lines)
        elif found.lines[-1] < self.lines[0]:
            self.lines[:0] = found.lines
        else:
            for line in found.lines:
                insort(self.lines, line)

    def beyond(self, line: int, direction: int) -> int | None:
        """The next matching line, round the end of the file; None where there is none."""
        if not self.lines:
            return None
        at = bisect_right(self.lines, line) if direction > 0 else bisect_left(self.lines, line) - 1
        return self.lines[at % len(self.lines)]

    def words(self, line: int) -> str:
        """`/pattern/ 3 of 41`, with the share searched while it goes on."""
        at = bisect_left(self.lines, line)
        here = f"{at + 1} of " if at < len(self.lines) and self.lines[at] == line else ""
        searched = f" · {self.share:.0%} searched"
        going = f"{searched}, too slow" if self.failed else "" if self.finished else searched
        return f"/{self.regex.pattern}/ {here}{self.total:,}{going}"
