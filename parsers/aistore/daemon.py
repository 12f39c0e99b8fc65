"""Daemons and their files: who wrote what, from when to when, and what is missing between."""

from __future__ import annotations

from dataclasses import dataclass, field

from logtui.parsers.aistore.grammar import Opening
from logtui.parsers.aistore.naming import single_download
from logtui.parsers.aistore.scanned import FileScan
from logtui.parsers.pattern import Pattern

DIRTY_TAIL_S = 70.0
"""After an unclean stop up to this much of the end never reached the file."""
MARKER_SPACING_S = 3670.0
"""Hourly markers come at least this often while a daemon runs; a longer silence between files is a missing file."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file, or one run inside a concatenated file. Times are wall clock taken as UTC, None where undated."""

    index: int
    """Position in the file's scan."""
    opening: Opening
    line: int
    """The header's line; the first line where there is none."""
    host: str
    start: float | None
    end: float | None
    start_from: str
    """`header`, `marker`, `name`, `mtime`: what dated the start."""
    end_from: str
    """`next header`, `last record`, `mtime`."""
    records: int
    clean_end: bool
    """The daemon said that it terminated."""
    end_line: int = 0
    """Line of that statement, 0 where there is none."""


@dataclass(frozen=True)
class DaemonFile:
    """One log of one daemon."""

    file: int
    """Index in the case."""
    name: str
    level: str
    """`INFO` has every record, `ERROR` only warnings and errors, once more."""
    parts: tuple[Part, ...]
    scan: FileScan = field(repr=False)
    duplicate_of: str = ""
    """Another file with the same content, which is used instead."""

    @property
    def start(self) -> float | None:
        """When its first part begins."""
        return self.parts[0].start if self.parts else None

    @property
    def end(self) -> float | None:
        """When its last part ends."""
        return self.parts[-1].end if self.parts else None

    def covers(self, start: float, end: float) -> bool:
        """Whether any of its records may fall into a time span."""
        return self.start is not None and self.end is not None and self.start <= end and self.end >= start


@dataclass(frozen=True, slots=True)
class Restart:
    """A new process of a daemon that had run before."""

    time: float
    file: str
    line: int
    stopped: float | None
    """When the previous process said its last word."""
    clean: bool
    """Whether it had said that it terminated."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A time for which a daemon has no log. An open end is None."""

    start: float | None
    end: float | None
    why: str
    """`rotated away`, `not collected`, `down`."""


@dataclass(frozen=True)
class Daemon:
    """One target or proxy."""

    index: int
    role: str
    """`target` or `proxy`."""
    id: str
    """Node ID; "" where no file says it."""
    host: str
    """Shortened host name."""
    version: str
    files: tuple[DaemonFile, ...]
    """By start; duplicates last."""
    zones: tuple[tuple[str, str, int, str], ...] = ()
    """(abbreviation, file, line, record) of the hourly markers where the abbreviation changes."""

    @property
    def label(self) -> str:
        """As its own messages name it: `t[QvTbWmKe]`."""
        return f"{self.role[:1]}[{self.id or (self.host + '?')}]"

    @property
    def used(self) -> tuple[DaemonFile, ...]:
        """Files that are not duplicates of others."""
        return tuple(f for f in self.files if not f.duplicate_of)

    @property
    def main(self) -> tuple[DaemonFile, ...]:
        """The files that carry every record: INFO, or ERROR where no INFO file was given."""
        full = tuple(f for f in self.used if f.level == "INFO")
        return full or self.used

    def restarts(self) -> tuple[Restart, ...]:
        """Every new process after the first, in order."""
        found: list[Restart] = []
        before: Part | None = None
        for file, part in self._runs():
            if part.opening is Opening.STARTED and before is not None and part.start is not None:
                found.append(Restart(part.start, file.name, part.line, before.end, before.clean_end))
            before = part
        return tuple(found)

    def gaps(self) -> tuple[Gap, ...]:
        """What is missing: history before the first file, files between files, time without a process."""
        found: list[Gap] = []
        before: Part | None = None
        for file, part in self._runs():
            if before is None:
                if single_download(file.name):
                    found.append(Gap(None, part.start, "not collected"))
                elif part.opening is not Opening.STARTED:
                    found.append(Gap(None, part.start, "rotated away"))
            elif gap := _between(before, part):
                found.append(gap)
            before = part
        return tuple(found)

    def _runs(self) -> list[tuple[DaemonFile, Part]]:
        return [(f, p) for f in self.main for p in f.parts if p.start is not None]


def _between(before: Part, after: Part) -> Gap | None:
    if before.end is None or after.start is None or after.start <= before.end:
        return None
    silence = after.start - before.end
    if after.opening is Opening.STARTED:
        unsure = not before.clean_end and silence > MARKER_SPACING_S
        return Gap(before.end, after.start, "not collected" if unsure else "down")
    return Gap(before.end, after.start, "not collected") if silence > MARKER_SPACING_S else None


@dataclass(frozen=True, slots=True)
class Message:
    """A record that a pattern recognised."""

    time: float | None
    """Wall clock of the daemon, taken as UTC."""
    daemon: int
    file: int
    line: int
    pattern: Pattern
    severity: str
    """Letter of the record: I, W, E."""
    head: str
    """Severity, time and source, as they stand before the message."""
    text: str
    """The message, cleaned."""

    @property
    def name(self) -> str:
        """Name of the pattern, `area.what`."""
        return self.pattern.name

    @property
    def record(self) -> str:
        """The record as it stands in the file."""
        return self.head + self.text

    @property
    def fields(self) -> dict[str, str]:
        """Named groups of the pattern's regex."""
        m = self.pattern.compiled.search(self.text)
        return {k: v for k, v in m.groupdict().items() if v is not None} if m else {}
