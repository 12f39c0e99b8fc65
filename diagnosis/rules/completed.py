"""The job says that it completed."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.came_to_nothing import came_to_nothing
from logtui.diagnosis.predicates.fatality import failed_all_the_same
from logtui.diagnosis.rules.ranking import COMPLETED
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass


def _find(facts: Facts) -> Iterator[Claim]:
    ending = facts.outcome.completed
    if ending is None:
        return
    evidence = cite(facts.case, ending)
    yield Claim(
        title="the job completed; what is loud in its logs is noise",
        cls=FailureClass.HEALTHY,
        first=None,
        order=(ending.time or 0.0, ending.file, ending.line),
        rung=COMPLETED,
        supporting=(evidence,),
        direct=facts.outcome.sure and not came_to_nothing(facts, ending),
        what="the job completed",
        refuted=failed_all_the_same(facts),
    )


RULE = Rule(
    id="completed",
    title="The job completed",
    claim="The program or its launcher says that training ended as planned, and nothing trained after that line.",
    needs="a completion line",
    refuted_by="a launcher reports a failed process; a cause as specific as a full disk stands after the line",
    find=_find,
)
