"""The cause chain on a time axis, as a mermaid diagram: hosts of markdown that draw it show a picture, others the text.

The table below it in the report says the same, and more, to all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from logtui.diagnosis.report import ChainStep, Report

MOST_EVENTS = 12
_UNSAFE = re.compile(r"[^\w .,#+()=%/-]+")
"""Colons part the fields of an entry, semicolons end it; quotes and brackets may open something."""


def timeline(report: Report) -> Iterator[str]:
    """A fenced block; nothing where fewer than two steps have a time."""
    steps = [(time, step) for step in report.chain if (time := _time_of(step)) is not None][:MOST_EVENTS]
    if len(steps) < 2:
        return
    start, end = report.job.started, report.job.ended
    yield "```mermaid"
    yield "timeline"
    yield f"    title {_plain(report.verdict.title)}"
    if start is not None and start < steps[0][0]:
        yield f"    {_clock(start)} : job started"
    for time, step in steps:
        yield f"    {_clock(time)} : {_words(step)}"
    if end is not None and end > steps[-1][0]:
        yield f"    {_clock(end)} : job ended"
    yield "```"
    yield ""


def _time_of(step: ChainStep) -> float | None:
    return step.time if step.time is not None or not step.evidence else step.evidence[0].time


def _words(step: ChainStep) -> str:
    where = f" ({_plain(step.evidence[0].place)})" if step.evidence else ""
    return f"{_plain(step.what)}{where}"


def _plain(text: str) -> str:
    return " ".join(_UNSAFE.sub(" ", text).split())[:120] or "?"


def _clock(time: float) -> str:
    """Time of day, with signs that part no fields."""
    return datetime.fromtimestamp(time, UTC).strftime("%H.%M.%S")
