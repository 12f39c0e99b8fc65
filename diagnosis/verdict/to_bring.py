"""Which files are missing: named after those that are there, with the command that fetches them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

import numpy as np

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.ranges import named_ranks, runs
from logtui.parsers.files.discover import read_name
from logtui.parsers.source import LogFile

MOST_NODES = 100_000
MOST_RUNS = 4
"""Gaps in the numbering that are named; the rest is counted."""


def nodes_missing(facts: Facts) -> tuple[str, ...]:
    """Nodes whose files the numbering of the others, or the number of ranks, says there should be."""
    return tuple(f"node {n}" for numbers in _missing_numbers(facts).values() for n in numbers)


def logs_to_bring(facts: Facts) -> Iterator[str]:
    """The logs of missing ranks: by the names of their files, where those that are there tell them."""
    if not facts.lost_ranks:
        return
    who = f"the logs of {named_ranks(facts.lost_ranks)}"
    names = [*_by_node(facts), *_by_rank(facts)]
    if not names:
        yield who
    for names_of, glob in names[:1]:
        yield f"{who}: {names_of}; from each node: scp 'NODE:DIR/{glob}' ."


def _by_node(facts: Facts) -> Iterator[tuple[str, str]]:
    for job, numbers in _missing_numbers(facts).items():
        files = [f for f in facts.case.files if f.hints.node is not None and f.hints.job == job]
        yield from _named({f.hints.node or 0: f for f in files}, numbers)


def _by_rank(facts: Facts) -> Iterator[tuple[str, str]]:
    files = {f.hints.rank: f for f in facts.case.files if f.hints.rank is not None}
    yield from _named(files, facts.lost_ranks)


def _named(files: Mapping[int, LogFile], numbers: Sequence[int]) -> Iterator[tuple[str, str]]:
    """`error-1-3.out to error-1-15.out` and `error-1-*.out`."""
    number, file = next(iter(sorted(files.items())), (0, None))
    if file is None or not numbers:
        return
    place = PurePosixPath(file.name.rpartition("!")[2]).name
    spots = [m for m in re.finditer(r"\d{1,9}", place) if int(m[0]) == number]
    if not spots:
        return
    before, digits, after = place[: spots[-1].start()], spots[-1][0], place[spots[-1].end() :]
    width = len(digits) if digits.startswith("0") else 1

    def name(n: int) -> str:
        return f"{before}{n:0{width}d}{after}"

    gaps = list(runs(numbers))
    words = [name(a) if a == b else f"{name(a)} to {name(b)}" for a, b in gaps[:MOST_RUNS]]
    more = f" and {len(gaps) - MOST_RUNS} more gaps" if len(gaps) > MOST_RUNS else ""
    yield ", ".join(words) + more, f"{before}*{after}"


def _missing_numbers(facts: Facts) -> dict[str | None, list[int]]:
    """By job, the numbers of node files that are not there."""
    by_job: dict[str | None, set[int]] = {}
    for file in facts.case.files:
        if file.hints.node is not None:
            by_job.setdefault(file.hints.job, set()).add(file.hints.node)
    empty = {read_name(u.file).node for u in facts.case.unread}
    found: dict[str | None, list[int]] = {}
    for job, nodes in by_job.items():
        count = min(max(_count(facts), max(nodes) + 1), MOST_NODES)
        if missing := [n for n in range(count) if n not in nodes and n not in empty]:
            found[job] = missing
    return found


def _count(facts: Facts) -> int:
    """How many nodes there are: by what the job says, or by the ranks of each file."""
    size = facts.expected[0]
    per_node = _ranks_of_each(facts)
    return size // per_node if size and per_node and size % per_node == 0 else facts.job.nodes or 0


def _ranks_of_each(facts: Facts) -> int | None:
    """Ranks that speak in a node's file, as in most of them; None where none does."""
    rows = facts.case.records.rows
    numbered = np.array([f.index for f in facts.case.files if f.hints.node is not None])
    own = np.flatnonzero((rows["rank"] >= 0) & np.isin(rows["file"], numbered))
    pairs = np.unique(rows["file"][own].astype(np.int64) << 32 | rows["rank"][own])
    return _most(Counter((pairs >> 32).tolist()).values())


def _most(counts: Iterable[int]) -> int | None:
    found = Counter(counts).most_common(1)
    return found[0][0] if found else None
