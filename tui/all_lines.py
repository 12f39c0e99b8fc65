"""Every line of a file is shown; needs no numpy, so that the first frame need not wait for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AllLines:
    """Row 0 is line 1."""

    count: int

    def lines(self, row: int, count: int) -> list[int]:
        """The lines on up to `count` rows from one on."""
        return list(range(max(row, 0) + 1, min(row + count, self.count) + 1))

    def row(self, line: int) -> int:
        """The row of a line."""
        return min(max(line, 1) - 1, self.count)
