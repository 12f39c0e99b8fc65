"""Processes that follow each other in one file, told by their ends alone.

An exception that nobody caught, a command line that was refused, a Ctrl-C: their process does not go on. Where the same
program ends so once more further down, it had been started again, though no line of its set-up says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import PurePath

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.openings import Writers, of_children, writers
from logtui.diagnosis.facts.pauses import LOADED_S
from logtui.diagnosis.facts.stamped import parted
from logtui.diagnosis.facts.survived import logged_as_one
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Mark, Role
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex
from logtui.parsers.structure.families import PROGRAM, place
from logtui.parsers.tracebacks.traceback import Traceback, assemble

MOST_FILES, MOST_ENDS = 8, 64
"""Files that are looked at, and ends of each, the last ones."""
WINDOW = 400
"""Lines of a traceback that are read."""
FAR = 4000
"""Lines behind an end among which a bar is looked for: a model may be printed before it."""
APART = 3
"""Different lines, at least, that a program prints before it ends: ends that stand closer may be of one start."""
STEPS = 2
"""Lines of steps that show that a process lives."""
FILLINGS, LONGEST = 3, 4000
"""States of a bar that show the same; characters of a line that are looked at, from its end."""
ALIKE = 2
"""Lines that are said again as they were said first."""
OPENING, FIRST, SOME, MUCH, NESTED = 20, 4, 40, 100, 4
"""Lines at the beginning of a file; those behind an end among which one of them stands again; all that follow, where
that is so and where nothing else tells;
tracebacks that one quotes, and lines alike on both sides of an end."""
LEAST_AGAIN = 10
"""Lines behind a refusal, at least, by which a program that was started again is known."""
HEAD, LONGEST_HEAD = 40, 100
"""Characters by which lines begin alike, with their numbers masked; those that are masked."""
TRACEBACK = "py.traceback"
_BAR = regex(r"(?<![\d/])(\d{1,9}/\d{1,9}) \[\d|\[ {0,5}(\d{1,9}/ {0,5}\d{1,9})\]")
_DIGITS = regex(r"\d+")
_UNWRITTEN = regex(r"\[Errno (?:5|28|122)\]")
_RUNS = frozenset({"std/runpy"})
_BY_HAND = "KeyboardInterrupt"
_LAUNCHERS = frozenset({"torchrun", "accelerate", "deepspeed", "launch.py", "run.py"})
_HYDRA = "Set the environment variable HYDRA_FULL_ERROR"
_OF_CHILDREN = ("ChildFailedError", "CalledProcessError", "ProcessRaisedException", "ProcessExitedException")

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Fall:
    """How a process surely ended."""

    first: int
    last: int
    """Lines of the file, both included."""
    program: str
    """The name of the script that ran; "" where it is not told."""
    refused: bool = False
    """It did not take its command line."""
    by_hand: bool = False
    """Somebody pressed Ctrl-C."""
    never_ran: bool = False
    """Python did not find its script: what ran later is another process, whatever its name."""
    raised: str = ""
    """The type of the exception that ended it."""


def relaunched(case: Case) -> Rows:
    """Rows of the first records of processes that were started after another one had ended, ascending."""
    ends = np.union1d(case.records.indices(TRACEBACK), case.records.rows_marked(Mark.REFUSED, Mark.SHELL_SAW_END))
    files = np.unique(case.records.rows["file"][ends]).tolist()
    if len(files) > MOST_FILES:
        return np.array([], np.intp)
    told = (_of_file(case, f, ends) if _by_one(case, f) else _behind_hand(case, f, ends) for f in files)
    return np.array(sorted({*(row for rows in told for row in rows), *_behind_refused_launcher(case)}), np.intp)


def _behind_refused_launcher(case: Case) -> Iterator[int]:
    """Rows with which a launcher starts processes behind its own word that it did not take its command line."""
    launches = case.records.rows_marked(Mark.LAUNCHES)
    files = case.records.rows["file"]
    for record in case.records.marked(Mark.REFUSED):
        behind = launches[launches > record.row][:1] if record.fields.get("program") in _LAUNCHERS else ()
        yield from (int(row) for row in behind if files[row] == record.file)


def _behind_hand(case: Case, file: int, ends: Rows) -> Iterator[int]:
    """The first row behind a Ctrl-C, and behind the tracebacks of all processes that it ended, where much is said
    there: who pressed it started the program again, whoever wrote before."""
    whole = case.records.rows_of_file(file)
    mine = ends[(ends >= whole.start) & (ends < whole.stop)][-MOST_ENDS:].tolist()
    falls = [fall for row in mine if (fall := fall_of(case, case.records[row])) is not None]
    if not falls or not any(fall.by_hand for fall in falls[-2:]):
        return
    last = max(falls[-1].last, *(_last_of(case, case.records[row]) for row in mine[-NESTED:]))
    spoken = sum(any(c.isalpha() for c in text) for text in case.bodies(file, last + 1, 2 * MUCH))
    row = whole.start + int(np.searchsorted(case.records.rows["line"][whole], last, side="right"))
    if row < whole.stop and (spoken >= MUCH or _bar_fills(case, file, last + 1)):
        yield row


_OF_TEARDOWN = regex(
    r"(?i)traceback|exception|error|interrupt|^wandb|terminat|killed|leaked|resource_tracker|\bexit|^\s|^\^C|warning"
)
LEAST = 5
"""Lines with words that another program says, at least."""


def unknown_behind_hand(case: Case) -> tuple[int, int] | None:
    """File and byte of a program that somebody started behind a Ctrl-C, and of which no line is known."""
    ends = case.records.indices(TRACEBACK)
    files = np.unique(case.records.rows["file"][ends]).tolist()
    found = (_unknown_behind_hand(case, f, ends) for f in files if len(files) <= MOST_FILES)
    return next((one for one in found if one is not None), None)


def _unknown_behind_hand(case: Case, file: int, ends: Rows) -> tuple[int, int] | None:
    whole = case.records.rows_of_file(file)
    newest = int(ends[(ends >= whole.start) & (ends < whole.stop)][-1])
    fall = fall_of(case, case.records[newest])
    if fall is None or not fall.by_hand or _last_telling(case, whole) > fall.last:
        return None
    spoken = [text for text in case.bodies(file, fall.last + 1, MUCH) if any(c.isalpha() for c in text)]
    begin = case.reader(file).offset_of(fall.last + 1)
    other = len(spoken) >= LEAST and not any(_OF_TEARDOWN.search(text) for text in spoken)
    return (file, begin) if (other or _as_at_first(case, file, spoken)) and begin is not None else None


def _as_at_first(case: Case, file: int, spoken: Sequence[str]) -> bool:
    """Whether some lines are the first ones of their file, word for word."""
    head = [text for text in case.head(file, OPENING) if any(c.isalpha() for c in text)][: len(spoken)]
    return len(spoken) >= ALIKE and spoken[:ALIKE] == head[:ALIKE]


def _last_telling(case: Case, whole: slice) -> int:
    """The last line of a file that is known, and no noise."""
    rows = case.records.rows[whole]
    noise = np.array([p.role is Role.NOISE for p in case.records.patterns], np.bool_)
    told = rows["line"][~noise[rows["pattern"]]]
    return int(told[-1]) if len(told) else 0


def _last_of(case: Case, record: Record) -> int:
    """The last line of a traceback that begins at a record."""
    raised = assemble(case.following(record, WINDOW))
    return record.line + (raised.last_index if raised is not None else 0)


def _by_one(case: Case, file: int) -> bool:
    """Whether one process after the other writes into a file, as far as its lines tell."""
    whole = case.records.rows_of_file(file)
    patterns = [case.records.patterns[i] for i in np.unique(case.records.rows["pattern"][whole]).tolist()]
    if any(p.area.startswith("nccl") for p in patterns) or of_children(case, file):
        return False
    if writers(case, file) is not Writers.ONE and not _by_sole_tasks(case, file):
        return False
    sized = case.records.of(*(p.name for p in patterns if "world_size" in p.fields))
    return all((r.number("world_size") or 1) < 2 for r in islice((r for r in sized if r.file == file), MOST_ENDS))


def _by_sole_tasks(case: Case, file: int) -> bool:
    """Whether a launcher of tasks speaks in a file of one task alone: each of its steps is one process."""
    rows = case.records.rows[case.records.rows_of_file(file)]
    labels = any(len(np.unique(rows[by][rows[by] >= 0])) > 1 for by in ("rank", "local_rank", "task", "host"))
    exits = [r.fields.get("tasks") for r in case.records.marked(Mark.TASK_EXIT) if r.file == file]
    return not labels and bool(exits) and set(exits) == {"0"}


def _of_file(case: Case, file: int, ends: Rows) -> Iterator[int]:
    whole = case.records.rows_of_file(file)
    mine = ends[(ends >= whole.start) & (ends < whole.stop)][-MOST_ENDS:]
    falls = [fall for row in mine.tolist() if (fall := fall_of(case, case.records[row])) is not None]
    lines = case.records.rows["line"][whole]
    told = {r.line for r in case.records.marked(Mark.TASK_EXIT) if r.file == file}
    after_all = (fall.last + (fall.last + 1 in told) for fall in falls)  # its launcher's word is of the same process
    behind = (whole.start + int(np.searchsorted(lines, last, side="right")) for last in after_all)
    yield from _refused_after_another(case, whole, falls)
    for (before, after), row in zip(pairwise([*falls, None]), behind, strict=True):
        if before is None or row >= whole.stop:
            continue
        if after is not None:
            again = _started_between(case, file, before, after)
        else:
            again = _lives_on(case, row, whole.stop) or _bar_fills(case, file, before.last + 1)
        if again:
            yield row


def _refused_after_another(case: Case, whole: slice, falls: Sequence[Fall]) -> Iterator[int]:
    """Rows of refusals that stand behind an ending on purpose: of a process that is started then, and does nothing.

    Of a script that went on after a failure the first one is the cause.
    """
    meant = np.array([p.role is Role.END for p in case.records.patterns], np.bool_)
    rows = case.records.rows[whole]
    ended = rows["line"][meant[rows["pattern"]]]
    raised = next((fall.first for fall in falls if not fall.refused), case.line_count(int(rows["file"][0])) + 1)
    for fall in falls:
        if fall.refused and len(ended) and int(ended[0]) < fall.first < raised:
            yield whole.start + int(np.searchsorted(rows["line"], fall.first))


def another_ran(case: Case, record: Record) -> bool:
    """Whether the process that surely ended at a record, or around it, is not all that its file tells of.

    Behind one that was refused stands much more than launchers say of such an end, or what stood above it, as behind a
    command that a script goes on after; behind one that raised, a process that begins as the file does, or goes on as
    if nothing had been.
    An attempt begins at a record: of one that leaves none only this is known.
    """
    more = case.line_count(record.file) - record.line
    if Mark.REFUSED in record.pattern.marks:
        return (more >= WINDOW or _works_as_before(case, record)) and _by_one(case, record.file)
    if Mark.COMMAND in record.pattern.marks:
        return more >= MUCH or _bar_fills(case, record.file, record.line + 1) or _ran_out_of_time(case, record)
    if not record.pattern.name.startswith("py.") or not _by_one(case, record.file):
        return False
    fall = _fall_around(case, record)
    if fall is None or _left_nothing(case, record.file, fall):
        return False
    if _opens_as_before(case, record.file, fall):
        return True
    if more - _noise_behind(case, record) < SOME:
        return False
    return _begins_again(case, record.file, fall) or _goes_on(case, record.file, fall)


def _works_as_before(case: Case, record: Record) -> bool:
    """Whether behind a command line that was refused most lines begin as some before it: the program was started
    again and took the next one. Where that was refused as well, nothing is told."""
    again = (r for r in case.records.marked(Mark.REFUSED) if r.file == record.file and r.line > record.line)
    if next(again, None) is not None:
        return False
    first = max(case.first_line(record.file), record.line - WINDOW)
    before = {*_heads(case.bodies(record.file, first, record.line - first))}
    behind = _heads(case.bodies(record.file, record.line + 1, WINDOW))
    return len(behind) >= LEAST_AGAIN and sum(head in before for head in behind) > len(behind) / 2


def _left_nothing(case: Case, file: int, fall: Fall) -> bool:
    """Whether a process could not write, and the next one of the script that raised did not find its file."""
    said = case.bodies(file, max(1, fall.last - 1), 2)
    if not any(_UNWRITTEN.search(text) for text in said):
        return False
    later = (r for r in case.records.of("py.exception") if r.file == file and r.line > fall.last)
    return next((r.first_line.startswith("FileNotFoundError") for r in later), False)


def _noise_behind(case: Case, record: Record) -> int:
    """How many lines behind a record are declared noise."""
    noise = np.array([p.role is Role.NOISE for p in case.records.patterns], np.bool_)
    mine = case.records.rows[case.records.rows_of_file(record.file)]
    return int((noise[mine["pattern"]] & (mine["line"] > record.line)).sum())


def _ran_out_of_time(case: Case, record: Record) -> bool:
    """Whether the scheduler's time limit ended what a script went on with."""
    limits = case.records.marked(Mark.TIME_LIMIT)
    return any(limit.file == record.file and limit.line > record.line for limit in limits)


