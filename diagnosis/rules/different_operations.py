"""Ranks stand in different operations, or in the same one with different sizes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from logtui.diagnosis.advice import BY_CLASS
from logtui.diagnosis.collectives import ROOTED, Group, Timeout
from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.predicates import hosts_of
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rule import Claim, Rule
from logtui.diagnosis.rules.ranking import DIFFERENT_OPERATIONS, DIVERGED
from logtui.diagnosis.stall import start_order
from logtui.parsers.pattern import FailureClass

Shape = tuple[str | None, int | None, int | None]


def _find(facts: Facts) -> Iterator[Claim]:
    for group in facts.collectives.stuck_groups:
        by_seq: dict[int, list[Timeout]] = defaultdict(list)
        for timeout in group.timeouts.values():
            if timeout.seq is not None and timeout.op is not None:
                by_seq[timeout.seq].append(timeout)
        for timeouts in by_seq.values():
            if (odd := _minority(timeouts)) is not None:
                yield _claim(facts, group, odd, timeouts)
        if (claim := _elsewhere(facts, group)) is not None:
            yield claim


def _shape(t: Timeout) -> Shape:
    return (t.op, None, None) if t.op in ROOTED else (t.op, t.numel_in, t.numel_out)


def _minority(timeouts: list[Timeout]) -> list[Timeout] | None:
    """Those whose operation or size differs from the majority's; None where all agree."""
    votes: Counter[Shape] = Counter(_shape(t) for t in timeouts)
    if len(votes) < 2:
        return None
    usual, most = votes.most_common(1)[0]
    odd = [t for t in timeouts if _shape(t) != usual]
    return odd if most > len(odd) else timeouts


def _claim(facts: Facts, group: Group, odd: list[Timeout], all_: list[Timeout]) -> Claim:
    named = odd if len(odd) < len(all_) else []
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
        supporting=tuple(
            cite(facts.case, x.record, x.rank) for x in (*odd[:3], *[a for a in all_ if a not in odd][:2])
        ),
        advice=BY_CLASS[FailureClass.COLLECTIVE_MISMATCH],
    )


def _elsewhere(facts: Facts, group: Group) -> Claim | None:
    """Ranks stuck at different numbers in different kinds of operation: their programs have diverged."""
    spots = {(t.seq, _shape(t)) for t in group.timeouts.values() if t.seq is not None}
    if len({s for s, _ in spots}) < 2 or len({o for _, o in spots}) < 2:
        return None
    if min(spots, key=lambda s: s[0] or 0)[1][0] in ROOTED:
        return None  # a root may run ahead of those that wait for it
    first = min(group.timeouts.values(), key=lambda t: (t.record.time or 0.0, t.record.file, t.record.line))
    return Claim(
        title="ranks wait in different collectives: "
        + ", ".join(f"{shape[0]} #{seq}" for seq, shape in sorted(spots, key=str)[:3]),
        cls=FailureClass.COLLECTIVE_MISMATCH,
        first=cite(facts.case, first.record, first.rank),
        order=start_order(group),
        rung=DIVERGED,
        supporting=tuple(cite(facts.case, t.record, t.rank) for t in list(group.timeouts.values())[:4]),
        advice=BY_CLASS[FailureClass.COLLECTIVE_MISMATCH],
    )


RULE = Rule(
    id="different-operations",
    title="Ranks call different collectives",
    claim="At the same sequence number of one group, ranks stand in different operations or sizes.",
    needs="timeout lines with operation and sizes, on two ranks of one group",
    refuted_by="",
    find=_find,
    references=("pytorch CollectiveFingerPrint, WorkNCCL description",),
)
