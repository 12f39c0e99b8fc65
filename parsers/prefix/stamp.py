"""Times as logs write them, and how far each can be trusted.

Styles and traps: c10 writes month×100+day without padding and a monotonic fraction; torch's Python loggers pad
and have no year; syslog has neither year nor zone. A stamp becomes seconds since the epoch *as if its wall clock
were UTC*, unless it names its zone; alignment between clocks is the diagnosis' business.
"""

from __future__ import annotations

import re
import time as clock
from collections.abc import Iterable
from datetime import date
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from logtui.parsers.numbers import dated

MONTHS = {m: i for i, m in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}
_ELSEWHERE = (
    "janv|jan|ene|gen", "févr|fév|feb|fev", "mars|mar|mär|mrt", "avr|abr|apr", "mai|may|mag|mei", "juin|jun|giu",
    "juil|jul|lug", "août|aug|ago", "sept|sep|set", "oct|okt|ott|out", "nov", "déc|dec|dic|dez",
)  # fmt: skip
"""Months as `date` cuts them in French, German, Spanish, Italian, Portuguese and Dutch."""
MONTHS |= {name: i for i, names in enumerate(_ELSEWHERE, 1) for m in names.split("|") for name in (m, m.title())}


class TimeFrom(IntEnum):
    """Where a record's time came from, best first among the known ones."""

    NONE = 0
    ZONED = 1
    """Date, year and zone stand in the line."""
    DATED = 2
    """Date and year stand in the line, the zone does not: local time of the writer."""
    YEARLESS = 3
    """Month and day stand in the line; the year is the file's."""
    UPTIME = 4
    """Seconds since boot; comparable within one host only."""
    CLOCK = 5
    """Time of day only; the day is the file's."""
    NEIGHBOUR = 6
    """Taken from the nearest stamped line before it in the same file."""

    @property
    def word(self) -> str:
        """As people read it in a report."""
        return _WORDS[self]


_WORDS = {
    TimeFrom.NONE: "unknown", TimeFrom.ZONED: "exact", TimeFrom.DATED: "exact, local",
    TimeFrom.YEARLESS: "year assumed", TimeFrom.UPTIME: "uptime", TimeFrom.CLOCK: "day assumed",
    TimeFrom.NEIGHBOUR: "line before",
}  # fmt: skip


HEIR = 4
"""Bits by which the source of a neighbour's time stands above `NEIGHBOUR` while years and days are not settled."""


def heir_of(source: int) -> int:
    """How a row notes that its time is its neighbour's, and where that one has it from."""
    return source if source > TimeFrom.NEIGHBOUR else TimeFrom.NEIGHBOUR | source << HEIR


class Stamp(NamedTuple):
    """A time found in a line."""

    epoch: float
    source: TimeFrom
    start: int
    end: int


CENTURY = 2000
"""Of years of two digits."""
CLOCK_SPREAD_S = 2 * 86400
"""How far past the day of a file's last write a stamp without a year may lie: zones, and clocks that differ."""

