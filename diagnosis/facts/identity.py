"""Who wrote a line: every number that stands before it, or that a process says of itself, joined in one map."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import numpy as np

from logtui.diagnosis.facts.numbered_files import numbered_files
from logtui.diagnosis.facts.task_ranks import task_ranks, world_size
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Mark
from logtui.parsers.prefix.grammar import head_named
from logtui.parsers.prefix.origin import Origin, RankFrom
from logtui.parsers.records.columns import distinct
from logtui.parsers.records.nccl import nccl_devices, nccl_rank_map
from logtui.parsers.records.record import Record, RecordTable
from logtui.parsers.source import LogFile

# -- Ray actors: the prefix `(WorkerDict pid=4242)` joined with the `[rankN]:` of any of its lines
#
# Of the actors of one class, the one that never gave its rank has the only rank that is left.


MOST = 4096
"""Actors that are looked at."""
_ACTOR = head_named("ray").compiled


def actor_ranks(case: Case) -> dict[int, int]:
    """Process id → rank, for Ray actors; O(actors)."""
    rows = case.records.rows
    own = rows[rows["pid"] >= 0]
    said: dict[int, set[int]] = defaultdict(set)
    for pid, rank in np.unique(own[["pid", "rank"]]).tolist():
        if rank >= 0:
            said[pid].add(rank)
    known = {pid: min(ranks) for pid, ranks in said.items() if len(ranks) == 1}
    found: dict[int, int] = {}
    for pids in _by_class(case).values():
        mine = {pid: known[pid] for pid in pids if pid in known}
        found |= mine
        left = set(range(len(pids))) - set(mine.values())
        if len(left) == 1 and len(mine) == len(pids) - 1 and len(pids) > 1:
            found[next(iter(pids - mine.keys()))] = left.pop()
    return found


def _by_class(case: Case) -> dict[str, set[int]]:
    """Actor class → its processes, from one line of each."""
    rows = case.records.rows
    own = np.flatnonzero(rows["pid"] >= 0)
    _, first = np.unique(rows["pid"][own], return_index=True)
    found: dict[str, set[int]] = defaultdict(set)
    for row in rows[own[first[:MOST]]]:
        text = next(iter(case.bodies(int(row["file"]), int(row["line"]), 1)), "")
        actor = _ACTOR.search(text[:200])
        if actor and int(actor["pid"]) == row["pid"]:
            found[actor["actor"]].add(int(row["pid"]))
    return found


# -- The map: global ranks and hosts
#
# Order of trust: `[rankN]:`; a line that names its own rank; NCCL's host:pid; a process id; the file's name; a local
# rank joined with its node; a task label where one task runs one rank.


Writer = tuple[int, int, int, int, int]
"""`Record.writer`."""


@dataclass
class Identity:
    """Maps of one case; ask `rank_of` and `host_of`."""

    case: Case
    by_file: dict[int, int] = field(default_factory=dict)
    by_pid: dict[tuple[str, int], int] = field(default_factory=dict)
    by_any_pid: dict[int, int] = field(default_factory=dict)
    by_local: dict[tuple[str, int], int] = field(default_factory=dict)
    """(node key, local rank) → rank."""
    by_task: dict[int, int] = field(default_factory=dict)
    hosts: dict[int, str] = field(default_factory=dict)
    """rank → host."""
    locals: dict[int, int] = field(default_factory=dict)
    """rank → local rank."""
    task_hosts: dict[int, str] = field(default_factory=dict)
    _resolved: dict[Writer, tuple[int | None, RankFrom]] = field(default_factory=dict, repr=False)
    """What `rank_of` has answered; asked for only when all maps are complete."""
    _firsts: dict[str, int | None] = field(default_factory=dict, repr=False)
    """node key → rank of its local rank 0; likewise."""

    def rank_of(self, record: Record) -> tuple[int | None, RankFrom]:
        """The record's global rank and where it came from."""
        rank = record.rank
        if rank is not None:
            return rank, record.rank_from
        known = self._resolved.get(record.writer)
        if known is None:
            known = self._resolved[record.writer] = self._resolve(record)
        return known

    def _resolve(self, record: Record) -> tuple[int | None, RankFrom]:
        for found, source in (
            (self._from_pid(record), RankFrom.PID),
            (self._from_local(record), RankFrom.LOCAL),
            (self.by_task.get(record.task) if record.task is not None else None, RankFrom.TASK),
            (self.by_file.get(record.file), RankFrom.FILE),
        ):
            if found is not None:
                return found, source
        return None, RankFrom.NONE

    def _from_pid(self, record: Record) -> int | None:
        if record.pid is None:
            return None
        found = self.by_pid.get((record.host or "", record.pid))
        return found if found is not None else self.by_any_pid.get(record.pid)

    def _from_local(self, record: Record) -> int | None:
        if record.local_rank is None:
            return None
        return self._local(node_key(self.case.files[record.file], record), record.local_rank)

    def _local(self, key: str, local_rank: int) -> int | None:
        """The rank of a node's local rank; one agent numbers its processes in a row, so that one of them tells."""
        found = self.by_local.get((key, local_rank))
        if found is not None or (first := self._first_rank(key)) is None:
            return found
        return first + local_rank

    def _first_rank(self, key: str) -> int | None:
        """The rank of a node's local rank 0, as far as all that is known of the node agrees."""
        if key not in self._firsts:
            firsts = {rank - local for (node, local), rank in self.by_local.items() if node == key}
            self._firsts[key] = firsts.pop() if len(firsts) == 1 and min(firsts) >= 0 else None
        return self._firsts[key]

    def rank_of_origin(self, file: LogFile, origin: Origin) -> int | None:
        """The global rank of a line that is no record, from its prefixes alone."""
        if origin.rank >= 0:
            return origin.rank
        by_pid = self.by_pid.get((origin.host, origin.pid), self.by_any_pid.get(origin.pid))
        if by_pid is not None or (origin.local_rank < 0 and origin.task < 0):
            return by_pid
        key = _node_key(file, origin.host, origin.task if origin.task >= 0 else None)
        by_local = self._local(key, origin.local_rank) if origin.local_rank >= 0 else None
        return by_local if by_local is not None else self.by_task.get(origin.task)

    def rank_of_process(self, record: Record, local_rank: int | None, pid: int | None) -> int | None:
        """The rank of a process that an agent's line names by pid or local rank; the agent runs on its node."""
        if (
            pid is not None
            and (found := self.by_pid.get((record.host or "", pid), self.by_any_pid.get(pid))) is not None
        ):
            return found
        if local_rank is None:
            return None
        return self._local(node_key(self.case.files[record.file], record), local_rank)

    def host_of(self, record: Record) -> str | None:
        """The host a record was written on."""
        if record.host:
            return record.host
        rank, _ = self.rank_of(record)
        if rank is not None and rank in self.hosts:
            return self.hosts[rank]
        if record.task is not None and record.task in self.task_hosts:
            return self.task_hosts[record.task]
        return self.case.files[record.file].hints.host

    def sole_file(self, rank: int) -> int | None:
        """The only file that holds lines of a rank; it stands for its node where no line names a host."""
        rows = self.case.records.rows
        files = np.unique(rows["file"][rows["rank"] == rank])
        return int(files[0]) if len(files) == 1 else None

    def ranks_on(self, host: str) -> tuple[int, ...]:
        """Ranks known to run on a host."""
        return tuple(sorted(r for r, h in self.hosts.items() if h == host))


