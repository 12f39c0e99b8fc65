"""What scanning a range of a log gives: columns, which can travel between processes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logtui.parsers.record import ROW, Rows


@dataclass(slots=True)
class RangeScan:
    """What one range of one file holds."""

    file: int
    start: int
    end: int
    """Just past the last byte of the range's last line."""
    rows: Rows
    """In the order of the file; lines count from 1 in the range, texts and hosts are the range's own."""
    blob: bytes
    hosts: list[str]
    counts: dict[tuple[int, int], int]
    """(pattern index, rank or -1) → exact number of matches; of lines, where the pattern comes in bulk."""
    lines: int
    """Newlines in the range."""
    matched_lines: int
    block_offsets: npt.NDArray[np.int64]
    block_lines: npt.NDArray[np.int64]
    """For each block its first byte and the newlines before it in this range."""
    damage: str | None = None
    """Why the text ends early, if it does."""
    nul_bytes: bool = False
    unfinished: bool = False
    """The range is one line without a newline: the file is being written, or was cut."""


def nothing(file: int, start: int) -> RangeScan:
    """The scan of a range in which no line starts."""
    none = np.empty(0, np.int64)
    return RangeScan(file, start, start, np.empty(0, ROW), b"", [], {}, 0, 0, none, none)
