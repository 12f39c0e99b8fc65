"""Runs appended to one file by a logger: what stood at its start stands there again, later by its clock.

A run that is killed, or whose last words went elsewhere, leaves no end in the file of its logger. Its successor's first
lines are the same but for their stamps and the numbers of processes, as those of an epoch, whose figures differ, are
not. Where the counter of steps is behind where it was, lines that only begin alike show it too: other arguments.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from logtui.diagnosis.facts.counted_anew import counts_anew_behind, goes_on, row_behind
from logtui.diagnosis.facts.first_lines import first_lines, numbered
from logtui.diagnosis.facts.one_process import at_once, of_others
from logtui.diagnosis.facts.opening_blocks import without_rounds
from logtui.diagnosis.facts.openings import (
    AT_ONCE_S,
    HEAD,
    MOST_BYTES,
    MOST_FILES,
    Ends,
    Writers,
    can_be_read,
    writers,
)
from logtui.diagnosis.facts.rests import behind_rest
from logtui.diagnosis.facts.stamped import GOES_ON, LONGEST, NUMBER, REQUEST, before, joined, line, parted
from logtui.diagnosis.facts.start_places import NOTHING, Judged, judge
from logtui.diagnosis.facts.started_over import begun_once_more
from logtui.parsers.files.case import Case
from logtui.parsers.files.ends import head
from logtui.parsers.source import LogFile

OPENING, LEAST = 8, 3
"""Lines of an opening that are kept; those that must come again, and half of all."""
SHORTEST, ALIKE = 16, 40
"""Characters of a line behind its stamp; those that make it begin alike."""
FIRST = 2
"""Lines of an opening of which one must come again: the first may be another."""
NEAR = 4096
"""Bytes behind a line within which one without a stamp is of the same time."""
ROUNDS, EVENLY = 4, 0.2
"""So many openings that follow each other after as long, but for such a share, are rounds."""
MOST_TIMES = 256
"""A line that comes more often is no opening's."""
_NUMBER = re.compile(r"\d+")
_ANY, _LONG = re.compile(rb"\d+"), re.compile(rb"(?<![\d.])\d{3,}(?![\d.])")
"""Numbers in which equal lines may differ: where they need only begin alike; elsewhere those of processes."""
_OF_LIBRARY = re.compile(
    rb"\.cc:\d+\] |/site-packages/|huggingface_hub|Max retries exceeded|Retrying in \d"
    rb"|real_accelerator\.py|(?:async_io|sparse_attn|libaio|CUTLASS|triton version)\b"
)
"""What every process that loads a library says, also one that only exports what was trained."""
_SAVES = re.compile(rb"(?i)\b(?:saved|saving)\b.{0,60}\b(?:to|model|checkpoint|optim\w*|state)\b")
"""Nothing that a program begins with: it comes again with every checkpoint."""

Pair = tuple[int, int]


@dataclass(slots=True)
class Said:
    """Runs that begin as their file does: rows of their first records, and the bytes at which they begin."""

    first_lines: dict[int, int] = field(default_factory=dict)
    """Where the very first line stands again."""
    openings: dict[int, int] = field(default_factory=dict)
    """Where more of the opening does."""
    unknowns: list[Pair] = field(default_factory=list)
    """Of each file where its newest run begins, if no line of that is known."""
    unknown: Pair | None = None
    """File and byte of the newest run, if no line of it is known; of several files' the first."""
    judged: dict[int, Judged] = field(default_factory=dict)
    """Of each file, what was learnt of places like its own has to say."""


def said_again(case: Case, ends: Ends) -> Said:
    """Reads the files of a small job once for all that tells of such runs; `ends` are the rows that end one."""
    said, told_ends = Said(), {*ends.stopped.tolist(), *ends.meant.tolist()}
    for file in _small(case):
        data = head(file, MOST_BYTES)
        who = writers(case, file.index)
        alone = who in (Writers.ONE, Writers.OF_A_DRIVER)  # a launcher says when it restarts
        judged = judge(data) if alone else NOTHING
        said.judged[file.index] = judged
        if who in (Writers.ONE, Writers.OF_A_NODE):
            _take(case, file, joined(data), said)
            _take_rest(case, file, data, said)
        whole = case.records.rows_of_file(file.index)
        learnt = [at for at in judged.starts() if not _is_end(case, whole, data, at, told_ends)]
        told = of_others(data, [*begun_once_more(case, whole, data), *learnt])
        more = [at for at in told if not judged.refutes(at)]
        _note(said.first_lines, _first_rows(case, whole, more))
        _note_unknown(case, whole, file, more, said)
    if said.unknowns and not _of_one_alone(case, [file for file, _ in said.unknowns]):
        said.unknown = said.unknowns[0]
    return said


