"""Whose a raw line is and when it was written, read from the line itself."""

from __future__ import annotations

from logtui.tui.case_view import CaseView
from logtui.tui.daemon_time import record_time

READ_CHARS = 400
"""Prefixes and stamps stand at the start of a line."""


def line_facts(view: CaseView, file: str, text: str, near: float | None) -> tuple[int | None, float | None]:
    """(rank, time) of a line; None where it does not say. `near` completes a stamp without year or day."""
    head = text[:READ_CHARS]
    if view.daemons is not None and file in view.daemon_files:
        return None, record_time(head, near or view.daemons.window[1], view.daemons.shift)
    from logtui.parsers.origin import read_origin  # many patterns: the first frame must not wait for them
    from logtui.parsers.stamp import stamp_near

    rank = read_origin(_without_wrapping(view, file, head)).rank
    around = near or view.report.job.ended or view.report.job.started or 0.0
    stamp = stamp_near(head, around)
    known = rank if rank >= 0 else view.rank_of_file(file)
    return known, stamp.epoch if stamp else None


def _without_wrapping(view: CaseView, file: str, head: str) -> str:
    from logtui.parsers.wrapping import unwrapped

    return unwrapped(head.encode(), view.wrappings.get(file, "")).decode("utf-8", "replace")
