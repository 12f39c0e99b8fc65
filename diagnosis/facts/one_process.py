"""What shows that a place in a file, at which a run seems to begin, is a part of the run before: its process goes on,
or counts what it works through.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from re import Match

from logtui.diagnosis.facts.stamped import before, line, parted

ABOVE = 3
"""Lines above a place in which a heading counts it."""
NEAR = 8
"""Lines on either side of a place of which one bears the number of its process."""
AT_ONCE_S = 0.5
"""Lines that follow each other sooner leave no time to load a program."""
WITHIN, FAR = 80, 1 << 16
"""Bytes of a line within which that number stands; those above a place in which the last one is looked for."""
_PROCESS = re.compile(
    rb"(?m)(?:Thread(?:-\d{1,4})?|\b[Pp](?:ID|id|rocess))\W{1,2}(\d{2,9})\b"
    rb"|\[(\d{2,9})\] ?\[(?:INFO|DEBUG|WARNING|ERROR|CRITICAL)\]"
    rb"|^[IWEF]\d{4} \d\d:\d\d:(?:\d\d|\d{10})\.\d{6} {1,4}(?P<thread>\d{2,15}) [\w./-]{1,60}:\d{1,6}\]"
)
THREADS = 64
"""Where the number is a thread's, which Linux counts with the processes, those of one process are so near; what is
started later has a higher one."""
_CAME_OUT = re.compile(rb"(?i)\b(?:saved|written|wrote|results?|accuracy|loss|scores?|metrics?)\b")
_COUNT = re.compile(rb"[\[(](\d{1,5}) ?/ ?(\d{1,5})[\])]")
"""One of so many, in brackets: the heading of a part."""
_STAGE = re.compile(
    rb"(?m)^(?:[^\n\[]{0,120}[:>\]|] |[=#*\s-]{0,20})[\[(](\d\d?) ?/ ?(\d\d?)[\])] {1,3}"
    rb"(?!Loss|Train|Val|Test|Acc|Step|Epoch|Iter|Batch)[A-Z]"
)
"""The heading of a stage, `INFO app.pipeline: [4/8] Ingestion`: no epoch, at which a later run may go on."""
_OF_STAGES, NEAR_STAGE = re.compile(rb"[\[(]\d\d? ?/ ?\d\d?[\])] "), 1 << 14
"""What each has, and is soon found; bytes behind a place in which the next one stands."""


def of_others(data: bytes, places: Sequence[int]) -> list[int]:
    """Some places but those at which a process goes on; none where most of them are headings of parts."""
    counted = [at for at in places if counts_on(data, at)]
    if 2 * len(counted) > len(places):
        return []
    return [at for at in places if at not in counted and not (_is_same(data, at) or _within_stage(data, at))]


def at_once(data: bytes, at: int) -> bool:
    """Whether a stamped line at a byte follows what came out of some work so soon that no program was loaded
    between."""
    if not at:
        return False
    (text, then), (_, clock) = (parted(line(data, place)) for place in (before(data, at), at))
    soon = then is not None and clock is not None and 0 <= clock - then < AT_ONCE_S
    return soon and _CAME_OUT.search(text) is not None


def goes_on_in(data: bytes, at: int) -> bool:
    """Whether the process that wrote above a byte wrote on behind it, or its headings count on there."""
    return _is_same(data, at) or counts_on(data, at) or _within_stage(data, at)


def _within_stage(data: bytes, at: int) -> bool:
    """Whether the first stage that is begun behind a byte is the next one to the last above it."""
    below = _STAGE.search(data, at, at + NEAR_STAGE) if _OF_STAGES.search(data, at, at + NEAR_STAGE) else None
    above = deque(_STAGE.finditer(data, max(at - FAR, 0), at), maxlen=1) if below else ()
    return below is not None and any((int(m[1]) + 1, m[2]) == (int(below[1]), below[2]) for m in above)


def _is_same(data: bytes, at: int) -> bool:
    """Whether the process that speaks first from a byte on is the last one that spoke above it, or one of those right
    above."""
    behind = next((found for raw in _lines_from(data, at) if (found := _found(raw)) is not None), None)
    if behind is None:
        return False
    last = max(_PROCESS.finditer(data, max(at - FAR, 0), at), key=Match.start, default=None)
    above = (found for raw in _lines_above(data, at) if (found := _found(raw)) is not None)
    return any(_is_of(one, behind) for one in (*above, *([last] if last else [])))


def process_of(raw: bytes) -> bytes | None:
    """The number of the process that wrote a line, where it bears one."""
    found = _found(raw)
    return None if found is None else _number(found)


def _found(raw: bytes) -> Match[bytes] | None:
    return _PROCESS.search(raw[:WITHIN])


def _is_of(above: Match[bytes], behind: Match[bytes]) -> bool:
    """Whether a line is of the process that wrote one above it, by their numbers."""
    if above["thread"] and behind["thread"]:
        return 0 <= int(above["thread"]) - int(behind["thread"]) <= THREADS
    return _number(above) == _number(behind)


def _number(found: Match[bytes]) -> bytes:
    return next(number for number in found.groups() if number)


def _lines_above(data: bytes, at: int) -> Iterator[bytes]:
    for _ in range(NEAR):
        if not at:
            return
        at = before(data, at)
        yield line(data, at)


def _lines_from(data: bytes, at: int) -> Iterator[bytes]:
    for _ in range(NEAR):
        yield line(data, at)
        at = data.find(b"\n", at) + 1
        if not at:
            return


def _is_dated_above(data: bytes, one: int, at: int) -> bool:
    """Whether a byte stands in a line above a place, which bears a time of its own: no heading of the place."""
    begin = data.rfind(b"\n", 0, one) + 1
    return begin < at and parted(line(data, begin))[1] is not None


def counts_on(data: bytes, at: int) -> bool:
    """Whether a heading at a byte, or right above it, is the next of so many: `[3/12]`, with `[2/12]` somewhere above
    it."""
    first = at
    for _ in range(ABOVE):
        first = before(data, first) if first else 0
    last = max(_COUNT.finditer(data, first, at + len(line(data, at))), key=Match.start, default=None)
    if last is None or int(last[1]) < 2 or (last[1] == last[2] and _is_dated_above(data, last.start(), at)):
        return False
    before_it = re.compile(rb"[\[(]%d ?/ ?%s[\])]" % (int(last[1]) - 1, last[2]))
    return before_it.search(data, 0, last.start()) is not None
