"""Process groups of one dump: who is in them, and how far they came."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import NamedTuple

from logtui.parsers.flight_recorder.values import as_int, as_text

MAX_RANK = 1 << 18
"""No job is larger; a number above this is something else, as a process id in a file name."""


@dataclass(frozen=True, slots=True)
class GroupConfig:
    """One entry of `pg_config`."""

    name: str
    desc: str
    members: tuple[int, ...]
    """Global ranks in group order: the position is the rank within the group. () if not said."""


class Watermarks(NamedTuple):
    """One entry of `pg_status`; -1 is none, or not measured. Collectives and sends count separately, and the
    numbers are those of whichever came last."""

    enqueued: int
    started: int
    completed: int


class MemberLists:
    """Reads lists of ranks, each distinct text once: a thousand dumps repeat the same few."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[int, ...]] = {}

    def __call__(self, value: object) -> tuple[int, ...]:
        """Global ranks from `"[0, 1, 2]"` or from a list; () if it is neither."""
        if not isinstance(value, str):
            return _ranks(value)
        if value not in self._read:
            self._read[value] = _ranks_of_text(value)
        return self._read[value]


def _ranks_of_text(text: str) -> tuple[int, ...]:
    try:
        return _ranks(json.loads(text))
    except (ValueError, RecursionError):
        return ()


def _ranks(value: object) -> tuple[int, ...]:
    if (
        type(value) is not list
        or len(value) > MAX_RANK
        or any(type(rank) is not int or not 0 <= rank < MAX_RANK for rank in value)
    ):
        return ()
    return tuple(value)


def read_config(value: object, members: MemberLists) -> dict[str, GroupConfig]:
    """`pg_config` of any version, by group name; up to version 1.4 the local number is the name."""
    if type(value) is not dict:
        return {}
    groups = {}
    for key, group in value.items():
        name = as_text(key) if isinstance(key, str) else str(key)
        if type(group) is dict:
            groups[name] = GroupConfig(name, as_text(group.get("desc")), members(group.get("ranks")))
        else:
            groups[name] = GroupConfig(name, "", members(group))
    return groups


def read_status(value: object) -> dict[int, Watermarks]:
    """`pg_status` by the local number of the group."""
    if type(value) is not dict:
        return {}
    return {as_int(key, -1): _watermarks(marks) for key, marks in value.items() if type(marks) is dict}


def _watermarks(marks: dict[object, object]) -> Watermarks:
    return Watermarks(*(as_int(marks.get(f"last_{what}_collective"), -1) for what in Watermarks._fields))
