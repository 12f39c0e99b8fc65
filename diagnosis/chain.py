"""The root cause chain: from the trigger, through the wait, to the final crash."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from logtui.diagnosis.engine import Decision
from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.findings import Evidence
from logtui.diagnosis.model import ChainStep
from logtui.diagnosis.stall import first_timeout, start_order, waiting_text
from logtui.parsers.pattern import Mark, Role, Source, Trait
from logtui.parsers.registry import registry
from logtui.parsers.stamp import TimeFrom

STORAGE_LINKS = 12
ENDED_BY = {Source.LAUNCHER: "launchers stop the surviving workers", Source.SCHEDULER: "the scheduler ends the job"}


def chain(facts: Facts, decision: Decision) -> tuple[ChainStep, ...]:
    """Numbered links, each leading to the next; empty where nothing is established."""
    steps = list(_links(facts, decision))
    return tuple(replace(s, step=i, leads_to=i + 1 if i < len(steps) else None) for i, s in enumerate(steps, 1))


def _links(facts: Facts, decision: Decision) -> Iterator[ChainStep]:
    if decision.winner is None:
        return
    claim = decision.winner.claim
    first = tuple(dict.fromkeys(e for e in (claim.first, *claim.supporting[:2]) if e is not None))
    when = claim.first.time if claim.first else None
    if decision.winner.rule.id.startswith("storage-") and facts.storage is not None:
        yield from facts.storage.chain[:STORAGE_LINKS]
    yield ChainStep(0, claim.what or claim.title, when, bool(claim.first and claim.first.zoned), first)
    if claim.cls.value in ("healthy", "slow-training"):
        return
    yield from _stall(facts)
    yield from _end(facts, claim.first)


def _stall(facts: Facts) -> Iterator[ChainStep]:
    groups = facts.collectives.stuck_groups
    if not groups:
        return
    group = groups[0]
    timeout = first_timeout(group)
    start = start_order(group)[0]
    limit = f" for its limit of {timeout.timeout_ms / 1000:g} s" if timeout.timeout_ms else ""
    zoned = timeout.record.time_from is TimeFrom.ZONED
    evidence = (cite(facts.case, timeout.record, timeout.rank),)
    yield ChainStep(0, f"{waiting_text(group)}{limit}", start or None, zoned, evidence)
    count = len(facts.collectives.timed_out)
    yield ChainStep(
        0, f"watchdogs of {count} rank{'s' if count != 1 else ''} time out", timeout.record.time, zoned, evidence
    )
    down = next(facts.case.records.marked(Mark.TAKES_DOWN), None)
    if down is not None:
        yield ChainStep(0, "the watchdogs take their processes down", down.time, zoned, (cite(facts.case, down),))


def _end(facts: Facts, first: Evidence | None) -> Iterator[ChainStep]:
    """What ended the survivors: the agents' SIGTERM, the scheduler."""
    after = first.time if first and first.time is not None else None
    stopping = registry().areas_with(Trait.STOPS_SURVIVORS)
    for source, words in ENDED_BY.items():
        areas = {area for area in stopping if registry().source_of(area) is source}
        ends = [
            next((e for e in events if after is None or e.record.time is None or e.record.time >= after), None)
            for events in facts.events_by_name.values()
            if events[0].record.pattern.area in areas and events[0].role is Role.SYMPTOM
        ]
        if earliest := min(filter(None, ends), key=lambda e: (e.order, e.record.row), default=None):
            record = earliest.record
            yield ChainStep(0, words, record.time, record.time_from is TimeFrom.ZONED, (cite(facts.case, record),))
