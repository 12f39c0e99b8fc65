"""PyTorch's own checks name the odd rank: fingerprints of collectives, and the monitored barrier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.fatality import died
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import CHECKED_BARRIER, CHECKED_FINGERPRINTS
from logtui.diagnosis.verdict.advice import BY_CLASS
from logtui.diagnosis.verdict.rule import Claim, Order, Rule
from logtui.parsers.pattern import FailureClass
from logtui.parsers.records.record import Record

Call = tuple[str | None, ...]
"""Number, operation, shape: what a fingerprint says that a rank runs."""
UNSAID: Call = ()
"""Of a rank that others differ from, and that does not speak itself."""


def _find(facts: Facts) -> Iterator[Claim]:
    yield from _fingerprints(facts)
    yield from _barriers(facts)


def _fingerprints(facts: Facts) -> Iterator[Claim]:
    """Each rank compares itself with one other, so that only its own half is sure; the minority is odd."""
    said = _own_halves(facts)
    calls = {rank: call for rank, (call, _) in said.items()}
    others = {other for _, r in said.values() if (other := r.number("other")) is not None}
    calls |= dict.fromkeys(others - calls.keys(), UNSAID)
    votes = Counter(call for call in calls.values())
    if len(votes) < 2:
        return
    usual, most = votes.most_common(1)[0]
    odd = tuple(sorted(rank for rank, call in calls.items() if call != usual))
    if most <= len(odd) or usual == UNSAID:
        return
    own = next((said[rank][1] for rank in odd if rank in said), None)
    first = own or next(record for _, record in said.values())
    ran = f"called {_named(calls[odd[0]])}" if own is not None else "called something else"
    title = f"{named_ranks(odd)} {ran} while the others called {_named(usual)}"
    yield _claim(facts, title, odd, first, [r for _, r in said.values()])


def _own_halves(facts: Facts) -> dict[int, tuple[Call, Record]]:
    """Rank → what it says that it runs. Its number is group-local; the prefix of the line is not."""
    found: dict[int, tuple[Call, Record]] = {}
    for record in facts.case.records.of("collective.mismatch"):
        rank = facts.identity.rank_of(record)[0]
        rank = record.number("rank") if rank is None else rank
        if rank is not None:
            fields = record.fields
            found.setdefault(rank, ((fields.get("seq"), fields.get("op"), fields.get("shape")), record))
    return found


def _named(call: Call) -> str:
    seq, op, _ = call
    return f"{op} #{seq}" if seq else f"{op}"


def _barriers(facts: Facts) -> Iterator[Claim]:
    """Rank 0 waits for each rank's word and names those that did not give it."""
    for record in facts.case.records.of("collective.barrier_missing"):
        missing = tuple(int(r) for r in record.fields["ranks"].split(", "))
        if facts.recovered(record) or len(missing) * 2 > max(len(facts.all_ranks), len(missing)) > 1:
            continue
        title = f"{named_ranks(missing)} did not reach the monitored barrier that the others wait in"
        yield replace(_claim(facts, title, missing, record, [record]), refuted=died(facts, missing))
        return


def _claim(facts: Facts, title: str, ranks: tuple[int, ...], first: Record, said: list[Record]) -> Claim:
    lines = tuple(cite(facts.case, r, facts.identity.rank_of(r)[0]) for r in (first, *said[:3]))
    return Claim(
        title=title,
        cls=FailureClass.COLLECTIVE_MISMATCH,
        first=lines[0],
        order=min(_order(facts, r) for r in said),
        rung=CHECKED_BARRIER if first.name == "collective.barrier_missing" else CHECKED_FINGERPRINTS,
        ranks=ranks,
        hosts=hosts_of(facts, ranks),
        supporting=tuple(dict.fromkeys(lines)),
        direct=True,
        advice=BY_CLASS[FailureClass.COLLECTIVE_MISMATCH],
    )


def _order(facts: Facts, record: Record) -> Order:
    """That of the traceback it ends, so that neither is earlier than the other."""
    own = record.order
    return next((f.order for f in facts.exceptions if f.covers(record)), own)


RULE = Rule(
    id="checked-collectives",
    title="PyTorch's own checks name the odd rank",
    claim="A minority runs another collective than the rest, or did not reach the monitored barrier.",
    needs="lines of TORCH_DISTRIBUTED_DEBUG=DETAIL, or of a monitored barrier",
    refuted_by="halves that no majority agrees on; training that went on",
    find=_find,
    references=("pytorch ProcessGroupWrapper.cpp", "pytorch ProcessGroupGloo.cpp, monitoredBarrier"),
)
