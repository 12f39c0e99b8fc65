"""Sets of ranks as people write them: `0–56, 58–127`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Runs of consecutive numbers, both ends inclusive, ascending."""
    ordered = sorted(set(numbers))
    start = 0
    for i in range(1, len(ordered) + 1):
        if i == len(ordered) or ordered[i] != ordered[i - 1] + 1:
            yield ordered[start], ordered[i - 1]
            start = i


def ranges(numbers: Iterable[int], most: int = 12) -> str:
    """`0–56, 58–127`; the tail of a ragged set is counted, not listed."""
    parts = [str(a) if a == b else f"{a}–{b}" for a, b in runs(numbers)]
    if len(parts) > most:
        return ", ".join(parts[:most]) + f" and {len(parts) - most} more ranges"
    return ", ".join(parts)


def named_ranks(numbers: Iterable[int]) -> str:
    """`rank 57` or `ranks 3, 8–15`."""
    found = sorted(set(numbers))
    return f"rank {found[0]}" if len(found) == 1 else f"ranks {ranges(found)}"
