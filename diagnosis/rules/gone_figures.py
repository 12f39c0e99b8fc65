"""A program's figures are NaN to the end: it worked on, and what it worked out is void."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite_unknown
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.gone_numbers import gone_numbers
from logtui.diagnosis.rules.ranking import LOSS_SPIKE
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass, Mark


def _find(facts: Facts) -> Iterator[Claim]:
    known = any(Mark.LASTS in e.record.pattern.marks for e in facts.causes)  # which says it better
    for gone in () if known or facts.is_past else gone_numbers(facts)[:1]:
        evidence = cite_unknown(facts.case, gone.file, gone.line)
        yield Claim(
            title=f"figures are NaN from here to the end: {gone.text[:120]}",
            cls=FailureClass.SOFTWARE,
            first=evidence,
            order=(0.0, gone.file, gone.line),
            rung=LOSS_SPIKE,
            supporting=(evidence,),
            outlives=True,
        )


RULE = Rule(
    id="gone-figures",
    title="Figures are gone",
    claim="A sentence that told numbers says NaN from some line on to the end; whatever is done behind it, it is void.",
    needs="three lines with numbers, and three with NaN in their place that are the last of their kind",
    refuted_by="numbers that come back; a cause that is far stronger",
    find=_find,
    maturity="experimental",
)
