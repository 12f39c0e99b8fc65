"""Python tracebacks as one record per writer, also where many ranks write into one file at once.

The lines of a traceback are those with the prefix of its first line; a traceback without a prefix owns the lines
without one. Writers cannot be told apart there, so such a record may be `mixed`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, dropwhile, islice, takewhile
from typing import Literal

from logtui.parsers.files.console import CALL_LINES, own_lines_end
from logtui.parsers.prefix.origin import owned_body, split_at
from logtui.parsers.regex import regex
from logtui.parsers.tracebacks.frames import (
    HINT,
    LONGEST_BOX,
    Frame,
    FrameReader,
    boxed_frames,
    ends_box,
    is_box,
    is_frame,
    is_got_otherwise,
    is_inside,
    is_looked_up,
    is_retried,
    library_of,
    match_exception,
)

# -- What stands before every line of a block: a clock, a level, a container
#
# `docker compose logs` writes `trainer-1 | `, vLLM's logger `WARNING 01-02 03:04:05 [file.py:57] `, a wrapper its
# time. The head of the block's first line tells how the others begin: alike, but for what a clock changes.

Numbered = tuple[int, str]
"""A line and its index."""
LONGEST = 200
"""Characters; what is longer before a record is text of its own."""
AHEAD = 8
"""Lines of the block in which its head must stand again."""
_CLOCK = regex(
    r"\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/]\d\d(?:[-/]\d\d(?:\d\d)?)?(?=[ T,])"  # a date
    r"|\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,9})?"  # a time of day
    r"|(?<=[EWIFDC])\d{4}(?= \d\d:)|\d{9,}(?:[.,]\d+)?"  # glog's month and day, seconds since the epoch
)
_STAMP = regex(r"[\[(]?\d{4}[-/.]\d\d[-/.]\d\d[ T]\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?[\])]? ")
_HEADER = regex(r"(?:[ +|]{0,80}Exception Group |Original )?(?:╭─{1,300} )?Traceback \(most recent call last\)")
_WARNED = regex(r"\bWARN(?:ING)?\b|^W\d{4} ")


def head_shape(head: str) -> re.Pattern[str] | None:
    """A pattern for the same head at another time; None where `head` says nothing of a writer."""
    if not head.strip() or len(head) > LONGEST:
        return None
    parts, at = [], 0
    for clock in _CLOCK.finditer(head):
        parts += [re.escape(head[at : clock.start()]), r"\d[\d.,:/-]*"]
        at = clock.end()
    return re.compile("".join([*parts, re.escape(head[at:])]))


def own_lines(first: Numbered, later: Iterator[Numbered]) -> tuple[bool, Iterator[Numbered]]:
    """Whether lines begin with the head of the `first`, a traceback's; and the lines, without it where they do.

    A logger that prints a block as one record heads its first line alone; a JSON string holds them all in one line.
    `later` is read as far as is asked for.
    """
    index, text = first
    begin = text.find("Traceback (")
    if "\\n" in text[begin:]:
        begin = text.rfind("\\n", 0, begin) + 2 if "\\n" in text[:begin] else 0  # what is said before it
        return False, ((index, piece) for piece in text[begin:].replace('\\"', '"').split("\\n"))
    head = _HEADER.split(text, maxsplit=1)[0]
    shapes = [shape for own in (head, _stamp_of(head)) if (shape := head_shape(own)) is not None]
    near = list(islice(later, AHEAD if shapes else 0))
    for shape in shapes:
        found = [(i, body[m.end() :]) for i, body in near if (m := shape.match(body)) is not None]
        if any(_inside(body) for _, body in found):
            rest = ((i, body[m.end() :]) for i, body in later if (m := shape.match(body)) is not None)
            return True, chain([(index, text[len(head) :])], found, rest)
    return False, chain([first], near, later)


def _stamp_of(head: str) -> str:
    """The clock at the beginning of a head: what collects a container's output puts it before each line, also before
    those that a logger heads no more."""
    stamp = _STAMP.match(head)
    return stamp[0] if stamp and len(stamp[0]) < len(head) else ""


def _inside(text: str) -> bool:
    return text.startswith(("  ", "│", "|"))


def is_warning(head: str) -> bool:
    """Whether a logger's head says that what follows is a warning: the program reported it and went on."""
    return _WARNED.search(head) is not None


# -- Tracebacks

HEADER = "Traceback (most recent call last)"
MESSAGE_LINES, RETOLD_LINES = 40, 120
"""Lines of a message that are kept; of one that retells another exception."""
FOREIGN_LINES = 40
"""Lines of other output amid one traceback before it counts as cut."""

