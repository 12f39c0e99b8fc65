"""How a log format is declared: patterns with anchors, roles and samples.

A format is data. The scan engine looks for the *anchors* (literals) of all patterns in one native pass; the
*regex* is then run with Python's `re` on the few lines that hold one, and its named groups are the fields.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

MIN_ANCHOR_BYTES = 7
"""Shorter literals cost the engines most of their speed and are refused by a test."""
_GROUP = re.compile(r"\(\?P<(\w+)>")


class FailureClass(StrEnum):
    """The failure classes of the report."""

    STORAGE_IO = "storage-io"
    NETWORK = "network"
    GPU_HARDWARE = "gpu-hardware"
    GPU_OOM = "gpu-oom"
    CUDA_SOFTWARE = "cuda-software"
    HOST_OOM = "host-oom"
    DATA = "data"
    DATA_LOADING_STALL = "data-loading-stall"
    COLLECTIVE_MISMATCH = "collective-mismatch"
    INIT_RENDEZVOUS = "init-rendezvous"
    SOFTWARE = "software"
    CONFIG = "config"
    INFRASTRUCTURE = "infrastructure"
    SLOW_TRAINING = "slow-training"
    HEALTHY = "healthy"
    UNKNOWN = "unknown"


class Role(StrEnum):
    """What a line says about a failure."""

    CAUSE = "cause"
    """May be the origin of a failure."""
    SYMPTOM = "symptom"
    """The echo of a failure elsewhere, however loud."""
    STATE = "state"
    """Counters and notices that rules compare between ranks."""
    INFO = "info"
    """Facts of the job: versions, sizes, maps, steps."""
    END = "end"
    """The job, or a part of it, ended on purpose."""
    NOISE = "noise"
    """Harmless by itself; counted and folded."""


class Severity(StrEnum):
    """How bad a daemon's message is by its meaning, not by the letter of its record."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Scope(StrEnum):
    """Whose logs a format's lines stand in; each has anchors of its own, so that none pays for the others'."""

    WORKERS = "workers"
    DAEMONS = "daemons"
    """Storage daemons: patterns are searched in the message alone, and a record is that of the first that matches."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A line as the producer writes it (values of our own), and what must be read from it."""

    text: str
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Pattern:
    """One kind of line."""

    name: str
    """`area.what`, unique over all formats, a public name: rules and counts refer to it."""
    anchors: tuple[str, ...]
    """Literals of at least seven bytes; every matching line holds one of them."""
    regex: str
    """Searched in the line; named groups are the fields. Confirms a hit, so it may be strict."""
    samples: tuple[Sample, ...]
    role: Role
    cls: FailureClass | None = None
    """The failure class this line speaks for, where it speaks for one."""
    weight: int = 50
    """How specific the line is as a cause, 0 to 100: a named hardware fault is 90, a bare exception 40."""
    bulk: bool = False
    """Comes in storms: exact counts, but only the first and last few per (rank, file) are kept."""
    unsigned: bool = False
    """Every rank says it, in some releases without its number: of a file that holds all ranks, each line counts."""
    numeric: tuple[str, str] | None = None
    """Two groups kept as numbers for every line, without its text: for step lines, of which there are millions."""
    follow: int = 0
    """Lines after the matched one that may belong to the record (a traceback, a block); read when needed."""
    title: str = ""
    """What people read in the timeline; the line itself where empty."""
    note: str = ""
    """Versions, meaning, traps."""
    severity: Severity = Severity.INFO
    """How bad a daemon's message is; workers' lines are judged by rules."""
    versions: str = ""
    """Releases that write it: `4.1-4.4`, `4.5+`, `all`."""
    blames: str = ""
    """What a daemon's message points at when it is a cause: `disk`, `memory`, `cpu`, `load`, `peer`, `network`,
    `capacity`, `membership`, `restart`, `client`, `backend`, `config`, `data`."""

    @property
    def area(self) -> str:
        """The part of the name before the dot."""
        return self.name.split(".", 1)[0]

    @cached_property
    def fields(self) -> frozenset[str]:
        """Names of the regex's groups, read without compiling it: most regexes of a run are never needed."""
        return frozenset(_GROUP.findall(self.regex))

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The regex, compiled once."""
        return re.compile(self.regex)


@dataclass(frozen=True)
class LineFormat:
    """The patterns of one producer."""

    name: str
    title: str
    reference: str
    """Where the templates come from: program, file, versions."""
    patterns: tuple[Pattern, ...]
    scope: Scope = Scope.WORKERS
