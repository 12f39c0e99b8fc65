"""Whom to name for a failure: ranks and hosts as far as facts single them out, or whose echo it is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.identity import node_key
from logtui.parsers.pattern import FailureClass, Mark, Trait
from logtui.parsers.records.record import Record
from logtui.parsers.registry import registry
from logtui.parsers.source import OF_PROGRAMS

# -- A job of one process: what fails in it is its rank 0

STREAMS = 2
"""A process writes two files at most: its output and its errors."""
HEAD_LINES, LONGEST, VOICES = 1000, 300, 3
"""Lines at the beginning of a file, and characters of each, in which voices are told apart; lines that more than one
voice says."""
_NUMBERED = re.compile(r"(?P<before>[^\d\s]{0,40})(?P<number>\d{1,5})(?P<said>\D.{24,})")
LIBRARIES = ("/distributed/", "megatron", "deepspeed", "/fsdp/", "horovod", "colossalai")
"""In the path of a frame: the program runs with others."""
NOBODYS = frozenset({FailureClass.INFRASTRUCTURE, FailureClass.HEALTHY, FailureClass.SLOW_TRAINING})
"""Verdicts that blame no process."""


def is_single_process(facts: Facts) -> bool:
    """Whether one process is all there is: the job says so, or it is seen at work and nothing speaks of another.

    False where that is not known: for excerpts, kernel logs, dumps and daemon logs alone.
    """
    workers = [f for f in facts.case.files if f.kind in OF_PROGRAMS]
    if not workers or set(facts.seen_ranks) - {0} or (facts.job.nodes or 1) > 1:
        return False
    if facts.job.world_size is not None:
        return facts.job.world_size == 1
    together, at_work = (facts.areas & registry().areas_with(t) for t in (Trait.TOGETHER, Trait.AT_WORK))
    if len(workers) != len(facts.case.files) or together or facts.job.scheduler is not None:
        return False
    heard = bool(at_work) or _ended_its_program(facts)
    alone = len(workers) <= STREAMS and heard and not _with_others(facts)
    alone = alone and not any("+" in f.wrapping for f in workers)  # a collector names more than one writer
    return _one_gpu(facts) or (alone and not any(_several_voices(facts, f.index) for f in workers))


def _ended_its_program(facts: Facts) -> bool:
    """Whether one program says how it ended: by an exception that nobody caught, from its first line on."""
    own = [e.traceback for e in facts.exceptions if not e.ignored and e.traceback.complete and e.traceback.frames]
    return any(trace.frames[0].function == "<module>" for trace in own)


def _several_voices(facts: Facts, file: int) -> bool:
    """Whether lines say the same behind different numbers, over and over: labels of processes in no form we know."""
    said: dict[str, set[str]] = defaultdict(set)
    for text in facts.case.head(file, HEAD_LINES):
        if (m := _NUMBERED.match(text[:LONGEST])) is not None:
            said[m["before"] + m["said"]].add(m["number"])
    return sum(len(numbers) > 1 for numbers in said.values()) >= VOICES


def _one_gpu(facts: Facts) -> bool:
    attached = [r.number("attached") for r in facts.case.records.of("nvidia_smi.attached")]
    return bool(attached) and set(attached) == {1}


def _with_others(facts: Facts) -> bool:
    frames = (f.file for e in facts.exceptions for f in (*e.traceback.frames, *e.traceback.root.frames))
    return any(word in path for path in frames for word in LIBRARIES)


# -- A fault of the GPU: what a program then raises is its echo

WITHIN_S = 3600.0
"""Clocks of the kernel and of the job differ, and a hung GPU raises late."""


def driver_blames_gpu(facts: Facts, cls: FailureClass | None, host: str | None, record: Record) -> str:
    """Where the driver names a fault of the GPU on the host of a CUDA error, about when it was raised; else ""."""
    if cls is not FailureClass.CUDA_SOFTWARE:
        return ""
    for fault in facts.case.records.marked(Mark.GPU_FAULT):
        if not facts.recovered(fault) and _same_host(facts, fault, host) and _near(fault, record):
            place = f"{facts.case.file_name(fault)}:{fault.line}"
            return f"the driver reports a fault of the GPU itself ({place})"
    return ""


def _same_host(facts: Facts, fault: Record, host: str | None) -> bool:
    other = facts.identity.host_of(fault)
    return host is None or other is None or host.split(".")[0] == other.split(".")[0]


def _near(fault: Record, record: Record) -> bool:
    if fault.time is None or record.time is None:
        return True
    return abs(fault.time - record.time) <= WITHIN_S


# -- Ranks and hosts

MOST_RANKS = 0.8
"""A failure on this share of all ranks singles out nobody."""


def rank_of_first_exit(facts: Facts, file: int) -> set[int]:
    """The rank that an agent writing into the same file saw end first: lines without a rank near it are its own."""
    for end in facts.exits.processes:
        if end.signal != "SIGTERM" and end.record.file == file:
            return {end.rank} if end.rank is not None else set()
    return set()


def rank_that_raised(facts: Facts, record: Record) -> set[int]:
    """Whose an exception without a prefix is: the first to end after it with an exit code of Python's.

    Watchdogs and signals end processes with negative codes. Without any such end the first one counts, unless it had
    waited in a collective until its limit.
    """
    ends = [e for e in facts.exits.processes if e.record.file == record.file]
    later = [e for e in ends if e.line > record.line and e.code > 0]
    if later:
        return {r for r in (later[0].rank,) if r is not None}
    if any(e.code > 0 for e in ends):
        return set()
    return rank_of_first_exit(facts, record.file) - facts.collectives.timed_out


def ranks_that_raised(facts: Facts, record: Record) -> set[int]:
    """All ranks that a launcher writing into the same file saw end after a record with an exit code of Python's."""
    ends = (e for e in facts.exits.processes if e.record.file == record.file and e.line > record.line)
    return {e.rank for e in ends if e.code > 0 and e.rank is not None}


