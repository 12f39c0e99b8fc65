"""The lines inside a Python traceback: frames with their source, and the line that names the exception.

Also the box that Rich draws round a traceback: frames as `path:line in function`, wrapped at the terminal's width.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from logtui.parsers.regex import regex
from logtui.parsers.structure.families import PROGRAM, place

_FRAME = regex(r"(?P<indent> *)File \"(?P<file>[^\"]+)\", line (?P<line>\d{1,9})(?:, in (?P<function>.*))?$")
_MARKER = regex(r"\s*+[~^]++[~^ ]*+$")
_EXCEPTION = regex(
    r"(?P<name>(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)"
    r"(?:\(\w+\))?"  # RayTaskError(ValueError)
    r"(?P<colon>:(?: (?P<message>.*))?)?$"
)
_SURE = regex(r"(?:Error|Exception|Interrupt|Exit|Iteration|Warning|Timeout|Failure|Expired|Group|Fault)\d{0,3}$")
_GLUED = regex(r"(?P<one>(?:[a-z_]\w{0,60}\.){0,6}[A-Z]\w{0,60}?(?:Error|Exception|Interrupt))(?P=one){1,63}(?:: ?)*+")
"""The same name from several processes that write at once: `ValueErrorValueError: : `, and what they say behind it."""
_CAMEL = regex(r"[A-Z][a-z0-9]+[A-Z]")
_LOWER_CASE = regex(r"(?:timeout|\w{0,20}error(?:_\w{1,20})?)$")
"""Exceptions that break the naming rule: `socket.timeout`, `struct.error`, `ftplib.error_temp`."""
BOX_BOTTOM = "╰"
LONGEST_BOX = 1200
"""Lines of a box that are read; with local variables it is long."""
_BOX_TOP = regex(r"╭─+ (?:Exception Group )?Traceback \(")
_BAR = ("│", "|")
_BOXED_FRAME = regex(r"(?P<file>\S.*?):(?P<line>\d{1,9}) in (?P<function>\S.*)$")
_BOXED_SOURCE = regex(r" *+(?:(?P<mark>❱) *+)?\d++ [│|] ?(?P<source>.*)$")


_REFUSES = regex(r"^\s*(?:(?:if|elif|else|except)\b.{0,300}:\s?)?(?:raise|assert)\b")
"""A line of code that refuses on purpose, also behind its condition."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One level of the call stack."""

    file: str
    line: int
    function: str
    """Empty for a syntax error."""
    source: str = ""
    """The line of code, where it was printed."""

    @property
    def refuses(self) -> bool:
        """Whether its code checked something and refused it, where it could have gone on to fail."""
        return _REFUSES.match(self.source) is not None


HINT = regex(
    r"CUDA kernel errors|For debugging consider|Compile with `|Search for `|Device-side assert"
    r"|nccl[A-Z]\w+: |Last error:|\(\d{1,2}\) [A-Z][a-z]\w{1,30}: "
    r"|(?:Pass|Use|Set|Add|Try|Run|Specify|Provide|Please) [^\n]{0,60}--[a-z]"
)
"""Lines that CUDA, NCCL and TensorFlow (its root errors) add to a message, and those that advise an option."""
_MAKERS = ("/os.py", "/pathlib.py", "/pathlib/_local.py", "/pathlib/__init__.py")


def is_retried(exception: str, frames: Sequence[Frame]) -> bool:
    """Whether Python raised it to try another way: `mkdir(parents=True)` makes the parents where they are missing."""
    if exception != "FileNotFoundError" or not frames:
        return False
    return frames[-1].function in ("mkdir", "makedirs") and frames[-1].file.endswith(_MAKERS)


_LOOKUPS = ("AttributeError", "IndexError", "KeyError", "StopIteration")


def is_looked_up(exception: str, frames: Sequence[Frame]) -> bool:
    """Whether a library asked itself in vain whether it holds something, as its own frames alone tell."""
    return exception in _LOOKUPS and bool(frames) and all(place(f.file) != PROGRAM for f in frames)


_LOOKED_FOR = ("FileNotFoundError", "KeyError", "AttributeError", "ImportError", "ModuleNotFoundError")
_GETS = regex(r"return\b|yield\b|with\b|for\b|await\b|[\w.\[\], ()]{1,80}=[^=]")
"""How a line begins that gets something: another call than one that reports or tidies up."""


