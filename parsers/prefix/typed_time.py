"""Times as they are typed: `15:42`, `15:42:03`, `02-24 15:42`, `2026-02-24 15:42:03`, `24 Feb 3pm`, `-10m`."""

from __future__ import annotations

import re
import time as clock
from datetime import UTC, datetime, timedelta, timezone, tzinfo

DAY_S = 86400.0
UNITS_S = {"d": DAY_S, "h": 3600.0, "m": 60.0, "min": 60.0, "s": 1.0, "": 60.0}

_RELATIVE = re.compile(r"(?P<sign>[+-])\s*(?P<parts>(?:\d++(?:\.\d++)?\s*+(?:min|d|h|m|s)?+\s*+)++)", re.I)
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(min|d|h|m|s)?", re.I)
_STAMP = re.compile(
    r"(?:(?:(?P<y>(?:19|20)\d\d)[-/])?(?P<mo>\d\d?)[-/](?P<d>\d\d?)[ T_]+)?"
    r"(?P<h>\d\d?):(?P<mi>\d\d)(?::(?P<s>\d\d)(?:[.,](?P<f>\d{1,9}))?)?\s*Z?",
    re.I,
)

LONGEST = 60
"""Characters of a time."""
FURTHEST_S = 1e10
"""From `near`: three centuries are a slip of the finger."""


def read_time(typed: str, near: float) -> float | None:
    """Seconds since the epoch; None where it is no time.

    What is not typed of the date is taken so that the result lies closest to `near`. A bare number of a relative time
    is minutes.
    """
    typed = typed.strip()
    if len(typed) > LONGEST:
        return None
    relative = _RELATIVE.fullmatch(typed)
    if relative:
        parts = _PART.findall(relative["parts"])
        seconds = sum(float(number) * UNITS_S[unit.lower()] for number, unit in parts)
        if seconds > FURTHEST_S:
            return None
        return near + seconds if relative["sign"] == "+" else near - seconds
    stamp = _STAMP.fullmatch(typed)
    return _absolute(stamp, near) if stamp else _in_words(typed, near)


def _in_words(typed: str, near: float) -> float | None:
    """`24 Feb 3pm`, `Tue 15:42`: what is not typed is that of `near`; a zone counts where one is typed and known."""
    from dateutil.parser import ParserError, parse  # not before somebody types so

    if not any(c.isdigit() for c in typed) or not any(c.isalpha() or c == "+" for c in typed):
        return None
    try:
        hour = datetime.fromtimestamp(near, UTC).replace(minute=0, second=0, microsecond=0)
        return parse(typed, default=hour, tzinfos=_zone).timestamp()
    except (ParserError, OverflowError, ValueError):
        return None


def _zone(name: str | None, offset_s: int | None) -> tzinfo:
    """Raises ValueError for a name that this machine does not know: the same letters are many zones."""
    if offset_s is not None:
        return timezone(timedelta(seconds=offset_s))
    if name in clock.tzname:
        return timezone(timedelta(seconds=-(clock.altzone if name == clock.tzname[1] else clock.timezone)))
    if name is not None:
        raise ValueError(name)
    return UTC


def _absolute(stamp: re.Match[str], near: float) -> float | None:
    hours, minutes, seconds = int(stamp["h"]), int(stamp["mi"]), int(stamp["s"] or 0)
    if hours > 23 or minutes > 59 or seconds > 59:
        return None
    of_day = hours * 3600 + minutes * 60 + seconds + float(f"0.{stamp['f'] or 0}")
    if stamp["mo"] is None:
        return of_day + DAY_S * round((near - of_day) / DAY_S)
    this_year = clock.gmtime(near).tm_year
    years = [int(stamp["y"])] if stamp["y"] else [this_year - 1, this_year, this_year + 1]
    days = [day for year in years if (day := _midnight(year, int(stamp["mo"]), int(stamp["d"]))) is not None]
    return min((day + of_day for day in days), key=lambda time: abs(time - near), default=None)


def _midnight(year: int, month: int, day: int) -> float | None:
    try:
        return datetime(year, month, day, tzinfo=UTC).timestamp()
    except ValueError:
        return None
