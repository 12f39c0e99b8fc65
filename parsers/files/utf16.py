"""Text in UTF-16, as Windows PowerShell writes it, also where other programs added plain bytes to the same file.

The order of bytes is told by a mark at the start, or by the NULs that are half of a text in ASCII. What follows is a
row of stretches, UTF-16 or plain, that change at the ends of lines: `>>` of one shell writes behind `>` of another.
"""

from __future__ import annotations

import codecs
import re
import unicodedata

import numpy as np

BOMS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
LITTLE, BIG = BOMS.values()
LOOKED_AT = 1 << 12
"""First bytes in which the pattern of NULs is looked for."""
LEAST_BYTES = 16
NUL_SHARE, STRAY_SHARE = 0.6, 0.02
"""Of all characters, those with a NUL in one half, and in the other one."""
GARBLED_SHARE = 0.05
"""Characters that no text holds; of random bytes a sixth are."""
LEAST_ASCII, LEAST_PLAIN = 8, 24
"""Bytes without a NUL that are taken for plain: lines of ASCII, or of any UTF-8."""
ASCII_SHARE = 0.85
MOST_HELD = 1 << 18
"""Bytes of one line that wait for its end."""
_WIDE = re.compile(rb"(?:[\t\r\n -~]\0){8}")
"""So much ASCII in UTF-16 that nothing else looks like it; PowerShell appends it to plain files without a mark."""
_AHEAD = 16
"""Bytes without which it cannot be told that they are UTF-16."""
_ASCII = bytes([9, 10, 13, 27, *range(32, 127)])


def find_order(head: bytes) -> str | None:
    """The codec of a text that begins in UTF-16; None for any other."""
    if (marked := BOMS.get(head[:2])) is not None:
        return marked
    some = head[: min(len(head), LOOKED_AT) & ~1]
    if len(some) < LEAST_BYTES or b"\0" not in some:
        return None
    low, high = (half.count(0) * 2 / len(some) for half in (some[::2], some[1::2]))
    if max(low, high) < NUL_SHARE or min(low, high) > STRAY_SHARE:
        return None
    order = LITTLE if high > low else BIG
    text = some.decode(order, "replace")
    return None if is_garbled(text) else order


def holds_utf16(head: bytes) -> bool:
    """Whether a text begins in UTF-16, or goes on in it."""
    return find_order(head) is not None or goes_on_in_utf16(head)


def goes_on_in_utf16(part: bytes) -> bool:
    """Whether a part of a text that begins otherwise holds UTF-16."""
    return b"\0" in part and _wide_from(part, 0) >= 0


def is_garbled(text: str) -> bool:
    """Whether what was decoded is no text: bytes of something else that stand for any characters at all."""
    some = text[:LOOKED_AT]
    odd = sum(unicodedata.category(c) in _NO_TEXT and c not in "\t\n\r\x08\x0c\x1b\ufeff" for c in some)
    return odd > GARBLED_SHARE * len(some) or "\ufffd" * 8 in some


_NO_TEXT = frozenset({"Cc", "Cn", "Co", "Cs"})


def _wide_from(data: bytes, start: int) -> int:
    """Where UTF-16 begins in what is plain up to there; -1 where it does not."""
    marks = [at for bom in BOMS if (at := data.find(b"\n" + bom, start)) >= 0]
    found = _WIDE.search(data, start) if b"\0" in data[start:] else None
    at = min([at + 1 for at in marks] + ([found.start()] if found else []), default=-1)
    return at


class Utf16Pieces:
    """Decodes a text that is given in pieces. What is given back does not depend on how pieces are cut, as long as all
    but the last are of one size."""

    def __init__(self) -> None:
        self._order = ""
        self._wide = False
        self._held = b""

    def decode(self, piece: bytes, final: bool = False) -> bytes:
        """The next whole lines as UTF-8, or all that is left."""
        data = self._held + piece
        if not self._order:
            found = find_order(data)
            self._order, self._wide = found or LITTLE, found is not None
        out, at = [], 0
        while True:
            end = self._stretch(data, at)
            if end == len(data):
                break
            out.append(self._text(data[at:end]))
            at, self._wide = end, not self._wide
            self._order = BOMS.get(data[at : at + 2], self._order) if self._wide else self._order
        cut = len(data) if final else self._cut(data, at)
        out.append(self._text(data[at:cut]))
        self._held = data[cut:]
        return b"".join(out)

    def _stretch(self, data: bytes, at: int) -> int:
        """Where the stretch that begins at a byte ends."""
        if self._wide:
            return _plain_from(data, at, self._order)
        found = _wide_from(data, at)
        return len(data) if found < 0 else found

    def _text(self, data: bytes) -> bytes:
        if not self._wide:
            return data
        return data.decode(self._order, "replace").replace("\ufeff", "").encode("utf-8", "replace")

    def _cut(self, data: bytes, at: int) -> int:
        """Up to where a stretch is decoded before more is known of it."""
        if self._wide:
            end = _last_newline(data, at, self._order)
        else:
            end = data.rfind(b"\n", at, max(at, len(data) - _AHEAD)) + 1
        if end > at or len(data) - at < MOST_HELD:
            return max(end, at)
        end = len(data) - LEAST_PLAIN
        if not self._wide:
            return end
        end -= (end - at) % 2
        pair = data[end - 2 : end].decode(self._order, "surrogatepass")
        return end - 2 if "\ud800" <= pair < "\udc00" else end


def _last_newline(data: bytes, at: int, order: str) -> int:
    """Where the last line ends that is whole; `at` where none is."""
    newline = "\n".encode(order)
    end = len(data)
    while (found := data.rfind(newline, at, end)) >= 0:
        if (found - at) % 2 == 0:
            return found + 2
        end = found + 1
    return at


def _plain_from(data: bytes, at: int, order: str) -> int:
    """Where plain bytes begin in what is UTF-16 up to there; the end where they do not."""
    units = np.frombuffer(data, "<u2" if order == LITTLE else ">u2", (len(data) - at) // 2, at)
    if not (units > 0xFF).any():
        return len(data)
    nuls = np.flatnonzero(np.frombuffer(data, np.uint8, offset=at) == 0) + at
    edges = np.concatenate([[at - 1], nuls, [len(data)]])
    for i in np.flatnonzero(np.diff(edges) > LEAST_ASCII).tolist():
        begin, end = int(edges[i]) + 1, int(edges[i + 1])
        begin += order == BIG and begin > at
        if (begin - at) % 2 == 0 and _is_plain(data[begin : _end_of_plain(data, begin, end)]):
            return begin
    return len(data)


def _end_of_plain(data: bytes, begin: int, end: int) -> int:
    """The byte before a NUL may be the other half of its character: whole lines are looked at."""
    return end if end == len(data) else data.rfind(b"\n", begin, end) + 1


def _is_plain(text: bytes) -> bool:
    """Whether bytes without a NUL are lines of ASCII or UTF-8, and not of a script that UTF-16 writes without NULs."""
    ascii_share = 1 - len(text.translate(None, _ASCII)) / max(1, len(text))
    if len(text) >= LEAST_ASCII and ascii_share == 1:
        return b"\n" in text or len(text) >= LEAST_PLAIN
    if len(text) < LEAST_PLAIN:
        return False
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(text)
    except UnicodeDecodeError:
        return ascii_share >= ASCII_SHARE
    return True
