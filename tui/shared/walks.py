"""Lines to go along over all files: those that speak of errors, those the verdict leaves open, those of one kind."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logtui.diagnosis.facts.case_facts import Facts
    from logtui.diagnosis.model.report import Report
    from logtui.parsers.files.case import Case

MOST = 200_000
"""Lines of one walk."""
Place = tuple[str, int]
"""A file's name, and a line of it."""
UNEXPLAINED = "unexplained"
FATAL = frozenset({"cause", "consequence", "survived", UNEXPLAINED})


@dataclass(frozen=True)
class Walk:
    """Lines in the order of file and number."""

    name: str
    """What each of them is."""
    places: tuple[Place, ...]

    @classmethod
    def of(cls, name: str, places: Iterable[Place]) -> Walk:
        """Each line once, in order."""
        return cls(name, tuple(sorted(set(islice(places, MOST)))))

    def beyond(self, here: Place, direction: int) -> int | None:
        """Which of them comes next or before, round the end; None where there is none."""
        if not self.places:
            return None
        at = bisect_right(self.places, here) if direction > 0 else bisect_left(self.places, here) - 1
        return at % len(self.places)

    def words(self, at: int) -> str:
        """`error 3 of 127`."""
        return f"{self.name} {at + 1:,} of {len(self.places):,}"


class Walks:
    """Those of one report, found when they are first asked for."""

    def __init__(self, report: Report, case: Case | None, facts: Facts | None) -> None:
        self._report, self._case, self._facts = report, case, facts

    def named(self, name: str) -> Walk:
        """`error` or `unexplained`."""
        return self.unexplained if name == UNEXPLAINED else self.errors

    @cached_property
    def unexplained(self) -> Walk:
        """Lines that look fatal and that the verdict does not explain."""
        rows = (e.evidence for e in self._report.explained if e.verdict == UNEXPLAINED)
        return Walk.of("not explained", ((e.file, e.line) for e in rows))

    @cached_property
    def errors(self) -> Walk:
        """All that looks fatal or may be a cause."""
        return Walk.of("error", self._errors())

    def of_pattern(self, name: str) -> Walk:
        """The lines of a pattern, as far as they were not folded."""
        return Walk.of(name, _lines_of(self._case, (name,)) if self._case is not None else ())

    def _errors(self) -> Iterator[Place]:
        from logtui.parsers.pattern import Role

        report, case = self._report, self._case
        yield from ((row.evidence.file, row.evidence.line) for row in report.explained if row.verdict in FATAL)
        yield from ((event.file, event.line) for event in report.timeline if event.severity == "error")
        yield from ((state.first_error.file, state.first_error.line) for state in report.ranks if state.first_error)
        if self._facts is not None and case is not None:
            yield from ((fact.evidence.file, fact.evidence.line) for fact in self._facts.exceptions)
            yield from _lines_of(case, tuple(p.name for p in case.records.patterns if p.role is Role.CAUSE))


def _lines_of(case: Case, names: tuple[str, ...]) -> Iterator[Place]:
    known = {pattern.name for pattern in case.records.patterns}.intersection(names)
    rows = case.records.rows[case.records.indices(*known)[:MOST]]
    for file, line in zip(rows["file"].tolist(), rows["line"].tolist(), strict=True):
        yield case.files[file].name, line