Link = Literal["direct cause", "during handling"]

LINKS: dict[str, Link] = {
    "The above exception was the direct cause of the following exception:": "direct cause",
    "During handling of the above exception, another exception occurred:": "during handling",
}
_MARGIN = regex(r" *(?:\| ?|\+ )")
_MEMBER = regex(r" *(?:\+-)?\+-+ \d+ -+$")
_GROUP_END = regex(r" *\+-+$")
_RECORD = regex(
    r"\[?[FEWIV]\d{3,4} \d\d:\d\d:|\[?\d{4}-\d\d-\d\d[ T]\d\d:|frame #\d+: "
    r"|(?:[\w.-]{1,64}:\d{1,9}:\d{1,9} )?(?:\[\d{1,4}\] )?NCCL (?:INFO|WARN|TRACE) "
    r"|\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL)(?:\]|[|:] ?| +\d)"
    r"|[\w./-]{1,200}\.py:\d{1,9}: \w{1,30}Warning: "
    r"|(?:wandb|srun|slurmstepd|torchrun|Exception ignored)\b[^\n]{0,40}: | *\d{1,3}%\|"
)
"""How a record of another writer begins: no message goes on with it."""
_CALLED = regex(r"\S : Traceback \(")
"""Behind the name of the program, as PowerShell puts it."""
_OF_ANOTHER = regex(r"\S\[[a-z_]{1,20}\d{1,9}\]: ?Traceback \(")
"""Behind a line that its writer had not finished when another one began."""
_SHORTENED = ("SimplifiedTraceback", "UnfilteredStackTrace")
"""What JAX puts before an exception to say that it left out frames."""
_GAVE_UP = ("Empty", "CancelledError")
"""What ends a wait; whoever waited says for what."""
_IN_USER_CODE = "in user code:"
"""How AutoGraph and Paddle begin to retell an exception, frames and all, in the message of another of its kind."""
_INNER = regex(r"^ {4,8}(?P<name>(?:[A-Za-z_]\w{0,40}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception)): (?P<message>.+)$")
_WORKER = regex(r"Caught (?P<name>\w+) in DataLoader worker process (?P<worker>\d{1,9})")


@dataclass(frozen=True, slots=True)
class Traceback:
    """An exception as printed, with what led to it.

    Indices count lines of the window it was assembled from, from 0.
    """

    exception: str
    """Dotted name of the type; "" where the text ends before it."""
    message: str
    frames: tuple[Frame, ...]
    """Outermost call first."""
    header_index: int
    exception_index: int | None
    last_index: int
    """The last line that belongs to it."""
    link: Link | None = None
    """How the exception before it in the chain led to this one."""
    chain: tuple[Traceback, ...] = ()
    """Exceptions printed before this one, first cause first."""
    original: Traceback | None = None
    """The traceback of another process that the message quotes: a DataLoader worker, a pool, a Ray task."""
    members: tuple[Traceback, ...] = ()
    """The parts of an exception group."""
    mixed: bool = False
    """Another traceback stands in between and cannot be told apart."""

    @property
    def complete(self) -> bool:
        """Whether the text reaches the exception's name."""
        return self.exception_index is not None

    @property
    def first(self) -> Traceback:
        """The first of the chain that nobody had provided for."""
        return next((t for t in self.chain if not self.foresees(t)), self)

    def foresees(self, one: Traceback) -> bool:
        """Whether a part of the chain was provided for: tried another way, told in other words, or got elsewhere."""
        if one.exception.endswith(_SHORTENED) or is_retried(one.exception, one.frames) or self.translates(one):
            return True
        if self is not one and one.exception.endswith(_GAVE_UP) and not one.message and self.message:
            return True
        if self.link == "during handling" and self.exception.endswith("KeyboardInterrupt") and is_inside(one.frames):
            return True
        later = [*dropwhile(lambda t: t is not one, (*self.chain, self))][1:]
        handled = takewhile(lambda t: t.link == "during handling", later)
        return any(is_got_otherwise(one.exception, one.frames, t.frames) for t in handled)

    def translates(self, one: Traceback) -> bool:
        """Whether this says in its library's own type and words what the same library looked up in vain before."""
        told = bool(self.message) and self.exception != one.exception
        return told and is_looked_up(one.exception, one.frames) and library_of(one.frames) == library_of(self.frames)

    @property
    def root(self) -> Traceback:
        """Where it began: the first of the chain, the quoted original inside it, the first of a group."""
        first = self.first
        if first.original is not None:
            return first.original.root
        return first.members[0].root if first.members else first

    @property
    def worker(self) -> int | None:
        """Number of the DataLoader worker process that raised it."""
        m = _WORKER.match(self.message)
        return int(m["worker"]) if m else None

    @property
    def headers(self) -> tuple[int, ...]:
        """Indices of all header lines in it, so that none of them is assembled again."""
        inner = [*self.chain, *self.members, *([self.original] if self.original else [])]
        return tuple(sorted({self.header_index, *(i for t in inner for i in t.headers)}))


