"""Where to look: a rank's and a report's first line, steps along chain and timeline; whose a line is, and when.

Times are on the clock that all panes share, the workers'.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from logtui.tui.shared.case_view import CaseView, CausePlace, proof_words
from logtui.tui.shared.selection import Selection
from logtui.tui.shared.wording import time_text

if TYPE_CHECKING:
    from logtui.diagnosis.model.evidence import Evidence
    from logtui.diagnosis.model.report import TimelineEvent

DAY_S = 86400.0
_RECORD = re.compile(r"(?:\d{4}-\d\d-\d\dT\S+ )?[IWE] (\d\d):(\d\d):(\d\d)\.(\d{6}) ")
"""A record with its bare time of day, behind a collector's stamp where there is one."""

READ_CHARS = 400
"""Prefixes and stamps stand at the start of a line."""


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


def line_facts(view: CaseView, file: str, text: str, near: float | None) -> tuple[int | None, float | None]:
    """(rank, time) of a line; None where it does not say. `near` completes a stamp without year or day."""
    head = text[:READ_CHARS]
    if view.daemons is not None and file in view.daemon_files:
        return None, record_time(head, near or view.daemons.window[1], view.daemons.shift)
    from logtui.parsers.prefix.origin import read_origin  # many patterns: the first frame must not wait for them
    from logtui.parsers.prefix.stamp import stamp_near

    rank = read_origin(_without_wrapping(view, file, head)).rank
    around = near or view.report.job.ended or view.report.job.started or 0.0
    stamp = stamp_near(head, around)
    known = rank if rank >= 0 else view.rank_of_file(file)
    return known, stamp.epoch if stamp else None


def _without_wrapping(view: CaseView, file: str, head: str) -> str:
    from logtui.parsers.prefix.wrapping import unwrapped

    return unwrapped(head.encode(), view.wrappings.get(file, "")).decode("utf-8", "replace")


def rank_place(view: CaseView, rank: int, group: str | None) -> Selection:
    """A rank with its proving line."""
    proof = view.proof(rank, group)
    if proof is None:
        return Selection(rank=rank, group=group)
    why = view.citations.get(proof.file, {}).get(proof.line, "")
    return Selection(rank, group, _time(view, proof), proof.file, proof.line, why)


def first_place(view: CaseView) -> Selection:
    """Where the user starts: the line that proves the verdict, else a rank's, the odd one's first, else any file.

    The rank is the culprit that wrote the line, else another culprit, else whoever wrote it, else the odd one out.
    """
    verdict = view.report.verdict
    cited = (verdict.first_evidence, *verdict.supporting, *(place.evidence for place in view.path))
    first = next((evidence for evidence in cited if evidence is not None), None)
    if first is not None:
        rank, time = _first_rank(view, first.rank), _time(view, first)
        return Selection(rank, None, time, first.file, first.line, proof_words(view.report))
    ranks = view.outliers or view.ranks
    place = rank_place(view, ranks[0], None) if ranks else Selection()
    if place.file or not view.case:
        return place
    from logtui.parsers.source import FileKind

    files = [file for file in view.case.files if file.kind is not FileKind.FLIGHT_RECORDER]
    return Selection(place.rank, file=files[0].name, line=1) if files else place


def _time(view: CaseView, line: Evidence) -> float | None:
    return line_facts(view, line.file, line.text, None)[1] if line.time is None else line.time


def _first_rank(view: CaseView, wrote: int | None) -> int | None:
    culprits = view.report.verdict.culprit_ranks
    if wrote is not None and (wrote in culprits or not culprits):
        return wrote
    return next(iter((*culprits, *view.outliers, *view.ranks)), None)


def chain_step(path: Sequence[CausePlace], here: Selection, direction: int) -> CausePlace | None:
    """What caused the selected line (-1), or what followed from it (+1); None past either end.

    A line that is not on the chain is placed by its time; one without a time counts as the crash, so that the
    step back goes to the last cause.
    """
    on_path = [n for n, p in enumerate(path) if (p.evidence.file, p.evidence.line) == (here.file, here.line)]
    if on_path:
        at = on_path[0] if direction < 0 else on_path[-1]
        return path[at + direction] if 0 <= at + direction < len(path) else None
    now = float("inf") if here.time is None else here.time
    if direction < 0:
        earlier = [p for p in path if (p.evidence.time or 0.0) < now]
        return earlier[-1] if earlier else None
    return next((p for p in path if (p.evidence.time or 0.0) > now), None)


def event_index(view: CaseView, here: Selection) -> tuple[int | None, bool]:
    """The event of the selected line, or the last before the selected time; and whether it is that line."""
    exact = view.event_places.get((here.file or "", here.line or 0))
    if exact is not None or here.time is None:
        return exact, exact is not None
    before = bisect_right(view.event_times, here.time) - 1
    return (before if before >= 0 else None), False


def event_step(view: CaseView, here: Selection, direction: int) -> TimelineEvent | None:
    """The next (+1) or previous (-1) event; None past either end."""
    at, exact = event_index(view, here)
    at = -1 if at is None else at
    target = at if direction < 0 and not exact else at + direction
    return view.events[target] if 0 <= target < len(view.events) else None


def nearest_event(view: CaseView, time: float) -> TimelineEvent | None:
    """The event nearest to a time."""
    times = view.event_times
    after = bisect_right(times, time)
    near = [n for n in (after - 1, after) if 0 <= n < len(times)]
    return view.events[min(near, key=lambda n: abs(times[n] - time))] if near else None
