"""Whether the job ended on purpose, where that stands, and whether something failed all the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from logtui.diagnosis.facts.events import Event, is_scheduler
from logtui.diagnosis.facts.steps import StepSeries
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Mark, Role
from logtui.parsers.records.record import Record

NEAR_THE_END_BYTES = 10_000
NEAR_THE_END_SHARE = 0.1
_OF_SIGNALS = frozenset({Mark.TOLD_TO_STOP, Mark.SIGNALLED})
TEARDOWN_LINES = 20
"""More than these between an ending and the scheduler's word that it ended the job were work."""

GRAVE, BUFFERED_LINES = 60, 120
"""Weight of a cause, and lines of steps below it that may have been made before: a stream has a buffer of some KiB."""
REPORTED_LINES = 400
"""Those that tracebacks of several processes may take, above the word of the script that ran them."""
SHORTLY = 40
"""Lines between an unsure ending and what speaks against it."""
ALL_ALONG = 8
"""Words of an end that come so often are none of the job's."""
TEARDOWN_S = 900.0
"""A job that takes longer to end than this hangs."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The last line that says the job completed."""

    completed: Record | None = None
    sure: bool = True
    """The line is not one that failing programs print as well, nor one of some program before."""

    def before(self, file: int, line: int, time: float | None) -> bool:
        """Whether the ending stands before some other line: by position in one file, by time between files."""
        if self.completed is None:
            return False
        if self.completed.file == file:
            return self.completed.line < line
        return time is not None and self.completed.time is not None and self.completed.time < time


def read_outcome(case: Case, events: Sequence[Event], steps: Sequence[StepSeries]) -> Outcome:
    """Completion as the job itself states it, or the last planned step reached.

    An ending that training went on after is an earlier attempt's, or one run's of several in a row; so is one that the
    scheduler did not wait for.
    """
    ending = next(_lasting_ends(case, events, steps), None)
    if ending is not None:
        marks = ending.pattern.marks
        sure = Mark.UNSURE_END not in marks and (Mark.ANY_END not in marks or _ends(case, ending))
        sure &= Mark.SCRIPT_END not in marks or not _complained_before(ending, events, REPORTED_LINES)
        sure &= not _said_all_along(case, ending)
        return Outcome(ending, sure)
    last = _last_planned_step(case, steps)
    return Outcome(last, last is None or not _complained_before(last, events))


def _lasting_ends(case: Case, events: Sequence[Event], steps: Sequence[StepSeries]) -> Iterator[Record]:
    """The endings behind which nothing trained, was stopped or was begun as the next item, the last one first."""
    stops = [e.record for e in events if (e.role is Role.CAUSE and is_scheduler(e)) or _is_stop(e.record)]
    items = 0
    for ending in (e.record for e in reversed(events) if e.role is Role.END):
        if _trained_after(ending, steps) or _stopped_after(ending, stops) or _refuted(case, ending, events):
            continue
        if not _next_begun(case, ending):
            yield ending
        elif (items := items + 1) >= MOST_ITEMS:
            return


OF_TRACKER = re.compile(r"(?:^|/)debug(?:-\w{1,20}){0,2}(?:\.\w{1,40})?\.log$")
"""wandb's own logs, beside its copy of what the program printed: a process of its own told it of the exit code."""
LAST_LINES, ECHO = 2, "py.echo"
"""Lines below an exception that ends a file; what Python says of Ctrl-C, amid others' lines."""


def _refuted(case: Case, ending: Record, events: Sequence[Event]) -> bool:
    """Whether a tracker says that its process ended well where another file ends with an exception, or Ctrl-C ended it
    right then."""
    if OF_TRACKER.search(case.files[ending.file].name) is None:
        return False
    raised = (e.record for e in events if e.name == "py.exception")
    own = (r for r in raised if OF_TRACKER.search(case.files[r.file].name) is None)
    pressed = (e.record for e in events if e.name == ECHO and e.record.first_line.startswith("KeyboardInterrupt"))
    if any(OF_TRACKER.search(case.files[r.file].name) for r in pressed):
        return True
    return any(case.line_count(r.file) - r.line <= LAST_LINES for r in own)


def _said_all_along(case: Case, ending: Record) -> bool:
    """Whether the same was said again and again over half of its file: of each round, epoch or item."""
    rows = case.records.rows[case.records.rows_of_file(ending.file)]
    lines = rows["line"][rows["pattern"] == case.records.rows["pattern"][ending.row]]
    return len(lines) >= ALL_ALONG and int(lines[0]) < ending.line / 2


