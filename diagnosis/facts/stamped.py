"""Lines of a file's text as their stamps and what stands behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache

from logtui.diagnosis.facts.openings import MADE_UP_YEAR
from logtui.parsers.files.dates import DATED
from logtui.parsers.prefix.stamp import TimeFrom, find_stamp

LONGEST, STAMP_WITHIN = 400, 40
"""Characters of a line that are looked at; those within which its stamp begins."""
KNOWN = 4096
"""Lines of which is kept what was read: those around pauses are asked for again and again, from each pause."""
_OF_LOGGER = re.compile(
    rb"^.{0,100}?\b(?:INFO|DEBUG|WARN(?:ING)?|ERROR)\b[^\w\x80-\xff]{0,24}(?:[\w.]{1,60}:[\w<>]{1,60}:\d{1,6} - )?"
    rb"|^[ -]{1,3}[\w.-]{1,80}\.py:\d{1,6}\]:? {0,2}"
)
"""Names of loggers and of places in the program, which are others once it has changed."""
NUMBER = rb"(?<!\d)\d++"
"""Any number where a text has one; each is tried once, however long it is."""
_DIGITS = re.compile(rb"\d+")
_VALUE = re.compile(rb"(?<==)[^\s,;)]+")
_OF_JSON = re.compile(rb"^.{0,120}?\"(?:msg|message|key)\": ?\"")
"""What leads to the words of a record in JSON."""

GOES_ON = re.compile(
    rb"(?i)\bloss\b|(?:\b|_)(?:step|epoch|iter(?:ation)?|round|episode|fold)s?(?:\(\w{1,9}\))?\W{0,3}\d|wandb_agent|\bsweep\b"
)
"""What is said again and again of a run's progress, or of many runs of one job."""

REQUEST = re.compile(
    rb"\"(?:(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \S{1,400} HTTP/\d|HTTP/\d(?:\.\d)? [A-Z]{3,7} )"
)
"""How a web server logs that somebody asked: whenever that was, it began before."""

OF_LIBRARY = re.compile(
    rb"^\W{0,4}(?:[IWEF] )?(?:\d{1,20} )?(?!(?:caffe|solver)\.cpp)"
    rb"(?:[\w./-]{1,120}\.(?:cc|cpp)|[\w.-]{1,60}/[\w./-]{1,120}\.py):\d+\]"
    rb"|^\W{0,4}level=|\bsite-packages\b|(?:real_accelerator|module_wrapper)\.py|Warning:"
)
"""What processes say that load a library, launch others or look after them."""


@lru_cache(KNOWN)
def parted(raw: bytes) -> tuple[bytes, float | None]:
    """What stands behind a line's stamp, and its time within a made-up year; the whole line where it bears none."""
    stamp = find_stamp(raw.decode("latin-1"), 0, MADE_UP_YEAR)
    if stamp is None or stamp.start > STAMP_WITHIN:
        clock = _TIME_OF_DAY.match(raw)
        return (
            (raw.strip(), None) if clock is None else (_OF_LOGGER.sub(b"", raw[clock.end() :]).strip(), _seconds(clock))
        )
    said = _OF_JSON.sub(b"", _OF_LOGGER.sub(b"", raw[stamp.end :])).strip()
    return said or raw[: stamp.start].strip(), _within_year(stamp.epoch)  # `Start: Fri Jan 2 03:04:05 UTC 2026`


_TIME_OF_DAY = re.compile(rb"[\[(]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:[.,]\d{1,6})?[\])]:? ")
"""A logger's that knows no date, in brackets."""


def _seconds(clock: re.Match[bytes]) -> float:
    """A time of day within the first day of the made-up year."""
    hours, minutes, seconds = map(int, clock.groups())
    return datetime(int(MADE_UP_YEAR), 1, 1, hours, minutes, seconds, tzinfo=UTC).timestamp()


_BARE = re.compile(
    rb"(?m)^[^\nA-Za-z]{0,24}\d\d:\d\d:\d\d[^\nA-Za-z]{0,12}(?:(?:INFO|DEBUG)\b[^\nA-Za-z]{0,6})?\n[ \r\n]{0,4}"
    rb"(?=[^\n\w]{0,40}[A-Za-z])"
)
"""A stamp without a word, and a line below it that has some and no stamp: what was logged begins with new lines."""


def joined(data: bytes) -> bytes:
    """A file's text in which what was logged stands behind its stamp, byte for byte where it stood."""
    return _BARE.sub(lambda bare: bare[0].replace(b"\n", b" "), data)


def any_numbers(text: bytes) -> re.Pattern[bytes]:
    """Finds a text, whatever its numbers are."""
    return re.compile(NUMBER.join(map(re.escape, _DIGITS.split(text))))


def any_values(text: bytes) -> re.Pattern[bytes]:
    """Finds a text, whatever its numbers and the values of its settings are: `Model=gpt-57, seed=7`."""
    return re.compile(rb"[^\s,;)]{0,200}".join(any_numbers(part).pattern for part in _VALUE.split(text)))


@lru_cache(KNOWN)
def dated_clock(text: str) -> float | None:
    """The time that a line tells together with a date of its own; None where it tells none, or no year."""
    stamp = find_stamp(text[:LONGEST], 0, MADE_UP_YEAR)
    return stamp.epoch if stamp is not None and stamp.source in DATED else None


def zoned(raw: bytes) -> bool:
    """Whether the time that a line tells is that of a zone which it names."""
    stamp = find_stamp(raw.decode("latin-1"), 0, MADE_UP_YEAR)
    return stamp is not None and stamp.source is TimeFrom.ZONED


def line(data: bytes, at: int) -> bytes:
    """A line that begins at a byte, as much of it as is looked at."""
    return data[at : at + LONGEST].split(b"\n", 1)[0]


def before(data: bytes, at: int) -> int:
    """Where the line before another begins."""
    return data.rfind(b"\n", 0, max(at - 1, 0)) + 1


def clocks_above(data: bytes, at: int, back: int) -> Iterator[tuple[int, float]]:
    """The lines above a byte that tell a date and a time, the nearest first, up to so many others in a row: where each
    begins, and when it was said."""
    passed = 0
    while at > 0 and passed < back:
        at, passed = before(data, at), passed + 1
        if (clock := dated_clock(line(data, at).decode("latin-1"))) is not None:
            yield at, clock
            passed = 0


def _within_year(epoch: float) -> float:
    """The same day and time of one year: a file may hold stamps with a year beside others."""
    return datetime.fromtimestamp(epoch, UTC).replace(year=MADE_UP_YEAR).timestamp()
