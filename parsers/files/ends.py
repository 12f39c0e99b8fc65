"""The bytes at both ends of a log file, packed or not."""

from __future__ import annotations

from logtui.parsers.errors import LogtuiError
from logtui.parsers.files.archive import open_log
from logtui.parsers.source import LogFile


def head(file: LogFile, count: int) -> bytes:
    """The first bytes of a file; none where it cannot be read."""
    return _read(file, 0, count)


def tail(file: LogFile, count: int) -> bytes:
    """The last bytes of a file; none where it cannot be read."""
    return _read(file, None, count)


def both(file: LogFile, first: int, last: int) -> tuple[bytes, bytes]:
    """So many of the first bytes of a file, and of the last where it has more than the first."""
    return head(file, first), tail(file, last) if file.size > first else b""


def _read(file: LogFile, offset: int | None, count: int) -> bytes:
    try:
        source = open_log(file)
    except (LogtuiError, OSError):
        return b""
    try:
        return source.read_at(max(0, source.size() - count) if offset is None else offset, count)
    except (LogtuiError, OSError):
        return b""
    finally:
        source.close()
