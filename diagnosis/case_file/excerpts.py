"""Which lines go into a case file: what the report cites and what a person marked, with some lines around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from logtui.diagnosis.case_file.beside import Beside
from logtui.diagnosis.case_file.beside import places as beside_places
from logtui.diagnosis.case_file.codec import plain
from logtui.diagnosis.marks import Mark
from logtui.diagnosis.report import Report
from logtui.parsers.case import Case
from logtui.parsers.excerpt import Excerpt
from logtui.parsers.lines import UNCOUNTED

NEAR, WIDE = 2, 20
"""Lines before and after: of any cited line; of those the verdict rests on, and of marked ones."""
MOST_LINES = 200_000
LINE_CHARS = 20_000

Places = dict[str, dict[int, int]]
"""Per file, lines and how many around each are wanted."""


def excerpts(case: Case, report: Report, marks: Iterable[Mark], beside: Beside | None = None) -> dict[int, Excerpt]:
    """The lines to keep, by file; `beside` cites more of them, which are kept as far as there is room."""
    places: Places = {}
    for part in (report.verdict, report.chain, report.symptoms, report.recommendations, report.revisions, tuple(marks)):
        _add(places, plain(part), WIDE)
    _add(places, plain(report), NEAR)
    if beside is not None:
        _add(places, plain(beside.odd), NEAR)
        for name, line in beside_places(case, beside):
            places.setdefault(name, {}).setdefault(line, 0)
    left, found = MOST_LINES, {}
    for file in case.files:
        ranges = _ranges(places.get(file.name, {}), left)
        stretches = tuple((first, _lines(case, file.index, first, count)) for first, count in ranges)
        stretches = tuple((first, lines) for first, lines in stretches if lines)
        left -= sum(len(lines) for _, lines in stretches)
        index = case.indexes.get(file.index)
        known = index.lines if index is not None and index.complete else case.line_count(file.index)
        last = stretches[-1][0] + len(stretches[-1][1]) - 1 if stretches else 0
        found[file.index] = Excerpt(max(known, last), stretches)
    return found


def _add(places: Places, value: Any, around: int) -> None:
    for file, line in _cited(value):
        lines = places.setdefault(file, {})
        lines[line] = max(lines.get(line, 0), around)


def _cited(value: Any) -> Iterator[tuple[str, int]]:
    """Every (file, line) in a plain value."""
    if isinstance(value, Mapping):
        file, line = value.get("file"), value.get("line")
        if isinstance(file, str) and isinstance(line, int) and 0 < line < UNCOUNTED:
            yield file, line
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    for one in inner:
        yield from _cited(one)


def _ranges(lines: Mapping[int, int], most: int) -> list[tuple[int, int]]:
    """(first, how many), ascending and apart; no more lines in all than that."""
    ranges: list[tuple[int, int]] = []
    for line, around in sorted(lines.items()):
        first, last = max(line - around, 1), line + around
        if most <= 0:
            break
        if ranges and first <= ranges[-1][0] + ranges[-1][1]:
            start, count = ranges[-1]
            most -= max(last - start + 1 - count, 0)
            ranges[-1] = (start, max(count, last - start + 1))
        else:
            ranges.append((first, last - first + 1))
            most -= last - first + 1
    return ranges


def _lines(case: Case, file: int, first: int, count: int) -> tuple[bytes, ...]:
    return tuple(line[:LINE_CHARS].encode() for line in case.lines(file, first, count))
