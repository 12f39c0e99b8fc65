"""Lines that are equal but for their digits, one below the other: what stands at the same place in all is a column."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from logtui.parsers.numbers import real
from logtui.parsers.records.shapes import Deciding, Span

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.intp]

EXACT = 15
"""Digits of a number that a float holds exactly, so that it may be put together from them."""
PLAIN_NUMBER = re.compile(rf"\d{{1,{EXACT}}}(?:\.(?P<fraction>\d{{1,{EXACT}}}))?", re.ASCII)
_WORD = 8
"""Bytes of a number that rows are told apart by."""
_POWERS = 10.0 ** np.arange(EXACT)[::-1]


class Alike:
    """Some such lines. Spans are in characters of the text, which is the same as the line but for its encoding."""

    def __init__(self, signs: Bytes, text: str, places: list[int] | None = None, rows: Places | None = None) -> None:
        """`signs` has the bytes of each line in a row, of which `rows` count, or all; `text` is that of the first, of
        which `places` are given where its characters do not stand one after the other in the line."""
        self._signs, self._rows = signs, rows
        self.text = text
        self._places = places

    def __len__(self) -> int:
        return len(self._signs if self._rows is None else self._rows)

    def of(self, some: Places) -> Alike:
        """A choice of the lines."""
        rows = some if self._rows is None else self._rows[some]
        first = self._signs[rows[0]]
        text = (first[self._places] if self._places else first).tobytes().decode()
        return Alike(self._signs, text, self._places, rows)

    def column(self, span: Span) -> Bytes:
        """What stands in a part of each line."""
        begin, end = span
        if self._places:
            signs = self._signs[:, self._places[begin:end]]
        elif self.text.isascii():
            signs = self._signs[:, begin:end]
        else:
            signs = self._signs[:, len(self.text[:begin].encode()) : len(self.text[:end].encode())]
        return signs if self._rows is None else signs[self._rows]

    def strings(self, span: Span) -> list[bytes]:
        """The same as bytes."""
        column = np.ascontiguousarray(self.column(span))
        size, whole = column.shape[1], column.tobytes()
        return [whole[at : at + size] for at in range(0, len(whole), size)] if size else [b""] * len(self)

    def whole(self, span: Span) -> Numbers:
        """A whole number of few digits."""
        if span[1] - span[0] > EXACT:
            return np.array([int(digits) for digits in self.strings(span)], np.int64)
        return self._joined(self.column(span)).astype(np.int64)

    def real(self, span: Span) -> Floats:
        """A number, as `numbers.real` reads it; NaN where there is none."""
        begin, end = span
        said = self.text[begin:end]
        m = PLAIN_NUMBER.fullmatch(said)
        if m is None or len(said) > EXACT:
            return self._any_number(span, said)
        fraction = len(m["fraction"] or "")
        column = self.column(span)
        if fraction:
            column = np.concatenate((column[:, : -fraction - 1], column[:, -fraction:]), axis=1)
        value: Floats = self._joined(column) / 10.0**fraction
        return value

    def _any_number(self, span: Span, said: str) -> Floats:
        if not any(c.isdigit() for c in said):
            return np.full(len(self), real(said) if said else np.nan)
        return np.array([real(text.decode()) for text in self.strings(span)])

    @staticmethod
    def _joined(digits: Bytes) -> Floats:
        joined: Floats = (digits - np.uint8(48)).astype(np.float64) @ _POWERS[EXACT - digits.shape[1] :]
        return joined

    def split(self, deciding: Deciding, found: Sequence[Hashable] = ()) -> Iterator[Places]:
        """The lines that agree in what decides, and in what was found in each of them, those that do together."""
        telling = [self.column((place[0], place[1])) for place in deciding if len(place) == 2]
        for begin, end, at in (place for place in deciding if len(place) == 3):
            pairs = [
                self.column((begin + k, begin + k + 1)) == self.column((at + k, at + k + 1)) for k in range(end - begin)
            ]
            telling.append(np.logical_and.reduce(pairs).view(np.uint8))
        if found:
            numbers: dict[Hashable, int] = {}
            each = [numbers.setdefault(one, len(numbers)) for one in found]
            telling.append(np.array(each, np.uint32).reshape(-1, 1).view(np.uint8))
        return parted(np.concatenate(telling, axis=1) if telling else np.empty((len(self), 0), np.uint8))


def parted(table: npt.NDArray[np.integer]) -> Iterator[Places]:
    """The rows of a table that are equal, together."""
    if not table.size or (table == table[0]).all():
        yield np.arange(len(table))
        return
    keys = _keys(table)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    yield from np.split(order, np.flatnonzero(keys[1:] != keys[:-1]) + 1)


def _keys(table: npt.NDArray[np.integer]) -> Numbers:
    """A number for each row, equal ones for equal rows alone."""
    size = table.itemsize * table.shape[1]
    if size <= _WORD:
        keys = np.zeros((len(table), _WORD), np.uint8)
        keys[:, :size] = np.ascontiguousarray(table).view(np.uint8)
        return keys.view(np.int64).ravel()
    rows = np.ascontiguousarray(table).view(f"V{size}").ravel()
    return np.unique(rows, return_inverse=True)[1].astype(np.int64)
