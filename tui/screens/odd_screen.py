"""The odd-lines view: what single ranks said, said last, or stopped saying, and what a healthy run does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from logtui.tui import help_texts
from logtui.tui.messages import LineChosen
from logtui.tui.odd_rows import OddRow, Section, sections
from logtui.tui.printable import printable
from logtui.tui.widgets.key_line import KeyLine
from logtui.tui.widgets.odd_list import OddList
from logtui.tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from logtui.diagnosis.odd_lines.findings import OddLines


class OddScreen(Screen[LineChosen | None]):
    """One section at a time; its result is the line to go to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,right,l", "section(1)", "Next section", key_display="tab", id="odd.next"),
        Binding("shift+tab,left,h", "section(-1)", "Previous section", show=False, id="odd.previous"),
        Binding("y", "copy", "Copy", show=False, id="odd.copy", tooltip="Copy file:line"),
        Binding("question_mark,f1", "explain", "Help", key_display="?", id="odd.help"),
        Binding("escape,b,q", "dismiss(None)", "Close", id="odd.close"),
    ]

    def __init__(self, found: OddLines, section: int = 0) -> None:
        super().__init__()
        self._found = found
        self.sections: tuple[Section, ...] = sections(found)
        self.number = section % len(self.sections)
        """Which of them is shown."""

    def compose(self) -> ComposeResult:
        """Sections, rows, what is odd about the one under the cursor, keys."""
        yield Static(id="odd-sections")
        yield OddList(id="odd-list")
        yield Static(id="odd-why")
        yield Static(id="odd-looked")
        yield KeyLine()

    @property
    def listed(self) -> OddList:
        """The rows."""
        return self.query_one(OddList)

    @property
    def row(self) -> OddRow | None:
        """The row under the cursor."""
        return self.listed.rows[self.listed.cursor] if self.listed.rows else None

    def on_mount(self) -> None:
        """Show the first section."""
        self.listed.focus()
        self.query_one("#odd-looked", Static).update(Content.styled(f"compared: {self._found.looked_at}", "dim"))
        self._show()

    def _show(self) -> None:
        names = [
            Content.styled(f"{s.name} {len(s.rows)}", "bold underline" if n == self.number else "")
            for n, s in enumerate(self.sections)
        ]
        self.query_one("#odd-sections", Static).update(Content(" │ ").join(names))
        self.listed.show(self.sections[self.number].rows)
        self._tell()

    def _tell(self) -> None:
        row = self.row
        words = (
            Content.styled(self.sections[self.number].empty, "dim")
            if row is None
            else Content.assemble(
                (printable(row.evidence.place), "bold"), f"  {row.why}\n", printable(row.evidence.text)
            )
        )
        self.query_one("#odd-why", Static).update(words, layout=False)

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Follow the cursor; on Enter, to the line."""
        message.stop()
        self._tell()
        if message.opened and (row := self.row) is not None:
            e = row.evidence
            why = f"odd: {row.why}"
            self.dismiss(LineChosen(e.file, e.line, e.rank, e.time, why, opened=True))

    def action_section(self, direction: int) -> None:
        """The next section."""
        self.number = (self.number + direction) % len(self.sections)
        self._show()

    def action_copy(self) -> None:
        """Copy where the row's line stands."""
        if self.row is not None:
            self.app.copy_to_clipboard(self.row.evidence.place)
            self.notify(self.row.evidence.place, title="copied", markup=False)

    def action_explain(self) -> None:
        """What this screen is."""
        from logtui.tui.commands import keys_here
        from logtui.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(help_texts.ODD_LINES, keys_here(self)))
