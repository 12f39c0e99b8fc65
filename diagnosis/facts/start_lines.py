"""The lines of a file as signs of runs are read from them: their times, and what stands behind their stamps."""

from __future__ import annotations

import re

from logtui.diagnosis.facts.openings import MADE_UP_YEAR
from logtui.parsers.prefix.stamp import Stamp, TimeFrom, find_stamp

WITHIN, SAID, KEY = 100, 200, 60
"""Characters of a line in which its time stands; those behind it that are looked at, and by which it is known again."""
DATE, MOST_ASKED = 24, 20_000
"""Characters above the seconds that hold the date; dates that are read one by one."""
_SECONDS = re.compile(rb"\d\d?:\d\d:(\d\d)(?:[.,]\d{1,9})?(?: ?(?:[AP]M|Z|UTC|[+-]\d\d:?\d\d)\b)?")
_OTHER = re.compile(rb"(?:19|20)\d\d[-_/.]?\d\d[-_/.]?\d\d[-_T ]?\d\d|(?<!\d)1\d{9}(?!\d)")
"""Dates without a time in colons, and seconds since the epoch."""
_DATED = frozenset({TimeFrom.ZONED, TimeFrom.DATED, TimeFrom.YEARLESS})
_DIGITS = re.compile(rb"\d+")
_DATE = re.compile(rb"(?:(?:\d{1,4}[-/.]){2}\d{1,4}|(?:\b[A-Z][a-z]{2},? {1,2}){1,2}\d{1,2},?)[ T,_-]{0,3}$")
_YEAR_LAST = re.compile(rb"(?:[A-Z]{2,5} )?20\d\d\W{0,3}$")
"""What of a date stands behind the time of day, as `date` and ctime have it."""
_LETTERS = re.compile(rb"[A-Za-z\x80-\xff]{2}")
_WORD = re.compile(rb"[a-z\x80-\xff]{2}")


class Lines:
    """All lines of a file's text; those with a date and a time are stamped ones.

    `begins`: the byte at which each begins; `said`: what it says but for its stamp; `keys`: the same with its digits
    masked, empty where it has no word; `stamped`: indices of the stamped ones, ascending; `clocks`: the time of each of
    these, in seconds, of one clock; `pauses`: seconds from the stamped line before to each, 0 for the first.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.begins: list[int] = []
        self.said: list[bytes] = []
        self.stamped: list[int] = []
        self.clocks: list[float] = []
        self._bases: dict[bytes, tuple[float, TimeFrom] | None] = {}
        self._asked = 0
        at, last = 0, dict[bool, float]()
        self.pauses: list[float] = []
        for number, raw in enumerate(data.split(b"\n")):
            self.begins.append(at)
            at += len(raw) + 1
            told, said = self._parted(raw)
            self.said.append(said)
            if told is not None:
                clock, source = told
                zoned = source is TimeFrom.ZONED  # two kinds of clocks may differ by hours
                self.stamped.append(number)
                self.clocks.append(clock)
                self.pauses.append(clock - last.get(zoned, clock))
                last[zoned] = clock
        self.keys = [text[:KEY] if _WORD.search(text) else b"" for text in _masked(self.said)]

    def raw(self, number: int) -> bytes:
        """A line as it stands in the file, as much of it as is looked at."""
        return self._data[self.begins[number] : self.begins[number] + SAID].partition(b"\n")[0]

    def _parted(self, raw: bytes) -> tuple[tuple[float, TimeFrom] | None, bytes]:
        """The time of a line, and what it says beside it."""
        raw = raw.rstrip(b"\r")
        raw = raw[raw.rfind(b"\r") + 1 :]
        if found := _SECONDS.search(raw, 0, WITHIN):
            date = raw[max(found.start(1) - DATE, 0) : found.start(1)]
            key = date + raw[found.end(1) : found.end()].lstrip(b".,0123456789")
            if key not in self._bases:
                self._bases[key] = self._base(raw, int(found[1]))
            if (base := self._bases[key]) is not None:
                return (base[0] + int(found[1]), base[1]), _beside(raw, *found.span())
        elif _OTHER.search(raw, 0, WITHIN) and (stamp := self._stamp(raw)) is not None:
            return (stamp.epoch, stamp.source), _beside(raw, stamp.start, stamp.end)
        return None, raw[:SAID].strip()

    def _base(self, raw: bytes, seconds: int) -> tuple[float, TimeFrom] | None:
        stamp = self._stamp(raw)
        return None if stamp is None else (float(int(stamp.epoch)) - seconds, stamp.source)

    def _stamp(self, raw: bytes) -> Stamp | None:
        self._asked += 1
        if self._asked > MOST_ASKED:
            return None
        stamp = find_stamp(raw[: 2 * SAID].decode("latin-1"), 0, MADE_UP_YEAR)
        return stamp if stamp is not None and stamp.source in _DATED else None


def _beside(raw: bytes, start: int, end: int) -> bytes:
    """What stands behind a stamp; where that has no words, what stands above its date."""
    behind = raw[end : end + SAID].strip()
    if _LETTERS.search(behind) and not _YEAR_LAST.match(behind):
        return behind
    return _DATE.sub(b"", raw[:start]).strip() or behind


def _masked(said: list[bytes]) -> list[bytes]:
    return _DIGITS.sub(b"#", b"\n".join(said).lower()).split(b"\n")
