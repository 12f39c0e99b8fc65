"""What is known of either side's time zone, without comparing the sides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.report import Evidence
from logtui.parsers.aistore.daemon import Daemon
from logtui.parsers.aistore.ingest import AisLogs
from logtui.parsers.case import Case
from logtui.parsers.stamp import TimeFrom

QUARTER_S = 900
LEAST_STAMPS = 3
_UTC_NAMES = frozenset({"UTC", "GMT", "Z"})
_NUMERIC = re.compile(r"([+-])(\d\d)(\d\d)?$")
_STAMPED = re.compile(r"(\d{4}-\d\d-\d\dT(\d\d):(\d\d):(\d\d))(?:\.\d+)?Z ")
_CLOCK = re.compile(r"[IWE] (\d\d):(\d\d):(\d\d)\.")


@dataclass(frozen=True, slots=True)
class Zone:
    """How far one side's wall clock is ahead of UTC."""

    ahead_s: int | None
    """Seconds; None where the name alone does not say it."""
    name: str
    """As the logs print it; "" where they do not."""
    how: str
    """`marker`, `collector`, `archive`, `epoch`, `stamps`."""
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
    stamped = np.isin(rows["time_from"], (TimeFrom.ZONED, TimeFrom.DATED, TimeFrom.YEARLESS)) & np.isfinite(
        rows["time"]
    )
    zoned = np.flatnonzero(stamped & (rows["time_from"] == TimeFrom.ZONED))
    if len(zoned) < LEAST_STAMPS or len(zoned) < np.count_nonzero(stamped):
        return None
    return Zone(0, "UTC", "stamps", (cite(case, case.records[int(zoned[0])]),))


def all_zoned(events: Iterable[bool]) -> bool:
    """Whether every client line names its zone: their times are then UTC already."""
    seen: Sequence[bool] = list(events)
    return bool(seen) and all(seen)
