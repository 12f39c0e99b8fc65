"""The failure in order: from its trigger, through the wait, to the final crash. No effect stands before its cause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import ChainStep
from logtui.diagnosis.predicates.stall import ahead_text, spoken_timeout, start_order, waiting_text
from logtui.diagnosis.predicates.sync_points import sync_point
from logtui.diagnosis.verdict.dating import Dating
from logtui.diagnosis.verdict.engine import Decision
from logtui.diagnosis.verdict.rule import Claim
from logtui.parsers.pattern import Mark, Role, Source, Trait
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.registry import registry

ENDED_BY = {Source.LAUNCHER: "launchers stop the surviving workers", Source.SCHEDULER: "the scheduler ends the job"}


def chain(facts: Facts, decision: Decision, dating: Dating) -> tuple[ChainStep, ...]:
    """Numbered links, each leading to the next; empty where nothing is established."""
    steps = in_order(replace(s, evidence=dating.lines(s.evidence)) for s in _links(facts, decision, dating))
    return tuple(replace(s, step=i, leads_to=i + 1 if i < len(steps) else None) for i, s in enumerate(steps, 1))


def in_order(links: Iterable[ChainStep]) -> list[ChainStep]:
    """By time; an undated link stays behind the one it was told after."""
    dated: list[tuple[float, ChainStep]] = []
    latest = float("-inf")
    for link in links:
        latest = link.time if link.time is not None else latest
        dated.append((latest, link))
    return [link for _, link in sorted(dated, key=lambda d: d[0])]


def _links(facts: Facts, decision: Decision, dating: Dating) -> Iterator[ChainStep]:
    if decision.winner is None:
        return
    claim = decision.winner.claim
    told: Sequence[ChainStep] = ()
    if decision.winner.rule.id == "storage-side" and facts.storage:
        from logtui.diagnosis.storage.story import story  # most jobs come without daemons

        told = story(facts.case, facts.storage)
    yield from told
    effects = [] if claim.cls.value in ("healthy", "slow-training") else [*_stall(facts), *_end(facts, claim.first)]
    if not any(claim.first in step.evidence for step in told):
        yield _cause(claim, effects, dating)
    yield from effects


def _cause(claim: Claim, effects: list[ChainStep], dating: Dating) -> ChainStep:
    """Dated by when it began, which a timeout's line tells; a line without a stamp of its own was written too late
    to tell where what it led to had begun before."""
    lines = tuple(dict.fromkeys(e for e in (claim.first, *claim.supporting[:2]) if e is not None))
    first = dating.line(claim.first) if claim.first else None
    if first is None or first.time is None:
        return ChainStep(0, claim.what or claim.title, None, False, lines)
    began = claim.order[0] if 0.0 < claim.order[0] < first.time else first.time
    led_to = min((e.time for e in effects if e.time is not None), default=began)
    late = first.inherited and led_to < began
    when = led_to if late else began
    return ChainStep(0, claim.what or claim.title, when, first.zoned, lines, inherited=first.inherited)


def _stall(facts: Facts) -> Iterator[ChainStep]:
    groups = facts.collectives.stuck_groups
    if not groups:
        return
    group = groups[0]
    timeout = spoken_timeout(group)
    start = start_order(group)[0]
    limit = f" for its limit of {timeout.timeout_ms / 1000:g} s" if timeout.timeout_ms else ""
    zoned = timeout.record.time_from is TimeFrom.ZONED
    evidence = (cite(facts.case, timeout.record, timeout.rank),)
    yield ChainStep(
        0,
        f"{waiting_text(group)}{limit}{sync_point(facts, group)}{ahead_text(facts, group)}",
        start or None,
        zoned,
        evidence,
    )
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
