"""Who wrote a line: rank, local rank, task, host and process, read from the prefixes that stack before it.

Prefixes stack outermost first: collector, host or srun label, torchrun's tee header, `[rankN]:`, logger header.
Each number means something else; only `[rankN]:` is the global rank. Records are glued into lines, so the
prefix that counts is the last one before the hit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum


class RankFrom(IntEnum):
    """How a record's rank was established, best first."""

    NONE = 0
    PREFIX = 1
    """`[rank57]:` stands before it."""
    TEXT = 2
    """The line names its own global rank (`rank 5/8`, a failure block, a default-group `[PG … Rank n]`)."""
    NCCL_INIT = 3
    """host:pid joined through NCCL's Init lines."""
    PID = 4
    """process id joined through a line that gives both."""
    FILE = 5
    """The file's name."""
    LOCAL = 6
    """Local rank of a tee header or a directory, joined with the node."""
    TASK = 7
    """SLURM task label, one task per rank."""
    CONTEXT = 8
    """The prefix of the line it continues."""

    @property
    def word(self) -> str:
        """As people read it."""
        return self.name.lower().replace("_", " ")


@dataclass(slots=True)
class Origin:
    """What the prefixes of one line say. -1 and "" stand for unknown."""

    rank: int = -1
    rank_from: RankFrom = RankFrom.NONE
    local_rank: int = -1
    task: int = -1
    host: str = ""
    pid: int = -1


Span = tuple[int, int]
"""First character and end of a part of a line."""


@dataclass(slots=True)
class OriginPlaces:
    """Where a line names its origin; None for what it does not say. The same for lines that differ in digits alone."""

    rank: Span | None = None
    rank_from: RankFrom = RankFrom.NONE
    local_rank: Span | None = None
    task: Span | None = None
    host: Span | None = None
    pid: Span | None = None

    def read(self, text: str) -> Origin:
        """The origin of the line itself."""
        rank, local, task, host, pid = self.rank, self.local_rank, self.task, self.host, self.pid
        return Origin(
            int(text[rank[0] : rank[1]]) if rank else -1,
            self.rank_from,
            int(text[local[0] : local[1]]) if local else -1,
            int(text[task[0] : task[1]]) if task else -1,
            text[host[0] : host[1]] if host else "",
            int(text[pid[0] : pid[1]]) if pid else -1,
        )


_RANK = re.compile(r"\[rank(\d{1,6})\]:")
_TASK = re.compile(r"(?:P\d+ )? *(\d{1,6}): ")
_TEE = re.compile(r"\[(?![Rr]ank\d)([A-Za-z][\w.-]*?):?(\d{1,3})\]:")
_NCCL = re.compile(r"(?:^|\]:|[\s\]])([A-Za-z0-9][\w.-]*):(\d{1,8}):(\d{1,8}) \[(-?\d+)\] ")
_PDSH = re.compile(r"(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|[A-Za-z][\w-]*(?:\.[\w.-]+)?): (?=\S)")
_RAY = re.compile(r"\(([A-Za-z_][\w.:<>-]*)(?: rank=(\d{1,6}))?(?:,)? ?pid=(\d{1,9})(?:, ip=([\d.]+))?\)")
_SYSLOG = re.compile(
    r"(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d [\d:]{8}|\d{4}-\d\d-\d\dT[\d:.,+Z-]{8,24}) ([A-Za-z0-9][\w.-]*) kernel: "
)
"""The host of a kernel line, as syslog and journald print it."""
_MPI = re.compile(r"\[\d+,(\d{1,6})\]<std\w+>:")
_COMPOSER = re.compile(r": rank(\d{1,6})\[\d+\]\[")
_NOT_HOSTS = frozenset(
    "srun slurmstepd error warning note info debug fatal sbatch salloc traceback exception torch "
    "wandb make bash sh python pdsh rank step loss epoch test mpirun prterun kernel usage".split()
)
_STEPD = "slurmstepd-"
"""Before the host's name, where several nodes write into one file."""
_LAST_WORD = re.compile(r"(?:Error|Exception|Warning|Interrupt|Exit|Iteration)$")


def _last(regex: re.Pattern[str], text: str, hit: int) -> re.Match[str] | None:
    found = None
    for m in regex.finditer(text, 0, hit + 1):
        found = m
    return found


def _find_outer(text: str, places: OriginPlaces) -> None:
    m = _TASK.match(text)
    if m:
        places.task = m.span(1)
        return
    m = _MPI.match(text)
    if m:
        places.rank, places.rank_from = m.span(1), RankFrom.TEXT
        return
    m = _SYSLOG.match(text) if " kernel: " in text else None
    if m:
        places.host = m.span(1)
        return
    m = _PDSH.match(text)
    if m and _looks_like_host(m[0][:-2]):
        places.host = (len(_STEPD) if m[0].startswith(_STEPD) else 0, m.end() - 2)


def _looks_like_host(word: str) -> bool:
    """A name with a digit or a dash, or `localhost`: `node007`, `DGX2-1`, but not `NameError` or `train.py`."""
    if word == "localhost":
        return True
    numbered = any(c.isdigit() or c == "-" for c in word)
    return numbered and word.lower() not in _NOT_HOSTS and not _LAST_WORD.search(word) and not word.endswith(".py")


def read_origin(text: str, hit: int = 0) -> Origin:
    """Read the prefixes of the record at `hit` in a line whose terminal codes are already gone."""
    return find_origin(text, hit).read(text)


def find_origin(text: str, hit: int = 0) -> OriginPlaces:
    """Where the prefixes of the record at `hit` stand. No digit is told from another here, so that one answer serves
    all lines that differ in digits alone."""
    places = OriginPlaces()
    limit = max(hit, 0) + 12
    head = text[: max(limit, 400)]
    _find_outer(head, places)
    said = _last(_RANK, head, limit) if "[rank" in head else None
    if said:
        places.rank, places.rank_from = said.span(1), RankFrom.PREFIX
    for tee in _TEE.finditer(head, 0, limit) if "]:" in head else ():
        places.local_rank = tee.span(2)
        if tee[1] not in ("default", "trainer", "worker"):
            places.host = places.host or tee.span(1)
    nccl = _NCCL.search(text) if " NCCL " in text else None
    # An NCCL line cut short by another rank's record says nothing about that record.
    if nccl and not (said and said.start() > nccl.start()):
        places.host, places.pid = nccl.span(1), nccl.span(2)
    elif "pid=" in head and (ray := _RAY.search(head)):
        places.pid, places.host = ray.span(3), ray.span(4) if ray[4] else places.host
        if ray[2]:
            places.rank, places.rank_from = ray.span(2), RankFrom.PREFIX
    if places.rank is None and ": rank" in head and (composer := _COMPOSER.search(head)):
        places.rank, places.rank_from = composer.span(1), RankFrom.PREFIX
    return places
