"""Everybody waits in a collective but a few ranks that never entered it."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import WatchedGroup
from logtui.diagnosis.facts.exceptions import after_timeout
from logtui.diagnosis.model.report import HIGH, LOW
from logtui.diagnosis.predicates.blame import hosts_of, ranks_of_node
from logtui.diagnosis.predicates.calls import called_collective, is_other_call
from logtui.diagnosis.predicates.fatality import died, fatal_exceptions
from logtui.diagnosis.predicates.hangs import blamed, followed
from logtui.diagnosis.predicates.preparation import unfinished_preparation
from logtui.diagnosis.predicates.stall import (
    distance,
    kind_of_stall,
    operation,
    proof,
    start_order,
    state_line,
    take_its_stack,
    waiting_text,
)
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import (
    ALL_ABSENT_UNHEARD,
    LOADING_STALL,
    LOADING_STALL_UNTOLD,
    NEVER_ENTERED,
    NEVER_ENTERED_UNTOLD,
    SOME_ABSENT_UNHEARD,
    Rung,
)
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass
from logtui.parsers.remedies import EVEN_INPUTS

WORDS = {
    FailureClass.DATA_LOADING_STALL: "stalled in data loading",
    FailureClass.SOFTWARE: "stalled in user code",
    FailureClass.DATA: "it had no more data, the others had",
    FailureClass.COLLECTIVE_MISMATCH: "went on to another collective",
    FailureClass.INFRASTRUCTURE: "their whole node fell silent",
    FailureClass.UNKNOWN: "stalled outside the collectives, where is not in the files",
}


def _find(facts: Facts) -> Iterator[Claim]:
    hang, absent = next(blamed(facts, RULE.id), (None, ()))
    if hang is not None:
        yield _claim(facts, hang.group, absent)
    elif absent := followed(facts):
        yield _claim(facts, facts.collectives.stuck_groups[0], absent)


def _claim(facts: Facts, group: WatchedGroup, absent: tuple[int, ...]) -> Claim:
    missing = set(facts.missing_ranks)
    silent = [r for r in absent if r in missing]
    cls, words = kind_of_stall(facts, absent)
    if cls is None and _whole_node_silent(facts, absent):
        cls = FailureClass.INFRASTRUCTURE
    known = cls is not None
    elsewhere = any(_waits_elsewhere(facts, group, rank) for rank in absent)
    cls = cls or (FailureClass.COLLECTIVE_MISMATCH if elsewhere else FailureClass.UNKNOWN)
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
        refuted=died(facts, absent) or _instead(facts, absent) or ("" if words else _still_prepares(facts, group)),
        direct=not silent and cls is FailureClass.DATA_LOADING_STALL,
        missing=tuple(f"the log of rank {r}" for r in silent[:4]),
        what=f"{who} never entered {operation(group)}; {waiting_text(group)}{distance(facts, group, absent)}",
        advice=EVEN_INPUTS
        if cls is FailureClass.DATA
        else (take_its_stack(facts, absent[0]),)
        if cls is FailureClass.UNKNOWN
        else (),
    )


def _waits_elsewhere(facts: Facts, group: WatchedGroup, rank: int) -> bool:
    """Whether a rank that did not enter waits in another group's operation, or stood in another collective's call when
    the group broke: it went on without this one."""
    if any(other is not group and rank in other.waiting for other in facts.collectives.groups.values()):
        return True
    asked = {t.op or "" for t in group.timeouts.values()}
    calls = [c for e in facts.exceptions if e.rank == rank and (c := called_collective(e))]
    return any(all(is_other_call(call, op) for op in asked) for call in calls)


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


def _instead(facts: Facts, absent: tuple[int, ...]) -> str:
    """What befell the ranks that did not enter, where they say so themselves."""
    for fact in fatal_exceptions(facts):
        theirs = fact.rank is None and set(absent) <= ranks_of_node(facts, fact.record)
        if theirs and not after_timeout(fact, facts.collectives):
            return f"they did not stall, they failed: {fact.headline[:80]} ({fact.evidence.place})"
    wedged = facts.collectives.wedged
    if all(r in wedged for r in absent):
        record = wedged[absent[0]]
        return f"its own monitor says that the process is stuck ({facts.case.file_name(record)}:{record.line})"
    return ""


def _still_prepares(facts: Facts, group: WatchedGroup) -> str:
    """Where somebody's unfinished bar tells what was done instead."""
    bar = unfinished_preparation(facts, group)
    return f"data was still being prepared ({bar.place})" if bar is not None else ""


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
