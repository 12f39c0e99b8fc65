"""Whether a job is well: one decision over its signs of life, from which the rules about healthy jobs draw.

`AGAINST` says of each sign what speaks against it. An ending on purpose outranks them all, but for what `fatality`
says. The weakest sign is the end of a file: step formats are declared for known trainers; a script's own lines are told
by what they do, one sentence again and again whose numbers change, or a progress bar that fills.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.ran_again import ran_again
from logtui.diagnosis.facts.run_pl import is_survived
from logtui.diagnosis.predicates.fatality import of_older_run, why_survived
from logtui.diagnosis.predicates.file_ends import last_words, lines_of, long_past
from logtui.diagnosis.predicates.formed import awaits_others, formed_after, got_its_port
from logtui.diagnosis.predicates.handled import handled, within_handled
from logtui.diagnosis.predicates.items import items_go_on
from logtui.diagnosis.predicates.last_line import errors_at_the_end
from logtui.diagnosis.predicates.left_out import left_out
from logtui.diagnosis.predicates.outlived import outlived
from logtui.diagnosis.predicates.shell_words import did_without, shell_words, went_past
from logtui.diagnosis.predicates.trouble import speaks_of_trouble
from logtui.diagnosis.predicates.went_on import was_begun_again
from logtui.diagnosis.predicates.worked_on import worked_on
from logtui.parsers.pattern import Mark, Role
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex
from logtui.parsers.source import OF_PROGRAMS

_FORCED = regex(
    r"(?i)non-?zero (?:exit|return|status)[^\d\n]{0,24}(?!0\b)\d"
    r"|\bexit(?:ed)? (?:with )?(?:code|status)[ :=]{1,3}(?!0\b)\d"
    r"|\bwatchdog timeout\b|\b(?:spot|preempti\w+|maintenance|eviction) (?:interruption|notice|event|capacity)\b"
    r"|\binterrupted due to\b|\bnode shutdown\b"
)
_ENDED = regex(
    r"^\W{0,3}\[?\d{0,8}\]? ?signal \(\d{1,2}\)|\bout of memory\b|\bOutOfMemory|\b(?:abandoning|aborting)\b"
    r"|\bforce terminated\b|\blost (?:executor|worker|node|connection)\b"
    r"|\b(?:job|run|task|stage|script|program|training|execution) (?:failed|timeout|timed out|died|crashed)\b",
    re.I,
)
"""What ends a program, in words that training itself does not use."""
MOST_ENDS = 16
"""Files of which the last words are read."""


class Sign(Enum):
    """What shows that a job lives, or ended well."""

    STEPS = "steps advance to the end of what was read"
    LEFT = "PyTorch saw its processes off at their exit"
    SILENCE = "nobody complains, of anything"
    PROGRESS = "the last lines are progress, in the program's own words or by its bar"


def stands(facts: Facts, sign: Sign) -> bool:
    """Whether nothing speaks against a sign of life."""
    return not any(speaks(facts) for speaks in AGAINST[sign])


def hung(facts: Facts) -> bool:
    """Whether ranks timed out in a collective."""
    return bool(facts.collectives.stuck_groups)


def process_failed(facts: Facts) -> bool:
    """Whether a launcher says that a process failed."""
    return facts.exits.failed is not None


def process_ended(facts: Facts) -> bool:
    """Whether a launcher says that one ended at all."""
    return bool(facts.exits.processes)


def raised(facts: Facts) -> bool:
    """Whether an exception was raised and not caught, and work did not go on for long behind it."""
    own = (e for e in facts.exceptions if not e.ignored and not was_begun_again(facts, e))
    left = (e for e in own if not handled(facts, e))
    past = (outlived, of_older_run, ran_again)
    return any(not any(p(facts, e.record) for p in past) for e in left)


def raised_for_good(facts: Facts) -> bool:
    """Whether an exception was raised, and nothing at all shows that its program outlived it."""
    own = (e for e in facts.exceptions if not e.ignored and not was_begun_again(facts, e))
    return any(not why_survived(facts, e) for e in own)


def shell_told(facts: Facts) -> bool:
    """Whether the shell's word about a signal stands at the end."""
    return next(shell_words(facts), None) is not None


def ends_in_traceback(facts: Facts) -> bool:
    """Whether a file ends inside a traceback, before the line that names its exception."""
    cut = (e for e in facts.exceptions if not e.traceback.complete and not facts.recovered(e.record, e.until))
    return any(_at_the_end(facts, e.record.file, e.record.line + e.traceback.last_index) for e in cut)


