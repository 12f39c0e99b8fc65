"""Named questions that rules ask of the facts, each answered once, in one place."""

from __future__ import annotations

from logtui.diagnosis.events import Event
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.identity import node_key
from logtui.parsers.pattern import FailureClass, Trait
from logtui.parsers.record import Record
from logtui.parsers.registry import registry

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


def singled_out(facts: Facts, ranks: set[int]) -> tuple[int, ...]:
    """The ranks to name: none where nearly all of them fail alike."""
    everyone = set(facts.all_ranks) | ranks
    if len(everyone) > 1 and len(ranks) >= MOST_RANKS * len(everyone):
        return ()
    return tuple(sorted(ranks))


def hosts_of(facts: Facts, ranks: tuple[int, ...]) -> tuple[str, ...]:
    """Hosts of some ranks, as far as known, launchers' failure reports included."""
    return tuple(dict.fromkeys(h for r in ranks if (h := facts.hosts.get(r)) is not None))


def own_hosts(facts: Facts, ranks: tuple[int, ...]) -> tuple[str, ...]:
    """Hosts of some ranks by lines of their own: a report of the failure may call its node `localhost`."""
    return tuple(dict.fromkeys(h for r in ranks if (h := facts.identity.hosts.get(r)) is not None))


def is_scheduler(event: Event) -> bool:
    """Whether a cause is the scheduler's word about the whole job, which anything that went wrong before outranks."""
    whole_job = registry().areas_with(Trait.WHOLE_JOB)
    return event.cls is FailureClass.INFRASTRUCTURE and event.record.pattern.area in whole_job


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
