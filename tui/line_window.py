"""Which lines stand where on a screen of a given height: scrolling, hidden lines, and lines that take several rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from logtui.tui.all_lines import AllLines

if TYPE_CHECKING:
    from logtui.tui.shown_lines import ShownLines


class LineWindow:
    """A window over the shown lines of a file. Its top is kept as a line, so that it stays where lines come and go."""

    def __init__(self, pieces_of: Callable[[int], int]) -> None:
        """`pieces_of` says how many rows of the screen a line takes."""
        self._pieces_of = pieces_of
        self.shown: ShownLines = AllLines(0)
        self.top = 1
        """First line shown, or a hidden one before it."""
        self.height = 1
        self.wrapped = False
        self.unfolded = 0
        """A line that is shown whole though the others are not; 0 for none."""
        self._laid: list[tuple[int, int]] | None = None

    def forget(self) -> None:
        """What was laid out is not so any more."""
        self._laid = None

    def rows(self) -> list[tuple[int, int]]:
        """(line, which piece of it) for each row of the screen, top down; fewer where the file ends."""
        if self._laid is None:
            lines = self.shown.lines(self.shown.row(self.top), self.height)
            laid = [(line, piece) for line in lines for piece in range(self._height_of(line))]
            self._laid = laid[: self.height]
        return self._laid

    def _height_of(self, line: int) -> int:
        return self._pieces_of(line) if self.is_whole(line) else 1

    def is_whole(self, line: int) -> bool:
        """Whether all of a line is shown, on as many rows as that takes."""
        return self.wrapped or line == self.unfolded

    def rows_of(self, line: int) -> range:
        """The rows of the screen that a line takes; empty where it is out of sight."""
        at = [y for y, (number, _) in enumerate(self.rows()) if number == line]
        return range(at[0], at[-1] + 1) if at else range(0)

    def holds(self, line: int) -> bool:
        """Whether all of a line is in sight."""
        return len(self.rows_of(line)) == self._height_of(line)

    def scroll_to(self, top: int) -> bool:
        """Put a line on top, but leave nothing empty below the last one; whether anything moved."""
        last = self._before(self.shown.count - 1, self.height)
        return self._set_top(min(self.shown.row(top), last))

    def scroll(self, lines: int) -> bool:
        """Move by some shown lines."""
        last = self._before(self.shown.count - 1, self.height)
        return self._set_top(min(self.shown.row(self.top) + lines, last))

    def show(self, line: int, *, centre: bool, always: bool = False) -> bool:
        """Bring a line in sight, at the nearer edge or in the middle; whether anything moved."""
        if self.holds(line) and not always:
            return False
        row = self.shown.row(line)
        if centre:
            top = self._before(row, max(self.height // 2 + 1, 1))
        else:
            top = row if row <= self.shown.row(self.top) else self._before(row, self.height)
        last = self._before(self.shown.count - 1, self.height)
        return self._set_top(min(top, last))

    def _before(self, row: int, room: int) -> int:
        """The first row of the file from which all lines to `row` fit into some rows of the screen."""
        if not self.wrapped and not self.unfolded:
            return row - room + 1
        first = max(row - room + 1, 0)
        for line in reversed(self.shown.lines(first, row - first + 1)):
            room -= self._height_of(line)
            if room < 0:
                return min(self.shown.row(line) + 1, row)
        return first

    def _set_top(self, row: int) -> bool:
        found = self.shown.lines(max(row, 0), 1)
        top = found[0] if found else 1
        moved, self.top = top != self.top, top
        if moved:
            self.forget()
        return moved

    def step(self, line: int, rows: int) -> int:
        """The shown line some rows on from another one, or the first or last."""
        row = self.shown.row(line)
        if rows > 0 and not self._is_shown(line, row):
            rows -= 1  # the next shown line is already one step
        found = self.shown.lines(max(0, min(row + rows, self.shown.count - 1)), 1)
        return found[0] if found else line

    def _is_shown(self, line: int, row: int) -> bool:
        return self.shown.lines(row, 1) == [line]
