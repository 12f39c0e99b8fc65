"""What is to blame in more than one job: the same host, disk, device or code of an error."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from logtui.diagnosis.fleet.job_line import JobLine

LEAST_JOBS = 2
NOBODY = frozenset(("localhost", "127.0.0.1", "::1"))
"""Every host's name for itself."""


@dataclass(frozen=True, slots=True)
class Recurrence:
    """One culprit of several jobs."""

    kind: str
    name: str
    jobs: tuple[str, ...]
    classes: tuple[str, ...]
    weeks: tuple[str, ...]
    """ISO weeks, `2026-W09`, of those jobs that are dated."""


_HOST = "host"
TRACES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("xid", re.compile(r"\bXid(?: \([^)\n]{0,60}\):|:| error)? ?(\d{1,4})\b")),
    ("gpu", re.compile(r"\bPCI:?((?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}(?:\.\d)?)")),
    ("disk", re.compile(r"(?:/dev/|\bdev(?:ice)? |\bdisk )(sd[a-z]{1,2}|nvme\d{1,3}n\d{1,3}|dm-\d{1,4})\b")),
    ("mount", re.compile(r"(?:^|[\s\"'=(:\[])(/(?:mnt|ais|data|scratch|lustre|gpfs|nfs|fsx)/[\w.-]{1,64})")),
    ("nic", re.compile(r"\b(mlx[45]_\d{1,3}|bnxt_re\d{1,3}|hns_\d{1,3}|efa_\d{1,3}|ib\d{1,3}|hsn\d)\b")),
)
"""What the proving line names beside hosts. A device belongs to its host: `gpu`, `disk` and `nic` are told with it."""
OF_A_HOST = frozenset(("gpu", "disk", "nic"))


def recurring(lines: Iterable[JobLine]) -> list[Recurrence]:
    """Culprits of at least two jobs, those of most jobs first."""
    found: dict[tuple[str, str], list[JobLine]] = defaultdict(list)
    for line in lines:
        for place in dict.fromkeys(_traces(line)):
            found[place].append(line)
    shared = [_recurrence(*place, jobs) for place, jobs in found.items() if len(jobs) >= LEAST_JOBS]
    return sorted(shared, key=lambda r: (-len(r.jobs), r.kind != _HOST, r.kind, r.name))


def _traces(line: JobLine) -> Iterator[tuple[str, str]]:
    hosts = [host for host in line.culprit_hosts if host not in NOBODY]
    yield from ((_HOST, host) for host in hosts)
    text = line.proof.text if line.proof else ""
    for kind, expression in TRACES:
        for name in expression.findall(text):
            if kind not in OF_A_HOST:
                yield kind, name
            yield from ((kind, f"{host} {name}") for host in hosts if kind in OF_A_HOST)


def _recurrence(kind: str, name: str, lines: list[JobLine]) -> Recurrence:
    weeks = sorted({week for line in lines if (week := _week(line.when))})
    classes = tuple(sorted({line.cls for line in lines}))
    return Recurrence(kind, name, tuple(line.job for line in lines), classes, tuple(weeks))


def _week(day: str) -> str:
    try:
        year, week, _ = date.fromisoformat(day).isocalendar()
    except ValueError:
        return ""
    return f"{year}-W{week:02d}"
