"""A day that a program tells once, at its head, and times of day in its lines: `run of 2031-02-03`, `21:47:12 it 5`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from logtui.parsers.numbers import dated
from logtui.parsers.prefix.stamp import find_stamp

HEAD, MOST_BYTES, LEAST = 4096, 16 << 20, 2
"""Bytes of a text in which the day stands; those of it in which times of day are read; so many of them, at least."""
DAY_S, BACK_S = 86400.0, 6 * 3600.0
"""A time of day that is so much earlier than the one before it is of the next day."""
_DAY = re.compile(
    rb"(?im:^\W{0,8}(?:[\w\x80-\xff]{1,20} {1,2}){0,3}?"
    rb"(?:runs?|start(?:ed)?|begin|begun|began|date|today|d\xc3\xa9but|debut|beginn|gestartet|inicio|in\xc3\xadcio"
    rb"|inizio|fecha|datum|\xd0\xb4\xd0\xb0\xd1\x82\xd0\xb0|\xe6\x97\xa5\xe6\x9c\x9f|\xe9\x96\x8b\xe5\xa7\x8b)(?![A-Za-z])"
    rb"[^\n]{0,60}?(?<![\w/.-])(20\d\d)-([01]\d)-([0-3]\d)(?![\w-]|[ T_]\d\d:))"
)
_CLOCK = re.compile(rb"(?m:^[\[(]?)([0-2]\d):([0-5]\d):([0-5]\d)(?:[.,]\d{1,6})?[\])]?(?=[ \t|:-])")


def told_days(texts: Iterable[bytes]) -> tuple[float, float] | None:
    """When the job began and ended, in seconds since the epoch by its own clock; None where no head tells a day, or
    hardly any line a time."""
    spans = [span for text in texts if (span := _span(text[:MOST_BYTES])) is not None]
    return (min(begun for begun, _ in spans), max(ended for _, ended in spans)) if spans else None


def _span(text: bytes) -> tuple[float, float] | None:
    days = list(_DAY.finditer(text, 0, HEAD))
    midnight = _midnight(*days[-1].groups()) if days else None
    clocks = list(_clocks(text, days[-1].end())) if days else []
    if midnight is None or len(clocks) < LEAST:
        return None
    passed, now = 0.0, clocks[0]
    for clock in clocks[1:]:
        passed += DAY_S if clock < now - BACK_S else 0.0
        now = clock
    return midnight + clocks[0], midnight + passed + now


def _clocks(text: bytes, begin: int) -> Iterator[float]:
    for hours, minutes, seconds in (m.groups() for m in _CLOCK.finditer(text, begin)):
        yield 3600.0 * int(hours) + 60.0 * int(minutes) + int(seconds)


def _midnight(year: bytes, month: bytes, day: bytes) -> float | None:
    stamp = find_stamp(f"{year.decode()}-{month.decode()}-{day.decode()} 00:00:01", 0, 0)
    return None if stamp is None or not dated(stamp.epoch) else stamp.epoch - 1
