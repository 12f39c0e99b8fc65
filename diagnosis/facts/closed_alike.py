"""Runs appended to one file, told by the words with which each of them closes: `Experiment finished`; or runs of which
each leaves one line.

What stands behind such words belongs to another run where it begins alike each time, and somebody took as long to start
it as no loop does.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import islice, pairwise

from logtui.diagnosis.facts.pauses import LOADED_S, uneven
from logtui.diagnosis.facts.stamped import GOES_ON, line, parted

MOST_SAID, LONGEST, KEY = 4096, 80, 24
"""Lines that say that something is over which are looked at; characters of one that closes a run; those by which the
line behind it is known."""
AT_FIRST, LONGEST_LINE = 8, 400
"""Lines with which a file begins, and so its runs; characters of each that are looked at."""
FAREWELL = 8
"""Lines that may stand right behind such words."""
LEAST, REST_S, MOSTLY = 3, 60.0, 0.9
"""So many runs that close alike; what the longest pause lasts at least; the share of pauses in which a program may be
loaded."""
_OVER = re.compile(
    rb"(?mi)^[^\n]{0,160}(?:\b(?:finished|complete[d]?|done|ended|exit(?:ed|ing)|closed|stopped|shut ?down)\b"
    + "|완료|完成|结束|完了|終了".encode()
    + rb")[^\n]{0,80}$"
)
_ASKED = re.compile(rb"(?m)^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3} - - \[")
HEAD = 1 << 20
"""Bytes in which a web server tells of requests."""
_DIGITS, _MEASURED = re.compile(rb"\d+"), re.compile(rb"(?<![\d.:])\d{1,6}(?:[.:]\d{1,6}){1,3}")
"""Any number; how long something took, which no whole number of things is."""
_NAMES = re.compile(rb"[A-Za-z][\w+-]{0,30}(?=[:=])")
FEWEST, MOST, APART_S, LONG_S = 4, 200, 60.0, 3600.0
"""So many lines, each of which is all that a run leaves; what passes between two of them at least, and once."""


def closed_alike(data: bytes) -> list[int]:
    """Bytes of a file's text at which a run begins, behind the words with which the one before it was closed."""
    if len(_ASKED.findall(data, 0, HEAD)) > 1:  # of a server's requests each comes to an end
        return []
    said: defaultdict[bytes, list[tuple[int, float | None]]] = defaultdict(list)
    for found in islice(_OVER.finditer(data), MOST_SAID):
        text, clock = parted(line(data, found.start()))
        if len(text) <= LONGEST and not GOES_ON.search(text):
            said[_MEASURED.sub(b"#", text)].append(_next(data, found.end() + 1, clock))
    ways = [_behind(data, places) for places in said.values() if len(places) >= LEAST]
    return max(ways, key=len, default=[])


def _next(data: bytes, at: int, clock: float | None) -> tuple[int, float | None]:
    """Where something is said that is no more of an end, and when the end was over: results may be named behind it."""
    for _ in range(FAREWELL):
        then = parted(line(data, at))[1] if at < len(data) else None
        if clock is None or then is None or then - clock >= LOADED_S:
            break
        at, clock = data.find(b"\n", at) + 1 or len(data), then
    return at, clock


def _behind(data: bytes, places: list[tuple[int, float | None]]) -> list[int]:
    """Where something begins behind these, if each time it is the beginning of a run."""
    told = [(at, then, *parted(line(data, at))) for at, then in places if at < len(data)]
    pauses = [clock - then for _, then, _, clock in told if clock is not None and then is not None]
    kind, times = next(iter(Counter(_key(text) for _, _, text, _ in told).most_common(1)), (b"", 0))
    alike = 2 * times > len(told) and kind in map(_key, _first_said(data))
    loaded = sum(pause >= LOADED_S for pause in pauses) >= MOSTLY * len(told)
    by_hand = loaded and len(pauses) >= LEAST - 1 and uneven(pauses) and max(pauses) >= REST_S
    return [at for at, *_ in told] if alike and by_hand else []


def _key(text: bytes) -> bytes:
    return _DIGITS.sub(b"#", text)[:KEY]


def _first_said(data: bytes) -> list[bytes]:
    """What the first lines of a file say that tell a time."""
    told = (parted(raw[:LONGEST_LINE]) for raw in data[: AT_FIRST * LONGEST_LINE].split(b"\n"))
    return [*islice((text for text, clock in told if clock is not None), AT_FIRST)]


def one_line_each(data: bytes) -> list[int]:
    """Bytes of a file's text at which a run begins, where each leaves one line of results, and nothing else."""
    places = [0, *(m.end() for m in islice(re.finditer(rb"\n(?=[^\n])", data), MOST))]
    told = [parted(line(data, at)) for at in places]
    names, same = {tuple(_NAMES.findall(text)) for text, _ in told}, len({text for text, _ in told}) == 1
    clocks = [clock for _, clock in told if clock is not None]
    if not FEWEST <= len(places) == len(clocks) <= MOST or len(names) > 1 or not (same or names.pop()):
        return []
    pauses = [b - a for a, b in pairwise(clocks)]
    by_hand = min(pauses) >= (LOADED_S if same else APART_S) and uneven(pauses) and max(pauses) >= LONG_S
    return places[1:] if by_hand and not any(GOES_ON.search(text) for text, _ in told) else []
