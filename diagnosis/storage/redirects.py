"""When the proxy sent a client on to a target: it writes its own time into the URL, which the SDK prints on failure.

`utm=` is the proxy's Unix time in nanoseconds, base 36. Next to the client's stamp of the same line it gives the
workers' zone, and what their clock is off beyond that, to the time that the request took to fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logtui.diagnosis.storage.client import ClientEvent
from logtui.parsers.regex import regex

_UTM = regex(r"[?&]utm=([0-9a-z]{10,14})\b")
_PROXY = regex(r"[?&]pid=(\w{1,40})\b")
_SLOW = regex(r"[Tt]imed? ?-?out|deadline exceeded")
_LIMIT = regex(r"\((?:read|connect) timeout=(\d{1,4}(?:\.\d{1,6})?)\)")
QUARTER_S = 900.0
EARLIEST, LATEST = 1.4e9, 4.1e9
"""2014 to 2099: what is no such time is no such field."""
PROMPT_S = 5.0
"""A refused or answered request fails this soon after it was sent on."""
SLOWEST_S = 60.0
"""And one that ran into a time-out this late."""


@dataclass(frozen=True, slots=True)
class Redirect:
    """A client's line that quotes the time at which the proxy sent it on."""

    event: ClientEvent
    sent: float
    """Seconds since the epoch, UTC, by the clock that most daemons share."""
    waited_s: float | None
    """How long it took to fail, as the line says: 0 where it failed at once; None where it does not say."""

    @property
    def lead_s(self) -> float:
        """The client's stamp, taken as UTC, minus the time it was sent on and the time it waited."""
        return self.event.time - self.sent - (self.waited_s or 0.0)


def redirects(events: Sequence[ClientEvent], ahead_s: Mapping[str, float] | None = None) -> list[Redirect]:
    """Of lines that carry their own stamp. `ahead_s` says which proxies' clocks are off the other daemons'."""
    found = ((e, sent_at(e.text)) for e in events if e.stamped)
    return [Redirect(e, sent - _off(e.text, ahead_s or {}), _waited(e.text)) for e, sent in found if sent is not None]


def _off(text: str, ahead_s: Mapping[str, float]) -> float:
    proxies = _PROXY.findall(text)
    return ahead_s.get(proxies[-1], 0.0) if proxies else 0.0


def _waited(text: str) -> float | None:
    if _SLOW.search(text) is None:
        return 0.0
    limit = _LIMIT.search(text)
    return float(limit[1]) if limit else None


def sent_at(text: str) -> float | None:
    """The latest time that a line's URLs quote, in seconds since the epoch."""
    times = [int(m[1], 36) / 1e9 for m in _UTM.finditer(text)]
    return max((t for t in times if EARLIEST < t < LATEST), default=None)


@dataclass(frozen=True, slots=True)
class Lead:
    """How far the workers' clock is ahead of the proxy's Unix time."""

    seconds: float
    """Whole quarter hours, where the rest is the time a request took; else exactly what the clocks differ by."""
    zone_s: float
    """The part of it that is a time zone."""
    residual_s: float
    by: tuple[Redirect, ...]
    """Those that say so, the most prompt first."""

    @property
    def skewed(self) -> bool:
        """Whether the clocks differ by more than their zones."""
        return self.seconds != self.zone_s


def lead_of(found: Sequence[Redirect]) -> Lead | None:
    """From the request that failed soonest; None where no line quotes a time."""
    best = sorted(found, key=lambda r: (r.waited_s is None, r.lead_s))
    if not best:
        return None
    lead, most = best[0].lead_s, SLOWEST_S if best[0].waited_s is None else PROMPT_S
    zone = round((lead - most / 2) / QUARTER_S) * QUARTER_S
    rest = lead - zone
    if -1.0 <= rest <= most:
        return Lead(zone, zone, rest, tuple(best))
    return Lead(lead, zone, 0.0, tuple(best))