def assemble(lines: Sequence[str], at: int = 0) -> Traceback | None:
    """The traceback whose header stands in `lines[at]`, from cleaned lines of one file, prefixes still on.

    Lines of other writers in between are passed over. None if `lines[at]` holds no header. A traceback that is
    cut, by the end of the lines or in the middle, comes back with what there is. O(lines).
    """
    if not 0 <= at < len(lines) or (hit := lines[at].find(HEADER)) < 0:
        return None
    first = split_at(lines[at], hit)
    begin = at + 1
    if _CALLED.search(lines[at]):
        begin += own_lines_end(lines[begin : begin + CALL_LINES])
    bodies = ((i, owned_body(lines[i], first.key)) for i in range(begin, len(lines)))
    headed, own = own_lines((at, first.body), ((i, body) for i, body in bodies if body is not None))
    # a rank's own prefix: no other writer's lines can be among these
    sure = not headed and any(k.startswith("(") or k.endswith("]:") for k in first.key)
    return _Reader([], sure, (_Item(i, text) for i, text in own)).chain()


@dataclass(frozen=True, slots=True)
class _Item:
    index: int
    body: str


class _Reader:
    """A cursor over the lines of one writer."""

    def __init__(self, items: list[_Item], sure: bool, later: Iterable[_Item] = ()) -> None:
        """`later` are items that follow, taken as far as they are looked at."""
        self._items = items
        self._later = iter(later)
        self._at = 0
        self._sure = sure

    def chain(self) -> Traceback:
        """A traceback and those linked to it by what stands between them."""
        parts = [self._one()]
        while (link := self._link()) is not None:
            parts.append(replace(self._one(), link=link))
        return _chained(parts)

    def _peek(self, ahead: int = 0) -> str | None:
        at = self._at + ahead
        while at >= len(self._items) and (item := next(self._later, None)) is not None:
            self._items.append(item)
        return self._items[at].body if at < len(self._items) else None

    def _link(self) -> Link | None:
        """Step over a separator to the header after it; stay in place if there is none."""
        start, found = self._at, None
        while (body := self._peek()) is not None:
            text = body.strip(" |")
            if HEADER in body and found:
                return found
            if text and text not in LINKS:
                break
            found = LINKS.get(text, found)
            self._at += 1
        self._at = start
        return None

    def _one(self) -> Traceback:
        if "Exception Group Traceback" in (self._peek() or ""):
            return self._group()
        if is_box(self._peek() or ""):
            return self._boxed()
        header = self._items[self._at].index
        self._at += 1
        return self._after_header(header)

    def _boxed(self) -> Traceback:
        """Frames in the box that Rich draws; the exception stands below it."""
        header = self._items[self._at].index
        self._at = start = self._at + 1
        while (body := self._peek()) is not None and self._at - start < LONGEST_BOX and not ends_box(body):
            self._at += 1
        frames = boxed_frames([item.body for item in self._items[start : self._at]])
        last = self._items[min(self._at, len(self._items) - 1)].index
        self._at += 1
        m = match_exception(self._peek() or "", expected=True)
        return self._named(m, frames, header) if m else Traceback("", "", frames, header, None, last)

    def _after_header(self, header: int) -> Traceback:
        """Frames, exception and message; the cursor ends behind the last line that belongs to them."""
        reader = FrameReader()
        mixed, m = self._frames(reader)
        last = self._items[max(0, self._at - 1)].index
        if m is None:
            return Traceback("", "", reader.frames, header, None, last, mixed=mixed)
        return self._named(m, reader.frames, header, mixed)

    def _named(self, m: re.Match[str], frames: tuple[Frame, ...], header: int, mixed: bool = False) -> Traceback:
        """The traceback whose exception `m` names, in the line that the cursor stands on."""
        index = self._items[self._at].index
        self._at += 1
        message, original = self._message(m["message"] or "", header) if m["colon"] else ("", None)
        last = self._items[self._at - 1].index
        return Traceback(m["name"], message, frames, header, index, last, original=original, mixed=mixed)

    def _frames(self, reader: FrameReader) -> tuple[bool, re.Match[str] | None]:
        """Read up to the exception, which the cursor then stands on, or back to the last line taken."""
        mixed, foreign, end = False, 0, self._at
        while (body := self._peek()) is not None and foreign <= FOREIGN_LINES:
            if m := reader.exception(body):
                return mixed, m
            if HEADER in body and self._sure and not _OF_ANOTHER.search(body):
                break
            mixed = mixed or HEADER in body
            if reader.take(body):
                foreign, end = 0, self._at + 1
            else:
                foreign += bool(body.strip())
            self._at += 1
        self._at = end
        return mixed, None

    def _message(self, first: str, header: int) -> tuple[str, Traceback | None]:
        """The rest of a message of several lines, and the traceback that it may quote."""
        kept = [first]
        most = RETOLD_LINES if first.lower() == _IN_USER_CODE else MESSAGE_LINES
        while (body := self._peek()) is not None and len(kept) < most:
            if (quoted := self._quoted(body, kept, header)) is not None:
                return _joined(kept), quoted
            if not self._continues(body, kept):
                break
            if kept[0].lower() == _IN_USER_CODE and (m := _INNER.match(body)) is not None:
                inner = self._items[self._at].index
                quoted = Traceback(m["name"], m["message"], (), header, inner, inner)
                self._at += 1
                return _joined([*kept, body.rstrip()]), quoted
            kept.append(body.rstrip())
            self._at += 1
        return _joined(kept), None

    def _quoted(self, body: str, kept: list[str], header: int) -> Traceback | None:
        """The traceback of another process, if the message goes on with one."""
        start, caught = self._at, _WORKER.match(kept[0])
        if body.strip() == '"""' and HEADER in (self._peek(1) or ""):
            self._at += 1
        elif not (body.startswith("Original ") and HEADER in body):
            return self._quoted_frames(kept, header)
        parts = [self._one()]
        # what the worker raised last is what its parent caught; later links are the parent's own
        while caught is None or parts[-1].exception.rsplit(".", 1)[-1] != caught["name"]:
            if (link := self._link()) is None:
                break
            parts.append(replace(self._one(), link=link))
        if not parts[-1].complete:
            self._at = start
            return None
        self._at += (self._peek() or "").strip() == '"""'
        return _chained(parts)

    def _quoted_frames(self, kept: list[str], header: int) -> Traceback | None:
        """Ray puts a task's frames right after the message, without a header."""
        start = self._at
        while kept[0].startswith("ray::") and (body := self._peek()) and not body.strip(" ^~"):
            self._at += 1
        if len(kept) > 1 or not is_frame(self._peek() or ""):
            self._at = start
            return None
        quoted = self._after_header(header)
        if quoted.complete:
            return quoted
        self._at = start
        return None

    def _continues(self, body: str, kept: list[str]) -> bool:
        """Whether a line goes on with the message above it."""
        if HEADER in body or body.strip(" |") in LINKS or _RECORD.match(body):
            return False
        if not body.strip():
            return not _joined(kept) or (self._peek(1) or "").startswith((" ", "\t"))
        if self._sure or body[0] in " \t" or HINT.match(body) or kept[-1] == "Last error:":
            return True
        return not _joined(kept) or (len(kept) == 1 and kept[0].endswith(":"))

    def _group(self) -> Traceback:
        """An exception group: its own part, then the members between their rulers."""
        parts: list[list[_Item]] = [[]]
        while (body := self._peek()) is not None:
            index = self._items[self._at].index
            if _MEMBER.match(body):
                parts.append([])
            elif not _GROUP_END.match(body):
                if (m := _MARGIN.match(body)) is None and parts[0]:
                    break
                parts[-1].append(_Item(index, body[m.end() if m else 0 :]))
            self._at += 1
        header = parts[0][0].index
        members = tuple(_Reader(p, self._sure).member(header) for p in parts[1:] if p)
        own = _Reader(parts[0], self._sure)
        own._at = 1
        last = self._items[self._at - 1].index
        return replace(own._after_header(header), members=members, last_index=last)

    def member(self, header: int) -> Traceback:
        """One part of the exception group under `header`; it may be an exception without a traceback of its own."""
        first = self._items[0]
        if HEADER in first.body:
            return self.chain()
        m = match_exception(first.body, expected=True)
        name, message = (m["name"], m["message"] or "") if m else ("", first.body)
        return Traceback(name, message, (), header, first.index if m else None, self._items[-1].index)


def _chained(parts: Sequence[Traceback]) -> Traceback:
    return replace(parts[-1], chain=tuple(parts[:-1])) if len(parts) > 1 else parts[0]


def _joined(kept: Sequence[str]) -> str:
    return "\n".join(kept).strip()
