r"""What a regex makes of digits: which of those in a line can decide whether and where it matches.

Most declared regexes name no digit of their own, or only inside a literal such as `c10d`: where a line has no letter c
before two digits and a d, that literal matches nowhere whatever the digits are, and elsewhere only the digits that
stand there matter. A regex that compares a number with a later one, `(?P<n>\d+)/(?P=n)`, looks at those two alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(
    r"(?P<escape>\\[\s\S])"
    r"|(?P<set>\[\^?\]?(?:\\[\s\S]|[^\]\\])*\])"
    r"|(?P<comparison>\(\?P=\w+\)|\(\?\()"
    r"|(?P<negative>\(\?<?!)"
    r"|(?P<open>\((?!\?)|\(\?(?:P<\w+>|<=|[:=>]))"
    r"|(?P<flags>\(\?)"
    r"|(?P<close>\))"
    r"|(?P<repeat>(?:[*+?]|\{\d*,?\d*\})[+?]?)"
    r"|(?P<other>[.^$|])"
    r"|(?P<literal>[\s\S])"
)
_CLASSES = frozenset("dDsSwWbBAZ")
"""Letters that, escaped, stand for no character of their own, and for all digits or for none."""
_ONE, _ANY = r"[\s\S]", r"[\s\S]*"
_DIGITS = "0123456789"
DIGIT = "0"
"""Stands for any digit in a mask."""

_OPENERS = re.compile(r"(?:\((?:\?(?:P<\w+>|[!=:]))?)+$")
_LOOKING_AROUND = re.compile(r"[$^]|\\[bBAZ]|\(\?[^:]")
MOST_PLACES = 16
"""Places of a line whose digits are worth telling apart."""

Token = tuple[str, str]
"""Kind and text."""
Place = tuple[int, int]
"""First character and end of a part of a line."""


@dataclass(frozen=True, slots=True)
class Uses:
    """How a regex tells digits apart."""

    literals: frozenset[str]
    """Its literals that hold digits, masked."""
    compared: tuple[re.Pattern[str], ...]
    """What stands before each number that is compared with an earlier one, from that on."""


def masked(text: str) -> str:
    """A text with all digits alike."""
    return "".join(DIGIT if c in _DIGITS else c for c in text)


def telling_places(regex: str, mask: str) -> tuple[Place, ...] | None:
    """The parts of a line whose digits decide whether and where a regex matches: it matches at the same places in all
    lines of this mask that are equal there. None if that cannot be said.

    A literal is matched as a whole, so that it can only match where its mask stands. A comparison reads digits only,
    and only where what leads to it can end.
    """
    uses = telling(regex)
    if uses is None:
        return None
    places = {place for literal in uses.literals for place in _occurrences(literal, mask)}
    places |= {place for leading in uses.compared for place in _compared(leading, mask)}
    return tuple(sorted(places)) if len(places) <= MOST_PLACES else None


def _occurrences(literal: str, mask: str) -> Iterator[Place]:
    at = mask.find(literal)
    while at >= 0:
        yield at, at + len(literal)
        at = mask.find(literal, at + 1)


def _compared(leading: re.Pattern[str], mask: str) -> Iterator[Place]:
    """From where a number may start to the end of the digits it may be compared with."""
    for start, character in enumerate(mask):
        if character != DIGIT or not leading.match(mask, start):
            continue
        for end in range(start + 1, len(mask) + 1):
            if leading.fullmatch(mask, start, end):
                yield start, len(mask) - len(mask[end:].lstrip(DIGIT))


@lru_cache(maxsize=1024)
def telling(regex: str) -> Uses | None:
    """How a regex tells digits apart; None if it does so in a way that is not understood."""
    literals: set[str] = set()
    compared: list[re.Pattern[str]] = []
    for kind, text in _parts(regex):
        if kind == "comparison" and (leading := _leading(regex, text)) is not None:
            compared.append(leading)
        elif kind != "literal":
            return None
        elif any(c in _DIGITS for c in text):
            literals.add(masked(text))
    return Uses(frozenset(literals), tuple(compared))


def _parts(regex: str) -> Iterator[Token]:
    """The literals, each a run of characters that are matched one after the other, none of them repeated or optional;
    and whatever else tells digits apart."""
    run = ""
    for kind, text in _tokens(regex):
        if (character := _character(kind, text)) is not None:
            run += character
            continue
        if kind == "repeat" and run:
            if run[-1] in _DIGITS:
                yield kind, text
            run = run[:-1]
        yield "literal", run
        run = ""
        if _tells(kind, text):
            yield kind, text
    yield "literal", run


def _leading(regex: str, comparison: str) -> re.Pattern[str] | None:
    """What stands between a number and the one comparison with it, the number included; None if that is not plain."""
    number = f"(?P<{comparison[4:-1]}>\\d+)"
    at, end = regex.find(number) + len(number), regex.find(comparison)
    if regex.count(number) != 1 or regex.count(comparison) != 1 or not at <= end:
        return None
    between = _OPENERS.sub("", regex[at:end])
    if _LOOKING_AROUND.search(between) or telling(between) != Uses(frozenset(), ()):
        return None
    try:
        return re.compile(rf"\d+(?:{between})") if _is_whole(between) else None
    except re.error:
        return None


def _is_whole(regex: str) -> bool:
    """Whether every group is opened and closed in it, and no alternative stands outside of one."""
    depth = 0
    for kind, text in _tokens(regex):
        depth += (kind == "open") - (kind == "close")
        if depth < 0 or (depth == 0 and text == "|" and kind == "other"):
            return False
    return depth == 0


def _tokens(regex: str) -> Iterator[Token]:
    for m in _TOKEN.finditer(regex):
        assert m.lastgroup is not None, "every token has a kind"
        yield m.lastgroup, m[0]


def _character(kind: str, text: str) -> str | None:
    """The character a token stands for, if it is one."""
    if kind == "literal":
        return text
    return text[1] if kind == "escape" and not text[1].isalnum() else None


def _tells(kind: str, text: str) -> bool:
    """Whether a token may tell digits apart, or is not understood."""
    if kind == "set":
        return not _is_fair(text)
    return kind in ("comparison", "flags") or (kind == "escape" and text[1].isalnum() and text[1] not in _CLASSES)


@lru_cache(maxsize=256)
def _is_fair(characters: str) -> bool:
    """Whether a set holds all digits or none."""
    regex = re.compile(characters)
    return len({regex.match(digit) is None for digit in _DIGITS}) == 1


@lru_cache(maxsize=256)
def widened(regex: str) -> re.Pattern[str] | None:
    """A regex that treats all digits alike and matches wherever this one does, and elsewhere; None if there is none.

    Each digit stands for any, each comparison holds, and what must not stand somewhere may stand there where it says
    anything of single digits.
    """
    out: list[str] = []
    opened: list[tuple[int, bool]] = []  # where each group begins in `out`, and whether it is a negative one
    unfair: set[int] = set()  # negative groups that tell digits apart
    for kind, text in _tokens(regex):
        if kind == "flags" or text in ("(?(", "(?>") or (kind == "repeat" and text[1:].endswith("+")):
            return None
        if kind in ("open", "negative"):
            opened.append((len(out), kind == "negative"))
        tells = _tells(kind, text) or (kind == "literal" and text in _DIGITS)
        negative = next((at for at, is_negative in opened if is_negative), None)
        if tells and negative is not None:
            unfair.add(negative)
        out.append(_wide(kind, text) if tells else text)
        if kind == "close" and opened and (begun := opened.pop())[0] in unfair:
            del out[begun[0] :]
            out.append("")
            unfair.discard(begun[0])
    try:
        return re.compile("".join(out))
    except re.error:
        return None


def _wide(kind: str, text: str) -> str:
    if kind == "literal":
        return r"\d"
    return _ANY if kind == "comparison" or (kind == "escape" and text[1].isdecimal()) else _ONE
