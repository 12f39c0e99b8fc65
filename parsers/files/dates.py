"""The dates at the two ends of log files, from any of their lines, matched or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from logtui.parsers.clean import clean
from logtui.parsers.errors import LogtuiError
from logtui.parsers.files.archive import open_log
from logtui.parsers.prefix.stamp import Stamp, TimeFrom, stamp_near
from logtui.parsers.source import OF_PROGRAMS, FileKind, LogFile

SPEAKING = OF_PROGRAMS | {FileKind.LAUNCHER, FileKind.SCHEDULER}
"""Whose own time is the job's."""
MOST_FILES = 32
HEAD_BYTES = 32 << 10
"""Bytes at each end of a file in which a date is looked for."""
PREFIX = 80
"""Characters of a line in which its own stamp begins; a date further on may be of anything."""
DATED = frozenset({TimeFrom.ZONED, TimeFrom.DATED})


def spread(files: Iterable[LogFile]) -> list[LogFile]:
    """Some of the files in which a job speaks, at equal distances."""
    speaking = [file for file in files if file.kind in SPEAKING]
    return speaking[:: -(-len(speaking) // MOST_FILES) or 1]


def first_and_last(file: LogFile) -> tuple[float | None, float | None]:
    """The first and the last date of a file that its ends show, in seconds since the epoch; None where none does."""
    try:
        source = open_log(file)
    except (LogtuiError, OSError):
        return None, None
    try:
        head = source.read_at(0, HEAD_BYTES)
        tail = source.read_at(max(0, source.size() - HEAD_BYTES), HEAD_BYTES)
    except (LogtuiError, OSError):
        return None, None
    finally:
        source.close()
    return next(_dates(head.split(b"\n"), file), None), next(_dates(reversed(tail.split(b"\n")), file), None)


def dated_at(files: Iterable[LogFile]) -> float | None:
    """A date of a case that stands in some line of it, whoever wrote it; None where the ends of files show none."""
    return next((first for file in spread(files) if (first := first_and_last(file)[0]) is not None), None)


def _dates(lines: Iterable[bytes], file: LogFile) -> Iterator[float]:
    for raw in lines:
        head = raw[: 2 * PREFIX]
        if head.count(b":") < 2 and b"time_ms" not in head:
            continue  # no date is written with fewer
        stamp: Stamp | None = stamp_near(clean(head), file.mtime)
        if stamp is not None and stamp.source in DATED and stamp.start <= PREFIX:
            yield stamp.epoch
