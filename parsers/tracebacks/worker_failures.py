"""What launchers report of workers that failed: torchrun's block, DLRover's list.

torchrun's is the block after `ChildFailedError:`, one per node, versions 1.9 to 2.15. It is indented and multi-line;
launchers put a label of their own before each line. The first line given sets the column at which the block begins;
lines with another label (another task, another host) are passed over.

DLRover's is JSON by global rank, `{"784": {"local_rank": 0, "exitcode": -6, "message": …, "datetime": …}, …}`, on one
line or pretty-printed, as the agent sends it to the job master (0.2 to 0.4). It is matched, not decoded: copies are
abridged.

Nothing here raises: what is cut gives what is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from logtui.parsers.numbers import of_field
from logtui.parsers.prefix.origin import Origin, read_origin
from logtui.parsers.prefix.stamp import find_stamp

TRACEBACK_LINES = 500
"""Lines of one worker's traceback that are kept."""

_START = re.compile(
    r"(?:torch\.[\w.]{1,80}\.)?ChildFailedError:|Root Cause(?: \(first observed failure\))?:|(?:Other )?Failures:"
    r"|(?<![=*-])[=*-]{10,}+\s*+$"
)
_RULE = re.compile(r"[=*-]{10,}+\s*+$")
_SCRIPT = re.compile(r"\s*+(\S.*) FAILED\s*+$")
_SECTION = re.compile(r"(Root Cause|(?:Other )?Failures)\b.*:\s*$")
_ENTRY = re.compile(r"\[(\d+)\]:\s*$")
_FIELD = re.compile(r" {0,2}(time|host|rank|exitcode|error_file|traceback|msg) *: ?(.*)$")
"""Indented by two, unless it was pasted where blanks are lost."""
_RANK = re.compile(r"(\d+)(?: \(local_rank: (\d+)\))?")
_EXIT = re.compile(r"(-?\d+)(?: \(pid: (\d+)\))?(?:\s+\((SIG\w+)\))?")
_SIGNAL = re.compile(r"Signal \d+ \((SIG\w+)\) received by PID")
_MESSAGE = frozenset({"traceback", "msg"})
REPORT_LINES = 64
"""Lines of a report that are read."""
_PROCESS = re.compile(
    r'"(?P<rank>\d{1,6})": ?\{\s{0,40}"local_rank": ?(?P<local>\d{1,6}),\s{0,40}"exitcode": ?(?P<code>-?\d{1,9})'
)


@dataclass(frozen=True, slots=True)
class WorkerFailure:
    """One worker's entry. Unknown is None."""

    line: int
    """Index, among the lines given, of the line that states the exit code, or else where the entry begins."""
    is_root: bool
    """Named as the first failure the node's agent observed: a hint, wrong for hangs."""
    time: float | None = None
    """Seconds since the epoch, the agent's local clock taken as UTC; whole seconds."""
    host: str | None = None
    rank: int | None = None
    """Global rank."""
    local_rank: int | None = None
    exitcode: int | None = None
    """Negative: minus the signal's number."""
    pid: int | None = None
    signal: str | None = None
    """Name of the signal, where the block gives one."""
    error_file: str | None = None
    traceback: str = ""
    """The worker's traceback with `@record`, a sentence without; lines joined by newlines."""


@dataclass(frozen=True, slots=True)
class FailureBlock:
    """What one node's agent reported."""

    script: str | None
    failures: tuple[WorkerFailure, ...]
    """In the order of the text: later versions print the root cause last."""
    lines: int
    """How many of the lines given belong to the block."""
    complete: bool
    """Whether the root cause and the closing rule were seen."""

    @property
    def root(self) -> WorkerFailure | None:
        """The entry named as root cause."""
        return next((f for f in self.failures if f.is_root), None)


def read_block(lines: Sequence[str]) -> FailureBlock | None:
    """Read the block that begins in the first line.

    `lines` are cleaned lines of one file: the header (`ChildFailedError:`, `Failures:` or `Root Cause`) and what
    follows it. None when no entry and no script is found.
    """
    if not lines or (start := _start(lines[0])) is None:
        return None
    label = _Label(lines[0][:start])
    reader = _Reader()
    for index, line in enumerate(lines):
        body = label.body(line)
        if body is not None and not reader.take(index, body):
            break
    block = reader.block()
    return block if block.failures or block.script else None


def _start(line: str) -> int | None:
    """Where a block begins in its first line; None where none does. One that names the script begins with it."""
    if line.rstrip().endswith(" FAILED") and (script := _SCRIPT.match(line)):
        return script.start(1)
    found = _START.search(line)
    return found.start() if found else None


