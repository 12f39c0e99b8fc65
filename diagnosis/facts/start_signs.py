"""What can be seen at a place in a file at which a run may begin, as numbers.

A place is a stamped line before which some time passed. Seconds, counts and lines enter as logarithms, shares from 0 to
1, what is so or not as 1 or 0.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import log10
from operator import eq, gt, lt
from typing import TypeVar

from logtui.diagnosis.facts.one_process import process_of
from logtui.diagnosis.facts.stamped import GOES_ON
from logtui.diagnosis.facts.start_lines import Lines

LEAST_S, BACK_S = 1.0, 1.0
"""What passes before a place at least, or by which the clock is set back."""
OFTEN, LONG_S, MOST = 256, 60.0, 512
"""A line that comes so often begins no run but behind such a pause; places of a file that are weighed, those with its
first line or the longest pauses."""
HEAD, OPENING, BEHIND, ABOVE = 40, 30, 16, 8
"""Lines of a file's head, those with words that are its opening, and lines on either side of a place."""
BLOCK, MOST_ALIKE = 6, 100
"""Lines with words by which what begins alike is known; such places that are compared, the last."""
FAR_ABOVE, FAR_BEHIND = 60, 80
"""Lines in which it is counted, on either side."""
NEVER = -2.0
"""The logarithm of no time at all."""
_WORDS = {
    "opens": rb"(?i)\b(?:start\w*|begin\w*|launch\w*|initiali[sz]\w*|init|load\w*|config\w*|param\w*|settings?"
    rb"|namespace|arguments?|args|device|seed|version|using|command|creat\w*|setup|experiment|resum\w*|restor\w*)\b|====|----|\*\*\*\*",
    "is_told": rb"(?i)namespace\(|\bargs?\b|arguments|config|hyper|command|usage|python",
    "ends": rb"(?i)\b(?:finish\w*|complet\w*|done|ended|exit\w*|closed|stop\w*|shut ?down|saved|bye|total time|elapsed"
    rb"|took|best)\b",
    "fails": rb"(?i)error|exception|traceback|killed|interrupt|fail|abort|cancel",
    "results": rb"(?i)\b(?:test|final|best|results?|accuracy|acc|f1|auc|mean|average|score)\b",
    "saves": rb"(?i)sav|checkpoint|written|wrote",
}
"""Words of lines, by what those do that hold them."""
_KINDS = {name: re.compile(words) for name, words in _WORDS.items()}
_COUNT = re.compile(rb"(?i)\b(?:epoch|step|iter|iteration|round|episode|batch|fold)s?\W{0,4}(\d{1,8})")
_NUMBER = re.compile(rb"\d{1,15}")
T = TypeVar("T")


