"""Addresses in hexadecimal, `comm 0x7f31f80c1000`: other ones make a line no other line, if no regex tells them apart.

A regex sees nothing of what stands behind `0x` in an address if none of its parts that take some hexadecimal digits and
not others is ever tried there. A part that takes one character, such as `\\d`, is not if what comes before it must have
taken a character that no address holds; words are not if they cannot stand there, whatever the address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from logtui.parsers.bounded import RegexToken, bounded, regex_tokens

_PREFIX = b" 0x"
DIGITS = range(6, 17)
"""How many an address has."""
_HEX = "0123456789abcdef"
_DIGITS = _HEX.encode()
_REACH = DIGITS.stop
"""Bytes behind a prefix that hold a whole address and what ends it, or show that it is too long."""
_IS_DIGIT = np.array([chr(c) in _HEX for c in range(256)])
_IS_END = np.array([c in b" \n" for c in range(256)])
_BLANKED = re.compile(r"(?<= 0x)0{6,16}(?= |$)")
_INSIDE = _HEX + "x"
"""What may stand before a character of an address, behind its first."""
_ANY = "\x01"
"""In place of each hexadecimal digit of an address."""
_AHEAD = frozenset({"(", "(?:", "(?=", "(?!", "(?>"})
_OUTSIDE = frozenset({"^", r"\A", r"\b"})
"""What holds nowhere inside an address."""
_PLACES = frozenset({r"\b", r"\B", r"\A", r"\Z"})


def blanked(line: bytes) -> bytes:
    """A line with zeros for the digits of its addresses, which stand between blanks: nothing beside them can be read
    as one with them."""
    at = line.find(_PREFIX)
    while at >= 0:
        begin = at + len(_PREFIX)
        end = line.find(b" ", begin)
        end = end if end >= 0 else len(line)
        if end - begin in DIGITS and not line[begin:end].strip(_DIGITS):
            line = line[:begin] + b"0" * (end - begin) + line[end:]
        at = line.find(_PREFIX, end)
    return line


def all_blanked(lines: list[bytes]) -> list[bytes]:
    """The same of some lines without their ends, those with addresses at once."""
    odd = [number for number, line in enumerate(lines) if _PREFIX in line]
    if odd:
        spread = _blanked_text(b"\n".join([lines[number] for number in odd])).split(b"\n")
        for number, line in zip(odd, spread, strict=True):
            lines[number] = line
    return lines


def _blanked_text(text: bytes) -> bytes:
    """The same of each line of a text."""
    padded = text + b" " * _REACH
    signs, windows = np.frombuffer(padded, np.uint8), np.ndarray((len(text) + 1,), f"V{_REACH}", padded, strides=(1,))
    at = np.flatnonzero(signs[2 : len(text)] == ord("x")) + 2
    at = at[(signs[at - 1] == ord("0")) & (signs[at - 2] == ord(" "))] + 1
    said = windows[at].view(np.uint8).reshape(-1, _REACH)
    size = np.argmin(_IS_DIGIT[said], axis=1)
    real = (size >= DIGITS.start) & _IS_END[said[np.arange(len(at)), size]]
    spread = np.array(signs[: len(text)])
    places = at[real, np.newaxis] + np.arange(_REACH)
    spread[places[np.arange(_REACH) < size[real, np.newaxis]]] = ord("0")
    return spread.tobytes()


def is_blind(regex: str, line: str) -> bool:
    """Whether a regex does and finds the same in a line whatever its addresses are; `line` is one such line,
    blanked."""
    words = _words(regex)
    if words is None:
        return False
    marked = _BLANKED.sub(lambda m: _ANY * len(m[0]), line)
    return not any(_ANY in m[1] for word in words for m in word.finditer(marked))


@lru_cache(maxsize=1024)
def _words(regex: str) -> tuple[re.Pattern[str], ...] | None:
    """Finds where each word of a regex may stand in a line, as its first group; None if other parts of the regex may
    tell addresses apart."""
    tokens = list(regex_tokens(bounded(regex)))
    if any(_is_odd(*token) or (_is_class(*token) and _may_tell(tokens, at)) for at, token in enumerate(tokens)):
        return None
    words = (word for at, word in _literals(tokens) if len(word) > 1 or _may_tell(tokens, at))
    spread = ("".join(f"[{c}{_ANY}]" if c in _HEX else re.escape(c) for c in word) for word in words)
    return tuple(re.compile(f"(?=({word}))") for word in spread if _ANY in word)


def _is_odd(kind: str, text: str) -> bool:
    """Whether a part asks for more than characters."""
    return kind in ("comparison", "flags") or (kind == "escape" and text[1].isdecimal())


def _literals(tokens: Sequence[RegexToken]) -> Iterator[tuple[int, str]]:
    """Words, of which each character must be matched behind the one before, and the part each begins with."""
    word = ""
    for at, (kind, text) in enumerate(tokens):
        character = text if kind == "literal" else text[1:] if kind == "escape" and not text[1].isalnum() else ""
        repeated = tokens[at + 1 : at + 2] and tokens[at + 1][0] == "repeat"
        if word and (repeated or not character):
            yield at - len(word), word
            word = ""
        if repeated and character:
            yield at, character
        elif character:
            word += character
    if word:
        yield len(tokens) - len(word), word


def _is_class(kind: str, text: str) -> bool:
    """Whether a part takes one of several characters."""
    return kind == "set" or text == "." or (kind == "escape" and text[1].isalnum() and text not in _PLACES)


def _may_tell(tokens: Sequence[RegexToken], at: int) -> bool:
    """Whether a part that takes one character takes some hexadecimal digits alone, and may be tried in an address."""
    if len(_taken(tokens[at], _HEX)) in (0, len(_HEX)):
        return False
    repeated = tokens[at + 1 : at + 2] and tokens[at + 1][0] == "repeat"
    return bool(repeated and _taken(tokens[at], "x")) or _is_repeated(tokens, at) or not _is_led(tokens, at)


@lru_cache(maxsize=512)
def _taken(token: RegexToken, characters: str) -> str:
    """Those of some characters that a part takes."""
    kind, text = token
    regex = re.compile(re.escape(text) if kind == "literal" else text, re.DOTALL)
    return "".join(c for c in characters if regex.fullmatch(c))


def _is_repeated(tokens: Sequence[RegexToken], at: int) -> bool:
    """Whether a group round a part is repeated, so that its end may come before the part too."""
    depth = 0
    for (kind, _), (after, repeat) in pairwise([*tokens[at:], ("end", "")]):
        depth += (kind in ("open", "negative")) - (kind == "close")
        if depth < 0:
            depth = 0
            if after == "repeat" and repeat[0] != "?":
                return True
    return False


def _is_led(tokens: Sequence[RegexToken], at: int) -> bool:
    """Whether what comes before a part has taken a character that no address holds, or cannot be inside of one."""
    while (at := at - 1) >= 0:
        kind, text = tokens[at]
        if text in _OUTSIDE:
            return True
        if kind in ("open", "negative") and (text in _AHEAD or text.startswith("(?P<")):
            continue
        if text == "|" and (at := _opening(tokens, at) + 1) > 0:
            continue
        least = 1
        if kind == "repeat":
            least, at = _least(text), at - 1
        if not (tokens[at][0] == "literal" or _is_class(*tokens[at]) or _is_sign(*tokens[at])):
            return False
        if _taken(tokens[at], _INSIDE):
            return False
        if least:
            return True
    return False


def _is_sign(kind: str, text: str) -> bool:
    return kind == "escape" and not text[1].isalnum()


def _least(repeat: str) -> int:
    """How often something must be there."""
    return int(repeat[1:].split(",")[0].rstrip("}?+") or 0) if repeat[0] == "{" else int(repeat[0] == "+")


def _opening(tokens: Sequence[RegexToken], at: int) -> int:
    """Where the group round a part opens; -1 where there is none."""
    depth = 0
    while (at := at - 1) >= 0:
        depth += (tokens[at][0] == "close") - (tokens[at][0] in ("open", "negative"))
        if depth < 0:
            break
    return at
