"""Runs appended to one file whose first lines, taken together, stand there again behind a pause: a banner, the
arguments, the settings.

No single one of them need be long, dated or said only once; what tells is that several come again in their order, that
they are what a program says as it begins, and that nobody who starts runs by hand does so like a clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from logtui.diagnosis.facts.pauses import LOADED_S, as_by_a_clock, uneven, usual_of
from logtui.diagnosis.facts.stamped import (
    GOES_ON,
    LONGEST,
    OF_LIBRARY,
    any_numbers,
    before,
    clocks_above,
    dated_clock,
    line,
    parted,
)

HEAD, BLOCK, REACH = 40, 6, 14
"""Lines at a file's head; those of them with words that are its opening; lines in which they must come again."""
LEAST, SHARE = 3, 0.6
"""So many of them, and such a share, make the opening."""
KEY, LEAST_KEY = 40, 5
"""Characters by which a line is known again, digits aside."""
MOST_TIMES, BACK = 1024, 64
"""An opening that comes more often is a loop's; lines above one among which the last time before it stands."""
MOSTLY, REST_S = 0.9, 60.0
"""The share of openings before which a program may have been loaded; a rest of somebody who starts runs."""
_EPOCH = re.compile(rb"(?i)\b(?:epoch|round|episode|iteration|fold|generation)\W{0,3}(\d{1,7})\b")
BELOW = 4096
"""Bytes behind an opening in which it is told what is counted."""
DRAWN = 3
"""Lines without a word that may stand above a run's first sentence."""
ROUNDS = 6
"""So many places show a loop."""
RESTED, LONG_S = 100.0, 3600.0
"""A pause so many times as long as a loop's, and as long as this, is a rest of somebody who starts it again."""
FAILED = re.compile(
    rb"(?i)(?:\b|_)(?:fail\w*|critical|fatal|killed|abort\w*)\b|(?:\b|[a-z])(?:error|exception|interrupt)s?\b"
)
"""What stands above the start of a program that was started until it worked."""
_DIGITS = re.compile(rb"\d+")
_WORD = re.compile(rb"[^\W\d_]|[\x80-\xff]")
_ASIDE = re.compile(rb"Warning\b|warnings\.warn|^\s*(?:Traceback|File \")|nohup: ignoring")
"""What says nothing of whose opening it is."""
_BEGINS = re.compile(
    rb"(?i)\b(?:start(?:ing|s|ed)?|begin(?:ning|s)?|launch(?:ing|ed)?|initiali[sz]ing|loading|reading|parameters|param"
    rb"|config\w*|settings|args|arguments|namespace|using|device|run|session|logging|resum(?:e|ing)|pipeline)\b"
)
"""What a program says as it begins."""
_DRAWN_START = re.compile(rb"(?i)[#=*]{3} .{0,60}\bstart(?:ed|ing|s)?\b")
"""A start that is drawn as one: no more need be said."""
_NO_START = re.compile(
    rb"(?i)\b(?:finish\w*|complet\w*|sav(?:ed|ing)|results?|accuracy|scores?|errors?|fail\w*|exceptions?|epochs?|fold|trial"
    rb"|iterations?|rollouts?|step|stage|phase|evaluat\w*|test(?:ing)?|server|connection|tensorflow)\b"
)
"""What a loop says, a result, or a server of many requests."""
_STARTED_AT = re.compile(
    rb"(?i)\b(?:training|run|job|program|script|experiment|session|pipeline) (?:has )?(?:start(?:ed|s)?|begins|began)\b"
)
"""A banner that bears a date: it is written once in a program's life."""


class _Opening(NamedTuple):
    """The first lines of a file that have words, digits aside; the one of them by which it is sought."""

    lines: tuple[bytes, ...]
    anchor: int
    at: int
    """The byte at which that line stands."""
    first: int
    """That at which the first of all stands."""


def blocks_again(data: bytes) -> list[int]:
    """Bytes of a file's text at which its opening, of several lines, stands once more, and a run begins."""
    opening = _opening(data)
    if opening is None:
        return []
    places = _places(data, opening)
    if not places or len(places) > MOST_TIMES or _counts(data, opening, places):
        return []
    pauses = [_pause(data, at) for at in places]
    anchor = opening.lines[opening.anchor]
    dated = _STARTED_AT.search(anchor) is not None and all(_clock(data, at) is not None for at in places)
    said = b" ".join(opening.lines[opening.anchor : opening.anchor + LEAST])
    starts = _BEGINS.search(said) is not None and _NO_START.search(anchor) is None
    return _but_rounds(data, places, pauses) if dated or (starts and _by_hand(pauses)) else []


def without_rounds(data: bytes, places: Sequence[int]) -> list[int]:
    """Places of a file but for those where a loop says some words once more: most of them after as long a pause, and
    none below a failure."""
    return _but_rounds(data, places, [_pause(data, at) for at in places])


def _but_rounds(data: bytes, places: Sequence[int], pauses: Sequence[float | None]) -> list[int]:
    known = [pause for pause in pauses if pause is not None]
    if len(known) < ROUNDS or usual_of(known) <= 0 or not as_by_a_clock(known):
        return [*places]
    least = max(RESTED * usual_of(known), LONG_S)
    rested = any(pause >= least for pause in known)  # else a script may start one program after the other
    return [
        at
        for at, pause in zip(places, pauses, strict=True)
        if not rested or pause is None or pause >= least or FAILED.search(line(data, before(data, at)))
    ]


