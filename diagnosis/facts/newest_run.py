"""The newest of several runs: when it was started, and how far it came.

Runs that were appended to others, or lie beside them in files of their own, are the history of a job; where the last
attempts are restarts within one run, it is that one's beginning which counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from logtui.diagnosis.facts.attempts import Attempt
from logtui.diagnosis.facts.dated_opening import dated_opening
from logtui.diagnosis.facts.final_step import final_step
from logtui.diagnosis.facts.line_times import LineTimes, told_start
from logtui.diagnosis.facts.openings import AT_ONCE_S
from logtui.diagnosis.facts.stamped import LONGEST, OF_LIBRARY, parted
from logtui.diagnosis.facts.steps import StepSeries
from logtui.diagnosis.model.report import JobFacts
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Role

FAR = 32
"""Stretches of lines in which a run may tell no time: it prints its model first."""
PREAMBLE, NEAR, LOADED_WITHIN_S = 64, 8, 120.0
"""Lines before a program's first one that libraries may have written; those behind it of which one tells the time;
seconds that loading them takes at most."""
_OF_WARNING = re.compile(rb"$|To enable the following instructions|warnings\.warn\(")
"""What stands behind such lines."""


class NewestRun:
    """The newest run of a whole case that was split into attempts."""

    def __init__(self, case: Case, attempts: Sequence[Attempt]) -> None:
        self._case, self._last = case, attempts[-1]
        self._begins = next((a.begins for a in reversed(attempts) if a.begins), {})
        unknown = attempts[-1].unknown
        others = unknown is not None and unknown[0] not in self._begins and len(attempts) > 1
        self._unknown = None if others else unknown
        """File and byte of a run of which no line is known."""

    @property
    def is_unknown(self) -> bool:
        """Whether no line of it is known."""
        return self._unknown is not None

    def started(self, job: JobFacts) -> float | None:
        """When it was started; None where it is the only one, or tells no time."""
        begun = [time for place in self._begins.items() if (time := self._time(job, *place)) is not None]
        known = min((time for time in begun if time > max(begun) - AT_ONCE_S), default=None)
        later = None if self._unknown is None else self._time(job, *self._unknown)
        return known if later is None or (known is not None and later <= known + AT_ONCE_S) else later

    def _time(self, job: JobFacts, file: int, begin: int) -> float | None:
        """When a run was started that begins at a byte of a file."""
        line = self._case.line_at(file, begin)
        line = min(_with_preamble(self._case, file, line), dated_opening(self._case, file, line))
        said = LineTimes(self._case, job.ended).first_from(file, line, FAR)
        return None if said is None else told_start(self._case, file, begin, said.epoch + job.ahead_s * said.zoned)

    def last_step(self, case: Case, steps: Sequence[StepSeries]) -> int | None:
        """That of the newest attempt, whose case and steps are given, or of a run behind it that is unknown."""
        if self._unknown is not None:
            file, _ = self._unknown
            return final_step(case, [s for s in steps if s.file != file], dict([self._unknown]))
        first = self._last.first
        wholly = first is None or self._last.begins.get(first.file) == 0
        return final_step(case, steps, {} if first is None or wholly else {first.file: first.offset})


def _with_preamble(case: Case, file: int, line: int) -> int:
    """The first line of what libraries say as they are loaded, right before a program's own first line."""
    first = max(case.first_line(file), line - PREAMBLE, _last_of_before(case, file, line) + 1)
    above = [text.encode() for text in case.bodies(file, first, min(PREAMBLE, line - first))]
    begun = next((clock for clock in _clocks(case, file, line) if clock is not None), None)
    if begun is None:
        return line
    for raw in reversed(above):
        text, clock = parted(raw[:LONGEST])
        near = clock is None or 0 <= begun - clock <= LOADED_WITHIN_S
        if not near or not (OF_LIBRARY.search(text) or (clock is None and _OF_WARNING.match(text))):
            break
        line -= 1
    return line


def _last_of_before(case: Case, file: int, line: int) -> int:
    """The last line above one that states a failure or an end: of the run before, whichever library said it."""
    last = np.array([p.role in (Role.CAUSE, Role.END) for p in case.records.patterns], np.bool_)
    rows = case.records.rows[case.records.rows_of_file(file)]
    told = rows["line"][last[rows["pattern"]] & (rows["line"] < line)]
    return int(told[-1]) if len(told) else 0


def _clocks(case: Case, file: int, line: int) -> Iterator[float | None]:
    """The times of a line and of some behind it."""
    return (parted(text.encode()[:LONGEST])[1] for text in case.bodies(file, line, NEAR))
