"""What the shell that started a program prints of its end: a signal's words, alone on one of the last lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.predicates.file_ends import calm_end, concluded
from logtui.diagnosis.predicates.trouble import speaks_of_trouble
from logtui.parsers.pattern import Mark, Role
from logtui.parsers.prefix.hostlist import expand
from logtui.parsers.prefix.origin import split
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex
from logtui.parsers.source import FileKind

MOST_FILES = 16
TAIL = 4
LONGEST = 400
_BAR = re.compile(r"\d/\d{1,9} \[")
_TOLD = r": line \d{1,6}: {1,4}\d{1,9} (?P<word>Terminated|Hangup) {1,40}"
_OF_SCRIPT = re.compile(
    _TOLD + r"(?=\S)(?:.{0,200}\s)?"
    r"(?:\S{0,100}/)?(?:python[\d.]{0,5}|torchrun|accelerate|deepspeed|horovodrun|mpirun|mpiexec|srun)\s"
)
"""How the shell of a script tells it of the command that trained, which it waited for."""
_OF_ANY = re.compile(
    _TOLD + r"(?!(?:\S{0,100}/)?"
    r"(?:sleep|tail|cat|tee|watch|top|nvidia-smi|ssh|kill|timeout|wait|read|\S{0,40}server)\b)\S(?![^\n]{0,2000}&\s*$)"
)
"""The same of any command that is no helper of the script's, where it is the last thing that was said."""
_STAMP = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,\d]{0,10}: ?")
"""What a program printed before a line that it did not come to."""
SIGNALS = {
    "Killed": "SIGKILL", "Terminated": "SIGTERM", "Hangup": "SIGHUP", "User defined signal 1": "SIGUSR1",
    "User defined signal 2": "SIGUSR2", "Segmentation fault": "SIGSEGV", "Bus error": "SIGBUS",
    "Illegal instruction": "SIGILL", "Floating point exception": "SIGFPE",
}  # fmt: skip
"""What a shell prints of a child's end, and the signal it means."""


def shell_words(facts: Facts) -> Iterator[tuple[int, int, str, str]]:
    """(file, line, word, text) of each such line at the end of a worker's file; none where there are many files."""
    files = [f for f in facts.case.files if f.kind is FileKind.WORKER]
    for file in files if len(files) <= MOST_FILES else ():
        count = facts.case.line_count(file.index)
        first = max(1, count - TAIL + 1)
        for at, text in enumerate(facts.case.bodies(file.index, first, TAIL), start=first):
            if (word := _word(text, last=at == count)) in SIGNALS:
                yield file.index, at, word, text.strip()[-LONGEST:]


STARTS, BEHIND, STEPS_BEHIND = 50, 20, 100
"""The weight of a command without which no job starts, scripts do without others; lines behind one that was not run,
and behind a step that ended badly."""


PREPARED_BEHIND = 200
"""Lines behind what a script could not prepare that show that it did without."""
_PREPARES = regex(r"^(?:\S{0,80}/)?(?:mkdir|ln|chmod|chown|touch|install): ")


NOT_LOADED = "linker.not_loaded"
"""How the dynamic linker tells that a process did not begin."""


def did_without(facts: Facts, record: Record) -> bool:
    """Whether a script went on after one of its commands, which starts no job, could not be run, or long after one that
    only prepares a place."""
    command = Mark.COMMAND in record.pattern.marks and record.pattern.weight < STARTS
    behind = facts.case.line_count(record.file) - record.line
    prepared = _PREPARES.match(record.first_line) is not None and behind > PREPARED_BEHIND
    if record.name == NOT_LOADED and any(_ended_later(e, record) for e in facts.exceptions_of(record.file)):
        return True
    return facts.exits.failed is None and (prepared or (command and behind > BEHIND))


def _ended_later(fact: ExceptionFact, record: Record) -> bool:
    """Whether what a program raised stands below a line, which told of another process then."""
    return (
        fact.record.line > record.line and fact.traceback.complete and fact.row.role is Role.CAUSE and not fact.ignored
    )


def went_past(facts: Facts, record: Record) -> bool:
    """Whether a script went on for long after one of its steps had ended badly, with all its tasks, and nobody
    complains at its end: what others say after one of them has died is no other step's."""
    if facts.is_past:
        return False
    if Mark.SHELL_SAW_END in record.pattern.marks:
        return _next_item(facts, record)
    if Mark.TASK_EXIT not in record.pattern.marks:
        return False
    far = facts.case.line_count(record.file) - record.line > STEPS_BEHIND
    if not far or (concluded(facts, record.file) or calm_end(facts, record.file)) is None:
        return False
    return len(expand(f"[{record.fields.get('tasks', '0')}]")) >= len(facts.seen_ranks)


ABOVE, MOST_BEHIND = 8, 10_000
"""Lines above the shell's word in which its program said what it says of the next item too; of more below it nobody
knows, for they are not read."""
_BY_SCRIPT = regex(r": line \d{1,6}: {1,4}\d{1,9} \w")
_DIGITS = regex(r"\d+")


def _next_item(facts: Facts, record: Record) -> bool:
    """Whether a script's loop went on behind a program that died of a signal: what that had said is said again, and
    nobody complains below the last that died so."""
    if facts.lived or _BY_SCRIPT.search(record.first_line) is None or len(facts.seen_ranks) > 1:
        return False
    last = max(r.line for r in facts.case.records.marked(Mark.SHELL_SAW_END) if r.file == record.file)
    behind = facts.case.line_count(record.file) - last
    if not BEHIND < behind <= MOST_BEHIND:
        return False
    below = facts.case.bodies(record.file, last + 1, behind)
    if any(map(speaks_of_trouble, below)):
        return False
    above = facts.case.bodies(record.file, max(1, record.line - ABOVE), min(ABOVE, record.line - 1))
    said = {_DIGITS.sub("#", text.strip()) for text in below}
    return any(_DIGITS.sub("#", text.strip()) in said for text in above if any(c.isalpha() for c in text))


def _word(text: str, *, last: bool) -> str:
    """What a line says behind its labels, or behind a progress bar, which leaves its line open; the last line of a file
    may tell of any command."""
    said = _STAMP.sub("", split(text).body.strip()).removesuffix(" (core dumped)")
    if ended := _OF_SCRIPT.search(text[:LONGEST]) or (last and _OF_ANY.search(text[:LONGEST])):
        return ended["word"]
    if said in SIGNALS or not _BAR.search(said[-LONGEST:]):
        return said
    return next((word for word in SIGNALS if said.endswith(word)), "")
