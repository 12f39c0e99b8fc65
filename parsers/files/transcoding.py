"""Logs that hold their text in another coding: UTF-16, a JSON object per line, as container engines keep them, with
the hard blanks of a page, or broken at a console's width.

All are read as plain UTF-8 with the same lines at the same numbers, so that a citation still says where to look.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import reduce
from io import BufferedReader, RawIOBase
from itertools import islice
from typing import Any

from logtui.parsers.files.console import Joining, is_formatted, width_of
from logtui.parsers.files.reading import TextStream
from logtui.parsers.files.utf16 import Utf16Pieces, holds_utf16
from logtui.parsers.numbers import BOUNDS
from logtui.parsers.prefix.wrapping import ISO
from logtui.parsers.regex import regex
from logtui.parsers.source import Coding

_TEXT = ("log", "message", "msg", "MESSAGE", "line", "textPayload", "event")
"""Keys of the text: Docker, structured loggers, the journal, Loki, Google Cloud, structlog."""
_KAGGLE = regex(rb"^[\[,]\{(?=\"stream_name\")")
"""Kaggle's logs are one list, each line of which holds a piece of a stream."""
FIRST = 64
"""Bytes by which a list of that kind is known."""
_RAISED = ("exc_info", "exception", "stack_trace", "traceback", "stack")
"""Keys of a traceback that structured loggers put beside the text."""
_WHY = ("error", "err", "reason", "cause")
"""Keys of what went wrong, as text or as an object with a message and a stack: zap, logrus, pino, bunyan."""
_LEVEL = ("level", "levelname", "lvl")
_LOUD = {"error": "ERROR", "fatal": "FATAL", "critical": "FATAL", "panic": "FATAL", 50: "ERROR", 60: "FATAL"}
"""Levels that are kept before the text, as it stands in other logs; pino and bunyan number them."""
_RANK = ("rank", "global_rank")
_OF_RECORD = regex(
    r"(?i)_.*|level(?:no)?|severity|lineno|line|pid|tid|process|thread|(?:relative)?created|m?secs|ts|time.*"
)
"""Keys of numbers that are a log record's own: where and when it was written."""
MOST_NUMBERS = 16
TRACEBACK, ESCAPED = "Traceback (most recent call last)", "\\n"
"""A text of several lines is one whose line is rewritten; but those of a traceback are read one by one."""
_TIME = ("time", "timestamp", "@timestamp", "ts", "asctime", "datetime")
_STAMP = regex(rf"(?:{ISO}|\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d(?:[.,]\d{{1,9}})?)$")
"""As containers' engines give a time, and as Python's logging does."""
_EPOCHS = ((1e9, 4e9, 1.0), (1e12, 4e12, 1e3))
"""Seconds and milliseconds since the epoch: of this century."""
_JOURNAL_TIME = "__REALTIME_TIMESTAMP"
"""Microseconds since the epoch, as text."""
HARD_BLANK = "\N{NO-BREAK SPACE}".encode()
LEAST, SHARE = 3, 0.75
"""Lines of a head that must be such objects; what started the program says its own."""
LINE_CAP = 1 << 20
"""Bytes of a line that is read as JSON; a longer one stays as it is."""
LINES_AT_A_TIME = 256
BLOCK = 1 << 16


def find_codings(head: bytes) -> tuple[Coding, ...]:
    """The codings of a text, from its first bytes; none of plain text, and of what is no text at all."""
    if holds_utf16(head):
        return Coding.UTF16, *_of_lines(recoded_head(head, (Coding.UTF16,)))
    return _of_lines(head)


