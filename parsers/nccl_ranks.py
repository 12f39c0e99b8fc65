"""Which process is which rank, from NCCL's Init lines: they are the only link from `host:pid` to a rank.

In the communicator with the most ranks, `rank` is the global rank; in smaller ones it is local to them.
Communicators are joined across processes by commId, which splits lack from 2.23 on: those by parent and colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from logtui.parsers.record import Record, RecordTable

Process = tuple[str, int]
"""Host, as NCCL prints it (cut at the first dot), and process id."""
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
    largest = _largest(_memberships(records, *ENDS)) | _largest(_memberships(records, *BEGINS))
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
    for one in _memberships(records, *BEGINS):
        if one.key is None:
            continue
        comm = found.setdefault(one.key, Communicator(one.key, one.nranks))
        comm.members[one.rank] = one.process
        if one.complete:
            comm.completed.add(one.rank)
    return found


def _largest(memberships: Iterable[Membership]) -> dict[Process, Membership]:
    """Per process the first of its communicators with the most ranks; the default group comes first."""
    found: dict[Process, Membership] = {}
    for one in memberships:
        known = found.get(one.process)
        if known is None or one.nranks > known.nranks:
            found[one.process] = one
    return found


def _device(process: Process, one: Membership) -> tuple[str, str]:
    """What stays the same when a process is restarted: its host and GPU; the process itself if that is unknown."""
    return process[0], one.device or f"pid {process[1]}"


def _memberships(records: RecordTable, *names: str) -> Iterator[Membership]:
    keys: dict[tuple[Process, str], str] = {}
    for record in records.of(*names):
        process, rank, nranks = _process(record), record.number("rank"), record.number("nranks")
        if process is None or rank is None or not nranks:
            continue
        fields = record.fields
        key = _key(process, fields, keys)
        if key is not None:
            keys[process, fields["comm"]] = key
        device = fields.get("bus_id") or fields.get("cuda_dev", "")
        yield Membership(process, rank, nranks, key, device, record.name == "nccl.init")


def _key(process: Process, fields: Mapping[str, str], keys: Mapping[tuple[Process, str], str]) -> str | None:
    if "comm_id" in fields:
        return fields["comm_id"]
    parent = keys.get((process, fields["parent"])) if "parent" in fields else None
    if parent is not None:
        return f"{parent}/{fields.get('split', '')}:{fields.get('color', '')}"
    return None


def _process(record: Record) -> Process | None:
    return (record.host, record.pid) if record.host and record.pid is not None else None
