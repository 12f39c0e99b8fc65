"""How processes ended, as the launchers saw it: exit codes and signals, first failures before their victims.

torchrun's own "Root Cause (first observed failure)" is a hint: each node names another rank, and in a hang it names
the one whose watchdog fired.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from logtui.diagnosis.facts.identity import Identity
from logtui.diagnosis.facts.run_pl import is_survived
from logtui.parsers.numbers import whole
from logtui.parsers.pattern import Mark, Trait
from logtui.parsers.prefix.hostlist import expand
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.record import Record, RecordTable
from logtui.parsers.registry import registry
from logtui.parsers.tracebacks.worker_failures import REPORT_LINES, read_block, read_errors

# -- One node: local ranks are global ranks then

MOST_LOCAL = 16
"""Ranks that one node holds at most."""


def is_single_node(identity: Identity) -> bool:
    """Whether one launcher speaks, in one file, and nothing hints at another node."""
    records = identity.case.records
    per_node, joining = (registry().areas_with(t) for t in (Trait.PER_NODE, Trait.JOINS_NODES))
    agents = {record.file for record in records.with_prefix(*per_node)}
    if len(agents) != 1 or next(records.with_prefix(*joining), None) is not None:
        return False
    if len(set(identity.hosts.values())) > 1 or any(r != local for r, local in identity.locals.items()):
        return False
    return _largest(identity, "nodes") <= 1 and _largest(identity, "node_rank") < 1 and _ranks_fit(identity)


def _largest(identity: Identity, field: str) -> int:
    """The largest number that any line gives for a field; 0 where none does."""
    _, numbers = identity.case.records.told(field)
    return int(numbers.max()) if len(numbers) else 0


def _ranks_fit(identity: Identity) -> bool:
    rows = identity.case.records.rows
    size = max(_largest(identity, "world_size"), int(rows["rank"].max(initial=-1)) + 1)
    return size <= MOST_LOCAL


# -- Ends of processes

SIGNALS = {
    1: "SIGHUP",
    2: "SIGINT",
    4: "SIGILL",
    6: "SIGABRT",
    7: "SIGBUS",
    8: "SIGFPE",
    9: "SIGKILL",
    11: "SIGSEGV",
    15: "SIGTERM",
}
VICTIM_SIGNALS = frozenset({"SIGTERM", "SIGABRT", "SIGINT", "SIGHUP"})
"""SIGTERM is sent to survivors; SIGABRT is the watchdog's own end."""
BLOCK_LINES = 600
CUT_OFF_S = 0.999
"""What a time may lack that is printed in whole seconds: what is dated more finely in that second came before it."""
ZONE_STEP_S = 1800.0
PRINTED_WITHIN_S = 240.0
"""How long after the first failure a launcher prints its block, about: it has ended the other processes by then."""


def signal_of(code: int) -> str | None:
    """Name of the signal that an exit code means: negative ones, and those above 128."""
    return SIGNALS.get(-code if code < 0 else code - 128)


@dataclass(frozen=True, slots=True)
class ProcessExit:
    """One worker process's end."""

    record: Record
    rank: int | None
    local_rank: int | None
    host: str | None
    pid: int | None
    code: int
    time: float | None
    line: int
    """Line of the file that states it."""
    noticed: float | None = None
    """When its launcher noticed, by a stamp of the launcher's own."""

    @property
    def signal(self) -> str | None:
        """Name of the signal, for negative codes and those above 128."""
        return signal_of(self.code)

    @property
    def victim(self) -> bool:
        """Whether this is how survivors are ended."""
        return self.signal in VICTIM_SIGNALS

    @property
    def order(self) -> tuple[float, int, int]:
        """By time where it is known, then by place."""
        time = self.time or self.record.time or 0.0
        whole_seconds = time > 0.0 and time.is_integer()
        return (time + CUT_OFF_S * whole_seconds, self.record.file, self.line)