def is_got_otherwise(exception: str, caught: Sequence[Frame], later: Sequence[Frame]) -> bool:
    """Whether a handler of what was looked for in vain went to get it elsewhere, by a call that failed `later`.

    A traceback of what was caught begins with the function that caught it.
    """
    if exception not in _LOOKED_FOR or not caught:
        return False
    tried = caught[0]
    return any(
        (f.file, f.function) == (tried.file, tried.function) and f.line > tried.line and _GETS.match(f.source)
        for f in later[:-1]
    )


def is_inside(frames: Sequence[Frame]) -> bool:
    """Whether a library raised and caught it: its frames begin there."""
    return bool(frames) and place(frames[0].file) != PROGRAM


def library_of(frames: Sequence[Frame]) -> str:
    """The installed package, or Python's module, of the deepest frame."""
    first, *rest = place(frames[-1].file).split("/") if frames else [PROGRAM]
    return "/".join([first, *rest[: first == "std"]])


class FrameReader:
    """Collects the frames of one traceback; knows where its margin is."""

    def __init__(self) -> None:
        self._done: list[Frame] = []
        self._indent = 2
        self.unbroken = True
        """Whether the last line read belonged to the traceback, so that the next one may be the exception."""

    @property
    def frames(self) -> tuple[Frame, ...]:
        """What was collected, outermost call first."""
        return tuple(self._done)

    def take(self, body: str) -> bool:
        """Take a line if it is a frame, its source, or a decoration of one."""
        if m := _FRAME.match(body):
            self._indent = len(m["indent"]) or self._indent
            self._done.append(Frame(m["file"], int(m["line"]), m["function"] or ""))
        elif self._done and body.strip() and _indent(body) >= self._indent:
            self._decorate(body)
        else:
            self.unbroken = False
            return False
        self.unbroken = True
        return True

    def _decorate(self, body: str) -> None:
        last = self._done[-1]
        if not last.source and "[Previous line repeated" not in body and not _MARKER.match(body):
            self._done[-1] = replace(last, source=body.strip())

    def exception(self, body: str) -> re.Match[str] | None:
        """The exception that a line left of the frames names; groups `name` and `message`."""
        if _indent(body) >= self._indent or not (self._done or self.unbroken):
            return None
        return match_exception(body, self.unbroken)


def is_frame(body: str) -> bool:
    """Whether a line starts a frame."""
    return _FRAME.match(body) is not None


def match_exception(body: str, expected: bool) -> re.Match[str] | None:
    """The exception that a line names; groups `name` and `message`.

    Most class names count where the exception is `expected`, right after its frames; elsewhere, amid other output,
    only a name that cannot be anything else. Group `colon` matched if a message may follow.
    """
    m = _EXCEPTION.match(unglued(body.strip(" ")))
    if m is None:
        return None
    name = m["name"].rsplit(".", 1)[-1]
    if _SURE.search(name) or (_LOWER_CASE.match(name) and "." in m["name"]):
        return m
    if not expected or name.isupper():
        return None
    return m if name.lstrip("_")[:1].isupper() and ("." in m["name"] or _CAMEL.match(name)) else None


def unglued(body: str) -> str:
    """A line in which several processes name the same exception at once, as one of them would have written it."""
    m = _GLUED.match(body)
    return f"{m['one']}: {body[m.end() :]}" if m else body


def _indent(body: str) -> int:
    return len(body) - len(body.lstrip(" "))


def is_box(body: str) -> bool:
    """Whether a line that holds a traceback's header is the top of a box."""
    return _BOX_TOP.search(body) is not None


def ends_box(body: str) -> bool:
    """Whether a line is the bottom of the outermost box."""
    return body.startswith(BOX_BOTTOM)


def _in_box(line: str) -> str:
    """What stands between the sides of a box; the right one may have been cut off."""
    if not line.startswith(_BAR):
        return ""
    text = line[1:].removeprefix(" ")
    return (text[:-1] if text.endswith(_BAR) else text).rstrip(" ")


def boxed_frames(lines: Sequence[str]) -> tuple[Frame, ...]:
    """The frames between top and bottom, outermost call first."""
    found: list[Frame] = []
    wrapped = ""
    for line in lines:
        text = _in_box(line)
        if numbered := _BOXED_SOURCE.match(text):
            if numbered["mark"] and found and not found[-1].source:
                last = found[-1]
                found[-1] = Frame(last.file, last.line, last.function, numbered["source"].strip(" │|"))
            wrapped = ""
        elif not text.strip():
            wrapped = ""
        elif frame := _BOXED_FRAME.match(wrapped + text.strip()):
            found.append(Frame(frame["file"], int(frame["line"]), frame["function"].strip()))
            wrapped = ""
        else:
            wrapped += text.strip() + " " * text.endswith(" in")
    return tuple(found)
