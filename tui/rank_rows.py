"""Where each rank's cell stands in the grid: rows of nodes, or dense rows where nodes would need too many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from logtui.diagnosis.report import RankState
from logtui.tui.wording import shortened

DEFAULT_LOCAL = 8
"""GPUs per node where nothing says so."""
MAX_LABEL = 14
GAP = 2
"""Cells between two nodes of one row."""


@dataclass(frozen=True, slots=True)
class Block:
    """Ranks that stand side by side below one label."""

    label: str
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class GridLayout:
    """Blocks in columns; a cell's place follows from its rank in O(1)."""

    blocks: tuple[Block, ...]
    label_width: int
    cells: int
    """Cells of the widest block."""
    columns: int
    """Blocks per row."""

    @cached_property
    def _places(self) -> dict[int, tuple[int, int]]:
        """Per rank its block and its cell within the block."""
        return {r: (n, at) for n, block in enumerate(self.blocks) for at, r in enumerate(block.ranks)}

    @property
    def rows(self) -> int:
        """Terminal rows; blocks run down the columns, as `ls` does."""
        return -(-len(self.blocks) // self.columns) if self.blocks else 0

    @property
    def pitch(self) -> int:
        """Cells from one block to the next of the same row."""
        return self.label_width + 1 + self.cells + GAP

    @property
    def width(self) -> int:
        """Cells of a whole row."""
        return self.pitch * self.columns - GAP if self.blocks else 0

    def row(self, y: int) -> list[Block]:
        """The blocks of a row from left to right."""
        return list(self.blocks[y :: self.rows])[: self.columns] if 0 <= y < self.rows else []

    def row_of(self, rank: int) -> int | None:
        """The row a rank stands in."""
        place = self._places.get(rank)
        return place[0] % self.rows if place else None

    def x_of(self, rank: int) -> int | None:
        """The cell column of a rank."""
        place = self._places.get(rank)
        return place[0] // self.rows * self.pitch + self.label_width + 1 + place[1] if place else None

    def rank_at(self, x: int, y: int) -> int | None:
        """The rank under a cell."""
        column, cell = divmod(x, self.pitch)
        blocks = self.row(y)
        at = cell - self.label_width - 1
        if column >= len(blocks) or not 0 <= at < len(blocks[column].ranks):
            return None
        return blocks[column].ranks[at]

    def moved(self, rank: int, dx: int, dy: int) -> int:
        """The rank reached by an arrow key; the same one at an edge."""
        place = self._places.get(rank)
        if place is None:
            return self.blocks[0].ranks[0] if self.blocks else rank
        n, at = place
        if dx:
            order = [r for block in self.row(n % self.rows) for r in block.ranks]
            return order[min(max(order.index(rank) + dx, 0), len(order) - 1)]
        n = min(max(n + dy, 0), len(self.blocks) - 1)
        return self.blocks[n].ranks[min(at, len(self.blocks[n].ranks) - 1)]


def arrange(
    ranks: Sequence[int], states: dict[int, RankState], per_node: int | None, width: int, height: int
) -> GridLayout:
    """Lay ranks out by node; where that needs more than four screens, in dense rows as wide as the pane."""
    nodes = _nodes(ranks, states, per_node or DEFAULT_LOCAL)
    by_node = _by_node(nodes, width)
    fits = by_node.pitch - GAP <= width and by_node.rows <= 4 * max(height, 1)
    return by_node if fits or not nodes else _dense(ranks, width)


def _nodes(ranks: Sequence[int], states: dict[int, RankState], per_node: int) -> list[Block]:
    """One block per host in the order of its lowest rank; ranks of unknown hosts by their number."""
    members: dict[str, list[int]] = {}
    known = {r // per_node: s.host for r, s in states.items() if s.host}
    for rank in ranks:
        state = states.get(rank)
        host = (state.host if state else None) or known.get(rank // per_node) or f"node {rank // per_node}"
        members.setdefault(host, []).append(rank)
    return [Block(host.split(".")[0], tuple(found)) for host, found in members.items()]


def _by_node(nodes: Sequence[Block], width: int) -> GridLayout:
    label = min(max((len(n.label) for n in nodes), default=0), MAX_LABEL)
    cells = max((len(n.ranks) for n in nodes), default=1)
    columns = max((width + GAP) // (label + 1 + cells + GAP), 1)
    fitted = tuple(Block(shortened(n.label, label), n.ranks) for n in nodes)
    return GridLayout(fitted, label, cells, min(columns, max(len(fitted), 1)))


def _dense(ranks: Sequence[int], width: int) -> GridLayout:
    label = len(f"r{ranks[-1]}")
    cells = max((width - label - 1) // 8 * 8, 8)
    rows = [tuple(ranks[at : at + cells]) for at in range(0, len(ranks), cells)]
    return GridLayout(tuple(Block(f"r{row[0]}", row) for row in rows), label, cells, 1)