def _of_lines(head: bytes) -> tuple[Coding, ...]:
    if not head.isascii() and head.count(HARD_BLANK) > max(LEAST, head.count(b"\n") // 2):
        return (Coding.PAGE,)
    if is_formatted(head):
        return (Coding.CONSOLE,)
    if not _KAGGLE.sub(b"{", head[:FIRST]).startswith(b"{") and head.count(b"\n{") < LEAST:
        return ()
    lines = [line for line in head.split(b"\n")[:-1] if line.strip()]
    told = sum(text_of(line) is not None for line in lines)
    return (Coding.JSON,) if told >= max(LEAST, SHARE * len(lines)) else ()


def recoded(stream: TextStream, codings: Sequence[Coding]) -> TextStream:
    """A text as plain UTF-8."""
    return reduce(lambda inner, coding: READERS[coding](inner), codings, stream)


def recoded_head(head: bytes, codings: Sequence[Coding]) -> bytes:
    """The first bytes of a text as plain UTF-8."""
    stream = recoded(Given(head), codings)
    return b"".join(iter(lambda: stream.read(BLOCK), b""))


def text_of(line: bytes) -> str | None:
    """The text that a line of JSON carries, behind its time if it has one; None if it is no such line."""
    if not (line := _KAGGLE.sub(b"{", line)).startswith(b"{"):
        return None
    try:
        held = json.loads(line)
    except (ValueError, RecursionError):
        return None
    text = next((held[key] for key in (*_TEXT, *_of_stream(held)) if isinstance(held.get(key), str)), None)
    if text is None:
        return None
    why, stack = _why_of(held)
    raised = next((held[key] for key in _RAISED if isinstance(held.get(key), str) and "\n" in held[key]), stack)
    numbers = list(_numbers(held))
    text = f"{text.rstrip()}: {why}" if why else text.rstrip("\n") if numbers else text
    said = " ".join(filter(None, (_time_of(held), _rank_of(held), _level_of(held), text, *numbers)))
    return said if raised is None else f"{said}\n{raised}"


def _level_of(held: Mapping[str, Any]) -> str:
    """The level of a record, if it is one of errors."""
    told: Any = next((held[key] for key in _LEVEL if type(held.get(key)) in (str, int)), "")
    return _LOUD.get(told.lower() if isinstance(told, str) else told, "")


def _why_of(held: Mapping[str, Any]) -> tuple[str, str | None]:
    """What went wrong, of a record of errors, and its stack."""
    told: Any = next((held[key] for key in _WHY if held.get(key)), "") if _level_of(held) else ""
    if isinstance(told, dict):
        stack = told.get("stack")
        message = told.get("message") or told.get("msg")
        return str(message or ""), stack if isinstance(stack, str) and "\n" in stack else None
    return (told, None) if isinstance(told, str) else ("", None)


def _of_stream(held: Mapping[str, Any]) -> tuple[str, ...]:
    """The key of the text of a stream's piece."""
    return ("data",) if "stream_name" in held else ()


def _rank_of(held: dict[str, Any]) -> str:
    rank = next((held[key] for key in _RANK if key in held), None)
    return f"[rank{rank}]:" if type(rank) is int and 0 <= rank <= BOUNDS["rank"] else ""


def _numbers(held: dict[str, Any]) -> Iterator[str]:
    """What a program counts and measures beside the text of a structured record, as `name=value`."""
    told = (k for k, v in held.items() if type(v) in (int, float) and k not in _RANK and not _OF_RECORD.fullmatch(k))
    yield from (f"{key}={held[key]}" for key in islice(told, MOST_NUMBERS))


def _time_of(held: dict[str, Any]) -> str:
    told: Any = next((held[key] for key in _TIME if type(held.get(key)) in (str, int, float)), "")
    if isinstance(told, str):
        return told if _STAMP.match(told) else _of_journal(held)
    unit = next((unit for least, most, unit in _EPOCHS if least < told < most), None)
    return "" if unit is None else datetime.fromtimestamp(told / unit, UTC).isoformat(timespec="microseconds")


def _of_journal(held: Mapping[str, Any]) -> str:
    micros = held.get(_JOURNAL_TIME)
    if isinstance(micros, str) and micros.isdecimal() and len(micros) < 18:
        return datetime.fromtimestamp(int(micros) / 1e6, UTC).isoformat(timespec="microseconds")
    return ""


class Given:
    """Bytes that are there already."""

    damage: str | None = None

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, count: int) -> bytes:
        given, self._data = self._data[:count], self._data[count:]
        return given

    def close(self) -> None:
        """Nothing to release."""