_HMS = r"(?P<h>\d\d):(?P<mi>\d\d):(?P<s>\d\d)"
_EARLY = r"(?P<h>\d\d?):(?P<mi>\d\d):(?P<s>\d\d)"
_PAD = r"(?=[ \d]\d)(?: (?!\d\d))?"
_SPACED = r" ?(?P<h>\d{1,2}):" + _PAD + r"(?P<mi>\d{1,2}):" + _PAD + r"(?P<s>\d{1,2})"
"""Numbers that Fortran pads with blanks, which are none of theirs."""
_MON = "|".join(list(MONTHS)[:12])
_ANY_MON = "|".join(sorted(MONTHS, key=len, reverse=True))
_MON_HERE = rf"(?P<mon>{_ANY_MON})[a-zé]{{0,6}}\.?"
_ZONE = r"(?: (?:(?P<z>UTC|GMT)|[A-Z]{3,4}|[+-]\d\d(?:\d\d)?))?"
_LOG4J = r" (?:DEBUG|INFO|WARN|ERROR|FATAL) (?:[a-z]\w{0,40}\.){0,8}[A-Z]\w{1,60}: "
"""Levels and loggers as Spark's own set-up has them, of all releases."""
OF_MODEL = r"(?<!_00:00:00)"
"""How models of weather write the days that they simulate."""
_NOT_SIMULATED = r"(?<!main: time )(?<!wrfout_d\d\d_)(?<!wrfrst_d\d\d_)"
"""WRF's steps and files are of the time that it simulates."""
_NOT_OF_DATA = r"(?<!00:00:00 )(?<!00:00:00, )(?<!00:00:00 to )(?<!00:00:00 - )"
OF_TABLE = r"(?!(?<=00:00:00)(?:,| to| -)? (?:19|20)\d\d-\d\d-\d\d 00:00:00)"
"""Two days to the midnight, one behind the other, are those of the first and the last row of a table."""
_NO_NAME = r"(?<![A-Za-z]_)"
"""A time that a word is joined to names a folder or a run."""
_NOT_BUILT = (
    r"(?<!build )(?<!uild date: )(?<!uild time: )(?<!uilt )(?<!uilt on )(?<!uilt: )"
    r"(?<!ompiled )(?<!ompiled on )(?<!ompiled at )(?<!ompiled date/time: )(?<!odified on )"
    r"(?<!mtime: )(?<!submit: )(?<!ubmitted: )(?<!ubmitted at )(?<!ubmitted on )"  # before the job began
    r"(?<! Build \d{7} on )"  # Xilinx's
    r"(?<!SMP )(?<!PREEMPT )(?<!PREEMPT_DYNAMIC )"  # the kernel's, as `uname -a` tells it
)
_NOT_BUILT_THEN = (
    r"(?<!mtime: \w\w\w )(?<!submit: \w\w\w )(?<!ubmitted: \w\w\w )(?<!ubmitted at \w\w\w )(?<!ubmitted on \w\w\w )"
    r"(?<!ompiled date/time: \w\w\w )(?<!odified on \w\w\w )(?<!SMP \w\w\w )"
    r"(?<!PREEMPT \w\w\w )(?<!PREEMPT_DYNAMIC \w\w\w )(?<! Build \d{7} on \w\w\w )"
)
"""When a program was built, or a data set was last modified, no line was written."""
Styles = tuple[tuple[str, re.Pattern[str]], ...]

