"""Named questions that rules ask of the facts, each answered once, in one place."""

from __future__ import annotations

from collections import Counter

import numpy as np

from logtui.diagnosis.collectives import Group, Timeout
from logtui.diagnosis.events import Event
from logtui.diagnosis.exceptions import ExceptionFact
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.identity import node_key
from logtui.parsers.pattern import FailureClass, Role
from logtui.parsers.record import Record

LATE_SHARE = 0.05
LATE_SECONDS = 5.0
"""A rank that began to wait this much later than the others (or 5 % of the limit) came late."""
ENOUGH_SEEN = 0.5
MOST_RANKS = 0.8
"""A failure on this share of all ranks singles out nobody."""


def fatal_exceptions(facts: Facts) -> list[ExceptionFact]:
    """Exceptions that can have ended their process: not ignored, not echoes, nothing trained after them."""
    return [
        e
        for e in facts.exceptions
        if not e.ignored
        and e.row.role is Role.CAUSE
        and not facts.recovered(e.record)
        and not went_on(facts, e)
        and not superseded(facts, e)
        and not raised_after_own_timeout(facts, e)
    ]


def went_on(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether an import that failed did not end the program: the same writer raised something else later."""
    if not fact.traceback.root.exception.endswith(("ImportError", "ModuleNotFoundError")):
        return False
    later = (e for e in facts.exceptions if e.record.file == fact.record.file and e.record.line > fact.record.line)
    raised = any((fact.rank is None or e.rank == fact.rank) and e.key != fact.key for e in later)
    return raised or _spoke_after(facts, fact)


def _spoke_after(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether the same writer stated facts of the job after an exception: set-up went on."""
    if fact.record.rank is None and fact.record.task is None and fact.record.local_rank is None:
        return False  # lines without a prefix may be anybody's
    rows = facts.case.records.rows
    last = fact.record.line + fact.traceback.last_index
    later = (rows["file"] == fact.record.file) & (rows["line"] > last)
    mine = later & (rows["rank"] == (-1 if fact.record.rank is None else fact.record.rank))
    mine &= rows["task"] == (-1 if fact.record.task is None else fact.record.task)
    mine &= rows["local_rank"] == (-1 if fact.record.local_rank is None else fact.record.local_rank)
    patterns = facts.case.records.patterns
    return any(patterns[p].role is Role.INFO for p in np.unique(rows["pattern"][mine]).tolist())


def superseded(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether it belongs to an attempt after which torchrun's tree has a later one that raised too."""
    attempt = facts.case.files[fact.record.file].hints.attempt
    if attempt is None:
        return False
    others = (facts.case.files[e.record.file].hints.attempt for e in facts.exceptions if e.row.role is Role.CAUSE)
    return any(a is not None and a > attempt for a in others)


def raised_after_own_timeout(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether the rank's own collective had timed out before: what it raises then is garbage."""
    if fact.rank is None:
        return False
    for group in facts.collectives.groups.values():
        timeout = group.timeouts.get(fact.rank)
        if timeout is None:
            continue
        same_file = timeout.record.file == fact.record.file
        if same_file and timeout.record.line < fact.record.line:
            return True
        if not same_file and timeout.record.time is not None and (fact.record.time or 0.0) > timeout.record.time:
            return True
    return False


def dead_ranks(facts: Facts) -> dict[int, str]:
    """Ranks that died of something of their own, and of what: they left their collectives, they did not stall."""
    dead: dict[int, str] = {}
    for fact in fatal_exceptions(facts):
        if fact.rank is not None:
            dead.setdefault(fact.rank, f"{fact.headline[:80]} ({fact.evidence.place})")
    for end in facts.exits.first_failures:
        if end.rank is not None and end.code != 1:
            dead.setdefault(end.rank, f"exit code {end.code}")
    for event in facts.causes:
        if event.rank is not None and event.weight >= 60 and not facts.recovered(event.record):
            dead.setdefault(event.rank, f"{event.title} ({facts.case.file_name(event.record)}:{event.record.line})")
    return dead


def members(facts: Facts, group: Group) -> set[int]:
    """Ranks of a group, as far as known: everybody for the world group, else those that speak of it."""
    spoken = set(group.counters) | set(group.timeouts)
    return set(facts.all_ranks) | spoken if group.world else spoken


def absent_ranks(facts: Facts, group: Group) -> set[int]:
    """Members that do not wait while others do."""
    return members(facts, group) - group.waiting


def stopped_early(facts: Facts) -> set[int]:
    """Ranks that their launcher ended before their own watchdog could speak: silence there means nothing."""
    ended = {p.rank for p in facts.exits.processes if p.signal == "SIGTERM" and p.rank is not None}
    nodes = {node_key(facts.case.files[r.file], r) for r in facts.case.records.of("torchrun.sigterm", "launch.kill")}
    return ended | {rank for (node, _), rank in facts.identity.by_local.items() if node in nodes}


def truly_absent(facts: Facts, group: Group) -> set[int]:
    """Members that do not wait, and of which there is reason to think that they did not enter.

    That is: they were told by another rank, or count nothing pending, or nobody stopped them.
    """
    spoke = set(facts.collectives.notified) | set(group.counters)
    absent = absent_ranks(facts, group)
    if len(absent) == 1:
        return absent
    return absent - (stopped_early(facts) - spoke)


def bystanders(facts: Facts) -> set[int]:
    """Ranks that wait in no collective at all while others time out."""
    waiting: set[int] = set()
    for group in facts.collectives.groups.values():
        waiting |= group.waiting
    return set(facts.all_ranks) - waiting


def well_covered(facts: Facts) -> bool:
    """Whether most ranks of the job speak in the files: the absence of one then means something."""
    seen = facts.seen_ranks
    return len(seen) >= ENOUGH_SEEN * max(len(facts.all_ranks), seen[-1] + 1 if seen else 1)


def late_starters(group: Group) -> list[Timeout]:
    """Ranks stuck in the same operation as the rest that began to wait much later."""
    timed = [t for t in group.timeouts.values() if t.start is not None and t.seq is not None]
    if len(timed) < 2:
        return []
    seq, shared = Counter(t.seq for t in timed).most_common(1)[0]
    starts = sorted(((t.start or 0.0, t) for t in timed if t.seq == seq), key=lambda x: x[0]) if shared >= 2 else []
    if not starts:
        return []
    limit = max(LATE_SECONDS, LATE_SHARE * (starts[0][1].timeout_ms or 0) / 1000)
    median = starts[(len(starts) - 1) // 2][0]
    late = [t for s, t in starts if s - median > limit]
    return late if 0 < len(late) <= len(starts) // 2 else []


def rank_of_first_exit(facts: Facts, file: int) -> set[int]:
    """The rank that an agent writing into the same file saw end first: lines without a rank near it are its own."""
    for end in facts.exits.processes:
        if end.signal != "SIGTERM" and end.record.file == file:
            return {end.rank} if end.rank is not None else set()
    return set()


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
    """Hosts of some ranks, as far as known."""
    return tuple(dict.fromkeys(h for r in ranks if (h := facts.identity.hosts.get(r)) is not None))


SCHEDULERS = frozenset({"slurm", "k8s"})


def is_scheduler(event: Event) -> bool:
    """Whether a cause is the scheduler's word about the whole job, which anything that went wrong before outranks."""
    return event.cls is FailureClass.INFRASTRUCTURE and event.name.split(".", 1)[0] in SCHEDULERS


def gave_up_on(facts: Facts, group: Group) -> set[int]:
    """Ranks with the operation pending that never timed out in it, though others did before: they entered too late.

    Had they entered with the rest, their own watchdogs would have fired with the rest.
    """
    first = min((t.record.time for t in group.timeouts.values() if t.record.time is not None), default=None)
    late = set()
    for rank, counters in group.counters.items():
        time = counters.record.time
        own = counters.failed_seq is not None and rank not in group.timeouts
        if own and counters.pending and first is not None and time is not None and time > first + LATE_SECONDS:
            late.add(rank)
    return late


SPECIFIC = 70
"""Causes from this weight on are failures even after training has ended: a last checkpoint that is not written."""


def failed_all_the_same(facts: Facts) -> str:
    """Why a completion line does not mean that the job is healthy; "" where it does."""
    ending = facts.outcome.completed
    if ending is None:
        return ""
    if facts.exits.failed is not None:
        failed = facts.exits.failed
        return f"a process failed all the same ({facts.case.file_name(failed)}:{failed.line})"
    for fact in fatal_exceptions(facts):
        record = fact.record
        after = facts.outcome.before(record.file, record.line, record.time)
        if (after and fact.row.weight >= SPECIFIC) or (
            not after and not facts.outcome.sure and record.file == ending.file
        ):
            return f"{fact.headline[:80]} ({fact.evidence.place})"
    return ""
