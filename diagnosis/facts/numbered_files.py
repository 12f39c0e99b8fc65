"""Files of one job that are numbered in a row: each holds what one rank says, where nothing else tells the ranks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from logtui.diagnosis.facts.stated_size import stated_size
from logtui.diagnosis.facts.task_ranks import world_size
from logtui.parsers.files.case import Case
from logtui.parsers.files.dates import SPEAKING
from logtui.parsers.regex import regex
from logtui.parsers.source import LogFile

FEWEST, MOST, TWO = 2, 16_384, 2
_LEADS = regex(
    r"(?:[^#]{0,80}/)?(?:master|main|driver|scheduler|chief|launcher|controller|coordinator)\.\w{2,4}$", re.I
)
"""The file of who gives the others their work, and is none of them."""
_DIGITS = regex(r"\d+")
_OTHERWISE = regex(
    r"(?:node|host|server|client|master|\bps|attempt|try|retry|run|restart|part|ver(?:sion)?|v|epoch|seed|exp|fold|step|iter"
    r"|job|trial|shard|chunk|phase|stage|array|old|bak|model|layer|lr|bs|gpus?)[_.-]?$|\d_$|\.(?:log|out|err|txt|json)\.$",
    re.I,
)
"""What stands before a number that counts something else: nodes, attempts, tasks of an array, rotated files."""


def numbered_files(case: Case) -> dict[int, int]:
    """File → rank, where the names of all program files differ in one number alone that goes from 0 on without a gap.

    None are where the job is said to have another size, or where one file begins after the other has ended: attempts.
    """
    files = [f for f in case.files if f.kind in SPEAKING]
    if not FEWEST <= len(files) <= MOST or any(f.hints.node is not None or f.hints.rank is not None for f in files):
        return {}
    groups: dict[str, list[LogFile]] = defaultdict(list)
    for file in files:
        groups[_DIGITS.sub("#", file.name)].append(file)
    found: dict[int, int] = {}
    led = len(groups) == TWO and any(map(_LEADS.match, groups))
    for name, group in groups.items():
        if led and _LEADS.match(name):  # beside the files of those whom it leads
            continue
        ranks = _in_a_row(group)
        told = _of_so_many(group) or _at_one_time(case, group) or (led and _undated(case, group))
        if len(ranks) < FEWEST or not told:
            return {}
        found |= ranks
    size = world_size(case) or stated_size(case, 1) if found else None
    return found if size in (None, len(set(found.values()))) else {}


_OF_PROCESSES = regex(
    r"(?:rank|worker|client|actor|learner|trainer|agent|party|peer|silo|participant|device|gpu|proc(?:ess)?|node|host|parallel)s?[_.-]?$",
    re.I,
)
"""What stands before the number of one process of several, each with a file of its own."""


_SERVES = regex(r"(?:^|[/_.-])(?:server|master|coordinator|learner)[_.-]?0\.", re.I)
"""The file of the one that they all speak to, if it has a number as they do."""


def files_of_processes(case: Case) -> int:
    """How many processes have a file each, by names as `client1.log`; 0 where names tell of none."""
    told: dict[str, set[str]] = defaultdict(set)
    leads: set[str] = set()
    for file in case.files:
        numbers = _DIGITS.finditer(file.name) if file.kind in SPEAKING else ()
        named = next((m for m in numbers if _OF_PROCESSES.search(file.name[: m.start()])), None)
        if named:
            told[file.name[: named.start()]].add(named[0])
        elif _SERVES.search(file.name):
            leads.add("0")
    most = max((len(numbers | leads) for numbers in told.values()), default=0)
    return most if FEWEST <= most <= MOST else 0


def _in_a_row(group: Sequence[LogFile]) -> Mapping[int, int]:
    """The number in which the names of some files differ, where it is the only one and has no gap."""
    numbers = np.array([[int(n[:18]) for n in _DIGITS.findall(f.name)] for f in group])
    if not numbers.size:
        return {}
    varies = np.flatnonzero((numbers != numbers[0]).any(axis=0))
    if len(varies) != 1 or sorted(numbers[:, varies[0]].tolist()) != list(range(len(group))):
        return {}
    before = [m.start() for m in _DIGITS.finditer(group[0].name)][varies[0]]
    if _OTHERWISE.search(group[0].name[:before]):
        return {}
    return {f.index: int(n) for f, n in zip(group, numbers[:, varies[0]].tolist(), strict=True)}


def _of_so_many(group: Sequence[LogFile]) -> bool:
    """Whether each name of some files tells how many they are, as `log.0003.0016.out`."""
    numbers = ({int(n[:18]) for n in _DIGITS.findall(f.name)} for f in group)
    return len(group) > TWO and len(group) in set.intersection(*numbers)


def _undated(case: Case, group: Sequence[LogFile]) -> bool:
    """Whether no line of some files tells a time."""
    rows = case.records.rows
    return not any(np.isfinite(rows["time"][case.records.rows_of_file(file.index)]).any() for file in group)


def _at_one_time(case: Case, group: Sequence[LogFile]) -> bool:
    """Whether files tell of the same hours: runs one after the other are numbered as well."""
    spans = []
    for file in group:
        times = case.records.rows["time"][case.records.rows_of_file(file.index)]
        known = times[np.isfinite(times)]
        spans += [(float(known.min()), float(known.max()))] if len(known) else []
    latest, earliest = max((b for b, _ in spans), default=1.0), min((e for _, e in spans), default=0.0)
    return len(spans) >= FEWEST and latest <= earliest
