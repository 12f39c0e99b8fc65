"""The dates at the two ends of log files, from any of their lines, matched or not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import accumulate, pairwise
from typing import NamedTuple

from logtui.parsers.clean import clean
from logtui.parsers.errors import LogtuiError
from logtui.parsers.files.archive import open_log
from logtui.parsers.files.line_dates import HALF_A_YEAR_S, nearest_year
from logtui.parsers.files.reading import ByteSource
from logtui.parsers.numbers import dated
from logtui.parsers.prefix.stamp import LOOKED_AT, MONTHS, Stamp, TimeFrom, find_stamp, stamp_near
from logtui.parsers.regex import regex
from logtui.parsers.source import OF_PROGRAMS, FileKind, LogFile

SPEAKING = OF_PROGRAMS | {FileKind.LAUNCHER, FileKind.SCHEDULER}
"""Whose own time is the job's."""
MOST_FILES, FEW = 32, 1024
REACHES = (32 << 10, 512 << 10)
"""Bytes at each end of a file in which a date is looked for, and then, where there is none."""
_PACE_ENDS = re.compile(rb"(?:it/s|s/it)[^\[\]|\n]{0,80}\](?=\[?20\d\d[-/])")
"""How a bar ends that another stream's line was written behind."""
PREFIX = 80
"""Characters of a line in which its own stamp begins; a date further on may be of anything, but in JSON."""
DATED = frozenset({TimeFrom.ZONED, TimeFrom.DATED})
NEAR_S = 3 * 86400.0
"""So near the folder of a run is named after its own day."""
_DIGITS = re.compile(rb"^\W{0,2}(?:date: )?(20\d\d)(-?)([01]\d)\2([0-3]\d)[ _-]([0-2]\d)\2([0-5]\d)\2([0-5]\d)(?!\d)")
_MAY_DATE = tuple(
    map(
        re.compile,
        (
            rb":(?<=\d:)[ \d]\d:[ \d]\d",
            rb"time_ms",
            rb":::MLPv",
            rb"\"t(?:ime(?:stamp)?|s)\": ?\"?\d{10}\b",
            rb"20\d{6}[ _-]\d{6}",
            rb"20\d\d-\d\d-\d\d[ _-]\d\d-\d\d-\d\d",
            rb"(?m:^)\[?1\d{9}\.\d{1,9}[\s\]]",
            rb"(?m:^)\[1\d{9}\]\s",
            rb"(?m:^)1\d{9}(?:\.\d{1,9})? {1,2}(?:INFO|WARN|ERROR|DEBUG)",
            rb"\*\*\* Aborted at \d{10} \(unix",
            rb"(?m:^)RUNANDTIME_ST(?:ART|OP) \d{10}",
        ),
    )
)
"""What every date has: a time to the second, a name, or nothing but digits. Each begins with what is found fast."""
_NAME = rb"(20\d\d)[-_]?([01]\d)[-_]?([0-3]\d)[-_T]([0-2]\d)[-_:]?([0-5]\d)[-_:]?([0-5]\d)(?!\d)"
_NAMED = re.compile(rb"(?<!\d)" + _NAME)
_BEGUN = re.compile(
    rb"(?:(?P<named>(?:saved locally in|Find logs at:|wandb sync) \S{0,400}\brun-|Trainer: [\w-]{1,40} \| )"
    rb"|(?i:\b(?:time(?:stamp)?|date|started(?: at)?)) ?[:=] ?['\"]?)(?P<date>" + _NAME + rb")"
)
"""A run that is named after its start: wandb's own words, or those of a script, which says the time itself."""
_MINUTE = (
    rb"(20\d\d)(?:[-/]|\xe5\xb9\xb4)([01]?\d)(?:[-/]|\xe6\x9c\x88)([0-3]?\d)(?:\xe6\x97\xa5)?[ T,-]{1,2}"
    rb"([0-2]?\d)[:-]([0-5]\d)(?!\d|[:-]\d)"
)
"""Also in East Asian writing, with words for year, month and day."""
_OF_WHAT = rb"(?:(?:train(?:ing)?|run|job|program|script|experiment|test|evaluation) )?"
_BEGAN_AT = re.compile(
    rb"(?mi:^\W{0,3}" + _OF_WHAT + rb"(?:start(?:ed|ing)?|begin|begun|time|date)(?: time| at| on)? ?[:=] ?)" + _MINUTE
)
_ENDED_AT = re.compile(
    rb"(?mi:^\W{0,3}"
    + _OF_WHAT
    + rb"(?:end(?:ed)?|finish(?:ed)?|stop(?:ped)?|done)(?: time| at| on)? ?[:=] ?)"
    + _MINUTE
)
"""Lines that say when their run began, and ended, without seconds."""
_PACKED_AT = re.compile(
    rb"(?mi:^[^\n]{0,40}?\b(?:start(?:ed|s|ing)?|begins?|begun) (?:at|on) )"
    rb"(20\d\d)([01]\d)([0-3]\d)[-_T]([0-2]\d)([0-5]\d)(?!\d)"
)
"""The same without anything between the numbers, `started at 20310203-0405`."""
_DAY_THEN_TIME = re.compile(
    rb"(?mi:^\W{0,3}date {0,8}[:=] ?)([A-Z][a-z]{2}) ([0-3]?\d) (20\d\d)\s{0,8}\n"
    rb"(?i:\W{0,3}time {0,8}[:=] ?)([0-2]\d):([0-5]\d):([0-5]\d)"
)
"""OpenFOAM's, in two lines."""
_MINUTE_FIRST = re.compile(rb"(?m:^[\[(]?)" + _MINUTE + rb"[\])]?(?=[ \t:|-]{1,4}\S)")
"""A line that begins with a time without seconds."""
_DAY_FIRST = re.compile(
    rb"(?m:^[\[(]?)([0-3]?\d)[-/.]([01]?\d)[-/.](20\d\d)[ T,]{1,2}([0-2]?\d):([0-5]\d)(?!\d|:\d)[\])]?"
    rb"(?=[ \t:|-]{1,4}\S)"
)
"""The same with the day first."""
_STATISTICS = b"Subm/Elig/Start/End: "
"""Of a job, in the report of NHR's centres: four times in one line, the end last."""
_ALONE = re.compile(rb"(1\d{9}\.\d{1,9})(?:\s|$)")
MONTHS_S = 90 * 86400.0
"""A number that may be of seconds since the epoch, and how far from all other times it is none."""
_UNIX = re.compile(rb"(?:\*\*\* Aborted at |(?m:^)RUNANDTIME_ST(?:ART|OP) )(\d{10})(?!\d)")
"""glog's, at the end of a process whose lines have no year; MLPerf's scripts', around training."""


