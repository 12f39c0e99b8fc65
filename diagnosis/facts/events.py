"""What happened, in order: every record that may be a cause, an echo, or an ending, with who and when."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.identity import Identity
from logtui.diagnosis.facts.survived import DROPPED
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import FailureClass, Mark, Pattern, Role, Trait
from logtui.parsers.prefix.origin import RankFrom
from logtui.parsers.records.columns import cells
from logtui.parsers.records.record import Record, RecordTable
from logtui.parsers.regex import regex
from logtui.parsers.registry import registry

KEPT_ROLES = frozenset({Role.CAUSE, Role.SYMPTOM, Role.END})
_SKIPPED = regex(
    r"^.{0,80}?\b(?:WARN(?:ING)?|Warning|INFO)\b.{0,600}?"
    r"\b(?:skipp(?:ing|ed)|ignor(?:ing|ed)|continuing|falling back)\b"
)
"""A record below the level of errors that says what was done about it."""
_SHUTS_DOWN = "Python is likely shutting down"
"""What imports say in destructors, when all is done."""
_MESSAGE = regex(r"\W{0,8}['\"]role['\"]: ['\"]\w{1,12}['\"], ['\"]content['\"]: ")
"""How a message to a model begins, or its answer: whatever it tells of is no word of the program's."""
WIDTH, GOES_ON, HEAD = 800, 2, 160
"""Characters of a line that are looked at; lines behind it that show that more was said; bytes that show its kind."""
ASKED_WITHIN = 12
"""Lines above the shell's word of a killed process in which the script says that it kills it."""


@dataclass(slots=True)
class Event:
    """One record in its place in the story; of most of many nobody asks who wrote it, or what it is called."""

    record: Record
    role: Role
    cls: FailureClass | None
    weight: int
    _identity: Identity

    @property
    def name(self) -> str:
        """The pattern's name."""
        return self.record.name

    @property
    def rank(self) -> int | None:
        """The global rank that wrote it."""
        return self._identity.rank_of(self.record)[0]

    @property
    def rank_from(self) -> RankFrom:
        """What tells the rank."""
        return self._identity.rank_of(self.record)[1]

    @property
    def host(self) -> str | None:
        """The host it was written on."""
        return self._identity.host_of(self.record)

    @property
    def title(self) -> str:
        """What the pattern calls it, else the beginning of the line."""
        said = self.record.title or self.record.first_line[:120]
        self.record.forget()
        return said

    @property
    def order(self) -> tuple[float, int, int]:
        """As its record's."""
        return self.record.order


def read_events(identity: Identity) -> list[Event]:
    """All events of a case, earliest first."""
    records = identity.case.records
    rows = records.indices(*(p.name for p in records.patterns if p.role in KEPT_ROLES))
    # launchers' reports of failures name more hosts later on
    known = replace(identity, hosts=dict(identity.hosts))
    rows = rows[_in_order(records, rows)]
    patterns = map(records.patterns.__getitem__, cells(records.rows, "pattern", rows).tolist())
    told = zip(records.at(rows), patterns, strict=True)
    return [
        Event(record, p.role, p.cls, p.weight, known) for record, p in told if not _harmless(identity.case, record, p)
    ]


def _harmless(case: Case, record: Record, pattern: Pattern) -> bool:
    """Whether a line says itself that it ended nothing, or the script does above it."""
    if pattern.role is Role.CAUSE and (_SHUTS_DOWN in record.first_line or _in_message(case, record)):
        return True
    if pattern.role is Role.CAUSE and (_SKIPPED.search(said := record.first_line[:WIDTH]) or DROPPED.search(said)):
        return len(case.following(record, GOES_ON)) > GOES_ON
    return Mark.SHELL_SAW_END in pattern.marks and _asked_for(case, record)


def _in_message(case: Case, record: Record) -> bool:
    """Whether a line is a message to a model, or of one."""
    return record.length > HEAD and _MESSAGE.match(case.text_at(record.file, record.offset, HEAD)) is not None


def _asked_for(case: Case, record: Record) -> bool:
    """Whether the script itself killed the process whose end the shell reports."""
    pid = record.number("pid")
    if pid is None:
        return False
    told = re.compile(rf"(?i)\b(?:kill|stop|terminat|clean|shut)\w{{0,5}}\b.{{0,200}}\b{pid}\b")
    return any(told.search(text) for text in case.preceding(record, ASKED_WITHIN) if f" {pid} Killed" not in text)


def _in_order(records: RecordTable, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Where each of some rows stands, by `Event.order`."""
    file, line, time = (cells(records.rows, name, rows) for name in ("file", "line", "time"))
    return np.lexsort((line, file, np.nan_to_num(time, nan=0.0)))


def by_name(events: Iterable[Event]) -> dict[str, list[Event]]:
    """Events by pattern."""
    found: dict[str, list[Event]] = {}
    for event in events:
        found.setdefault(event.record.name, []).append(event)
    return found


KILL_WAIT_S = 90.0
"""A scheduler that ends a job lets its processes go on for so long, at most: SLURM's KillWait and a slow disk."""


def stops_the_job(record: Record) -> bool:
    """Whether a line is the scheduler's word that it ends the whole job."""
    return record.pattern.cls is FailureClass.INFRASTRUCTURE and _of_whole_job(record)


def is_scheduler(event: Event) -> bool:
    """Whether a cause is the scheduler's word about the whole job, which anything that went wrong before outranks."""
    return event.cls is FailureClass.INFRASTRUCTURE and _of_whole_job(event.record)


def _of_whole_job(record: Record) -> bool:
    return record.pattern.area in registry().areas_with(Trait.WHOLE_JOB)
