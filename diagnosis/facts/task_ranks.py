"""Tasks of `srun`: their labels are ranks where one task runs one rank, and only there."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from itertools import islice

import numpy as np

from logtui.diagnosis.facts.votes import votes
from logtui.parsers.files.case import Case
from logtui.parsers.numbers import whole
from logtui.parsers.pattern import Mark, Trait
from logtui.parsers.prefix.hostlist import expand
from logtui.parsers.prefix.origin import read_origin
from logtui.parsers.registry import registry

RanksOn = Callable[[str], tuple[int, ...]]
"""Ranks known to run on a host."""
LABELLED_FILES, HEAD_LINES = 4, 600
MOST = 1_000_000
TIMEOUTS = 4096
"""Lines of watchdogs that are looked at."""
OF_SCHEDULER = frozenset({"slurm", "slurm_start", "srun"})
"""Areas of what SLURM itself says."""


def task_ranks(case: Case, ranks_on: RanksOn) -> dict[int, int]:
    """Task → rank. A label is a rank only where labels and `[rankN]:` agree wherever both stand."""
    rows = case.records.rows
    both = np.flatnonzero((rows["rank"] >= 0) & (rows["task"] >= 0))
    labels = _labels(case)
    named = named_tasks(case)
    if not len(both) and any(many > 1 and not set(host) & set("[,") for host, many in Counter(named.values()).items()):
        return {t: t for t in (*labels, *named)}  # several tasks on one host
    if _of_several_ranks(case):
        return {}
    if _only_scheduler_speaks(case):
        return {t: t for t in (*labels, *named)}
    if len(labels) < 2:
        return {} if labels else _tasks_by_host(case, ranks_on) or _tasks_alone(case, named)
    agree = len(both) and bool((rows["rank"][both] == rows["task"][both]).all())
    one_each = agree or (not len(both) and _one_task_per_rank(case, labels))
    return {t: t for t in labels} if one_each else {}


def _only_scheduler_speaks(case: Case) -> bool:
    """Whether no program of training, and no launcher of its own, is heard: tasks are what the job is made of then."""
    last_words = {p.area for p in case.records.patterns if Mark.UNCAUGHT in p.marks}
    return case.records.areas <= OF_SCHEDULER | last_words


def _of_several_ranks(case: Case) -> bool:
    """Whether several processes write under one label: `[Rank n]` differs in what is the same operation of a group."""
    spoken: dict[tuple[int, str | None, str | None, str | None], set[int]] = defaultdict(set)
    for record in islice(case.records.of("pg.timeout"), TIMEOUTS):
        number, f = record.number("pg_rank"), record.fields
        if record.task is not None and number is not None:
            spoken[record.task, f.get("seq"), f.get("op"), f.get("numel_in")].add(number)
    return sum(len(numbers) > 1 for numbers in spoken.values()) * 2 > len(spoken)


def _tasks_by_host(case: Case, ranks_on: RanksOn) -> dict[int, int]:
    """Tasks that srun names with their host, where the ranks known on those hosts are the tasks' own numbers."""
    named = named_tasks(case)
    known = {task: ranks for task, host in named.items() if (ranks := ranks_on(host))}
    agree = known and all(ranks == (task,) for task, ranks in known.items())
    return {task: task for task in named} if agree else {}


def _tasks_alone(case: Case, named: Mapping[int, str]) -> dict[int, int]:
    """Tasks that srun names, one on each host, where nobody names a rank: of a job of as many, or of a size unknown."""
    rows = case.records.rows
    ranks = bool((rows["rank"] >= 0).any() or (rows["local_rank"] >= 0).any())
    fits = world_size(case) in (None, max(named, default=-1) + 1)
    return {t: t for t in named} if len(named) > 1 and fits and not ranks else {}


def named_tasks(case: Case) -> dict[int, str]:
    """Task → host, as srun reports their ends; empty where a launcher starts several ranks in one task."""
    if _several_per_task(case):
        return {}
    return {
        number: record.fields["hosts"]
        for record in case.records.marked(Mark.NAMES_TASKS)
        if record.fields.get("hosts")
        for task in expand(f"[{record.fields.get('tasks', '')}]")
        if (number := whole(task)) is not None
    }


def _labels(case: Case) -> list[int]:
    """All task labels: those of records, and those at the head of the files that carry any."""
    rows = case.records.rows
    labelled = rows["task"] >= 0
    found = {int(t) for t in np.unique(rows["task"][labelled])}
    for file in np.unique(rows["file"][labelled])[:LABELLED_FILES].tolist():
        found |= {t for line in case.head(file, HEAD_LINES) if (t := read_origin(line).task) >= 0}
    return sorted(found)


def _one_task_per_rank(case: Case, labels: list[int]) -> bool:
    world = world_size(case)
    if world is not None:
        return max(labels) < world and len(labels) * 2 > world
    # nobody says how many: a gapless row of labels, and no launcher that would start several ranks in one task
    return max(labels) == len(labels) - 1 and not _several_per_task(case)


def _several_per_task(case: Case) -> bool:
    """Whether a launcher speaks that starts several ranks in one task."""
    launchers = case.records.with_prefix(*registry().areas_with(Trait.SEVERAL_PER_TASK))
    return next(launchers, None) is not None


def world_size(case: Case) -> int | None:
    """The world size most lines agree on, from lines that say it outright."""
    return votes(case.records, "world_size", MOST).best
