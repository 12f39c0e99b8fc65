"""Whether a word of completion is the script's that ran a program, which had died right above it.

`python train.py; echo "Training complete"` says so whatever became of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.events import Event, is_scheduler
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.facts.outcome import TEARDOWN_LINES
from logtui.diagnosis.predicates.file_ends import NOT_FOUND
from logtui.diagnosis.rules.ranking import SPECIFIC
from logtui.parsers.pattern import FailureClass, Mark
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex

OF_RESOURCES = frozenset(
    {FailureClass.STORAGE_IO, FailureClass.HOST_OOM, FailureClass.GPU_OOM, FailureClass.GPU_HARDWARE}
)
"""Failures that no teardown makes up: what is said of them after training has ended is of saving or evaluating."""
OF_MEMORY = frozenset({FailureClass.HOST_OOM, FailureClass.GPU_OOM})
"""Those of them that end the process which says so."""
COMMANDS, ABOVE = 3, 60
"""So many commands that the shell did not find, in so many lines above an end, are all that a script was made of."""
RIGHT_ABOVE = 5
"""Lines above an end in which a program is refused, stopped or runs out of something, of which it then tells."""
OUTSIDE = frozenset({"airflow.set_from_outside", "nextflow.stopped"})
"""Ends that an engine was told to make, and may make in good order."""
OUTERMOST = frozenset({"<module>", "_run_module_as_main"})
"""Functions at which a traceback begins that nobody caught: the script's own, and `python -m`."""
INTERRUPTS = ("KeyboardInterrupt", "SignalException")
"""Ctrl-C, or a signal to the launcher."""
HYDRA = "Error executing job with overrides"
"""How Hydra tells of what ends its program; it cuts the outer frames off."""
LEVEL = 120
_BELOW = regex(r"\b(?:DEBUG|TRACE|INFO)\b")
"""Levels, and where they stand, at which a program logs what it made up for."""
_PASSED = regex(r"\bWARN(?:ING)?\b")
_FATAL = regex(r"^\W{0,8}(?:FATAL|CRITICAL)\b|^[^\n]{0,60}(?:- |\[|\| ?)(?:FATAL|CRITICAL)\b")


def died_above(facts: Facts, ending: Record, fatal: Iterable[ExceptionFact]) -> str:
    """What the program died of, and the place; "" where nothing says so."""
    return next(_deaths(facts, ending, fatal), "")


def _deaths(facts: Facts, ending: Record, fatal: Iterable[ExceptionFact]) -> Iterator[str]:
    yield from _not_found(facts, ending)
    yield from _uncaught_above(facts, ending, (e for e in fatal if e.record.file == ending.file), TEARDOWN_LINES)
    own = (e for e in facts.exceptions_of(ending.file) if not e.ignored)
    stops = (e for e in own if e.traceback.root.exception.endswith(INTERRUPTS))
    yield from _uncaught_above(facts, ending, stops, RIGHT_ABOVE)
    refused = (r for r in facts.case.records.marked(Mark.REFUSED) if _right_above(facts, r, ending))
    yield from (f"{r.first_line.strip()[:80]} ({facts.case.file_name(r)}:{r.line})" for r in refused)
    outside = (e for e in facts.causes if e.name in OUTSIDE and _near_above(facts, e.record, ending, TEARDOWN_LINES))
    yield from (f"{e.title} ({facts.case.file_name(e.record)}:{e.record.line})" for e in outside)
    stopped = (e for e in facts.causes if _ends(e) and _right_above(facts, e.record, ending))
    yield from (f"{e.title} ({facts.case.file_name(e.record)}:{e.record.line})" for e in stopped)
    loud = (n for n in facts.loud_lines if n.file == ending.file and 0 < ending.line - n.line <= RIGHT_ABOVE)
    yield from (f"{n.text[:80]} ({facts.case.files[n.file].name}:{n.line})" for n in loud if _FATAL.search(n.text))


def _uncaught_above(facts: Facts, ending: Record, raised: Iterable[ExceptionFact], reach: int) -> Iterator[str]:
    """Those of some exceptions that nobody caught so few lines above what the script says last."""
    for fact in raised:
        last = fact.record.line + fact.traceback.last_index
        if 0 < ending.line - last <= reach and _uncaught(facts, fact):
            yield f"{fact.headline[:80]} ({fact.evidence.place})"


CALLED, LAST = "CalledProcessError", 3
"""What a script raises whose program failed; lines of a file of which one ends its traceback."""


def script_died_below(facts: Facts, ending: Record) -> str:
    """What a script ended with, at the end of a file, since a program that it called failed far below the end of
    another; "" where nothing says so."""
    last = facts.case.line_count(ending.file)
    for fact in facts.exceptions_of(ending.file):
        if fact.ignored or not fact.traceback.exception.endswith(CALLED) or not _uncaught(facts, fact):
            continue
        ends = fact.record.line + fact.traceback.last_index
        if ends > last - LAST and fact.record.line > ending.line + TEARDOWN_LINES:
            return f"{fact.headline[:80]} ({fact.evidence.place})"
    return ""


def _not_found(facts: Facts, ending: Record) -> Iterator[str]:
    """The commands of a script that were not there, where nothing trained."""
    missing = missing_above(facts, ending.file, ending.line, ABOVE)
    if len(missing) >= COMMANDS and not facts.lived:
        line, text = missing[0]
        yield f"{text[-80:]} ({facts.case.file_name(ending)}:{line})"


def missing_above(facts: Facts, file: int, line: int, reach: int) -> list[tuple[int, str]]:
    """The lines among so many above one in which a shell does not find a command, and what they say."""
    first = max(1, line - reach)
    above = facts.case.bodies(file, first, line - first)
    return [(n, text.strip()) for n, text in enumerate(above, first) if text.rstrip().endswith(NOT_FOUND)]


def _uncaught(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether nobody caught it: its stack is the program's own from the first frame on, or Hydra tells of it."""
    frames = fact.traceback.frames
    own = bool(frames) and frames[0].function in OUTERMOST
    return own or any(HYDRA in text for text in facts.case.preceding(fact.record, 1))


def _right_above(facts: Facts, record: Record, ending: Record) -> bool:
    return _near_above(facts, record, ending, RIGHT_ABOVE)


def _near_above(facts: Facts, record: Record, ending: Record, reach: int) -> bool:
    near = record.file == ending.file and 0 < ending.line - record.line <= reach
    return near and not facts.recovered(record)


def _ends(event: Event) -> bool:
    """Whether a line tells of an end from outside, or of something that ran out, and not in passing."""
    graves = event.cls in OF_MEMORY and event.weight >= SPECIFIC
    passing = logged_below_error(event.record) or _PASSED.search(event.record.first_line[:LEVEL]) is not None
    return is_scheduler(event) or (graves and not passing)


def logged_below_error(record: Record) -> bool:
    """Whether a line is logged at a level below that of warnings."""
    return _BELOW.search(record.first_line[:LEVEL]) is not None