def spread(files: Iterable[LogFile]) -> list[LogFile]:
    """Some of the files in which a job speaks, at equal distances."""
    files = list(files)
    speaking = [file for file in files if file.kind in SPEAKING] or files
    return speaking[:: -(-len(speaking) // MOST_FILES) or 1]


def affordable(files: Iterable[LogFile], each: int, most: int) -> list[LogFile]:
    """Files in which a job speaks, of each of which so many bytes are to be read: all of them where they are few and
    that is no more than `most` together, else as many of those that are `spread`."""
    files = list(files)
    if len(files) <= FEW and sum(min(file.size, each) for file in files) <= most:
        return [file for file in files if file.kind in SPEAKING] or files
    found = spread(files)
    before = accumulate((min(file.size, each) for file in found), initial=0)
    return [file for file, so_far in zip(found, before, strict=False) if so_far < most]


class Date(NamedTuple):
    """A date that a line tells."""

    epoch: float
    """Seconds; of a line without a zone as if its clock were UTC."""
    zoned: bool = False
    day_first: float | None = None
    """The same where its first number is taken for the day, as its order leaves open."""
    turned: bool = False
    """Whether it is, since the other end of its file shows that."""


def first_and_last(file: LogFile, near: float | None = None, far: int = 0) -> tuple[Date | None, Date | None]:
    """The first and the last date of a file that its ends show; None where none does. If need be they are looked for as
    many bytes from there as `far` says, where the other end shows one.

    Stamps without a year count where `near`, a time of the job, gives them theirs.
    """
    try:
        with closing(open_log(file)) as source:
            first = _first(source, file, near, last=False)
            last = _first(source, file, near, last=True)
            if first is None and last is not None:
                first = _behind_begin(source, file, near, far)
            if last is None and first is not None:
                last = _before_end(source, file, near, far)
            first, last = _in_order(first, last)
            return first, last if last is None else _with_clocks(source, last)
    except (LogtuiError, OSError):
        return None, None


_OFFSET = re.compile(rb"[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})? ?([+-])([01]\d):?([0-5]\d)(?![\d:-])")
"""A zone behind a time of day."""
_EITHER_FIRST = regex(r"(?<!\d)([01]\d)/([01]\d)/((?:20)?\d\d)[ ,]")
DAY_S = 86400.0
SHORTER, MONTH_S = 5.0, 20 * DAY_S
"""By so much days come closer that stand first; what months are apart at least."""


def _in_order(first: Date | None, last: Date | None) -> tuple[Date | None, Date | None]:
    """Two dates of one file, with their days first if that brings them much closer: from the 9th to the 10th of one
    month, and not from the 9th month to the 10th."""
    if first is None or last is None or first.day_first is last.day_first is None:
        return first, last
    begun, ended = (date.epoch if date.day_first is None else date.day_first for date in (first, last))
    apart = abs(last.epoch - first.epoch)
    if apart < MONTH_S or not 0 <= (ended - begun) * SHORTER < apart:
        return first, last
    return first._replace(epoch=begun, turned=True), last._replace(epoch=ended, turned=True)


def _day_first(stamp: Stamp, text: str) -> float | None:
    """What a stamp means if its day stands before its month; None where the order is not open."""
    found = _EITHER_FIRST.match(text, stamp.start)
    if found is None:
        return None
    day, month, year = found.groups()
    midnight = _moment(b"20%d" % (int(year) % 100), month.encode(), day.encode(), b"0", b"0", b"0")
    return None if midnight is None else midnight + stamp.epoch % DAY_S


_CLOCK = re.compile(
    rb"(?:xgboost\.core\.XGBoostError: |(?:\x1b\[[\d;]{0,8}m){0,3}\(\w{1,60} pid=\d{1,9}[^)\n]{0,60}\)(?:\x1b\[0m)? )?"
    rb"\W{0,2}([0-2]\d):([0-5]\d):([0-5]\d)(?![\d:])"
)
"""Also behind the name of an actor of Ray's."""
SOON_S = 4 * 3600.0
"""A time of day that follows another one by more may be of something else."""


def _first(source: ByteSource, file: LogFile, near: float | None, last: bool) -> Date | None:
    """The first date from one end of a file, or from the other."""
    size = source.size()
    for reach in REACHES[: 1 + (size > REACHES[0])]:
        text = source.read_at(max(0, size - reach) if last else 0, reach)
        if (date := next(_dates(_heads(text, last), file, near), None)) is not None:
            return date
    return None


def _behind_begin(source: ByteSource, file: LogFile, near: float | None, far: int) -> Date | None:
    """The first date farther from the beginning of a file than is looked at first, block by block."""
    block = REACHES[-1]
    for begin in range(block, min(source.size(), far), block):
        text = source.read_at(begin - 2 * PREFIX, block + 2 * PREFIX)
        if (date := next(_dates(_heads(text), file, near), None)) is not None:
            return date
    return None


def _before_end(source: ByteSource, file: LogFile, near: float | None, far: int) -> Date | None:
    """The last date farther from the end of a file than is looked at first, block by block."""
    size, block = source.size(), REACHES[-1]
    for begin in range(size - 2 * block, max(size - far, 0) - block, -block):
        text = source.read_at(max(begin, 0), block + min(begin, 0) + 2 * PREFIX)
        if (date := next(_dates(_heads(text, last=True), file, near), None)) is not None:
            return date
    return None


def _with_clocks(source: ByteSource, last: Date) -> Date:
    """The last date of a file, or a later time of day that the lines behind it tell, which go on from it."""
    text = source.read_at(max(0, source.size() - REACHES[0]), REACHES[0])
    told: list[float] = []
    for head in _heads(text, last=True):
        stamp = stamp_near(clean(head), last.epoch)
        if stamp is not None and stamp.source in DATED:
            break
        if clock := _CLOCK.match(head):
            hours, minutes, seconds = map(int, clock.groups())
            told.append(3600.0 * hours + 60.0 * minutes + seconds)
    return last if not told else last._replace(epoch=_gone_on(last.epoch, told[::-1]))


def _gone_on(date: float, clocks: Iterable[float]) -> float:
    """The last of some times of day that follow a date; the date itself where the first does not come soon after it, as
    what has passed since a start would not, or one comes before another."""
    now = date
    for clock in clocks:
        step = (clock - now) % DAY_S
        if step > SOON_S:
            return date
        now += step
    return now


def dated_at(files: Iterable[LogFile]) -> float | None:
    """A date of a case that stands in some line of it, whoever wrote it; None where the ends of files show none."""
    some = spread(files)
    told = (date.epoch for file in some for date in first_and_last(file) if date is not None)
    named = (date for file in some if (date := _named_day(file)) is not None)
    aborted = (float(found[1]) for file in some if (found := _UNIX.search(_ends(file))))
    return next((date for dates in (told, named, aborted) for date in dates), None)


def yearless_at(files: Iterable[LogFile]) -> float | None:
    """A time in whose nearest years nothing is later than the last write of some files, for a case in which no year
    stands, if both ends of one of them tell a day."""
    some = spread(files)
    told = (first_and_last(file, file.mtime) for file in some)
    if not any(first is not None and last is not None for first, last in told):
        return None
    return max(file.mtime for file in some) + 2 * DAY_S - HALF_A_YEAR_S


def named_span(files: Iterable[LogFile]) -> tuple[float | None, float | None]:
    """When the first run began of those that are named after it, and the last time that a script says itself, in the
    form of a name; for a case in which nothing else is dated."""
    found = [m for file in spread(files) for m in _BEGUN.finditer(_ends(file))]
    told = [(date, m["named"] is None) for m in found if (date := _begun(m)) is not None]
    return min((date for date, _ in told), default=None), max((date for date, said in told if said), default=None)


def _begun(found: re.Match[bytes]) -> float | None:
    named = _NAMED.search(found["date"])
    return None if named is None else _read(named)


def told_to_the_minute(files: Iterable[LogFile]) -> tuple[float, float] | None:
    """When the last run began of those that say it without seconds, and when it ended, as far as that is told; for a
    case in which nothing else is dated."""
    texts = [_ends(file) for file in spread(files)]
    said, ended = ([date for text in texts for date in _minutes(words, text)[-1:]] for words in (_BEGAN_AT, _ENDED_AT))
    twice = [date for text in texts for date in _days_then_times(text)[-1:]]
    packed = [date for text in texts for date in _minutes(_PACKED_AT, text)[-1:]]
    said, ended = [*said, *twice, *packed], [*ended, *twice]
    stamped = [date for text in texts for date in _minutes(_MINUTE_FIRST, text) or _minutes(_DAY_FIRST, text, 2, 1, 0)]
    begun = min(said or stamped[:1], default=None)
    last = max(
        (date for date in (*ended, *(stamped[-1:] if not said or ended else ())) if date >= (begun or 0)), default=begun
    )
    return None if begun is None or last is None else (begun, last)


def _minutes(words: re.Pattern[bytes], text: bytes, year: int = 0, month: int = 1, day: int = 2) -> list[float]:
    """The dates that a text tells without seconds, in order; in which groups their parts stand."""
    told = (found.groups() for found in words.finditer(text))
    dates = (_moment(parts[year], parts[month], parts[day], *parts[3:], b"00") for parts in told)
    return [date for date in dates if date is not None]


def _days_then_times(text: bytes) -> list[float]:
    """The dates that a text tells in two lines each, in order."""
    found = (m.groups() for m in _DAY_THEN_TIME.finditer(text))
    months = ((MONTHS.get(month.decode().title()), day, year, time) for month, day, year, *time in found)
    dates = (_moment(year, b"%d" % month, day, *time) for month, day, year, time in months if month)
    return [date for date in dates if date is not None]


_BUILT = re.compile(
    rb"(?i)\b(?:release date|build (?:date|time)|built (?:on|at)|compiled?(?: date| time| on| at)?"
    rb"|version \d[\w.-]{0,30},)"
)
"""What stands before the date of a program, and not of its run."""


def _heads(text: bytes, last: bool = False) -> Iterator[bytes]:
    """The beginnings of the lines that may tell a date, in order or from the end."""
    spots = sorted((found.start() for regex in _MAY_DATE for found in regex.finditer(text)), reverse=last)
    known = -1
    for spot in spots:
        begin = max(text.rfind(b"\n", 0, spot), text.rfind(b"\r", 0, spot)) + 1  # a bar may stand before it
        if (bar := _PACE_ENDS.search(text, max(begin, spot - 2 * PREFIX), spot)) is not None:
            begin = bar.end()
        if begin != known:
            known = begin
            if _BUILT.search(text, begin, spot):
                continue
            reach = LOOKED_AT if text[begin : begin + 1] == b"{" else 2 * PREFIX
            yield text[begin : begin + reach].partition(b"\n")[0]


OLDEST = 1_262_304_000.0
"""2010: a date before it is of the data."""
QUARTER_S, MOST_AHEAD_S, AT_ONCE_S = 900.0, 14 * 3600.0, 300.0
"""Zones differ by so much; none is further ahead; two lines of one file that stand together are of about one time."""
HOUR_S = 3600.0
ODD_ZONES = frozenset({-9.5, -3.5, -2.5, 3.5, 4.5, 5.5, 5.75, 6.5, 8.75, 9.5, 10.5, 12.75, 13.75})
"""Hours by which zones are ahead that differ from UTC by no whole ones, as the tz database has them, with summer
time."""


def ahead_of_utc(files: Iterable[LogFile], near: float | None, within_s: float = AT_ONCE_S) -> float | None:
    """By how many seconds the clocks without a zone are ahead of UTC, as lines with one show that stand beside them at
    the ends of files, as many seconds apart at most; None where none do, or they do not agree."""
    told = {
        ahead
        for file in spread(files)
        for text in _both_ends(file)
        for one, other in pairwise(_dates(_heads(text), file, near))
        if one.zoned != other.zoned and (ahead := ahead_by(one, other, within_s)) is not None
    }
    return told.pop() if len(told) == 1 else None


def zone_of_stamps(files: Iterable[LogFile]) -> float | None:
    """By how many seconds the zone is ahead of UTC that stamps at the ends of files bear; None where none do but UTC,
    or several."""
    said = {m.groups() for file in spread(files) for text in _both_ends(file) for m in _OFFSET.finditer(text)}
    if len(said) != 1:
        return None
    sign, hours, minutes = said.pop()
    if hours == minutes == b"00":
        return None
    return (-1 if sign == b"-" else 1) * (int(hours) * 3600.0 + int(minutes) * 60.0)


def ahead_by(one: Date, other: Date, within_s: float = AT_ONCE_S) -> float | None:
    """The same by two dates of about one time, one with a zone and one without."""
    local, zoned = (other, one) if one.zoned else (one, other)
    apart = local.epoch - zoned.epoch
    ahead = round(apart / QUARTER_S) * QUARTER_S
    exists = ahead % HOUR_S == 0 or ahead / HOUR_S in ODD_ZONES
    return ahead if exists and abs(ahead) <= MOST_AHEAD_S and abs(apart - ahead) <= within_s else None


def _dates(heads: Iterable[bytes], file: LogFile, near: float | None) -> Iterator[Date]:
    for raw in heads:
        head = raw.rpartition(b" / ")[2] if _STATISTICS in raw else raw
        if aborted := _UNIX.search(head):
            yield Date(float(aborted[1]), zoned=True)
            continue
        if digits := _DIGITS.match(head):
            date = _read(digits)
            if date is not None:
                yield Date(date)
            continue
        if near is not None and (alone := _ALONE.match(head)) and abs(float(alone[1]) - near) > MONTHS_S:
            continue  # a figure
        stamp: Stamp | None = stamp_near(clean(head), file.mtime if near is None else near)
        if stamp is None or (stamp.start > PREFIX and not head.startswith(b"{")):
            continue
        if stamp.source in DATED and stamp.epoch > OLDEST:
            yield Date(stamp.epoch, stamp.source is TimeFrom.ZONED, _day_first(stamp, clean(head)))
        elif stamp.source is TimeFrom.YEARLESS and near is not None:
            yield Date(nearest_year(stamp.epoch, near))
        elif stamp.source is TimeFrom.YEARLESS and (whole := _said_in_full(clean(head), stamp)) is not None:
            yield whole


def _said_in_full(text: str, short: Stamp) -> Date | None:
    """The date that a line tells with its year behind a collector's stamp without one, if both are of the same day."""
    stamp = find_stamp(text[short.end :], 0, 0)
    if stamp is None or stamp.source not in DATED:
        return None
    same = find_stamp(text, 0, datetime.fromtimestamp(stamp.epoch, UTC).year)
    if same is None or abs(same.epoch - stamp.epoch) > NEAR_S:
        return None
    return Date(stamp.epoch, stamp.source is TimeFrom.ZONED)


def _read(digits: re.Match[bytes]) -> float | None:
    return _moment(*(part for part in digits.groups() if part not in (b"", b"-")))


def _moment(*parts: bytes) -> float | None:
    year, month, day, hour, minute, second = (n.decode().zfill(2) for n in parts)
    stamp = find_stamp(f"{year}-{month}-{day} {hour}:{minute}:{second}", 0, 0)
    return stamp.epoch if stamp is not None and dated(stamp.epoch) else None


def _named_day(file: LogFile) -> float | None:
    """The date by which a file names the folder of a run, where a stamp without a year is of the same day."""
    text = _ends(file)
    named = [date for found in _NAMED.finditer(text) if (date := _read(found)) is not None]
    stamps = [*_dates(_heads(text), file, named[0])] if named else []
    return next((date for date in named if any(_same_day(date, stamp.epoch) for stamp in stamps)), None)


def _ends(file: LogFile) -> bytes:
    """The beginning and the end of a file; nothing of one that cannot be read."""
    return b"\n".join(_both_ends(file, apart=False))


def _both_ends(file: LogFile, *, apart: bool = True) -> list[bytes]:
    """The beginning and the end of a file; if they are to be apart and would overlap, all of it."""
    try:
        with closing(open_log(file)) as source:
            last = max(0, source.size() - REACHES[0])
            if apart and last < REACHES[0]:
                return [source.read_at(0, last + REACHES[0])]
            return [source.read_at(begin, REACHES[0]) for begin in (0, last)]
    except (LogtuiError, OSError):
        return []


def _same_day(date: float, stamp: float) -> bool:
    return abs(nearest_year(stamp, date) - date) < NEAR_S
