"""The writers of many lines at once, without a Python step per line.

In a storm a third of all lines match: their writers are read with numpy from the first bytes, from `[rank57]:` and,
where there is none, from NCCL's `host:pid:tid [gpu] NCCL`. On the screen a filter asks a block of text which rank
wrote each line. Both know the forms that `grammar` declares and say what `origin` says of a single line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from logtui.parsers.prefix.grammar import HEADS, STAMP, Place, any_of, at, head_named
from logtui.parsers.prefix.origin import HEAD_REACH, read_origin

if TYPE_CHECKING:
    from logtui.parsers.files.case import Case


HEAD = 64
"""Bytes of a line that are looked at."""
_RANK, _NCCL = b"[rank", b"] NCCL "
"""Where the numbers of the two forms stand: right behind the one, before the other between the last two colons."""
_RANK_DIGITS, _PID_DIGITS = 6, 8

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int32]
Places = npt.NDArray[np.intp]


def read_writers(heads: Bytes, lengths: npt.NDArray[np.int64]) -> tuple[Ints, Ints]:
    """Rank and process of each line, -1 where its head does not say.

    `heads` holds `HEAD` bytes per line, one line after the other; what lies past a line's length is not looked at.
    """
    text = np.concatenate((heads, np.zeros(HEAD, np.uint8)))
    count = len(lengths)
    ends = np.arange(count) * HEAD + np.minimum(lengths, HEAD)
    ranks = _ranks(text, ends)
    return ranks, np.where(ranks < 0, _processes(text, ends), np.int32(-1))


def _ranks(text: Bytes, ends: Places) -> Ints:
    """The last `[rank57]:` of each head."""
    starts = _places_of(_RANK, text)
    values, after = _number_at(text, starts + len(_RANK), _RANK_DIGITS)
    rows = starts // HEAD
    closed = (text[after] == ord("]")) & (text[after + 1] == ord(":")) & (after + 2 <= ends[rows])
    found = np.full(len(ends), -1, np.int32)
    found[rows[closed]] = values[closed]  # in ascending order: the last one stays
    return found


def _processes(text: Bytes, ends: Places) -> Ints:
    """The process of `host:pid:tid [gpu] NCCL`."""
    starts = _places_of(_NCCL, text)
    starts = starts[starts + len(_NCCL) <= ends[starts // HEAD]]
    rows, first_of_row = np.unique(starts // HEAD, return_index=True)
    colons = np.flatnonzero(text == ord(":"))
    at = np.searchsorted(colons, starts[first_of_row]) - 1
    has_two = at >= 1
    rows, at = rows[has_two], at[has_two]
    values, after = _number_at(text, colons[at - 1] + 1, _PID_DIGITS)
    real = (after == colons[at]) & (colons[at - 1] > rows * HEAD)
    found = np.full(len(ends), -1, np.int32)
    found[rows[real]] = values[real]
    return found


def _places_of(wanted: bytes, text: Bytes) -> Places:
    """Where a short text stands inside one head."""
    count = len(text) - HEAD
    if wanted not in text.tobytes():
        return np.empty(0, np.intp)
    found = text[:count] == wanted[0]
    for i in range(1, len(wanted)):
        found &= text[i : i + count] == wanted[i]
    places = np.flatnonzero(found)
    return places[places % HEAD <= HEAD - len(wanted)]


def _number_at(text: Bytes, starts: Places, most: int) -> tuple[Ints, Places]:
    """The decimal numbers that start at some places, -1 where there is none, and the places after them."""
    values, ends = np.zeros(len(starts), np.int32), starts.copy()
    going = np.ones(len(starts), np.bool_)
    for _ in range(most):
        digits = text[ends] - np.uint8(ord("0"))
        going &= digits <= 9
        if not going.any():
            break
        values = np.where(going, values * 10 + digits, values)
        ends += going
    return np.where(ends > starts, values, np.int32(-1)), ends


Labels = Mapping[tuple[str, int], int]
"""(`local_rank` or `task`, number) → global rank."""
_LABELS = ("local_rank", "task")
_STACK = f"^(?:{STAMP})?(?:{any_of(Place.LABEL)})?(?:{any_of(Place.STACKED)})*"
_SUBJECT, _ACTOR = at(Place.SUBJECT)[0], head_named("ray")
_FOUND_ANYWHERE = "rank_rank"
"""`[rank57]:` stands last and outdoes all others, and is looked for in the whole head of a line."""
_ANYWHERE = tuple(form for form in HEADS if form.anywhere)


@lru_cache(maxsize=1)
def _heads() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """For a line's heads, where it has any, and for those before a subject. The scan has no use for either."""
    return re.compile(_STACK + "(?<=.)", re.MULTILINE), re.compile(f"(?>{_STACK}){_SUBJECT.regex}", re.MULTILINE)


