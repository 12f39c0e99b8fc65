"""The failure in order: the chain from its trigger to the final crash, and the lines that matter, repeats folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.events import Event
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import ChainStep, TimelineEvent
from logtui.diagnosis.predicates.fatality import fatal_exceptions
from logtui.diagnosis.predicates.stall import first_timeout, start_order, waiting_text
from logtui.diagnosis.storage.story import felt_timeline, story
from logtui.diagnosis.verdict.engine import Decision
from logtui.parsers.pattern import Mark, Role, Source, Trait
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.record import Record, RecordTable
from logtui.parsers.registry import registry

# -- The chain: from the trigger, through the wait, to the crash

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
    told = story(facts.case, facts.storage) if decision.winner.rule.id == "storage-side" and facts.storage else ()
    yield from told
    if not any(claim.first in step.evidence for step in told):
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


# -- The timeline: every kind of event once per rank that matters

PER_KIND = 24
"""Events of one kind shown: the first and the last ones of a storm tell the story."""
MOST = 2000
SEVERITY = {Role.CAUSE: "error", Role.SYMPTOM: "warning", Role.STATE: "warning"}


def timeline(facts: Facts) -> tuple[TimelineEvent, ...]:
    """Chronological; events whose time is unknown keep their place in the file."""
    shown = _landmarks(facts)  # first: of several events of a line the first one stays
    shown += [_event(facts, e) for e in _thinned(facts.events_by_name)]
    fatal = {(e.record.file, e.record.line) for e in fatal_exceptions(facts)}
    shown += [_exception(e, (e.record.file, e.record.line) in fatal) for e in facts.exceptions[: PER_KIND * 4]]
    shown += [_state(facts, r) for r in _first_of_kind(facts.case.records)]
    shown += _steps(facts)
    shown += (*facts.storage.timeline, *felt_timeline(facts.case, facts.storage)) if facts.storage else ()
    shown.sort(key=lambda e: (e.time if e.time is not None else 0.0, e.file, e.line))
    return tuple(_unique(shown))[:MOST]


def _unique(events: Iterable[TimelineEvent]) -> Iterable[TimelineEvent]:
    seen: set[tuple[str, int]] = set()
    for event in events:
        if (event.file, event.line) not in seen:
            seen.add((event.file, event.line))
            yield event


def _thinned(by_name: dict[str, list[Event]]) -> list[Event]:
    out: list[Event] = []
    for same in by_name.values():
        half = PER_KIND // 2
        out += same if len(same) <= PER_KIND else same[:half] + same[-half:]
    return out


def _first_of_kind(records: RecordTable) -> list[Record]:
    """The first few of each pattern that says that ranks wait."""
    names = (p.name for p in records.patterns if Mark.WAITS in p.marks)
    rows = sorted(row for name in names for row in records.indices(name)[:PER_KIND].tolist())
    return [records[row] for row in rows]


def _landmarks(facts: Facts) -> list[TimelineEvent]:
    """Restarts, attempts, checkpoints: of each kind the first and the last ones, one a second."""
    out: list[TimelineEvent] = []
    for pattern in facts.case.records.patterns:
        if pattern.landmark is None:
            continue
        seen: dict[float, Record] = {}
        for record in facts.case.records.of(pattern.name):
            if record.time is not None:
                seen.setdefault(record.time // 1, record)
        same, half = list(seen.values()), PER_KIND // 2
        for record in same if len(same) <= PER_KIND else same[:half] + same[-half:]:
            severity = SEVERITY.get(record.pattern.role, "info")
            line = _line(facts, record, facts.identity.rank_of(record)[0], severity)
            out.append(replace(line, what=line.what or pattern.title, mark=pattern.landmark.value))
    return out


def _event(facts: Facts, event: Event) -> TimelineEvent:
    return _line(facts, event.record, event.rank, SEVERITY.get(event.role, "info"))


def _state(facts: Facts, record: Record) -> TimelineEvent:
    return _line(facts, record, facts.identity.rank_of(record)[0], "warning")


def _line(facts: Facts, record: Record, rank: int | None, severity: str) -> TimelineEvent:
    return TimelineEvent(
        record.time,
        record.time_from.word,
        registry().source_of(record.pattern.area).value,
        rank,
        record.first_line.strip()[:300] or record.pattern.title,
        facts.case.file_name(record),
        record.line,
        record.time_from is TimeFrom.ZONED,
        severity,
    )


def _exception(fact: ExceptionFact, fatal: bool) -> TimelineEvent:

    e = fact.evidence
    severity = "error" if fatal else "warning"
    return TimelineEvent(
        e.time, fact.record.time_from.word, "worker", fact.rank, e.text[:300], e.file, e.line, e.zoned, severity
    )


def _steps(facts: Facts) -> list[TimelineEvent]:
    """The first and the last step of the longest series."""
    out: list[TimelineEvent] = []
    for series in facts.steps[:1]:
        for row in {int(series.rows[0]), int(series.rows[-1])}:
            record = facts.case.records[row]
            text = next(iter(facts.case.bodies(record.file, record.line, 1)), "")
            out.append(
                TimelineEvent(
                    record.time,
                    record.time_from.word,
                    "steps",
                    facts.identity.rank_of(record)[0],
                    text.strip()[:300],
                    facts.case.file_name(record),
                    record.line,
                    record.time_from is TimeFrom.ZONED,
                    "info",
                )
            )
    return out
