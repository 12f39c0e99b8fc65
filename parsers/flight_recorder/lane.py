"""Reading entries that are spelled like the ones before, one regular-expression step each.

Within one dump every entry names its fields by the same memo slots in the same order, so the bytes between two
values are known once the first entry has been read. The expression is anchored, built from opcodes that the
machine would accept anyway, and never backtracks; what it does not match, the machine reads opcode by opcode.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias, TypeGuard

Row: TypeAlias = "tuple[Lane, tuple[bytes, ...]]"
"""An entry read by a lane: the opcodes of each value, still to be evaluated."""

_INTEGER = rb"N|[\x88\x89]|K.|M..|J.{4}|\x8a\x08.{8}"
_FLOAT = rb"G.{8}"
_TEXT = rb"h.|j.{4}"
_SHAPES = rb"\](?:\((?:\](?:\((?:K.|M..|J.{4}|\x8a\x08.{8})*+e)?)*+e)?"
_TEXTS = rb"\](?:\((?:h.|j.{4})*+e)?"
_PAIR = rb"(?:h.|j.{4}){2}\x86"
_OTHER = b"|".join((_INTEGER, _FLOAT, _TEXT, _TEXTS))

MAX_FIELDS = 64
"""Real entries have 23; the expression grows with them."""
INTEGERS = (
    "record_id", "pg_id", "collective_seq_id", "seq_id", "p2p_seq_id", "time_created_ns", "time_created_us",
    "time_discovered_started_ns", "time_discovered_completed_ns", "retired", "timeout_ms", "is_p2p",
)  # fmt: skip
"""Fields of an entry whose value is a number, a flag or None."""
_SPELLINGS: Mapping[str, bytes] = {
    **dict.fromkeys(INTEGERS, _INTEGER),
    "duration_ms": _FLOAT,
    **dict.fromkeys(("profiling_name", "state", "thread_id", "thread_name"), _TEXT),
    **dict.fromkeys(("input_sizes", "output_sizes"), _SHAPES),
    **dict.fromkeys(("input_dtypes", "output_dtypes", "frames"), _TEXTS),
    "process_group": _PAIR,
}


class Lane:
    """One spelling of an entry. `fields` names the values of a row, in their order."""

    __slots__ = ("_match", "fields", "spelled")

    def __init__(self, fields: tuple[str, ...], spelled: tuple[bytes, ...]) -> None:
        self.fields = fields
        self.spelled = spelled
        """The opcode that fetches each field's name."""
        self._match = _compiled(fields).match

    @classmethod
    def learn(cls, keys: tuple[object, ...], spelled: Mapping[str, bytes]) -> Lane | None:
        """The lane for entries with these keys, or None if a key cannot be fetched from the memo."""
        fields = tuple(key for key in keys if isinstance(key, str) and key in spelled)
        if len(fields) != len(keys) or len(keys) > MAX_FIELDS:
            return None
        return cls(fields, tuple(spelled[field] for field in fields))

    def read(self, data: bytes, pos: int, into: list[object], room: int) -> int:
        """Read the entry opened just before `pos`, and all that follow as long as they fit, up to `room` in all.

        Returns where the last one ended; `pos` itself if not even the first one fits.
        """
        match, spelled, end = self._match, self.spelled, pos
        while (found := match(data, pos)) is not None:
            pieces = found.groups()
            if pieces[::2] != spelled:
                break
            into.append((self, pieces[1::2]))
            end = found.end()
            if data[end : end + 1] != b"}" or len(into) > room:
                break
            pos = end + 1
        return end


def is_row(value: object) -> TypeGuard[Row]:
    """Whether a value on the stack is an entry that a lane read."""
    return type(value) is tuple and bool(value) and type(value[0]) is Lane


@lru_cache(maxsize=64)
def _compiled(fields: tuple[str, ...]) -> re.Pattern[bytes]:
    """Compiling costs as much as reading a thousand entries; the fields and their order differ by version only."""
    pairs = (b"(" + _TEXT + b")(" + _SPELLINGS.get(field, _OTHER) + b")" for field in fields)
    return re.compile(rb"\(" + b"".join(pairs) + b"u", re.DOTALL)
