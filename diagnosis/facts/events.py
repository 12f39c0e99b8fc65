"""What happened, in order: every record that may be a cause, an echo, or an ending, with who and when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from logtui.diagnosis.facts.identity import Identity
from logtui.parsers.pattern import FailureClass, Role, Trait
from logtui.parsers.prefix.origin import RankFrom
from logtui.parsers.records.record import Record
from logtui.parsers.registry import registry

KEPT_ROLES = frozenset({Role.CAUSE, Role.SYMPTOM, Role.END})


@dataclass(slots=True)
class Event:
    """One record in its place in the story."""

    record: Record
    role: Role
    cls: FailureClass | None
    weight: int
    rank: int | None
    rank_from: RankFrom
    host: str | None
    title: str

    @property
    def name(self) -> str:
        """The pattern's name."""
        return self.record.name

    @property
    def order(self) -> tuple[float, int, int]:
        """By time where it is known, then by place in the files. Unknown times sort first."""
        return (self.record.time if self.record.time is not None else 0.0, self.record.file, self.record.line)


def read_events(identity: Identity) -> list[Event]:
    """All events of a case, earliest first."""
    patterns = identity.case.records.patterns
    names = [p.name for p in patterns if p.role in KEPT_ROLES]
    events = [_event(identity, record) for record in identity.case.records.of(*names)]
    return sorted(events, key=lambda e: e.order)


def by_name(events: Iterable[Event]) -> dict[str, list[Event]]:
    """Events by pattern."""
    found: dict[str, list[Event]] = {}
    for event in events:
        found.setdefault(event.record.name, []).append(event)
    return found


def _event(identity: Identity, record: Record) -> Event:
    pattern = record.pattern
    rank, source = identity.rank_of(record)
    title = record.title or record.first_line[:120]
    record.forget()
    return Event(record, pattern.role, pattern.cls, pattern.weight, rank, source, identity.host_of(record), title)


def is_scheduler(event: Event) -> bool:
    """Whether a cause is the scheduler's word about the whole job, which anything that went wrong before outranks."""
    whole_job = registry().areas_with(Trait.WHOLE_JOB)
    return event.cls is FailureClass.INFRASTRUCTURE and event.record.pattern.area in whole_job
