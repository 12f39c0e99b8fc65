"""How the ranks are laid out: by node, by tensor or pipeline group, outliers first, identical ones folded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from logtui.diagnosis.report import RankState
from logtui.tui.case_view import CaseView
from logtui.tui.rank_readings import Reading
from logtui.tui.rank_rows import GAP, Block, FoldedLayout, GridLayout
from logtui.tui.wording import ranks_text, shortened

NODE = "node"
DEFAULT_LOCAL = 8
"""GPUs per node where nothing says so."""
MAX_LABEL = 14
SCREENS = 4
"""Where nodes need more screens than that, rows are dense."""


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


def lay_out(view: CaseView, reading: Reading, wanted: Arrangement, width: int, height: int) -> GridLayout:
    """The layout for a pane of this size."""
    if wanted.folded:
        return folded(reading, width)
    order = reading.outliers if wanted.odd_first else ()
    dimension = next((d for d in view.dimensions if d.name == wanted.by), None) if wanted.by != NODE else None
    if dimension is None:
        return arrange(view.ranks, view.states, view.report.job.gpus_per_node, width, height, order)
    groups = [Block(f"{dimension.name} {n}", ranks) for n, ranks in enumerate(dimension.groups)]
    placed = {rank for ranks in dimension.groups for rank in ranks}
    rest = tuple(rank for rank in view.ranks if rank not in placed)
    return _in_columns([*_odd_first(groups, order), *([Block("others", rest)] if rest else ())], width)


def arrange(
    ranks: Sequence[int],
    states: dict[int, RankState],
    per_node: int | None,
    width: int,
    height: int,
    odd: Sequence[int] = (),
) -> GridLayout:
    """Lay ranks out by node; where that needs more than four screens, in dense rows as wide as the pane."""
    nodes = _odd_first(_nodes(ranks, states, per_node or DEFAULT_LOCAL), odd)
    by_node = _in_columns(nodes, width)
    fits = by_node.pitch - GAP <= width and by_node.rows <= SCREENS * max(height, 1)
    if fits or not nodes:
        return by_node
    shown = frozenset(odd)
    return _dense([*odd, *(r for r in ranks if r not in shown)] if odd else ranks, width)


def folded(reading: Reading, width: int) -> GridLayout:
    """`0–56, 58–127 ■ ≡ 127 waiting`: a row for all ranks that are alike."""
    names = [ranks_text(ranks) for _, ranks in reading.alike]
    label = min(max((len(name) for name in names), default=0), max(width // 2, 8))
    blocks = tuple(
        Block(name if len(name) <= label else name[: label - 1] + "…", ranks, f" ≡ {len(ranks):,} {look.words}")
        for name, (look, ranks) in zip(names, reading.alike, strict=True)
    )
    return FoldedLayout(blocks, label, 1, 1)


def _odd_first(blocks: list[Block], odd: Sequence[int]) -> list[Block]:
    """Blocks by their loudest outlier; those without stay as they are, behind."""
    loudness = {rank: n for n, rank in enumerate(odd)}
    if not loudness:
        return blocks
    return sorted(blocks, key=lambda b: min((loudness[r] for r in b.ranks if r in loudness), default=len(loudness)))


def _nodes(ranks: Sequence[int], states: dict[int, RankState], per_node: int) -> list[Block]:
    """One block per host in the order of its lowest rank; ranks of unknown hosts by their number."""
    members: dict[str, list[int]] = {}
    known = {r // per_node: s.host for r, s in states.items() if s.host}
    for rank in ranks:
        state = states.get(rank)
        host = (state.host if state else None) or known.get(rank // per_node) or f"node {rank // per_node}"
        members.setdefault(host, []).append(rank)
    return [Block(host.split(".")[0], tuple(found)) for host, found in members.items()]


def _in_columns(blocks: Sequence[Block], width: int) -> GridLayout:
    label = min(max((len(b.label) for b in blocks), default=0), MAX_LABEL)
    fitted = tuple(_wrapped(blocks, label, max(width - label - 1, 8)))
    cells = max((len(b.ranks) for b in fitted), default=1)
    columns = max((width + GAP) // (label + 1 + cells + GAP), 1)
    return GridLayout(fitted, label, cells, min(columns, max(len(fitted), 1)))


def _wrapped(blocks: Iterable[Block], label: int, room: int) -> Iterable[Block]:
    """Labels fitted; what is wider than the pane goes on in the next row."""
    for block in blocks:
        for at in range(0, len(block.ranks), room):
            yield Block(shortened(block.label, label) if at == 0 else "", block.ranks[at : at + room])


def _dense(ranks: Sequence[int], width: int) -> GridLayout:
    label = len(f"r{max(ranks)}")
    cells = max((width - label - 1) // 8 * 8, 8)
    rows = [tuple(ranks[at : at + cells]) for at in range(0, len(ranks), cells)]
    return GridLayout(tuple(Block(f"r{row[0]}", row) for row in rows), label, cells, 1)
