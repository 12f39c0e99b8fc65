"""When a daemon's record was written, on the clock that all panes share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from logtui.tui.wording import time_text

if TYPE_CHECKING:
    from logtui.tui.case_view import CaseView
    from logtui.tui.selection import Selection

DAY_S = 86400.0
_RECORD = re.compile(r"(?:\d{4}-\d\d-\d\dT\S+ )?[IWE] (\d\d):(\d\d):(\d\d)\.(\d{6}) ")
"""A record with its bare time of day, behind a collector's stamp where there is one."""


def record_time(text: str, near: float, shift_s: float) -> float | None:
    """The workers' time of a daemon's record; None where the line does not begin one.

    The record names no day: it is the one that brings it closest to `near`, a time of the workers' clock.
    """
    m = _RECORD.match(text)
    if m is None:
        return None
    hours, minutes, seconds, micros = (int(part) for part in m.groups())
    clock = hours * 3600 + minutes * 60 + seconds + micros / 1e6
    day = round((near - shift_s - clock) / DAY_S)
    return day * DAY_S + clock + shift_s


def both_clocks(view: CaseView | None, here: Selection) -> str:
    """`AIS 23:59:20 = 15:59:20 workers` on a daemon's line where the clocks differ, else ""."""
    shift = view.daemons.shift if view is not None and view.daemons is not None else 0.0
    if view is None or not shift or here.time is None or here.file not in view.daemon_files:
        return ""
    return f"AIS {time_text(here.time - shift)} = {time_text(here.time)} workers"