class _Label:
    """What stands before each line of the block."""

    def __init__(self, prefix: str) -> None:
        self._width = len(prefix)
        self._writer = _writer(prefix)

    def body(self, line: str) -> str | None:
        """The line without its label; None for a line of somebody else."""
        if not self._width:
            return line
        prefix = line[: self._width]
        if len(prefix) == self._width and _writer(prefix) != self._writer:
            return None
        return line[self._width :]


def _writer(prefix: str) -> tuple[int, str, int, int]:
    """Who writes lines with this label; times in it may differ."""
    origin: Origin = read_origin(prefix + "x", len(prefix))
    return origin.task, origin.host, origin.local_rank, origin.pid


@dataclass
class _Entry:
    line: int
    is_root: bool
    fields: dict[str, str] = field(default_factory=dict)
    message: list[str] = field(default_factory=list)


class _Reader:
    """Takes the block's lines one by one."""

    def __init__(self) -> None:
        self._script: str | None = None
        self._entries: list[_Entry] = []
        self._in_root = self._in_message = self._complete = False
        self._lines = 0

    def take(self, index: int, body: str) -> bool:
        """Add a line; False when the block has ended before it, or with it."""
        if self._take(index, body):
            self._lines = index + 1
            return not self._complete
        return False

    def _take(self, index: int, body: str) -> bool:
        if _RULE.match(body):
            self._in_message = False
            self._complete = self._in_root and body[0] == "=" and bool(self._entries)
            return True
        if section := _SECTION.match(body):
            self._in_message, self._in_root = False, section[1] == "Root Cause"
            return True
        if _ENTRY.match(body):
            self._in_message = False
            self._entries.append(_Entry(index, self._in_root))
            return True
        if self._in_message and (body.startswith("  ") or not body.strip()):
            self._add_message(body)
            return True
        return self._take_plain(index, body)

    def _take_plain(self, index: int, body: str) -> bool:
        if found := _FIELD.match(body):
            self._take_field(index, found[1], found[2])
            return True
        if self._script is None and not self._entries and (script := _SCRIPT.match(body)):
            self._script = script[1]
            return True
        return index == 0 or not body.strip() or "<NO_OTHER_FAILURES>" in body

    def _take_field(self, index: int, key: str, value: str) -> None:
        if not self._entries or (key == "time" and "time" in self._entries[-1].fields):
            self._entries.append(_Entry(index, self._in_root))
        entry = self._entries[-1]
        entry.fields.setdefault(key, value.strip())
        self._in_message = key in _MESSAGE
        if key == "exitcode":
            entry.line = index
        if self._in_message:
            entry.message.append(value.rstrip())

    def _add_message(self, body: str) -> None:
        message = self._entries[-1].message
        if len(message) < TRACEBACK_LINES:
            message.append(body[2:].rstrip())

    def block(self) -> FailureBlock:
        """Everything taken so far."""
        failures = tuple(_failure(e) for e in self._entries if e.fields)
        return FailureBlock(self._script, failures, self._lines, self._complete)


def _failure(entry: _Entry) -> WorkerFailure:
    fields = entry.fields
    rank = _RANK.match(fields.get("rank", ""))
    ended = _EXIT.match(fields.get("exitcode", ""))
    message = "\n".join(entry.message).strip()
    signal = (ended and ended[3]) or ((m := _SIGNAL.search(message)) and m[1])
    stamp = find_stamp(fields.get("time", ""), 0, 1970)
    error_file = fields.get("error_file")
    return WorkerFailure(
        line=entry.line,
        is_root=entry.is_root,
        time=stamp.epoch if stamp else None,
        host=fields.get("host") or None,
        rank=of_field("rank", rank and rank[1]),
        local_rank=of_field("local_rank", rank and rank[2]),
        exitcode=of_field("exitcode", ended and ended[1]),
        pid=of_field("pid", ended and ended[2]),
        signal=signal or None,
        error_file=error_file if error_file and error_file != "<N/A>" else None,
        traceback=message,
    )


@dataclass(frozen=True, slots=True)
class ProcessError:
    """One process of the report."""

    line: int
    """Index of the line with its exit code, among those given."""
    rank: int
    """Global rank."""
    local_rank: int
    exitcode: int


def read_errors(lines: Sequence[str]) -> Iterator[ProcessError]:
    """Processes named in a report; `lines` begin with the one that announces it."""
    text = "\n".join(lines[:REPORT_LINES])
    for m in _PROCESS.finditer(text):
        yield ProcessError(text.count("\n", 0, m.end()), int(m["rank"]), int(m["local"]), int(m["code"]))
