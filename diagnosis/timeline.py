"""The lines that matter, in order of time: every kind of event once per rank that matters, repeats folded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from logtui.diagnosis.events import Event
from logtui.diagnosis.exceptions import ExceptionFact
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.fatality import fatal_exceptions
from logtui.diagnosis.report import TimelineEvent
from logtui.parsers.pattern import Role
from logtui.parsers.record import Record, RecordTable
from logtui.parsers.stamp import TimeFrom

PER_KIND = 24
"""Events of one kind shown: the first and the last ones of a storm tell the story."""
MOST = 2000
SOURCES = {
    "pg": "nccl",
    "nccl": "nccl",
    "torchrun": "launcher",
    "rendezvous": "launcher",
    "deepspeed": "launcher",
    "slurm": "scheduler",
    "srun": "scheduler",
    "k8s": "scheduler",
    "kernel": "kernel",
    "xid": "kernel",
    "sxid": "kernel",
    "store": "nccl",
    "gloo": "nccl",
    "spawn": "launcher",
}
MARKS = {
    "torchrun.restart": "restart", "slurm.requeued": "restart",
    "torchrun.group_start": "attempt", "torchrun.omp": "attempt",
    "checkpoint.save_begin": "checkpoint", "checkpoint.save_end": "checkpoint", "megatron.loaded": "resumed",
    "nemo.resumed": "resumed", "huggingface.resumed": "resumed", "lightning.resumed": "resumed",
    "torchtitan.resumed": "resumed", "composer.autoresume": "resumed",
}  # fmt: skip
"""Patterns that are landmarks of a run."""
SEVERITY = {Role.CAUSE: "error", Role.SYMPTOM: "warning", Role.STATE: "warning"}


def timeline(facts: Facts) -> tuple[TimelineEvent, ...]:
    """Chronological; events whose time is unknown keep their place in the file."""
    shown = _landmarks(facts)  # first: of several events of a line the first one stays
    shown += [_event(facts, e) for e in _thinned(facts.events_by_name)]
    fatal = {(e.record.file, e.record.line) for e in fatal_exceptions(facts)}
    shown += [_exception(e, (e.record.file, e.record.line) in fatal) for e in facts.exceptions[: PER_KIND * 4]]
    shown += [
        _state(facts, r) for r in _first_of_kind(facts.case.records, ("pg.status", "pg.notified", "pg.initiator"))
    ]
    shown += _steps(facts)
    shown += facts.storage.timeline if facts.storage else ()
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


def _first_of_kind(records: RecordTable, names: Sequence[str]) -> list[Record]:
    """The first few of each pattern."""
    rows = sorted(row for name in names for row in records.indices(name)[:PER_KIND].tolist())
    return [records[row] for row in rows]


def _landmarks(facts: Facts) -> list[TimelineEvent]:
    """Restarts, attempts, checkpoints: of each kind the first and the last ones, one a second."""
    out: list[TimelineEvent] = []
    for name, mark in MARKS.items():
        seen: dict[float, Record] = {}
        for record in facts.case.records.of(name):
            if record.time is not None:
                seen.setdefault(record.time // 1, record)
        same, half = list(seen.values()), PER_KIND // 2
        for record in same if len(same) <= PER_KIND else same[:half] + same[-half:]:
            severity = SEVERITY.get(record.pattern.role, "info")
            line = _line(facts, record, facts.identity.rank_of(record)[0], severity)
            out.append(replace(line, what=line.what or record.pattern.title, mark=mark))
    return out


def _event(facts: Facts, event: Event) -> TimelineEvent:
    return _line(facts, event.record, event.rank, SEVERITY.get(event.role, "info"))


def _state(facts: Facts, record: Record) -> TimelineEvent:
    return _line(facts, record, facts.identity.rank_of(record)[0], "warning")


def _line(facts: Facts, record: Record, rank: int | None, severity: str) -> TimelineEvent:
    area = record.name.split(".", 1)[0]
    return TimelineEvent(
        record.time,
        record.time_from.word,
        SOURCES.get(area, "worker"),
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
