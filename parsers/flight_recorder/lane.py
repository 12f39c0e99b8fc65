"""How the entries of one dump are spelled.

Within one dump every entry names its fields by the same memo slots in the same order, so the bytes between two
values are known once the first entry has been read. The expression is anchored, built from opcodes that the
machine would accept anyway, and never backtracks; what it does not match, the machine reads opcode by opcode.

Fields that differ from entry to entry, numbers all of them, are told apart one by one. The others repeat: neighbours
among them are taken as one piece, and each distinct piece is evaluated once, by the machine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

MAX_FIELDS = 64
"""Real entries have 23; the expression grows with them."""
NUMBERS = frozenset({
    "record_id", "collective_seq_id", "seq_id", "p2p_seq_id", "op_id", "time_created_ns", "time_created_us",
    "time_discovered_started_ns", "time_discovered_completed_ns", "duration_ms",
})  # fmt: skip
"""Fields that differ from entry to entry."""

_NUMBER = rb"N|[\x88\x89]|K.|M..|J.{4}|\x8a\x08.{8}|G.{8}"
_TEXT = rb"h.|j.{4}"
_TEXTS = rb"\](?:\((?:h.|j.{4})*+e)?"
_SHAPES = rb"\](?:\((?:\](?:\((?:K.|M..|J.{4}|\x8a\x08.{8})*+e)?)*+e)?"
_SPELLINGS: Mapping[str, bytes] = {
    **dict.fromkeys(("input_sizes", "output_sizes"), _SHAPES),
    **dict.fromkeys(("input_dtypes", "output_dtypes", "frames"), _TEXTS),
    "process_group": rb"(?:h.|j.{4}){2}\x86",
}
_OTHER = b"|".join((_NUMBER, _TEXT, _TEXTS))


class Lane:
    """One spelling of an entry. `pieces` names the fields of each piece, in their order."""

    __slots__ = ("_keys", "_match", "_places", "pieces", "spelled")

    def __init__(self, fields: tuple[str, ...], spelled: tuple[bytes, ...]) -> None:
        self.pieces = _pieces(fields)
        self.spelled = tuple(s for field, s in zip(fields, spelled, strict=True) if field in NUMBERS)
        """The opcodes that fetch the names of the numbers; in the other pieces names are evaluated as well."""
        keys, self._places = _places(self.pieces)
        self._keys = itemgetter(*keys)
        self._match = _compiled(fields).fullmatch

    @classmethod
    def learn(cls, keys: tuple[object, ...], spelled: Mapping[str, bytes]) -> Lane | None:
        """The lane for entries with these keys, or None if they cannot be read by one."""
        fields = tuple(key for key in keys if isinstance(key, str) and key in spelled)
        if len(fields) != len(keys) or len(keys) > MAX_FIELDS or len(NUMBERS.intersection(fields)) < 2:
            return None
        return cls(fields, tuple(spelled[field] for field in fields))

    def read(self, data: bytes, start: int, end: int) -> tuple[tuple[int, int], ...] | None:
        """Where the opcodes of each piece stand in an entry that fills `data[start:end]`; None if it is no such one.

        The entry begins with the mark after its `}` and ends with its SETITEMS.
        """
        found = self._match(data, start, end)
        if found is None or self._keys(found.groups()) != self.spelled:
            return None
        return tuple(found.span(place) for place in self._places)


def _pieces(fields: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Numbers alone, neighbours among the other fields together."""
    runs = groupby(fields, lambda field: field if field in NUMBERS else "")
    return tuple(tuple(run) for _, run in runs)


def _places(pieces: tuple[tuple[str, ...], ...]) -> tuple[list[int], list[int]]:
    """Which groups of the expression hold the names of numbers, from 0; and which hold values, from 1."""
    keys, values, at = [], [], 0
    for piece in pieces:
        if piece[0] in NUMBERS:
            keys.append(at)
            at += 1
        values.append(at + 1)
        at += 1
    return keys, values


@lru_cache(maxsize=64)
def _compiled(fields: tuple[str, ...]) -> re.Pattern[bytes]:
    """Compiling costs as much as reading a thousand entries; the fields and their order differ by version only."""
    parts = []
    for piece in _pieces(fields):
        if piece[0] in NUMBERS:
            parts.append(b"(" + _TEXT + b")(" + _NUMBER + b")")
        else:
            pairs = (b"(?:" + _TEXT + b")(?:" + _SPELLINGS.get(field, _OTHER) + b")" for field in piece)
            parts.append(b"(" + b"".join(pairs) + b")")
    return re.compile(rb"\(" + b"".join(parts) + b"u", re.DOTALL)