def node_key(file: LogFile, record: Record) -> str:
    """What stands for the node of a record within one job: torchrun's random folder, a host, a node file."""
    return _node_key(file, record.host, record.task)


def key_of_file(file: LogFile) -> str:
    """What stands for the node of a file's lines that name none."""
    return _node_key(file, None, None)


def _node_key(file: LogFile, host: str | None, task: int | None) -> str:
    if host:
        return f"host:{host}"
    if file.hints.attempt is not None:
        return f"tree:{PurePosixPath(file.name).parents[1]}"
    if task is not None:
        return f"task:{task}"
    return f"file:{file.hints.node if file.hints.node is not None else file.index}"


def identify(case: Case, whole: Identity | None = None) -> Identity:
    """Build the maps from every record that carries two numbers of the same process; files of which an attempt tells
    nothing are whose they are in the whole case."""
    identity = Identity(case)
    _from_names(identity)
    _from_prefixes(identity)
    _from_own_words(identity)
    _from_nccl(identity)
    _from_actors(identity)
    _from_lone_node(identity)
    _from_lone_folder(identity)
    identity.by_task = task_ranks(case, identity.ranks_on)
    if not identity.by_task:
        _from_numbered_files(identity)
    for file, rank in whole.by_file.items() if whole else ():
        if rank not in identity.by_file.values():
            identity.by_file.setdefault(file, rank)
    return identity


