"""Lines a person marked, with notes: part of what a report says, beside what the diagnosis found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from logtui.diagnosis.quoting import cite, code_free, quote
from logtui.diagnosis.report import Evidence
from logtui.parsers.stamp import iso


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked line."""

    file: str
    line: int
    text: str
    note: str = ""
    rank: int | None = None
    time: float | None = None
    """Seconds since the epoch, where the line or its surroundings tell."""

    @property
    def evidence(self) -> Evidence:
        """The line as something that can be opened and checked."""
        return Evidence(self.file, self.line, self.text, self.time, rank=self.rank)

    @property
    def iso_time(self) -> str | None:
        """Its time as it is written."""
        return iso(self.time)


def section(marks: Iterable[Mark]) -> Iterator[str]:
    """A bullet per mark, for the markdown report."""
    for mark in marks:
        note = f" — {code_free(mark.note)}" if mark.note else ""
        yield f"- {cite(mark.evidence)} {quote(mark.text)}{note}"
