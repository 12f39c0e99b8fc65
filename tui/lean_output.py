"""What goes down the line, with no more colour codes than it takes.

The framework sets a piece of text's whole style before it and resets it afterwards. Neighbours mostly share their
ground, and often their ink: only what differs is sent. On a frame of many pieces that is about half of all bytes.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from textual.driver import Driver

_SGR = re.compile(r"\x1b\[([0-9;]*)m")
_COLOUR_ARGUMENTS = {"2": 5, "5": 3}
"""Parameters of an extended colour, by its kind: 38;2;R;G;B and 38;5;N."""
RESET = ""


def lean(data: str) -> str:
    """The same text in the same styles. Styles are taken to be reset before and after it, as the framework writes."""
    if data.count("\x1b[") < 3:
        return data
    out: list[str] = []
    now = wanted = RESET
    parts = _SGR.split(data)
    for text, codes in zip(parts[::2], [*parts[1::2], None], strict=True):
        if text:
            if wanted != now:
                out.append(_change(now, wanted))
                now = wanted
            out.append(text)
        if codes is not None:
            wanted = RESET if codes in ("", "0") else f"{wanted};{codes}" if wanted else codes
    if now != wanted:
        out.append(_change(now, wanted))
    return "".join(out)


@lru_cache(maxsize=4096)
def _change(now: str, wanted: str) -> str:
    """The shortest way from one style to another that needs no attribute switched off."""
    if wanted == RESET:
        return "\x1b[0m"
    if now == RESET:
        return f"\x1b[{wanted}m"
    before, after = _parts(now), _parts(wanted)
    anew = f"\x1b[0;{wanted}m"
    if before is None or after is None or not before[2] <= after[2]:
        return anew
    codes = [new or off for old, new, off in zip(before[:2], after[:2], ("39", "49"), strict=True) if old != new]
    codes += sorted(after[2] - before[2])
    return min(f"\x1b[{';'.join(codes)}m", anew, key=len) if codes else ""


def _parts(codes: str) -> tuple[str, str, frozenset[str]] | None:
    """(ink, ground, attributes) of a style; None where it holds a code that is not known."""
    ink = ground = ""
    attributes: set[str] = set()
    left = codes.split(";")
    while left:
        code = left[0]
        length = _COLOUR_ARGUMENTS.get(left[1], 0) if code in ("38", "48") and len(left) > 1 else 1
        if not length or len(left) < length:
            return None
        colour = ";".join(left[:length])
        left = left[length:]
        if code == "38" or code[:-1] in ("3", "9"):
            ink = colour
        elif code == "48" or code[:-1] in ("4", "10"):
            ground = colour
        elif code.isdecimal() and 1 <= int(code) <= 9:
            attributes.add(code)
        else:
            return None
    return ink, ground, frozenset(attributes)


def lean_driver(base: type[Driver]) -> type[Driver]:
    """A driver that writes as another does, but leaner."""

    class LeanDriver(base):  # type: ignore[misc,valid-type]  # the platform chooses the class
        """Takes the framework's frames."""

        def write(self, data: str, *more: Any) -> None:
            """Send what differs."""
            super().write(lean(data), *more)

    return LeanDriver
