"""Trees, and the table of this release."""

from __future__ import annotations

import pytest

from logtui.diagnosis.facts.start_forest import LEAF, Table, Tree, likely, table
from logtui.diagnosis.facts.start_lines import Lines
from logtui.diagnosis.facts.start_signs import Signs

STUMP = Tree((0, LEAF, LEAF), (2.0, -3.0, 3.0), (1, 0, 0), (2, 0, 0))


def test_each_tree_adds_to_the_odds() -> None:
    one = likely([[1.0], [5.0]], Table(1, 0.0, [STUMP]))
    two = likely([[1.0], [5.0]], Table(1, 0.0, [STUMP, STUMP]))
    assert one[0] == pytest.approx(1 - one[1]) and two[0] < one[0] < 0.5 < one[1] < two[1]


def test_no_places_are_asked_nothing() -> None:
    assert len(likely([], Table(1, 0.0, [STUMP]))) == 0


def test_the_table_is_of_the_signs_that_are_seen() -> None:
    signs = Signs(Lines(b"".join(b"2031-02-03 07:%02d:05 the field %d is read\n" % (n, n) for n in range(9))))
    assert len(signs.of(signs.places[0])) == table().signs


def test_the_trees_of_the_table_are_whole() -> None:
    for tree in table().trees:
        inner = [n for n, sign in enumerate(tree.sign) if sign != LEAF]
        children = sorted([tree.low[n] for n in inner] + [tree.high[n] for n in inner])
        assert children == list(range(1, len(tree.sign)))
        assert all(0 <= tree.sign[n] < table().signs for n in inner)
