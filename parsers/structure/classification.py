"""What a traceback is taken for: by the declared kinds; where they know nothing special of what it began with, by those of
the other exceptions of its chain; where none does, by its structure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from logtui.parsers.exceptions.declaration import ExceptionKind
from logtui.parsers.exceptions.table import kind_of, kind_of_traceback, words_of, words_of_line
from logtui.parsers.pattern import FailureClass, Role
from logtui.parsers.regex import regex
from logtui.parsers.structure.clues import Clue, Structure, asked_other_server, members, structure_of
from logtui.parsers.tracebacks.frames import Frame
from logtui.parsers.tracebacks.traceback import Traceback

AGREED = 57
"""Weight of a kind that several clues of the structure agree on: medium confidence."""
GUESSED = 1.5
"""Points of what a vague kind takes it for, beside the clues."""
ALONE = 52
"""Weight where one clue leads: low confidence."""
_CARRIERS = frozenset({"RuntimeError", "Exception", "ExecutionError", "TaskError", "WorkerError", "RemoteError"})
"""Types that say nothing themselves."""
_OF_FILES = frozenset({"FileNotFoundError", "PermissionError", "IsADirectoryError", "NotADirectoryError", "OSError"})
"""What a file that cannot be opened raises."""
_REPR = regex(
    r"(?:[\w.]{1,60}\.)?([A-Z]\w{0,60}(?:Error|Exception))\((?P<quote>['\"])(?P<said>.{1,2000}?)(?P=quote)\)\W{0,3}$"
)
"""How Python shows an exception that it does not raise: what another process, or a queue, gave back."""


@dataclass(frozen=True, slots=True)
class Classified:
    """A kind, and which exception of the chain says it."""

    kind: ExceptionKind
    said: Traceback


def classify(traceback: Traceback) -> Classified:
    """The kind of a traceback."""
    kind, root = kind_of_traceback(traceback), traceback.root
    if kind.vague and (inner := _repeated(root.exception, root.message)) is not None:
        return _as_repeated(traceback, *inner)
    if kind.role is Role.SYMPTOM and (told := _told_by_others(traceback, kind)) is not None:
        return told  # what is raised while an echo is handled may say what it echoes
    if not kind.vague:
        return Classified(_placed(kind, traceback) if kind.by_place else kind, root)
    told = _told_by_others(traceback, kind)
    if told is not None:
        return told
    return Classified(_by_structure(kind, traceback), root)


def _repeated(name: str, message: str) -> tuple[str, str] | None:
    """Type and message of an exception that another one only repeats: `RuntimeError: ValueError("no such task")`."""
    found = _REPR.match(message) if name.rpartition(".")[2] in _CARRIERS else None
    return None if found is None else (found[1], found["said"])


def _as_repeated(traceback: Traceback, name: str, message: str) -> Classified:
    """The kind of a traceback whose exception repeats one of another type and message."""
    inner = replace(traceback.root, exception=name, message=message, chain=(), original=None, members=())
    kind = kind_of_traceback(inner)
    return Classified(_by_structure(kind, inner) if kind.vague else kind, traceback.root)


def classify_line(name: str, message: str, frames: Sequence[str] = ()) -> ExceptionKind:
    """The kind of an exception that a line names outside any traceback; `frames`, as `path function`, stand above it."""
    name, message = _repeated(name, message) or (name, message)
    kind = kind_of(*words_of_line(name, message, frames))
    above = tuple(Frame(path, 0, function) for path, _, function in (frame.rpartition(" ") for frame in frames))
    return _by_structure(kind, Traceback(name, message, above, 0, 0, 0)) if kind.vague else kind


def _by_structure(kind: ExceptionKind, traceback: Traceback) -> ExceptionKind:
    """A vague kind, or what the structure says beside it."""
    guessed = [Clue(kind.cls, GUESSED, kind.title)] if kind.cls not in (None, FailureClass.SOFTWARE) else []
    found = structure_of(traceback, guessed)
    return _as_found(kind, found) if found is not None else kind


def _placed(kind: ExceptionKind, traceback: Traceback) -> ExceptionKind:
    """A kind that only knows whose code raised it, unless the clues agree on another class.

    What is read over HTTP is stored somewhere, unless a client of something else asked.
    """
    found = structure_of(traceback)
    if found is None or found.cls is kind.cls or not (found.agreed or found.imported):
        return kind
    kept = kind.cls is FailureClass.STORAGE_IO and not (found.imported or asked_other_server(traceback))
    return kind if kept else _as_found(kind, found)


def _told_by_others(traceback: Traceback, kind: ExceptionKind) -> Classified | None:
    """What another exception of the chain is declared as: it tells of the same failure."""
    root = traceback.root
    others = (one for one in members(traceback) if one is not root and not traceback.foresees(one))
    parts = [one for one in others if not failed_in_handler(one, root)]
    known = [Classified(kind_of(*words_of(replace(one, chain=(), original=None, members=()))), one) for one in parts]
    better = [c for c in known if c.kind.role is Role.CAUSE and not c.kind.vague and c.kind.weight > kind.weight]
    best = max(better, key=lambda c: c.kind.weight, default=None)
    # what is raised *from* another keeps the line of that; what is raised while one is handled may have other reasons
    return Classified(best.kind, traceback.root) if best is not None and best.said.link == "direct cause" else best


def failed_in_handler(one: Traceback, root: Traceback) -> bool:
    """Whether a handler of the script itself failed at a file of its own, while it told of what was raised far below:
    `one` is the last of a chain."""
    name = one.exception.rpartition(".")[2]
    alone = len(one.frames) == 1 < len(root.frames)
    return (
        alone
        and one.link != "direct cause"
        and name in _OF_FILES
        and root.exception.rpartition(".")[2] not in _OF_FILES
    )


def _as_found(kind: ExceptionKind, found: Structure) -> ExceptionKind:
    """A vague kind with what the structure says of it."""
    if found.cls is kind.cls:
        return replace(kind, weight=max(kind.weight, AGREED)) if found.agreed else kind
    return replace(
        kind,
        name="exception.by_structure",
        cls=found.cls,
        weight=AGREED if found.agreed else ALONE,
        title=f"by its structure: {found.why}",
    )
