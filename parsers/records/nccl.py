"""What several of NCCL's lines say together: which process is which rank, and what RAS counted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from logtui.parsers.records.columns import cells
from logtui.parsers.records.record import Record, RecordTable, Told
from logtui.parsers.regex import regex

# -- Ranks of processes, from Init lines
#
# They are the only link from `host:pid` to a rank.
# In the communicator with the most ranks, `rank` is the global rank; in smaller ones it is local to them.
# Communicators are joined across processes by commId, which splits lack from 2.23 on: those by parent and colour.

Process = tuple[str, int]
"""Host, as NCCL prints it (cut at the first dot), and process id."""
_NRANKS = regex(rb" n[rR]anks (\d{1,9})(?!\d)")
UNTOLD = 1 << 31
"""More ranks than any line tells of."""
AT_ONCE = 1 << 12
"""Lines of which those are picked together that tell of more ranks than is known."""
BEGINS, ENDS = ("nccl.init_start", "nccl.init"), ("nccl.destroyed", "nccl.aborted")
"""Lines about a communicator's members; those about its end serve where its beginning was not logged."""


@dataclass(frozen=True, slots=True)
class Membership:
    """One process in one communicator, as one Init line says."""

    process: Process
    rank: int
    nranks: int
    key: str | None
    """Same for all members; None where the line has no commId and no known parent."""
    device: str
    """The GPU's bus id, else its index in the process, else ""."""
    complete: bool
    """From an `Init COMPLETE` line; else from `Init START`."""


@dataclass
class Communicator:
    """A communicator as far as its members printed it."""

    key: str
    nranks: int
    members: dict[int, Process] = field(default_factory=dict)
    """Rank in this communicator → process, whether or not creation finished."""
    completed: set[int] = field(default_factory=set)

    @property
    def pending(self) -> frozenset[int]:
        """Ranks that started its creation and did not finish it."""
        return frozenset(self.members) - self.completed

    @property
    def absent(self) -> frozenset[int]:
        """Ranks that never printed a line about it."""
        return frozenset(range(self.nranks)) - frozenset(self.members)


def nccl_rank_map(records: RecordTable) -> dict[Process, int]:
    """Process → global rank.

    A process that only has communicators whose ranks several GPUs claim (tensor-parallel groups without a world
    communicator) is left out: its global rank is not known. A restart claims the same rank on the same GPU.
    """
    largest = _largest(records, *ENDS) | _largest(records, *BEGINS)
    claims: dict[tuple[int, int], set[tuple[str, str]]] = {}
    for process, one in largest.items():
        claims.setdefault((one.nranks, one.rank), set()).add(_device(process, one))
    contested = {nranks for (nranks, _), devices in claims.items() if len(devices) > 1}
    return {process: one.rank for process, one in largest.items() if one.nranks not in contested}


def nccl_devices(records: RecordTable) -> dict[Process, str]:
    """Process → bus id of its GPU, as hex digits without the PCI domain (`1b000`)."""
    found: dict[Process, str] = {}
    for record in records.of("nccl.init_start", "nccl.init"):
        process, bus_id = _process(record), record.fields.get("bus_id")
        if process and bus_id:
            found.setdefault(process, bus_id)
    return found


def communicators(records: RecordTable) -> dict[str, Communicator]:
    """All communicators whose members can be joined, by key."""
    found: dict[str, Communicator] = {}
    keys: dict[tuple[Process, str], str] = {}
    for record in records.of(*BEGINS):
        one = _membership(record, keys)
        if one is None or one.key is None:
            continue
        comm = found.setdefault(one.key, Communicator(one.key, one.nranks))
        comm.members[one.rank] = one.process
        if one.complete:
            comm.completed.add(one.rank)
    return found


def told_sizes(records: RecordTable, rows: npt.NDArray[np.intp]) -> Iterator[int]:
    """How many ranks the communicator of each of some lines has, told without its fields being read: of all members'
    lines few are left to be read so. `UNTOLD` where a line does not tell of one alone."""
    begins, sizes = (cells(records.rows, name, rows) for name in ("text", "text_length"))
    for begin, end in zip(begins.tolist(), (begins + sizes).tolist(), strict=True):
        told = _NRANKS.findall(records.blob, begin, end) if begin >= 0 else ()
        yield int(told[0]) if len(told) == 1 else UNTOLD


