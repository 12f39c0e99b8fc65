"""Runs appended to one file by a logger: what stood at its start stands there again, later by its clock.

A run that is killed, or whose last words went elsewhere, leaves no end in the file of its logger. Its successor's first
lines are the same but for their stamps and the numbers of processes, as those of an epoch, whose figures differ, are
not. Where the counter of steps is behind where it was, lines that only begin alike show it too: other arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import numpy as np

from logtui.diagnosis.facts.counted_anew import next_epoch
from logtui.diagnosis.facts.openings import (
    AT_ONCE_S,
    HEAD,
    MADE_UP_YEAR,
    MOST_BYTES,
    MOST_FILES,
    Writers,
    writers,
)
from logtui.parsers.files.case import Case
from logtui.parsers.files.ends import head
from logtui.parsers.prefix.stamp import find_stamp
from logtui.parsers.source import OF_PROGRAMS, LogFile

OPENING, LEAST = 8, 3
"""Lines of an opening that are kept; those that must come again, and half of all."""
SHORTEST_FIRST = 5
"""Characters of a file's very first line behind its stamp."""
SHORTEST, ALIKE, LONGEST, STAMP_WITHIN = 16, 40, 400, 40
"""Characters of a line behind its stamp; those that make it begin alike; those that are looked at; those within which
the stamp begins."""
FIRST = 2
"""Lines of an opening of which one must come again: the first may be another."""
NEAR = 4096
"""Bytes behind a line within which one without a stamp is of the same time."""
MOST_TIMES = 256
"""A line that comes more often is no opening's."""
_GOES_ON = re.compile(
    rb"(?i)\bloss\b|(?:\b|_)(?:step|epoch|iter(?:ation)?|round|episode)s?\W{0,3}\d|wandb_agent|\bsweep\b"
)
"""What is said again and again of a run's progress, or of many runs of one job: no opening reaches so far."""
_OF_LIBRARY = re.compile(
    rb"\.cc:\d+\] |/site-packages/|real_accelerator\.py|(?:async_io|sparse_attn|libaio|CUTLASS|triton version)\b"
)
"""What every process that loads a library says, also one that only exports what was trained."""
_OF_LOGGER = re.compile(rb"^.{0,60}?\b(?:INFO|DEBUG|WARN(?:ING)?|ERROR)\b\W{0,9}")
"""Names of loggers and of places in the program, which are others once it has changed."""

Pair = tuple[int, int]


def said_again(case: Case) -> dict[int, int]:
    """Rows of the first records of runs that begin as their file does, and the bytes at which they begin."""
    return {row: begin for file in _looked_at(case) for row, begin in _rows(case, file)}


def newest_opening(case: Case) -> Pair | None:
    """Where the newest run begins, if no line of it is known: its file, the first of them, and the byte."""
    found = ((file, later_openings(head(file, MOST_BYTES))) for file in _looked_at(case))
    unknown = (
        (file.index, begins[-1]) for file, begins in found if begins and begins[-1] > _last_known(case, file.index)
    )
    return next(unknown, None)


def _last_known(case: Case, file: int) -> int:
    offsets = case.records.rows["offset"][case.records.rows_of_file(file)]
    return int(offsets[-1]) if len(offsets) else -1


def _looked_at(case: Case) -> list[LogFile]:
    """Files of a small job that nodes do not write, each with a start of its own."""
    files = [f for f in case.files if f.kind in OF_PROGRAMS and f.size <= MOST_BYTES]
    if len(files) > MOST_FILES or case.share_read < 1.0:
        return []
    return [f for f in files if writers(case, f.index) in (Writers.ONE, Writers.OF_A_NODE)]


def _rows(case: Case, file: LogFile) -> Iterator[Pair]:
    whole = case.records.rows_of_file(file.index)
    offsets = case.records.rows["offset"][whole]
    if not len(offsets):
        return
    data = head(file, MOST_BYTES)
    signs = (
        (later_firsts(data), _counts_from_before),
        (later_openings(data, alike=True), _counts_from_before),
        (later_openings(data), _begins_anew),
    )
    for begins, holds in signs:
        for begin in begins:
            row = whole.start + int(np.searchsorted(offsets, begin))
            if row < whole.stop and holds(case, whole, row):
                yield row, begin