def _from_numbered_files(identity: Identity) -> None:
    """Of files that are numbered in a row, where no line and no name says a rank."""
    told = identity.by_file or identity.by_local or identity.by_pid
    if not told and not (identity.case.records.rows["rank"] >= 0).any():
        identity.by_file.update(numbered_files(identity.case))


def _from_names(identity: Identity) -> None:
    for file in identity.case.files:
        if file.hints.rank is not None:
            identity.by_file[file.index] = file.hints.rank
            if file.hints.local_rank is not None:
                identity.locals[file.hints.rank] = file.hints.local_rank
    _first_of_siblings(identity)


def _first_of_siblings(identity: Identity) -> None:
    """`log.txt` beside `log.txt.rank1` is rank 0's, as detectron2 names them."""
    stems = {f.name.rpartition(".rank")[0] for f in identity.case.files if f.hints.rank is not None}
    if 0 not in identity.by_file.values():
        firsts = [f.index for f in identity.case.files if f.hints.rank is None and f.name in stems]
        identity.by_file.update(dict.fromkeys(firsts, 0))


def _from_prefixes(identity: Identity) -> None:
    """Files and local ranks that only ever carry one `[rankN]:` belong to that rank."""
    records = identity.case.records
    ranks = records.rows["rank"]
    for file in identity.case.files:
        if file.hints.local_rank is None and file.hints.rank is None:
            continue
        own = ranks[records.rows_of_file(file.index)]
        own = own[own >= 0]
        if len(own) and int(own.min()) == int(own.max()):
            identity.by_file[file.index] = int(own[0])
            if file.hints.local_rank is not None:
                identity.locals[int(own[0])] = file.hints.local_rank
    _from_trees(identity)
    _from_labels(identity)
    for rank, host in distinct(ranks, records.rows["host"]):
        identity.hosts.setdefault(rank, records.hosts[host])


def _from_trees(identity: Identity) -> None:
    """Files of one agent's log tree: it numbers its processes in a row, so that one whose rank is known tells all."""
    tree = [f for f in identity.case.files if f.hints.attempt is not None and f.hints.local_rank is not None]
    firsts: dict[str, set[int]] = defaultdict(set)
    for file in tree:
        if file.index in identity.by_file:
            firsts[key_of_file(file)].add(identity.by_file[file.index] - (file.hints.local_rank or 0))
    for file in tree:
        known = firsts[key_of_file(file)]
        if file.index not in identity.by_file and len(known) == 1 and min(known) >= 0:
            identity.by_file[file.index] = min(known) + (file.hints.local_rank or 0)


def _from_labels(identity: Identity) -> None:
    """Lines with both a tee header and `[rankN]:` map the node's local ranks."""
    records = identity.case.records
    labelled = np.flatnonzero((records.rows["rank"] >= 0) & (records.rows["local_rank"] >= 0))
    if not len(labelled):
        return
    _, first = np.unique(records.rows[labelled][["file", "host", "local_rank", "rank"]], return_index=True)
    for row in labelled[first].tolist():
        record = Record(records, row)
        if record.local_rank is not None and record.rank is not None:
            key = node_key(identity.case.files[record.file], record)
            identity.by_local.setdefault((key, record.local_rank), record.rank)
            identity.locals.setdefault(record.rank, record.local_rank)


def _from_own_words(identity: Identity) -> None:
    for record in identity.case.records.marked(Mark.NAMES_SELF):
        rank = record.number("rank")
        if rank is None:
            continue
        host, pid, local = record.fields.get("host"), record.number("pid"), record.number("local_rank")
        if host:
            identity.hosts.setdefault(rank, host)
        if local is not None:
            identity.locals.setdefault(rank, local)
            identity.by_local.setdefault((node_key(identity.case.files[record.file], record), local), rank)
        if pid is not None:
            identity.by_pid[host or record.host or "", pid] = rank
            identity.by_any_pid.setdefault(pid, rank)
        hints = identity.case.files[record.file].hints
        if hints.local_rank is not None:
            identity.by_file.setdefault(record.file, rank)


