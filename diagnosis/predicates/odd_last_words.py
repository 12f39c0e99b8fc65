"""Whose last words nobody else ended with: `opening shard 7`, where all others went on to `read shard 6`.

Needs no declared format: lines are compared by their shape, with numbers, addresses and paths masked.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.identity import key_of_file
from logtui.diagnosis.facts.last_words import Words, words_in_file
from logtui.parsers.records.columns import distinct
from logtui.parsers.regex import regex
from logtui.parsers.source import FileKind

MOST = 512
"""Ranks whose last words are read."""
FEW = 0.25
"""More odd ones than this share of those compared are no outliers."""
ODD_REACH = 4000
"""Lines from the end of each file that are looked at."""
ENOUGH = 3
"""So many ranks must agree before one can be odd."""
_VARIES = regex(r"0x[0-9a-fA-F]+|(?<![\w.-])[\w.-]{0,256}[/\\][\w./\\:-]+|(?<![\w-])[\w-]{0,128}\d[\w.:-]*")


def shape(text: str) -> str:
    """A line with everything masked that differs between ranks and moments."""
    return " ".join(_VARIES.sub("#", text).split())


def odd_last_words(facts: Facts, silent: Iterable[int]) -> set[int]:
    """Of some ranks, those whose last words have a shape that no other rank ended with.

    Empty where too few ranks say anything of their own, or where the odd are many.
    """
    silent = sorted(silent)[:MOST]
    witnesses = [r for r in facts.seen_ranks if r not in set(silent)][: max(ENOUGH, MOST - len(silent))]
    last = {r: shape(words.text) for r, words in last_words_of(facts, {*silent, *witnesses}).items()}
    ends = Counter(last.values())
    if not ends or ends.most_common(1)[0][1] < ENOUGH:
        return set()
    odd = {r for r in silent if r in last and ends[last[r]] == 1}
    return odd if len(odd) <= max(1, FEW * len(last)) else set()


def last_words_of(facts: Facts, wanted: set[int]) -> dict[int, Words]:
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