@dataclass
class Exits:
    """All ends that launchers report."""

    processes: list[ProcessExit] = field(default_factory=list)
    """Earliest first, victims included."""
    scripts: list[str] = field(default_factory=list)
    failed: Record | None = None
    """The first line in which a launcher or scheduler reports an exit code other than 0."""

    def failed_within(self, record: Record, seconds: float) -> bool:
        """Whether a launcher reports a failure at most so long after a dated line."""
        at, of = self.failed.time if self.failed is not None else None, record.time
        return at is not None and of is not None and 0.0 <= at - of <= seconds

    def of_rank(self, rank: int) -> ProcessExit | None:
        """How a rank's process ended first."""
        return self._by_rank.get(rank)

    @cached_property
    def _by_rank(self) -> dict[int, ProcessExit]:
        return {p.rank: p for p in reversed(self.processes) if p.rank is not None}

    @property
    def first_failures(self) -> list[ProcessExit]:
        """Ends that no surviving process has: not SIGTERM, not the watchdog's SIGABRT."""
        return [p for p in self.processes if not p.victim and p.code != 0]


def read_exits(identity: Identity) -> Exits:
    """Read agents' lines and failure blocks."""
    found = Exits()
    for record in identity.case.records.marked(Mark.WORKER_EXIT):
        exit_ = _from_agent(identity, record)
        if exit_ is not None:
            found.processes.append(exit_)
    ends: dict[int, int] = {}
    for record in identity.case.records.of("torchrun.child_failed", "torchrun.root_cause"):
        if record.line > ends.get(record.file, 0):  # a root cause inside a block is part of it
            ends[record.file] = record.line + _from_block(identity, record, found)
    found.processes += _from_parents(identity)
    if any(_unnamed(p) for p in found.processes) and is_single_node(identity):
        found.processes = [replace(p, rank=p.local_rank) if _unnamed(p) else p for p in found.processes]
    found.processes += _from_tasks(identity)
    found.processes += _from_job_master(identity)
    found.processes += _from_mpi(identity)
    found.processes = _once(sorted(found.processes, key=lambda p: p.order))
    coded = (r for r in identity.case.records.marked(Mark.EXIT_CODE) if r.number("exitcode"))
    codes = (r for r in coded if not is_survived(identity.case, r))
    found.failed = found.first_failures[0].record if found.first_failures else next(codes, None)
    if not found.processes and found.failed is not None:
        found.processes.append(_of_nobody(identity, found.failed))
    return found


def _of_nobody(identity: Identity, record: Record) -> ProcessExit:
    """The job's own exit code, where no launcher says whose it was."""
    code = record.number("exitcode") or 1
    host = next(iter(expand(record.fields.get("hosts", ""), cap=1)), None) or identity.host_of(record)
    return ProcessExit(record, None, None, host, None, code - 256 if code > 256 else code, record.time, record.line)


def _from_parents(identity: Identity) -> Iterator[ProcessExit]:
    """Children that a signal ended, as the process that started them reports it."""
    numbers = {told: number for number, name in SIGNALS.items() for told in (name, str(number))}
    for record in identity.case.records.marked(Mark.CHILD_EXIT):
        signal = numbers.get(record.fields.get("signal", ""))
        code = record.number("exitcode") if signal is None else -signal
        if code is not None and code < 0:
            local = record.number("index")
            yield ProcessExit(record, None, local, identity.host_of(record), None, code, record.time, record.line)


def _unnamed(end: ProcessExit) -> bool:
    """Whether only a local rank is known of a process that a signal ended, or a code of its own.

    1 is what an exception leaves behind, which other ranks may have raised alike.
    """
    return end.rank is None and end.local_rank is not None and end.code != 1


STATUS = {
    "Killed": -9,
    "Out Of Memory": -9,
    "Segmentation fault": -11,
    "Bus error": -7,
    "Aborted": -6,
    "Terminated": -15,
}


def _from_tasks(identity: Identity) -> Iterator[ProcessExit]:
    """srun's first line, where one task is one rank; after it srun ends the others itself."""
    records = identity.case.records
    told = (next(iter(some), None) for some in (records.marked(Mark.TASK_EXIT), records.of("srun.task_aborted")))
    for record in sorted((r for r in told if r is not None), key=lambda r: r.order)[:1]:
        status = record.fields.get("status", "")
        code = record.number("exitcode") or next((c for s, c in STATUS.items() if status.startswith(s)), 1)
        for task in expand(f"[{record.fields.get('tasks', '')}]"):
            number = whole(task)
            rank = identity.by_task.get(number) if number is not None else None
            if rank is not None:
                host = record.fields.get("hosts")
                yield ProcessExit(record, rank, None, host, None, code, record.time, record.line)