_STYLES: Styles = (
    ("iso", re.compile(
        _NOT_SIMULATED + _NO_NAME + _NOT_OF_DATA + r"(?<!next run at: )"
        r"(?P<y>(?:19|20)\d\d)[-/._](?P<mo>\d\d?)[-/._](?P<d>\d\d?)(?:[- T_,:]|  |, | at )" + _HMS
        + OF_MODEL + OF_TABLE
        + r"(?!/)(?! [AP]M\b)(?:[.,](?P<f>\d{1,9}))?(?: ?(?P<z>Z|[+-]\d\d:?\d\d|UTC)(?![\d:-]))?")),
    ("iso-halves", re.compile(
        r"(?P<y>20\d\d)[-/](?P<mo>\d\d?)[-/](?P<d>\d\d?)[ T]" + _HMS + r" (?P<half>[AP])M\b")),
    ("c10", re.compile(r"\[[FEWIV](?P<md>\d{3,4}) " + _HMS + r"\.\d{9} ")),
    ("glog", re.compile(r"\b[FEWIVC](?P<mo>[01]\d)(?P<d>[0-3]\d) " + _HMS + r"\.(?P<f>\d{6})\b")),
    ("mdy", re.compile(r"(?P<mo>[0-3]\d)/(?P<d>[0-3]\d)/(?P<y>20\d\d)(?:[ ,-]+| at )" + _HMS + r"(?! ?[AP]M\b)")),
    ("mdy-halves", re.compile(
        r"(?<![\d/-])(?P<mo>\d{1,2})[-/](?P<d>\d{1,2})[-/](?P<y>20\d\d)[ ,]+" + _EARLY + r" ?(?P<half>[AP])M\b")),
    ("mdy-short", re.compile(
        r"(?<![\d/])(?P<mo>[0-3]\d)/(?P<d>[0-3]\d)/(?P<y>\d\d)[ ,]{1,2}" + _HMS + "(?!" + _LOG4J + ")")),
    ("mdy-dots", re.compile(r"\[(?P<mo>[01]\d)\.(?P<d>[0-3]\d)\.(?P<y>\d\d)[| ]" + _HMS + r"(?=\])")),
    ("ctime", re.compile(
        _NOT_BUILT + r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?P<mon>[A-Z][a-z]{2}) +(?P<d>\d{1,2}) " + _HMS
        + r"(?: (?:(?P<z>UTC|GMT)|[A-Z]{3,4}|[+-]\d\d))? (?P<y>20\d\d)")),
    ("ctime-halves", re.compile(
        r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?P<mon>[A-Z][a-z]{2}) +(?P<d>\d{1,2}) " + _HMS
        + r" (?P<half>[AP])M(?: (?:[A-Z]{3,4}|[+-]\d\d))? (?P<y>20\d\d)")),
    ("log4j", re.compile(  # elsewhere the day may stand first
        r"(?<![\d/])(?P<y>[0-3]\d)/(?P<mo>[01]\d)/(?P<d>[0-3]\d) " + _HMS
        + "(?=" + _LOG4J + ")")),
    ("packed", re.compile(  # behind a name it is part of a path
        r"(?<![\d/.-])(?<![A-Za-z_]{2})(?P<y>20\d\d)(?P<mo>[01]\d)(?P<d>[0-3]\d)[- T_]" + _HMS
        + r"(?!/)(?:[.,](?P<f>\d{1,9}))?")),
    ("dmy-dots", re.compile(r"(?<![\d.])(?P<d>[0-3]\d)\.(?P<mo>[01]\d)\.(?P<y>20\d\d)(?:[ ,T]{1,2}| at )" + _HMS)),
    ("dmy-dashes", re.compile(
        r"(?<![\d-])(?P<d>[0-3]\d)-(?P<mo>[0-3]\d)-(?P<y>20\d\d)[ ,T_]{1,2}" + _HMS + r"(?! ?[AP]M\b)")),
    ("dmy-words", re.compile(
        r"(?<!SMP \w\w\w, )(?<!PREEMPT \w\w\w, )(?<!PREEMPT_DYNAMIC \w\w\w, )"
        r"(?<!\d)(?P<d>\d{1,2})(?:[-/ ]|\. )" + _MON_HERE + r"[-/ ,]{1,2}(?P<y>20\d\d)[-: T,]{1,2}" + _HMS
        + r"(?! [AP]M\b)")),
    ("dmy-words-year-last", re.compile(
        r"(?<!\d)(?P<d>\d{1,2})\.? " + _MON_HERE + " " + _HMS + _ZONE + r" (?P<y>20\d\d)\b")),
    ("mdy-words-year-last", re.compile(
        _NOT_BUILT_THEN
        + r"\b(?P<mon>" + _ANY_MON + r")\.? +(?P<d>\d{1,2}) " + _HMS + _ZONE + r" (?P<y>20\d\d)\b(?![:.])")),
    ("east", re.compile(
        r"(?P<y>20\d\d)[年년] {0,2}(?P<mo>\d{1,2})[月월] {0,2}(?P<d>\d{1,2})[日일][^\d:午전후]{1,12}" + _HMS)),
    ("vietnamese", re.compile(
        r"(?<!\d)(?P<d>\d{1,2}) [Tt]háng (?P<mo>\d{1,2}),? năm (?P<y>20\d\d),? " + _HMS
        + r"(?: (?P<z>[+-]\d\d))?(?![\w:])")),
    ("east-dots", re.compile(  # as `date` has it in Korean
        r"(?<![\d.])(?P<y>20\d\d)\. {0,2}(?P<mo>\d{1,2})\. {0,2}(?P<d>\d{1,2})\.(?: \([월화수목금토일]\))? " + _HMS)),
    ("dmy-words-halves", re.compile(
        r"(?<!\d)(?P<d>\d{1,2})[-/ ](?P<mon>" + _MON + r")[a-z]{0,6}[-/ ,]{1,2}(?P<y>20\d\d)[-: T,]{1,2}" + _HMS
        + r" (?P<half>[AP])M\b")),
    ("dmy-words-short", re.compile(
        r"(?<!\d)(?P<d>\d{1,2})[-/ ](?P<mon>" + _MON + r")[-/ ](?P<y>\d\d) " + _HMS)),
    ("dmy-glued", re.compile(  # Quantum ESPRESSO
        r"(?<!\d)(?P<d>\d{1,2})(?P<mon>" + _MON + r")(?P<y>20\d\d)(?: {1,2}(?:at )? ?|:)" + _SPACED)),
    ("glued-last", re.compile(
        r"(?<![\d:.,-])" + _SPACED + r" {1,3}(?P<d>\d{1,2}) ?(?P<mon>" + _MON + r")(?P<y>20\d\d)\b")),
    ("mdy-words-dashed", re.compile(r"\b(?P<mon>" + _MON + r")-(?P<d>\d{1,2})-(?P<y>20\d\d) " + _HMS)),
    ("mdy-words", re.compile(  # an interpreter was built then, not a line written
        r"(?<!\(default, )(?<!\(main, )" + _NOT_BUILT
        + r"\b(?P<mon>[A-Z][a-z]{2})[a-z]{0,6} +(?P<d>\d{1,2}),? (?P<y>20\d\d),? " + _HMS + r"(?! [AP]M\b)")),
    ("mdy-words-halves", re.compile(
        r"\b(?P<mon>[A-Z][a-z]{2})[a-z]{0,6} +(?P<d>\d{1,2}),? (?P<y>20\d\d),? (?:at )?" + _EARLY
        + r" (?P<half>[AP])M\b")),
    ("syslog", re.compile(
        _NOT_BUILT_THEN
        + r"\b(?P<mon>" + _MON + r")(?: +|-)(?P<d>\d{1,2}),? " + _HMS + r"(?:\.(?P<f>\d{1,6}))?(?! [AP]M)")),
    ("short", re.compile(
        r"(?:\b(?:INFO|WARNING|ERROR|DEBUG) |^[IWEF] |^\([\w.-]{1,40},? pid=\d{1,9}\) |^\[?"
        r"|^\d{3} \(\d{1,9}\.\d{3}\.\d{3}\) )"  # HTCondor's
        r"(?P<mo>[01]\d)(?:[-/]|(?<=\[\d\d))(?P<d>[0-3]\d) "  # Tensorpack's without a mark between the two
        + _HMS + r"(?! [AP]M\b)")),
    ("short-halves", re.compile(  # as DARTS has it, and those who began with it
        r"^\W{0,2}(?P<mo>[01]\d)[-/](?P<d>[0-3]\d) " + _HMS + r" (?P<half>[AP])M\b")),
    ("short-year", re.compile(
        r"(?:\b(?:INFO|WARNING|ERROR|DEBUG) {1,8}|^\W{0,2})(?P<y>\d\d)-(?P<mo>[01]\d)-(?P<d>[0-3]\d) " + _HMS
        + r"[.,](?P<f>\d{3,6})\b")),
    ("short-year-whole", re.compile(
        r"^\W{0,2}(?P<y>[23]\d)-(?P<mo>[01]\d)-(?P<d>[0-3]\d) " + _HMS + r"(?![.,:]?\d)")),
    ("packed-short", re.compile(  # nipype's
        r"^\W{0,2}(?P<y>[23]\d)(?P<mo>[01]\d)(?P<d>[0-3]\d)-" + _HMS + r"[.,](?P<f>\d{3,6})\b")),
    ("tornado", re.compile(  # and what took its format
        r"^\[[DIWEC] (?P<y>[0-3]\d)(?P<mo>[01]\d)(?P<d>[0-3]\d) " + _HMS
        + r"(?= [\w.]{1,80}:\d{1,6}\])")),
    ("mdy-dashes", re.compile(  # a year first is no month
        r"^\W{0,2}(?P<mo>[01]\d)-(?P<d>[0-3]\d)-(?P<y>[23]\d) " + _HMS + r"(?![.,]?\d)")),
    ("dmy-words-last", re.compile(  # CNS and X-PLOR
        r"(?<![\d:.,-])" + _HMS + r" on (?P<d>\d{1,2})-(?P<mon>" + _MON + r")-(?P<y>20\d\d)\b")),
    ("iso-last", re.compile(
        r"(?<![\d:.,-])" + _HMS + r"[ ,]{1,2}(?P<y>20\d\d)[-/](?P<mo>[01]\d)[-/](?P<d>[0-3]\d)"
        + r"(?![\d:-]|[ T_]\d\d:)")),
    ("mdy-last", re.compile(
        r"(?<![\d:.,-])" + _HMS + r"[ ,]{1,2}(?P<mo>[0-3]\d)/(?P<d>[0-3]\d)/(?P<y>20\d\d)(?![\d:-]| \d\d:)")),
    ("epoch", re.compile(r"\"time_ms\": ?(?P<ms>\d{13})\b")),
    ("unix", re.compile(  # Abseil's before it knows its zone, MLPerf's first releases, UCX, ROS
        r"(?:\b[IWEF]\d{4} \d\d:\d\d:|:::MLPv[\d.]{1,9} [\w-]{1,40} |^\["
        r"(?: {0,2}(?:DEBUG|INFO|WARN|ERROR|FATAL)\] \[)?)(?P<unix>\d{10})\.(?P<f>\d{1,9})\b")),
    ("unix-mlperf", re.compile(  # its scripts' lines have no fraction
        r":::MLPv[\d.]{1,9} [\w-]{1,40} (?P<unix>\d{10})(?!\d)(?:\.(?=\d))?(?P<f>\d{0,9})")),
    ("unix-json", re.compile(
        r"(?:\"(?:time(?:stamp)?|ts)\"|^(?:(?:[Cc]urrent )?time(?:stamp)?|ts)): ?\"?"
        r"(?P<unix>\d{10})(?:\.(?=\d))?(?P<f>\d{0,9})\b")),
    ("unix-level", re.compile(
        r"^(?P<unix>\d{10})(?:\.(?=\d))?(?P<f>\d{0,9}) {1,2}(?=(?:INFO|WARN|WARNING|ERROR|DEBUG)\b)")),
    ("unix-bracketed", re.compile(r"^\[(?P<unix>\d{10})\](?P<f>)(?=\s)")),  # llama.cpp's server
    ("unix-alone", re.compile(  # `print(time.time())`
        r"^(?P<unix>\d{10})\.(?P<f>\d{1,9})(?:\s{0,4}$| {1,3}(?=[A-Za-z\[]))")),
    ("tune", re.compile(  # Ray's, of a trial that failed
        r"\(occurred at (?P<y>20\d\d)-(?P<mo>[01]\d)-(?P<d>[0-3]\d)_(?P<h>\d\d)-(?P<mi>\d\d)-(?P<s>\d\d)\)")),
    ("uptime", re.compile(r"^(?:<\d+>)?\[ *(?P<up>\d{1,9}\.\d{6})\]")),
    ("clock", re.compile(r"(?:^| )" + _HMS + r"\.(?P<f>\d{3,6})(?: |$)")),
)  # fmt: skip


