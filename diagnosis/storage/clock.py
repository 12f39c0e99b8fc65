"""The offset between the daemons' clock and the workers', from whatever both sides tell; never guessed.

First what is known of either side's time zone, without comparing the sides; then the comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from logtui.diagnosis.evidence import SHOWN, cite
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import HIGH, LOW, MEDIUM, Clock
from logtui.diagnosis.options import GivenOffset
from logtui.diagnosis.storage.anchors import (
    PEER_SIDE,
    STEP_S,
    Anchor,
    Tally,
    common_end,
    common_start,
    quoted_anchors,
    tally,
    timed_anchors,
)
from logtui.diagnosis.storage.client import STAMPED, ClientEvent, client_events
from logtui.diagnosis.storage.redirects import Lead, lead_of, redirects
from logtui.parsers.daemons.daemon import AisLogs, Daemon, Message
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Mark
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.regex import regex

QUARTER_S = 900
LEAST_STAMPS = 3
_UTC_NAMES = frozenset({"UTC", "GMT", "Z"})
_NUMERIC = regex(r"([+-])(\d\d)(\d\d)?$")
_STAMPED = regex(r"(\d{4}-\d\d-\d\dT(\d\d):(\d\d):(\d\d))(?:\.\d+)?Z ")
_CLOCK = regex(r"[IWE] (\d\d):(\d\d):(\d\d)\.")
NOT_DERIVABLE = "not derivable"
HOUR_STEPS = 4
PAIRS_CITED = 3
SKEWS_TOLD = 4


@dataclass(frozen=True, slots=True)
class Zone:
    """How far one side's wall clock is ahead of UTC."""

    ahead_s: int | None
    """Seconds; None where the name alone does not say it."""
    name: str
    """As the logs print it; "" where they do not."""
    how: str
    """`marker`, `collector`, `archive`, `epoch`, `stamps`, `proxy's time`, `span`."""
    evidence: tuple[Evidence, ...] = ()
    changes: bool = False
    """The zone changed within the logs: daylight saving began or ended."""


def server_zone(logs: AisLogs) -> Zone | None:
    """The daemons' zone: from a collector's UTC stamps, from markers, from the archive's own times."""
    markers = [(d, *z) for d in logs.daemons for z in d.zones]
    names = list(dict.fromkeys(name for _, name, *_ in markers))
    cited = tuple(Evidence(file, line, text) for _, _, file, line, text in markers[:3])
    if (collected := _from_collector(logs)) is not None:
        return Zone(collected, names[0] if names else "", "collector", cited)
    if len(names) == 1 and (ahead := named_zone(names[0])) is not None:
        return Zone(ahead, names[0], "marker", cited)
    if len(names) <= 1 and (ahead := _from_archives(logs)) is not None:
        return Zone(ahead, names[0] if names else "", "archive", cited)
    return Zone(None, "/".join(names), "marker", cited, len(names) > 1) if names else None


def named_zone(name: str) -> int | None:
    """Seconds ahead of UTC, for the names that have one meaning: UTC, GMT and numeric ones."""
    if name in _UTC_NAMES:
        return 0
    m = _NUMERIC.match(name)
    if m is None:
        return None
    return (1 if m[1] == "+" else -1) * (int(m[2]) * 3600 + int(m[3] or 0) * 60)


def _from_collector(logs: AisLogs) -> int | None:
    """Compare the collector's stamp before a record with the record's own clock."""
    found = {z for d in logs.daemons if (z := _prefixed(d)) is not None}
    return found.pop() if len(found) == 1 else None


def _prefixed(daemon: Daemon) -> int | None:
    for file in daemon.main:
        m = _STAMPED.search(file.scan.prefix)
        first = next((p.header for p in file.scan.parts if p.header), None)
        if m is None or first is None:
            continue
        stamped = int(m[2]) * 3600 + int(m[3]) * 60 + int(m[4])
        apart = (first.time % 86400) - stamped
        steps = round(apart / QUARTER_S)
        if abs(apart - steps * QUARTER_S) <= 60:
            return _within_half_day(steps * QUARTER_S)
    return None


def _within_half_day(seconds: int) -> int:
    """Zones lie between -12 and +14 hours."""
    while seconds > 14 * 3600:
        seconds -= 86400
    while seconds < -12 * 3600:
        seconds += 86400
    return seconds


