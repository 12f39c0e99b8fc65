"""Runs in files of their own: names that differ in the time of a start, or in the job's number, alone.

A folder of runs holds the history of a job, of which the newest run is the one that is asked about. Files of one start
are named within half a minute; those of runs beside each other, or of which nothing tells that they were not, are left
as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np

from logtui.diagnosis.facts.counted_anew import UNCLOCKED
from logtui.diagnosis.facts.start_lines import Lines
from logtui.parsers.files.case import Case
from logtui.parsers.files.ends import head
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.source import OF_PROGRAMS, LogFile

ONE_START_S, OVERLAP_S = 30.0, 5.0
"""Names of one start's files lie no further apart; clocks of runs that follow each other overlap no more."""
SEVERAL, MOSTLY = 2, 0.5
"""Runs, and the share of all, whose clocks must show that they followed each other."""
SMALL = 1 << 20
"""Bytes of a file of which any line is asked for its time."""
MOST_FILES = 256
_STAMP = re.compile(
    r"(?<!\d)(20\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)[-_.T/ ]{0,2}([0-2]\d)[-_:.h]?([0-5]\d)[-_:.m]?([0-5]\d)(?!\d)"
    r"(?:-[a-z\d]{8}(?=/))?"
)
"""A time in a name, and what W&B puts behind it."""
_SHORT = re.compile(r"(?<!\d)(20\d\d)_(\d{1,2})_(\d{1,2})_(\d{1,2})_(\d{1,2})_(\d{1,2})(?!\d)")
"""The same without leading zeros: nnU-Net's."""
_ROTATED = re.compile(r"\.([1-9]\d?)(?=\.(?:log|out|err|txt)$)")
"""A file that was put aside as the next one began: `train.1.log` beside `train.log`."""
_ATTEMPT = re.compile(r"(?:(?<=/)|^)(?P<task>attempt=)?(\d{1,4})(?=\.log$)")
"""Airflow's, at a task; its older releases had the number alone."""
HEAD_LINES = 12
"""Lines at the beginning of such a file in which Airflow says at which attempt it is."""
_NUMBER = re.compile(r"(?<!\d)\d{4,12}(?!\d)")
"""A job's number."""


def runs_of_files(case: Case) -> dict[int, int]:
    """File → number of the run that it holds alone, from 0; nothing where they are not of several runs."""
    files = [f for f in case.files if f.kind in OF_PROGRAMS]
    if not 1 < len(files) <= MOST_FILES:
        return {}
    stamped = _by_stamp(files)
    if len(stamped) > 1:
        return _numbered(stamped) if _same_programs(stamped) and _apart(case, stamped, told=False) else {}
    rotated = _by_rotation(files)
    if len(rotated) > 1 and _apart(case, rotated, told=True):
        return _numbered(rotated)
    attempts = _by_attempt(case, files)
    if len(attempts) > 1 and _apart(case, attempts, told=False):
        return _numbered(attempts)
    numbered = _by_number(files)
    return _numbered(numbered) if len(numbered) > 1 and _apart(case, numbered, told=True) else {}


Run = dict[str, int]
"""What a file of a run is called but for the time or the number → the file."""


def _numbered(runs: Sequence[Run]) -> dict[int, int]:
    return {file: number for number, run in enumerate(runs) for file in run.values()}


def _by_stamp(files: Sequence[LogFile]) -> list[Run]:
    """Files by the times that their names tell, ascending."""
    told = sorted((time, name, f.index) for f in files for time, name in [_told(f.name)] if time is not None)
    found: list[Run] = []
    last = float("-inf")
    for time, name, file in told:
        if time - last > ONE_START_S:
            found.append({})
            last = time
        found[-1][name] = file
    return found


def _told(name: str) -> tuple[float | None, str]:
    """The last time that a name tells, and the name without it."""
    told_by = next((style for style in (_STAMP, _SHORT) if style.search(name)), None)
    if told_by is None:
        return None, name
    stamps = list(told_by.finditer(name))
    try:
        time = datetime(*(int(part) for part in stamps[-1].groups()), tzinfo=UTC).timestamp()  # type: ignore[arg-type, misc]
    except ValueError:
        return None, name
    return time, told_by.sub("*", name)


def _by_rotation(files: Sequence[LogFile]) -> list[Run]:
    """Files by the numbers with which they were put aside, the highest first, and last those that were not."""
    found: dict[int, Run] = {}
    for file in files:
        aside = _ROTATED.search(file.name)
        found.setdefault(int(aside[1]) if aside else 0, {})[_ROTATED.sub("", file.name)] = file.index
    runs = [found[number] for number in sorted(found, reverse=True)]
    return runs if 0 in found and _same_programs(runs) else []


def _says_attempt(case: Case, file: LogFile, number: str) -> bool:
    """Whether Airflow says in the head of a file that it is at the attempt of its name."""
    return any(f"Starting attempt {number} of" in text for text in case.head(file.index, HEAD_LINES))


def _by_attempt(case: Case, files: Sequence[LogFile]) -> list[Run]:
    """Files by the attempts at a task that their names number, ascending."""
    found: dict[int, Run] = {}
    for file in files:
        told = _ATTEMPT.search(file.name)
        if told is not None and (told["task"] or _says_attempt(case, file, told[2])):
            found.setdefault(int(told[2]), {})[_ATTEMPT.sub("*", file.name)] = file.index
    runs = [found[number] for number in sorted(found)]
    return runs if runs and _same_programs(runs) else []


def _by_number(files: Sequence[LogFile]) -> list[Run]:
    """Files by the one number in which their names differ, ascending; none where they differ in others too."""
    numbers = {f.index: [*_NUMBER.finditer(f.name)] for f in files}
    found: dict[int, Run] = {}
    for file in files:
        if numbers[file.index]:
            last = numbers[file.index][-1]
            name = f"{file.name[: last.start()]}*{file.name[last.end() :]}"
            found.setdefault(int(last[0]), {})[name] = file.index
    runs = [found[number] for number in sorted(found)]
    return runs if _same_programs(runs) else []


def _same_programs(runs: Sequence[Run]) -> bool:
    """Whether each run left a file that the newest one left too."""
    return all(not run.keys().isdisjoint(runs[-1]) for run in runs)


def _apart(case: Case, runs: Sequence[Run], told: bool) -> bool:
    """Whether no run was at work while another was; `told` if clocks must say so, of most of them."""
    spans = [_span(case, run) for run in runs]
    known = [span for span in spans if span is not None]
    return (not told or len(known) >= max(SEVERAL, MOSTLY * len(runs))) and all(
        a[1] <= b[0] + OVERLAP_S for a, b in pairwise(known)
    )


def _span(case: Case, run: Mapping[str, int]) -> tuple[float, float] | None:
    """The first and last time of a run's lines: of those that are known, or else, where it is small, of any."""
    rows = [case.records.rows[case.records.rows_of_file(file)] for file in run.values()]
    dated = [r["time"][~np.isin(r["time_from"], (*UNCLOCKED, TimeFrom.UPTIME)) & np.isfinite(r["time"])] for r in rows]
    times = np.concatenate(dated)
    if len(times):
        return float(times.min()), float(times.max())
    small = (case.files[file] for file in run.values() if case.files[file].size <= SMALL)
    told = [clock for file in small for clock in Lines(head(file, SMALL)).clocks]
    return (min(told), max(told)) if told else None
