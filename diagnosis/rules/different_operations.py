"""Ranks stand in different operations, or in the same one with different sizes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import Timeout, WatchedGroup
from logtui.diagnosis.facts.exceptions import after_timeout
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.fatality import fatal_exceptions
from logtui.diagnosis.predicates.hangs import Hang, hangs
from logtui.diagnosis.predicates.stall import first_timeout, start_order
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import DIFFERENT_OPERATIONS, DIVERGED
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass


def _find(facts: Facts) -> Iterator[Claim]:
    for hang in hangs(facts):
        for odd, alike in hang.mismatched:
            yield _claim(facts, hang.group, odd, alike)
        if hang.diverged:
            yield _elsewhere(facts, hang)


def _claim(facts: Facts, group: WatchedGroup, odd: list[Timeout], all_: list[Timeout]) -> Claim:
    named = odd if len(odd) < len(all_) else []
    strange = {t.rank for t in odd}
    others = islice((t for t in all_ if t.rank not in strange), 2)
    ranks = tuple(sorted(t.rank for t in named))
    t = odd[0]
    who = named_ranks(ranks) if ranks else "the ranks"
    what = f"{who} called {t.op} with {t.numel_in} elements in operation #{t.seq}, the others something else"
    return Claim(
        title=what,
        cls=FailureClass.COLLECTIVE_MISMATCH,
        first=cite(facts.case, t.record, t.rank),
        order=start_order(group),
        rung=DIFFERENT_OPERATIONS,
        ranks=ranks,
        hosts=hosts_of(facts, ranks),
        direct=True,
        refuted=_left_by_another(facts),
        supporting=tuple(cite(facts.case, x.record, x.rank) for x in (*odd[:3], *others)),
    )


def _elsewhere(facts: Facts, hang: Hang) -> Claim:
    """Ranks stuck at different numbers in different kinds of operation: their programs have diverged."""
    group, first, ranks = hang.group, first_timeout(hang.group), _alone(hang)
    return Claim(
        title="ranks wait in different collectives: "
        + ", ".join(f"{shape[0]} #{seq}" for seq, shape in sorted(hang.diverged, key=str)[:3]),
        cls=FailureClass.COLLECTIVE_MISMATCH,
        first=cite(facts.case, first.record, first.rank),
        order=start_order(group),
        rung=DIVERGED,
        ranks=ranks,
        hosts=hosts_of(facts, ranks),
        refuted=_left_by_another(facts),
        supporting=tuple(cite(facts.case, t.record, t.rank) for t in list(group.timeouts.values())[:4]),
    )


def _alone(hang: Hang) -> tuple[int, ...]:
    """The one rank that waits elsewhere than all others, where these are several: it called something that they did
    not, or they something that it did not."""
    places: dict[int | None, list[int]] = {}
    for timeout in hang.group.timeouts.values():
        places.setdefault(timeout.seq, []).append(timeout.rank)
    fewest, *others = sorted(places.values(), key=len)
    return tuple(fewest) if len(fewest) == 1 and len(others) == 1 and len(others[0]) > len(fewest) else ()


def _left_by_another(facts: Facts) -> str:
    """What was raised outside the collectives before anybody gave up: who catches it there, or ends, leaves the others
    in whatever they called next."""
    for fact in fatal_exceptions(facts):
        waits = fact.rank is not None and fact.rank in facts.collectives.timed_out
        if not waits and not after_timeout(fact, facts.collectives) and fact.row.cls is FailureClass.SOFTWARE:
            return f"a rank had failed before: {fact.headline[:80]} ({fact.evidence.place})"
    return ""


RULE = Rule(
    id="different-operations",
    title="Ranks call different collectives",
    claim="At the same sequence number of one group, ranks stand in different operations or sizes.",
    needs="timeout lines with operation and sizes, on two ranks of one group",
    refuted_by="an exception outside the collectives that was raised before anybody gave up",
    find=_find,
    references=("pytorch CollectiveFingerPrint, WorkNCCL description",),
)
