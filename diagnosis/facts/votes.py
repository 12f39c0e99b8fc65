"""Which numbers lines give to a field, and how many give each: what most say is believed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from logtui.parsers.records.record import RecordTable


@dataclass(frozen=True, slots=True)
class Votes:
    """For each number how many lines give it, and the first of them."""

    counts: dict[int, int]
    rows: dict[int, int]

    @property
    def best(self) -> int | None:
        """The number that most lines give; of several as frequent the largest."""
        return max(self.counts, key=lambda n: (self.counts[n], n), default=None)


def votes(records: RecordTable, field: str, most: int) -> Votes:
    """The numbers from 1 to `most` that lines give to a field; of thousands of lines each is read once for all who
    ask."""
    rows, numbers = records.told(field)
    counted = (numbers > 0) & (numbers <= most)
    rows, numbers = rows[counted], numbers[counted]
    found, first, counts = np.unique(numbers, return_index=True, return_counts=True)
    names = found.tolist()
    return Votes(dict(zip(names, counts.tolist(), strict=True)), dict(zip(names, rows[first].tolist(), strict=True)))
