"""Texts that make a regex work as hard as it can, made from its own parse tree; and how long it then takes.

A repeat that fails at the end of a long run is tried again at every shorter length, and a search begins again at every
character of it; a beginning that never finds its end looks for it to the end of the text, each time it is met. Each
repeat of a regex gets texts for all of these.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from time import process_time
from types import FrameType
from typing import Any

PROBES = "a0 .-_/:=,|[](){}<>\t\"'+*%#\\\n~^AZ┃━─"
"""Characters that repeats in logs take."""
MANY = 16
"""A repeat that takes no more than this costs nothing."""
NEVER = "\x00"
"""Ends a text: what few regexes take."""
SHORT, LONG = 4096, 8192
"""Characters of the two texts that are compared; the longest text that patterns are ever searched in is as long."""
GROWTH = 2.5
"""What twice the length may cost."""
NOISE_S = 0.15
"""Less than this for the long text is not measured more closely."""
MOST_S = 0.25
"""For the long text, whatever the growth."""
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)


class _TooSlow(Exception):
    """The time for one search is over."""


def attacks(regex: re.Pattern[Any]) -> Iterator[tuple[str, str]]:
    """(what is written once, what is repeated after it), of every repeat in a regex."""
    source = regex.pattern.decode("latin-1") if isinstance(regex.pattern, bytes) else regex.pattern
    tree = parser.parse(source, regex.flags & ~re.DEBUG)
    seen: set[tuple[str, str]] = set()
    whole = _example(tree)
    for before, body in _repeats(list(tree), ""):
        for pump in _pumps(body, regex.flags):
            for text in ((before, pump), ("", pump), ("", before + pump)):
                if text[1] and text not in seen:
                    seen.add(text)
                    yield text
        if before and ("", before) not in seen:
            seen.add(("", before))
            yield "", before
    for part in {whole, whole[:-1], whole[: len(whole) // 2]}:
        if part and ("", part) not in seen:
            yield "", part


def _repeats(nodes: list[Any], before: str) -> Iterator[tuple[str, Any]]:
    """Every repeat that may take many, with an example of all that stands before it."""
    for operator, argument in nodes:
        if operator in _REPEATS:
            least, most, body = argument
            if most > MANY:
                yield before, body
            yield from _repeats(list(body), before)
            before += _example(body) * int(least)
            continue
        for child in _children(operator, argument):
            yield from _repeats(list(child), before)
        before += _example([(operator, argument)])


def _children(operator: Any, argument: Any) -> list[Any]:
    if operator is codes.SUBPATTERN:
        return [argument[3]]
    if operator is codes.BRANCH:
        return list(argument[1])
    if operator in (codes.ASSERT, codes.ASSERT_NOT):
        return [argument[1]]
    return [argument] if operator is codes.ATOMIC_GROUP else []


def _example(nodes: Any) -> str:
    """Some text that the nodes match; lookarounds are ignored."""
    out = ""
    for operator, argument in nodes:
        if operator is codes.LITERAL:
            out += chr(argument)
        elif operator in _REPEATS:
            out += _example(argument[2]) * min(int(argument[0]), 64)
        elif operator in (codes.IN, codes.ANY, codes.NOT_LITERAL):
            out += next(_taken([(operator, argument)], 0), "")
        elif operator not in (codes.ASSERT, codes.ASSERT_NOT):
            out += next((_example(child) for child in _children(operator, argument)), "")
    return out


def _taken(nodes: Any, flags: int) -> Iterator[str]:
    """Single characters that a node may take."""
    ((operator, argument),) = nodes
    for character in PROBES:
        if _takes(operator, argument, character, flags):
            yield character


def _takes(operator: Any, argument: Any, character: str, flags: int) -> bool:
    if operator is codes.ANY:
        return character != "\n" or bool(flags & re.DOTALL)
    if operator in (codes.LITERAL, codes.NOT_LITERAL):
        return (ord(character) == argument) is (operator is codes.LITERAL)
    if operator is not codes.IN:
        return False
    negated = argument[0][0] is codes.NEGATE
    return any(_is_member(kind, value, character) for kind, value in argument) is not negated


def _is_member(kind: Any, value: Any, character: str) -> bool:
    if kind is codes.LITERAL:
        return bool(ord(character) == value)
    if kind is codes.RANGE:
        return bool(value[0] <= ord(character) <= value[1])
    if kind is not codes.CATEGORY:
        return False
    tests = {
        codes.CATEGORY_DIGIT: character.isdigit(),
        codes.CATEGORY_SPACE: character.isspace(),
        codes.CATEGORY_WORD: character.isalnum() or character == "_",
        codes.CATEGORY_NOT_DIGIT: not character.isdigit(),
        codes.CATEGORY_NOT_SPACE: not character.isspace(),
        codes.CATEGORY_NOT_WORD: not (character.isalnum() or character == "_"),
    }
    return bool(tests[value])


def _pumps(body: Any, flags: int) -> list[str]:
    """What one turn of a repeat takes, in a few forms."""
    nodes = list(body)
    if len(nodes) == 1 and nodes[0][0] in (codes.IN, codes.ANY, codes.NOT_LITERAL):
        return list(_taken(nodes, flags))[:5]
    inner = [p for operator, argument in nodes for child in _children(operator, argument) for p in _pumps(child, flags)]
    example = _example(nodes)
    return list(dict.fromkeys([p for p in [example, *inner] if p]))[:4]


def worst(regex: re.Pattern[Any], searched: bool) -> tuple[float, float, str]:
    """(seconds, growth, what was repeated) of the first attack that is too slow, else of the one that costs most.

    Growth is that of twice the length.
    """
    found = (0.0, 1.0, "")
    for once, repeated in attacks(regex):
        cost = _cost(regex, searched, once, repeated)
        if cost > max(found[0], NOISE_S):
            found = cost, _growth(regex, searched, once, repeated, cost), f"{once!r} + {repeated!r}"
            if is_too_slow(*found[:2]):
                break
    return found


def is_too_slow(seconds: float, growth: float) -> bool:
    """Whether a text of somebody else's could stall a reader."""
    return seconds > MOST_S or (seconds > NOISE_S and growth > GROWTH)


