"""An exception ended a rank of its own accord."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.predicates.blame import (
    MOST_RANKS,
    driver_blames_gpu,
    hosts_of,
    rank_that_raised,
    ranks_of_node,
    ranks_that_raised,
    singled_out,
)
from logtui.diagnosis.predicates.circumstances import by_circumstances
from logtui.diagnosis.predicates.fatality import fatal_exceptions, why_survived
from logtui.diagnosis.predicates.missed_others import tells_of_others
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import declared
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass, Mark, Role

MAX_RANK, MAX_STOPPED = 1 << 30, 4096
MISSED = "store.clients_missing"
"""The store's complaint about processes that never came: who raises it is not one of them."""


def _find(facts: Facts) -> Iterator[Claim]:
    groups = _groups(fatal_exceptions(facts))
    for alike in groups:
        yield _claim(facts, alike, [e for other in groups if _same_kind(alike[0], other[0]) for e in other])
    yield from _survived(facts)


def _same_kind(one: ExceptionFact, other: ExceptionFact) -> bool:
    """Whether two exceptions are of one type and one kind, wherever they were raised."""
    return one.row is other.row and one.headline.split(":")[0] == other.headline.split(":")[0]


def _groups(raised: Iterable[ExceptionFact]) -> list[list[ExceptionFact]]:
    """Exceptions raised at the same place, or of the same words: frames get lost where ranks write at once."""
    groups: list[list[ExceptionFact]] = []
    known: dict[tuple[str, str], list[ExceptionFact]] = {}
    for fact in raised:
        words, name = (fact.row.title, fact.headline), (fact.row.title, fact.headline.split(":")[0])
        group = known.get(fact.key) or known.get(words) or (known.get(name) if name == words else None)
        if group is None:
            groups.append(group := [])
        group.append(fact)
        known.setdefault(fact.key, group)
        known.setdefault(words, group)
        if fact.traceback.mixed:  # what one of them says may stand in another's line
            known.setdefault(name, group)
    return groups


def _claim(facts: Facts, alike: list[ExceptionFact], of_kind: list[ExceptionFact]) -> Claim:
    """What some like exceptions tell; those `of_kind` may have been raised at other places too."""
    first = _in_main_log(facts, alike)
    of_others = _misses_clients(facts, first)
    raised = {e.rank for e in alike if e.rank is not None}
    named = raised or _implied(facts, alike)
    others = () if raised else range(facts.job.world_size or 0)  # a launcher tells of all that failed
    all_alike = not singled_out(facts, {e.rank for e in of_kind if e.rank is not None} | named, others)
    outside = first.row.cls is FailureClass.INFRASTRUCTURE  # a signal, a closed terminal: no rank's doing
    ranks = () if of_others or outside or all_alike else singled_out(facts, named, others)
    hosts = hosts_of(facts, ranks) or ((first.host,) if first.host and not of_others else ())
    kind = by_circumstances(facts, first, ranks)
    cls = kind.cls or FailureClass.SOFTWARE
    who = named_ranks(ranks) if ranks else "the job"
    said = first.headline[:160]
    told = _told_first(facts, first)
    return Claim(
        title=f"{who} failed: {kind.title}" + (f" ({said[:120]})" if said else ""),
        cls=cls,
        first=told.evidence,
        order=told.order,
        rung=declared(first.row.weight),
        ranks=ranks,
        hosts=hosts,
        supporting=tuple(e.evidence for e in alike[:4]),
        refuted=_told_by_the_other_side(facts, first) or driver_blames_gpu(facts, cls, first.host, first.record),
        direct=not of_others and bool(said),  # of a traceback written over the name may be anybody's
        what=f"{who} raised {said or 'what cannot be read any more'}" + (f" at {first.where}" if first.where else ""),
    )


def _told_first(facts: Facts, fact: ExceptionFact) -> ExceptionFact:
    """Where a file system failed a process that died of it later: the first time that it said the same, if it made no
    step since. What a logger loses of it is survived, and shows the same failure."""
    if fact.row.cls is not FailureClass.STORAGE_IO or "[Errno " not in fact.headline:
        return fact
    same = (e for e in facts.exceptions_of(fact.record.file) if e.headline == fact.headline)
    return min((e for e in same if e is fact or not facts.recovered(e.record)), key=lambda e: e.evidence.line)


