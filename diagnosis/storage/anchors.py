"""Events that both clocks saw: the same request named on both sides, the same failure within seconds, the end of the
job, two lines that a user marks.

A candidate offset is a whole number of quarter hours: zones and daylight saving differ by nothing else, and the
clocks themselves are kept by NTP. What remains after it is the residual.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from logtui.diagnosis.evidence import SHOWN
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.options import GivenOffset
from logtui.diagnosis.storage.client import STAMPED, ClientEvent
from logtui.parsers.daemons.daemon import AisLogs, Daemon, Message
from logtui.parsers.daemons.reread import record_on_line
from logtui.parsers.files.case import Case
from logtui.parsers.prefix.stamp import stamp_near
from logtui.parsers.records.record import Record

STEP_S = 900.0
"""Zones differ by quarter hours."""
FARTHEST_STEPS = 104
"""26 hours: from one edge of the date line to the other."""
NEAR_S = 12.0
"""A client notices a cut batch within this time of the target's record."""
EARLY_S = 3.0
"""How much earlier than the target's record a client's line may be: clocks, and buffered answers."""
APART_S = 20.0
"""Events closer than this are one occasion."""
SERVER_SIDE = frozenset(
    {
        "getbatch.entry_timeout", "getbatch.entry_network", "getbatch.truncated", "getbatch.item_failed",
        "getbatch.not_active", "getbatch.rejected", "getbatch.prep_missing", "getbatch.aborted", "getbatch.soft_limit",
        "getbatch.client_gone", "disks.transmit", "service.backend_error", "service.bucket_missing",
    }
)  # fmt: skip
"""Records that a client notices at once."""
PEER_SIDE = frozenset(
    {"peers.unreachable", "shared_dm.receive_broken", "shared_dm.send_failed", "membership.primary_unreachable"}
)
"""Records of a node that is gone, which its clients notice as soon as its peers."""
IDLE_S = 90.0
"""«idle expired» comes 60 to 120 s after the last request."""
TOGETHER_S = 150.0
"""The targets of one job fall idle within this time; more apart, there were several jobs."""
BEGIN_EARLY_S, BEGIN_S = 0.5, 15.0
"""The first step ends this soon after its batch was asked for, and not before."""
HALF_HOUR_STEPS = 2
"""Zones that differ by an odd number of quarter hours are too rare to be told by one coincidence."""
END_EARLY_S, END_LATE_S = 60.0, 150.0
"""How far the last step may stand from the last request: loaders read ahead, steps take their time."""
BACK = 200
"""Lines looked at for a stamp above a line that has none, as in a traceback."""
READ_CHARS = 400


@dataclass(frozen=True, slots=True)
class Anchor:
    """One event seen by both clocks."""

    client: ClientEvent
    message: Message
    steps: int
    """Quarter hours by which the worker's clock is ahead."""
    residual_s: float
    """What is left: the client's time minus the target's, less the steps."""
    quoted: str
    """The id that both lines quote; "" where only their times agree."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How well one offset explains the events."""

    steps: int
    anchors: tuple[Anchor, ...]
    occasions: int
    """Separate times at which it held."""


def quoted_anchors(clients: Sequence[ClientEvent], messages: Sequence[Message]) -> list[Anchor]:
    """Pairs of lines that quote the same request path, work item or object: the nearest of each in time."""
    by_id: dict[str, list[Message]] = defaultdict(list)
    wanted = {key for c in clients for key in _keys(c)}
    if not wanted:
        return []
    for message in messages:
        if message.time is not None:
            for key in _quoted(message.text, wanted):
                by_id[key].append(message)
    return [a for c in clients for key in _keys(c) if (a := _best(c, by_id.get(key, ()), key)) is not None]


def _keys(client: ClientEvent) -> tuple[str, ...]:
    """Ids from the most to the least telling: only the first kind that the line has."""
    return client.paths or client.items or tuple(o for o in client.objects if o.count("/") >= 1)


def _quoted(text: str, wanted: set[str]) -> list[str]:
    return [key for key in wanted if key in text] if len(wanted) < 64 else _quoted_words(text, wanted)


def _quoted_words(text: str, wanted: set[str]) -> list[str]:
    words = {w.strip("()[],:;\"'") for w in text.replace("=", " ").split()}
    return [w for w in words if w in wanted]


def _best(client: ClientEvent, messages: Iterable[Message], key: str) -> Anchor | None:
    """The message whose distance from the client's line is nearest to whole quarter hours."""
    found = [_anchor(client, m, key) for m in messages]
    close = [a for a in found if a is not None]
    return min(close, key=lambda a: abs(a.residual_s), default=None)


def _anchor(client: ClientEvent, message: Message, key: str) -> Anchor | None:
    assert message.time is not None
    apart = client.time - message.time
    steps = round(apart / STEP_S)
    residual = apart - steps * STEP_S
    near = -EARLY_S <= residual <= NEAR_S and abs(steps) <= FARTHEST_STEPS
    return Anchor(client, message, steps, residual, key) if near else None


def tally(anchors: Iterable[Anchor]) -> list[Tally]:
    """Anchors by offset, the best supported first."""
    by_steps: dict[int, list[Anchor]] = defaultdict(list)
    for anchor in anchors:
        by_steps[anchor.steps].append(anchor)
    found = [Tally(steps, tuple(group), _occasions(a.client.time for a in group)) for steps, group in by_steps.items()]
    return sorted(found, key=lambda t: (-t.occasions, -len(t.anchors), abs(t.steps)))