def _is_end(case: Case, whole: slice, data: bytes, at: int, ends: Container[int]) -> bool:
    """Whether the line at a byte tells that a run ended, by the rows that do."""
    row = row_behind(case, whole, at)
    return row < whole.stop and row in ends and int(case.records.rows["offset"][row]) <= at + len(line(data, at))


def _of_one_alone(case: Case, begun: Sequence[int]) -> bool:
    """Whether hardly one of several files that differ in a number alone tells of a later run: what one process of many
    begins once more is a part of its work."""
    name = _NUMBER.sub("#", case.files[begun[0]].name)
    group = {f.index for f in case.files if _NUMBER.sub("#", f.name) == name}
    return len(group) > FIRST and 2 * len(group.intersection(begun)) < len(group)


def _take(case: Case, file: LogFile, data: bytes, said: Said) -> None:
    whole = case.records.rows_of_file(file.index)
    firsts, openings, likes = (
        of_others(data, without_rounds(data, places))
        for places in (first_lines(case, whole, data), later_openings(data), later_openings(data, alike=True))
    )
    alike = _first_rows(case, whole, likes) if whole.start < whole.stop else []
    _note(said.first_lines, _first_rows(case, whole, firsts))
    _note(said.openings, (pair for pair in alike if counts_anew_behind(case, whole, pair[0])))
    _note(said.openings, (p for p in _first_rows(case, whole, openings) if not goes_on(case, whole, p[0])))
    _note_unknown(case, whole, file, (*firsts, *openings), said)


def _take_rest(case: Case, file: LogFile, data: bytes, said: Said) -> None:
    """Take the newest run that was started behind a rest, if no line of it is known: else others tell of it."""
    whole = case.records.rows_of_file(file.index)
    begun = behind_rest(data, lambda at: goes_on(case, whole, row_behind(case, whole, at)))
    _note_unknown(case, whole, file, () if begun is None else (begun.at,), said)


def _note_unknown(case: Case, whole: slice, file: LogFile, begins: Iterable[int], said: Said) -> None:
    """Keep where the newest of some runs of a file begins, if no line of it is known."""
    newest = max((at for at in begins if not said.judged[file.index].refutes(at)), default=-1)
    if newest > max(_last_known(case, whole), dict(said.unknowns).get(file.index, -1)):
        said.unknowns = [*(pair for pair in said.unknowns if pair[0] != file.index), (file.index, newest)]


def _note(found: dict[int, int], pairs: Iterable[Pair]) -> None:
    for row, begin in pairs:
        found[row] = max(begin, found.get(row, 0))  # what was begun before it left no record


def _last_known(case: Case, whole: slice) -> int:
    """The byte at which the last record of a file stands."""
    return int(case.records.rows["offset"][whole.stop - 1]) if whole.start < whole.stop else -1


def _small(case: Case) -> list[LogFile]:
    """The files of a small job."""
    files = [f for f in case.files if can_be_read(f)]
    return [] if len(files) > MOST_FILES or case.share_read < 1.0 else files


def _first_rows(case: Case, whole: slice, begins: Sequence[int]) -> list[Pair]:
    """The first record behind each of some bytes of a file, where there is one."""
    rows = whole.start + np.searchsorted(case.records.rows["offset"][whole], np.array(begins, np.int64))
    return [(row, begin) for row, begin in zip(rows.tolist(), begins, strict=True) if row < whole.stop]


