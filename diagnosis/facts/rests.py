"""The newest run of a file, told by a rest: somebody went away, came back, and started a program once more.

Nothing was said for long, and for nowhere near as long since; and the first words behind that are those of a program
that begins, reads or sets something. What trains, or waits, or is told to end says other things then.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from operator import attrgetter, itemgetter
from typing import NamedTuple

from logtui.diagnosis.facts.one_process import goes_on_in
from logtui.diagnosis.facts.pauses import as_by_a_clock
from logtui.diagnosis.facts.stamped import (
    GOES_ON,
    OF_LIBRARY,
    REQUEST,
    any_numbers,
    before,
    clocks_above,
    dated_clock,
    line,
    parted,
    zoned,
)

REST_S, LONGER, USUAL, BEFORE = 1800.0, 2.0, 30.0, 5.0
"""What a rest lasts at least; how many times as long as any later one, as lines around it usually lie apart, and as
those above it do."""
AGAIN_S = 60.0
"""Before a later line that says the same as the first one behind the rest: the program was started again."""
NEAR, AROUND = 64, 8
"""Stamped lines on either side of a rest that tell what is usual; those whose clocks must be in order."""
MOST_ASKED, BACK = 16384, 400
"""Lines that are asked for their times; lines without one that may stand before one that has."""
MOST_RESTS, MOST_TIMES, LEAST_KEY = 64, 256, 8
"""Rests that are looked at, the last ones; times that a line comes again; characters by which it is known, at least."""
WORDS, SAID_WITHIN = 5, 160
"""Lines in which the first words behind a rest stand; characters of them that are looked at."""
_BEGINS = re.compile(
    rb"(?i)\b(?:start\w*|begin\w*|launch\w*|initiali[sz]\w*|init|load(?:ed|ing)?|read(?:ing)?|restor\w*|resum\w*"
    rb"|config\w*|param\w*|settings?|namespace\(|arguments?|args|waiting for|us(?:e|ing)|version|device|batch size|seed"
    rb"|running|schema|validated|prepar\w*|download\w*|run|new (?:run|session|training))\b"
    rb"|^\W{0,4}(?:python\d? )?[\w.\\-]{1,80}\.(?:py|sh|jl) --?[a-z]"
)
"""What a program says as it begins."""
_SETS = re.compile(rb"\b[A-Za-z_]{3,}[ \t]*[:=]|\b[A-Za-z_]{3,} +[A-Za-z_]{3,}|[\x80-\xff]{6,}")
"""What is said behind several rests, if it tells of anything."""
LOOP_S, LONG_LOOP_S = 6 * 3600.0, 12 * 3600.0
"""What a loop rests at most between things that it begins; the same where it began as many before."""
MOST_FALLS, LEAST_BEHIND, FARTHEST_S = 3, 4, 7 * 86400.0
"""More often no clock is set back: several processes write; lines that must follow in order; how far it is set, and
how long no program rests."""
_ENDS = re.compile(
    rb"(?i)\b(?:finish\w*|complet\w*|clos(?:e|ed|ing)|stop\w*|shut\w*|terminat\w*|abandon\w*|exit\w*|change|epilog\w*"
    rb"|validat(?:ing|ion)|evaluat\w*|receiv\w*|signal|sav(?:ed|ing)|done|success\w*|fail\w*|errors?|warn\w*|exceptions?"
    rb"|timeout|timed out|retr(?:y|ies|ying)|results?|accuracy|acc|loss|scores?|best|test(?:ing)?|memory|metrics?)\b"
    rb"|\.(?:cc|cpp|h):\d+\]|\"metadata\":"
)
"""What is said of work that is done, of one that waited for it, and by libraries beside it."""
_NAMED = re.compile(rb"\S{0,80}[/\\\\'\"=]")
"""Where a name or a value begins that may be another one in the next run."""
ROUNDS = 4
"""So often two lines stand together elsewhere, of which the second does not open the file, that they are of a loop."""
_IS_OVER = re.compile(
    rb"(?i)\b(?:(?:failed|skipped|errors?)\W{1,3}\d{1,9}\s*$|all done\b|(?:total|elapsed) time\b|exiting\b"
    rb"|finished\W{0,3}$)"
)
"""What is said last of all, behind which only another run speaks."""
NIGHT_S, AT_NIGHT = 6 * 3600.0, 500.0
"""What a rest lasts behind which training is taken up again; how many times as long as lines usually lie apart."""
_COUNTS_ON = re.compile(rb"(?i)\bloss\b|(?:\b|_)(?:step|epoch|iter(?:ation)?)s?\b")
_STOPS = re.compile(rb"(?i)\b(?:errors?|fail\w*|exceptions?|timeout|timed out|signal|terminat\w*|kill\w*|abort\w*)\b")
_COUNTED = re.compile(rb"\b([A-Za-z_]{2,23}[A-Za-z])[^\w\n]{0,3}(\d{1,9})\b(?!\.\d)")
"""What is counted: the epoch before the step within it."""
ABOVE = 4096
"""Bytes above a rest in which it was counted before."""
_DIGITS = re.compile(rb"\d+")
_MAY_BE_TIME = re.compile(
    rb"(?:19|20)\d\d(?!\d)|\d\d[/.-]\d\d[/.-]\d\d|\b20\d{6}(?!\d)|\b1\d{9}(?!\d)|\b\d{6}[ -]\d\d:"
)
"""What each line with a date holds."""
_LETTERS = re.compile(rb"[^\W\d_]|[\x80-\xff]")
_DATED = re.compile(rb"20\d\d[-/]\d\d[-/]\d\d")
_TIME = re.compile(rb"\d\d:\d\d:\d\d|\d:\d\d<\d|it/s")
BETWEEN = 8192
"""Bytes between the two lines of a rest, at most: of what is printed without a time nobody knows when it was."""


class Rest(NamedTuple):
    """Two stamped lines between which nothing was said for long."""

    last: int
    """The byte at which the line before begins."""
    first: int
    begun: float
    """When the line behind it was said; seconds since the epoch, in its own zone."""
    seconds: float
    """Less than nothing where the clock was set back."""


class Begun(NamedTuple):
    """A run that was started behind a rest."""

    at: int
    """The byte at which its first stamped line begins."""
    clock: float
    """When that was said; seconds since the epoch, in its own zone."""


def behind_rest(data: bytes, goes_on: Callable[[int], bool] = lambda _: False) -> Begun | None:
    """The newest run of a file, where a rest tells of its start; None where none does.

    `goes_on` is asked whether a counter goes on behind a byte from where it was: the run is the same then.
    """
    longest, found = 0.0, rests(data)[-MOST_RESTS:]
    usual = _said_behind_several(data, found)
    falls = sum(rest.seconds < 0 for rest in found)
    for rest in reversed(found):
        if rest.seconds < 0:
            if falls <= MOST_FALLS and _is_fall(data, rest) and not goes_on(rest.first):
                return Begun(rest.first, rest.begun)
            continue
        begins = _is_start(data, rest, usual) and not goes_on(rest.first)
        if rest.seconds >= LONGER * longest and (begins or _is_taken_up(data, rest)):
            return max((Begun(rest.first, rest.begun), *_said_again(data, rest)), key=attrgetter("clock"))
        longest = max(longest, rest.seconds)
    return None


def _said_behind_several(data: bytes, found: Sequence[Rest]) -> set[bytes]:
    """What stands behind several rests, and tells of anything: not what comes round as by a clock."""
    seconds: defaultdict[bytes, list[float]] = defaultdict(list)
    for rest in found:
        if rest.seconds > 0:
            seconds[_masked(_first_words(data, rest.first))].append(rest.seconds)
    several = {words: rested for words, rested in seconds.items() if len(rested) > 1 and _SETS.search(words)}
    return {words for words, rested in several.items() if not as_by_a_clock(rested)}


def rests(data: bytes) -> list[Rest]:
    """Where nothing was said for long, in the order of the file: found by halving, so that few lines are read; none
    where too many would have to be, since few of them tell a time."""
    stamped = _Stamped(data)
    first, last = stamped.behind(0, len(data)), _last_stamped(data)
    if first is None or last is None:
        return []
    found, parts = [], [(first, last)]
    while parts:
        (low, since), (high, until) = parts.pop()
        if abs(until - since) < REST_S or low >= high:
            continue
        middle = stamped.behind(data.find(b"\n", (low + high) // 2, high) + 1 or high, high)
        middle = middle or stamped.behind(data.find(b"\n", low, high) + 1 or high, high)
        if stamped.asked > MOST_ASKED:
            return []
        if middle is None or middle[0] == high:
            if zoned(line(data, low)) is zoned(line(data, high)):  # else nobody knows how much time passed
                found.append(Rest(low, high, until, until - since))
        else:
            parts += [((low, since), middle), (middle, (high, until))]
    return sorted(found)


class _Stamped:
    """The lines of a text that tell a date and a time; no line is asked twice."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._known: list[tuple[int, int, float | None]] = []
        """Where lines without a time begin, where the next one with a time does, or else they end, and its time."""
        self.asked = 0
        """Lines that may have told one."""

    def behind(self, at: int, end: int) -> tuple[int, float] | None:
        """The first line with a date and a time from a byte on, before another: where it begins, and when it was
        said."""
        while at < end:
            n = bisect_right(self._known, at, key=itemgetter(1))
            known = self._known[n] if n < len(self._known) else (end, end, None)
            if known[0] > at:
                known = at, *self._next(at, min(end, known[0]))
                self._known.insert(n, known)
            _, at, clock = known
            if clock is not None:
                return (at, clock) if at < end else None
        return None

    def _next(self, at: int, end: int) -> tuple[int, float | None]:
        while at < end and (found := _MAY_BE_TIME.search(self._data, at, end)) is not None:
            at = max(at, self._data.rfind(b"\n", 0, found.start()) + 1)
            self.asked += 1
            clock = dated_clock(line(self._data, at).decode("latin-1"))
            if clock is not None or self.asked > MOST_ASKED:
                return (at, clock) if clock is not None else (end, None)
            at = self._data.find(b"\n", found.end(), end) + 1 or end
        return end, None


