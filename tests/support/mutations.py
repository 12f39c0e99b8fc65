"""Bytes and values broken in every way, told by a source of chance: the same each time for the same seed."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable
from typing import Any

# -- Bytes

LINE_BYTES = 1 << 20
_HUGE = (b"9" * 400, b"-1", b"0", b"9223372036854775808", b"18446744073709551616", b"1e400", b"nan", b"4294967296")
_DATES = (b"0000-00-00 00:00:00", b"9999-12-31 23:59:60", b"1900-02-29T99:99:99Z", b"2026-02-30 24:00:00.999999999")
_ESCAPES = (
    b"\x1b[31m",
    b"\x1b]0;owned\x07",
    b"\x1b[2J",
    b"\x9b5n",
    b"\xe2\x80\xae",
    b"\x1bP+q544e\x1b\\",
    b"[bold red]",
)

Bytes = Callable[[random.Random, bytes], bytes]


def cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def flip(rng: random.Random, data: bytes) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice((1, 8, 200))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def _insert(rng: random.Random, data: bytes, what: bytes) -> bytes:
    for _ in range(rng.choice((1, 5, 40))):
        at = rng.randrange(len(data) + 1)
        data = data[:at] + what + data[at:]
    return data


def nuls(rng: random.Random, data: bytes) -> bytes:
    return _insert(rng, data, b"\0" * rng.choice((1, 100, 5000)))


def _returns(rng: random.Random, data: bytes) -> bytes:
    return data.replace(b"\n", rng.choice((b"\r", b"\r\n", b"\n\r", b"\r\r\n")))


def _wide(rng: random.Random, data: bytes) -> bytes:
    return data.decode("utf-8", "replace").encode(rng.choice(("utf-16", "utf-16-be", "utf-32", "utf-8-sig")))


def escapes(rng: random.Random, data: bytes) -> bytes:
    return _insert(rng, data, rng.choice(_ESCAPES))


def numbers(rng: random.Random, data: bytes) -> bytes:
    found = list(re.finditer(rb"\d+", data))
    for m in sorted(rng.sample(found, min(len(found), rng.choice((1, 5, 60)))), key=lambda m: -m.start()):
        data = data[: m.start()] + rng.choice(_HUGE) + data[m.end() :]
    return data


def _field_numbers(rng: random.Random, data: bytes) -> bytes:
    """The same number everywhere behind one word: all ranks agree on it."""
    words = re.findall(rb"([A-Za-z_()]{4,24}[=: ]{1,2})\d+", data)
    word = rng.choice(words) if words else b"rank "
    return re.sub(re.escape(word) + rb"\d+", lambda _: word + rng.choice(_HUGE), data)


def _dates(rng: random.Random, data: bytes) -> bytes:
    date = rng.choice(_DATES)
    return re.sub(rb"20\d\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d", lambda m: m[0] if rng.random() < 0.5 else date, data)


def _shuffle(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    some = lines[at : at + 200]
    rng.shuffle(some)
    return b"\n".join([*lines[:at], *some, *lines[at + 200 :]])


def _glue(rng: random.Random, data: bytes) -> bytes:
    return re.sub(rb"\n", lambda _: b"\n" if rng.random() < 0.7 else b"", data)


def _long_line(rng: random.Random, data: bytes) -> bytes:
    """A line of a megabyte: a piece of the job again and again, or blanks."""
    at = rng.randrange(len(data) + 1)
    piece = rng.choice((data[at : at + rng.randrange(1, 80)].replace(b"\n", b" "), b" ", b"=", b"a/", b"(")) or b" "
    return data[:at] + piece * (LINE_BYTES // len(piece)) + data[at:]


def _many_lines(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    return data + b"\n".join([rng.choice(lines)[:2000]] * 2000)


def _interleave(rng: random.Random, data: bytes) -> bytes:
    """Each line cut in the middle by the one after it, as two writers of one pipe leave it."""
    lines, out = data.split(b"\n"), []
    for a, b in zip(lines[::2], lines[1::2], strict=False):
        at = rng.randrange(len(a) + 1)
        out.append(a[:at] + b + a[at:])
    return b"\n".join(out)


MUTATIONS: tuple[Bytes, ...] = (
    cut, flip, nuls, _returns, _wide, escapes, numbers, _field_numbers, _dates, _shuffle, _glue, _long_line,
    _many_lines, _interleave,
)  # fmt: skip

# -- Values, as JSON and pickles have them

_SHARED: list[Any] = ["loss"]
for _ in range(12):
    _SHARED = [_SHARED] * 8
"""A few bytes of a pickle, and more leaves than there is memory for whoever walks them all."""
_DEEP: list[Any] = []
for _ in range(120):
    _DEEP = [_DEEP]
ODD_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1 << 31, 1 << 62, 1 << 64, -(1 << 63), 10**400, 1e308, -0.5, float("nan"), "", "9" * 400,
    "\x1b]0;owned\x07", "[bold red]", "\u202e", "x" * 100_000, "a-1." * 5_000, [], {}, [0] * 10_000, _DEEP,
    {"file": "x", "line": 1 << 70}, {str(n): n for n in range(5_000)},
)  # fmt: skip
MOST_PARTS = 100_000
"""Of a changed value, about: what is tried is the program, not what tries it."""
Place = tuple[Any, Any]
"""A container, and the key or index of something in it."""


def changed_value(rng: random.Random, value: Any, odd: tuple[Any, ...] = ODD_VALUES) -> Any:
    """A copy with some of its parts replaced, removed, repeated, or put in each other's place."""
    top = {"": copy.deepcopy(value)}
    for _ in range(rng.choice((1, 2, 5, 30))):
        holder, key = _place(rng, top)
        match rng.randrange(6):
            case 0 if holder is not top:
                del holder[key]
            case 1 if isinstance(holder[key], list):
                holder[key] = holder[key] * min(2000, MOST_PARTS // _parts(holder[key]))
            case 2:
                other, its = _place(rng, top)
                if _parts(top) + _parts(other[its]) < MOST_PARTS:
                    holder[key] = copy.deepcopy(other[its])
            case 3 if isinstance(holder, dict) and holder is not top:
                holder["\x1b[31m" if rng.random() < 0.5 else "9" * 30] = holder.pop(key)
            case _:
                holder[key] = copy.deepcopy(rng.choice(odd))
    return top[""]


def with_shared(rng: random.Random, value: Any) -> Any:
    """A copy that holds a value whose parts are all the same, level upon level; only a pickle can say that."""
    return changed_value(rng, value, (_SHARED,))


def _parts(value: Any) -> int:
    """How many parts a value has, counted no further than is asked for."""
    todo, parts = [value], 0
    while todo and parts < MOST_PARTS:
        one = todo.pop()
        parts += 1
        todo.extend(one.values() if isinstance(one, dict) else one if isinstance(one, list) else ())
    return parts


def _place(rng: random.Random, value: Any) -> Place:
    """Some way down; the deeper, the rarer."""
    while True:
        key = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
        inner = value[key]
        if not (isinstance(inner, dict | list) and inner) or rng.random() < 0.15:
            return value, key
        value = inner