def _fall_around(case: Case, record: Record) -> Fall | None:
    """The end of a process in whose traceback, or in what it quotes, a record stands."""
    rows = case.records.rows
    above = case.records.indices(TRACEBACK)
    mine = above[(rows["file"][above] == record.file) & (rows["line"][above] <= record.line)]
    for row in mine[rows["line"][mine] > record.line - WINDOW][-NESTED:].tolist():
        fall = fall_of(case, case.records[row])
        if fall is not None and record.line <= fall.last:
            return fall
    return None


def _begins_again(case: Case, file: int, fall: Fall) -> bool:
    """Whether right behind the end of a process its file begins again, and goes on for long; where nothing stands
    before it, anything does."""
    before = [text for text in case.head(file, min(OPENING, fall.first - case.first_line(file))) if text.strip()]
    opening = {_head(text) for text in before if not text.startswith((" ", "Traceback "))}
    if case.line_count(file) - fall.last < (SOME if before else MUCH):
        return False
    behind = (text for text in case.bodies(file, fall.last + 1, OPENING) if text.strip())
    return not before or any(_head(text) in opening for text in islice(behind, FIRST))


def _opens_as_before(case: Case, file: int, fall: Fall) -> bool:
    """Whether the first lines behind the end of a process begin as the first ones of its file do, and much follows,
    however few lines it is in: bars rewrite theirs."""
    begin = case.reader(file).offset_of(fall.last + 1)
    if begin is None or case.files[file].size - begin < SOME * LONGEST_HEAD:
        return False
    first = _heads(case.head(file, min(OPENING, fall.first - case.first_line(file))))[:ALIKE]
    behind = _heads(case.bodies(file, fall.last + 1, OPENING))
    return len(first) == ALIKE and len({*first}) == ALIKE and first == behind[:ALIKE] and len(behind) > ALIKE