def _last_stamped(data: bytes) -> tuple[int, float] | None:
    return next(clocks_above(data, len(data), BACK), None)


def _clocks_behind(data: bytes, at: int) -> Iterator[float]:
    """The times of the stamped lines from one on."""
    stamped = _Stamped(data)
    while stamped.asked < MOST_ASKED and (told := stamped.behind(at, len(data))) is not None:
        yield told[1]
        at = data.find(b"\n", told[0]) + 1 or len(data)


def _is_start(data: bytes, rest: Rest, usual: Container[bytes]) -> bool:
    """Whether somebody started a program behind a rest, who may have changed it; `usual` is what is said behind
    several."""
    text = _first_words(data, rest.first)
    said = _but_values(text[:SAID_WITHIN])
    begins = _BEGINS.search(said) is not None or _masked(text) in usual
    told = begins and not (_ENDS.search(said) or OF_LIBRARY.search(text) or GOES_ON.search(said))
    again = OF_LIBRARY.search(text) is not None and _masked(text) == _masked(_first_words(data, 0))
    told |= _IS_OVER.search(_said(line(data, rest.last))) is not None
    begun = (told and not loops(data, rest.first, rest.last, rest.seconds)) or again or _counts_anew(data, rest, text)
    begun = begun and not REQUEST.search(line(data, rest.first))
    return begun and _is_silent(data, rest) and _is_unusual(data, rest) and not goes_on_in(data, rest.first)


