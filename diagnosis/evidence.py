"""Evidence from records, and its proof: each cited line read again from disk."""

from __future__ import annotations

from collections.abc import Iterable

from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import Verification
from logtui.parsers.files.case import Case
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.record import Record

SHOWN = 400
"""Characters of a line that a citation keeps."""


def cite(case: Case, record: Record, rank: int | None = None) -> Evidence:
    """A record as evidence."""
    text = record.first_line or next(iter(case.lines(record.file, record.line, 1)), "")
    return Evidence(
        case.file_name(record),
        record.line,
        text.strip()[:SHOWN],
        record.time,
        record.time_from is TimeFrom.ZONED,
        rank if rank is not None else record.rank,
        record.time_from is TimeFrom.NEIGHBOUR,
    )


def cite_line(case: Case, record: Record, line: int, text: str, rank: int | None = None) -> Evidence:
    """Another line of the record's file as evidence, with the record's time."""
    return Evidence(
        case.file_name(record),
        line,
        text.strip()[:SHOWN],
        record.time,
        record.time_from is TimeFrom.ZONED,
        rank if rank is not None else record.rank,
        True,
    )


def cite_unknown(case: Case, file: int, line: int) -> Evidence:
    """A line that no pattern knows as evidence."""
    text = case.lines(file, line, 1)
    return Evidence(case.files[file].name, line, (text[0] if text else "").strip()[:SHOWN], None)


def verify(case: Case, evidence: Iterable[Evidence]) -> Verification:
    """Read every cited line again; a line that no longer says what was cited is reported, not shown as fact."""
    checked: set[tuple[str, int]] = set()
    failed: list[str] = []
    for e in evidence:
        if (e.file, e.line) in checked:
            continue
        checked.add((e.file, e.line))
        if not still_says(case, e):
            failed.append(e.place)
    return Verification(len(checked), tuple(failed))


def still_says(case: Case, e: Evidence) -> bool:
    """Whether the line on disk still holds the cited text."""
    file = case.file_named(e.file)
    if file is None:
        return False
    cited = " ".join(e.text.split())[:200]
    now = case.lines(file.index, e.line, 1)
    if now and cited in " ".join(now[0].split()):
        return True
    original = case.original(file.index, e.line)
    return original is not None and cited in " ".join(original.split())
