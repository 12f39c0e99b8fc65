"""The writer of each of many lines at once, from its first bytes, without a Python step per line.

In a storm a third of all lines match. Their writer is read here from `[rank57]:` and, where there is none, from
NCCL's `host:pid:tid [gpu] NCCL`: the prefixes that stand at a line's head. `origin` knows more of them and reads a
line as a whole; it is asked for the lines that are kept.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

HEAD = 64
"""Bytes of a line that are looked at."""
_RANK, _NCCL = b"[rank", b"] NCCL "
_RANK_DIGITS, _PID_DIGITS = 6, 8

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int32]
Places = npt.NDArray[np.intp]


def read_writers(heads: Bytes, lengths: npt.NDArray[np.int64]) -> tuple[Ints, Ints]:
    """Rank and process of each line, -1 where its head does not say.

    `heads` holds `HEAD` bytes per line, one line after the other; what lies past a line's length is not looked at.
    """
    text = np.concatenate((heads, np.zeros(HEAD, np.uint8)))
    count = len(lengths)
    ends = np.arange(count) * HEAD + np.minimum(lengths, HEAD)
    ranks = _ranks(text, ends)
    return ranks, np.where(ranks < 0, _processes(text, ends), np.int32(-1))


def _ranks(text: Bytes, ends: Places) -> Ints:
    """The last `[rank57]:` of each head."""
    starts = _places_of(_RANK, text)
    values, after = _number_at(text, starts + len(_RANK), _RANK_DIGITS)
    rows = starts // HEAD
    closed = (text[after] == ord("]")) & (text[after + 1] == ord(":")) & (after + 2 <= ends[rows])
    found = np.full(len(ends), -1, np.int32)
    found[rows[closed]] = values[closed]  # in ascending order: the last one stays
    return found


def _processes(text: Bytes, ends: Places) -> Ints:
    """The process of `host:pid:tid [gpu] NCCL`."""
    starts = _places_of(_NCCL, text)
    starts = starts[starts + len(_NCCL) <= ends[starts // HEAD]]
    rows, first_of_row = np.unique(starts // HEAD, return_index=True)
    colons = np.flatnonzero(text == ord(":"))
    at = np.searchsorted(colons, starts[first_of_row]) - 1
    has_two = at >= 1
    rows, at = rows[has_two], at[has_two]
    values, after = _number_at(text, colons[at - 1] + 1, _PID_DIGITS)
    real = (after == colons[at]) & (colons[at - 1] > rows * HEAD)
    found = np.full(len(ends), -1, np.int32)
    found[rows[real]] = values[real]
    return found


def _places_of(wanted: bytes, text: Bytes) -> Places:
    """Where a short text stands inside one head."""
    count = len(text) - HEAD
    found = text[:count] == wanted[0]
    for i in range(1, len(wanted)):
        found &= text[i : i + count] == wanted[i]
    places = np.flatnonzero(found)
    return places[places % HEAD <= HEAD - len(wanted)]


def _number_at(text: Bytes, starts: Places, most: int) -> tuple[Ints, Places]:
    """The decimal numbers that start at some places, -1 where there is none, and the places after them."""
    values, ends = np.zeros(len(starts), np.int32), starts.copy()
    going = np.ones(len(starts), np.bool_)
    for _ in range(most):
        digits = text[ends] - np.uint8(ord("0"))
        going &= digits <= 9
        values = np.where(going, values * 10 + digits, values)
        ends += going
    return np.where(ends > starts, values, np.int32(-1)), ends
