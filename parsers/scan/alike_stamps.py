"""The times of lines that are equal but for their digits, as columns.

One line of those of a day is read as any other; in the rest only the time of day differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from logtui.parsers.prefix.stamp import (
    IN_HALVES,
    LAST_SECOND,
    OF_UNIX,
    WITH_FRACTION,
    Places,
    Stamp,
    TimeFrom,
    frame_of,
    nearest_of,
    read_match,
    relaxed,
    stamp_at,
)  # fmt: skip
from logtui.parsers.records.shapes import Deciding, Span
from logtui.parsers.scan.alike import Alike, Floats

FEWEST = 8
"""Lines of a day, on average, that are worth a look of their own."""
_COUNTED = frozenset({"h", "mi", "s", "f", "ms", "up", "unix"})
"""The groups of a style that are counted, so that any digits may stand there; as outside of all groups."""


class Clock(NamedTuple):
    """What is known of the completing of stamps in a file."""

    year: int
    day0: float


class Chosen(NamedTuple):
    style: str
    match: re.Match[str]
    stamp: Stamp


def read_stamps(lines: Alike, places: Places, hit: int, clock: Clock) -> tuple[Floats, TimeFrom] | None:
    """The time of each line and where it is from, as `stamp_at` finds it; None where that has to be asked line by
    line."""
    chosen = choose(places, lines.text, hit, clock)
    if chosen is None or (telling := telling_digits(places, lines.text, chosen.match)) is None:
        return None
    times, parts = np.empty(len(lines)), list(lines.split(telling))
    if len(parts) * FEWEST > len(lines) + FEWEST:
        return None
    for some in parts:
        part = lines.of(some) if len(parts) > 1 else lines
        alike = choose(places, part.text, hit, clock)
        if alike is None or (alike.style, alike.match.regs) != (chosen.style, chosen.match.regs):
            return None
        epochs = _epochs(part, alike, clock)
        if epochs is None or alike.stamp.source != chosen.stamp.source:
            return None
        times[some] = epochs
    return times, chosen.stamp.source


def choose(places: Places, text: str, hit: int, clock: Clock) -> Chosen | None:
    """The stamp that counts; None also where one of another style has no such time, which other lines may have, and
    where its hours begin anew at noon."""
    stamp = stamp_at(places, text, hit, *clock)
    found = ((style, nearest_of(regex, text, hit, starts)) for style, regex, starts in places if stamp)
    read = [(style, m, read_match(style, m, *clock)) for style, m in found if m]
    if stamp is None or any(one is None for _, _, one in read):
        return None
    chosen = next(Chosen(style, m, stamp) for style, m, one in read if one == stamp)
    return None if chosen.style in IN_HALVES else chosen


def telling_digits(places: Places, text: str, m: re.Match[str]) -> Deciding | None:
    """The digits that decide which stamp counts and what day it is of; None where another one may begin in its
    clock."""
    dated = {k for name in m.re.groupindex if name not in _COUNTED for k in range(*m.span(name))}
    counted = {k for k in range(*m.span()) if text[k].isdigit()} - dated
    extents = list(_extents(places, text))
    if any(min(counted) <= begin < m.end() and begin != m.start() for begin, _ in extents):
        return None
    digits = {k for span in extents for k in range(*span) if text[k].isdigit()} - counted
    return tuple((k, k + 1) for k in sorted(digits))


def _extents(places: Places, text: str) -> Iterator[Span]:
    """What each stamp that may stand in such lines may hold."""
    for _, regex, starts in places:
        for start in starts:
            if m := relaxed(regex).match(text, start):
                yield m.span(1)


def _epochs(lines: Alike, chosen: Chosen, clock: Clock) -> Floats | None:
    """The times of lines of one day."""
    style, m, _ = chosen
    if style == "uptime":
        return lines.real(m.span("up"))
    if style == "epoch":
        return lines.whole(m.span("ms")).astype(np.float64) / 1000
    if style in OF_UNIX:
        return lines.real((m.start("unix"), m.end("f")))
    frame = frame_of(style, m, *clock)
    h, mi, s = (lines.whole(m.span(name)) for name in ("h", "mi", "s"))
    seconds = (h * 3600 + mi * 60 + s).astype(np.float64)
    if frame is None or (style != "clock" and seconds.max() > LAST_SECOND):
        return None
    midnight, zone, _ = frame
    epochs: Floats = midnight + (seconds + _fraction(lines, style, m)) - zone
    return epochs


def _fraction(lines: Alike, style: str, m: re.Match[str]) -> Floats | float:
    begin, end = m.span("f") if style in WITH_FRACTION else (-1, -1)
    if begin < 0:
        return 0.0
    fraction: Floats = lines.whole((begin, end)).astype(np.float64) / 10.0 ** (end - begin)
    return fraction
