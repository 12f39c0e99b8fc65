"""What pauses tell of who made them: somebody who starts runs by hand, or a loop."""

from __future__ import annotations

from collections.abc import Sequence

LOADED_S = 2.0
"""What it takes at least to load a program."""
EVENLY, FEW = 3.0, 2
"""Where the longest pause is no more than so many times the shortest, and there are more, a loop makes them."""
ALIKE, MOSTLY = 1.5, 0.6
"""So many times as long or short as the usual one are pauses that are as long; the share that a clock makes so."""


def uneven(pauses: Sequence[float]) -> bool:
    """Whether some pauses before starts are so few, or so unlike each other, that no loop makes them."""
    return len(pauses) <= FEW or max(pauses) > EVENLY * max(min(pauses), LOADED_S)


def usual_of(pauses: Sequence[float]) -> float:
    """How long one of some pauses is that lies in the middle."""
    return sorted(pauses)[len(pauses) // 2]


def as_by_a_clock(pauses: Sequence[float]) -> bool:
    """Whether most of some pauses last as long."""
    usual = usual_of(pauses)
    return sum(usual <= ALIKE * pause and pause <= ALIKE * usual for pause in pauses) >= MOSTLY * len(pauses)
