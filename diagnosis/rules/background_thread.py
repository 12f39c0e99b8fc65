"""One rank alone waits in a collective that a background thread of its program called."""

from __future__ import annotations

import re
from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import WatchedGroup
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.hangs import blamed
from logtui.diagnosis.predicates.stall import operation, start_order
from logtui.diagnosis.rules.ranking import BACKGROUND_THREAD
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass
from logtui.parsers.records.record import Record

DEEP = 40
"""Frames looked at above the thread's first one."""
_FRAME = re.compile(r"^\s*#\d+ ")


def _find(facts: Facts) -> Iterator[Claim]:
    frame = next((r for r in facts.case.records.of("stack.thread_start") if _below_a_collective(facts, r)), None)
    if frame is None:
        return
    for hang, ranks in blamed(facts, RULE.id):
        yield _claim(facts, hang.group, frame, ranks)
        return


def _below_a_collective(facts: Facts, record: Record) -> bool:
    above = facts.case.preceding(record, DEEP)
    stack = [line for line in above if _FRAME.match(line)]
    return any("distributed_c10d.py" in line for line in stack)


def _claim(facts: Facts, group: WatchedGroup, frame: Record, ranks: tuple[int, ...]) -> Claim:
    waits = next(iter(group.timeouts.values())).record
    first = cite(facts.case, waits, ranks[0])
    return Claim(
        title=f"rank {ranks[0]} alone called {operation(group)}, from a background thread",
        cls=FailureClass.COLLECTIVE_MISMATCH,
        first=first,
        order=start_order(group),
        rung=BACKGROUND_THREAD,
        ranks=ranks,
        hosts=hosts_of(facts, ranks),
        supporting=(first, cite(facts.case, frame)),
        advice=(Advice("training", "give the thread a group of its own, and start it on every rank or on none"),),
    )


RULE = Rule(
    id="background-thread",
    title="A collective from a background thread",
    claim="A thread that only this rank runs called a collective on a group that the others share.",
    needs="the stack of the failed collective, ending in a thread's start, and counters of another rank",
    refuted_by="another rank waits in it too, or is not heard of",
    find=_find,
    maturity="tried",
    references=("pytorch ProcessGroupNCCL, Stack trace of the failed collective",),
)
