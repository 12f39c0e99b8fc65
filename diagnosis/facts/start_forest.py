"""The table that was learnt: many small trees, each of which adds to how likely a run begins at a place.

`benchmarks/learn_starts.py` writes `start_table.json` from labelled logs; no library is needed to read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
LEAF = -1
"""In place of the sign that a node asks for: it adds its limit."""


class Tree(NamedTuple):
    """One tree in columns, a row for each node, the first of which is its root."""

    sign: Sequence[int]
    """The sign that a node asks for, or `LEAF`."""
    limit: Sequence[float]
    """Up to which it goes on at `low`, else at `high`; of a leaf what it adds."""
    low: Sequence[int]
    high: Sequence[int]


class Table(msgspec.Struct):
    """What was learnt."""

    signs: int
    """How many signs a place has."""
    base: float
    """The logarithm of the odds before any tree is asked."""
    trees: list[Tree]


@cache
def table() -> Table:
    """The table that is part of this release."""
    return msgspec.json.decode(files(__package__).joinpath("start_table.json").read_bytes(), type=Table)


def likely(signs: Sequence[Sequence[float]], learnt: Table) -> Floats:
    """How likely a run begins at each of some places, from 0 to 1, by the signs of each."""
    places = np.array(signs, np.float64).reshape(-1, learnt.signs)
    odds = np.full(len(places), learnt.base)
    for tree in learnt.trees:
        odds += _leaves(tree, places)
    chances: Floats = 1.0 / (1.0 + np.exp(-odds))
    return chances


def _leaves(tree: Tree, places: Floats) -> Floats:
    """What a tree adds for each place."""
    sign, limit, low, high = map(np.array, tree)
    node, every = np.zeros(len(places), np.intp), np.arange(len(places))
    while (asks := sign[node] != LEAF).any():
        goes_low = places[every, sign[node]] <= limit[node]
        node = np.where(asks, np.where(goes_low, low[node], high[node]), node)
    added: Floats = limit[node]
    return added
