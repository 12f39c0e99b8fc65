"""The flight-recorder view: who launched what, number by number, where groups hang; one operation in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from logtui.diagnosis.dumps.findings import Chart, FlightRecorderFindings, StackGroup, charts, stacks_at
from logtui.diagnosis.dumps.groups import Position
from logtui.diagnosis.dumps.matrix import Matrix
from logtui.parsers.dumps.dump import Entry
from logtui.tui.panes.ranks.arrangement import short_host
from logtui.tui.screens.dump_grid import DumpGrid
from logtui.tui.screens.dump_words import (
    MatchingLine,
    cell_words,
    entry_page,
    legend,
    log_row,
    matching_line,
    newest_entry,
    other_stacks,
    own_stack,
)
from logtui.tui.screens.overlay import Overlay
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.messages import LineChosen
from logtui.tui.shared.wording import count_text, printable
from logtui.tui.widgets.key_line import KeyLine

WIDE = 100
"""Columns from which on the title has room for what the screen is."""


class DumpEntryScreen(Overlay[bool]):
    """A page; its result is whether the log line is wanted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "dismiss(True)", "Log line", id="entry.line"),
        Binding("escape,q", "dismiss(False)", "Close", id="entry.close"),
        Binding("j", "scroll(1)", "Down", show=False),
        Binding("k", "scroll(-1)", "Up", show=False),
    ]

    def __init__(self, title: str, lines: Sequence[Content]) -> None:
        super().__init__()
        self._page_title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        """The page, scrollable."""
        with VerticalScroll(id="dump-entry"):
            yield Static(Content("\n").join(self._lines), id="dump-entry-text")

    def on_mount(self) -> None:
        """Say whose it is and what the keys do."""
        box = self.query_one("#dump-entry")
        box.border_title = Content(self._page_title)
        box.border_subtitle = "enter log line · esc closes"

    def action_scroll(self, lines: int) -> None:
        """A line up or down."""
        self.query_one("#dump-entry").scroll_relative(y=lines, animate=False)


HELP = """\
## Flight recorder

A row per rank, a column per operation of one process group, aligned by its sequence number: what every rank's
recorder held when the job died.

- `◆` not launched · `■` launched, not finished · `▶` running on the device · `─` finished
- `≠` another operation than most ranks called · `×` no dump · `?` the ring no longer holds it

`▼` and the shaded column are the front: the lowest number that somebody has launched and somebody has not finished.
`▸` marks odd ranks. Sends and receives are numbered by each rank for itself.

**arrows** move · **enter** all that was recorded, with the stacks of all ranks, and from there the log line ·
**p** / **P** process groups, those that hang first · **n** / **N** odd ranks · **s** odd ranks first ·
**0** to the front
"""


