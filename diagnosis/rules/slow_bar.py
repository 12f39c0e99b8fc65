"""Training runs, but its progress bar, the only clock there is, became much slower."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.slowdown import slow_by_bar
from logtui.diagnosis.rules.ranking import SLOW_BAR
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass


def _find(facts: Facts) -> Iterator[Claim]:
    slow = slow_by_bar(facts)
    if slow is None:
        return
    yield Claim(
        title=f"steps {slow.first}–{slow.last} took {slow.ratio:.1f} times the best, by their progress bar",
        cls=FailureClass.SLOW_TRAINING,
        first=slow.evidence,
        order=slow.order,
        rung=SLOW_BAR,
        supporting=(slow.evidence,),
    )


RULE = Rule(
    id="slow-bar",
    title="A progress bar became slow",
    claim="The bar's own clock shows steps that take much longer than its best ones, and stayed so.",
    needs="a tqdm bar of training and no step lines with times",
    refuted_by="any cause, echo or exception; the steps became fast again",
    find=_find,
    maturity="tried",
)
