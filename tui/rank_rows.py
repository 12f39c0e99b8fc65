"""Where each rank's cell stands in the grid; a place follows from the rank, and the rank from a place, at once."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

GAP = 2
"""Cells between two nodes of one row."""


@dataclass(frozen=True, slots=True)
class Block:
    """Ranks that stand side by side below one label."""

    label: str
    ranks: tuple[int, ...]
    note: str = ""
    """Stands behind the cells."""


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

    def drawn(self, block: Block, cursor: int | None) -> tuple[int, ...]:
        """The ranks of a block that have a cell."""
        return block.ranks

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


class FoldedLayout(GridLayout):
    """A row and a single cell for all ranks of a kind."""

    @cached_property
    def _places(self) -> dict[int, tuple[int, int]]:
        return {r: (n, 0) for n, block in enumerate(self.blocks) for r in block.ranks}

    def rank_at(self, x: int, y: int) -> int | None:
        """The first rank of a row, wherever it is pointed at."""
        return self.blocks[y].ranks[0] if 0 <= y < len(self.blocks) else None

    def drawn(self, block: Block, cursor: int | None) -> tuple[int, ...]:
        """The rank under the cursor stands for all, else the first."""
        at = self._places.get(cursor) if cursor is not None else None
        return (cursor,) if cursor is not None and at and self.blocks[at[0]] is block else block.ranks[:1]

    def moved(self, rank: int, dx: int, dy: int) -> int:
        """Sideways along the ranks of a row; up and down to the first rank of the next row."""
        place = self._places.get(rank)
        if place is None:
            return self.blocks[0].ranks[0] if self.blocks else rank
        ranks = self.blocks[place[0]].ranks
        if dx:
            return ranks[min(max(bisect_left(ranks, rank) + dx, 0), len(ranks) - 1)]
        n = min(max(place[0] + dy, 0), len(self.blocks) - 1)
        return rank if n == place[0] else self.blocks[n].ranks[0]
