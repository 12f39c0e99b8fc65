"""Dumps in which no operation is stuck: the job was at work when they were written, or a rank without one held it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.fatality import died
from logtui.diagnosis.predicates.stall import kind_of_stall
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import DUMPS_AT_REST, DUMPS_WEAK
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass
from logtui.parsers.source import FileKind

if TYPE_CHECKING:
    from logtui.diagnosis.dumps.findings import FlightRecorderFindings

FEW = 2
"""More ranks without a dump than that single out nobody."""


def _find(facts: Facts) -> Iterator[Claim]:
    found = facts.dumps
    if found is None or found.hint.kind != "none" or found.dumps < 2:
        return
    if 0 < len(found.missing_ranks) <= min(FEW, found.dumps - 1):
        yield from _left_none(facts, found)
    elif not found.missing_ranks and all(f.kind is FileKind.FLIGHT_RECORDER for f in facts.case.files):
        yield from _at_rest(found)


def _left_none(facts: Facts, found: FlightRecorderFindings) -> Iterator[Claim]:
    """The last words of those without a dump, where they tell what they were at."""
    ranks = found.missing_ranks
    cls, words = kind_of_stall(facts, ranks)
    if cls is None or words is None:
        return
    yield Claim(
        title=f"{named_ranks(ranks)} left no flight-recorder dump, and those of {found.dumps} others show nothing "
        f"stuck; it last said: {words.text[:120]}",
        cls=cls,
        first=words,
        order=(words.time or 0.0, 0, words.line),
        rung=DUMPS_WEAK,
        ranks=ranks,
        hosts=hosts_of(facts, ranks),
        supporting=(words,),
        refuted=died(facts, ranks),
        missing=(f"the stack of {named_ranks(ranks)}: py-spy dump --pid PID",),
    )


def _at_rest(found: FlightRecorderFindings) -> Iterator[Claim]:
    yield Claim(
        title=f"no operation in the flight-recorder dumps of {found.dumps} ranks is stuck",
        cls=FailureClass.HEALTHY,
        first=None,
        order=(float("inf"), 0, 0),
        rung=DUMPS_AT_REST,
        what="every operation that was launched has completed, or none is known not to",
        missing=("the logs of the ranks: dumps of a job at rest do not say how it ended",),
    )


RULE = Rule(
    id="dumps-at-rest",
    title="Nothing in the dumps is stuck",
    claim="No recorded operation waits for a rank: the job was at work, or whoever left no dump was at something else.",
    needs="flight-recorder dumps of two ranks at least, and no pending operation",
    refuted_by="a log that tells of a failure; the rank without a dump died",
    find=_find,
    maturity="experimental",
    references=("pytorch flight recorder",),
)
