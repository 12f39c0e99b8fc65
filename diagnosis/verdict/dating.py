"""Dates for what a report shows: cited lines that no pattern dated, events that have none, links of the chain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.job import is_plausible
from logtui.diagnosis.facts.line_times import LineTime, LineTimes
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import TimelineEvent
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.source import FileKind

ELSEWHERE = frozenset({FileKind.AIS_PROXY, FileKind.AIS_TARGET, FileKind.FLIGHT_RECORDER})
"""Files with a clock of their own, which whoever reads them has put right."""
UNTIMED = frozenset({TimeFrom.NONE.word, TimeFrom.NEIGHBOUR.word})


class Dating:
    """Dates lines of one case, attempts included."""

    def __init__(self, facts: Facts) -> None:
        """`facts` are those of the whole case."""
        self._case = facts.case
        self._times = LineTimes(facts.case, facts.job.ended)
        self._started, self._ended = facts.job.started, facts.job.ended

    def line(self, cited: Evidence) -> Evidence:
        """The line with its own time, or else one that is marked as inherited; as it is where no line of its file has
        one."""
        if cited.time is not None and not cited.inherited:
            return cited
        found = self._of(cited.file, cited.line, cited.time is not None)
        if found is None:
            return cited
        return replace(cited, time=found.epoch, zoned=found.zoned, inherited=found.inherited)

    def lines(self, cited: Iterable[Evidence]) -> tuple[Evidence, ...]:
        """All of them dated."""
        return tuple(map(self.line, cited))

    def event(self, event: TimelineEvent) -> TimelineEvent:
        """The event with the time of its line, where it has none or a neighbour's."""
        if event.time is not None and event.time_from not in UNTIMED:
            return event
        if event.time is not None and self._is_far(event.time):
            event = replace(event, time=None, time_from=TimeFrom.NONE.word)
        found = self._of(event.file, event.line, event.time is not None)
        if found is None or (found.inherited and self._is_far(found.epoch)):
            return event
        return replace(event, time=found.epoch, time_from=found.time_from, zoned=found.zoned)

    def _is_far(self, time: float) -> bool:
        """Whether a neighbour's time is none of the job: a date that a line shows may be one of its data."""
        return not is_plausible(time, self._started, self._ended)

    def _of(self, name: str, line: int, has_neighbours: bool) -> LineTime | None:
        """A line that has a neighbour's time already is only asked for its own."""
        file = self._case.file_named(name)
        if file is None or file.kind in ELSEWHERE:
            return None
        return self._times.own(file.index, line) if has_neighbours else self._times.of(file.index, line)
