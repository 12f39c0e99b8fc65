"""The end of a job as both sides saw it: the workers' last step, the targets' last request. A hint, never a proof."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from logtui.diagnosis.aistore.anchors import STEP_S
from logtui.parsers.aistore.daemon import Message
from logtui.parsers.aistore.ingest import AisLogs
from logtui.parsers.case import Case
from logtui.parsers.record import Record
from logtui.parsers.stamp import TimeFrom

IDLE_S = 90.0
"""«idle expired» comes 60 to 120 s after the last request."""
TOGETHER_S = 150.0
"""The targets of one job fall idle within this time; more apart, there were several jobs."""
EARLY_S, LATE_S = 60.0, 150.0
"""How far the last step may stand from the last request: loaders read ahead, steps take their time."""
_STAMPED = (TimeFrom.ZONED, TimeFrom.DATED, TimeFrom.YEARLESS)


@dataclass(frozen=True, slots=True)
class CommonEnd:
    """The job's end on both clocks."""

    step: Record
    idle: Message
    steps: int
    """Quarter hours by which the workers' clock is ahead."""
    residual_s: float


def common_end(case: Case, logs: AisLogs) -> CommonEnd | None:
    """Pair the last step with the only end of a get-batch job that the daemons show, if they fit together.

    Steps, not last lines: a hung job prints for as long as its watchdogs wait.
    """
    idles = [m for m in logs.messages if m.name == "getbatch.idle" and m.time is not None]
    last = _last_step(case)
    if not idles or last is None or last.time is None:
        return None
    first, final = idles[0].time or 0.0, idles[-1].time or 0.0
    if final - first > TOGETHER_S:
        return None
    apart = last.time - (first - IDLE_S)
    steps = round(apart / STEP_S)
    residual = apart - steps * STEP_S
    return CommonEnd(last, idles[0], steps, residual) if -EARLY_S <= residual <= LATE_S else None


def _last_step(case: Case) -> Record | None:
    """The latest step line that carries its own date."""
    table = case.records
    numeric = [i for i, p in enumerate(table.patterns) if p.numeric is not None]
    rows = table.rows
    chosen = np.flatnonzero(
        np.isin(rows["pattern"], numeric) & np.isfinite(rows["time"]) & np.isin(rows["time_from"], _STAMPED)
    )
    return table[int(chosen[np.argmax(rows["time"][chosen])])] if len(chosen) else None
