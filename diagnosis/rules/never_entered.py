"""Everybody waits in a collective but a few ranks that never entered it."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.advice import BY_CLASS
from logtui.diagnosis.collectives import Group
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.fatality import dead_ranks, fatal_exceptions
from logtui.diagnosis.left_over import after_timeout
from logtui.diagnosis.odd_words import odd_last_words
from logtui.diagnosis.per_step import distance
from logtui.diagnosis.predicates import absent_ranks, bystanders, hosts_of, ranks_of_node, truly_absent, well_covered
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.report import HIGH, LOW
from logtui.diagnosis.rule import Claim, Rule
from logtui.diagnosis.rules.ranking import (
    ALL_ABSENT_UNHEARD,
    LOADING_STALL,
    LOADING_STALL_UNTOLD,
    NEVER_ENTERED,
    NEVER_ENTERED_UNTOLD,
    SOME_ABSENT_UNHEARD,
    Rung,
)
from logtui.diagnosis.stall import kind_of_stall, operation, proof, start_order, state_line, waiting_text
from logtui.parsers.pattern import FailureClass

AHEAD = 1
"""Operations that those that wait may be apart: the root of a broadcast does not wait in it."""
WORDS = {
    FailureClass.DATA_LOADING_STALL: "stalled in data loading",
    FailureClass.SOFTWARE: "stalled in user code",
    FailureClass.DATA: "it had no more data, the others had",
    FailureClass.COLLECTIVE_MISMATCH: "what it did instead is not in the files",
    FailureClass.INFRASTRUCTURE: "their whole node fell silent",
}


def _find(facts: Facts) -> Iterator[Claim]:
    for group in facts.collectives.stuck_groups:
        absent = truly_absent(facts, group) or _odd_one(facts, group)
        if (
            group.world
            and 0 < len(absent) <= len(group.waiting)
            and well_covered(facts)
            and _clear(facts, group, absent)
        ):
            yield _claim(facts, group, tuple(sorted(absent)))
            return
    yield from _through_groups(facts)


def _clear(facts: Facts, group: Group, absent: set[int]) -> bool:
    """Whether those that wait are close together, or the absent were heard of: else nobody knows what is waited for."""
    together = max(group.spots, default=0) - min(group.spots, default=0) <= AHEAD
    return together or absent <= set(facts.collectives.notified)


def _odd_one(facts: Facts, group: Group) -> set[int]:
    """Of members that were stopped before their watchdogs could speak, the one that last did what no other did."""
    if fatal_exceptions(facts) or facts.exits.first_failures:
        return set()
    absent = absent_ranks(facts, group)
    return odd_last_words(facts, absent) if group.world and absent and well_covered(facts) else set()


def _through_groups(facts: Facts) -> Iterator[Claim]:
    """No world-wide wait: the ranks that wait nowhere are whom the others wait for, followed through the groups."""
    groups = facts.collectives.stuck_groups
    idle = bystanders(facts)
    told = idle & set(facts.collectives.notified)
    if groups and idle and not facts.collectives.notified and not groups[0].world:
        told = odd_last_words(facts, idle)
    if not groups or not told or groups[0].world or len(told) > len(facts.collectives.timed_out):
        return
    dead = dead_ranks(facts)
    if idle & set(dead) or not well_covered(facts):
        return
    yield _claim(facts, groups[0], tuple(sorted(told)))


def _claim(facts: Facts, group: Group, absent: tuple[int, ...]) -> Claim:
    dead = dead_ranks(facts)
    missing = set(facts.missing_ranks)
    silent = [r for r in absent if r in missing]
    cls, words = kind_of_stall(facts, absent)
    if cls is None and _whole_node_silent(facts, absent):
        cls = FailureClass.INFRASTRUCTURE
    known, cls = cls is not None, cls or FailureClass.COLLECTIVE_MISMATCH
    lines = proof(facts, group, absent)
    first = words or state_line(facts, group, absent[0]) or (lines[0] if lines else None)
    who = named_ranks(absent)
    return Claim(
        title=f"{who} never entered {operation(group)}: {WORDS[cls]}",
        cls=cls,
        first=first,
        order=start_order(group),
        rung=_rung(facts, absent, silent, cls).capped(HIGH if known else LOW),
        ranks=absent,
        hosts=hosts_of(facts, absent),
        supporting=(*((words,) if words else ()), *lines),
        refuted=_instead(facts, absent, dead),
        direct=not silent and cls is FailureClass.DATA_LOADING_STALL,
        missing=tuple(f"the log of rank {r}" for r in silent[:4]),
        what=f"{who} never entered {operation(group)}; {waiting_text(group)}{distance(facts, group, absent)}",
        advice=BY_CLASS.get(cls, ()),
    )


def _whole_node_silent(facts: Facts, absent: tuple[int, ...]) -> bool:
    """Whether the absent are all ranks of one node, and none of them was heard of since the hang began."""
    spoke = set(facts.collectives.notified) | facts.collectives.timed_out
    if len(absent) < 2 or spoke & set(absent):
        return False
    nodes: dict[str | int, set[int]] = {}
    for rank in facts.seen_ranks:
        node = facts.identity.hosts.get(rank, facts.identity.sole_file(rank))
        if node is not None:
            nodes.setdefault(node, set()).add(rank)
    return len(nodes) > 1 and set(absent) in nodes.values()


def _instead(facts: Facts, absent: tuple[int, ...], dead: dict[int, str]) -> str:
    """What befell the ranks that did not enter, where they say so themselves."""
    for rank in absent:
        if rank in dead:
            return f"rank {rank} did not stall, it died: {dead[rank]}"
    for fact in fatal_exceptions(facts):
        theirs = fact.rank is None and set(absent) <= ranks_of_node(facts, fact.record)
        if theirs and not after_timeout(fact, facts.collectives):
            return f"they did not stall, they failed: {fact.headline[:80]} ({fact.evidence.place})"
    wedged = facts.collectives.wedged
    if all(r in wedged for r in absent):
        record = wedged[absent[0]]
        return f"its own monitor says that the process is stuck ({facts.case.file_name(record)}:{record.line})"
    return ""


def _rung(facts: Facts, absent: tuple[int, ...], silent: list[int], cls: FailureClass) -> Rung:
    if silent:
        return ALL_ABSENT_UNHEARD if len(silent) == len(absent) else SOME_ABSENT_UNHEARD
    told = all(r in facts.collectives.notified for r in absent)
    if cls is FailureClass.DATA_LOADING_STALL:
        return LOADING_STALL if told else LOADING_STALL_UNTOLD
    return NEVER_ENTERED if told else NEVER_ENTERED_UNTOLD


RULE = Rule(
    id="never-entered",
    title="A rank never entered the collective",
    claim="All other members wait in one operation; these ranks have nothing pending there.",
    needs="timeout lines of the waiting ranks, and any line of the odd one",
    refuted_by="the odd rank raised, was killed, or has no log at all",
    find=_find,
    references=("pytorch ProcessGroupNCCL watchdog, last enqueued / last completed work",),
)