def later_openings(data: bytes, alike: bool = False) -> list[int]:
    """Bytes of a file's text at which its opening stands once more, at a later time: word for word but for long
    whole numbers, or lines that begin alike."""
    opening = _opening(data, alike)
    if len(opening) < LEAST:
        return []
    places = sorted((at, n) for n, text in enumerate(opening) for at in _found(data, text, alike))
    needed = max(LEAST, len(opening) // 2)
    later = [group for group in _at_once(data, places) if min(group) < FIRST][1:]
    whole = [_stamped(data, min(group.values())) for group in later if len(group) >= needed]
    return whole if 2 * len(whole) >= len(later) else []  # else a loop says some of it again and again


def later_firsts(data: bytes) -> list[int]:
    """Bytes at which a file's first line stands once more, at a later time."""
    text, clock = _parted(_line(data, 0))
    if clock is None or len(text) < SHORTEST_FIRST or _GOES_ON.search(text) or _OF_LIBRARY.search(text):
        return []
    found: list[int] = []
    for at in _found(data, text, alike=False):
        again = _parted(_line(data, at))[1]
        if again is not None and abs(again - clock) > AT_ONCE_S:
            found.append(at)
            clock = again
    return found


def _opening(data: bytes, alike: bool) -> list[bytes]:
    """The first lines without their stamps, up to the first that counts, or that is said again later; as they begin,
    where that is enough."""
    found: dict[bytes, float] = {}
    now = 0.0
    for raw in data[: HEAD * LONGEST].split(b"\n")[:HEAD]:
        text, clock = _parted(raw[:LONGEST])
        now = now if clock is None else clock
        if len(found) == OPENING or _GOES_ON.search(text) or (found and b"Traceback (most" in text):
            break
        if len(text) < SHORTEST or _OF_LIBRARY.search(text) or (clock is None and (alike or not now)):
            continue
        if now - found.setdefault(text[:ALIKE] if alike else text, now) > AT_ONCE_S:
            break
    return [*found]


def _parted(raw: bytes) -> tuple[bytes, float | None]:
    """What stands behind a line's stamp, and its time; the whole line where it bears none."""
    stamp = find_stamp(raw.decode("latin-1"), 0, MADE_UP_YEAR)
    if stamp is None or stamp.start > STAMP_WITHIN:
        return raw.strip(), None
    return _OF_LOGGER.sub(b"", raw[stamp.end :]).strip(), _within_year(stamp.epoch)


def _within_year(epoch: float) -> float:
    """The same day and time of one year: a file may hold stamps with a year beside others."""
    return datetime.fromtimestamp(epoch, UTC).replace(year=MADE_UP_YEAR).timestamp()


def _found(data: bytes, text: bytes, alike: bool) -> list[int]:
    """Where lines begin that hold a text, and nothing behind it unless they need only begin so; nowhere where they
    are too many."""
    digits = rb"\d+" if alike else rb"(?<![\d.])\d{3,}(?![\d.])"
    kept, numbers = re.split(digits, text), len(re.findall(digits, text))
    said = rb"\d+".join(re.escape(part) for part in kept) if numbers else re.escape(text)
    places: list[int] = []
    for m in re.finditer(said if alike else said + rb"\s*$", data, re.MULTILINE):
        places.append(data.rfind(b"\n", 0, m.start()) + 1)
        if len(places) > MOST_TIMES:
            return []
    return places


def _at_once(data: bytes, places: Sequence[Pair]) -> Iterator[dict[int, int]]:
    """Lines of an opening that are said at about one time: which they are, and where each stands first."""
    group: dict[int, int] = {}
    begun, last = float("-inf"), 0
    for at, n in places:
        if len(group) == 1 and n < FIRST <= min(group):  # what stands before it was of the run before
            yield group
            group = {}
        clock = _parted(_line(data, at))[1]
        if clock is None and not (group and at - last < NEAR):
            clock = _clock_before(data, at)
        if clock is not None and not (group and 0 <= clock - begun <= AT_ONCE_S):
            if group:
                yield group
            group, begun = {}, clock
        if begun > float("-inf"):
            group.setdefault(n, at)
            last = at
    if group:
        yield group


def _stamped(data: bytes, at: int) -> int:
    """Where the line begins that tells the time of one: it, or else the line before."""
    return at if _parted(_line(data, at))[1] is not None else _before(data, at)


def _before(data: bytes, at: int) -> int:
    """Where the line before another begins."""
    return data.rfind(b"\n", 0, max(at - 1, 0)) + 1


def _line(data: bytes, at: int) -> bytes:
    return data[at : at + LONGEST].split(b"\n", 1)[0]


def _clock_before(data: bytes, at: int) -> float | None:
    """The time that the line before tells."""
    return _parted(_line(data, _before(data, at)))[1] if at else None


def _begins_anew(case: Case, whole: slice, row: int) -> bool:
    """Whether no counter of steps goes on behind a row from where it was before it."""
    around = _around(case, whole, row)
    return around is None or _step(case, around[1]) <= _step(case, around[0])


def _counts_from_before(case: Case, whole: slice, row: int) -> bool:
    """Whether the counter of steps is behind where it was before a row, and that by no epoch's design."""
    around = _around(case, whole, row)
    return around is not None and _step(case, around[1]) < _step(case, around[0]) and not next_epoch(case, around)


def _around(case: Case, whole: slice, row: int) -> Pair | None:
    """The rows of the last step before a row and of the first behind it, of one counter."""
    patterns = case.records.rows["pattern"][whole]
    numbered = np.array([p.numeric is not None for p in case.records.patterns], np.bool_)[patterns]
    at = row - whole.start
    before, after = np.flatnonzero(numbered[:at]), at + np.flatnonzero(numbered[at:])
    if not len(before) or not len(after) or patterns[before[-1]] != patterns[after[0]]:
        return None
    return whole.start + int(before[-1]), whole.start + int(after[0])


def _step(case: Case, row: int) -> float:
    return float(case.records.rows["a"][row])
