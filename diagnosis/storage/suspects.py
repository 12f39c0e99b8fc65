"""From a suspect rank to the target's line in the same second: by quoted ids, by host name, by time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.storage.anchors import SERVER_SIDE
from logtui.diagnosis.storage.client import ClientEvent, client_events
from logtui.diagnosis.storage.clock import AisClock, cite_message
from logtui.parsers.daemons.daemon import AisLogs, Daemon, Message
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Mark, Role

SAME_S = 5.0
PER_RANK = 4


@dataclass(frozen=True, slots=True)
class Suspect:
    """A rank that the worker side points at."""

    rank: int
    time: float | None = None
    """When it went wrong, by the workers' clock."""


@dataclass(frozen=True, slots=True)
class Link:
    """A client line of a rank, and the daemon's line that belongs to it."""

    rank: int | None
    client: Evidence
    daemon: str
    """`t[ID]`, "" where only the host is known."""
    server: Evidence | None
    how: str
    """`request id`, `object`, `host`, `same second`."""


def links(case: Case, logs: AisLogs, clock: AisClock, suspects: Sequence[Suspect]) -> tuple[Link, ...]:
    """For each suspect (all ranks, where none is given) its client lines with what the daemons say to them."""
    ranks = {s.rank for s in suspects}
    out: list[Link] = []
    count: dict[int | None, int] = {}
    for event in client_events(case, (Mark.REQUEST_FAILED, Mark.REQUEST_RETRIED)):
        if ranks and event.rank not in ranks:
            continue
        if (link := _link(case, logs, clock, event)) is not None and count.get(event.rank, 0) < PER_RANK:
            count[event.rank] = count.get(event.rank, 0) + 1
            out.append(link)
    return tuple(out)


def _link(case: Case, logs: AisLogs, clock: AisClock, event: ClientEvent) -> Link | None:
    client = cite(case, event.record)
    found = _by_id(logs, clock, event) or _by_second(logs, clock, event)
    if found is not None:
        message, how = found
        server = cite_message(logs, message, clock.shift)
        return Link(event.rank, client, logs.daemons[message.daemon].label, server, how)
    daemon = next((d for h in event.hosts if (d := by_host(logs, h)) is not None), None)
    return Link(event.rank, client, daemon.label, None, "host") if daemon is not None else None


def _by_id(logs: AisLogs, clock: AisClock, event: ClientEvent) -> tuple[Message, str] | None:
    for keys, how in ((event.paths, "request id"), (event.items, "request id"), (event.objects, "object")):
        named = [m for m in logs.messages if m.time is not None and any(k in m.text for k in keys)] if keys else []
        if named:
            return min(named, key=lambda m: abs((m.time or 0.0) + clock.shift - event.time)), how
    return None


def _by_second(logs: AisLogs, clock: AisClock, event: ClientEvent) -> tuple[Message, str] | None:
    if clock.offset_s is None:
        return None
    at = event.time - clock.offset_s
    near = [
        m
        for m in logs.messages
        if m.time is not None and abs(m.time - at) <= SAME_S and m.pattern.role in (Role.CAUSE, Role.SYMPTOM)
    ]
    if not near:
        return None
    # What a client notices at once comes before what the targets say among themselves.
    return min(near, key=lambda m: (m.name not in SERVER_SIDE, abs((m.time or 0.0) - at))), "same second"


def by_host(logs: AisLogs, host: str) -> Daemon | None:
    """The daemon whose shortened host name this is, if it is only one."""
    short = host.split(".", 1)[0]
    found = [d for d in logs.daemons if d.host and d.host in (short, host)]
    return found[0] if len(found) == 1 else None