def _from_job_master(identity: Identity) -> Iterator[ProcessExit]:
    """Processes that DLRover's agents reported to the job master."""
    for record in identity.case.records.of("dlrover.process_errors"):
        host = record.fields.get("hosts")
        for e in read_errors(identity.case.following(record, REPORT_LINES)):
            line = record.line + e.line
            yield ProcessExit(record, e.rank, e.local_rank, host, None, e.exitcode, record.time, line)


def _from_mpi(identity: Identity) -> Iterator[ProcessExit]:
    """The first process that mpirun saw exit; of several that raised, each may be the one that began it."""
    records = identity.case.records
    codes = {(r.file, r.line): r.number("exitcode") for r in records.of("mpirun.exit_code")}
    raised = _raised_by_file(records)
    for record in records.of("prrte.first"):
        code = record.number("exitcode") or codes.get((record.file, record.line + 1))
        rank, host = record.number("rank"), identity.host_of(record)
        if code and (len(raised[record.file]) == 1 or set(raised[record.file]) == {rank}):
            yield ProcessExit(record, rank, None, host, None, code, record.time, record.line)


def _raised_by_file(records: RecordTable) -> defaultdict[int, list[int]]:
    """By file the rank of each traceback, -1 where it is not said."""
    at, found = records.indices("py.traceback"), defaultdict[int, list[int]](list)
    for file, rank in zip(records.rows["file"][at].tolist(), records.rows["rank"][at].tolist(), strict=True):
        found[file].append(rank)
    return found


def _once(processes: list[ProcessExit]) -> list[ProcessExit]:
    """Each process once: a block repeats what its agent's own line said first."""
    by_pid: dict[tuple[int, int], int] = {}
    out: list[ProcessExit] = []
    for one in processes:
        at = by_pid.get((one.pid, one.code)) if one.pid is not None else None
        if at is None:
            if one.pid is not None:
                by_pid[one.pid, one.code] = len(out)
            out.append(one)
            continue
        known = out[at]
        rank = known.rank if known.rank is not None else one.rank
        earlier = known.record.file == one.record.file and one.line < known.line
        noticed = known.noticed if known.noticed is not None else one.noticed
        out[at] = replace(one if earlier else known, rank=rank, noticed=noticed)
    return out


def _from_agent(identity: Identity, record: Record) -> ProcessExit | None:
    code, local, pid = record.number("exitcode"), record.number("local_rank"), record.number("pid")
    if code is None:
        return None
    rank, host = identity.rank_of_process(record, local, pid), identity.host_of(record)
    noticed = None if record.time_from is TimeFrom.NEIGHBOUR else record.time
    return ProcessExit(record, rank, local, host, pid, code, record.time, record.line, noticed)


def _from_block(identity: Identity, record: Record, found: Exits) -> int:
    """Take a failure block; returns how many lines it has."""
    block = read_block(identity.case.following(record, BLOCK_LINES))
    if block is None:
        return 0
    if block.script:
        found.scripts.append(block.script)
    for failure in block.failures:
        if failure.rank is not None and failure.host:
            identity.hosts.setdefault(failure.rank, failure.host)
        when = _in_the_zone_of(record, failure.time)
        if failure.exitcode is not None:
            found.processes.append(
                ProcessExit(
                    record,
                    failure.rank,
                    failure.local_rank,
                    failure.host,
                    failure.pid,
                    failure.exitcode,
                    when,
                    record.line + failure.line,
                    when,
                )
            )
    return block.lines


def _in_the_zone_of(record: Record, time: float | None) -> float | None:
    """The time that a block states of a failure, by the clock of the collector that dates the block's lines.

    A launcher writes its host's own time, a collector often UTC: they lie whole or half hours apart.
    """
    if time is None or record.time is None or record.time_from is TimeFrom.NEIGHBOUR:
        return time
    apart = record.time - time - PRINTED_WITHIN_S / 2
    return time + round(apart / ZONE_STEP_S) * ZONE_STEP_S
