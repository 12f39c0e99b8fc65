"""What torchrun wrote twice.

With `--tee` and `--log-dir` each line stands in the launcher's output, and in a file of its rank.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from logtui.parsers.files.case import Case


@dataclass(frozen=True)
class Copies:
    """Files of both kinds, and the patterns of which the launcher's output has all that the ranks' files have."""

    teed: frozenset[int] = frozenset()
    of_ranks: frozenset[int] = frozenset()
    patterns: frozenset[str] = frozenset()

    def counts(self, pattern: str, file: int) -> bool:
        """Whether the lines of a pattern in a file are to be counted."""
        return not (pattern in self.patterns and file in self.of_ranks)

    def tells_ranks(self, pattern: str, file: int) -> bool:
        """Whether a file is the one that says which ranks wrote them: labels of the launcher's need not."""
        return not (pattern in self.patterns and file in self.teed)


def copies(case: Case) -> Copies:
    """Nothing, where only one kind is there."""
    of_ranks = frozenset(f.index for f in case.files if f.hints.attempt is not None and f.hints.local_rank is not None)
    rows = case.records.rows
    teed = frozenset(np.unique(rows["file"][rows["local_rank"] >= 0]).tolist()) - of_ranks if of_ranks else frozenset()
    if not teed:
        return Copies()
    seen: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for count in case.records.counts:
        if count.file in teed or count.file in of_ranks:
            seen[count.file in teed][count.pattern] += count.total
    twice = (name for name, total in seen[False].items() if seen[True][name] >= total)
    return Copies(teed, of_ranks, frozenset(twice))