def _from_archives(logs: AisLogs) -> int | None:
    """Members of archives keep the true time of their last write: compare it with their last record."""
    votes: list[int] = []
    for daemon in logs.daemons:
        for file in daemon.main:
            log = logs.files[file.file]
            if not log.member or file.end is None or not file.parts or file.parts[-1].end_from != "last record":
                continue
            apart = file.end - log.mtime
            steps = round(apart / QUARTER_S)
            if -130 <= apart - steps * QUARTER_S <= 10 and -48 <= steps <= 56:
                votes.append(steps * QUARTER_S)
    return votes[0] if len(votes) > 1 and len(set(votes)) == 1 else None


def client_zone(case: Case) -> Zone | None:
    """The workers' zone: from lines that print an epoch beside their local time, or from stamps that name it."""
    votes: dict[int, list[Evidence]] = {}
    for record in case.records.of("nemo.save_epoch"):
        epoch = record.fields.get("epoch")
        if epoch is None or record.time is None or record.time_from is not TimeFrom.DATED:
            continue
        apart = record.time - float(epoch)
        steps = round(apart / QUARTER_S)
        if abs(apart - steps * QUARTER_S) <= 60:
            votes.setdefault(steps * QUARTER_S, []).append(cite(case, record))
    if votes:
        ahead = max(votes, key=lambda z: len(votes[z]))
        return Zone(ahead, "", "epoch", tuple(votes[ahead][:2]), len(votes) > 1)
    return _from_stamps(case)


def _from_stamps(case: Case) -> Zone | None:
    """Stamps that all name their zone are UTC as they are read; a single one that does not makes that worthless."""
    rows = case.records.rows
    stamped = np.isin(rows["time_from"], STAMPED) & np.isfinite(rows["time"])
    zoned = np.flatnonzero(stamped & (rows["time_from"] == TimeFrom.ZONED))
    if len(zoned) < LEAST_STAMPS or len(zoned) < np.count_nonzero(stamped):
        return None
    return Zone(0, "UTC", "stamps", (cite(case, case.records[int(zoned[0])]),))


def all_zoned(events: Iterable[bool]) -> bool:
    """Whether every client line names its zone: their times are then UTC already."""
    seen: Sequence[bool] = list(events)
    return bool(seen) and all(seen)


@dataclass(frozen=True, slots=True)
class AisClock:
    """How the daemons' clock relates to the workers'."""

    offset_s: float | None
    """Seconds to add to a daemon's time to get the workers'; None where nothing establishes it."""
    confidence: str
    """`high`, `medium`, `low`; `low` with no offset."""
    how: str
    """`given`, `marked lines`, `proxy's time`, `request ids`, `zones`, `shared failures`, `start of activity`,
    `end of activity`, or
    `not derivable`."""
    residual_s: float | None = None
    """What is left between paired lines: network, buffering, clocks."""
    evidence: tuple[Evidence, ...] = ()
    """Pairs of lines, workers' first; or the lines that give the zones."""
    server: Zone | None = None
    client: Zone | None = None
    note: str = ""

    @property
    def shift(self) -> float:
        """What views add to a daemon's time; zero while the offset is unknown."""
        return self.offset_s if self.offset_s is not None else 0.0

    def as_clock(self) -> Clock:
        """As the report lists it."""
        zone = self.server.name or None if self.server else None
        return Clock("ais", zone, self.offset_s, self.evidence, self.residual_s)


def derive_clock(case: Case, logs: AisLogs, near: float | None = None, given: GivenOffset | None = None) -> AisClock:
    """Derive the offset, and say which daemons' clocks are off the others'.

    `near` is the failure by the workers' clock: where daylight saving changed, it decides.
    `given` is an offset that the user set; it is taken as it is.
    """
    return _skews_told(_derived(case, logs, near, given), logs)


def _derived(case: Case, logs: AisLogs, near: float | None, given: GivenOffset | None) -> AisClock:
    server, client = server_zone(logs), client_zone(case)
    if given is not None:
        how = "marked lines" if given.evidence else "given"
        return AisClock(given.offset_s, HIGH, how, given.residual_s, given.evidence, server, client)
    events = client_events(case)
    events = _one_kind(events)
    if events and all_zoned(e.zoned for e in events):
        client = Zone(0, "UTC", "stamps", (cite(case, events[0].record),))
    failed = client_events(case, (Mark.REQUEST_FAILED, Mark.REQUEST_RETRIED))
    sent = lead_of(redirects(failed, {d.id: d.ahead_s for d in logs.daemons}))
    if sent is not None and (by_proxy := _from_proxy(case, logs, server, sent)) is not None:
        return by_proxy
    by_zone = _from_zones(server, client)
    by_id = _from_ids(case, logs, events, near)
    if by_id is not None:
        return replace(_agreed(by_id, by_zone), server=server, client=client)
    if by_zone is not None:
        return replace(by_zone, server=server, client=client)
    by_time = _from_times(case, logs, events) or _from_peers(case, logs)
    by_end = None if by_time is not None else _from_activity(case, logs)
    if (found := by_time or by_end) is not None:
        return replace(found, server=server, client=client)
    return AisClock(None, LOW, NOT_DERIVABLE, server=server, client=client, note=_why_not(server, client, events))