@lru_cache(maxsize=1)
def _told() -> tuple[tuple[str, str], ...]:
    """What a line's heads tell, the least trusted first, and the group that holds it."""
    forms = at(Place.LABEL, Place.STACKED)
    wanted = (*reversed(_LABELS), "rank")
    return tuple((given, f"{form.name}_{given}") for given in wanted for form in forms if given in form.gives)


def owner(text: str, labels: Labels) -> int | None:
    """The rank that wrote a cleaned line, as the line alone tells; `labels` are what the diagnosis made of its file.
    A line without a mark belongs to nobody known, and is nobody else's."""
    origin = read_origin(text)
    if origin.rank >= 0:
        return origin.rank
    numbers = ((kind, int(getattr(origin, kind))) for kind in _LABELS)
    return next((labels[label] for label in numbers if label in labels), None)


def marked_lines(text: str, labels: Labels) -> Iterator[tuple[int, int]]:
    """(index of its first character, rank) of every line of a text that has an `owner`, in no order."""
    labelled: dict[int, int] = {}
    found: dict[int, int] = {}
    heads, own_words = _heads()
    for m in heads.finditer(text):
        if m.lastgroup == _FOUND_ANYWHERE:
            continue
        for given, number in _said(m):
            if given == "rank":
                found[m.start()] = number
            elif (given, number) in labels:
                labelled[m.start()] = labels[given, number]
    for form in _ANYWHERE:
        if "rank" in form.gives:
            near = _near(form.compiled, text)
            found = near | found if form.in_text else found | near
    for start in _starts(text, _SUBJECT.cue):
        if start not in found and (said := own_words.match(text, start)):
            found[start] = int(said["rank"])
    yield from (labelled | found).items()


def _said(heads: re.Match[str]) -> Iterator[tuple[str, int]]:
    """What the heads of a line tell, the least trusted first."""
    if heads[0].count(_ACTOR.cue) > 1:  # a group keeps what the first of two told where the second is silent
        origin = read_origin(heads[0])
        numbers = ((given, int(getattr(origin, given))) for given in (*reversed(_LABELS), "rank"))
        yield from ((given, number) for given, number in numbers if number >= 0)
    else:
        yield from {given: int(heads[group]) for given, group in _told() if heads[group]}.items()


def _near(form: re.Pattern[str], text: str) -> dict[int, int]:
    """Index of its first character → rank, of lines with such a head near enough to their beginning."""
    found: dict[int, int] = {}
    for m in form.finditer(text):
        start = text.rfind("\n", 0, m.start()) + 1
        if start not in found and m.end() - start <= HEAD_REACH:
            found[start] = int(m["rank"])
    return found


def _starts(text: str, cue: str) -> Iterator[int]:
    """Where lines begin that hold a text near their beginning."""
    for m in re.finditer(cue, text):
        start = text.rfind("\n", 0, m.start()) + 1
        if m.end() - start <= HEAD_REACH:
            yield start


def labels_of(case: Case, file: int) -> dict[tuple[str, int], int]:
    """What the labels of a file mean, where the records of the file agree on it."""
    rows = case.records.rows[case.records.rows_of_file(file)]
    ranks = rows["rank"].astype(np.int64)
    found: dict[tuple[str, int], set[int]] = {}
    for kind in _LABELS:
        numbers = rows[kind].astype(np.int64)
        known = (ranks >= 0) & (numbers >= 0)
        for pair in np.unique(numbers[known] << 32 | ranks[known]).tolist():
            found.setdefault((kind, pair >> 32), set()).add(pair & 0xFFFFFFFF)
    return {label: min(ranks) for label, ranks in found.items() if len(ranks) == 1}
