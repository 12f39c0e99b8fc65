"""Pickle plain containers byte for byte as torch's C++ pickler does.

Source: torch/csrc/jit/serialization/pickler.cpp. Protocol 2; strings and shared dicts are memoised; lists and dicts
are always written with a mark. Python's own pickler would use opcodes that torch's never does.
"""

from __future__ import annotations

import struct
from typing import Any

_SHORT, _INT = 0xFF, 0x7FFFFFFF


def dumps(value: Any) -> bytes:
    """The pickle of dicts, lists, pairs, strings, numbers, booleans and None.

    Raises:
        TypeError: for any other type.
    """
    writer = _Writer()
    writer.put(value)
    return b"\x80\x02" + b"".join(writer.parts) + b"."


class _Writer:
    """One pickle being written."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.strings: dict[str, bytes] = {}
        self.frames: dict[int, bytes] = {}
        self.memos = 0

    def put(self, value: Any) -> None:
        """Write one value."""
        match value:
            case str():
                self._string(value)
            case bool():
                self.parts.append(b"\x88" if value else b"\x89")
            case int():
                self.parts.append(_int(value))
            case None:
                self.parts.append(b"N")
            case dict():
                self._dict(value)
            case list():
                self.parts.append(b"](")
                for item in value:
                    self.put(item)
                self.parts.append(b"e")
            case (first, second):
                self.put(first)
                self.put(second)
                self.parts.append(b"\x86")
            case _:
                raise TypeError(f"{type(value).__name__} has no place in a dump")

    def _memo(self) -> tuple[bytes, bytes]:
        """The opcodes that store the next memo and fetch it again."""
        number = self.memos
        self.memos += 1
        if number <= _SHORT:
            return b"q" + bytes([number]), b"h" + bytes([number])
        return b"r" + struct.pack("<I", number), b"j" + struct.pack("<I", number)

    def _string(self, text: str) -> None:
        known = self.strings.get(text)
        if known is None:
            store, self.strings[text] = self._memo()
            data = text.encode()
            known = b"X" + struct.pack("<I", len(data)) + data + store
        self.parts.append(known)

    def _dict(self, value: dict[Any, Any]) -> None:
        frame = "filename" in value
        if frame and id(value) in self.frames:
            self.parts.append(self.frames[id(value)])
            return
        self.parts.append(b"}(")
        for key, item in value.items():
            self.put(key)
            self.put(item)
        self.parts.append(b"u")
        if frame:  # the same frame object stands in many entries
            store, self.frames[id(value)] = self._memo()
            self.parts.append(store)


def _int(value: int) -> bytes:
    if 0 <= value <= _SHORT:
        return b"K" + bytes([value])
    if 0 <= value <= 0xFFFF:
        return b"M" + struct.pack("<H", value)
    if -_INT - 1 <= value <= _INT:
        return b"J" + struct.pack("<i", value)
    return b"\x8a\x08" + struct.pack("<q", value)