def _goes_on(case: Case, file: int, fall: Fall) -> bool:
    """Whether what stood right before the end of a process goes on right behind it, and for long: another one writes
    into the same file, and this one had begun beside it."""
    if case.line_count(file) - fall.last < MUCH:
        return False
    first = max(case.first_line(file), fall.first - NESTED)
    before = _heads(case.bodies(file, first, fall.first - first))
    behind = _heads(case.bodies(file, fall.last + 1, NESTED))
    return len(before) == len(behind) == NESTED and len({*before, *behind}) == 1


def _heads(lines: Sequence[str]) -> list[str]:
    """How each of some lines begins, but for empty ones."""
    return [_head(text) for text in lines if text.strip()]


def _head(text: str) -> str:
    """How a line begins, whatever its numbers are."""
    return _DIGITS.sub("0", text[:LONGEST_HEAD])[:HEAD]


def fall_of(case: Case, record: Record) -> Fall | None:
    """The end that a record tells of; None where its process may have gone on."""
    if Mark.REFUSED in record.pattern.marks:
        script = record.fields.get("path", "")
        program = PurePath(record.fields.get("program", script)).name
        return Fall(record.line, record.line, program, refused=True, never_ran=bool(script))
    if Mark.SHELL_SAW_END in record.pattern.marks:
        return Fall(record.line, record.line, _script_in(record.fields.get("command", "")))
    lines = case.following(record, WINDOW)
    raised = assemble(lines)
    if raised is None or _survived(case, record) or not (_uncaught(raised) or told_by_hydra(lines, raised)):
        return None
    if logged_as_one(lines, raised):
        return None
    by_hand = raised.exception.endswith(_BY_HAND)
    last = record.line + raised.last_index
    return Fall(record.line, last, _program(raised), by_hand=by_hand, raised=raised.root.exception)


