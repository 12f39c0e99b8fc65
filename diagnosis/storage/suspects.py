"""From a suspect rank to the target's line in the same second: by quoted ids, by host name, by time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.storage.accused import SURE, Addresses, accused_by_client, accused_of
from logtui.diagnosis.storage.anchors import SERVER_SIDE
from logtui.diagnosis.storage.client import ClientEvent, RankOf, client_events, own_rank
from logtui.diagnosis.storage.clock import AisClock, cite_message
from logtui.parsers.daemons.daemon import AisLogs, Message
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
    """`request id`, `object` (both name it, or the daemon keeps it), `host`, `batch` (the host that was to gather it
    from others), `same second`."""


def links(
    case: Case,
    logs: AisLogs,
    addresses: Addresses,
    clock: AisClock,
    suspects: Sequence[Suspect],
    rank_of: RankOf = own_rank,
) -> tuple[Link, ...]:
    """For each suspect (all ranks, where none is given) its client lines with what the daemons say to them."""
    ranks = {s.rank for s in suspects}
    out: list[Link] = []
    count: dict[int | None, int] = {}
    for event in client_events(case, (Mark.REQUEST_FAILED, Mark.REQUEST_RETRIED), rank_of):
        if ranks and event.rank not in ranks:
            continue
        if (link := _link(case, logs, addresses, clock, event)) is not None and count.get(event.rank, 0) < PER_RANK:
            count[event.rank] = count.get(event.rank, 0) + 1
            out.append(link)
    return tuple(out)


def _link(case: Case, logs: AisLogs, addresses: Addresses, clock: AisClock, event: ClientEvent) -> Link | None:
    client = cite(case, event.record)
    named, weight = accused_by_client(addresses, event)
    keeper = "" if named else addresses.keeper(event.text)
    about = named or ((keeper,) if keeper else ())
    found = _by_id(logs, clock, event) or _by_second(logs, addresses, clock, event, about)
    if found is not None:
        message, how = found
        server = cite_message(logs, message, clock.shift)
        label = about[0] if about else logs.daemons[message.daemon].label
        return Link(event.rank, client, label, server, how)
    if keeper:
        return Link(event.rank, client, keeper, None, "object")
    return Link(event.rank, client, named[0], None, "host" if weight == SURE else "batch") if named else None


def _by_id(logs: AisLogs, clock: AisClock, event: ClientEvent) -> tuple[Message, str] | None:
    for keys, how in ((event.paths, "request id"), (event.items, "request id"), (event.objects, "object")):
        named = [m for m in logs.messages if m.time is not None and any(k in m.text for k in keys)] if keys else []
        if named:
            return min(named, key=lambda m: abs((m.time or 0.0) + clock.shift - event.time)), how
    return None


def _by_second(
    logs: AisLogs, addresses: Addresses, clock: AisClock, event: ClientEvent, named: Sequence[str]
) -> tuple[Message, str] | None:
    if clock.offset_s is None:
        return None
    at = event.time - clock.offset_s
    near = [
        m
        for m in logs.messages
        if m.time is not None and abs(m.time - at) <= SAME_S and m.pattern.role in (Role.CAUSE, Role.SYMPTOM)
    ]
    about = [m for m in near if _is_about(logs, addresses, m, named)] if named else []
    # What a client notices at once comes before what the targets say among themselves.
    order = ((m.name not in SERVER_SIDE, abs((m.time or 0.0) - at), n) for n, m in enumerate(about or near))
    nearest = min(order, default=None)
    return ((about or near)[nearest[2]], "same second") if nearest else None


def _is_about(logs: AisLogs, addresses: Addresses, message: Message, named: Sequence[str]) -> bool:
    """Whether a record is by one of the daemons, or speaks of it."""
    own = logs.daemons[message.daemon].label
    return own in named or any(label in named for label in accused_of(addresses, logs, message))
