"""Commands of Kaldi's `run.pl`, `queue.pl` and `slurm.pl`, which keep the output of each in a file of its own.

The file begins with the command. Many commands do a part of the data each, which they name by its folder (`split4/3`);
those of a training are numbered by its iterations (`acc.12.3.log`: iteration 12, part 3; `update.12.log`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from logtui.parsers.files.case import Case
from logtui.parsers.files.ends import head
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex

STARTED, COMPLETED, FAILED, STOPPED = "kaldi.started", "kaldi.completed", "kaldi.failed", "kaldi.error"
HEAD_BYTES, MOST = 8 << 10, 4096
"""Bytes in which a command stands; files that are looked at."""
_PART = regex(rb"/split\d{1,5}\w{0,12}/(\d{1,5})/")
_ITERATION = regex(r"^(?:[a-z_]{1,40}\.(?P<of>\d{1,5})\.\d{1,5}|update\.(?P<alone>\d{1,5}))\.log$")
_DIAGNOSTIC = regex(rb"^#[^\n]{0,4000}\bsteps/diagnostic/")
"""What looks at the result of a stage, which does without it: `|| true` stands behind it in the scripts."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command and its file."""

    file: int
    folder: str
    part: int | None
    """Which part of the data it does, from 1 on."""
    iteration: int | None
    diagnostic: bool
    completed: bool


def commands(case: Case) -> Iterator[Command]:
    """The commands of a case; none where no file begins as theirs do."""
    begun = {record.file for record in case.records.of(STARTED)}
    ended = {record.file for record in case.records.of(COMPLETED)} if begun else set()
    for index in sorted(begun)[:MOST]:
        first = head(case.files[index], HEAD_BYTES)
        name = PurePosixPath(case.files[index].name)
        part, numbers = _PART.search(first), _ITERATION.match(name.name)
        yield Command(
            index,
            str(name.parent),
            int(part[1]) if part else None,
            int(numbers["of"] or numbers["alone"]) if numbers else None,
            _DIAGNOSTIC.match(first) is not None,
            index in ended,
        )


def parts_done(case: Case) -> frozenset[int]:
    """Which parts of the data the commands do."""
    return frozenset(c.part for c in commands(case) if c.part is not None)


def iterations_done(case: Case) -> int | None:
    """The last iteration that a command completed, of the training that was started last."""
    last: dict[str, int] = defaultdict(int)
    for command in commands(case):
        if command.iteration is not None and command.completed:
            last[command.folder] = max(last[command.folder], command.iteration)
    if len(last) < 2:
        return next(iter(last.values()), None)
    latest: dict[str, float] = defaultdict(float)
    for record in case.records.of(STARTED):
        folder = str(PurePosixPath(case.files[record.file].name).parent)
        latest[folder] = max(latest[folder], record.time or 0.0)
    return last[max(last, key=lambda folder: latest[folder])]


def is_survived(case: Case, failed: Record) -> bool:
    """Whether the stages of a recipe went on behind a command that failed: it only looked at a result, or another one
    was started later, and completed."""
    if failed.name != FAILED:
        return False
    if any(c.file == failed.file and c.diagnostic for c in commands(case)):
        return True
    completed = {record.file for record in case.records.of(COMPLETED)}
    later = (r for r in case.records.of(STARTED) if failed.time is not None and (r.time or 0.0) > failed.time)
    return any(record.file in completed for record in later)


def stopped_command(case: Case) -> Record | None:
    """The first error of a command that stopped at it: its file has no word of how it ended, be it good or bad."""
    ended = {record.file for record in case.records.of(COMPLETED, FAILED)}
    return next((record for record in case.records.of(STOPPED) if record.file not in ended), None)
