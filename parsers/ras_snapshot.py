"""What NCCL's RAS subsystem told a client: operations launched per communicator, ranks without an answer.

Source: NCCL src/ras/client_support.cc, 2.24 to 2.30: the text of `ncclras`, and its JSON (2.28.7 on). Counts are of
launched operations per kind since the communicator began; ranks are numbered within the communicator.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MAX_LINES = 4_000_000
"""Of one JSON snapshot: 16,384 ranks in ten communicators each take as many."""
MAX_RANK = 1 << 18
_HEAD = re.compile(r"^#\d+-\d+ \((?P<comm>[0-9a-f]{1,16})\) (?P<status>[A-Z]+(?:[ ,/]+[A-Z]+){0,4})\s*$")
_OPERATION = re.compile(r"^  Communicator ranks have different (?P<op>\w{1,40}) operation counts")
_LAUNCHED = r"ha(?:ve|s) (?:launched up to operation (?P<seq>\d{1,18})|not launched any)"
_MANY = re.compile(r"^  (?P<count>\d{1,7}) ranks? " + _LAUNCHED)
_ONE = re.compile(r"^  Rank (?P<rank>\d{1,7}) " + _LAUNCHED)
_NAMED = re.compile(r"^  Rank (?P<rank>\d{1,7}) -- ")
_INCOMPLETE = re.compile(r"^  Missing communicator data from (?P<count>\d{1,7}) ranks?\b")


@dataclass(frozen=True, slots=True)
class Launched:
    """Ranks that have launched the same number of operations of a kind."""

    seq: int
    count: int
    ranks: tuple[int, ...]
    """() where the report only counts them."""


@dataclass(slots=True)
class RasCommunicator:
    """One communicator."""

    hash: str
    size: int = 0
    """Ranks in it; 0 where that is not told."""
    launched: dict[str, list[Launched]] = field(default_factory=dict)
    """By kind of operation; of the text only the kinds that differ."""
    unanswered: set[int] = field(default_factory=set)
    """Ranks that gave no data, as far as they are named."""

    def behind(self) -> tuple[tuple[int, ...], int]:
        """Ranks that have launched fewer operations of some kind than another, and how many there are in all."""
        named: set[int] = set()
        most = 0
        for groups in self.launched.values():
            top = max(group.seq for group in groups)
            late = [group for group in groups if group.seq < top]
            named.update(rank for group in late for rank in group.ranks)
            most = max(most, sum(group.count for group in late))
        return tuple(sorted(named)), max(most, len(named))

    def differing(self) -> list[str]:
        """Kinds of operations of which some ranks have launched fewer."""
        return [op for op, groups in self.launched.items() if len({group.seq for group in groups}) > 1]


def read_text(lines: Iterable[str]) -> list[RasCommunicator]:
    """Communicators with a problem, from the lines of a report; one that is listed twice is merged."""
    found: dict[str, RasCommunicator] = {}
    comm: RasCommunicator | None = None
    op, incomplete = "", False
    for line in lines:
        if head := _HEAD.match(line):
            comm = found.setdefault(head["comm"], RasCommunicator(head["comm"]))
            op, incomplete = "", "INCOMPLETE" in head["status"]
        elif comm is None:
            continue
        elif said := _OPERATION.match(line):
            op = said["op"]
            comm.launched[op] = []
        elif incomplete and (named := _NAMED.match(line)):
            comm.unanswered.add(int(named["rank"]))
        elif op:
            _read_counts(line, comm.launched[op])
    for comm in found.values():
        comm.launched = {op: groups for op, groups in comm.launched.items() if groups}
        comm.size = max((sum(group.count for group in groups) for groups in comm.launched.values()), default=0)
        comm.size += len(comm.unanswered) if comm.size else 0
    return list(found.values())


def _read_counts(line: str, groups: list[Launched]) -> None:
    if many := _MANY.match(line):
        groups.append(Launched(int(many["seq"] or 0), int(many["count"]), ()))
    elif one := _ONE.match(line):
        groups.append(Launched(int(one["seq"] or 0), 1, (int(one["rank"]),)))
    elif groups and (named := _NAMED.match(line)):
        last = groups[-1]
        groups[-1] = Launched(last.seq, max(last.count, len(last.ranks) + 1), (*last.ranks, int(named["rank"])))


def read_json(text: str) -> tuple[str, list[RasCommunicator]] | None:
    """Local time of a JSON snapshot, and its communicators; None if it is none."""
    try:
        found, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(found.get("communicators"), list):
        return None
    comms = [_communicator(comm) for comm in found["communicators"] if isinstance(comm, dict)]
    stamp = found.get("timestamp")
    return stamp if isinstance(stamp, str) else "", comms


def _communicator(said: Mapping[str, Any]) -> RasCommunicator:
    ranks = [rank for rank in _dicts(said.get("ranks")) if _rank(rank) is not None]
    counts: dict[str, dict[int, list[int]]] = {}
    for rank in ranks:
        number, launched = _rank(rank), rank.get("collective_counts")
        for op, seq in launched.items() if isinstance(launched, dict) else ():
            if isinstance(op, str) and type(seq) is int and number is not None:
                counts.setdefault(op, {}).setdefault(seq, []).append(number)
    missing = {number for rank in _dicts(said.get("missing_ranks")) if (number := _rank(rank)) is not None}
    size = said.get("size")
    return RasCommunicator(
        str(said.get("hash"))[:40], size if type(size) is int else len(ranks) + len(missing),
        {op: [Launched(seq, len(who), tuple(who)) for seq, who in sorted(by.items())] for op, by in counts.items()},
        missing,
    )  # fmt: skip


def _dicts(value: object) -> Sequence[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _rank(said: Mapping[str, Any]) -> int | None:
    rank = said.get("rank")
    return rank if type(rank) is int and 0 <= rank < MAX_RANK else None
