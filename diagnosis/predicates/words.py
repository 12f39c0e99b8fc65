"""Whose last words nobody else ended with: `opening shard 7`, where all others went on to `read shard 6`.

Needs no declared format: lines are compared by their shape, with numbers, addresses and paths masked.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from logtui.diagnosis.facts.facts import Facts
from logtui.diagnosis.facts.identity import Identity, key_of_file
from logtui.diagnosis.facts.last_words import Words, is_aftermath, parts_of, said, watchdog_rows
from logtui.diagnosis.findings import Evidence
from logtui.diagnosis.model import RankState
from logtui.parsers.clean import clean
from logtui.parsers.errors import LogtuiError
from logtui.parsers.prefix.stamp import stamp_near
from logtui.parsers.prefix.wrapping import unwrapped
from logtui.parsers.records.columns import distinct
from logtui.parsers.source import FileKind

# -- What every rank wrote last itself: all files once from their ends, before watchdogs and teardown spoke for it.


REACH = 50_000
"""Lines looked at, at most, from the end of one file."""
CHUNK = 500


def own_words(
    identity: Identity, states: Iterable[RankState], near: float, cancelled: Callable[[], bool] = lambda: False
) -> Iterator[dict[int, Evidence]]:
    """File by file the last lines of the ranks in it; of a rank in several files the latest line so far.

    `near` is a time of the job: it completes stamps without a year. Reads a few hundred lines of most files.
    """
    found: dict[int, Evidence] = {}
    for file, ranks in _ranks_by_file(identity, states).items():
        if cancelled():
            return
        later = {}
        for rank, said_last in words_in_file(identity, file, ranks, near).items():
            words = said_last.cited
            if rank not in found or (words.time or 0.0) > (found[rank].time or 0.0):
                later[rank] = found[rank] = words
        if later:
            yield later


def _ranks_by_file(identity: Identity, states: Iterable[RankState]) -> dict[int, set[int]]:
    index = {f.name: f.index for f in identity.case.files if f.kind is FileKind.WORKER}
    held: dict[int, set[int]] = defaultdict(set)
    for state in states:
        for name in state.files:
            if name in index:
                held[index[name]].add(state.rank)
    return held


def words_in_file(
    identity: Identity, file: int, ranks: Iterable[int], near: float, reach: int = REACH
) -> dict[int, Words]:
    """What some ranks said last in one file, before watchdogs spoke; `reach` lines from its end are looked at."""
    alarms, left = _alarms(identity, file), set(ranks)
    found: dict[int, Words] = {}
    for line, text in _backwards(identity, file, reach) if left else ():
        for rank, own in parts_of(identity, file, text):
            if rank in left and line < alarms.get(rank, line + 1) and not is_aftermath(text):
                left.discard(rank)
                found[rank] = said(identity, file, line, text, own, rank)
        if not left:
            break
    return {rank: _dated(words, near) for rank, words in found.items()}


def _dated(words: Words, near: float) -> Words:
    if words.cited.time is not None:
        return words
    stamp = stamp_near(words.text, near)
    return replace(words, cited=replace(words.cited, time=stamp.epoch)) if stamp else words


def _alarms(identity: Identity, file: int) -> dict[int, int]:
    """Per rank the line of a file from which on its watchdog speaks."""
    table = identity.case.records
    rows = watchdog_rows(table)
    own = table.rows[rows[table.rows["file"][rows] == file]]
    first: dict[int, int] = {}
    sole = identity.by_file.get(file, -1)
    for rank, line in zip(np.where(own["rank"] >= 0, own["rank"], sole).tolist(), own["line"].tolist(), strict=True):
        first[rank] = min(line, first.get(rank, line))
    return first


def _backwards(identity: Identity, file: int, reach: int) -> Iterator[tuple[int, str]]:
    """(line number, cleaned text) from a file's end, with a reader of its own."""
    try:
        reader = identity.case.new_reader(file)
    except LogtuiError:
        return
    try:
        last = reader.count()
        stop = max(0, last - reach)
        while last > stop:
            first = max(stop + 1, last - CHUNK + 1)
            raws = reader.lines(first, last - first + 1)
            lines = [clean(unwrapped(raw, reader.file.wrapping)) for raw in raws]
            yield from ((first + i, lines[i]) for i in range(len(lines) - 1, -1, -1))
            last = first - 1
    except (LogtuiError, OSError):
        return
    finally:
        reader.close()


MOST = 512
"""Ranks whose last words are read."""
FEW = 0.25
"""More odd ones than this share of those compared are no outliers."""
ODD_REACH = 4000
"""Lines from the end of each file that are looked at."""
ENOUGH = 3
"""So many ranks must agree before one can be odd."""
_VARIES = re.compile(r"0x[0-9a-fA-F]+|[\w.-]*[/\\][\w./\\:-]+|[\w-]*\d[\w.:-]*")


def shape(text: str) -> str:
    """A line with everything masked that differs between ranks and moments."""
    return " ".join(_VARIES.sub("#", text).split())


def odd_last_words(facts: Facts, silent: Iterable[int]) -> set[int]:
    """Of some ranks, those whose last words have a shape that no other rank ended with.

    Empty where too few ranks say anything of their own, or where the odd are many.
    """
    silent = sorted(silent)[:MOST]
    witnesses = [r for r in facts.seen_ranks if r not in set(silent)][: max(ENOUGH, MOST - len(silent))]
    last = {r: shape(words.text) for r, words in _last_of(facts, {*silent, *witnesses}).items()}
    ends = Counter(last.values())
    if not ends or ends.most_common(1)[0][1] < ENOUGH:
        return set()
    odd = {r for r in silent if r in last and ends[last[r]] == 1}
    return odd if len(odd) <= max(1, FEW * len(last)) else set()


def _last_of(facts: Facts, wanted: set[int]) -> dict[int, Words]:
    """The last line of each rank; each file is read once from its end, however many ranks write into it."""
    near, found = facts.job.ended or facts.job.started or 0.0, dict[int, Words]()
    for file, ranks in _homes(facts).items():
        for rank, words in words_in_file(facts.identity, file, ranks & wanted, near, ODD_REACH).items():
            if rank not in found or (words.cited.time or 0.0) > (found[rank].cited.time or 0.0):
                found[rank] = words
    return found


def _homes(facts: Facts) -> dict[int, set[int]]:
    """File → ranks that write into it: named by its lines, by its name, or those of its node."""
    identity, rows = facts.identity, facts.case.records.rows
    nodes: dict[str, set[int]] = defaultdict(set)
    for (node, _), rank in identity.by_local.items():
        nodes[node].add(rank)
    homes = {f.index: set(nodes[key_of_file(f)]) for f in facts.case.files if f.kind is FileKind.WORKER}
    for file, rank in {*distinct(rows["file"], rows["rank"]), *identity.by_file.items()}:
        if rank >= 0 and file in homes:
            homes[file].add(rank)
    tasks = set(identity.by_task.values())
    return {file: ranks | tasks if len(homes) == 1 else ranks for file, ranks in homes.items()}
