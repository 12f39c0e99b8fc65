"""Reports on a case that is still being read: when they are due, how they name lines, and what they get wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from operator import is_
from time import monotonic
from typing import Any, cast, get_args, get_type_hints

from logtui.diagnosis.findings import Evidence
from logtui.diagnosis.model import Report, Revision, Verdict
from logtui.parsers.case import Case
from logtui.parsers.lines import UNCOUNTED
from logtui.parsers.plan import Stage
from logtui.parsers.progress import Progress

LEAST_BYTES = 64 << 20
"""Less is read before anybody has looked at an early report."""
NEARLY_ALL = 0.9
SHARE_OF_TIME = 0.1
"""Of the time spent reading, what early reports may take."""
QUICK_S = 0.3
"""An early report that was made so quickly may be followed by another as soon as there is more to say."""
COUNTING_S = 0.05
"""Spent on finding line numbers for an early report; lines beyond that are shown without."""


class Schedule:
    """Decides when the next early report is due: after the tails, after the heads if it is quickly made, then now and
    then."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._stage = Stage.TAILS
        self._next = 0.0
        self._begun = 0.0
        self._took = 0.0

    def is_due(self, progress: Progress) -> bool:
        """Whether to report on what has been read up to here."""
        if progress.bytes < LEAST_BYTES or progress.share > NEARLY_ALL:
            return False
        self._begun = self._clock()
        is_new, self._stage = progress.stage > self._stage, progress.stage
        if is_new and self._took <= QUICK_S:
            return True
        return self._stage > Stage.TAILS and self._begun >= self._next

    def done(self) -> None:
        """The report that was due has been made; what it cost tells when the next one is."""
        now = self._clock()
        self._took = now - self._begun
        self._next = now + self._took / SHARE_OF_TIME


def with_line_numbers(report: Report, case: Case) -> Report:
    """The report with numbers for lines that were not counted when it was made; 0 where counting takes too long."""
    until = monotonic() + COUNTING_S

    def number(name: str, line: int) -> int:
        file = case.file_named(name)
        return case.counted(file.index, line) if file is not None and monotonic() < until else 0

    numbered: Report = _numbered(report, number)
    return numbered


def _numbered(value: Any, number: Callable[[str, int], int]) -> Any:
    """A frozen value, or the same one with every place in it numbered."""
    if isinstance(value, tuple):
        changed = tuple(_numbered(v, number) for v in value)
        return value if all(map(is_, value, changed)) else changed
    kind: Any = type(value)
    leading = _leading(kind)
    if not leading:
        return value
    parts: list[Any] | None = None
    for at, name in leading:
        old = getattr(value, name)
        if name != "line":
            new = _numbered(old, number) if old else old
        else:
            new = number(getattr(value, "file", ""), old) if old >= UNCOUNTED else old
        if new is not old:
            parts = parts or [getattr(value, field) for field in _names(kind)]
            parts[at] = new
    return kind(*parts) if parts else value


@lru_cache(maxsize=128)
def _leading(kind: Any) -> tuple[tuple[int, str], ...]:
    """The fields of a frozen value in which a line may be named, however deep, and which they are."""
    if not is_dataclass(kind):
        return ()
    hints = get_type_hints(kind)
    names = enumerate(_names(cast("Any", kind)))
    return tuple((at, name) for at, name in names if name == "line" or any(map(_leading, _parts(hints[name]))))


@lru_cache(maxsize=128)
def _names(kind: Any) -> tuple[str, ...]:
    """All fields of a frozen value, in the order in which it is made from them: half the cost of `replace`."""
    return tuple(field.name for field in fields(kind))


def _parts(hint: Any) -> Iterator[type]:
    """The types that an annotation is made of."""
    if isinstance(hint, type):
        yield hint
    for inner in get_args(hint):
        yield from _parts(inner)


def with_revisions(report: Report, before: Report | None) -> Report:
    """The report with a note of what the one before it concluded, if that was something else."""
    if before is None:
        return report
    said, now = before.verdict, report.verdict
    if _agree(said, now):
        return replace(report, revisions=before.revisions)
    return replace(report, revisions=(*before.revisions, Revision(said.title, now.title, _overturning(said, now))))


def _overturning(said: Verdict, now: Verdict) -> Evidence | None:
    """The line that changed it: the first that the newer verdict rests on and the older one did not know."""
    old = {e.place for e in (said.first_evidence, *said.supporting) if e is not None}
    rests = [e for e in (now.first_evidence, *now.supporting, *now.refuting) if e is not None]
    return next((e for e in rests if e.place not in old), rests[0] if rests else None)


def _agree(said: Verdict, now: Verdict) -> bool:
    """Whether two verdicts conclude the same; a host that was not known before changes nothing."""
    same_hosts = not said.culprit_hosts or said.culprit_hosts == now.culprit_hosts
    return (said.cls, said.culprit_ranks) == (now.cls, now.culprit_ranks) and same_hosts