def ranks_of_node(facts: Facts, record: Record) -> set[int]:
    """Ranks that run on the node a record was written on, as far as known."""
    key = node_key(facts.case.files[record.file], record)
    return {rank for (node, _), rank in facts.identity.by_local.items() if node == key}


def singled_out(facts: Facts, ranks: set[int], among: Collection[int] = ()) -> tuple[int, ...]:
    """The ranks to name: none where nearly all of them fail alike; `among` are others that are known not to."""
    everyone = {*facts.all_ranks, *ranks, *among}
    if len(everyone) > 1 and len(ranks) >= MOST_RANKS * len(everyone):
        return ()
    return tuple(sorted(ranks))


def hosts_of(facts: Facts, ranks: tuple[int, ...]) -> tuple[str, ...]:
    """Hosts of some ranks, as far as known, launchers' failure reports included."""
    return tuple(dict.fromkeys(h for r in ranks if (h := facts.hosts.get(r)) is not None))


def own_hosts(facts: Facts, ranks: tuple[int, ...]) -> tuple[str, ...]:
    """Hosts of some ranks by lines of their own: a report of the failure may call its node `localhost`."""
    return tuple(dict.fromkeys(h for r in ranks if (h := facts.identity.hosts.get(r)) is not None))


NODE_RANKS = 16
"""More GPUs than this are never in one node."""


def on_one_node(facts: Facts, ranks: set[int]) -> bool:
    """Whether some ranks, all of the job as far as known, run on one node.

    Their hosts say so; or, where no line names a host, a task or a node, one console holds them all, as torchrun's
    does for its own node.
    """
    hosts = {facts.identity.hosts.get(r) for r in ranks}
    if hosts != {None}:
        return len(hosts) == 1
    if len(ranks) > NODE_RANKS or (facts.job.nodes or 1) > 1 or facts.job.scheduler is not None:
        return False
    rows = facts.case.records.rows
    spoken = rows[rows["rank"] >= 0]
    labelled = bool((spoken["task"] >= 0).any() or (spoken["host"] >= 0).any())
    return not labelled and len(set(spoken["file"].tolist())) == 1
