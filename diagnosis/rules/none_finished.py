"""Every member waits, in the same operation or scattered over several, and nobody finishes."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import WatchedGroup
from logtui.diagnosis.predicates.blame import on_one_node
from logtui.diagnosis.predicates.hangs import Hang, blamed, places
from logtui.diagnosis.predicates.stall import first_timeout, operation, start_order
from logtui.diagnosis.rules.ranking import NONE_FINISHED
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass


def _find(facts: Facts) -> Iterator[Claim]:
    for hang, _ in blamed(facts, RULE.id):
        yield _claim(facts, hang)
        return


def _claim(facts: Facts, hang: Hang) -> Claim:
    group, spots = hang.group, places(hang)
    where = operation(group) if len(spots) == 1 else f"{len(spots)} different operations"
    cls, what = _carrier(facts, group)
    lines = tuple(cite(facts.case, t.record, t.rank) for t in list(group.timeouts.values())[:4])
    first = first_timeout(group)
    return Claim(
        title=f"all {len(group.waiting)} ranks wait in {where} and none finishes: {what}, not a rank",
        cls=cls,
        first=cite(facts.case, first.record, first.rank),
        order=start_order(group),
        rung=NONE_FINISHED,
        supporting=lines,
        missing=("NCCL_DEBUG=INFO output and the kernel logs of all hosts around that minute",),
    )


def _carrier(facts: Facts, group: WatchedGroup) -> tuple[FailureClass, str]:
    """What carries an operation: the network between nodes; links and peer access of the GPUs within one."""
    if on_one_node(facts, group.waiting):
        return FailureClass.GPU_HARDWARE, "the node's GPUs or the links between them"
    return FailureClass.NETWORK, "fabric or GPU"


RULE = Rule(
    id="none-finished",
    title="All entered, nothing finished",
    claim="No rank is late: what carries the operation between them does not work.",
    needs="timeout lines of every rank for the same operation",
    refuted_by="a rank without a timeout, different operations, a late start",
    find=_find,
)