def _occasions(times: Iterable[float]) -> int:
    count, last = 0, float("-inf")
    for time in sorted(times):
        if time - last > APART_S:
            count += 1
            last = time
    return count


def timed_anchors(
    clients: Sequence[ClientEvent], messages: Sequence[Message], names: Collection[str] = SERVER_SIDE
) -> list[Anchor]:
    """For each client error and each offset the daemons' record within seconds, if there is one."""
    served = sorted((m for m in messages if m.time is not None and m.name in names), key=_time)
    times = [_time(m) for m in served]
    out: list[Anchor] = []
    for client in _first_of_occasions(clients):
        for steps in range(-FARTHEST_STEPS, FARTHEST_STEPS + 1):
            shifted = client.time - steps * STEP_S
            at = bisect_left(times, shifted - NEAR_S)
            if at < len(times) and times[at] <= shifted + EARLY_S:
                nearest = min(served[at : at + 8], key=lambda m: abs(_time(m) - shifted))
                out.append(Anchor(client, nearest, steps, shifted - _time(nearest), ""))
    return [a for a in out if -EARLY_S <= a.residual_s <= NEAR_S]


def _first_of_occasions(clients: Sequence[ClientEvent]) -> list[ClientEvent]:
    out: list[ClientEvent] = []
    for client in clients:
        if not out or client.time - out[-1].time > APART_S:
            out.append(client)
    return out


def _time(message: Message) -> float:
    return message.time if message.time is not None else 0.0


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
    return CommonEnd(last, idles[0], steps, residual) if -END_EARLY_S <= residual <= END_LATE_S else None


@dataclass(frozen=True, slots=True)
class CommonStart:
    """The job's first step and the first batch that the daemons were asked for."""

    step: Record
    asked: Message
    steps: int
    residual_s: float


def common_start(case: Case, logs: AisLogs) -> CommonStart | None:
    """Pair the first step with the first get-batch job that the daemons have ever started, if they fit together."""
    asked = [m for m in logs.messages if m.name == "getbatch.started" and m.time is not None]
    first = _dated_step(case, last=False)
    if not asked or first is None or first.time is None or any(_headless(d) for d in logs.daemons):
        return None
    apart = first.time - _time(asked[0])
    steps = round((apart - BEGIN_S / 2) / STEP_S)
    residual = apart - steps * STEP_S
    if steps % HALF_HOUR_STEPS or not -BEGIN_EARLY_S <= residual <= BEGIN_S:
        return None
    return CommonStart(first, asked[0], steps, residual)


def _headless(daemon: Daemon) -> bool:
    """Whether the daemon's history before its first file is missing, and with it perhaps the first batch."""
    gaps = daemon.gaps()
    return bool(gaps) and gaps[0].start is None


def _last_step(case: Case) -> Record | None:
    return _dated_step(case, last=True)


def _dated_step(case: Case, last: bool) -> Record | None:
    """The latest or the first step line that carries its own date."""
    table = case.records
    numeric = [i for i, p in enumerate(table.patterns) if p.numeric is not None]
    rows = table.rows
    chosen = np.flatnonzero(
        np.isin(rows["pattern"], numeric) & np.isfinite(rows["time"]) & np.isin(rows["time_from"], STAMPED)
    )
    return table[int(chosen[(np.argmax if last else np.argmin)(rows["time"][chosen])])] if len(chosen) else None


@dataclass(frozen=True, slots=True)
class SideOfEvent:
    """A line of either side and its time, by the clock of the process that wrote it."""

    file: str
    line: int
    time: float
    daemon: bool
    """Written by a storage daemon."""
    text: str

    @property
    def evidence(self) -> Evidence:
        """The line as a citation."""
        return Evidence(self.file, self.line, self.text.strip()[:SHOWN], self.time)


def mark_line(case: Case, logs: AisLogs, name: str, line: int, near: float | None = None) -> SideOfEvent | None:
    """The line with its time; None where neither it nor the lines above it have one.

    `near` completes stamps without a year or a day. Reads from disk.
    """
    for daemon in logs.daemons:
        for file in daemon.files:
            if file.name == name:
                found = record_on_line(logs, file, line)
                return SideOfEvent(name, found.line, found.time, True, found.text) if found else None
    return _worker_line(case, name, line, near)


def _worker_line(case: Case, name: str, line: int, near: float | None) -> SideOfEvent | None:
    file = case.file_named(name)
    if file is None:
        return None
    around = near if near is not None else file.mtime
    above = case.bodies(file.index, max(1, line - BACK), min(line, BACK + 1))
    for text in reversed(above):
        if stamp := stamp_near(text[:READ_CHARS], around):
            return SideOfEvent(name, line, stamp.epoch, False, above[-1])
    return None


def offset_of(worker: SideOfEvent, daemon: SideOfEvent) -> GivenOffset:
    """The offset that makes the two lines one event.

    Zones differ by quarter hours, and a client notices within seconds: what is that near is taken for such an offset,
    and the rest for the time from line to line. What is farther off is taken as it is: clocks that nothing keeps.
    """
    apart = worker.time - daemon.time
    whole = round(apart / STEP_S) * STEP_S
    offset_s, residual_s = (whole, apart - whole) if abs(apart - whole) <= NEAR_S else (apart, 0.0)
    moved = Evidence(daemon.file, daemon.line, daemon.evidence.text, daemon.time + offset_s)
    return GivenOffset(offset_s, residual_s, (worker.evidence, moved))
