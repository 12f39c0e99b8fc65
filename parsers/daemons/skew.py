"""How far a daemon's clock is off the others': cluster metadata of one version reaches all of them at once.

A node that joins, or was away, receives a version late, but not twice by the same time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import median
from typing import Protocol

LEAST_S = 5.0
"""Less is what NTP leaves, and the way through a busy node."""
AGREE_S = 1.0
APART_S = 5.0
"""What is received within this time is one occasion."""
OCCASIONS = 2
WITNESSES = 3
"""Fewer clocks do not say which of them is wrong."""


class Said(Protocol):
    """A recognised record."""

    @property
    def name(self) -> str: ...
    @property
    def time(self) -> float | None: ...
    @property
    def daemon(self) -> int: ...
    @property
    def fields(self) -> Mapping[str, str]: ...


def clocks_ahead(messages: Iterable[Said]) -> dict[int, float]:
    """Seconds by daemon, of those whose clock is off that of most others."""
    leads: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for times in _received(messages).values():
        if len(times) >= WITNESSES:
            middle = median(times.values())
            for daemon, time in times.items():
                leads[daemon].append((time, time - middle))
    settled = ((daemon, _settled(found)) for daemon, found in leads.items())
    return {daemon: lead for daemon, lead in settled if lead is not None and abs(lead) >= LEAST_S}


def _received(messages: Iterable[Said]) -> dict[tuple[str, str], dict[int, float]]:
    """Kind and version of metadata → when each daemon first had it."""
    found: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    for message in messages:
        if message.name in ("membership.new_map", "membership.metadata") and message.time is not None:
            fields = message.fields
            key = (fields.get("what", "Smap"), fields.get("smap") or fields.get("version", ""))
            at = found[key]
            at[message.daemon] = min(message.time, at.get(message.daemon, message.time))
    return found


def _settled(found: Iterable[tuple[float, float]]) -> float | None:
    """The lead that most of them agree on, at several times; None where there is none."""
    found = sorted(found)
    lead = median(lead for _, lead in found)
    agreed = [time for time, one in found if abs(one - lead) <= AGREE_S]
    occasions = sum(n == 0 or time - agreed[n - 1] > APART_S for n, time in enumerate(agreed))
    return lead if occasions >= OCCASIONS and len(agreed) * 2 > len(found) else None
