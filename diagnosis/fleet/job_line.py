"""One job in one line: from its logs, from a case file, or from a report that was saved."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from logtui.diagnosis.options import Options
from logtui.diagnosis.ranges import ranges
from logtui.diagnosis.report.codec import NotThatShape, made
from logtui.diagnosis.report.json_report import as_dict
from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.clean import clean
from logtui.parsers.errors import LogtuiError

UNREAD = "unread"
REPORT_BYTES = 256 << 20
SHOWN_HOSTS = 3


@dataclass(frozen=True, slots=True)
class Proof:
    """The earliest line that shows the cause."""

    file: str
    line: int
    text: str
    time: str | None = None


@dataclass(frozen=True, slots=True)
class JobLine:
    """What a job came to."""

    job: str
    """Its path as given."""
    cls: str
    title: str
    confidence: str = ""
    id: str | None = None
    culprit_ranks: tuple[int, ...] = ()
    culprit_hosts: tuple[str, ...] = ()
    proof: Proof | None = None
    started: str | None = None
    ended: str | None = None
    world_size: int | None = None

    @property
    def culprit(self) -> str:
        """Who is to blame, in a few words."""
        hosts = ", ".join(self.culprit_hosts[:SHOWN_HOSTS]) + (", …" if len(self.culprit_hosts) > SHOWN_HOSTS else "")
        ranks = f"rank {ranges(self.culprit_ranks, 3)}" if self.culprit_ranks else ""
        return " on ".join(part for part in (ranks, hosts) if part) or "–"

    @property
    def place(self) -> str:
        """`file:line` of the proof."""
        return f"{self.proof.file}:{self.proof.line}" if self.proof else "–"

    @property
    def when(self) -> str:
        """The day of the failure, as far as is known."""
        dated = (self.proof.time if self.proof else None, self.ended, self.started)
        return next((time[:10] for time in dated if time), "")


def job_lines(paths: Iterable[Path], options: Options) -> Iterator[JobLine]:
    """A line for each path, in their order, as soon as it is read; one that cannot be read says why."""
    for path in paths:
        try:
            yield _of(path, _saved(path) or _read(path, options))
        except (LogtuiError, OSError, NotThatShape) as error:
            yield JobLine(str(path), UNREAD, clean(str(error).encode("utf-8", "replace")))


def _read(path: Path, options: Options) -> dict[str, Any]:
    analysis = analyse_whole([path], options)
    analysis.case.close()
    return as_dict(analysis.report)


def _saved(path: Path) -> dict[str, Any] | None:
    """A report that `--json` wrote; None for anything else, such as a log."""
    if path.suffix != ".json" or not path.is_file() or path.stat().st_size > REPORT_BYTES:
        return None
    try:
        found = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and {"schema", "logtui", "verdict", "job"} <= found.keys() else None


def _of(path: Path, report: dict[str, Any]) -> JobLine:
    """Raises NotThatShape where a saved report is not what it seems."""
    verdict, job = made(dict[str, Any], report["verdict"]), made(dict[str, Any], report["job"])
    line = {name: verdict.get(name) for name in ("title", "confidence", "culprit_ranks", "culprit_hosts")}
    line |= {name: job.get(name) for name in ("id", "started", "ended", "world_size")}
    return made(JobLine, line | {"job": str(path), "cls": verdict.get("class"), "proof": verdict.get("first_evidence")})
