"""What was read of a case, where a span of time was asked for."""

from __future__ import annotations

from logtui.diagnosis.model.report import ReadWindow
from logtui.parsers.files.case import Case


def lines_read(case: Case) -> int:
    """Lines of the files that are scanned, without those that only stand for others."""
    return sum(index.lines - case.files[file].empty for file, index in case.indexes.items())


def read_window(case: Case) -> ReadWindow | None:
    """The span of time, and what was left out for it; None where everything was to be read."""
    window = case.window
    if window is None:
        return None
    left_out = tuple(file.name for file in window.left_out)
    return ReadWindow(window.since, window.until, left_out, window.whole, window.lines, window.bytes)
