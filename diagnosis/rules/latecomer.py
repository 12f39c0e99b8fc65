"""All entered the same operation, but one began to wait much later than the rest."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import WatchedGroup
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.hangs import blamed
from logtui.diagnosis.predicates.stall import kind_of_stall, operation, proof, start_order, state_line
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import BEGAN_LATE, GAVE_UP_ON
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass


def _find(facts: Facts) -> Iterator[Claim]:
    for hang, ranks in blamed(facts, RULE.id):
        yield _claim(facts, hang.group, ranks, hang.late)
        return


def _claim(facts: Facts, group: WatchedGroup, ranks: tuple[int, ...], begun: dict[int, float]) -> Claim:
    cls, words = kind_of_stall(facts, ranks)
    cls = cls or FailureClass.SOFTWARE
    when = (
        f"{max(begun.values()) - start_order(group)[0]:.0f} s after the others"
        if begun
        else "only after the others gave up"
    )
    return Claim(
        title=f"{named_ranks(ranks)} entered {operation(group)} {when}",
        cls=cls,
        first=words or state_line(facts, group, ranks[0]),
        order=start_order(group),
        rung=BEGAN_LATE if begun else GAVE_UP_ON,
        ranks=ranks,
        hosts=hosts_of(facts, ranks),
        supporting=(*((words,) if words else ()), *proof(facts, group, ranks)),
    )


RULE = Rule(
    id="latecomer",
    title="A rank came late to the collective",
    claim="The same operation, but its wait began much later than everybody else's, or when they had given up.",
    needs="timeout lines with their duration, on two ranks",
    refuted_by="",
    find=_find,
)
