"""All entered the same operation, but one began to wait much later than the rest."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.advice import BY_CLASS
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.predicates import hosts_of, late_starters
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rule import Claim, Rule
from logtui.diagnosis.stall import kind_of_stall, operation, proof, start_order, state_line
from logtui.parsers.pattern import FailureClass


def _find(facts: Facts) -> Iterator[Claim]:
    for group in facts.collectives.stuck_groups:
        late = late_starters(group)
        if not late:
            continue
        ranks = tuple(sorted(t.rank for t in late))
        cls, words = kind_of_stall(facts, ranks)
        cls = cls or FailureClass.SOFTWARE
        first = words or state_line(facts, group, ranks[0])
        seconds = max((t.start or 0.0) for t in late) - start_order(group)[0]
        yield Claim(
            title=f"{named_ranks(ranks)} entered {operation(group)} {seconds:.0f} s after the others",
            cls=cls,
            first=first,
            order=start_order(group),
            strength=64,
            ranks=ranks,
            hosts=hosts_of(facts, ranks),
            supporting=(*((words,) if words else ()), *proof(facts, group, ranks)),
            advice=BY_CLASS[cls],
        )
        return


RULE = Rule(
    id="latecomer",
    title="A rank came late to the collective",
    claim="The same operation, but its wait began much later than everybody else's.",
    needs="timeout lines with their duration, on two ranks",
    refuted_by="",
    find=_find,
)