_OF_CENTURY = frozenset(
    {
        "mdy-short",
        "mdy-dots",
        "packed-short",
        "tornado",
        "short-year-whole",
        "mdy-dashes",
        "short-year",
        "log4j",
        "dmy-words-short",
    }
)
IN_HALVES = frozenset(
    {"iso-halves", "ctime-halves", "mdy-halves", "mdy-words-halves", "dmy-words-halves", "short-halves"}
)
"""Styles whose hours are counted from midnight and from noon."""
_EITHER_FIRST = frozenset({"mdy", "mdy-last", "mdy-short", "dmy-dashes"})
"""Styles in which some write the day first: it shows where there is no such month, or the month is still to come."""
_NAMED_MONTH = frozenset(
    {"ctime", "ctime-halves", "mdy-words", "mdy-words-halves", "dmy-words", "dmy-words-halves"}
    | {
        "dmy-glued",
        "glued-last",
        "mdy-words-dashed",
        "dmy-words-short",
        "dmy-words-year-last",
        "dmy-words-last",
        "mdy-words-year-last",
        "syslog",
    }
)
_WITH_YEAR = (
    (_NAMED_MONTH - {"syslog"})
    | {
        "iso",
        "iso-last",
        "tune",
        "mdy",
        "mdy-last",
        "packed",
        "dmy-dots",
        "dmy-dashes",
        "east",
        "east-dots",
        "vietnamese",
    }
    | (IN_HALVES - {"short-halves"})
    | _OF_CENTURY
)
_WITH_ZONE = frozenset({"iso", "ctime", "vietnamese", "dmy-words-year-last", "mdy-words-year-last"})
WITH_FRACTION = frozenset(
    {
        "iso",
        "glog",
        "syslog",
        "clock",
        "short-year",
        "packed",
        "packed-short",
        "unix",
        "unix-json",
        "unix-mlperf",
        "unix-alone",
    }
    | {"unix-level"}
)
_ANY_CLOCK = re.compile(r"\d:[ \d]\d:[ \d]\d")
OF_UNIX = frozenset({"unix", "unix-bracketed", "unix-json", "unix-mlperf", "unix-level", "unix-alone"})
"""Styles of seconds since the epoch."""
_BEFORE_UNIX = ("[", "<", "{", "time: 1", "timestamp: 1", "ts: 1", "Current time: 1", "current time: 1")
"""How a line begins that may tell seconds since the epoch."""
_CLOCKLESS = tuple(style for style in _STYLES if style[0] in OF_UNIX | {"uptime", "epoch", "tune"})
"""What a text without any time of day may still hold."""
_ANY_MONTH = re.compile(rf"(?:{_ANY_MON})(?:[a-zé]{{0,6}}\.?[-/ ,]+\d|20\d\d\b)")
_NUMERIC = tuple(style for style in _STYLES if style[0] not in _NAMED_MONTH)
"""What a text may hold that names no month: most lines are asked for half of the styles."""
LOOKED_AT = 4096
"""Characters of a text in which a stamp is looked for."""
LAST_MONTH, EARLIEST = 12, 2018
"""Of a year; the first year of which a date that begins with no month may be: `24/03/15` is one of 2024."""
RECENT, ALONE = 1_400_000_000, 24
"""Seconds since the epoch which a number alone may mean; characters of a line that holds no more."""
_LEVELS = frozenset({" I", " W", " E", " D"})
"""How a level begins behind seconds since the epoch."""
LAST_SECOND = 86400
"""Of a day, with a leap second."""