class DumpScreen(Screen[LineChosen | None]):
    """Ranks × operations of one group at a time; its result is the log line to go to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "group(1)", "Next group", id="dumps.next-group", tooltip="Next process group"),
        Binding("P", "group(-1)", "Previous group", show=False, id="dumps.previous-group"),
        Binding("s", "sort", "Odd first", id="dumps.sort", tooltip="Odd ranks first, and back"),
        Binding("y", "copy", "Copy", show=False, id="dumps.copy", tooltip="Copy the dump's file and entry"),
        Binding("question_mark,f1", "explain", "Help", key_display="?", id="dumps.help"),
        Binding("escape,d,q", "dismiss(None)", "Close", id="dumps.close"),
    ]

    @dataclass
    class Built(Message):
        """The cells of a group are there."""

        number: int
        matrix: Matrix

    def __init__(self, view: CaseView, dumps: FlightRecorderFindings, rank: int | None, group: str | None) -> None:
        super().__init__()
        self._view, self._dumps = view, dumps
        self._rank = rank
        self.charts: tuple[Chart, ...] = charts(dumps)
        asked = (n for n, chart in enumerate(self.charts) if group is not None and chart.group.name == group)
        self.number = next(asked, 0)
        """Which of the charts is shown."""
        self.odd_first = False

    def compose(self) -> ComposeResult:
        """Head, cells, words, keys."""
        yield Static(id="dump-title")
        yield DumpGrid(id="dump-grid")
        yield Static(id="dump-cell")
        yield Static(id="dump-legend")
        yield KeyLine()

    @property
    def grid(self) -> DumpGrid:
        """The cells."""
        return self.query_one(DumpGrid)

    @property
    def chart(self) -> Chart | None:
        """What is shown; None where the dumps hold no operation at all."""
        return self.charts[self.number] if self.charts else None

    def on_mount(self) -> None:
        """Show the group asked for."""
        self.grid.focus()
        self._load()

    def _load(self) -> None:
        chart = self.chart
        self.query_one("#dump-title", Static).update(self._title(chart))
        if chart is not None:
            self.build(self.number, chart)

    def _title(self, chart: Chart | None) -> Content:
        found, absent = self._dumps, len(self._dumps.missing)
        read = [count_text(found.dumps, "dump")]
        read += [f"{count_text(absent, 'rank')} without"] if absent else []
        read += [f"{count_text(len(found.refused), 'file')} refused"] if found.refused else []
        if chart is None:
            return Content.assemble(("flight recorder", "bold"), f"  no operation recorded · {' · '.join(read)}")
        where = f" ({self.number + 1}/{len(self.charts)})"
        waiting = f"{count_text(chart.pending, 'rank')} with something unfinished · " if chart.pending else ""
        lead = "flight recorder  " if self.size.width >= WIDE else ""
        return Content.assemble(
            (lead, "dim"), (printable(chart.label), "bold"), where, (f"  {waiting}{' · '.join(read)}", "dim")
        )

    @work(thread=True, exclusive=True, exit_on_error=False, group="dump-cells", name="dump-cells", description="-")
    def build(self, number: int, chart: Chart) -> None:
        """Post the cells of a group."""
        self.post_message(self.Built(number, chart.matrix()))

    def on_dump_screen_built(self, message: Built) -> None:
        """Draw them, unless another group was asked for meanwhile."""
        if message.number == self.number:
            self._show(message.matrix)

    def _show(self, matrix: Matrix) -> None:
        odd = matrix.odd_rows
        rows = range(len(matrix.ranks))
        order = [*odd, *(row for row in rows if row not in set(odd))] if self.odd_first else list(rows)
        row = matrix.ranks.index(self._rank) if self._rank in matrix.ranks else odd[0] if odd else 0
        self.grid.show(matrix, [self._label(rank) for rank in matrix.ranks], order, row)
        self._tell()

    def _host(self, rank: int) -> str:
        state = self._view.states.get(rank)
        return printable(short_host(state.host or ""))[-15:] if state else ""

    def _label(self, rank: int) -> str:
        return f"{rank:>{len(str(self._dumps.joined.dumps.dumps[-1].rank))}} {self._host(rank)}".rstrip()

    def _entry(self, matrix: Matrix, row: int, column: int) -> Entry | None:
        index = int(matrix.rows[row, column]) if matrix.seqs else -1
        return self._dumps.entry(matrix.ranks[row], index) if index >= 0 else None

    def _tell(self) -> None:
        """What stands under the cursor."""
        grid, matrix = self.grid, self.grid.matrix
        if matrix is None or not matrix.seqs:
            return
        entry = self._entry(matrix, grid.row, grid.column)
        words = cell_words(matrix, grid.row, grid.column, entry, self._host(matrix.ranks[grid.row]))
        self.query_one("#dump-cell", Static).update(words, layout=False)
        self.query_one("#dump-legend", Static).update(legend(matrix, grid.column), layout=False)

    def on_dump_grid_moved(self, message: DumpGrid.Moved) -> None:
        """Follow the cursor; on Enter, all there is about the cell."""
        matrix = self.grid.matrix
        if matrix is None:
            return
        self._rank = matrix.ranks[message.row]
        self._tell()
        if message.opened:
            self._open(matrix, message.row, message.column)

    def _open(self, matrix: Matrix, row: int, column: int) -> None:

        chart, rank, seq = self.chart, matrix.ranks[row], matrix.seqs[column]
        assert chart is not None, "a cell belongs to a chart"
        entry = self._entry(matrix, row, column)
        created = entry.created_ns / 1e9 if entry and entry.created_ns else None
        line = matching_line(self._view, rank, chart.group.name, seq, created)
        lines = [cell_words(matrix, row, column, entry, self._host(rank)), Content("")]
        dump = self._dumps.joined.dumps.by_rank.get(rank)
        if entry is None or dump is None:
            lines += [*(newest_entry(dump) if dump else ()), log_row(line)]
        else:
            whole = self._view.facts is not None
            lines += [*entry_page(chart, dump, entry, line), *own_stack(entry.stack, whole=whole)]
        lines += other_stacks(self._stacks(chart, seq))
        title = f"rank {rank} · #{seq} of {printable(chart.label)}"
        self.app.push_screen(DumpEntryScreen(title, lines), lambda wanted: self._leave(wanted, rank, line))

    def _stacks(self, chart: Chart, seq: int) -> tuple[StackGroup, ...]:
        """Of sends and receives every rank counts its own: there is nothing to compare."""
        if chart.transfers:
            return ()
        logs = chart.group.logs
        return stacks_at(chart.group, seq, {r for r, log in logs.items() if log.position(seq) is Position.MISSING})

    def _leave(self, wanted: bool | None, rank: int, line: MatchingLine | None) -> None:
        """Close this screen for the log line, where it is wanted and there is one."""
        if not wanted:
            return
        if line is None:
            self.notify(f"no line of rank {rank} was found", severity="warning")
            return
        self.dismiss(LineChosen(line.file, line.line, rank, line.time, line.how, opened=True))

    def action_group(self, direction: int) -> None:
        """The next process group, or the other numbering of the same one."""
        if len(self.charts) > 1:
            self.number = (self.number + direction) % len(self.charts)
            self._load()

    def action_sort(self) -> None:
        """Odd ranks first, and back."""
        self.odd_first = not self.odd_first
        if self.grid.matrix is not None:
            self._show(self.grid.matrix)

    def action_copy(self) -> None:
        """Copy where in which dump the cursor stands."""
        matrix = self.grid.matrix
        entry = self._entry(matrix, self.grid.row, self.grid.column) if matrix else None
        if matrix is None or entry is None:
            self.notify("there is no entry", severity="warning")
            return
        place = f"{self._dumps.joined.dumps.by_rank[matrix.ranks[self.grid.row]].file} entry {entry.index}"
        self.app.copy_to_clipboard(place)
        self.notify(place, title="copied", markup=False)

    def action_explain(self) -> None:
        """What this screen is."""
        from logtui.tui.screens.commands import keys_here
        from logtui.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(HELP, keys_here(self)))
