"""How AIStore daemons write: header, title, record, hourly marker.

A record is `S HH:MM:SS.uuuuuu [file:line ]message`, local time, no date. Files begin with a header line that
carries the date; the title line names node and version. Both exist with and without a stamp before them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from logtui.parsers.prefix.stamp import MONTHS
from logtui.parsers.regex import regex

RECORD_CUT = 2048
"""Bytes after which an I record is cut, without a newline: the next record is glued to it."""

RECORD = regex(
    r"(?P<severity>[IWE]) (?P<h>[01]\d|2[0-3]):(?P<mi>[0-5]\d):(?P<s>[0-5]\d)\.(?P<us>\d{6}) "
    r"(?:(?P<source>[A-Za-z0-9_]+)(?:\.go)?:(?P<source_line>\d+)\]? )?(?P<message>.*)",
    re.S,
)
RECORD_START = regex(rb"[IWE] (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6} ")
HEADER = regex(
    r"^(?:(?P<event>Started up|Rotated) at "
    r"(?P<y>20\d\d)/(?P<mo>\d\d)/(?P<d>\d\d) (?P<h>\d\d):(?P<mi>\d\d):(?P<s>\d\d), "
    r"host (?P<host>[^\s,]+), go\S+ for \S+"
    r"|Log file created at: (?P<gy>20\d\d)/(?P<gmo>\d\d)/(?P<gd>\d\d) (?P<gh>\d\d):(?P<gmi>\d\d):(?P<gs>\d\d)\s*$)"
)
TITLE = regex(
    r"(?:^|\s)Node (?P<role>[tp])\[(?P<id>[^\]\s]+)\], Version (?P<version>\d+\.\d+(?:\.rc\d+)?)(?P<commit>[\w.]*), "
)
MARKER = regex(
    r"(?P<d>\d\d) (?P<mon>[A-Z][a-z]{2}) (?P<y>\d\d) (?P<h>\d\d):(?P<mi>\d\d) "
    r"(?P<zone>[A-Z]{1,5}|[+-]\d\d(?:\d\d)?) ={13}$"
)
GLOG_HOST = regex(r"^Running on machine: (?P<host>\S+)")


class Opening(StrEnum):
    """How a file, or a part of a concatenated one, begins."""

    STARTED = "started"
    """A new process: counters begin at zero."""
    ROTATED = "rotated"
    """The same process went on into a new file."""
    HEADLESS = "headless"
    """No header: its beginning is missing."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a file. `time` is wall clock taken as UTC."""

    opening: Opening
    time: float
    host: str


@dataclass(frozen=True, slots=True)
class Title:
    """Which node wrote the file."""

    role: str
    """`target` or `proxy`."""
    id: str
    version: str
    """`4.1`, `5.0`, `4.4.rc2`."""


@dataclass(frozen=True, slots=True)
class Marker:
    """The hourly date line; minute precision, the zone as the process abbreviates it."""

    day: int
    """Days since the epoch."""
    minute: int
    """Minute of the day."""
    zone: str


def day_number(year: int, month: int, day: int) -> int | None:
    """Days since the epoch, or None for an impossible date."""
    try:
        return date(year, month, day).toordinal() - 719163
    except ValueError:
        return None


def read_header(line: str) -> Header | None:
    """The header a line holds, if it is one."""
    m = HEADER.match(line)
    if m is None:
        return None
    p = "" if m["event"] else "g"
    day = day_number(int(m[p + "y"]), int(m[p + "mo"]), int(m[p + "d"]))
    clock = int(m[p + "h"]) * 3600 + int(m[p + "mi"]) * 60 + int(m[p + "s"])
    if day is None or clock >= 86400:
        return None
    # The glog era has one header for every file; its rotated files cannot be told from restarts by it.
    opening = Opening.ROTATED if m["event"] == "Rotated" else Opening.STARTED
    return Header(opening, day * 86400.0 + clock, m["host"] or "")


def read_title(line: str) -> Title | None:
    """The node title a line holds, with or without a stamp before it."""
    m = TITLE.search(line)
    return Title("target" if m["role"] == "t" else "proxy", m["id"], m["version"]) if m else None


def read_marker(message: str) -> Marker | None:
    """The hourly marker a message is, if it is one."""
    m = MARKER.match(message)
    if m is None or m["mon"] not in MONTHS:
        return None
    day = day_number(2000 + int(m["y"]), MONTHS[m["mon"]], int(m["d"]))
    return Marker(day, int(m["h"]) * 60 + int(m["mi"]), m["zone"]) if day is not None else None