@lru_cache(maxsize=512)
def _day(year: int, month: int, day: int) -> float | None:
    try:
        return (date(year, month, day).toordinal() - 719163) * 86400.0
    except ValueError:
        return None


def _zone_seconds(zone: str | None) -> int | None:
    if not zone:
        return None
    if zone in ("Z", "UTC", "GMT"):
        return 0
    sign = -1 if zone[0] == "-" else 1
    return sign * (int(zone[1:3]) * 3600 + int(zone[3:].lstrip(":") or 0) * 60)


def read_match(style: str, m: re.Match[str], year: int, day0: float) -> Stamp | None:
    start, end = m.span()
    if style == "uptime":
        return Stamp(float(m["up"]), TimeFrom.UPTIME, start, end)
    if style == "epoch":
        return Stamp(int(m["ms"]) / 1000, TimeFrom.ZONED, start, end)
    if style in OF_UNIX:
        epoch = float(f"{m['unix']}.{m['f']}")
        return Stamp(epoch, TimeFrom.ZONED, start, end) if style == "unix" or epoch > RECENT else None
    h, mi, s = m.group("h", "mi", "s")
    hour = int(h) % 12 + 12 * (m["half"] == "P") if style in IN_HALVES else int(h)
    clock = hour * 3600 + int(mi) * 60 + int(s)
    fraction = m["f"] if style in WITH_FRACTION else None
    seconds = clock + (int(fraction) / 10 ** len(fraction) if fraction else 0.0)
    frame = frame_of(style, m, year, day0)
    if frame is None or (clock > LAST_SECOND and style != "clock"):
        return None
    midnight, zone, source = frame
    return Stamp(midnight + seconds - zone, source, start, end)