def _skews_told(clock: AisClock, logs: AisLogs) -> AisClock:
    """The same, with a note of daemons whose clocks are off the others'."""
    off = [f"{d.label}'s clock is {_apart(d.ahead_s)} the other daemons'" for d in logs.daemons if d.ahead_s]
    return replace(clock, note="; ".join(filter(None, (clock.note, *off[:SKEWS_TOLD])))) if off else clock


def _from_proxy(case: Case, logs: AisLogs, server: Zone | None, sent: Lead) -> AisClock | None:
    """The proxy's own time in the clients' lines; daemons print local time, whose zone must be known."""
    cited = tuple(cite(case, r.event.record) for r in sent.by[:PAIRS_CITED])
    client = Zone(int(sent.zone_s), "", "proxy's time", cited[:1])
    zone = server if server is not None and server.ahead_s is not None and not server.changes else None
    zone = zone or _zone_that_fits(logs, [r.sent for r in sent.by])
    if zone is None or zone.ahead_s is None:
        return None
    off = sent.seconds - sent.zone_s
    note = f"beyond their zones the clocks differ by {off:+.1f} s" if sent.skewed else ""
    confidence = HIGH if zone.how in ("marker", "collector", "archive", "span") else MEDIUM
    return AisClock(sent.seconds - zone.ahead_s, confidence, "proxy's time", sent.residual_s, cited, zone, client, note)


def _zone_that_fits(logs: AisLogs, sent: Sequence[float]) -> Zone | None:
    """The only zone in which the daemons' files cover the times at which their proxy sent clients on."""
    spans = [(f.start, f.end) for d in logs.daemons for f in d.used if f.start is not None and f.end is not None]
    if not spans or not sent:
        return None
    start, end = min(s for s, _ in spans), max(e for _, e in spans)
    zones = (quarters * QUARTER_S for quarters in range(-48, 57))
    fits = [z for z in zones if start <= min(sent) + z and max(sent) + z <= end]
    return Zone(fits[0], "", "span") if len(fits) == 1 else None


def _one_kind(events: list[ClientEvent]) -> list[ClientEvent]:
    """Lines that name their zone and lines that do not tell different clocks: keep the more frequent kind."""
    zoned = [e for e in events if e.zoned]
    return zoned if len(zoned) * 2 > len(events) else [e for e in events if not e.zoned]


def _from_zones(server: Zone | None, client: Zone | None) -> AisClock | None:
    if server is None or client is None or server.ahead_s is None or client.ahead_s is None:
        return None
    if server.changes or client.changes:
        return None
    confidence = HIGH if server.how in ("marker", "collector") else MEDIUM
    offset = float(client.ahead_s - server.ahead_s)
    return AisClock(offset, confidence, "zones", evidence=(*client.evidence[:1], *server.evidence[:1]))


def _from_ids(case: Case, logs: AisLogs, events: Sequence[ClientEvent], near: float | None) -> AisClock | None:
    """Requests named on both sides; after a change of daylight saving, those nearest to the failure count."""
    anchors = quoted_anchors(events, logs.messages)
    votes = tally(anchors)
    if not votes:
        return None
    best, note = votes[0], ""
    rivals = [t for t in votes[1:] if t.occasions * 3 >= best.occasions]
    if rivals:
        changed = _daylight(best, rivals[0], near)
        if changed is None:
            return None
        best, note = changed, "the offset changes by an hour within the logs: daylight saving"
    confidence = HIGH if _certain(best) else MEDIUM
    return _decided(case, logs, best.anchors, "request ids", confidence, note)


def _certain(found: Tally) -> bool:
    """A request's own path, or several ids; by lines with their own stamps, at an offset that zones commonly have."""
    telling = any(a.quoted.startswith("/v1/") for a in found.anchors) or len({a.quoted for a in found.anchors}) > 1
    return telling and found.steps % 2 == 0 and any(a.client.stamped for a in found.anchors)


def _daylight(first: Tally, second: Tally, near: float | None) -> Tally | None:
    """The side of a daylight-saving change that holds at the failure; None where the two are something else."""
    if abs(first.steps - second.steps) != HOUR_STEPS:
        return None
    early, late = sorted((first, second), key=lambda t: min(a.client.time for a in t.anchors))
    if max(a.client.time for a in early.anchors) - 3600 > min(a.client.time for a in late.anchors):
        return None
    if near is None:
        return late
    return min((early, late), key=lambda t: min(abs(a.client.time - near) for a in t.anchors))


