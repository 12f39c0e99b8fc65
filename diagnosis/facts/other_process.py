"""Processes that a file tells apart by their numbers: what one says once it has begun, another one says of itself."""

from __future__ import annotations

from itertools import islice

from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Mark

MOST = 4096
"""Starts that are read."""


def begun_by_another(case: Case) -> dict[int, int]:
    """Rows at which a process takes a device that another one, by its number, had taken in the same file, and the bytes
    at which they stand; ascending."""
    names = [p.name for p in case.records.patterns if Mark.STARTS in p.marks and {"pid", "device"} <= {*p.fields}]
    takers: dict[tuple[int, str], str] = {}
    found: list[int] = []
    offsets = case.records.rows["offset"]
    for record in islice(case.records.of(*names), MOST):
        place, pid = (record.file, record.fields.get("device", "")), record.fields.get("pid", "")
        if takers.setdefault(place, pid) != pid:
            found.append(record.row)
            takers[place] = pid
    return {row: int(offsets[row]) for row in sorted(found)}
