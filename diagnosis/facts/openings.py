"""Runs appended to one file: after an end, what stood at the file's start stands there again.

What ends a run depends on who writes into the file: of one process a traceback ends it, of a launcher's processes only
the launcher's own word, and after an ending on purpose a program's next phase may say some of the same.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice

import numpy as np
import numpy.typing as npt

from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Mark, Role, Trait
from logtui.parsers.prefix.stamp import find_stamp
from logtui.parsers.registry import registry
from logtui.parsers.source import OF_PROGRAMS, LogFile

HEAD, OPENING = 60, 8
"""Lines at the start of a file that are read; telling ones among them that are kept."""
MOST_CHILDREN = 64
"""Words of the children of a program that are read."""
HEAD_OF_MANY = 8 * HEAD
"""The same lines of several processes: what is said later too is nobody's opening."""
AGAIN = 3
"""So many of them, each said only at the start before, must come again."""
LINES = 4
"""Lines that are compared one by one."""
REACH = 150
"""Lines after an end in which they must come."""
SHORTEST = 16
"""Characters of a line that tells anything."""
MOST_FILES, MOST_LOOKED_AT, MOST_BYTES = 8, 64, 8 << 20
"""Files that are read, ends of one that are looked at, and how large it is: runs are appended to the log of a
script, not of a large job."""
DATED_WITHIN, AT_ONCE_S, MADE_UP_YEAR = 16, 60.0, 2000
"""Lines of an opening of which one tells the time; processes of one start open no further apart; for stamps without a
year, where only what lies between them matters."""
_TRACEBACK = re.compile(r'^\s*(?:Traceback \(most|File ")|^\s*[~^]+\s*$|^\w*(?:\.\w+)*(?:Error|Exception|Warning)\b')
NOHUP = "nohup: ignoring input"
"""Said once for all that is appended to its file by hand."""
STARTERS = "torchrun|accelerate|deepspeed|mpirun|srun|bash|sh"
"""What starts a run, beside Python of some release."""
COMMAND = rf"\W{{0,4}}(?:\S{{0,80}}/)?(?:python|{STARTERS})[#.]{{0,6}} (?:-\S{{1,20}} ){{0,4}}[\w./#-]{{3,60}}(?= |$)"
"""A command whose digits are masked, up to the script that it runs: another run may be given other arguments."""
_COMMAND = re.compile(COMMAND)
_LABELS = re.compile(r"^(?:\[[a-z]+\d+\]: ?|\d+: )+")
_DIGITS = re.compile(r"\d+")

_RAISED = ("py.traceback", "py.fatal", "py.aborted", "cpp.what")
"""What a process's own end looks like, also where its interpreter crashed, or C++ threw."""

Rows = npt.NDArray[np.intp]


class Writers(Enum):
    """Who writes into a file."""

    ONE = "one process after the other"
    OF_A_NODE = "the processes of one launcher"
    OF_A_DRIVER = "one process after the other, and what those that it started print through it"
    OF_NODES = "processes of several nodes, each with a start of its own"


def writers(case: Case, file: int) -> Writers:
    """Who writes into a file, by the labels of its lines and the launchers that speak in it."""
    mine = case.records.rows[case.records.rows_of_file(file)]
    patterns = [case.records.patterns[p] for p in np.unique(mine["pattern"]).tolist()]
    areas = {p.area for p in patterns if not p.bulk}  # a library's banner is no launcher's word
    joining = areas & registry().areas_with(Trait.JOINS_NODES)
    if joining and joining <= registry().areas_with(Trait.DRIVEN):
        return Writers.OF_A_DRIVER
    several = {by: len(np.unique(mine[by][mine[by] >= 0])) > 1 for by in ("rank", "local_rank", "task", "host")}
    if several["task"] or several["host"] or joining:
        return Writers.OF_NODES
    one_output = not areas.isdisjoint(registry().areas_with(Trait.ONE_OUTPUT))
    return Writers.OF_A_NODE if one_output or several["rank"] or several["local_rank"] else Writers.ONE


@dataclass(frozen=True, slots=True)
class Ends:
    """Rows that end a run, if nothing else of it follows."""

    raised: Rows
    stopped: Rows
    """As a launcher, a scheduler or the program's own reader of arguments sees it."""
    meant: Rows
    """On purpose."""

    @classmethod
    def of(cls, case: Case) -> Ends:
        meant = [p.name for p in case.records.patterns if p.role is Role.END]
        records = case.records
        stopped = records.rows_marked(Mark.ENDS, Mark.SHELL_SAW_END, Mark.SIGNALLED)
        raised = np.union1d(records.indices(*_RAISED), records.rows_marked(Mark.UNCAUGHT)).astype(np.intp)
        return cls(raised, stopped, records.indices(*meant))

    @property
    def all(self) -> Rows:
        """All of them, ascending."""
        return np.sort(np.concatenate((self.raised, self.stopped, self.meant)))

    def lines(self, case: Case, file: int) -> dict[int, bool]:
        """Numbers of the lines of a file that end a run there, ascending, and whether they do so on purpose."""
        who = writers(case, file)
        if who is Writers.OF_NODES:
            return {}  # their starts are no new runs
        whole = case.records.rows_of_file(file)
        failed = self.stopped if who is Writers.OF_A_NODE else np.concatenate((self.raised, self.stopped))
        found: dict[int, bool] = {}
        for rows, meant in ((self.meant, True), (failed, False)):
            mine = rows[(rows >= whole.start) & (rows < whole.stop)]
            found |= dict.fromkeys(case.records.rows["line"][mine].tolist(), meant)
        return dict(sorted(found.items()))