def _is_stop(record: Record) -> bool:
    """Whether a line tells that the program, or a child of it, was told to end."""
    return not _OF_SIGNALS.isdisjoint(record.pattern.marks)


def _complained_before(last: Record, events: Sequence[Event], within: int = BUFFERED_LINES) -> bool:
    """Whether a grave cause stands shortly above the last step or an end. What a program writes of its end may be read
    before the steps that still waited in the buffer of another stream."""
    above = (
        last.line - e.record.line
        for e in events
        if e.role is Role.CAUSE and e.weight >= GRAVE and e.record.file == last.file
    )
    return any(0 < lines <= within for lines in above)


def _trained_after(ending: Record, steps: Sequence[StepSeries]) -> bool:
    return any(int((s.lines > ending.line).sum()) >= 2 for s in steps if s.file == ending.file)


_NUMBERED = re.compile(r"(?<![\w.])([A-Za-z]{3,20})([ _#-]{0,2})(\d{1,5})(?![\w%]|[.:,/]\d)")
NEXT_LINES, MOST_ITEMS = 2000, 16
"""Lines behind the end of one item in which the next one begins; items of which that is asked."""


def _next_begun(case: Case, ending: Record) -> bool:
    """Whether a line says that one of several numbered items is done, behind which the next one was begun:
    `CASE 2 done` above `CASE 3`."""
    items = [(m[1], m[2], int(m[3])) for m in _NUMBERED.finditer(ending.first_line)]
    if not items:
        return False
    following = [re.compile(rf"(?<![\w.]){word}{sep}{number + 1}(?!\w|[.,]\d)") for word, sep, number in items]
    below = case.bodies(ending.file, ending.line + 1, NEXT_LINES)
    return any(one.search(text[:LONGEST]) for text in below for one in following)


def _stopped_after(ending: Record, stops: Sequence[Record]) -> bool:
    """Whether the scheduler stopped what still ran: much was said since, or its time ran out much later."""
    return any((s.file == ending.file and s.line - ending.line > TEARDOWN_LINES) or _held_on(ending, s) for s in stops)


def _held_on(ending: Record, stop: Record) -> bool:
    """Whether a job that had said its last word did not end, but ran into its time limit."""
    if Mark.TIME_LIMIT not in stop.pattern.marks or ending.time is None or stop.time is None:
        return False
    return stop.time - ending.time > TEARDOWN_S


def _ends(case: Case, record: Record) -> bool:
    """Whether little stands after a line in its file; of a packed one that is not known, and taken to be so."""
    size = case.files[record.file].size
    return size - record.offset <= max(NEAR_THE_END_BYTES, size * NEAR_THE_END_SHARE)


def _last_planned_step(case: Case, steps: Sequence[StepSeries]) -> Record | None:
    """The last step line of the longest series, where it reads `2000/2000` and no other bar is on its way below it."""
    for series in steps[:3]:
        record, step = case.records[int(series.rows[-1])], int(series.steps[-1])
        text = case.bodies(record.file, record.line, 1)
        planned = re.search(rf"(?<!\d){step} ?/ ?(\d{{1,18}})(?!\d)", text[0]) if text else None
        reached = planned and step >= int(planned[1]) > 1 and not _HEADING.fullmatch(text[0])
        if planned and reached and not _within(case, record, planned[1]):
            return record
    return None


_HEADING = re.compile(r"\W{0,40}epoch\W{0,4}\d{1,9} ?/ ?\d{1,9}\W{0,40}", re.IGNORECASE)
"""It stands above an epoch that begins."""
BELOW, LONGEST = 200, 4000
"""Lines below a full bar, and characters of each from its end, in which the one that it stands in goes on."""
_BAR = re.compile(r"(?<![\d/])([1-9]\d{0,11})/(\d{1,12}) \[")


def _within(case: Case, record: Record, planned: str) -> bool:
    """Whether a bar of another total goes on below a full one, an evaluation's within a training's."""
    first, *rest = case.bodies(record.file, record.line, BELOW + 1)
    below = "\n".join(text[-LONGEST:] for text in (first.rpartition(f"{planned}/{planned}")[2], *rest))
    last = {total: int(done) for done, total in _BAR.findall(below) if total != planned}
    return any(done < int(total) for total, done in last.items())
