"""Whether a preparation or an import that failed ended its program: others go on without it, or the next one begins."""

from __future__ import annotations

import re
from weakref import WeakKeyDictionary

import numpy as np

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.facts.steps import FURTHER
from logtui.diagnosis.predicates.file_ends import concluded, last_progress, last_work, passed_over, tail
from logtui.diagnosis.predicates.formed import MISSING, by_launcher
from logtui.diagnosis.predicates.shell_words import went_past
from logtui.diagnosis.predicates.trouble import speaks_of_trouble
from logtui.parsers.pattern import FailureClass, Mark, Role

EXIT_HANDLERS = 2
"""Lines below an exception in which an exit handler raises another."""
NOTHING_IN = 3
"""Lines behind an exception in which nothing stands where it ends its file."""
_OF_CHILDREN = re.compile(r"ProcessError|ChildFailed|exit(?:ed)? (?:code|status)")
"""What is raised because another process failed."""
_PREPARATION = ("CommandNotFoundError: ", "CondaError: Run 'conda init'")
"""What conda says to a script that did not set it up: a line alone, like that of an exception."""


NO_LIBRARY = "cannot open shared object file"
"""What an import fails of where a library's library is missing: some are tried one after the other."""


def went_on(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether a preparation that failed, or an import, did not end the program: something else was raised later."""
    file, line = fact.record.file, fact.record.line
    later = [e for e in facts.exceptions_of(file) if e.record.line > line and not by_launcher(e)]
    if Mark.UNCAUGHT in fact.record.pattern.marks:  # another program's, that a program of Python's started
        return next_item_ran(facts, fact) or any(
            _OF_CHILDREN.search(e.headline) is None and e.row.role is Role.CAUSE and e.traceback.frames for e in later
        )
    if fact.headline.startswith(_PREPARATION):
        return any(not e.ignored and not e.headline.startswith(MISSING) for e in later)
    if NO_LIBRARY in fact.headline and fact.traceback.root.exception == "OSError":
        return any(
            e.row.role is Role.CAUSE and e.row.cls is not FailureClass.INFRASTRUCTURE
            for e in later
            if e.key != fact.key
        )
    if _next_ran(facts, fact):
        return True
    if not fact.traceback.root.exception.endswith(MISSING):
        return False
    others = (e for e in later if not e.ignored and e.row.role is Role.CAUSE)
    raised = any((fact.rank is None or e.rank == fact.rank) and e.key != fact.key for e in others)
    on = raised or _spoke_after(facts, fact) or _hung_after(facts, fact) or _trained_without(facts, fact)
    same = [fact, *(e for e in later if e.key == fact.key)]
    return on or was_begun_again(facts, fact) or any(_counts_behind(facts, e) for e in same)


SHELL_WITHIN = 8
"""Lines below a native program's last words in which its shell tells of its end."""


def next_item_ran(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether the script whose program said it went on with the next item."""
    ends = (r for r in facts.case.records.marked(Mark.SHELL_SAW_END) if r.file == fact.record.file)
    return any(went_past(facts, end) for end in ends if 0 < end.line - fact.record.line <= SHELL_WITHIN)


_NUMBER = re.compile(r"\d+(?:\.\d+)?")
BUFFER = 8192
"""Bytes that a stream of Python's holds back where it is no terminal: they are written as the program ends, below what
it said of its end."""
BEGUN_BEHIND, COUNTED = 20, 4
"""Lines with words behind an import that failed which are of the next program's work; fewer, if they count."""


def was_begun_again(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether a program that died at an import stands above the work of one that came to a calm end, or any that died
    above the progress of the next: of one process."""
    missing = fact.traceback.root.exception.endswith(MISSING)
    return (missing and len(_calm_behind(facts, fact)) >= BEGUN_BEHIND) or _next_ran(facts, fact)


def _next_ran(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether the next program of a script advances below what ended the one before at its own level: by more than what
    the one before may have left in the buffer of its other stream."""
    behind = _calm_behind(facts, fact)
    if len(behind) < BEGUN_BEHIND or sum(map(len, behind)) <= BUFFER:
        return False
    file = fact.record.file
    done = last_progress(facts, file) or last_work(facts, file) or concluded(facts, file)
    return done is not None and done > fact.record.line + fact.traceback.last_index


def _counts_behind(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether one sentence whose number changes is all that stands below it: of a start that came past its imports."""
    behind = _calm_behind(facts, fact) if fact.traceback.root.exception.endswith(MISSING) else []
    return len({_NUMBER.sub("#", text) for text in behind}) == 1 and len({*behind}) >= COUNTED


def _calm_behind(facts: Facts, fact: ExceptionFact) -> list[str]:
    """The lines with words below what ended a program at its own level; none where one of them complains, or several
    processes write."""
    file, last = fact.record.file, _last_of_death(facts, fact)
    frames = fact.traceback.frames
    alone = len(facts.seen_ranks) <= 1 and facts.exits.failed is None
    if not (fact.traceback.complete and alone and frames and frames[0].function == "<module>"):
        return []
    spoken = _spoken(facts, file)
    if any(line > last for line, _, troubles in reversed(spoken) if troubles):
        return []
    return [text for line, text, _ in spoken if line > last]


_SPOKEN: WeakKeyDictionary[Facts, dict[int, list[tuple[int, str, bool]]]] = WeakKeyDictionary()
"""Of each file, once asked for: each of its exceptions asks."""


def _spoken(facts: Facts, file: int) -> list[tuple[int, str, bool]]:
    """The last lines with words of a file but for those that are passed over, their numbers, and which complain."""
    known = _SPOKEN.setdefault(facts, {})
    if file not in known:
        first, lines = tail(facts, file)
        passed = passed_over(facts, file)
        told = ((n, text.strip()) for n, text in enumerate(lines, first) if n not in passed)
        known[file] = [(n, text, speaks_of_trouble(text)) for n, text in told if any(c.isalpha() for c in text)]
    return known[file]


def _last_of_death(facts: Facts, fact: ExceptionFact) -> int:
    """The last line of an exception and of those that exit handlers raised right below it."""
    last = fact.record.line + fact.traceback.last_index
    for other in facts.exceptions_of(fact.record.file):
        if last < other.record.line <= last + EXIT_HANDLERS:
            last = other.record.line + other.traceback.last_index
    return last


def _trained_without(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether the job trained from then on, or in other files, and no process is known to have failed.

    A module that is imported where it is first needed, behind the training, may end the job; and what nobody caught,
    and ends its file, ended its process, whatever is in the file of another stream.
    """
    file, line, raised = fact.record.file, fact.record.line, fact.traceback
    asked = all(frame.file == "<string>" for frame in raised.frames)  # `python -c`, with which a script looks round
    if raised.frames and not asked and raised.frames[0].function == "<module>" and ends_file(facts, fact):
        return False
    return facts.exits.failed is None and trained_apart(facts, file, line)


def trained_apart(facts: Facts, file: int, line: int) -> bool:
    """Whether steps were made below a line of its file, or in any other file: one of a script's streams tells nothing
    of when the other spoke."""
    steps = (s.steps[s.lines > line] if s.file == file else s.steps for s in facts.lived)
    return any(len(np.unique(one[:4096])) >= FURTHER for one in steps)


def ends_file(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether nothing stands behind an exception in its file."""
    behind = facts.case.bodies(fact.record.file, fact.record.line + fact.traceback.last_index + 1, NOTHING_IN)
    return fact.traceback.complete and not any(text.strip() for text in behind)


def _hung_after(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether a watchdog spoke in the same file later: who waits in a collective has its modules."""
    groups = facts.collectives.groups.values()
    timeouts = (t.record for g in groups for rank, t in g.timeouts.items() if fact.rank in (None, rank))
    return any(r.file == fact.record.file and r.line > fact.record.line for r in timeouts)


def _spoke_after(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether the same writer stated facts of the job after an exception: set-up went on."""
    if fact.record.rank is None and fact.record.task is None and fact.record.local_rank is None:
        return False  # lines without a prefix may be anybody's
    rows = facts.case.records.rows[facts.case.records.rows_of_file(fact.record.file)]
    later = rows["line"] > fact.record.line + fact.traceback.last_index
    mine = later & (rows["rank"] == (-1 if fact.record.rank is None else fact.record.rank))
    mine &= rows["task"] == (-1 if fact.record.task is None else fact.record.task)
    mine &= rows["local_rank"] == (-1 if fact.record.local_rank is None else fact.record.local_rank)
    patterns = facts.case.records.patterns
    return any(patterns[p].role is Role.INFO for p in np.unique(rows["pattern"][mine]).tolist())