def _from_times(case: Case, logs: AisLogs, events: Sequence[ClientEvent]) -> AisClock | None:
    """Failures that fall together under one offset and under no other."""
    votes = tally(timed_anchors(events, logs.messages))
    if not votes:
        return None
    best, second = votes[0], votes[1].occasions if len(votes) > 1 else 0
    if second * 2 >= best.occasions:
        return None
    confidence = MEDIUM if best.occasions >= 2 else LOW
    return _decided(case, logs, best.anchors, "shared failures", confidence)


def _from_peers(case: Case, logs: AisLogs) -> AisClock | None:
    """A node that is gone for its clients is gone for its peers."""
    refused = _one_kind([e for e in client_events(case, (Mark.REQUEST_RETRIED,)) if "imed out" not in e.text])
    votes = tally(timed_anchors(refused, logs.messages, PEER_SIDE))
    if not votes or (len(votes) > 1 and votes[1].occasions * 2 >= votes[0].occasions):
        return None
    return _decided(case, logs, votes[0].anchors, "shared failures", MEDIUM if votes[0].occasions > 1 else LOW)


def _from_activity(case: Case, logs: AisLogs) -> AisClock | None:
    """The job's start or its end on both sides; both together are more than a hint."""
    begun, end = common_start(case, logs), common_end(case, logs)
    if begun is not None and (end is None or end.steps == begun.steps):
        offset = begun.steps * STEP_S
        cited = (cite(case, begun.step), cite_message(logs, begun.asked, offset))
        confidence = LOW if end is None else MEDIUM
        return AisClock(
            offset, confidence, "start of activity", begun.residual_s, cited, note="first step, first batch"
        )
    if end is None:
        return None
    offset = end.steps * STEP_S
    cited = (cite(case, end.step), cite_message(logs, end.idle, offset))
    return AisClock(offset, LOW, "end of activity", end.residual_s, cited, note="a hint: last step and last request")


def _decided(
    case: Case, logs: AisLogs, anchors: Sequence[Anchor], how: str, confidence: str, note: str = ""
) -> AisClock:
    offset = anchors[0].steps * STEP_S
    cited: list[Evidence] = []
    for anchor in sorted(anchors, key=lambda a: abs(a.residual_s))[:PAIRS_CITED]:
        cited += [cite(case, anchor.client.record), cite_message(logs, anchor.message, offset)]
    return AisClock(offset, confidence, how, median(a.residual_s for a in anchors), tuple(cited), note=note)


def _agreed(by_id: AisClock, by_zone: AisClock | None) -> AisClock:
    """Ids win over zones; where they disagree, the user is told, and nothing is certain."""
    if by_zone is None:
        return by_id
    if by_zone.offset_s == by_id.offset_s:
        return replace(by_id, confidence=HIGH, note="the zones of both sides say the same")
    return replace(by_id, confidence=LOW, note=f"the zones of both sides say {by_zone.offset_s:+.0f} s instead")


def _why_not(server: Zone | None, client: Zone | None, events: Sequence[ClientEvent]) -> str:
    missing = []
    if server is None or server.ahead_s is None:
        missing.append("the daemons' zone")
    if client is None:
        missing.append("the workers' zone")
    shared = "no client error names a request or falls together with a record" if events else "no client error"
    return f"unknown: {' and '.join(missing)}; {shared}" if missing else shared


def cite_message(logs: AisLogs, message: Message, offset_s: float = 0.0) -> Evidence:
    """A daemon's record as evidence, its time on the workers' clock."""
    time = message.time + offset_s if message.time is not None else None
    return Evidence(logs.file_name(message), message.line, message.record.strip()[:SHOWN], time)


def ahead_words(offset_s: float) -> str:
    """An offset in words: `the workers' clock is 8 h ahead of the daemons'`."""
    if not offset_s:
        return "the workers' and the daemons' clocks agree"
    return f"the workers' clock is {_apart(offset_s)} the daemons'"


def _apart(ahead_s: float) -> str:
    """`8 h ahead of`, `1 min 35 s behind`."""
    minutes, seconds = divmod(round(abs(ahead_s), 2), 60)
    hours, rest = divmod(int(minutes), 60)
    parts = [f"{hours} h" if hours else "", f"{rest} min" if rest else "", f"{seconds:.3g} s" if seconds else ""]
    apart = " ".join(p for p in parts if p)
    return f"{apart} {'ahead of' if ahead_s > 0 else 'behind'}"
