"""Rows of texts whose layouts are known: the numbers of all of them are read at once, wherever each stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from logtui.parsers.numbers import real
from logtui.parsers.prefix.stamp import LAST_SECOND
from logtui.parsers.records.record import ROW, Rows
from logtui.parsers.scan.alike import EXACT
from logtui.parsers.scan.layouts import IN_PIECES, NO_CLOCK, NOTED, NUMBERS, ODD_A, ODD_B, Layout, Layouts

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Notes = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]

_WIDE = EXACT + 1
_TENS = np.array([10**k for k in range(_WIDE)], np.float64)
_POWERS = _TENS[::-1]
_AT = {name: at for at, name in enumerate(NUMBERS)}
_HOST, _KEPT, _REST = 2 * len(NUMBERS), 2 * len(NUMBERS) + 2, 2 * len(NUMBERS) + 4


class Laid(NamedTuple):
    """Records of some texts, text by text."""

    owners: Numbers
    """Which of the texts each is of."""
    rows: Rows
    named: Numbers
    """Rows of which a host is told."""
    hosts: list[bytes]
    """The host of each of these."""
    texts: list[bytes]
    """One for each row that keeps its text, which has 0 for where it stands."""
    failed: Numbers
    """Texts of which a stamp is none, so that they have no record here."""


def read_laid(buffer: bytearray, begins: Numbers, laid: Sequence[Layout], layouts: Layouts) -> Laid:
    """Read texts by their first bytes and layouts; rows have neither file nor place."""
    counts = np.array([layout.records for layout in laid], np.int64)
    owners = np.repeat(np.arange(len(laid)), counts)
    firsts = np.array([layout.first for layout in laid], np.int64)
    which = np.arange(len(owners)) + np.repeat(firsts - np.cumsum(counts) + counts, counts)
    notes = np.frombuffer(layouts.notes, np.int32).reshape(-1, NOTED)[which]
    frames = np.frombuffer(layouts.frames).reshape(-1, 2)[which]
    values, sizes = _values(buffer, begins[owners], notes)
    seconds = _whole(values, "h") * 3600 + _whole(values, "mi") * 60 + _whole(values, "s")
    failed = np.unique(owners[seconds > LAST_SECOND])
    if len(failed):
        kept = np.flatnonzero(~np.isin(owners, failed))
        owners, notes, frames = owners[kept], notes[kept], frames[kept]
        values, sizes, seconds = values[kept], sizes[kept], seconds[kept]
    rows = _rows(notes, values, sizes)
    rows["time"] = _times(seconds, notes, frames, values, sizes)
    _put_odd(buffer, begins[owners], notes, rows)
    return Laid(owners, rows, *_texts(buffer, begins[owners], notes, layouts), failed)


def _values(buffer: bytearray, begins: Numbers, notes: Notes) -> tuple[Floats, Notes]:
    """The numbers of each record, and how many digits each has; 0 where there are none."""
    spans = notes[:, :_HOST]
    sizes = spans[:, 1::2] - spans[:, ::2]
    for name, odd in (("a", ODD_A), ("b", ODD_B)):
        sizes[:, _AT[name]][notes[:, _REST + 3] & odd != 0] = 0
    record, number = np.nonzero(sizes)
    ends = begins[record] + spans[record, 2 * number + 1]
    values = np.zeros(sizes.shape)
    values[record, number] = _digits(buffer, ends, sizes[record, number])
    return values, sizes


def _digits(buffer: bytearray, ends: Numbers, sizes: Notes) -> Floats:
    """Whole numbers of up to `EXACT` digits by their ends, exactly."""
    windows = np.ndarray((len(buffer) - _WIDE + 1,), f"V{_WIDE}", buffer, strides=(1,))
    digits = windows[ends - _WIDE].view(np.uint8).reshape(-1, _WIDE) - np.uint8(48)
    digits *= np.arange(_WIDE) >= (_WIDE - sizes)[:, np.newaxis]
    joined: Floats = digits.astype(np.float64) @ _POWERS
    return joined


def _whole(values: Floats, name: str) -> Floats:
    return values[:, _AT[name]]


def _real(values: Floats, sizes: Notes, name: str) -> Floats:
    power = _TENS[sizes[:, _AT[name + "_fraction"]]]
    value: Floats = (_whole(values, name) * power + _whole(values, name + "_fraction")) / power
    return value


def _rows(notes: Notes, values: Floats, sizes: Notes) -> Rows:
    rows = np.zeros(len(notes), ROW)
    rows["pattern"], rows["rank_from"], rows["time_from"] = notes[:, _REST], notes[:, _REST + 1], notes[:, _REST + 2]
    for name in NUMBERS[:4]:
        rows[name] = np.where(sizes[:, _AT[name]] > 0, _whole(values, name), -1)
    rows["host"] = -1
    for name in ("a", "b"):
        rows[name] = np.where(sizes[:, _AT[name]] > 0, _real(values, sizes, name), np.nan)
    length = notes[:, _KEPT + 1] - notes[:, _KEPT]
    rows["text_length"], rows["text"] = length, np.where(length > 0, 0, -1)
    return rows


def _times(seconds: Floats, notes: Notes, frames: Floats, values: Floats, sizes: Notes) -> Floats:
    fraction = _whole(values, "f") / _TENS[sizes[:, _AT["f"]]]
    of_day = frames[:, 0] + (seconds + fraction) - frames[:, 1]
    no_clock = notes[:, _REST + 3] & NO_CLOCK != 0
    times: Floats = np.where(no_clock, _real(values, sizes, "t"), of_day)
    times[notes[:, _REST + 4] == 0] = np.nan
    return times


def _put_odd(buffer: bytearray, begins: Numbers, notes: Notes, rows: Rows) -> None:
    """Read the numbers that are more than digits and a point."""
    for name, flag in (("a", ODD_A), ("b", ODD_B)):
        some = np.flatnonzero(notes[:, _REST + 3] & flag)
        spans = begins[some, np.newaxis] + notes[some, 2 * _AT[name] : 2 * _AT[name] + 2]
        rows[name][some] = [real(text.decode()) for text in _cut(buffer, spans)]


def _texts(
    buffer: bytearray, begins: Numbers, notes: Notes, layouts: Layouts
) -> tuple[Numbers, list[bytes], list[bytes]]:
    """Rows with hosts, these hosts, and kept texts."""
    spans = begins[:, np.newaxis] + notes[:, _HOST:_REST]
    named = np.flatnonzero(notes[:, _HOST + 1] > notes[:, _HOST])
    with_text = np.flatnonzero(notes[:, _KEPT + 1])
    texts = _cut(buffer, spans[with_text, 2:])
    for at in np.flatnonzero(notes[with_text, _REST + 3] & IN_PIECES).tolist():
        row = with_text[at]
        pieces = layouts.pieces[notes[row, _KEPT]]
        texts[at] = b"".join(_cut(buffer, begins[row] + np.array(pieces)))
    return named, _cut(buffer, spans[named, :2]), texts


def _cut(buffer: bytearray, spans: Numbers) -> list[bytes]:
    view = memoryview(buffer)
    return [bytes(view[begin:end]) for begin, end in spans.tolist()]