def _from_lone_node(identity: Identity) -> None:
    """Of a job on one node the local ranks are the ranks, where no line says both: torchrun's `[defaultN]:`."""
    if identity.by_local or identity.by_file:
        return
    records = identity.case.records
    rows = records.rows[records.rows["local_rank"] >= 0]
    locals_seen = np.unique(rows["local_rank"]).tolist()
    files = [identity.case.files[f] for f in np.unique(rows["file"]).tolist()]
    world = world_size(identity.case)
    first_node = all(f.hints.node in (None, 0, "0") for f in files)
    if len(files) != 1 or not first_node or world not in (None, len(locals_seen)):
        return
    if locals_seen != list(range(len(locals_seen))) or len(locals_seen) < 2:
        return
    key = key_of_file(files[0])
    for rank in locals_seen:
        identity.by_local[key, rank] = rank
        identity.locals[rank] = rank


def _from_lone_folder(identity: Identity) -> None:
    """Of files that their names number within a node, all in one folder, the local ranks are the ranks."""
    files = [f for f in identity.case.files if f.hints.local_rank is not None and f.hints.rank is None]
    folders = {PurePosixPath(f.name).parent for f in files}
    if identity.by_local or identity.by_file or len(folders) != 1 or any(f.hints.attempt is not None for f in files):
        return
    for file in files:
        if file.hints.local_rank is not None:
            identity.by_file[file.index] = identity.locals[file.hints.local_rank] = file.hints.local_rank


def _from_nccl(identity: Identity) -> None:
    for (host, pid), rank in nccl_rank_map(identity.case.records).items():
        identity.by_pid.setdefault((host, pid), rank)
        identity.hosts.setdefault(rank, host)


def _from_actors(identity: Identity) -> None:
    if next(identity.case.records.with_prefix("ray"), None) is not None:
        for pid, rank in actor_ranks(identity.case).items():
            identity.by_any_pid.setdefault(pid, rank)


def group_by_host(identity: Identity) -> dict[str, list[int]]:
    """host → its ranks, ascending."""
    found: dict[str, list[int]] = defaultdict(list)
    for rank, host in sorted(identity.hosts.items()):
        found[host].append(rank)
    return dict(found)


# -- GPUs: by the PCI address that the kernel and nvidia-smi name, from NCCL's Init lines

Address = tuple[int, int, int]
"""PCI domain, bus, device."""
_PCI = re.compile(r"(?:([0-9a-fA-F]{4,8}):)?([0-9a-fA-F]{2}):([0-9a-fA-F]{2})(?:\.\d)?$")


class GpuRanks:
    """(host, PCI address) → rank."""

    def __init__(self, records: RecordTable) -> None:
        """Join NCCL's `host:pid … busId` with the rank of that process."""
        ranks = nccl_rank_map(records)
        self._ranks: dict[tuple[str, Address], int] = {}
        for process, bus_id in nccl_devices(records).items():
            address = _from_bus_id(bus_id)
            if process in ranks and address is not None:
                self._ranks[short(process[0]), address] = ranks[process]

    def at(self, host: str | None, pci: str) -> int | None:
        """The rank on a GPU; None where the job's lines do not say. Without a host there must be just one such GPU."""
        address = _from_text(pci)
        if address is None:
            return None
        if host:
            return self._ranks.get((short(host), address))
        found = {rank for (_, at), rank in self._ranks.items() if at == address}
        return found.pop() if len(found) == 1 else None


def short(host: str) -> str:
    """A host's name up to its first dot, as NCCL prints it."""
    return host.split(".", 1)[0]


def _from_bus_id(text: str) -> Address | None:
    """NCCL's number: domain, then two digits each of bus and device, one of the function, all hexadecimal."""
    try:
        number = int(text, 16)
    except ValueError:
        return None
    return number >> 20, number >> 12 & 0xFF, number >> 4 & 0xFF


def _from_text(text: str) -> Address | None:
    m = _PCI.search(text.strip())
    return (int(m[1] or "0", 16), int(m[2], 16), int(m[3], 16)) if m else None