Frame = tuple[float, int, TimeFrom]
"""What a time of day is counted from: a midnight, and the seconds by which its zone is ahead."""


def frame_of(style: str, m: re.Match[str], year: int, day0: float) -> Frame | None:
    """The day and the zone of a stamp with a time of day; None where no calendar has such a day."""
    if style == "clock":
        return day0, 0, TimeFrom.CLOCK
    with_year = style in _WITH_YEAR
    base = _day_of(style, m, _year(style, m) if with_year else year)
    if base is None:
        return None
    if day0 and base > day0 + CLOCK_SPREAD_S:  # a day after the file was written the last time
        base = base if with_year else _day_of(style, m, year - 1) or base
        other = _day(_year(style, m), int(m["d"]), int(m["mo"])) if style in _EITHER_FIRST else None
        base = other if other is not None and other <= day0 + CLOCK_SPREAD_S else base
    zone = _zone_seconds(m["z"]) if style in _WITH_ZONE else None
    source = TimeFrom.ZONED if zone is not None else TimeFrom.DATED if with_year else TimeFrom.YEARLESS
    return base, zone or 0, source


def _year(style: str, m: re.Match[str]) -> int:
    """The year that stands in a line."""
    return int(m["y"]) + (CENTURY if style in _OF_CENTURY else 0)


