"""Whose last words nobody else ended with: `opening shard 7`, where all others went on to `read shard 6`.

Needs no declared format: lines are compared by their shape, with numbers, addresses and paths masked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from logtui.diagnosis.facts import Facts
from logtui.diagnosis.last_words import last_words

MOST = 512
"""Ranks whose last words are read."""
FEW = 0.25
"""More odd ones than this share of those compared are no outliers."""
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
    last = {r: shape(words[0].text) for r in (*silent, *witnesses) if (words := last_words(facts.identity, r, 1))}
    ends = Counter(last.values())
    if not ends or ends.most_common(1)[0][1] < ENOUGH:
        return set()
    odd = {r for r in silent if r in last and ends[last[r]] == 1}
    return odd if len(odd) <= max(1, FEW * len(last)) else set()