def _cost(regex: re.Pattern[Any], searched: bool, once: str, repeated: str) -> float:
    """Seconds for the long text; of a regex that is far too slow, those for a shorter one."""
    for length in (64, 1024, LONG):
        cost = _timed(regex, searched, _text(regex, once, repeated, length))
        if cost > MOST_S:
            break
    return cost


def _growth(regex: re.Pattern[Any], searched: bool, once: str, repeated: str, cost: float) -> float:
    if cost < NOISE_S or cost > MOST_S:
        return 1.0 if cost < NOISE_S else float("inf")
    short, long = (
        min(_timed(regex, searched, _text(regex, once, repeated, length)) for _ in range(3)) for length in (SHORT, LONG)
    )
    return long / max(short, 1e-6)


def _text(regex: re.Pattern[Any], once: str, repeated: str, length: int) -> Any:
    text = once + repeated * max(1, (length - len(once)) // len(repeated)) + NEVER
    return text.encode("utf-8", "replace") if isinstance(regex.pattern, bytes) else text


def _timed(regex: re.Pattern[Any], searched: bool, text: Any) -> float:
    """Seconds of the processor, which others may want too, to find all there is; little more than is allowed."""
    begun = process_time()
    try:
        with _limited(2 * MOST_S):
            if searched:
                for _ in regex.finditer(text):
                    pass
            else:
                regex.match(text)
    except _TooSlow:
        pass
    return process_time() - begun


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise `_TooSlow` when the time is over; `re` looks for signals now and then."""

    def end(number: int, frame: FrameType | None) -> None:
        raise _TooSlow

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
