"""The job says that it completed."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass


def _find(facts: Facts) -> Iterator[Claim]:
    ending = facts.outcome.completed
    if ending is None:
        return
    failed = facts.exits.failed
    evidence = cite(facts.case, ending.record, ending.rank)
    yield Claim(
        title="the job completed; what is loud in its logs is noise",
        cls=FailureClass.HEALTHY,
        first=None,
        order=ending.order,
        strength=90,
        supporting=(evidence,),
        direct=True,
        what="the job completed",
        refuted=f"a process failed all the same ({facts.case.file_name(failed)}:{failed.line})" if failed else "",
    )


RULE = Rule(
    id="completed",
    title="The job completed",
    claim="The program or its launcher says that training ended as planned, and nothing trained after that line.",
    needs="a completion line",
    refuted_by="a launcher reports a failed process",
    find=_find,
)
