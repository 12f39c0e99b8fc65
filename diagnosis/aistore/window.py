"""The failure window on the daemons' clock, and which daemons' logs cover it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from logtui.diagnosis.aistore.blame import client_left
from logtui.diagnosis.aistore.clock import AisClock
from logtui.parsers.aistore.daemon import Daemon, Message
from logtui.parsers.aistore.ingest import AisLogs
from logtui.parsers.pattern import Role, Severity

BEFORE_S, AFTER_S = 600.0, 300.0
"""Around a failure that only the daemons show."""
_MAPS = frozenset({"membership.loaded_map", "membership.new_map"})
QUIET_S = 7200.0
"""Looked at when nothing failed: the end of the logs."""


@dataclass(frozen=True, slots=True)
class Window:
    """A time span on the daemons' clock."""

    start: float
    end: float
    how: str
    """`job`, `messages`, `end of logs`."""


@dataclass(frozen=True, slots=True)
class Uncovered:
    """A part of the window for which a daemon has no log."""

    daemon: int
    start: float
    end: float
    why: str


def choose_window(logs: AisLogs, given: tuple[float, float] | None, clock: AisClock) -> Window | None:
    """The job's window by the daemons' clock; else around the first failure they show; else the end of their logs.

    A given window is not used while the offset is unknown and it does not overlap the logs as it stands.
    """
    span = log_span(logs)
    if span is None:
        return None
    if given is not None:
        start, end = given[0] - clock.shift, given[1] - clock.shift
        if clock.offset_s is not None or (start <= span[1] and end >= span[0]):
            return Window(start, end, "job")
    serious = first_failure(logs)
    if serious is not None and serious.time is not None:
        return Window(serious.time - BEFORE_S, serious.time + AFTER_S, "messages")
    return Window(max(span[0], span[1] - QUIET_S), span[1], "end of logs")


def log_span(logs: AisLogs) -> tuple[float, float] | None:
    """First and last time of any daemon file."""
    spans = [(f.start, f.end) for d in logs.daemons for f in d.used if f.start is not None and f.end is not None]
    return (min(s for s, _ in spans), max(e for _, e in spans)) if spans else None


def first_failure(logs: AisLogs) -> Message | None:
    """The earliest error by meaning that speaks of a failed request or a broken node."""
    wanted = ("getbatch", "disks", "capacity", "memory", "lifecycle", "shared_dm", "service", "membership")
    return next(
        (
            m
            for m in logs.messages
            if m.time is not None
            and m.pattern.severity is Severity.ERROR
            and m.pattern.role is Role.CAUSE
            and m.pattern.area in wanted
            and not client_left(m)
        ),
        None,
    )


def uncovered(daemon: Daemon, window: Window) -> list[Uncovered]:
    """Where in the window the daemon's files say nothing because they are missing."""
    out: list[Uncovered] = []
    starts = [f.start for f in daemon.main if f.start is not None]
    ends = [f.end for f in daemon.main if f.end is not None]
    if not starts or not ends:
        return [Uncovered(daemon.index, window.start, window.end, "undated")]
    for gap in daemon.gaps():
        start = max(window.start, gap.start if gap.start is not None else window.start)
        end = min(window.end, gap.end if gap.end is not None else window.end)
        if start < end:
            out.append(Uncovered(daemon.index, start, end, gap.why))
    first = min(starts)
    if first > window.start and not any(g.start is None for g in daemon.gaps()):
        out.append(Uncovered(daemon.index, window.start, min(first, window.end), "before its first start"))
    # A quiet daemon writes an hourly marker and nothing else.
    if max(ends) + 3670 < window.end:
        out.append(Uncovered(daemon.index, max(max(ends), window.start), window.end, "not collected"))
    return out


def unseen_nodes(logs: AisLogs) -> tuple[str, ...]:
    """Nodes whose logs were not given: those that messages name, as `t[ID]`, and those that cluster maps count."""
    known = {d.label for d in logs.daemons}
    named: dict[str, None] = {}
    for message in logs.messages:
        for field, value in message.fields.items():
            if field in ("src", "dst", "peer", "node") and (label := _label(value)) not in known and label:
                named.setdefault(label)
    unnamed = [d for d in logs.daemons if not d.id]
    labels = () if unnamed else tuple(sorted(named))
    given, expected = sum(d.role == "target" for d in logs.daemons), _members(logs)
    lacking = expected - given - sum(label.startswith("t[") for label in labels)
    return (*labels, f"{lacking} more of {expected} targets") if lacking > 0 else labels


def _members(logs: AisLogs) -> int:
    """Targets of the cluster, by the largest map that any daemon loaded or received."""
    counts = [m.fields.get("targets", "") for m in logs.messages if m.name in _MAPS]
    return max((int(n) for text in counts for n in re.findall(r"\d+", text)), default=0)


def _label(value: str) -> str:
    if value[1:2] == "[" and value.endswith("]"):
        return value
    return f"t[{value}]" if value.isalnum() else ""
