"""How the ranks are laid out: by node, by parallel group, odd ones first, identical ones folded; where cells stand."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from textual.cache import LRUCache

from logtui.tui.panes.ranks.modes.reading import Reading
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.wording import ranks_text, shortened

if TYPE_CHECKING:
    from logtui.diagnosis.model.report import RankState

GAP = 2
"""Cells between two nodes of one row."""

NODE = "node"
DEFAULT_LOCAL = 8
"""GPUs per node where nothing says so."""
MAX_LABEL = 14
LAYOUTS_KEPT = 16
SHARES = (1, 2, 4, 8, 16, 32, 64)
"""How many ranks a cell may stand for: parts of nodes, and whole ones."""


@dataclass(frozen=True, slots=True)
class RankBlock:
    """Ranks that stand side by side below one label."""

    label: str
    ranks: tuple[int, ...]
    note: str = ""
    """Stands behind the cells."""


@dataclass(frozen=True)
class GridLayout:
    """Blocks in columns; a cell's place follows from its rank in O(1)."""

    blocks: tuple[RankBlock, ...]
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

    def is_within(self, width: int, height: int) -> bool:
        """Whether all of it is in sight in a pane of this size."""
        return self.rows <= height and self.width <= width

    def row(self, y: int) -> list[RankBlock]:
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

    @property
    def per_cell(self) -> int:
        """Ranks that one cell stands for."""
        return 1

    def drawn(self, block: RankBlock, cursor: int | None, reading: Reading) -> Iterable[tuple[int, bool]]:
        """For each cell of a block the rank whose look it has, and whether the cursor stands there."""
        return ((rank, rank == cursor) for rank in block.ranks)

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

    def drawn(self, block: RankBlock, cursor: int | None, reading: Reading) -> Iterable[tuple[int, bool]]:
        """The rank under the cursor stands for all, else the first."""
        at = self._places.get(cursor) if cursor is not None else None
        here = at is not None and self.blocks[at[0]] is block
        return ((cursor, True),) if cursor is not None and here else ((block.ranks[0], False),)

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