def _day_of(style: str, m: re.Match[str], year: int) -> float | None:
    if style == "c10":
        return _day(year, *divmod(int(m["md"]), 100))
    month, day = MONTHS.get(m["mon"], 0) if style in _NAMED_MONTH else int(m["mo"]), int(m["d"])
    if month > LAST_MONTH and style == "mdy-short" and year < EARLIEST:
        return _day(CENTURY + month, day, year - CENTURY)  # the year stands first
    if month > LAST_MONTH and style in _EITHER_FIRST and (year >= EARLIEST or style != "mdy-short"):
        month, day = day, month
    return _day(year, month, day)


Places = tuple[tuple[str, re.Pattern[str], tuple[int, ...]], ...]
"""Styles, and the characters at which a stamp of each may start. The same for lines that differ in digits alone."""


def find_places(text: str) -> Places:
    """Where stamps may stand in the lines that differ from a text in digits alone."""
    found = ((style, regex, tuple(m.start() for m in relaxed(regex).finditer(text))) for style, regex in _styles(text))
    return tuple(place for place in found if place[2])


def stamp_at(places: Places, text: str, hit: int, year: int, day0: float) -> Stamp | None:
    """What `find_stamp` finds, if the places where it may be are known."""
    found = ((style, nearest_of(regex, text, hit, starts)) for style, regex, starts in places)
    return _that_of(found, hit, year, day0)


