"""A cell per rank: glyph and colour by state, 16,384 of them without a wait."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from logtui.tui.panes.ranks.arrangement import GAP, Arrangement, Arranger, GridLayout, RankBlock
from logtui.tui.panes.ranks.modes.reading import UNKNOWN, Reading
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.looks import LOOKS
from logtui.tui.widgets.row_list import ComponentStyles

EMPTY = GridLayout((), 0, 1, 1)
NOTHING = Reading({}, ())


class RankGrid(ScrollView, can_focus=True, inherit_bindings=False):
    """The ranks of the job. A row is drawn once and kept until a state in it changes."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "rank-grid--label",
        "rank-grid--odd-label",
        "rank-grid--cursor",
        "rank-grid--guessed",
        *(f"rank-grid--{look.css}" for look in LOOKS),
    }

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Proof", id="ranks.open"),
        Binding("left,h", "move(-1,0)", "Left", show=False, id="ranks.left"),
        Binding("right,l", "move(1,0)", "Right", show=False, id="ranks.right"),
        Binding("up,k", "move(0,-1)", "Up", show=False, id="ranks.up"),
        Binding("down,j", "move(0,1)", "Down", show=False, id="ranks.down"),
        Binding("home,g", "edge(0)", "First rank", show=False, id="ranks.first"),
        Binding("end,G", "edge(-1)", "Last rank", show=False, id="ranks.last"),
        Binding("pageup,ctrl+b", "page(-1)", "Page up", show=False, id="ranks.page-up"),
        Binding("pagedown,ctrl+f", "page(1)", "Page down", show=False, id="ranks.page-down"),
        Binding("n", "outlier(1)", "Next odd rank", show=False, id="ranks.next-odd"),
        Binding("N", "outlier(-1)", "Previous odd rank", show=False, id="ranks.previous-odd"),
        Binding("slash", "ask", "Go to", key_display="/", id="ranks.jump", tooltip="A rank by number, a node by name"),
    ]

    class Moved(Message):
        """The cursor stands on another rank, or Enter was pressed on it."""

        def __init__(self, rank: int, opened: bool = False) -> None:
            super().__init__()
            self.rank = rank
            self.opened = opened

    @dataclass
    class Shared(Message):
        """A cell stands for another number of ranks than before."""

        per_cell: int

    class Asked(Message):
        """The user wants to name a rank or a node."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.layout_of_ranks = EMPTY
        self.cursor: int | None = None
        self._view: CaseView | None = None
        self._reading = NOTHING
        self._wanted = Arrangement()
        self._outliers: frozenset[int] = frozenset()
        self._guessed: frozenset[int] = frozenset()
        self._arranger: Arranger | None = None
        self._strips: dict[int, Strip] = {}
        self._look_styles: dict[str, Style] = {}
        self._look = ComponentStyles(self, "rank-grid")

    def show(self, view: CaseView, reading: Reading, wanted: Arrangement, cursor: int | None) -> None:
        """Show what a mode says of the ranks; only rows in which a look changed are drawn again."""
        if view is not self._view or self._arranger is None:
            self._arranger = Arranger(view)
        old, self._reading, self._view, self._wanted = self._reading, reading, view, wanted
        self._outliers, self._guessed = reading.odd_ones, view.guessed
        if not self._lay_out():
            self._refresh_changed(old)
        self.move_to(cursor)
        self._reveal()

    def move_to(self, rank: int | None) -> None:
        """Put the cursor on a rank without telling anyone."""
        if rank == self.cursor:
            return
        rows = {self.layout_of_ranks.row_of(r) for r in (rank, self.cursor) if r is not None}
        self.cursor = rank
        for y in rows:
            self._refresh_row(y)
        self._reveal()

    def _lay_out(self) -> bool:
        """Lay the ranks out for what is shown now; whether that moved any."""
        if self._arranger is None or not self.size:
            return False
        laid = self._arranger.lay_out(self._reading, self._wanted, self.size.width, self.size.height)
        if laid is self.layout_of_ranks or laid == self.layout_of_ranks:
            return False
        if laid.per_cell != self.layout_of_ranks.per_cell:
            self.post_message(self.Shared(laid.per_cell))
        self.layout_of_ranks = laid
        self._strips.clear()
        self.virtual_size = Size(laid.width, laid.rows)
        self.refresh()
        return True

    def _refresh_changed(self, old: Reading) -> None:
        """Draw those rows in sight anew that another reading makes look otherwise; others when they come in sight."""
        if old is self._reading:
            return
        top = self.scroll_offset.y
        shown = range(top, min(top + self.size.height, self.layout_of_ranks.rows))
        changed = [y for y in shown if self._differs(y, old)]
        self._strips = {y: self._strips[y] for y in shown if y in self._strips and y not in changed}
        if changed:
            self.refresh(*(Region(0, y - top, self.size.width, 1) for y in changed))

    def _differs(self, y: int, old: Reading) -> bool:
        was, now, odd_before, odd = old.looks, self._reading.looks, old.odd_ones, self._outliers
        ranks = (rank for block in self.layout_of_ranks.row(y) for rank in block.ranks)
        return any(was.get(r) != now.get(r) or (r in odd_before) is not (r in odd) for r in ranks)

    def _refresh_row(self, y: int | None) -> None:
        if y is not None:
            self._strips.pop(y, None)
            self.refresh(Region(0, y - self.scroll_offset.y, self.size.width, 1))

    def _reveal(self) -> None:
        """Scroll the cursor's row into sight."""
        y = self.layout_of_ranks.row_of(self.cursor) if self.cursor is not None else None
        if y is not None and self.size.height:
            top = self.scroll_offset.y
            if not top <= y < top + self.size.height:
                self.scroll_to(y=max(0, y - self.size.height // 2), animate=False, force=True, immediate=True)

    def on_resize(self, event: events.Resize) -> None:
        """Rows follow the width, and the cursor stays in sight; how far there is to scroll is known after this."""
        self._lay_out()
        self.call_after_refresh(self._reveal)

    def notify_style_update(self) -> None:
        """Forget what was drawn in another theme."""
        super().notify_style_update()
        self._look_styles.clear()
        self._look.clear()
        self._strips.clear()

    def render_line(self, y: int) -> Strip:
        """One row of nodes, from the kept strips where nothing changed."""
        x, top = self.scroll_offset
        row = y + top
        if row >= self.layout_of_ranks.rows:
            return Strip.blank(self.size.width, self._look.base)
        if row not in self._strips:
            self._strips[row] = self._build(row)
        return self._strips[row].crop_extend(x, x + self.size.width, self._look.base)

    def _style(self, name: str) -> Style:
        if name not in self._look_styles:
            self._look_styles[name] = self.get_component_rich_style(f"rank-grid--{name}")
        return self._look_styles[name]

    def _build(self, row: int) -> Strip:
        segments: list[Segment] = []
        for block in self.layout_of_ranks.row(row):
            segments.extend(self._block(block))
        return Strip(segments)

    def _block(self, block: RankBlock) -> list[Segment]:
        """Label and cells of a node; equal neighbours share a segment."""
        laid, looks = self.layout_of_ranks, self._reading.looks
        odd = any(rank in self._outliers for rank in block.ranks)
        label = block.label.ljust(laid.label_width + 1)
        segments = [Segment(label, self._style("odd-label" if odd else "label"))]
        drawn, guessed = laid.drawn(block, self.cursor, self._reading), self._guessed
        shown = [(looks.get(r, UNKNOWN), here, r in guessed) for r, here in drawn]
        for (look, at_cursor, is_guess), run in groupby(shown):
            style = self._style(look.css) + self._style("guessed") if is_guess else self._style(look.css)
            style = style + self._style("cursor") if at_cursor else style
            segments.append(Segment(look.glyph * len(list(run)), style))
        if block.note:
            return [*segments, Segment(block.note, self._style("label"))]
        return [*segments, Segment(" " * (laid.cells - len(shown) + GAP), self._look.base)]

    def _go(self, rank: int) -> None:
        if rank != self.cursor:
            self.move_to(rank)
            self.post_message(self.Moved(rank))

    def _meant(self, first: int) -> int:
        """The rank that is meant by pointing at a cell: the cursor's, if it stands there, or the oddest."""
        laid = self.layout_of_ranks
        row = next(block for block in laid.blocks if first in block.ranks)
        at = row.ranks.index(first)
        cell = row.ranks[at : at + laid.per_cell]
        return self.cursor if self.cursor is not None and self.cursor in cell else self._reading.oddest(cell)

    def action_move(self, dx: int, dy: int) -> None:
        """One cell along."""
        if self.cursor is not None:
            self._go(self.layout_of_ranks.moved(self.cursor, dx, dy))

    def action_page(self, direction: int) -> None:
        """One screen of rows along."""
        if self.cursor is not None:
            self._go(self.layout_of_ranks.moved(self.cursor, 0, direction * max(self.size.height - 1, 1)))

    def action_edge(self, at: int) -> None:
        """The first or the last rank."""
        if self._view and self._view.ranks:
            self._go(self._view.ranks[at])

    def action_outlier(self, direction: int) -> None:
        """The next rank that does not look as most do."""
        odd = self._reading.outliers
        if odd:
            at = odd.index(self.cursor) + direction if self.cursor in self._outliers else 0
            self._go(odd[at % len(odd)])

    def action_ask(self) -> None:
        """Ask for a rank or a node to go to."""
        self.post_message(self.Asked())

    def action_open(self) -> None:
        """Ask for the line that proves the cursor's rank."""
        if self.cursor is not None:
            self.post_message(self.Moved(self.cursor, opened=True))

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a second one on the same rank opens it."""
        rank = self.layout_of_ranks.rank_at(event.x + self.scroll_offset.x, event.y + self.scroll_offset.y)
        if rank is not None and self.layout_of_ranks.per_cell > 1:
            rank = self._meant(rank)
        if rank is not None:
            self.post_message(self.Moved(rank, opened=rank == self.cursor))
            self.move_to(rank)
