"""The places of a file at which a run may begin, each with how likely one does."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from logtui.diagnosis.facts.start_forest import likely, table
from logtui.diagnosis.facts.start_lines import Lines
from logtui.diagnosis.facts.start_signs import Signs

BEGINS, HARDLY = 0.55, 0.015
"""How likely a run begins where one is taken to; where none is, whatever else tells of one."""
SURELY, OTHERWISE, SEVERAL = 0.95, 0.85, 2
"""Where so many runs surely begin with the file's first line, one that begins otherwise must be so likely."""
RESUMED = 0.75
"""How likely a run must begin where what is counted goes on."""
NEAR_S, LOADED_S = 5.0, 120.0
"""Places that are so near are those of one start; what a program says in so long as it is loaded."""
FEWEST, ROUNDS = 3, 8
"""Stamped lines of a file that tell anything; places alike of which hardly one begins a run if most do not."""
ROUND, YET = 0.2, 0.8
"""How likely a run begins at most of such places where they are of one program that does the same again and again; at
one of them where it begins one all the same."""

_LEVEL = re.compile(rb"^.{0,60}?\b(?:info|debug|warning|error)\b\W{0,4}")
"""What a logger puts before a message, in small letters."""
_COUNTS = re.compile(rb"\bloss\b|(?:\b|_)(?:step|epoch|iter\w{0,6}|round|batch|episode|fold|trial)s?\W{0,4}#")
"""What counts, which may be back at its beginning."""
_EPILOGUE = re.compile(rb"\bepilog(?:ue)?\b")
"""A scheduler's report at the end of a job, which looks as the one at its beginning."""


class Place(NamedTuple):
    """A place in a file at which a run may begin."""

    begin: int
    """The byte at which its first line begins, which may bear no stamp."""
    clock: float
    """What its first stamped line tells; seconds, of a made-up year where it tells none."""
    chance: float
    """How likely a run begins here, from 0 to 1."""
    is_alike: bool
    """Whether its line is the file's first one."""
    goes_on: bool
    """Whether what is counted goes on behind it."""


class Judged(NamedTuple):
    """What is known of where runs begin in a file."""

    places: Sequence[Place]
    """In order."""
    stamped: Sequence[int]
    """The bytes at which its stamped lines begin, and what they tell."""
    clocks: Sequence[float]

    def starts(self) -> Iterator[int]:
        """The bytes at which runs begin: of several places that are near, the first."""
        last = float("-inf")
        alike = sum(place.is_alike and place.chance >= SURELY for place in self.places) >= SEVERAL
        for place in self.places:
            least = RESUMED if place.goes_on else BEGINS
            if place.chance >= (OTHERWISE if alike and not place.is_alike else least):
                if not 0 <= place.clock - last <= NEAR_S:
                    yield place.begin
                last = place.clock

    def refutes(self, byte: int) -> bool:
        """Whether hardly any run begins at a byte."""
        at = bisect_left(self.stamped, byte)
        return at < len(self.clocks) and self.refutes_clock(self.clocks[at])

    def refutes_clock(self, clock: float) -> bool:
        """Whether hardly any run begins at a time, of which one of the places at least is, or shortly before."""
        near = [place.chance for place in self.places if -NEAR_S <= clock - place.clock <= LOADED_S]
        return bool(near) and max(near) < HARDLY


NOTHING = Judged((), (), ())
"""Of a file that tells no times."""


def judge(data: bytes) -> Judged:
    """What a file's text shows."""
    lines = Lines(data)
    if len(lines.stamped) < FEWEST:
        return NOTHING
    signs = Signs(lines)
    if not signs.places:
        return NOTHING
    weighed = likely([signs.of(at) for at in signs.places], table()).tolist()
    chances = dict.fromkeys(signs.passed_over, 0.0)
    chances |= {
        at: 0.0 if signs.counts_on(at) or _EPILOGUE.search(lines.keys[lines.stamped[at]]) else chance
        for at, chance in zip(signs.places, weighed, strict=True)
    }
    chances = _as_its_like(lines, chances)
    opening = frozenset(lines.keys[: lines.stamped[0]])
    places = [
        Place(
            lines.begins[_first(lines, at, opening)],
            lines.clocks[at],
            chance,
            signs.is_first(at),
            chance >= BEGINS and signs.goes_on(at),  # which takes long, and is asked of no other
        )
        for at, chance in sorted(chances.items())
    ]
    return Judged(places, [lines.begins[number] for number in lines.stamped], lines.clocks)


def _as_its_like(lines: Lines, chances: Mapping[int, float]) -> dict[int, float]:
    """Some places and their chances, where what comes round begins a run only where it surely does: either each line
    of one kind begins one or none."""
    keys = {at: lines.keys[lines.stamped[at]] for at in chances}
    kinds = {at: _kind(key) for at, key in keys.items() if not _COUNTS.search(key)}
    alike: defaultdict[bytes, list[float]] = defaultdict(list)
    for at, kind in kinds.items():
        alike[kind].append(chances[at])
    usual = {kind: median(told) for kind, told in alike.items() if kind and len(told) >= ROUNDS}
    most = {kind: 0.0 if chance < ROUND else chance for kind, chance in usual.items() if chance < BEGINS}
    return {
        at: chance if chance >= YET else min(chance, most.get(kinds.get(at, b""), chance))
        for at, chance in chances.items()
    }


def _kind(key: bytes) -> bytes:
    """What a line tells of, whatever it tells: `query input:` of some question; one word may be a logger's name."""
    label = _LEVEL.sub(b"", key).partition(b":")[0].strip()
    return label if b" " in label else key


def _first(lines: Lines, at: int, opening: frozenset[bytes]) -> int:
    """The first of the lines right above a place that say what the file begins with, above its first stamp, or
    nothing."""
    first, above = lines.stamped[at], lines.stamped[at - 1]
    while first - 1 > above and (not lines.keys[first - 1] or lines.keys[first - 1] in opening):
        first -= 1
    return first