def all_sizes(records: RecordTable) -> Told:
    """The same of all lines that tell of a communicator, read once for all attempts."""
    return records.once("ranks of communicators", _read_sizes)


def _read_sizes(records: RecordTable) -> Told:
    rows = records.with_field("nranks")
    return rows.astype(np.uint32), np.fromiter(told_sizes(records, rows), np.uint32, len(rows))


def _largest(records: RecordTable, *names: str) -> dict[Process, Membership]:
    """Per process the first of its communicators with the most ranks; the default group comes first."""
    found: dict[Process, Membership] = {}
    rows, sizes = _of_patterns(records, *names)
    writers = _numbered(records, rows)
    most = np.full(len(rows), -1, np.int64)  # by writer
    for first in range(0, len(rows), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        for at in (first + np.flatnonzero(sizes[part] > most[writers[part]])).tolist():
            if sizes[at] <= most[writers[at]] or (one := _membership(records[int(rows[at])], {})) is None:
                continue
            known = found.get(one.process)
            if known is None or one.nranks > known.nranks:
                found[one.process], most[writers[at]] = one, one.nranks
    return found


def _of_patterns(records: RecordTable, *names: str) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int64]]:
    """The lines of some patterns, all of which tell of communicators, and what they tell."""
    rows, (told, sizes) = records.indices(*names), all_sizes(records)
    return rows, sizes[np.searchsorted(told, rows)].astype(np.int64)


def _numbered(records: RecordTable, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """A number for each process that wrote some lines, and which line is whose."""
    host, pid = (cells(records.rows, name, rows).astype(np.int64) for name in ("host", "pid"))
    numbers: npt.NDArray[np.intp] = np.unique(host << 32 | (pid & 0xFFFFFFFF), return_inverse=True)[1]
    return numbers


def _device(process: Process, one: Membership) -> tuple[str, str]:
    """What stays the same when a process is restarted: its host and GPU; the process itself if that is unknown."""
    return process[0], one.device or f"pid {process[1]}"


def _membership(record: Record, keys: dict[tuple[Process, str], str]) -> Membership | None:
    """`keys` are those of communicators that were met before, to which this one's is added."""
    process, rank, nranks = _process(record), record.number("rank"), record.number("nranks")
    if process is None or rank is None or not nranks:
        return None
    fields = record.fields
    key = _key(process, fields, keys)
    if key is not None:
        keys[process, fields["comm"]] = key
    device = fields.get("bus_id") or fields.get("cuda_dev", "")
    return Membership(process, rank, nranks, key, device, record.name == "nccl.init")


def _key(process: Process, fields: Mapping[str, str], keys: Mapping[tuple[Process, str], str]) -> str | None:
    if "comm_id" in fields:
        return fields["comm_id"]
    parent = keys.get((process, fields["parent"])) if "parent" in fields else None
    if parent is not None:
        return f"{parent}/{fields.get('split', '')}:{fields.get('color', '')}"
    return None


def _process(record: Record) -> Process | None:
    return (record.host, record.pid) if record.host and record.pid is not None else None


# -- Reports of the RAS subsystem: launched operations, ranks without an answer
#
# Source: NCCL src/ras/client_support.cc, 2.24 to 2.30: the text of `ncclras`, and its JSON (2.28.7 on). Counts are of
# launched operations per kind since the communicator began; ranks are numbered within the communicator.

MAX_LINES = 4_000_000
"""Of one JSON snapshot: 16,384 ranks in ten communicators each take as many."""
MAX_RANK = 1 << 18
_HEAD = regex(r"^#\d+-\d+ \((?P<comm>[0-9a-f]{1,16})\) (?P<status>[A-Z]+(?:[ ,/]+[A-Z]+){0,4})\s*$")
_OPERATION = regex(r"^  Communicator ranks have different (?P<op>\w{1,40}) operation counts")
_LAUNCHED = r"ha(?:ve|s) (?:launched up to operation (?P<seq>\d{1,18})|not launched any)"
_MANY = regex(r"^  (?P<count>\d{1,7}) ranks? " + _LAUNCHED)
_ONE = regex(r"^  Rank (?P<rank>\d{1,7}) " + _LAUNCHED)
_NAMED = regex(r"^  Rank (?P<rank>\d{1,7}) -- ")


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
