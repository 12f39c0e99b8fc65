"""Every file that was found: what it is, how long, and why it was not read if it was not."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult

from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.messages import LineChosen
from logtui.tui.shared.selection import Selection
from logtui.tui.shared.wording import count_text, is_trouble, printable, shortened, size_text
from logtui.tui.widgets.pane import Pane, PaneRow
from logtui.tui.widgets.row_list import Cells, RowList


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file as it is listed."""

    name: str
    kind: str
    size: int | None
    lines: int | None
    """None where it was not scanned."""
    problem: str = ""

    @property
    def readable(self) -> bool:
        """Whether its lines can be shown."""
        return self.size is not None

    @property
    def trouble(self) -> bool:
        """Whether something was there and was not read."""
        return is_trouble(self.problem)


def file_rows(view: CaseView) -> list[FileRow]:
    """Files that were not read first: silence must be seen; then the others in their order."""
    case = view.case
    problems = dict(view.report.coverage.files_unread)
    if case is not None:
        problems |= {unread.file: unread.why for unread in case.unread}
    rows: list[FileRow] = []
    for file in case.files if case else ():
        index = case.indexes.get(file.index) if case else None
        lines = index.lines if index else None
        rows.append(FileRow(file.name, file.kind.value, file.size, lines, problems.pop(file.name, "")))
    lost = [FileRow(name, "", None, None, why) for name, why in problems.items()]
    return sorted([*lost, *rows], key=lambda row: 0 if row.trouble else 2 if row.problem else 1)


class FileList(RowList):
    """Name, kind, size, lines."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.files: list[FileRow] = []
        self.row_of: dict[str, int] = {}

    def show_files(self, files: list[FileRow]) -> None:
        """List these."""
        self.files, self.row_of = files, {file.name: n for n, file in enumerate(files)}
        self.show_rows(len(files))

    def cells(self, row: int, width: int) -> Cells:
        """`name   kind   size   lines`, or why it was not read."""
        file = self.files[row]
        mark = "✖ " if file.trouble else "  "
        if file.problem:
            about = f"  {printable(file.problem)}"
            room = max(width - len(about) - 2, 16)
        else:
            lines = f"{file.lines:,}" if file.lines is not None else "–"
            about = f" {file.kind:<7} {size_text(file.size or 0):>7} {lines:>{8 if width < 60 else 12}}"
            room = max(width - len(about) - 2, 8)
        name = shortened(printable(file.name), room).ljust(room)
        return [(mark, "error"), (name, "" if file.readable else "dim"), (about, "error" if file.trouble else "dim")]


HELP = """\
## Files

Every file below the given paths with its kind, size and number of lines. `✖`: not read, or not to its end, and
why. What was not read is also counted in the head line.

**enter** opens the file · **f** finds one by a few letters of its name
"""


class FilePane(Pane):
    """All files."""

    HELP_TEXT = HELP

    def compose_pane(self) -> ComposeResult:
        """One list."""
        yield FileList(id="file-list")

    @property
    def listed(self) -> FileList:
        """The rows."""
        return self.query_one(FileList)

    def watch_view(self, view: CaseView | None) -> None:
        """Show a newer reading."""
        if view is not None:
            rows = file_rows(view)
            self.listed.show_files(rows)
            unread = sum(row.trouble for row in rows)
            self.heading.note = count_text(len(rows), "file") + (f" · {unread} with trouble" if unread else "")
            self._follow(self.selection)

    def watch_selection(self, selection: Selection) -> None:
        """Follow the selection."""
        self._follow(selection)

    def _follow(self, selection: Selection) -> None:
        at = self.listed.row_of.get(selection.file or "")
        if at is not None:
            self.listed.move_to(at)

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Show the file; a file that is shown already keeps its line."""
        message.stop()
        row = self.listed.files[message.row]
        if not row.readable:
            self.notify(f"{row.name}: {row.problem}", severity="warning", markup=False)
        elif row.name == self.selection.file and self.selection.line:
            self.post_message(LineChosen(row.name, self.selection.line, opened=message.opened))
        else:
            self.post_message(LineChosen(row.name, 1, step=not message.opened, opened=message.opened))


PANE = PaneRow("files", FilePane, key=4)
