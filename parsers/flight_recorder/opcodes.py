"""Numbers of lane rows: their opcodes, decoded a column at a time."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from logtui.parsers.flight_recorder.values import GARBAGE

_WIDTHS: tuple[tuple[int, int, str], ...] = (
    (2, 1, "u1"),  # BININT1
    (3, 1, "<u2"),  # BININT2
    (5, 1, "<i4"),  # BININT
    (10, 2, "<i8"),  # LONG1 of eight bytes
)
"""Bytes of an opcode with its argument, where the argument begins, its type. The size tells the opcode."""
_FLOAT_BYTES = 9
_TRUE = 0x88
TOO_LARGE = 1e30
"""No duration in milliseconds, and near the end of what a column holds."""


def decode_integers(codes: Sequence[bytes]) -> npt.NDArray[np.int64]:
    """Integers, flags and None (as 0), whatever mixture of opcodes spells them. O(n), in numpy."""
    sizes = np.fromiter(map(len, codes), np.int64, len(codes))
    starts = np.cumsum(sizes) - sizes
    data = np.frombuffer(b"".join(codes), np.uint8)
    numbers = np.zeros(len(codes), np.int64)
    single = np.flatnonzero(sizes == 1)
    numbers[single] = data[starts[single]] == _TRUE
    for size, skipped, kind in _WIDTHS:
        rows = np.flatnonzero(sizes == size)
        if rows.size:
            argument = data[starts[rows][:, None] + np.arange(skipped, size)]
            numbers[rows] = np.ascontiguousarray(argument).view(kind)[:, 0]
    numbers[(numbers <= -GARBAGE) | (numbers >= GARBAGE)] = 0
    return numbers


def decode_floats(codes: Sequence[bytes]) -> npt.NDArray[np.float32]:
    """Floats; integers among them as such, anything absurd as NaN."""
    numbers = decode_integers(codes).astype(np.float64)
    for row, code in enumerate(codes):
        if len(code) == _FLOAT_BYTES:
            numbers[row] = struct.unpack_from(">d", code, 1)[0]
    numbers[~(np.abs(numbers) < TOO_LARGE)] = np.nan
    return numbers.astype(np.float32)
