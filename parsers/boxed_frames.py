"""The box that Rich draws round a traceback: frames as `path:line in function`, wrapped at the terminal's width."""

from __future__ import annotations

import re
from collections.abc import Sequence

from logtui.parsers.stack_frames import Frame

BOTTOM = "╰"
LONGEST = 1200
"""Lines of a box that are read; with local variables it is long."""
_TOP = re.compile(r"╭─+ (?:Exception Group )?Traceback \(")
_TEXT = re.compile(r"^[│|] ?(?P<text>.*?) *[│|]?$")
_FRAME = re.compile(r"(?P<file>\S.*?):(?P<line>\d{1,9}) in (?P<function>\S.*)$")
_NUMBERED = re.compile(r" *(?P<mark>❱)? *\d+ [│|] ?(?P<source>.*)$")


def is_box(body: str) -> bool:
    """Whether a line that holds a traceback's header is the top of a box."""
    return _TOP.search(body) is not None


def ends_box(body: str) -> bool:
    """Whether a line is the bottom of the outermost box."""
    return body.startswith(BOTTOM)


def boxed_frames(lines: Sequence[str]) -> tuple[Frame, ...]:
    """The frames between top and bottom, outermost call first."""
    found: list[Frame] = []
    wrapped = ""
    for line in lines:
        m = _TEXT.match(line)
        text = m["text"] if m else ""
        if numbered := _NUMBERED.match(text):
            if numbered["mark"] and found and not found[-1].source:
                last = found[-1]
                found[-1] = Frame(last.file, last.line, last.function, numbered["source"].strip(" │|"))
            wrapped = ""
        elif not text.strip():
            wrapped = ""
        elif frame := _FRAME.match(wrapped + text.strip()):
            found.append(Frame(frame["file"], int(frame["line"]), frame["function"].strip()))
            wrapped = ""
        else:
            wrapped += text.strip() + " " * text.endswith(" in")
    return tuple(found)