def _script_in(command: str) -> str:
    """The script of Python that a command runs."""
    return PurePath(next((word for word in command.split() if word.endswith(".py")), "")).name


def _uncaught(raised: Traceback) -> bool:
    """Whether it went through the main script's own level, so that nothing was left that could go on."""
    if not raised.frames or not raised.complete or raised.exception.endswith(_OF_CHILDREN):
        return False
    outermost = raised.frames[0]
    return place(outermost.file) in _RUNS or (outermost.function == "<module>" and _own(outermost.file))


def _own(file: str) -> bool:
    """Whether a frame's file is the program's: `python evaluate.py` names no folder, and is no library of that name."""
    return place(file) == PROGRAM or "/" not in file


def told_by_hydra(lines: Sequence[str], raised: Traceback) -> bool:
    """Whether Hydra printed a traceback that begins some lines: it shows the program's own frames alone, and ends."""
    return any(_HYDRA in line for line in lines[raised.last_index + 1 : raised.last_index + 4])


def _survived(case: Case, record: Record) -> bool:
    above = "".join(case.preceding(record, 1))
    if "Exception ignored" in above or "Exception in thread" in above or "Logging error" in above:
        return True
    return "exception was never retrieved" in "".join(case.preceding(record, 2))


def _program(raised: Traceback) -> str:
    """The script of the outermost frame that is the program's own."""
    own = (f.file for f in raised.frames if _own(f.file))
    return PurePath(next(own, "")).name


