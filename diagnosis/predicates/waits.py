"""Who waited for others until a limit, outside NCCL's watchdogs, and who did not: the odd ones are the complement."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.events import Event
from logtui.diagnosis.facts.last_words import last_words
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.predicates.missed_others import missed_others
from logtui.diagnosis.predicates.odd_last_words import odd_last_words
from logtui.diagnosis.storage.client import UNANSWERED, client_events
from logtui.diagnosis.verdict.rule import Order
from logtui.parsers.pattern import Mark

FEW = 0.25
"""More that did not wait than this share are told apart by their last words alone."""
MOST_GAPS = 16
"""Ranks without a known line that are looked for among all lines."""
LEAST = 2
"""So many must have given up before the others are suspect; of two ranks one is enough."""
ASKED_S = 120.0
"""Requests that failed so long before somebody gave up waiting are why."""
CLOSED = "gloo.peer_closed", "gloo.io_error", "gloo.pair_closed"
"""Who says so stood in the same operation when a waiting peer ended."""


@dataclass(frozen=True, slots=True)
class GaveUp:
    """What a rank said when it waited no longer."""

    order: Order
    limit_s: float
    """0 where it does not say how long it waited."""
    evidence: Evidence


def gave_up(facts: Facts) -> dict[int, GaveUp]:
    """Ranks that waited until their limit, each with the first line that says so."""
    found: dict[int, GaveUp] = {}
    for event in facts.events_marked(Mark.GAVE_UP_WAITING):
        if not facts.recovered(event.record):
            rank = event.rank if event.rank is not None else _raised_by(facts, event)
            if rank is not None and rank not in found:
                limit_s = (event.record.number("timeout_ms") or 0) / 1000
                found[rank] = GaveUp(event.order, limit_s, cite(facts.case, event.record, rank))
    raised = missed_others(facts)
    return found | {r: GaveUp(e.order, 0.0, e.evidence) for r, e in raised.items() if r not in found}


def _raised_by(facts: Facts, event: Event) -> int | None:
    return next((e.rank for e in facts.exceptions if e.rank is not None and e.covers(event.record)), None)


def never_came(facts: Facts) -> tuple[int, ...]:
    """The few ranks for which the others waited in vain; empty where nobody gave up, or too many are quiet."""
    waited = set(gave_up(facts))
    if len(waited) < LEAST:
        return _other_of_two(facts, waited) or _asking_storage(facts)
    stood = {e.rank for name in CLOSED for e in facts.events_by_name.get(name, ()) if e.rank is not None}
    ranks = _heard(facts)
    left = ranks - waited - stood
    if left and len(left) <= max(1, FEW * len(ranks)):
        return tuple(sorted(left))
    return tuple(sorted(odd_last_words(facts, left or ranks - waited)))


def _other_of_two(facts: Facts, waited: set[int]) -> tuple[int, ...]:
    others = set(facts.all_ranks) - waited
    return tuple(others) if len(waited) == len(others) == 1 else ()


def _asking_storage(facts: Facts) -> tuple[int, ...]:
    """All others, where each of them asked storage in vain while one waited for them."""
    waited = gave_up(facts)
    others = set(facts.all_ranks) - set(waited)
    ended = min((w.order[0] for w in waited.values()), default=0.0)
    asked = (e for e in client_events(facts.case, UNANSWERED, facts.rank_of) if ended - ASKED_S <= e.time <= ended)
    return tuple(sorted(others)) if waited and others and others <= {e.rank for e in asked} else ()


def _heard(facts: Facts) -> set[int]:
    """Ranks that say anything, in whatever words: a gap between those that known lines name is looked for."""
    known = set(facts.seen_ranks)
    gaps = set(range(max(known, default=-1) + 1)) - known
    return known | {r for r in sorted(gaps)[:MOST_GAPS] if last_words(facts.identity, r, 1)}