def later_openings(data: bytes, alike: bool = False) -> list[int]:
    """Bytes of a file's text at which its opening stands once more, at a later time: word for word but for long
    whole numbers, or lines that begin alike."""
    opening = _opening(data, alike)
    if len(opening) < LEAST:
        return []
    places = sorted((at, n) for n, text in enumerate(opening) for at in _found(data, text, alike))
    needed = max(LEAST, len(opening) // 2)
    later = [group for group in _again(_at_once(data, places)) if min(group) < FIRST]
    whole_ones = [group for group in later if min(group) == 0]
    parts = [_stamped(data, min(group.values())) for group in later if min(group) > 0]
    if whole_ones and _by_a_clock(data, parts):  # who waits as long each time asks for the next part
        later = whole_ones
    whole = [(_stamped(data, min(group.values())), min(group)) for group in later if len(group) >= needed]
    if 2 * len(whole) < len(later) or _evenly(data, [at for at, _ in whole]) or _numbered(data, places):
        return []  # a loop says some of it again and again
    return [at for at, passed in whole if not at_once(data, _above(data, at, passed))]


def _by_a_clock(data: bytes, places: Sequence[int]) -> bool:
    """Whether as much time passes before each of several places."""
    clocks = [[parted(line(data, one))[1] for one in (before(data, at), at)] for at in places]
    pauses = [then - last for last, then in clocks if last is not None and then is not None]
    return len(pauses) == len(places) >= FIRST and max(pauses) <= (1 + EVENLY) * min(pauses)


def _above(data: bytes, at: int, many: int) -> int:
    """Where the line begins that stands so many lines above another."""
    for _ in range(many):
        at = before(data, at)
    return at


def _numbered(data: bytes, places: Sequence[Pair]) -> bool:
    """Whether a line of an opening counts the places where it stands again: `year: 2012`, `year: 2013`."""
    mine: dict[int, list[int]] = {}
    for at, n in places:
        mine.setdefault(n, []).append(at)
    return any(len(again) > FIRST and numbered(data, again) for again in mine.values())


def _evenly(data: bytes, places: Sequence[int]) -> bool:
    """Whether openings follow each other as rounds do, after as long each time: who starts a run anew has no clock."""
    clocks = [parted(line(data, at))[1] for at in places]
    gaps = [b - a for a, b in pairwise(clocks) if a is not None and b is not None]
    if len(gaps) < ROUNDS - 1:
        return False
    usual = sorted(gaps)[len(gaps) // 2]
    return all(abs(gap - usual) <= EVENLY * usual for gap in gaps)


def _opening(data: bytes, alike: bool) -> list[bytes]:
    """The first lines without their stamps, up to the first that counts, or that is said again later; as they begin,
    where that is enough."""
    found: dict[bytes, float] = {}
    masked: dict[bytes, float] = {}
    now = 0.0
    for raw in data[: HEAD * LONGEST].split(b"\n")[:HEAD]:
        text, clock = parted(raw[:LONGEST])
        now = now if clock is None else clock
        ends = GOES_ON.search(text) or _SAVES.search(text) or (found and b"Traceback (most" in text)
        if len(found) == OPENING or ends:
            break
        if (
            len(text) < SHORTEST
            or _OF_LIBRARY.search(text)
            or REQUEST.search(raw)
            or (clock is None and (alike or not now))
        ):
            continue
        if now - found.setdefault(text[:ALIKE] if alike else text, now) > AT_ONCE_S:
            break
        if now - masked.setdefault(_LONG.sub(b"#", text), now) > AT_ONCE_S:
            del found[text[:ALIKE] if alike else text]
            break
    return [*found]


def _found(data: bytes, text: bytes, alike: bool) -> list[int]:
    """Where lines begin that hold a text, and nothing behind it unless they need only begin so; nowhere where they
    are too many."""
    digits = _ANY if alike else _LONG
    kept, numbers = digits.split(text), len(digits.findall(text))
    said = NUMBER.join(re.escape(part) for part in kept) if numbers else re.escape(text)
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
        clock = parted(line(data, at))[1]
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


def _again(groups: Iterable[dict[int, int]]) -> Iterator[dict[int, int]]:
    """Those of which enough was said before: an opening that comes slowly is no second one."""
    known: set[int] = set()
    for group in groups:
        if len(known & group.keys()) >= min(LEAST, len(group)):
            yield group
        known |= group.keys()


def _stamped(data: bytes, at: int) -> int:
    """Where the line begins that tells the time of one: it, or else the line before."""
    return at if parted(line(data, at))[1] is not None else before(data, at)


def _clock_before(data: bytes, at: int) -> float | None:
    """The time that the line before tells."""
    return parted(line(data, before(data, at)))[1] if at else None
