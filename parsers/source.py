"""What a log file is, before anything in it is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path


class FileKind(StrEnum):
    """What wrote a file; decided by content first and by name second."""

    WORKER = "worker"
    LAUNCHER = "launcher"
    SCHEDULER = "scheduler"
    KERNEL = "kernel"
    AIS_TARGET = "ais-target"
    AIS_PROXY = "ais-proxy"
    FLIGHT_RECORDER = "flight-recorder"
    EVENTS = "events"
    UNKNOWN = "unknown"


OF_PROGRAMS = frozenset({FileKind.WORKER, FileKind.UNKNOWN})
"""Kinds of files in which a program may write in its own words."""
AIS_KINDS = frozenset({FileKind.AIS_TARGET, FileKind.AIS_PROXY})
"""Kinds of files that storage daemons write."""


class Compression(StrEnum):
    """How the bytes on disk are packed."""

    NONE = ""
    GZIP = "gz"
    ZSTD = "zst"
    BZIP2 = "bz2"
    XZ = "xz"
    TAR = "tar"
    """A member of an archive, itself packed or not."""


class Coding(StrEnum):
    """How a text is written, where it is not plain; unpacked first, and read from the start like a packed file."""

    UTF16 = "utf-16"
    """Wholly, or now and then, as where two shells write to one file."""
    JSON = "json"
    """A JSON object per line, of which one value is the text."""
    CONSOLE = "console"
    """Broken at the width of a console by PowerShell."""
    PAGE = "page"
    """Copied from a page that has hard blanks for blanks."""


@dataclass(frozen=True, slots=True)
class NameHints:
    """What a file's path says about who wrote it; a hint, never a proof."""

    rank: int | None = None
    """Global rank, from names such as `rank57.log` or `nemo_log_globalrank-57_…`."""
    local_rank: int | None = None
    """Local rank, from torchrun's `attempt_0/3/stderr.log`."""
    node: int | None = None
    """Node index of the job (SLURM `%n`), not a rank."""
    task: int | None = None
    """SLURM task id (`%t`): a rank only where one task runs one rank."""
    host: str | None = None
    job: str | None = None
    attempt: int | None = None
    stream: str | None = None
    """`stdout` or `stderr` where the name says so."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Whole lines of a file's text that follow each other."""

    line: int
    """Number of the first one, from 1."""
    lines: int
    """An unfinished last one included."""
    begin: int
    end: int
    """Bytes of the text, unpacked."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What is read of a file where not all of it is: the other lines are taken to be empty, or not there at the end,
    so that those which are read keep their numbers."""

    passages: tuple[Passage, ...]
    """Ascending and apart; none where nothing is read."""
    stored: int
    """Bytes of the whole file as stored."""

    @property
    def empty(self) -> int:
        """Lines before the last passage that are not read: a byte each."""
        last = self.passages[-1] if self.passages else Passage(1, 0, 0, 0)
        return last.line + last.lines - 1 - sum(s.lines for s in self.passages)

    @property
    def size(self) -> int:
        """Bytes of the text with the empty lines."""
        return self.empty + sum(s.end - s.begin for s in self.passages)


@dataclass(frozen=True, slots=True)
class LogFile:
    """One log on disk. Sizes in bytes as stored, times in seconds since the epoch."""

    index: int
    """Position in the case; records name their file by it."""
    path: Path
    name: str
    """As shown to people: relative to the given directory, or as given."""
    size: int
    mtime: float
    kind: FileKind = FileKind.UNKNOWN
    compression: Compression = Compression.NONE
    inode: int = 0
    hints: NameHints = field(default_factory=NameHints)
    member: tuple[str, ...] = ()
    """Names from the outermost archive in, where the log is inside the archive at `path`; shown as
    `archive.tar.gz!member`. Size and time are then the member's."""
    wrapping: str = ""
    """What a collector put before every line, as `wrapping.find_wrapping` names it; "" for nothing."""
    codings: tuple[Coding, ...] = ()
    """What the text is turned back from, in this order."""
    cut: Cut | None = None
    """Where not all of it is read, what is; `size` is then that of the text with empty lines for the others."""

    @property
    def in_place(self) -> bool:
        """Whether any range of the file can be read by itself."""
        return self.compression is Compression.NONE and not self.member and not self.codings

    @property
    def stored(self) -> int:
        """Bytes of the whole file, read or not."""
        return self.cut.stored if self.cut else self.size

    @property
    def empty(self) -> int:
        """Lines that only stand for some that are not read; a byte each."""
        return self.cut.empty if self.cut else 0


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that was not read, or not to its end, and why."""

    file: str
    why: str


EMPTY = "empty"
"""Why nothing was read of a file that holds nothing."""


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """Between which times lines are read, and what is left out for that. Seconds since the epoch, both included."""

    since: float | None
    until: float | None
    left_out: tuple[LogFile, ...] = ()
    """Files without a line in it."""
    whole: tuple[str, ...] = ()
    """Names of files that are read whole, because their times cannot be compared."""
    lines: int = 0
    bytes: int = 0
    """Left out, of all files together."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """Every file below the given paths: read, or not and why."""

    files: tuple[LogFile, ...]
    unread: tuple[Unread, ...]
    window: TimeWindow | None = None
    """Where only lines of a span of time are read."""