def _but_values(text: bytes) -> bytes:
    """A text without files, which may be named by an epoch, and what is set to a value."""
    return b" ".join(word for word in text.split() if b"/" not in word and b"=" not in word)


def _is_taken_up(data: bytes, rest: Rest) -> bool:
    """Whether training goes on behind a night, as it did right before it: no process waits so long between two lines
    that follow each other in a minute."""
    said = [_said(line(data, at)) for at in (rest.last, rest.first)]
    trains = all(_COUNTS_ON.search(text) for text in said) and not any(_STOPS.search(text) for text in said)
    return trains and rest.seconds >= NIGHT_S and _is_silent(data, rest) and _is_unusual(data, rest, AT_NIGHT)


def loops(data: bytes, place: int, above: int, seconds: float, within: float = REST_S) -> bool:
    """Whether what stands at a byte, behind so long a pause, is a part of what one program does again and again: none
    rests for a week, and none that says what a program says as it begins for a quarter of a day."""
    if seconds >= FARTHEST_S:
        return False
    begins = _BEGINS.search(_said(line(data, place))[:SAID_WITHIN]) is not None
    gaps = _gaps_alike(data, place, above)
    soon = any(gap < within for gap in gaps) and seconds < (LOOP_S if begins else FARTHEST_S)
    broken_off = _BEGINS.search(_said(line(data, above))[:SAID_WITHIN]) is not None  # at the same place each time
    often = len(gaps) >= ROUNDS and seconds < LONG_LOOP_S
    return soon or (often and not (broken_off or _opens(data, place)))


