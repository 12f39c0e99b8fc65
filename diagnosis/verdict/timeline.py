"""The lines that matter, in order of time, repeats folded; the proof and what the chain cites always among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.events import Event
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import TimelineEvent
from logtui.diagnosis.predicates.fatality import fatal_exceptions
from logtui.diagnosis.verdict.dating import Dating
from logtui.parsers.pattern import Mark, Role
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.record import Record, RecordTable
from logtui.parsers.registry import registry

PER_KIND = 24
"""Events of one kind shown: the first and the last ones of a storm tell the story."""
MOST = 2000
SHOWN_FIRST = frozenset({Mark.WAITS, Mark.HAMPERS, Mark.PASSING})
SEVERITY = {Role.CAUSE: "error", Role.SYMPTOM: "warning", Role.STATE: "warning"}


def timeline(facts: Facts, cited: Sequence[Evidence], dating: Dating) -> tuple[TimelineEvent, ...]:
    """Chronological: a line without a stamp stands where its file puts it, one of a file without any at the end.

    `cited` are the proof and what the chain rests on, the proof first; they are shown whatever else is left out.
    """
    shown = _landmarks(facts)  # first: of several events of a line the first one stays
    shown += [_event(facts, e) for e in _thinned(facts.events_by_name)]
    fatal = {(e.record.file, e.record.line) for e in fatal_exceptions(facts)}
    shown += [_exception(e, (e.record.file, e.record.line) in fatal) for e in facts.exceptions[: PER_KIND * 4]]
    shown += [_state(facts, r) for r in _first_of_kind(facts.case.records)]
    shown += _steps(facts)
    if facts.storage:
        from logtui.diagnosis.storage.story import felt_timeline  # most jobs come without daemons

        shown += (*facts.storage.timeline, *felt_timeline(facts.case, facts.storage))
    shown += [_cited(e) for e in cited]
    if facts.dumps is not None and not shown:
        from logtui.diagnosis.dumps.launches import last_launches  # most jobs come without dumps

        shown += last_launches(facts.dumps)
    proofs = {(e.file, e.line) for e in cited}
    events = [dating.event(replace(e, proof=(e.file, e.line) in proofs)) for e in _unique(shown)]
    return tuple(_most(sorted(events, key=_place)))


def _place(event: TimelineEvent) -> tuple[float, str, int]:
    return (event.time if event.time is not None else float("inf"), event.file, event.line)


def _most(events: list[TimelineEvent]) -> Iterator[TimelineEvent]:
    """As many as are shown; the proofs among the rest stay."""
    yield from (e for n, e in enumerate(events) if n < MOST or e.proof)


def _cited(e: Evidence) -> TimelineEvent:
    time_from = TimeFrom.NEIGHBOUR if e.inherited else TimeFrom.NONE if e.time is None else TimeFrom.DATED
    return TimelineEvent(
        e.time, time_from.word, "worker", e.rank, e.text[:300], e.file, e.line, e.zoned, severity="error"
    )


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
    """The first few of each pattern that says that ranks wait, or tells of trouble that may pass or last."""
    names = (p.name for p in records.patterns if not SHOWN_FIRST.isdisjoint(p.marks))
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
            out.append(replace(line, what=line.what or record.title, mark=pattern.landmark.value))
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
        record.first_line.strip()[:300] or record.title,
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
