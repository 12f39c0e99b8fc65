"""The store waited for processes that never came: those of which no line is left, or that failed before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.fatality import fatal_exceptions
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import MISSING_CLIENTS
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass
from logtui.parsers.records.record import Record

OF_ALL = "store_based_barrier_key:1"
SAID = ("store.clients_missing", "store.barrier_timeout")
WAITS = "store.barrier_wait"
"""Said every 10 s by who has come."""
NEAR, LEAST_S = 10, 60.0
"""Lines at the end of a file, and the least that who waits there has waited."""


def _find(facts: Facts) -> Iterator[Claim]:
    known = {*facts.seen_ranks, *facts.identity.by_task.values(), *_came(facts)}
    for record in (*facts.case.records.of(*SAID), *_still_waiting(facts)):
        expected, joined = record.number("expected") or record.number("world_size"), record.number("joined")
        if expected is None or joined is None or facts.recovered(record):
            continue
        absent = tuple(sorted(set(range(min(expected, 1 << 20))) - known))
        if absent and len(absent) == expected - joined:
            failed = _failed_before(facts)
            yield _of_failures(failed, absent) if len(failed) == len(absent) else _claim(facts, record, absent)
            return


def _failed_before(facts: Facts) -> list[ExceptionFact]:
    """What processes of which no rank is known failed of, all alike, other than of waiting."""
    nameless = [e for e in fatal_exceptions(facts) if e.rank is None and e.row.cls is not FailureClass.INIT_RENDEZVOUS]
    return nameless if len({e.headline for e in nameless}) == 1 else []


def _of_failures(failed: Sequence[ExceptionFact], absent: tuple[int, ...]) -> Claim:
    first = failed[0].evidence
    return Claim(
        title=f"{named_ranks(absent)} failed before they reached the store: {failed[0].headline[:80]}",
        cls=failed[0].row.cls or FailureClass.SOFTWARE,
        first=first,
        order=failed[0].order,
        rung=MISSING_CLIENTS,
        ranks=absent,
        supporting=tuple(e.evidence for e in failed),
        what="as many processes that say no rank failed as are missing at the store, where the others waited for them",
    )


def _came(facts: Facts) -> set[int]:
    """Ranks that gave up waiting in the first group's own barrier, which is that of all: they had come."""
    waited = (r for r in facts.case.records.of("store.barrier_timeout", WAITS) if r.fields.get("key") == OF_ALL)
    return {rank for r in waited if (rank := r.number("pg_rank")) is not None}


def _still_waiting(facts: Facts) -> Iterator[Record]:
    """The first line of those who wait for the others to the end of their file, as long as they are known to."""
    waits = [*facts.case.records.of(WAITS)]
    told = {(r.file, r.number("joined")): r for r in waits[::-1]}
    last = {r.file: r for r in waits}
    for end in last.values():
        first = told.get((end.file, end.number("joined")))
        if first is not None and facts.case.line_count(end.file) - end.line < NEAR and _long(first, end):
            yield first


def _long(first: Record, last: Record) -> bool:
    return first.time is not None and last.time is not None and last.time - first.time >= LEAST_S


def _claim(facts: Facts, record: Record, absent: tuple[int, ...]) -> Claim:
    first = cite(facts.case, record)
    return Claim(
        title=f"{named_ranks(absent)} never reached the store: no line of theirs is in the files",
        cls=FailureClass.INIT_RENDEZVOUS,
        first=first,
        order=(record.time or 0.0, record.file, 0),
        rung=MISSING_CLIENTS,
        ranks=absent,
        hosts=hosts_of(facts, absent),
        supporting=(first,),
        missing=(f"the logs of {named_ranks(absent)}, or of the nodes that should have run them",),
    )


RULE = Rule(
    id="missing-clients",
    title="Ranks that never reached the store",
    claim="As many processes are missing at the store as there are ranks without any line.",
    needs="the store's count of clients, and the ranks of all others",
    refuted_by="other ranks are silent as well, so that nobody can tell which are meant",
    find=_find,
    advice=(
        Advice(
            "infrastructure",
            "look at the nodes of these ranks: did the job start there, does it reach the master's port",
        ),
        Advice("training", "check that every node starts with the same world size and master address"),
    ),
    maturity="tried",
)