class Signs:
    """The places of a file at which a run may begin, and what can be seen at each."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        keys, said = lines.keys, lines.said
        self._times = Counter(keys[n] for n in lines.stamped)
        self._first_key, self._first_said = _firsts(keys), _firsts(said)
        self._opening = frozenset(_worded(keys, 0, self._head_end())[:OPENING])
        self._tail = frozenset(_worded(keys, max(len(keys) - 12, 0), len(keys)))
        self._ordered = sorted(pause for pause in lines.pauses[1:] if pause >= 0) or [0.0]
        self._stamped_of: defaultdict[bytes, list[int]] = defaultdict(list)
        self._pauses_of: defaultdict[bytes, list[float]] = defaultdict(list)
        for at, n in enumerate(lines.stamped[1:], 1):
            self._stamped_of[keys[n]].append(at)
            self._pauses_of[keys[n]].append(lines.pauses[at])
        for pauses in self._pauses_of.values():
            pauses.sort()
        self._head_keys = [keys[n] for n in lines.stamped[:20]]
        self._said_times = Counter(said[n] for n in lines.stamped)
        self._counts_of: dict[int, int | None] = {}
        self._processes_of: dict[int, bytes | None] = {}
        places = [*self._places()]
        longest = sorted(places, key=lambda at: (keys[lines.stamped[at]] == self._head_keys[0], abs(lines.pauses[at])))
        self.places = sorted(longest[-MOST:])
        """Indices of stamped lines."""
        self.passed_over = sorted(longest[:-MOST])
        """Those of places which so many others outweigh: no run begins there."""
        self._blocks = {0: self._block(0)} | {at: self._block(at) for at in self.places}
        self._alike: defaultdict[bytes, list[int]] = defaultdict(list)
        for at, block in self._blocks.items():
            if block:
                self._alike[block[0]].append(at)

    def _head_end(self) -> int:
        return (self._lines.stamped[0] if self._lines.stamped else 0) + HEAD

    def _places(self) -> Iterator[int]:
        lines = self._lines
        for at in range(1, len(lines.stamped)):
            pause, key = lines.pauses[at], lines.keys[lines.stamped[at]]
            apart = pause >= LEAST_S or pause < -BACK_S or key == self._head_keys[0]
            if apart and (self._times[key] <= OFTEN or not 0 <= pause < LONG_S):
                yield at

    def of(self, at: int) -> list[float]:
        """All signs at a place, in the order of their kinds."""
        return [value for kind in KINDS for value in kind(self, at)]

    def is_first(self, at: int) -> bool:
        """Whether the line of a place is the first stamped one of the file, but for its numbers."""
        return self._lines.keys[self._lines.stamped[at]] == self._head_keys[0]

    def counts_on(self, at: int) -> bool:
        """Whether the line of a place counts progress on from the last line like it."""
        mine, last = self._with_last_like(at)
        progress = GOES_ON.search(self._lines.said[self._lines.stamped[at]][:160]) is not None
        return progress and last is not None and _is_next(mine, last)

    def goes_on(self, at: int) -> bool:
        """Whether what is counted behind a place is farther than above it."""
        last, first = self._counted_around(at)
        return last is not None and first is not None and first > last

    # -- What each kind of sign sees

    def _pause(self, at: int) -> Iterable[float]:
        pause, ordered = self._lines.pauses[at], self._ordered
        last, longer = len(ordered) - 1, len(ordered) - bisect_right(ordered, pause)
        usual = (ordered[last // 2], ordered[int(0.9 * last)], ordered[int(0.99 * last)], ordered[last])
        yield from (_log(pause), _log(-pause), *(_log(pause) - _log(than) for than in usual))
        yield from (log10(1 + longer), log10(1 + len(ordered) - bisect_left(ordered, pause / 3)))
        yield log10(1 + len(ordered) - bisect_left(ordered, 600.0))

    def _words(self, at: int) -> Iterable[float]:
        number = self._lines.stamped[at]
        text = self._lines.said[number][:160]
        yield from (float(kind.search(text) is not None) for kind in _KINDS.values())
        yield from (float(GOES_ON.search(text) is not None), len(text) / 100, float(len(_NUMBER.findall(text)[:6])))
        behind = self._lines.said[number : number + BLOCK]
        yield from (_share(_KINDS["opens"], behind), _share(GOES_ON, behind))

    def _above(self, at: int) -> Iterable[float]:
        number, said = self._lines.stamped[at], self._lines.said
        near = b"\n".join(said[max(number - 4, 0) : number])
        yield from (float(_KINDS[name].search(near) is not None) for name in ("ends", "fails", "results", "saves"))
        yield float(number > 0 and GOES_ON.search(said[number - 1]) is not None)
        yield float(any(b"Traceback (most" in text for text in said[max(number - 40, 0) : number]))
        yield float(any(b"KeyboardInterrupt" in text for text in said[max(number - 6, 0) : number]))
        yield float(not all(said[max(number - 2, 0) : number]))
        told = _worded(self._lines.keys, max(number - ABOVE, 0), number)[-4:]
        yield sum(key in self._tail for key in told) / max(len(told), 1)

    def _unstamped(self, at: int) -> Iterable[float]:
        """What stands between the place and the stamped line above it."""
        above, number = self._lines.stamped[at - 1], self._lines.stamped[at]
        told = _worded(self._lines.keys, above + 1, number)
        first = told[:10]
        yield from (min(number - above - 1, 50) / 10, float(min(len(told), 20)))
        yield sum(key in self._opening for key in first) / max(len(first), 1)
        yield sum(self._first_key[key] < above for key in first) / max(len(first), 1)
        yield float(any(_KINDS["opens"].search(key) for key in told[:BLOCK]))

    def _again(self, at: int) -> Iterable[float]:
        """How much of what follows was said before, and at the head of the file."""
        number, head = self._lines.stamped[at], self._head_end()
        behind = [n for n in range(number, min(number + BEHIND, len(self._lines.keys))) if self._lines.keys[n]][:10]
        keys, many = [self._lines.keys[n] for n in behind], max(len(behind), 1)
        seen = [self._first_key[key] < number - 1 for key in keys]
        yield from (sum(key in self._opening for key in keys) / many, sum(seen) / many, float(seen[:1] == [False]))
        same = [self._first_said[self._lines.said[n]] for n in behind]
        yield from (sum(n < number - 1 for n in same) / many, sum(n < min(head, number - 1) for n in same) / many)
        stamped = [self._lines.keys[n] for n in self._lines.stamped[at : at + 8]]
        yield sum(key in self._head_keys for key in stamped) / max(len(stamped), 1)

    def _like_others(self, at: int) -> Iterable[float]:
        """How far the lines from here on are those from an earlier place on."""
        mine = self._blocks[at]
        earlier = [n for n in self._alike[mine[0]] if n < at][-MOST_ALIKE:] if mine else []
        alike = {n: sum(a == b for a, b in zip(mine[1:], self._blocks[n][1:], strict=False)) for n in earlier}
        best = max(alike.values(), default=-1)
        places = [n for n, many in alike.items() if many == best]
        pauses = sorted(self._lines.pauses[n] for n in places if n > 0)
        yield from (best / 5, log10(1 + len(places)), float(0 in places))
        yield from (_log(pauses[len(pauses) // 2]), _log(pauses[0])) if pauses else (NEVER, NEVER)
        head = self._blocks[0]
        yield sum(a == b for a, b in zip(mine, head, strict=False)) / max(min(len(mine), len(head)), 1)

    def _line(self, at: int) -> Iterable[float]:
        """Where and how often the place's own line is said."""
        key, said = (table[self._lines.stamped[at]] for table in (self._lines.keys, self._lines.said))
        times = self._times[key]
        yield from (float(key == self._head_keys[0]), float(key in self._head_keys[:5]), float(key in self._head_keys))
        yield from (log10(times), times / len(self._lines.stamped), float(self._said_times[said] > 1))
        pauses, mine = self._pauses_of[key], self._lines.pauses[at]
        others = len(pauses) - 1
        if not others:
            yield from (NEVER, NEVER, NEVER, 0.0)
            return
        own = bisect_left(pauses, mine)
        rest = [pauses[n + (n >= own)] for n in (0, others // 2, others - 1)]
        yield from (*map(_log, rest), _log(mine) - _log(rest[1]))

    def _counts(self, at: int) -> Iterable[float]:
        """Whether what is counted goes on, or is back."""
        last, first = self._counted_around(at)
        passed = None if first is None or last is None else first - last
        yield from (float(passed is not None and way(passed, 0)) for way in (lt, eq, gt))
        yield from (float(first is not None and first <= 1), float(last is not None), float(first is None))

    def _process(self, at: int) -> Iterable[float]:
        """1 where one process goes on, -1 where another speaks, 0 where no line tells."""
        number = self._lines.stamped[at]
        above = {*self._processes(range(max(number - 40, 0), number))}
        behind = next(self._processes(range(number, min(number + 20, len(self._lines.said)))), None)
        yield (1.0 if behind in above else -1.0) if behind is not None and above else 0.0

    def _numbers(self, at: int) -> Iterable[float]:
        """Whether the numbers of the line are those of its last like, one more, or others."""
        mine, last = self._with_last_like(at)
        if last is None:
            yield from (0.0, 0.0, 0.0)
            return
        counted = _is_next(mine, last)
        yield from (float(counted), float(mine == last), float(not counted and mine != last))

    def _place(self, at: int) -> Iterable[float]:
        """Where in the file, and in its time, the place is."""
        clocks = self._lines.clocks
        many, span = len(clocks), max(clocks[-1] - clocks[0], 1.0)
        yield from ((clocks[at] - clocks[0]) / span, (many - at) / many, log10(many), log10(1 + many - at), _log(span))
        yield from (_log(clocks[at] - clocks[0]), _log(clocks[-1] - clocks[at]), clocks[at] % 86400 / 86400)

    def _counted_around(self, at: int) -> tuple[int | None, int | None]:
        """What was counted last above a place, and first from it on."""
        number, many = self._lines.stamped[at], len(self._lines.said)
        last = next(self._counted(range(number - 1, max(number - FAR_ABOVE, 0) - 1, -1)), None)
        return last, next(self._counted(range(number, min(number + FAR_BEHIND, many))), None)

    def _counted(self, numbers: Iterable[int]) -> Iterator[int]:
        """What some lines count."""
        return _read_once(numbers, self._counts_of, lambda number: _count_in(self._lines.said[number]))

    def _processes(self, numbers: Iterable[int]) -> Iterator[bytes]:
        """Which processes wrote some lines."""
        return _read_once(numbers, self._processes_of, lambda number: process_of(self._lines.raw(number)))

    def _with_last_like(self, at: int) -> tuple[list[int], list[int] | None]:
        """The numbers of a place's line, and of the last one like it above, if there is one."""
        lines = self._lines
        alike = self._stamped_of[lines.keys[lines.stamped[at]]]
        above = bisect_left(alike, at) - 1
        told = (lines.said[lines.stamped[n]] for n in (at, alike[max(above, 0)]))
        mine, last = ([int(n) for n in _NUMBER.findall(text)[:6]] for text in told)
        return mine, None if above < 0 else last

    def _block(self, at: int) -> tuple[bytes, ...]:
        """The first lines with words from a place on."""
        number = self._lines.stamped[at]
        return tuple(_worded(self._lines.keys, number, number + 2 * BLOCK)[:BLOCK])


def _log(seconds: float) -> float:
    return log10(max(seconds, 0.0) + 0.1)


def _firsts(texts: Sequence[bytes]) -> dict[bytes, int]:
    """Where each of some texts stands first."""
    return dict(zip(reversed(texts), range(len(texts) - 1, -1, -1), strict=True))


def _count_in(text: bytes) -> int | None:
    found = _COUNT.search(text)
    return None if found is None else int(found[1])


def _read_once(numbers: Iterable[int], known: dict[int, T | None], read: Callable[[int], T | None]) -> Iterator[T]:
    """What some lines tell, of those that tell it; what was read is `known`, and each line is read once."""
    for number in numbers:
        if number not in known:
            known[number] = read(number)
        if (told := known[number]) is not None:
            yield told


def _is_next(numbers: Sequence[int], last: Sequence[int]) -> bool:
    """Whether one of some numbers is one more than it was, and there are as many."""
    return len(numbers) == len(last) and any(a - b == 1 for a, b in zip(numbers, last, strict=True))


def _worded(keys: Sequence[bytes], begin: int, end: int) -> list[bytes]:
    return [key for key in keys[begin:end] if key]


def _share(kind: re.Pattern[bytes], texts: Sequence[bytes]) -> float:
    return sum(kind.search(text[:160]) is not None for text in texts) / BLOCK


Sign = Callable[[Signs, int], Iterable[float]]
KINDS: Sequence[Sign] = (
    Signs._pause,
    Signs._words,
    Signs._above,
    Signs._unstamped,
    Signs._again,
    Signs._like_others,
    Signs._line,
    Signs._counts,
    Signs._process,
    Signs._numbers,
    Signs._place,
)
