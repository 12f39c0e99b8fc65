"""Lines of one file, page by page, for a widget that must not wait.

A page that arrives within a few milliseconds is shown in the same frame; a slower one (a packed file being
unpacked, a network file system) is announced when it is there, and blank until then.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from typing import TYPE_CHECKING

from logtui.tui.printable import printable

if TYPE_CHECKING:
    from logtui.parsers.case import Case

PAGE_LINES = 128
PAGES_KEPT = 64
PATIENCE_S = 0.01
"""How long a frame may wait for pages."""
FRAME_S = 0.03
"""Pages that are asked for within that time after one was waited for belong to the same frame."""
LINE_CHARS = 10_000
"""Characters of a line that are drawn; how many follow is said at its end."""


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
    """A line as it is drawn: printable, and its length said where it is longer than that."""
    shown = printable(line[:LINE_CHARS])
    return shown if len(line) <= LINE_CHARS else f"{shown} … {len(line) - LINE_CHARS:,} more characters"
