"""Lines that are equal but for their digits: what is asked of one holds for all, and numbers of all are read at once.

That is so for whatever does not tell digits apart, such as a regex that knows them as `\\d` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from logtui.parsers.clean import cleans_alike
from logtui.parsers.records.shapes import ALIKE

Floats = npt.NDArray[np.float64]
T = TypeVar("T")
MOST_ALIKE = 1 << 13
"""Texts of which it is remembered what holds; then all are forgotten."""
Shown = Callable[[bytes], list[str]]
"""Gives the parts of a line that are looked at; it leaves out what it likes, but tells no digit from another."""
FEW = 4
"""Lines that are read one by one: to find out where the digits of a kind stand takes as long."""
EXACT = 15
"""Digits of a number that are put together without an error."""
_DIGITS = b"0123456789"
_OTHERS = bytes(set(range(256)) - set(_DIGITS))


class Alike(dict[bytes, T]):
    """What holds for texts, found out once for all that differ in digits alone; bounded."""

    def __init__(self, ask: Callable[[str], T]) -> None:
        """`ask` is given a text with its digits alike."""
        super().__init__()
        self._ask = ask

    def of(self, text: str) -> T:
        """What holds for a text."""
        return self[text.encode().translate(ALIKE)]

    def __missing__(self, mask: bytes) -> T:
        if len(self) == MOST_ALIKE:
            self.clear()
        self[mask] = found = self._ask(mask.decode())
        return found


@dataclass(frozen=True, slots=True)
class Kind:
    """Lines of one kind."""

    sample: bytes
    """One of them with its digits alike, or as it is where cleaning may tell digits apart."""
    alike: bool
    """Which of both."""
    at: list[int]
    """Which of all lines they are, in their order."""


def kinds_of(raws: Sequence[bytes]) -> list[Kind]:
    """The kinds of some lines, in the order in which they come."""
    found: dict[bytes, list[int]] = {}
    for at, mask in enumerate(map(bytes.translate, raws, repeat(ALIKE))):
        found.setdefault(mask, []).append(at)
    kinds = (kind for mask, at in found.items() for kind in _kinds(mask, at, raws))
    return sorted(kinds, key=lambda kind: kind.at[0])


def _kinds(mask: bytes, at: list[int], raws: Sequence[bytes]) -> list[Kind]:
    """The kinds of lines of one mask."""
    if cleans_alike(mask):
        return [Kind(mask, True, at)]
    same: dict[bytes, list[int]] = {}
    for one in at:
        same.setdefault(raws[one], []).append(one)
    return [Kind(raw, False, those) for raw, those in same.items()]


class Columns:
    """The numbers in one part of the lines of a kind."""

    def __init__(self, kind: Kind, raws: Sequence[bytes], shown: Shown, part: int) -> None:
        """`raws` are all lines, `part` is the number of the part among those that `shown` gives."""
        mine, sample = [raws[at] for at in kind.at], kind.sample
        self._text = shown(sample)[part]
        few = len(mine) <= FEW or not kind.alike or sample.count(b"0") > MOST_DIGITS
        self._texts = [shown(raw)[part] for raw in mine] if few else None
        self._digits = np.zeros((0, 0)) if few else _digits_at(mine, _traced(sample, shown, part))

    def read(self, begin: int, end: int) -> Floats:
        """The numbers that stand between two characters of the part; NaN for what is none, as a time of day."""
        text = self._text[begin:end].replace(",", "")
        if ":" in text or text.count(".") > 1:
            return np.full(len(self._texts or self._digits), np.nan)
        if self._texts is not None:
            return np.array([number(other[begin:end]) for other in self._texts])
        first = _digits_in(self._text[:begin])
        digits = self._digits[:, first : first + _digits_in(text)]
        whole, _, fraction = text.partition(".")
        if (whole + fraction).strip("0") or digits.shape[1] > EXACT:
            return np.array([number(_filled(text, row)) for row in digits.astype(np.uint8).tolist()])
        joined: Floats = digits @ _POWERS[EXACT - digits.shape[1] :]
        return np.divide(joined, 10.0 ** len(fraction))


MOST_DIGITS = 1000
"""Of one line that are traced to where they are shown."""
_POWERS: Floats = np.array([10.0**power for power in reversed(range(EXACT))])


def number(text: str) -> float:
    """A number; NaN for a time of day."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return float("nan")


def _digits_in(text: str) -> int:
    return sum(map(text.count, "0123456789"))


def _filled(text: str, digits: Sequence[int]) -> str:
    """A number of a kind with its own digits."""
    own = iter(digits)
    return "".join(str(next(own)) if sign == "0" else sign for sign in text)


def _traced(mask: bytes, shown: Shown, part: int) -> npt.NDArray[np.int64]:
    """Which digits of a line those are that are shown: it is shown lines whose digits spell their own places, and what
    does not tell digits apart shows the same of each."""
    letters = np.frombuffer(mask, np.uint8)
    zeros = np.flatnonzero(letters == ord("0"))
    places = np.zeros(_digits_in(shown(mask)[part]), np.int64)
    for power in 10 ** np.arange(len(str(len(zeros)))):
        spelt = letters.copy()
        spelt[zeros] += (np.arange(len(zeros)) // power % 10).astype(np.uint8)
        places += power * np.array([int(sign) for sign in shown(spelt.tobytes())[part] if sign in "0123456789"], int)
    return places


def _digits_at(raws: Sequence[bytes], places: npt.NDArray[np.int64]) -> Floats:
    """A row of digits for each line."""
    digits = np.frombuffer(b"".join(raw.translate(None, _OTHERS) for raw in raws), np.uint8)
    return digits.reshape(len(raws), -1)[:, places].astype(np.float64) - ord("0")