def later_starts(case: Case, ends: Ends) -> dict[int, list[int]]:
    """By file, the first lines of runs that begin like the file's first one after an end; reads each file once."""
    return {file.index: [*_later_starts(case, file.index, ends)] for file in _small(case, ends)}


def begun_again(case: Case, starts: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """Rows of the first records of such runs, ascending, and the bytes at which the first lines stand that come
    again."""
    return dict(sorted(found for file, lines in starts.items() for found in _openings_of(case, file, lines)))


def unknown_opening(case: Case, starts: Mapping[int, Sequence[int]]) -> tuple[int, int] | None:
    """File and byte of such a run of which no line is known; where the job writes to no other file, which would hold
    its complaints, one that begins as the file does, line by line."""
    several = sum(file.kind in OF_PROGRAMS and file.size > 0 for file in case.files) > 1
    for file, lines in starts.items():
        whole, start = case.records.rows_of_file(file), max(lines, default=0)
        begin = case.reader(file).offset_of(start)
        unknown = begin is not None and start > case.records.rows["line"][whole.stop - 1]
        if begin is not None and unknown and (several or _line_by_line(case, file, start)):
            return file, begin
    return None


def _line_by_line(case: Case, file: int, start: int) -> bool:
    """Whether the lines from one on are those of a file's beginning, digits aside."""
    first = case.first_line(file)
    head, again = (
        [_alike(text.strip()) for text in case.bodies(file, n, many)]
        for n, many in ((first, 2 * LINES), (start, LINES))
    )
    at = head.index(again[0]) if again and again[0] in head else len(head)
    alike = start > first + at and head[at : at + LINES] == again
    begun, later = (_clock(case.bodies(file, n, DATED_WITHIN)) for n in (first + at, start))
    return alike and (begun is None or later is None or later - begun > AT_ONCE_S)


def _small(case: Case, ends: Ends) -> list[LogFile]:
    """Files in which runs end and that are small enough to be read again; none where they are many."""
    files = np.unique(case.records.rows["file"][ends.all])
    return [case.files[i] for i in files.tolist() if can_be_read(case.files[i])] if len(files) <= MOST_FILES else []


def can_be_read(file: LogFile) -> bool:
    """Whether a program writes into a file, and it is small enough to be read again."""
    return file.kind in OF_PROGRAMS and file.size <= MOST_BYTES


def _openings_of(case: Case, file: int, starts: Iterable[int]) -> Iterator[tuple[int, int]]:
    """First records of later runs in a file, and where the lines begin that show it."""
    whole = case.records.rows_of_file(file)
    lines = case.records.rows["line"][whole]
    for start in starts:
        at = int(np.searchsorted(lines, start))
        begin = case.reader(file).offset_of(start)
        if at < len(lines) and begin is not None:
            yield whole.start + at, begin


def last_start(case: Case, file: LogFile) -> int:
    """The first line of the last run of a file that begins like its first one, also where nothing behind it is of a
    known form; 0 where there is none."""
    return max(_later_starts(case, file.index, Ends.of(case)), default=0) if can_be_read(file) else 0


def of_children(case: Case, file: int) -> bool:
    """Whether several processes that one program started end in a file, each with its own name."""
    ended = (r.first_line.strip() for r in islice(case.records.of("py.child_process"), MOST_CHILDREN) if r.file == file)
    return len({*ended}) > 1


def _later_starts(case: Case, file: int, ends: Ends) -> Iterator[int]:
    """First lines of later runs in a file."""
    here = ends.lines(case, file)
    if not here or of_children(case, file):
        return
    whole = case.records.rows_of_file(file)
    first = ends.all[np.searchsorted(ends.all, whole.start)]
    opening = _opening(case, file, int(case.records.rows["line"][int(first)]))
    yield from _starts(case, file, here, opening)


def _starts(case: Case, file: int, ends: dict[int, bool], opening: tuple[str, ...]) -> Iterator[int]:
    """First lines of later runs: not long after an end, what the run before said at its start is said again."""
    if len(opening) < AGAIN or not any(_comes_again(case, file, opening, n) for n in _some([*ends])):
        return
    needed = {True: max(AGAIN, len(opening) - 1), False: AGAIN}
    once = writers(case, file) is not Writers.OF_A_NODE
    said: dict[str, list[int]] = {line: [] for line in opening}
    telling: frozenset[str] = frozenset()
    seen: dict[str, int] = {}
    begin, end, unended = 1, 0, _InOrder(case, file, opening, undated=True)
    first = case.first_line(file)
    for number, text in enumerate(case.bodies(file, first, max(ends) + REACH + 1 - first), start=first):
        if number in ends:
            end, seen = number, {}
            telling = frozenset(line for line, at in said.items() if _only_then(at, begin, once))
        elif (line := _masked(text)) in said and line is not None:
            begin = unended.begins(line, number) or begin
            if line in telling and number <= end + REACH:
                seen.setdefault(line, number)
            if end and len(seen) >= needed[ends[end]]:
                begin = min(seen.values())
                yield begin
                telling, seen, end = frozenset(), {}, 0
            said[line].append(number)


def _some(ends: Sequence[int]) -> Sequence[int]:
    """The first and the last ends of many: one run may leave thousands of tracebacks."""
    return ends if len(ends) <= MOST_LOOKED_AT else (*ends[: MOST_LOOKED_AT // 2], *ends[-MOST_LOOKED_AT // 2 :])


class _InOrder:
    """Where the first lines of an opening come again in order, later by their clock than processes of one start do: a
    run began there, whatever the one before ended of. A process that is killed says nothing."""

    def __init__(self, case: Case, file: int, opening: Sequence[str], *, undated: bool = False) -> None:
        self._case, self._file, self._undated = case, file, undated
        self._first = opening[:AGAIN]
        self._met: list[int] = []
        self._begun: float | None = None
        self._clocks = MOST_LOOKED_AT

    def begins(self, line: str, number: int) -> int:
        """The line where a run begins of which this one is the last that it takes to know; else 0."""
        if line != self._first[len(self._met)]:
            self._met = []
        if line == self._first[len(self._met)]:
            self._met.append(number)
        if len(self._met) < len(self._first):
            return 0
        met, self._met = self._met, []
        return met[0] if self._is_later(met[0]) or self._stands_alone(met) else 0

    def _stands_alone(self, met: Sequence[int]) -> bool:
        """Whether lines come one right after the other, in a file that tells no time: a loop says more between them."""
        return self._undated and self._begun is None and met[-1] - met[0] == len(met) - 1

    def _is_later(self, first: int) -> bool:
        if not self._clocks:
            return False
        self._clocks -= 1
        before, self._begun = self._begun, _clock(self._case.bodies(self._file, first, DATED_WITHIN))
        return before is not None and self._begun is not None and abs(self._begun - before) > AT_ONCE_S


def _clock(lines: Iterable[str]) -> float | None:
    """The first time that some lines tell."""
    stamps = (find_stamp(line, 0, MADE_UP_YEAR) for line in lines)
    return next((stamp.epoch for stamp in stamps if stamp is not None), None)


def _only_then(said: list[int], begin: int, once: bool) -> bool:
    """Whether a line was said at the start of the run that began there, and not later in it."""
    mine = said[bisect_left(said, begin) :]
    return bool(mine) and (len(mine) == 1 if once else mine[-1] < begin + HEAD_OF_MANY)


def _comes_again(case: Case, file: int, opening: tuple[str, ...], end: int) -> bool:
    """Whether enough of the opening stands after an end at all: what came before it need not be read otherwise."""
    after = {_masked(text) for text in case.bodies(file, end + 1, REACH)}
    return len(after & set(opening)) >= AGAIN


def _opening(case: Case, file: int, end: int) -> tuple[str, ...]:
    """Telling lines at the start of a file, before its first end, digits aside; of one process those said once."""
    start = case.first_line(file)
    head = case.head(file, min(HEAD, end - start))
    telling = [(n, m) for n, text in enumerate(head, start=start) if (m := _masked(text)) is not None]
    first = [m for _, m in telling]
    if len(set(first[:AGAIN])) == AGAIN:
        told = _InOrder(case, file, first)
        second = next((begin for n, m in telling if (begin := told.begins(m, n))), start + HEAD)
        first = [m for n, m in telling if n < second]
    counts = Counter(first)
    many = writers(case, file) is Writers.OF_A_NODE
    return tuple([m for m in dict.fromkeys(first) if many or counts[m] == 1][:OPENING])


def _masked(text: str) -> str | None:
    text = _LABELS.sub("", text).strip()
    if len(text) < SHORTEST or text == NOHUP or _TRACEBACK.match(text):
        return None
    return _alike(text)


def _alike(text: str) -> str:
    """What a line of one run shares with that of another."""
    masked = _DIGITS.sub("#", text)[:400]
    command = _COMMAND.match(masked)
    return command[0] if command else masked