def _counts(data: bytes, opening: _Opening, places: Sequence[int]) -> bool:
    """Whether the line above an opening that is sought by a later one counts the rounds of a loop, `fold 2`, or what is
    counted first below each goes on."""
    rounds = [_EPOCH.search(data, at, at + BELOW) for at in (opening.first, *places)]
    counted = [int(m[1]) for m in rounds if m is not None]
    if len(counted) == len(rounds) and all(b - a == 1 for a, b in pairwise(counted)):
        return True
    if not opening.anchor:
        return False
    first, *later = ([parted(raw)[0] for _, raw in _lines(data, at, 1)] for at in (opening.first, *places))
    return any(said != first and _DIGITS.sub(b"", said[0]) == _DIGITS.sub(b"", first[0]) for said in later)


def _by_hand(pauses: Sequence[float | None]) -> bool:
    """Whether somebody started the runs before which so much time passed, and not a loop."""
    known = [pause for pause in pauses if pause is not None]
    if not known or sum(pause >= LOADED_S for pause in known) < MOSTLY * len(pauses):
        return False
    return uneven(known) and max(known) >= REST_S


def _opening(data: bytes) -> _Opening | None:
    told: dict[bytes, tuple[int, bytes]] = {}
    for at, raw in _lines(data, 0, HEAD):
        said = b"" if _is_aside(raw) else _said(raw)
        if said in told or len(told) == BLOCK:
            break  # it comes again already
        if said:
            told[said] = at, raw
    sought = ((n, told[s]) for n, s in enumerate(told) if len(s) >= LEAST_KEY and not GOES_ON.search(told[s][1]))
    anchor, (at, _) = next(sought, (None, (0, b"")))
    return None if anchor is None else _Opening((*told,), anchor, at, next(iter(told.values()))[0])


def _is_aside(raw: bytes) -> bool:
    return OF_LIBRARY.search(raw) is not None or _ASIDE.search(raw) is not None


def _places(data: bytes, opening: _Opening) -> list[int]:
    """Where the opening's first line that is sought stands again, above most of the others."""
    wanted = opening.lines[opening.anchor :]
    drawn = _DRAWN_START.search(wanted[0]) is not None
    if len(wanted) < LEAST and not drawn:
        return []
    needed, found = (1.0 if drawn else max(LEAST, SHARE * len(wanted))), list[int]()
    for n, hit in enumerate(any_numbers(wanted[0]).finditer(data, opening.at + 1)):
        at = data.rfind(b"\n", 0, hit.start()) + 1
        if n > MOST_TIMES:
            return []
        if at > opening.at and _alike(data, at, wanted) >= needed:
            found.append(_with_lines_above(data, at, opening.lines[: opening.anchor]))
    return [*dict.fromkeys(found)]


def _alike(data: bytes, at: int, wanted: Sequence[bytes]) -> int:
    """How many of some lines come from a byte on, in their order."""
    if _said(line(data, at)) != wanted[0]:
        return 0
    said = [_said(raw) for _, raw in _lines(data, at, REACH)]
    hits, since = 0, 0
    for text in wanted:
        if text in said[since:]:
            hits, since = hits + 1, said.index(text, since) + 1
    return hits


def _with_lines_above(data: bytes, at: int, above: Sequence[bytes]) -> int:
    """Where a run's first line stands: those that stood above the one that was sought may stand there again."""
    begin = at
    for text in reversed(above):
        higher = before(data, begin)
        if higher == begin or _said(line(data, higher)) != text:
            break
        begin = higher
    return _with_rules_above(data, begin)


def _with_rules_above(data: bytes, begin: int) -> int:
    """Where the lines without a word begin that are drawn right above one, and the stamp above them."""
    for _ in range(DRAWN):
        higher = before(data, begin)
        raw = line(data, higher)
        if higher == begin or not raw.strip() or _said(raw):
            break
        begin = higher
    return begin


def _pause(data: bytes, at: int) -> float | None:
    """Seconds from the last time that is told above a line to its own; None where one of them is not told."""
    begun, then = _clock(data, at), next(clocks_above(data, at, BACK), None)
    return None if begun is None or then is None else begun - then[1]


def _clock(data: bytes, at: int) -> float | None:
    """The first time that a line or those behind it tell."""
    clocks = (dated_clock(raw.decode("latin-1")) for _, raw in _lines(data, at, REACH))
    return next((clock for clock in clocks if clock is not None), None)


def _lines(data: bytes, at: int, many: int) -> Iterator[tuple[int, bytes]]:
    """Some lines from a byte on: where each begins, and as much of it as is looked at."""
    for _ in range(many):
        if at >= len(data):
            return
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        yield at, data[at : min(end, at + LONGEST)]
        at = end + 1


def _said(raw: bytes) -> bytes:
    """How a line begins behind its stamp, or before it, all numbers alike; nothing where it has no words."""
    text = parted(raw)[0]
    if not _WORD.search(text):
        text = raw.split(b"20", 1)[0].strip()
    return _DIGITS.sub(b"0", text)[:KEY].rstrip() if _WORD.search(text) else b""
