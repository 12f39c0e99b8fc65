"""Everybody waits in a collective but a few ranks that never entered it."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.advice import BY_CLASS
from logtui.diagnosis.collectives import Group
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.fatality import dead_ranks
from logtui.diagnosis.predicates import bystanders, hosts_of, truly_absent, well_covered
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rule import Claim, Rule
from logtui.diagnosis.stall import kind_of_stall, operation, proof, start_order, state_line, waiting_text
from logtui.parsers.pattern import FailureClass

WORDS = {
    FailureClass.DATA_LOADING_STALL: "stalled in data loading",
    FailureClass.SOFTWARE: "stalled in user code",
    FailureClass.COLLECTIVE_MISMATCH: "took another path",
}


def _find(facts: Facts) -> Iterator[Claim]:
    for group in facts.collectives.stuck_groups:
        absent = truly_absent(facts, group)
        if group.world and 0 < len(absent) <= len(group.waiting) and well_covered(facts):
            yield _claim(facts, group, tuple(sorted(absent)))
            return
    yield from _through_groups(facts)


def _through_groups(facts: Facts) -> Iterator[Claim]:
    """No world-wide wait: the ranks that wait nowhere are whom the others wait for, followed through the groups."""
    groups = facts.collectives.stuck_groups
    idle = bystanders(facts)
    told = idle & set(facts.collectives.notified)
    if not groups or not told or groups[0].world or len(told) > len(facts.collectives.timed_out):
        return
    dead = dead_ranks(facts)
    if idle & set(dead) or not well_covered(facts):
        return
    yield _claim(facts, groups[0], tuple(sorted(told)))


def _claim(facts: Facts, group: Group, absent: tuple[int, ...]) -> Claim:
    dead = dead_ranks(facts)
    gone = [r for r in absent if r in dead]
    missing = set(facts.missing_ranks)
    silent = [r for r in absent if r in missing]
    cls, words = kind_of_stall(facts, absent)
    cls = cls or FailureClass.COLLECTIVE_MISMATCH
    lines = proof(facts, group, absent)
    first = words or state_line(facts, group, absent[0]) or (lines[0] if lines else None)
    who = named_ranks(absent)
    return Claim(
        title=f"{who} never entered {operation(group)}: {WORDS[cls]}",
        cls=cls,
        first=first,
        order=start_order(group),
        strength=_strength(facts, absent, silent, cls),
        ranks=absent,
        hosts=hosts_of(facts, absent),
        supporting=(*((words,) if words else ()), *lines),
        refuted=f"rank {gone[0]} did not stall, it died: {dead[gone[0]]}" if gone else "",
        direct=not silent and cls is FailureClass.DATA_LOADING_STALL,
        missing=tuple(f"the log of rank {r}" for r in silent[:4]),
        what=f"{who} never entered {operation(group)}; {waiting_text(group)}",
        advice=BY_CLASS.get(cls, ()),
    )


def _strength(facts: Facts, absent: tuple[int, ...], silent: list[int], cls: FailureClass) -> int:
    told = all(r in facts.collectives.notified for r in absent)
    base = 76 if cls is FailureClass.DATA_LOADING_STALL else 62
    if silent:
        return 35 if len(silent) == len(absent) else 45
    return base if told else base - 8


RULE = Rule(
    id="never-entered",
    title="A rank never entered the collective",
    claim="All other members wait in one operation; these ranks have nothing pending there.",
    needs="timeout lines of the waiting ranks, and any line of the odd one",
    refuted_by="the odd rank raised, was killed, or has no log at all",
    find=_find,
    references=("pytorch ProcessGroupNCCL watchdog, last enqueued / last completed work",),
)
