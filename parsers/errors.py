"""What can go wrong, as one tree.

    LogtuiError
    ├── SourceError          a path that cannot be used
    │   ├── PathMissing      it does not exist
    │   ├── PathUnreadable   it exists and cannot be opened
    │   ├── CaseFileRefused  a case file that is damaged or unsafe
    │   └── NothingToRead    nothing below the given paths looks like a log
    ├── TimesRefused         no span of time, or one in which nothing was written
    ├── FormatRefused        a site's own format that is no sound declaration
    ├── EngineFault          a scan engine that does not find what is there
    ├── ProgramDiffers       a worker of a cluster that has another version of logtui
    ├── ClusterUnavailable   a cluster that cannot be used
    ├── DumpRefused          a flight-recorder dump that is unsafe or not a dump
    └── ArchiveRefused       an archive member that is unsafe

Exceptions carry data; the command line and the screen turn them into words.
"""

from __future__ import annotations

from pathlib import Path


class LogtuiError(Exception):
    """Base of everything logtui raises on purpose."""


class SourceError(LogtuiError):
    """A given path cannot be used."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why


class PathMissing(SourceError):
    """A given path does not exist."""


class PathUnreadable(SourceError):
    """A given path exists but cannot be opened or listed."""


class CaseFileRefused(SourceError):
    """A case file is damaged, too large, or not what it seems to be."""


class NothingToRead(SourceError):
    """No file below the given paths looks like a log."""


class TimesRefused(LogtuiError):
    """What is to be read by time is no span of time, or no line was written in it."""


class FormatRefused(LogtuiError):
    """A format in the user's configuration folder is no sound declaration."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why


class EngineFault(LogtuiError):
    """A scan engine misses, invents or misplaces an anchor on this machine."""


class ProgramDiffers(LogtuiError):
    """A worker has other code to read logs by than this process: another version of logtui is installed there."""

    def __str__(self) -> str:
        return "a worker has another version of logtui"


class ClusterUnavailable(LogtuiError):
    """A cluster was asked for and cannot be used."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"{address}: {why}")
        self.address = address
        self.why = why


class DumpRefused(LogtuiError):
    """A flight-recorder dump is unsafe, truncated, or not a dump at all."""


class ArchiveRefused(LogtuiError):
    """An archive or one of its members is unsafe to read."""
