"""A job that still runs, looked at again and again: what changed since the last look, one sentence a change.

Nothing is read while nothing was written. The logs' own clock is used: the newest stamp, and the time since the newest
write, so that zones and skew between the cluster and the watcher do not matter.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import LOW, Report
from logtui.diagnosis.options import Options
from logtui.diagnosis.predicates.odd_last_words import last_words_of
from logtui.diagnosis.predicates.overdue import MOST, Alarm, alarms
from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.files.discover import changes_since

FAILED, COMPLETED, CALM = "failed", "completed", "calm"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is otherwise than at the last look."""

    kind: str
    """An alarm's kind; `failed`, `completed`, or `calm` where an alarm is over."""
    what: str
    ranks: tuple[int, ...] = ()
    evidence: Evidence | None = None
    cls: str = ""
    """The failure class, where the job failed."""

    @property
    def is_alarm(self) -> bool:
        """Whether somebody should look at it."""
        return self.kind not in (COMPLETED, CALM)


class Watch:
    """Looks at the logs below some paths, as often as it is asked."""

    def __init__(
        self, paths: Sequence[Path], options: Options | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        """`clock` gives seconds since the epoch, as files' modification times do."""
        self._paths, self._clock = list(paths), clock
        self._options = replace(options or Options(), early=False, no_cache=True)
        self._facts: Facts | None = None
        self._report: Report | None = None
        self._known: dict[str, Alarm] = {}
        self._ended = ""

    @property
    def ended(self) -> bool:
        """Whether the job has failed or completed: nothing more is expected."""
        return bool(self._ended)

    def look(self) -> list[Change]:
        """Read what was written since, if anything, and say what changed.

        Raises:
            SourceError: if a path is missing or nothing there can be read.
        """
        if self._facts is None or changes_since(self._paths, self._facts.case):
            self._read()
        return [*self._end(), *self._late()]

    def _read(self) -> None:
        before = self._facts
        found = analyse_whole(self._paths, self._options)
        self._facts, self._report = found.facts or Facts(found.case), found.report
        if before is not None:
            before.case.close()

    def _end(self) -> Iterator[Change]:
        report = self._report
        assert report is not None, "looked at before"
        verdict = report.verdict
        sure = verdict.confidence != LOW
        kind = ""
        if verdict.cls == "healthy" and self._facts is not None and self._facts.last.outcome.completed is not None:
            kind = COMPLETED
        elif verdict.cls not in ("healthy", "unknown", "slow-training") and sure:
            kind = FAILED
        if kind and kind != self._ended:
            self._ended = kind
            yield Change(kind, verdict.title, verdict.culprit_ranks, verdict.first_evidence, verdict.cls)

    def _late(self) -> Iterator[Change]:
        assert self._facts is not None, "looked at before"
        facts = self._facts.last
        now = None if self._ended else logs_clock(facts, self._clock())
        found = {a.kind: a for a in alarms(facts, now)} if now is not None else {}
        for kind, alarm in found.items():
            if kind not in self._known or self._known[kind].ranks != alarm.ranks:
                yield Change(kind, alarm.what, alarm.ranks, alarm.evidence)
        for kind, alarm in self._known.items():
            if kind not in found and not self._ended:
                yield Change(CALM, f"over: {alarm.what}", alarm.ranks)
        self._known = found


def logs_clock(facts: Facts, wall: float) -> float | None:
    """What time it is by the logs' stamps; None where no line that is known has one."""
    written = max((f.mtime for f in facts.case.files), default=wall)
    steps = [float(s.times[-1]) for s in facts.steps if s.dated]
    said = [w.cited.time for w in last_words_of(facts, set(facts.seen_ranks[:MOST])).values()]
    started = [t for t in (facts.job.ended, facts.job.started) if t is not None]
    newest = max((*steps, *(t for t in said if t is not None), *started), default=None)
    return None if newest is None else newest + max(0.0, wall - written)