def nearest_of(regex: re.Pattern[str], text: str, hit: int, starts: tuple[int, ...]) -> re.Match[str] | None:
    """As `_nearest`: matches that do not overlap, the last one up to the hit or else the first."""
    best, end = None, 0
    for start in starts:
        if start < end or (m := regex.match(text, start, LOOKED_AT)) is None:
            continue
        if best is not None and start > hit:
            break
        best, end = m, m.end()
    return best


@lru_cache(maxsize=len(_STYLES))
def relaxed(style: re.Pattern[str]) -> re.Pattern[str]:
    """Finds, without taking any text, each place at which a style may match if other digits stand there; its first
    group is what may match."""
    wider = style.pattern
    for told_by_digits in (OF_MODEL, OF_TABLE, _NOT_OF_DATA):
        wider = wider.replace(told_by_digits, "")
    for narrow in (r"(?:19|20)\d\d", r"20\d\d", r"[01]\d", r"[0-3]\d", r"[23]\d"):
        wider = wider.replace(narrow, r"\d\d\d\d" if narrow.endswith(r"\d\d") else r"\d\d")
    return re.compile(f"(?=({wider}))")


def _styles(text: str) -> Styles:
    if ":" in text and _ANY_CLOCK.search(text, 0, LOOKED_AT):
        return _STYLES if _ANY_MONTH.search(text, 0, LOOKED_AT) else _NUMERIC
    alone = text[:1] == "1" and (len(text) < ALONE or text[10:11] == "." or text[10:12] in _LEVELS)
    named = "time_ms" in text or ":::MLP" in text or "(occurred at 20" in text
    return _CLOCKLESS if alone or named or text.startswith(_BEFORE_UNIX) else ()


def find_stamp(text: str, hit: int, year: int, day0: float = 0.0) -> Stamp | None:
    """The stamp that belongs to the record starting at or around `hit`.

    That is the last one before the hit, since records are glued into one line, or else the first one after it.
    `year` completes stamps that have none; `day0` (epoch of a midnight) completes bare times of day. Both are those
    of the file's last write, so a December written of in January belongs to the year before.
    """
    return _that_of(((style, _nearest(regex, text, hit)) for style, regex in _styles(text)), hit, year, day0)


def stamp_near(text: str, near: float) -> Stamp | None:
    """The first stamp of a text; an epoch `near` it, of the job or of its file's last write, completes year and day."""
    return find_stamp(text, 0, clock.gmtime(near).tm_year, near - near % 86400)


def _that_of(found: Iterable[tuple[str, re.Match[str] | None]], hit: int, year: int, day0: float) -> Stamp | None:
    """Of the nearest match of each style, the first at or before the hit, else the earliest after it."""
    later: Stamp | None = None
    for style, m in found:
        if m is None or (stamp := read_match(style, m, year, day0)) is None:
            continue
        if stamp.start <= hit:
            return stamp
        if later is None or stamp.start < later.start:
            later = stamp
    return later


def _nearest(regex: re.Pattern[str], text: str, hit: int) -> re.Match[str] | None:
    best = None
    for m in regex.finditer(text, 0, LOOKED_AT):
        if best is not None and m.start() > hit:
            break
        best = m
    return best


def iso(epoch: float | None, zoned: bool = False) -> str | None:
    """ISO 8601 text of an epoch; with `+00:00` only where the zone is known."""
    if epoch is None or not dated(epoch):
        return None
    days, rest = divmod(epoch, 86400.0)
    whole = date.fromordinal(int(days) + 719163)
    milli = round(rest * 1000)
    if milli >= 86_400_000:
        milli = 86_399_999
    h, milli = divmod(milli, 3_600_000)
    mi, milli = divmod(milli, 60_000)
    s, milli = divmod(milli, 1000)
    fraction = f".{milli:03d}" if milli else ""
    return f"{whole.isoformat()}T{h:02d}:{mi:02d}:{s:02d}{fraction}{'+00:00' if zoned else ''}"