class _Raw(RawIOBase):
    """A stream as Python buffers it: so that lines can be read, and blocks are full up to the last one."""

    def __init__(self, stream: TextStream) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any, /) -> int:  # a writable buffer, which has no type before Python 3.12
        piece = self._stream.read(len(room))
        room[: len(piece)] = piece
        return len(piece)


class Recoded(ABC):
    """A text read from its start as plain UTF-8."""

    def __init__(self, inner: TextStream) -> None:
        self._inner = inner
        self._raw = BufferedReader(_Raw(inner), BLOCK)
        self._left = memoryview(b"")
        self.damage: str | None = None

    def read(self, count: int) -> bytes:
        """Up to `count` bytes; b"" at the end or where the damage begins."""
        out = []
        while count > 0:
            if not self._left:
                more = self._more()
                if more is None:
                    self.damage = self._inner.damage
                    break
                self._left = memoryview(more)
            out.append(self._left[:count])
            self._left = self._left[count:]
            count -= len(out[-1])
        return b"".join(out)

    @abstractmethod
    def _more(self) -> bytes | None:
        """Some more text; None at the end."""

    def close(self) -> None:
        """Release the file."""
        self._inner.close()


class JsonText(Recoded):
    """The texts of JSON lines, a line each; what is no JSON, or too long, stays as it is."""

    _inside = False
    """The rest of a line too long is still to come."""

    def _more(self) -> bytes | None:
        return b"".join(islice(self._texts(), LINES_AT_A_TIME)) or None

    def _texts(self) -> Iterator[bytes]:
        while line := self._raw.readline(LINE_CAP):
            is_whole = line.endswith(b"\n") or len(line) < LINE_CAP
            text = _plain(line) if is_whole and not self._inside else line
            self._inside = not is_whole
            yield text


def _plain(line: bytes) -> bytes:
    """One line as text, with its newline if it has one."""
    text = text_of(line.rstrip())
    if text is None:
        return line
    end = b"\n" if line.endswith(b"\n") else b""
    within = ESCAPED if TRACEBACK in text else "\r"
    return text.rstrip("\n").replace("\n", within).encode("utf-8", "replace") + end


class PageText(Recoded):
    """A text in which hard blanks stand for blanks."""

    def _more(self) -> bytes | None:
        block = self._raw.read(BLOCK)
        if block.endswith(HARD_BLANK[:1]):
            block += self._raw.read(1)
        return block.replace(HARD_BLANK, b" ") if block else None


class ConsoleText(Recoded):
    """Lines as a program wrote them, each where it began to be written; what is too long stays as it is."""

    _told: Iterator[bytes] | None = None
    _inside = False

    def _more(self) -> bytes | None:
        self._told = self._told or self._lines()
        return b"".join(islice(self._told, LINES_AT_A_TIME)) or None

    def _lines(self) -> Iterator[bytes]:
        joining = Joining(width_of(self._raw.peek(BLOCK).decode("utf-8", "replace")))
        while line := self._raw.readline(LINE_CAP):
            is_whole = line.endswith(b"\n") or len(line) < LINE_CAP
            if is_whole and not self._inside:
                text = line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", "surrogateescape")
                text = text.removeprefix("\ufeff")
                yield from map(_with_end, joining.lines([text]))
            else:
                yield from (*map(_with_end, joining.rest()), line)
            self._inside = not is_whole
        yield from map(_with_end, joining.rest())


def _with_end(text: str) -> bytes:
    return f"{text}\n".encode("utf-8", "surrogateescape")


class Utf16Text(Recoded):
    """A text in UTF-16; what cannot be decoded becomes a replacement character."""

    def __init__(self, inner: TextStream) -> None:
        super().__init__(inner)
        self._pieces = Utf16Pieces()
        self._at_end = False

    def _more(self) -> bytes | None:
        if self._at_end:
            return None
        block = self._raw.read(BLOCK)
        self._at_end = not block
        return self._pieces.decode(block, final=self._at_end)


READERS: Mapping[Coding, type[Recoded]] = {
    Coding.CONSOLE: ConsoleText, Coding.JSON: JsonText, Coding.PAGE: PageText, Coding.UTF16: Utf16Text,
}  # fmt: skip