def _in_main_log(facts: Facts, alike: list[ExceptionFact]) -> ExceptionFact:
    """The first of some like exceptions; its copy in the job's main log, where the launcher wrote one there too."""
    first = alike[0]
    if facts.case.files[first.record.file].hints.attempt is None:
        return _printed_first(alike)
    same = (e for e in alike[1:] if e.rank == first.rank and e.headline == first.headline)
    return next((e for e in same if facts.case.files[e.record.file].hints.attempt is None), first)


def _printed_first(alike: list[ExceptionFact]) -> ExceptionFact:
    """Of like exceptions in one file, the one whose name stands first: tracebacks of many ranks interleave."""
    first = alike[0]
    at_once = [e for e in alike if _at_once(first.record.time, e.record.time)]
    if (
        first.row.cls is FailureClass.INFRASTRUCTURE
    ):  # what comes from outside comes to all: the main process tells of it
        return min(at_once, key=lambda e: (e.rank if e.rank is not None else MAX_RANK, e.record.file, e.evidence.line))
    return min((e for e in at_once if e.record.file == first.record.file), key=lambda e: e.evidence.line)


def _at_once(one: float | None, other: float | None) -> bool:
    """Whether two times are the same but for what a launcher's report cuts off: it gives whole seconds."""
    return one == other or (one is not None and other is not None and abs(other - one) < 1.0)


def _told_by_the_other_side(facts: Facts, fact: ExceptionFact) -> str:
    """The store's complaint about clients that never came is an echo where one of those says why it did not."""
    if not _misses_clients(facts, fact):
        return ""
    for own in fatal_exceptions(facts):
        elsewhere = own.record.file != fact.record.file and (own.rank is None or own.rank != fact.rank)
        if elsewhere and own.row.role is Role.CAUSE and not tells_of_others(own) and not _misses_clients(facts, own):
            return f"a client that is missing failed of its own ({own.evidence.file}:{own.evidence.line})"
    for event in facts.causes:
        if event.name == "store.connect_timeout" and event.record.file != fact.record.file and event.rank != fact.rank:
            place = f"{facts.case.file_name(event.record)}:{event.record.line}"
            return f"a client that is missing says itself that it cannot reach the store ({place})"
    return ""


def _misses_clients(facts: Facts, fact: ExceptionFact) -> bool:
    return any(e.name == MISSED and fact.covers(e.record) for e in facts.causes)


def _implied(facts: Facts, alike: list[ExceptionFact]) -> set[int]:
    """Whose an exception without a prefix is: the whole node's if it raised it alike, else the first to end there.

    Raised more often than processes ended of it, it is nobody's in particular.
    """
    first = alike[0]
    node = ranks_of_node(facts, first.record)
    if len(node) > 1 and len(alike) >= len(node):
        return node
    times = sum(e.headline == first.headline and e.record.file == first.record.file for e in facts.exceptions)
    ended = ranks_that_raised(facts, first.record)
    if len(ended) > 1 and times > len(ended) and (times % len(ended) or times <= len(ended) + _stopped(facts, first)):
        return set()  # others raised it as well, before the launcher ended them
    if len(ended) > 1 and times >= MOST_RANKS * len(ended):
        return ended
    if sum(e.evidence.place == first.evidence.place for e in facts.exceptions) > 1:  # several end in one line
        return set()
    return rank_that_raised(facts, first.record) if times == 1 or len(ended) > 1 else set()


def _stopped(facts: Facts, fact: ExceptionFact) -> int:
    """How many processes the launcher that writes into the same file ended itself."""
    stops = facts.case.records.marked(Mark.STOPS_WORKERS)
    return sum(r.file == fact.record.file for r in islice(stops, MAX_STOPPED))


def _survived(facts: Facts) -> Iterator[Claim]:
    """Exceptions that lost before the contest: kept as runners-up with the reason."""
    for fact in facts.exceptions[:200]:
        if fact.row.role is not Role.CAUSE:
            continue
        why = why_survived(facts, fact)
        if why:
            yield Claim(
                title=f"{fact.headline[:120]}",
                cls=fact.row.cls or FailureClass.SOFTWARE,
                first=fact.evidence,
                order=fact.order,
                rung=declared(fact.row.weight),
                refuted=why,
                supporting=(fact.evidence,),
            )


RULE = Rule(
    id="first-exception",
    title="An exception on one rank or on all",
    claim="A Python exception ended the process; others fail because it is gone.",
    needs="a traceback",
    refuted_by="training went on after it; it was printed and ignored; the rank's own collective had timed out before",
    find=_find,
    references=("docs.python.org traceback",),
)
