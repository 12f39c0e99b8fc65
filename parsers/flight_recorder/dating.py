"""When a job's dumps were written: the only date that a case of yearless lines may have."""

from __future__ import annotations

from collections.abc import Iterable

from logtui.parsers.errors import LogtuiError
from logtui.parsers.flight_recorder.reading import DumpReader
from logtui.parsers.source import FileKind, LogFile

ASKED = 3
"""Dumps read; one may be a former attempt's, which the year seldom minds."""
TRIED = 9


def dumped_at(files: Iterable[LogFile]) -> float | None:
    """When the newest operation in some of the dumps among these files was launched; None if none tells.

    Seconds since the epoch. Reads the smallest ones only: milliseconds.
    """
    dumps = sorted((f for f in files if f.kind is FileKind.FLIGHT_RECORDER and f.size), key=lambda f: f.size)
    found: list[int] = []
    for file in dumps[:TRIED]:
        try:
            found.append(DumpReader().read(file).last_ns)
        except (LogtuiError, OSError):
            continue  # told when all of them are read
        if sum(map(bool, found)) == ASKED:
            break
    return max(found, default=0) / 1e9 or None
