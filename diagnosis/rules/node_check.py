"""DLRover timed every node before training, and one took far longer than the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from statistics import median

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.rules.ranking import NODE_CHECK
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.numbers import real
from logtui.parsers.pattern import FailureClass
from logtui.parsers.records.record import Record

SLOW_RATIO = 2.0
"""Times the median of the round at which DLRover itself calls a node a straggler."""
_PAIR = re.compile(r"(\d{1,6}): ?([\d.]{1,20})")


def _find(facts: Facts) -> Iterator[Claim]:
    rounds = list(facts.case.records.of("dlrover.elapsed"))
    slow = [s for r in rounds if (s := _slow_nodes(r))]
    if not slow or not rounds:
        return
    always = set.intersection(*slow) or slow[0]
    first = cite(facts.case, next(r for r in rounds if _slow_nodes(r)))
    record = rounds[0]
    yield Claim(
        title=f"node {', '.join(map(str, sorted(always)))} took more than twice the others' time in the node check",
        cls=FailureClass.SLOW_TRAINING,
        first=first,
        order=record.order,
        rung=NODE_CHECK,
        supporting=(first,),
        direct=True,
    )


def _slow_nodes(record: Record) -> set[int]:
    """Nodes above twice the median of the others in a round."""
    times = {int(n): real(s) for n, s in _PAIR.findall(record.fields.get("seconds_by_node", ""))}
    if len(times) < 3:
        return set()
    usual = median(sorted(times.values())[: (len(times) + 1) // 2])
    return {n for n, s in times.items() if s > SLOW_RATIO * usual}


RULE = Rule(
    id="node-check",
    title="A node failed the speed check",
    claim="The launcher measured all nodes alike and one is slow, whatever the training does.",
    needs="the job master's line with the time of every node, of three nodes or more",
    refuted_by="",
    find=_find,
    references=("dlrover rdzv_manager.py, network check",),
)
