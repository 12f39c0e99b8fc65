"""Runs appended to one file by a logger: what stood at its start stands there again, word for word, later by its clock.

A run that is killed, or whose last words went elsewhere, leaves no end in the file of its logger. Its successor's first
lines are the same but for their stamps, as those of an epoch, whose figures differ, are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from logtui.diagnosis.facts.openings import AT_ONCE_S, HEAD, MADE_UP_YEAR, MOST_BYTES, MOST_FILES, Writers, writers
from logtui.parsers.files.case import Case
from logtui.parsers.files.ends import head
from logtui.parsers.prefix.stamp import find_stamp
from logtui.parsers.source import OF_PROGRAMS, LogFile

OPENING, LEAST = 8, 3
"""Lines of an opening that are kept; those that must come again, and half of all."""
SHORTEST, LONGEST, STAMP_WITHIN = 16, 400, 40
"""Characters of a line behind its stamp; those that are looked at; those within which the stamp begins."""
MOST_TIMES = 256
"""A line that comes more often is no opening's."""
_COUNTS = re.compile(rb"(?i)\bloss\b|(?:\b|_)(?:step|epoch|iter(?:ation)?|round|episode)s?\W{0,3}\d")
"""What is said again and again of a run's progress: no opening reaches so far."""
_OF_LIBRARY = re.compile(rb"\.cc:\d+\] |/site-packages/")
"""What every process that loads a library says, also one that only exports what was trained."""

Pair = tuple[int, int]


def said_again(case: Case) -> dict[int, int]:
    """Rows of the first records of runs that begin as their file does, and the bytes at which they begin."""
    return {row: begin for file in _looked_at(case) for row, begin in _rows(case, file)}


def newest_opening(case: Case) -> Pair | None:
    """Where the newest run begins of files of which no line is known: the first of them, and the byte."""
    if len(case.records):
        return None
    begins = ((file.index, later_openings(head(file, MOST_BYTES))) for file in _looked_at(case))
    return next(((file, found[-1]) for file, found in begins if found), None)


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
    for begin in later_openings(head(file, MOST_BYTES)):
        row = whole.start + int(np.searchsorted(offsets, begin))
        if row < whole.stop and not _counts_on(case, whole, row):
            yield row, begin


def later_openings(data: bytes) -> list[int]:
    """Bytes of a file's text at which its opening stands once more, at a later time."""
    opening = _opening(data)
    if len(opening) < LEAST:
        return []
    places = sorted((at, n) for n, text in enumerate(opening) for at in _found(data, text))
    needed = max(LEAST, len(opening) // 2)
    later = [group for group in _at_once(data, places) if 0 in group][1:]
    whole = [min(group.values()) for group in later if len(group) >= needed]
    return whole if 2 * len(whole) >= len(later) else []  # else a loop says some of it again and again


def _opening(data: bytes) -> list[bytes]:
    """The first stamped lines without their stamps, up to the first that counts, or that is said again later."""
    found: dict[bytes, float] = {}
    for raw in data[: HEAD * LONGEST].split(b"\n")[:HEAD]:
        text, clock = _parted(raw[:LONGEST])
        if _OF_LIBRARY.search(text):
            continue
        if len(text) >= SHORTEST and clock - found.setdefault(text, clock) > AT_ONCE_S:
            break
        if len(found) == OPENING or _COUNTS.search(text):
            break
    return [text for text in found if not _COUNTS.search(text)]


def _parted(raw: bytes) -> tuple[bytes, float]:
    """What stands behind a line's stamp, and its time; nothing of a line without one."""
    stamp = find_stamp(raw.decode("latin-1"), 0, MADE_UP_YEAR)
    return (b"", 0.0) if stamp is None or stamp.start > STAMP_WITHIN else (raw[stamp.end :].strip(), stamp.epoch)


def _found(data: bytes, text: bytes) -> list[int]:
    """Where lines begin that end with a text; nowhere where they are too many."""
    ends = re.compile(re.escape(text) + rb"\s*$", re.MULTILINE)
    places: list[int] = []
    for m in ends.finditer(data):
        places.append(data.rfind(b"\n", 0, m.start()) + 1)
        if len(places) > MOST_TIMES:
            return []
    return places


def _at_once(data: bytes, places: Sequence[Pair]) -> Iterator[dict[int, int]]:
    """Lines of an opening that are said at about one time: which they are, and where each stands first."""
    group: dict[int, int] = {}
    begun = float("-inf")
    for at, n in places:
        text = data[at : at + LONGEST].split(b"\n", 1)[0]
        _, clock = _parted(text)
        if group and not 0 <= clock - begun <= AT_ONCE_S:
            yield group
            group = {}
        if not group:
            begun = clock
        group.setdefault(n, at)
    if group:
        yield group


def _counts_on(case: Case, whole: slice, row: int) -> bool:
    """Whether a counter of steps goes on behind a row from where it was before it."""
    rows = case.records.rows[whole]
    numbered = np.array([p.numeric is not None for p in case.records.patterns], np.bool_)[rows["pattern"]]
    at = row - whole.start
    before, after = np.flatnonzero(numbered[:at]), at + np.flatnonzero(numbered[at:])
    if not len(before) or not len(after):
        return False
    one, other = rows[before[-1]], rows[after[0]]
    return bool(one["pattern"] == other["pattern"] and other["a"] > one["a"])