def _opens(data: bytes, place: int) -> bool:
    """Whether a line begins as its file does."""
    return _masked(_but_last(_said(line(data, 0)))) == _masked(_but_last(_said(line(data, place))))


def _gaps_alike(data: bytes, place: int, above: int) -> list[float]:
    """Seconds between the two lines wherever else those at two bytes, on both sides of a pause, stand together,
    whatever their last words name; none where the first of them tells of an end."""
    ending, key = (_but_last(_said(line(data, at))[:SAID_WITHIN]) for at in (above, place))
    if len(key) < LEAST_KEY or _ENDS.search(ending):
        return []
    return [gap for at, gap in _gaps_with(data, any_numbers(key), _masked(ending)) if at not in (0, place)]


@lru_cache(2)  # the same is asked of each opening of a file
def _gaps_with(data: bytes, words: re.Pattern[bytes], ending: bytes) -> tuple[tuple[int, float], ...]:
    """The bytes at which lines begin that have some words below one that says something, numbers aside, and the seconds
    between the two."""
    gaps: list[tuple[int, float]] = []
    for found in islice(words.finditer(data), MOST_TIMES):
        at = data.rfind(b"\n", 0, found.start()) + 1
        last = before(data, at) if at else at
        if _masked(_but_last(_said(line(data, last))[:SAID_WITHIN])) == ending:
            gaps.append((at, _gap(data, last, at)))
    return tuple(gaps)


def _but_last(text: bytes) -> bytes:
    """A text without its last word."""
    return text.rstrip().rpartition(b" ")[0] or text


def _gap(data: bytes, last: int, at: int) -> float:
    """Seconds between two stamped lines; endless where one has no stamp."""
    clocks = [dated_clock(line(data, place).decode("latin-1")) for place in (last, at)]
    return float("inf") if clocks[0] is None or clocks[1] is None else clocks[1] - clocks[0]


def _counts_anew(data: bytes, rest: Rest, text: bytes) -> bool:
    """Whether the first words behind a rest count from the beginning what was farther right above it."""
    first = _COUNTED.search(text[:SAID_WITHIN])
    if first is None or int(first[2]) > 1:
        return False
    name = re.compile(rb"\b" + re.escape(first[1]) + rb"[^\w\n]{0,3}(\d{1,9})\b(?!\.\d)")
    above = [int(m[1]) for m in name.finditer(data, max(0, rest.last - ABOVE), rest.first)]
    return bool(above) and above[-1] > int(first[2]) and not _is_set_up(data, rest, name)


