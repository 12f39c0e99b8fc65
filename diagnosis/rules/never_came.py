"""Ranks gave up waiting where no watchdog counts operations, in Gloo: who did not wait is whom they missed."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.fatality import died
from logtui.diagnosis.predicates.stall import kind_of_stall, take_its_stack
from logtui.diagnosis.predicates.waits import GaveUp, gave_up, never_came
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import NEVER_CAME
from logtui.diagnosis.verdict.advice import BY_CLASS
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass


def _find(facts: Facts) -> Iterator[Claim]:
    if not facts.collectives.stuck_groups and (ranks := never_came(facts)):
        yield _claim(facts, ranks, gave_up(facts))


def _claim(facts: Facts, ranks: tuple[int, ...], waited: dict[int, GaveUp]) -> Claim:
    cls, words = kind_of_stall(facts, ranks)
    first = min(waited.values(), key=lambda w: w.order)
    limit_s = first.limit_s
    who, lines = named_ranks(ranks), tuple(w.evidence for w in list(waited.values())[:3])
    time, file, line = first.order
    others = "1 rank" if len(waited) == 1 else f"{len(waited)} ranks"
    return Claim(
        title=f"{who} never came: {others} gave up waiting" + (f" after {limit_s:.0f} s" if limit_s else ""),
        cls=cls or FailureClass.UNKNOWN,
        first=words or lines[0],
        order=(max(0.0, time - limit_s), file, line),
        rung=NEVER_CAME,
        ranks=ranks,
        hosts=hosts_of(facts, ranks),
        supporting=(*((words,) if words else ()), *lines),
        refuted=died(facts, ranks),
        missing=(f"what {who} did meanwhile: its stack",),
        advice=(take_its_stack(facts, ranks[0]), *BY_CLASS.get(cls or FailureClass.UNKNOWN, ())),
        what=f"{who} did not come to the operation in which the others waited",
    )


RULE = Rule(
    id="never-came",
    title="Others gave up waiting for a rank",
    claim="Several ranks waited until their limit in an operation that no watchdog guards; a few ranks did not "
    "wait. Or one did, while all others asked storage in vain.",
    needs="the time-outs of two ranks, and any line of the odd one",
    refuted_by="the odd rank raised or was killed of something of its own; an NCCL watchdog names who waits",
    find=_find,
    maturity="tried",
    references=("pytorch third_party/gloo, unbound_buffer.cc",),
)
