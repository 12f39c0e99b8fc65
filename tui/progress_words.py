"""How far the reading is, for the app's head line and for a terminal that waits for a report."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, TextIO

from logtui.tui.wording import duration_text, size_text

if TYPE_CHECKING:
    from logtui.parsers.progress import Progress

NOT_BEFORE_S = 0.5
"""A line that is gone at once only flickers."""
EVERY_S = 0.2
TO_LINE_START, CLEAR_LINE = "\r", "\x1b[K"


def progress_words(progress: Progress, room: int, last: str = "") -> str:
    """`reading 42% · 14/33 files · 4.2 GB of 10.0 GB · 2.1 GB/s · 3 s left`, or less of it in so many columns; `last`
    ends it."""
    share, files = f"reading {progress.share:.0%}", f"{progress.files_done}/{progress.files} files"
    bytes_read = f"{size_text(progress.bytes_done)} of {size_text(progress.bytes)}"
    rate = f"{size_text(round(progress.bytes_per_s))}/s" if progress.bytes_per_s else ""
    left = f"{duration_text(progress.remaining_s)} left" if progress.remaining_s is not None else ""
    ways = ((share, files, bytes_read, rate, left, last), (share, bytes_read, left, last), (share, last))
    said = [" · ".join(filter(None, parts)) for parts in ways]
    return next((words for words in said if len(words) <= room), said[-1])


class ProgressLine:
    """One line on a terminal, written over again and again; nothing on what is no terminal."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._is_terminal = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._due = time.monotonic() + NOT_BEFORE_S
        self._stands = False
        self.trouble = ""
        """Why parts were read a second time, if any were."""

    def show(self, progress: Progress) -> None:
        """Say how far it is, if that was not said just now."""
        self.trouble = progress.trouble
        now = time.monotonic()
        ends = self._stands and progress.share >= 1.0
        if not self._is_terminal or (now < self._due and not ends):
            return
        self._due, self._stands = now + EVERY_S, True
        room = _columns(self._stream) - 1
        words = progress_words(progress, room) if progress.share < 1.0 else "all is read, diagnosing"
        self._write(words[:room])

    def clear(self) -> None:
        """Take the line away."""
        if self._stands:
            self._write("")
        self._stands = False

    def _write(self, words: str) -> None:
        self._stream.write(TO_LINE_START + words + CLEAR_LINE)
        self._stream.flush()


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80