def _is_set_up(data: bytes, rest: Rest, name: re.Pattern[bytes]) -> bool:
    """Whether what stands above a rest stands above the first of all counts as well: a program told of its set-up, and
    then of its steps when all were made."""
    first = name.search(data)
    begin = data.rfind(b"\n", 0, first.start()) + 1 if first is not None else 0
    return begin > 0 and _masked(_said(line(data, before(data, begin)))) == _masked(_said(line(data, rest.last)))


def _is_fall(data: bytes, rest: Rest) -> bool:
    """Whether the clock was set back for good, as another machine's is that writes below the first one."""
    behind = [*islice(_clocks_behind(data, rest.first), AROUND)]
    earlier = rest.begun - rest.seconds - max(behind, default=rest.begun) >= REST_S
    plausible = len(behind) >= LEAST_BEHIND and -rest.seconds <= FARTHEST_S  # else days were taken for months
    return plausible and earlier and all(b >= a for a, b in pairwise(behind)) and _is_silent(data, rest)


def _is_unusual(data: bytes, rest: Rest, usual: float = USUAL) -> bool:
    """Whether the lines around a rest follow each other in order, and so many times as soon."""
    above = [clock for _, clock in islice(clocks_above(data, rest.first, BACK), NEAR)]
    behind = [*islice(_clocks_behind(data, rest.first), NEAR)]
    ordered = max(above[:AROUND], default=rest.begun) < rest.begun <= min(behind[:AROUND], default=rest.begun)
    return ordered and rest.seconds >= max(BEFORE * _usual(above[::-1]), usual * _usual(above[::-1], behind))


def _usual(*sides: Sequence[float]) -> float:
    """The usual time between two of some lines."""
    gaps = sorted(abs(b - a) for clocks in sides for a, b in pairwise(clocks))
    return gaps[len(gaps) // 2] if gaps else 0.0


def _masked(text: bytes) -> bytes:
    return _DIGITS.sub(b"#", text[:SAID_WITHIN])


def _is_silent(data: bytes, rest: Rest) -> bool:
    """Whether hardly anything stands between the two lines, and nothing with a time of its own."""
    between = data[rest.last : rest.first].partition(b"\n")[2]
    return len(between) <= BETWEEN and _TIME.search(between) is None


def _first_words(data: bytes, at: int) -> bytes:
    """What is said in a line but for its stamp, or in the first one below it that says anything."""
    for _ in range(WORDS):
        text = _said(line(data, at))
        if any(c > 64 for c in text):
            return text
        at = data.find(b"\n", at) + 1
        if not at:
            break
    return b""


def _said(raw: bytes) -> bytes:
    """A line without its stamp, which may stand behind its words."""
    behind, dated = parted(raw)[0], _DATED.search(raw)
    above = raw[: dated.start()] if dated else b""
    return max(behind, above.strip(), key=lambda text: len(_LETTERS.findall(text)))


def _said_again(data: bytes, rest: Rest) -> Iterator[Begun]:
    """Where the first line behind a rest was said once more, each time after a while; or the first two of them began so
    once more, whatever they name."""
    key, second = (_said(line(data, at))[:SAID_WITHIN] for at in (rest.first, _below(data, rest.first)))
    opening = [_NAMED.split(text, maxsplit=1)[0] for text in (key, second)]
    if len(key) < LEAST_KEY:
        return
    begin = opening[0] if min(map(len, opening)) >= LEAST_KEY else key
    first, whole, below = map(any_numbers, (begin, key, opening[1]))
    for found in islice(first.finditer(data, rest.first + len(key)), MOST_TIMES):
        at = data.rfind(b"\n", 0, found.start()) + 1
        if not (whole.match(data, found.start()) or below.match(_said(line(data, _below(data, at))))):
            continue
        clock = dated_clock(line(data, at).decode("latin-1"))
        last = next((then for where, then in clocks_above(data, at, BACK) if where < at), None)
        if clock is not None and last is not None and clock - last >= AGAIN_S:
            yield Begun(at, clock)


def _below(data: bytes, at: int) -> int:
    """Where the line below another begins."""
    return data.find(b"\n", at) + 1 or len(data)
