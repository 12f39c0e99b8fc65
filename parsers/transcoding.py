"""Logs that hold their text in another coding: UTF-16, or a JSON object per line, as container engines keep them.

Both are read as UTF-8 text with the same lines at the same numbers, so that a citation still says where to look.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import IO, Any

from logtui.parsers.source import Compression

_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_TEXT = ("log", "message", "msg", "MESSAGE", "line", "textPayload")
"""Keys of the text: Docker, structured loggers, the journal, Loki, Google Cloud."""
_TIME = ("time", "timestamp", "@timestamp", "ts")
_ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$")
_JOURNAL_TIME = "__REALTIME_TIMESTAMP"
"""Microseconds since the epoch, as text."""
LEAST, SHARE = 3, 0.9
"""Lines of a head that must be such objects."""
LINE_CAP = 1 << 20
"""Bytes of a line that is read as JSON; a longer one stays as it is."""
LINES_AT_A_TIME = 256


def find_coding(head: bytes) -> Compression:
    """The coding of a text, from its first bytes; `NONE` for plain text, and for what is no text at all."""
    if head.startswith(_BOMS):
        return Compression.UTF16
    if head[:1] != b"{":
        return Compression.NONE
    lines = [line for line in head.split(b"\n")[:-1] if line.strip()]
    told = sum(text_of(line) is not None for line in lines)
    return Compression.JSON if told >= max(LEAST, SHARE * len(lines)) else Compression.NONE


def text_of(line: bytes) -> str | None:
    """The text that a line of JSON carries, behind its time if it has one; None if it is no such line."""
    if not line.startswith(b"{"):
        return None
    try:
        held = json.loads(line)
    except (ValueError, RecursionError):
        return None
    text = next((held[key] for key in _TEXT if isinstance(held.get(key), str)), None)
    if text is None:
        return None
    time = _time_of(held)
    return f"{time} {text}" if time else text


def _time_of(held: dict[str, Any]) -> str:
    stamp = next((held[key] for key in _TIME if isinstance(held.get(key), str)), "")
    if _ISO.match(stamp):
        return stamp
    micros = held.get(_JOURNAL_TIME)
    if isinstance(micros, str) and micros.isdecimal() and len(micros) < 18:
        return datetime.fromtimestamp(int(micros) / 1e6, UTC).isoformat(timespec="microseconds")
    return ""


class JsonText:
    """The texts of a file of JSON lines, a line each; what is no JSON, or too long, stays as it is."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._inside = False
        """The rest of a line too long is still to come."""
        self._left = b""

    def read1(self, size: int = -1, /) -> bytes:
        """Up to `size` bytes; b"" at the end."""
        if not self._left:
            self._left = b"".join(islice(self._texts(), LINES_AT_A_TIME))
        return self._give(size)

    def _texts(self) -> Iterator[bytes]:
        while line := self._raw.readline(LINE_CAP):
            is_whole = line.endswith(b"\n") or len(line) < LINE_CAP
            yield _plain(line) if is_whole and not self._inside else line
            self._inside = not is_whole

    def _give(self, size: int) -> bytes:
        given, self._left = (self._left, b"") if size < 0 else (self._left[:size], self._left[size:])
        return given

    def close(self) -> None:
        """Release it."""
        self._raw.close()


def _plain(line: bytes) -> bytes:
    """One line as text, with its newline if it has one."""
    text = text_of(line.rstrip())
    if text is None:
        return line
    end = b"\n" if line.endswith(b"\n") else b""
    return text.rstrip("\n").replace("\n", "\r").encode("utf-8", "replace") + end


class Utf16Text:
    """A file in UTF-16, as UTF-8; what cannot be decoded becomes a replacement character."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._decoder = codecs.getincrementaldecoder("utf-16")("replace")
        self._left = b""

    def read1(self, size: int = -1, /) -> bytes:
        """Up to `size` bytes; b"" at the end."""
        while not self._left:
            block = self._raw.read(1 << 16)
            self._left = self._decoder.decode(block, final=not block).encode("utf-8", "replace")
            if not block:
                break
        given, self._left = (self._left, b"") if size < 0 else (self._left[:size], self._left[size:])
        return given

    def close(self) -> None:
        """Release it."""
        self._raw.close()