@dataclass(frozen=True)
class SharedLayout(GridLayout):
    """Rows in which each cell stands for several ranks, and looks as the oddest of them does."""

    shared_by: int = 2

    @cached_property
    def _places(self) -> dict[int, tuple[int, int]]:
        by = self.shared_by
        return {r: (n, at // by) for n, block in enumerate(self.blocks) for at, r in enumerate(block.ranks)}

    @property
    def per_cell(self) -> int:
        """Ranks that one cell stands for."""
        return self.shared_by

    def rank_at(self, x: int, y: int) -> int | None:
        """The first rank of a cell."""
        blocks, at = self.row(y), (x - self.label_width - 1) * self.shared_by
        return blocks[0].ranks[at] if blocks and 0 <= at < len(blocks[0].ranks) else None

    def drawn(self, block: RankBlock, cursor: int | None, reading: Reading) -> Iterable[tuple[int, bool]]:
        """The oddest rank of each cell."""
        for at in range(0, len(block.ranks), self.shared_by):
            cell = block.ranks[at : at + self.shared_by]
            yield reading.oddest(cell), cursor in cell

    def moved(self, rank: int, dx: int, dy: int) -> int:
        """Sideways from rank to rank, also within a cell; up and down to the rank at the same place."""
        place = self._places.get(rank)
        if place is None or dx:
            return super().moved(rank, dx, dy)
        ranks = self.blocks[min(max(place[0] + dy, 0), len(self.blocks) - 1)].ranks
        return ranks[min(self.blocks[place[0]].ranks.index(rank), len(ranks) - 1)]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What the user chose."""

    by: str = NODE
    """`node`, or the name of a dimension."""
    odd_first: bool = False
    folded: bool = False

    def words(self) -> str:
        """What is not as usual, for the title."""
        by = () if self.by == NODE or self.folded else (f"by {self.by}",)
        order = ("odd first",) if self.odd_first and not self.folded else ()
        return " · ".join((*by, *order, *(("folded",) if self.folded else ())))


class Arranger:
    """Lays out the ranks of one case. The latest layouts are kept: keys go back and forth between them."""

    def __init__(self, view: CaseView) -> None:
        self._view = view
        self._kept: LRUCache[tuple[object, ...], tuple[Reading | None, GridLayout]] = LRUCache(LAYOUTS_KEPT)

    @cached_property
    def _nodes(self) -> list[RankBlock]:
        return nodes_of(self._view.ranks, self._view.states, self._view.report.job.gpus_per_node)

    def lay_out(self, reading: Reading, wanted: Arrangement, width: int, height: int) -> GridLayout:
        """The layout for a pane of this size; the same one where nothing that it rests on changed."""
        by_looks = reading if wanted.folded or wanted.odd_first else None
        key = (id(by_looks), wanted, width, height)
        if (kept := self._kept.get(key)) is not None:
            return kept[1]
        laid = folded(reading, width) if wanted.folded else self._unfolded(reading, wanted, width, height)
        self._kept[key] = by_looks, laid  # the reading is held, so that its id stays its own
        return laid

    def _unfolded(self, reading: Reading, wanted: Arrangement, width: int, height: int) -> GridLayout:
        view, order = self._view, reading.outliers if wanted.odd_first else ()
        dimension = next((d for d in view.dimensions if d.name == wanted.by), None) if wanted.by != NODE else None
        if dimension is None:
            return arrange(view.ranks, self._nodes, width, height, order)
        groups = [RankBlock(f"{dimension.name} {n}", ranks) for n, ranks in enumerate(dimension.groups)]
        placed = {rank for ranks in dimension.groups for rank in ranks}
        rest = tuple(rank for rank in view.ranks if rank not in placed)
        return _in_columns([*_odd_first(groups, order), *([RankBlock("others", rest)] if rest else ())], width)


def arrange(
    ranks: Sequence[int], nodes: Sequence[RankBlock], width: int, height: int, odd: Sequence[int] = ()
) -> GridLayout:
    """Lay ranks out by node, with no more of their names than lets all of them in sight.

    Where there is no room for all: in dense rows as wide as the pane, whose cells are shared by so many ranks that all
    are in sight.
    """
    named = _odd_first(nodes, odd)
    laid = _in_columns(named, width)
    if not laid.is_within(width, height):
        laid = _in_columns(_by_tails(named), width)
    if laid.is_within(width, height):
        return laid
    shown = frozenset(odd)
    dense = _dense([*odd, *(r for r in ranks if r not in shown)] if odd else ranks, width, height)
    return dense if dense.rows < laid.rows or laid.width > width else laid


def _by_tails(blocks: Sequence[RankBlock]) -> Sequence[RankBlock]:
    """Labels cut to their ends, which are as long as tells them apart."""
    labels = [block.label.rpartition(" ")[2] for block in blocks]
    tail = next((n for n in range(1, MAX_LABEL) if len({label[-n:] for label in labels}) == len(labels)), MAX_LABEL)
    return [replace(block, label=label[-tail:]) for block, label in zip(blocks, labels, strict=True)]


def folded(reading: Reading, width: int) -> GridLayout:
    """`0–56, 58–127 ■ ≡ 127 waiting`: a row for all ranks that are alike."""
    names = [ranks_text(ranks) for _, ranks in reading.alike]
    label = min(max((len(name) for name in names), default=0), max(width // 2, 8))
    blocks = tuple(
        RankBlock(name if len(name) <= label else name[: label - 1] + "…", ranks, f" ≡ {len(ranks):,} {look.words}")
        for name, (look, ranks) in zip(names, reading.alike, strict=True)
    )
    return FoldedLayout(blocks, label, 1, 1)


def _odd_first(blocks: Sequence[RankBlock], odd: Sequence[int]) -> Sequence[RankBlock]:
    """Blocks by their loudest outlier; those without stay as they are, behind."""
    loudness = {rank: n for n, rank in enumerate(odd)}
    if not loudness:
        return blocks
    return sorted(blocks, key=lambda b: min((loudness[r] for r in b.ranks if r in loudness), default=len(loudness)))


def nodes_of(ranks: Sequence[int], states: dict[int, RankState], gpus_per_node: int | None) -> list[RankBlock]:
    """One block per host in the order of its lowest rank; ranks of unknown hosts by their number."""
    members: dict[str, list[int]] = {}
    per_node = gpus_per_node or DEFAULT_LOCAL
    known = {r // per_node: s.host for r, s in states.items() if s.host}
    for rank in ranks:
        state = states.get(rank)
        host = (state.host if state else None) or known.get(rank // per_node) or f"node {rank // per_node}"
        members.setdefault(host, []).append(rank)
    return [RankBlock(short_host(host), tuple(found)) for host, found in members.items()]


def short_host(host: str) -> str:
    """A host without its domain; an address as it is."""
    return host if host.replace(".", "").isdigit() else host.split(".")[0]


def _in_columns(blocks: Sequence[RankBlock], width: int) -> GridLayout:
    label = min(max((len(b.label) for b in blocks), default=0), MAX_LABEL)
    room = max(width - label - 1, 8)
    cells = min(max((len(b.ranks) for b in blocks), default=1), room)
    columns = max((width + GAP) // (label + 1 + cells + GAP), 1)
    fitted = tuple(_wrapped(blocks, label, room))
    return GridLayout(fitted, label, cells, min(columns, max(len(fitted), 1)))


def _wrapped(blocks: Iterable[RankBlock], label: int, room: int) -> Iterable[RankBlock]:
    """Labels fitted; what is wider than the pane goes on in the next row."""
    for block in blocks:
        for at in range(0, len(block.ranks), room):
            yield RankBlock(shortened(block.label, label) if at == 0 else "", block.ranks[at : at + room])


def _dense(ranks: Sequence[int], width: int, height: int) -> GridLayout:
    label = len(f"r{max(ranks)}")
    cells = max((width - label - 1) // 8 * 8, 8)
    by = next((n for n in SHARES if len(ranks) <= n * cells * height), SHARES[-1])
    rows = [tuple(ranks[at : at + cells * by]) for at in range(0, len(ranks), cells * by)]
    blocks = tuple(RankBlock(f"r{row[0]}", row) for row in rows)
    return GridLayout(blocks, label, cells, 1) if by == 1 else SharedLayout(blocks, label, cells, 1, by)
