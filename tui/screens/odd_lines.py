"""The odd-lines view: what single ranks said, said last, or stopped saying, and what a healthy run does not say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from logtui.tui.shared.messages import LineChosen
from logtui.tui.shared.prefixes import without_prefix
from logtui.tui.shared.wording import duration_text, printable, ranks_text, shortened, time_text
from logtui.tui.widgets.key_line import KeyLine
from logtui.tui.widgets.row_list import Cells, RowList

if TYPE_CHECKING:
    from logtui.diagnosis.model.analyses import OddLine, OddLines
    from logtui.diagnosis.model.evidence import Evidence

SEVERE, PLAIN = "✖", " "

WHO, NUMBER = 14, 9


@dataclass(frozen=True, slots=True)
class OddRow:
    """One row; Enter leads to its evidence."""

    mark: str
    who: str
    number: str
    """How often, or for how long."""
    evidence: Evidence
    why: str

    @property
    def text(self) -> str:
        """The line without what stands in other columns."""
        return printable(without_prefix(self.evidence.text))


@dataclass(frozen=True, slots=True)
class Section:
    """Rows of one kind."""

    name: str
    rows: tuple[OddRow, ...]
    empty: str
    """What is said where there are none."""


def sections(found: OddLines) -> tuple[Section, ...]:
    """Those with a healthy run's come first where there is one."""
    odd = Section("said by few", tuple(map(_odd_row, found.odd)), "no line stands out")
    words = tuple(
        OddRow(PLAIN, f"rank {w.rank}", "" if w.silent_s is None else duration_text(w.silent_s), w.evidence,
               "last words; what watchdogs and launchers print after them does not count")
        for w in found.last_words
    )  # fmt: skip
    silent = Section("fell silent", words, "no line names the rank that wrote it")
    gone = tuple(
        OddRow(PLAIN, f"rank {u.rank}", "" if u.early_s is None else duration_text(u.early_s), u.evidence,
               f"never said it, {u.others} others did; this is one of theirs" if u.early_s is None
               else f"the last time it said this; {u.others} others went on for {duration_text(u.early_s)}")
        for u in found.unsaid
    )  # fmt: skip
    unsaid = Section("stopped saying", gone, "every rank says what the others say")
    if found.baseline is None:
        return odd, silent, unsaid
    name = printable(found.baseline)
    new = Section(f"not in {name}", tuple(map(_odd_row, found.new)), f"{name} says all of this job's lines too")
    return new, odd, silent, unsaid


def _odd_row(odd: OddLine) -> OddRow:
    who = f"rank {ranks_text(odd.ranks, 2)}" if odd.ranks else printable(odd.writers[0])
    others = odd.said_by - max(len(odd.ranks), 1)
    who += f" +{others}" if others else ""
    extra = f"; {odd.folded} more kinds of lines around it" if odd.folded else ""
    known = "; a declared format knows it, and rules weighed it" if odd.declared else ""
    return OddRow(SEVERE if odd.severe else PLAIN, who, f"{odd.count}×", odd.evidence, f"{odd.why}{extra}{known}")


class OddList(RowList):
    """Time, who, how often, what, and where."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: tuple[OddRow, ...] = ()

    def show(self, rows: tuple[OddRow, ...]) -> None:
        """Show these from the first one."""
        self.rows, self.cursor = rows, 0
        self.show_rows(len(rows))
        self.scroll_to(y=0, animate=False, force=True, immediate=True)

    def cells(self, row: int, width: int) -> Cells:
        """`15:42:03 ✖ rank 57   12×  what   file:line`, the place only where there is room for it."""
        one = self.rows[row]
        style = "error" if one.mark == SEVERE else ""
        cells = [
            (f"{time_text(one.evidence.time)} ", "dim"),
            (f"{one.mark} ", style),
            (f"{shortened(one.who, WHO):<{WHO}} ", "bold"),
            (f"{one.number:>{NUMBER}}  ", "dim"),
        ]
        place = printable(f"  {one.evidence.place}")
        room = width - sum(len(text) for text, _ in cells)
        if len(place) < room // 2:
            return [*cells, (one.text[: room - len(place)].ljust(room - len(place)), style), (place, "dim")]
        return [*cells, (one.text, style)]


HELP = """\
## Odd lines

Lines of all ranks with their numbers, paths and addresses masked, compared with each other and against time. No rule
stands behind them: they help where a failure is one that nobody declared.

- **said by few**: what one rank said that no other did, what speaks of trouble (`✖`) and comes late first
- **fell silent**: the last words of every rank, who fell silent first first, and for how long until the end
- **stopped saying**: lines that a rank stopped saying before the others did, or never said
- **not in …**: with `--baseline DIR`, what a healthy run does not say, the rarest first

Of large files beginnings, ends and what leads to the first sign of trouble are compared; the last line says how much.

**tab** sections · **enter** the line · **y** copy `file:line` · **b** or **escape** back
"""


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
        from logtui.tui.screens.commands import keys_here
        from logtui.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(HELP, keys_here(self)))
