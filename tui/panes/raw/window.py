"""Which lines stand where on the screen, and their text, page by page, for a widget that must not wait.

A page that arrives within a few milliseconds is shown in the same frame; a slower one (a packed file being
unpacked, a network file system) is announced when it is there, and blank until then.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from typing import TYPE_CHECKING

from logtui.tui.shared.wording import printable

if TYPE_CHECKING:
    from logtui.parsers.files.case import Case
    from logtui.tui.panes.raw.judging import ShownLines

PAGE_LINES = 128
PAGES_KEPT = 64
PATIENCE_S = 0.01
"""How long a frame may wait for pages."""
FRAME_S = 0.03
"""Pages that are asked for within that time after one was waited for belong to the same frame."""
LINE_CHARS = 10_000
"""Characters of a line that are drawn; how many are left out in its middle is said there."""


@dataclass(frozen=True, slots=True)
class AllLines:
    """Row 0 is line 1."""

    count: int

    def lines(self, row: int, count: int) -> list[int]:
        """The lines on up to `count` rows from one on."""
        return list(range(max(row, 0) + 1, min(row + count, self.count) + 1))

    def row(self, line: int) -> int:
        """The row of a line."""
        return min(max(line, 1) - 1, self.count)


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


class LinePages:
    """A bounded cache of the lines of one file. Lines count from 1."""

    def __init__(self, case: Case, file: int, arrived: Callable[[], object]) -> None:
        """`arrived` is called from another thread when a page that was late is there."""
        self._case, self._file, self._arrived = case, file, arrived
        self._pages: OrderedDict[int, list[str]] = OrderedDict()
        self._late: dict[int, Future[list[str]]] = {}
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="lines")
        self._waited_s, self._waited_at = 0.0, 0.0
        self.width = 0
        """Characters of the longest line seen so far."""

    def close(self) -> None:
        """Stop reading; pages on their way are dropped."""
        self._reader.shutdown(wait=False, cancel_futures=True)

    def line(self, number: int) -> str | None:
        """A line's text; "" past the end, None while its page is on its way."""
        page, at = divmod(number - 1, PAGE_LINES)
        lines = self._page(page)
        if lines is None:
            return None
        return lines[at] if at < len(lines) else ""

    def _page(self, page: int) -> list[str] | None:
        if page in self._pages:
            self._pages.move_to_end(page)
            return self._pages[page]
        if page in self._late:
            return self._take(page) if self._late[page].done() else None
        self._late[page] = self._reader.submit(self._read, page)
        if not self._wait_for(self._late[page]):
            self._late[page].add_done_callback(self._announce)
            return None
        return self._take(page)

    def _wait_for(self, page: Future[list[str]]) -> bool:
        """Whether a page is there before the patience of this frame is used up."""
        began = time.monotonic()
        if began - self._waited_at > FRAME_S:
            self._waited_s = 0.0
        try:
            page.result(max(PATIENCE_S - self._waited_s, 0.0))
        except NotYet:
            return False
        finally:
            self._waited_at = time.monotonic()
            self._waited_s += self._waited_at - began
        return True

    def _take(self, page: int) -> list[str]:
        lines = self._pages[page] = self._late.pop(page).result()
        self.width = max(self.width, *(len(line) for line in lines), 0)
        while len(self._pages) > PAGES_KEPT:
            self._pages.popitem(last=False)
        return lines

    def _read(self, page: int) -> list[str]:
        read = self._case.lines(self._file, page * PAGE_LINES + 1, PAGE_LINES)
        return [drawable(line) for line in read]

    def _announce(self, future: Future[list[str]]) -> None:
        if not future.cancelled():
            self._arrived()


def drawable(line: str) -> str:
    """A line as it is drawn: printable; of one longer than that its head and its end, where what decides may stand."""
    if len(line) <= LINE_CHARS:
        return printable(line)
    head, tail = line[: LINE_CHARS // 2], line[-LINE_CHARS // 2 :]
    return f"{printable(head)} … {len(line) - LINE_CHARS:,} more characters … {printable(tail)}"