def _started_between(case: Case, file: int, before: Fall, after: Fall) -> bool:
    """Whether the later end is that of another start: of the same program, or one that a hand ended too.

    A script that runs one program after the other goes on after a failure, and the first failure is its cause.
    """
    if after.first <= before.last:
        return False
    if before.never_ran and not after.never_ran:
        return True
    if before.refused and (after.by_hand or (after.refused and after.program == before.program)):
        return True
    same = bool(before.program) and before.program == after.program and not _at_once(case, file, before, after)
    if not (same or before.by_hand):
        return False
    return _apart(case, file, before.last + 1, after.first) or _said_at_first(case, file, before, after)


def _said_at_first(case: Case, file: int, before: Fall, after: Fall) -> bool:
    """Whether all that stands between two ends is what their file begins with, or what stands above the first of them
    as well: one start after the other."""
    many = min(after.first - before.last - 1, OPENING)
    between = case.bodies(file, before.last + 1, many)
    spoken = [text for text in between if any(c.isalpha() for c in text)]
    above = case.bodies(file, max(case.first_line(file), before.first - many), many)
    again = _as_at_first(case, file, spoken) or [*between] == [*above]
    return len({*spoken}) == len(spoken) >= ALIKE and again


def _at_once(case: Case, file: int, before: Fall, after: Fall) -> bool:
    """Whether two ends stand within a time in which no program is loaded: two processes wrote there."""
    clocks = [_clock_above(case, file, fall.first) for fall in (before, after)]
    return clocks[0] is not None and clocks[1] is not None and 0 <= clocks[1] - clocks[0] < LOADED_S


def _clock_above(case: Case, file: int, line: int) -> float | None:
    """The time of the nearest line above one that tells it."""
    first = max(case.first_line(file), line - OPENING)
    texts = reversed(case.bodies(file, first, line - first))
    return next((clock for text in texts if (clock := parted(text.encode()[:LONGEST])[1]) is not None), None)


def _lives_on(case: Case, begin: int, end: int) -> bool:
    """Whether anything trains between two rows, and its counter does not just go on from where it was before them."""
    numbered = np.array([p.numeric is not None for p in case.records.patterns], np.bool_)
    steps = np.flatnonzero(numbered[case.records.rows["pattern"]])
    at, until = np.searchsorted(steps, (begin, end))
    if until - at < STEPS:
        return False
    rows, before, after = case.records.rows, int(steps[max(at - 1, 0)]), int(steps[at])
    alike = all(rows[column][before] == rows[column][after] for column in ("file", "pattern"))
    return not (at > 0 and alike and rows["a"][after] > rows["a"][before])


def _bar_fills(case: Case, file: int, begin: int) -> bool:
    """Whether a progress bar fills behind a line."""
    shown = (text for text in case.bodies(file, begin, FAR) if "[" in text)
    states = {bar[1] or bar[2] for text in shown for bar in _BAR.finditer(text[-LONGEST:])}
    return len(states) >= FILLINGS


def _apart(case: Case, file: int, begin: int, end: int) -> bool:
    """Whether a program said several things between two lines: what is said again and again is many processes'."""
    return len({*_heads(case.bodies(file, begin, min(end - begin, WINDOW)))}) >= APART
