"""Commands of Kaldi's `run.pl`, `queue.pl` and `slurm.pl`, which keep the output of each in a file of its own.

The file begins with the command. Many commands do a part of the data each, which they name by its folder (`split4/3`);
those of a training are numbered by its iterations (`acc.12.3.log`: iteration 12, part 3; `update.12.log`).
"""

from __future__ import annotations

from collections.abc import Sequence

from logtui.parsers.files.case import Case
from logtui.parsers.files.ends import head
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex

STARTED, COMPLETED, FAILED, STOPPED = "kaldi.started", "kaldi.completed", "kaldi.failed", "kaldi.error"
HEAD_BYTES, MOST = 8 << 10, 4096
"""Bytes in which a command stands; files that are looked at."""
SEVERAL = 2
"""Folders of trainings, of which one is the newest."""
_PART = regex(rb"/split\d{1,5}\w{0,12}/(\d{1,5})/")
_ITERATION = regex(r"^(?:[a-z_]{1,40}\.(?P<of>\d{1,5})\.\d{1,5}|update\.(?P<alone>\d{1,5}))\.log$")
_NUMBERED = regex(r"^(?P<command>[A-Za-z][\w-]{1,60})\.(?P<part>\d{1,5})\.log$")
"""The file of one of several commands that do a part of the data each: `make_mfcc_train.3.log`."""
_DIAGNOSTIC = regex(rb"^#[^\n]{0,4000}\bsteps/diagnostic/")
"""What looks at the result of a stage, which does without it: `|| true` stands behind it in the scripts."""


def parts_done(case: Case) -> frozenset[int]:
    """Which parts of the data the commands do, from 1 on."""
    files = _files_of(case, STARTED)
    parts = (_PART.search(head(case.files[index], HEAD_BYTES)) for index in files)
    return frozenset(int(part[1]) for part in parts if part is not None) or _parts_named(case, files)


def _parts_named(case: Case, files: Sequence[int]) -> frozenset[int]:
    """The parts by which the files of one command are numbered, from 1 on without a gap."""
    names = [case.files[index].name.rpartition("/")[2] for index in files]
    told = [
        (m["command"], int(m["part"])) for name in names if not _ITERATION.match(name) and (m := _NUMBERED.match(name))
    ]
    parts = sorted(part for _, part in told)
    alike = len({command for command, _ in told}) == 1 and len(told) == len(files)
    return frozenset(parts) if alike and parts == list(range(1, len(parts) + 1)) else frozenset()


def iterations_done(case: Case) -> int | None:
    """The last iteration that a command completed, of the training that was started last."""
    completed = {*_files_of(case, COMPLETED)}
    last: dict[str, int] = {}
    for index in _files_of(case, STARTED):
        folder, _, name = case.files[index].name.rpartition("/")
        if index in completed and (numbers := _ITERATION.match(name)):
            last[folder] = max(last.get(folder, 0), int(numbers["of"] or numbers["alone"]))
    if len(last) < SEVERAL:
        return next(iter(last.values()), None)
    latest = dict.fromkeys(last, 0.0)
    for record in case.records.of(STARTED):
        folder = case.files[record.file].name.rpartition("/")[0]
        if folder in latest:
            latest[folder] = max(latest[folder], record.time or 0.0)
    return last[max(last, key=latest.__getitem__)]


def is_survived(case: Case, failed: Record) -> bool:
    """Whether the stages of a recipe went on behind a command that failed: it only looked at a result, or another one
    was started later, and completed."""
    if failed.name != FAILED:
        return False
    if _DIAGNOSTIC.match(head(case.files[failed.file], HEAD_BYTES)):
        return True
    completed = {*_files_of(case, COMPLETED)}
    later = (r for r in case.records.of(STARTED) if failed.time is not None and (r.time or 0.0) > failed.time)
    return any(record.file in completed for record in later)


def _files_of(case: Case, said: str) -> list[int]:
    """The files of the commands whose script says something of them."""
    return sorted({record.file for record in case.records.of(said)})[:MOST]


def stopped_command(case: Case) -> Record | None:
    """The first error of a command that stopped at it: its file has no word of how it ended, be it good or bad."""
    ended = {record.file for record in case.records.of(COMPLETED, FAILED)}
    return next((record for record in case.records.of(STOPPED) if record.file not in ended), None)