def _at_the_end(facts: Facts, file: int, line: int) -> bool:
    return not any(text.strip() for text in facts.case.bodies(file, line + 1, 3))


def ends_in_error(facts: Facts) -> bool:
    """Whether a file ends with an error in plain words."""
    return bool(errors_at_the_end(facts))


def ends_by_force(facts: Facts) -> bool:
    """Whether the last words of a file tell of an end by force, or of a program that ended with a status."""
    files = [f.index for f in facts.case.files if f.kind in OF_PROGRAMS][:MOST_ENDS]
    return any(_FORCED.search(text) for file in files for _, text in last_words(facts, file))


def ends_in_trouble(facts: Facts) -> bool:
    """Whether the last words behind the last step of a file complain, outside tracebacks: nobody says it goes on."""
    last = {s.file: int(s.lines.max()) for s in facts.lived}
    return any(_complains_behind(facts, file, last[file]) for file in [*last][:MOST_ENDS])


def _complains_behind(facts: Facts, file: int, step: int) -> bool:
    raised = {n for e in facts.exceptions_of(file) for n in lines_of(e)}
    said = (text for n, text in last_words(facts, file) if n > step and n not in raised)
    return any(speaks_of_trouble(text) or _ENDED.search(text) for text in said)


def cause_stated(facts: Facts) -> bool:
    """Whether a line outside caught exceptions states a cause."""
    caught = [e for e in facts.exceptions if e.ignored]
    stated = (c.record for c in facts.causes if not facts.is_of_older_run(c.record))
    mine = (record for record in stated if not (left_out(facts, record) or items_go_on(facts, record)))
    return any(not any(e.covers(record) for e in caught) for record in mine)


def lasting_echo(facts: Facts) -> bool:
    """Whether an echo of a failure stands after the last steps."""
    harmless = {Mark.ORDERLY} | ({Mark.AFTER_EXIT} if saw_off(facts) is not None else set())
    caught = [e for e in facts.exceptions if e.ignored]
    loud = (e for e in facts.events if e.role is Role.SYMPTOM and harmless.isdisjoint(e.record.pattern.marks))
    lasting = (e.record for e in loud if not facts.recovered(e.record) and not is_survived(facts.case, e.record))
    return any(not any(c.covers(record) for c in caught) for record in lasting)


def any_trouble(facts: Facts) -> bool:
    """Whether any line states a cause or an echo of a failure, lasting or not."""
    may_be = (e for e in facts.events if e.role in (Role.CAUSE, Role.SYMPTOM))
    loud = (e for e in may_be if Mark.ORDERLY not in e.record.pattern.marks)
    past = (long_past, outlived, within_handled, _went_on_without, _met_after, worked_on, left_out)
    mine = (e.record for e in loud if not facts.quoted(e.record) and not facts.is_of_older_run(e.record))
    return any(not any(p(facts, record) for p in past) for record in mine)


def _went_on_without(facts: Facts, record: Record) -> bool:
    """Whether a script went on after one of its commands had failed, and something worked."""
    past = went_past(facts, record) or did_without(facts, record) or is_survived(facts.case, record)
    return past or (Mark.COMMAND in record.pattern.marks and facts.recovered(record))


def _met_after(facts: Facts, record: Record) -> bool:
    """Whether what kept the processes from each other was over later."""
    formed = awaits_others(record) and bool(formed_after(facts, record))
    return formed or got_its_port(facts, record)


def partly_read(facts: Facts) -> bool:
    """Whether not everything was read, or it is an earlier attempt: the ends of files are the last one's."""
    return facts.case.share_read < 1.0 or facts.is_past


def saw_off(facts: Facts) -> Record | None:
    """The first line that PyTorch prints where a process leaves of its own accord."""
    return next(iter(facts.case.records.of("pg.not_destroyed")), None)


_QUIET = (hung, process_failed, partly_read, raised, any_trouble, shell_told, ends_in_error)
"""What speaks against a sign that is in nobody's declared words."""
AGAINST: dict[Sign, tuple[Callable[[Facts], bool], ...]] = {
    Sign.STEPS: (
        hung,
        process_failed,
        lasting_echo,
        ends_in_traceback,
        shell_told,
        ends_in_error,
        ends_by_force,
        ends_in_trouble,
    ),
    Sign.LEFT: (hung, process_failed, lasting_echo, raised, cause_stated, process_ended),
    Sign.SILENCE: (
        *(speaks for speaks in _QUIET if speaks is not raised),
        raised_for_good,
        ends_in_traceback,
        ends_by_force,
    ),
    Sign.PROGRESS: _QUIET,
}
