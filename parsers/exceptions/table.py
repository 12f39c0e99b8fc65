"""All kinds of exceptions in the one order in which they are asked, and the kind of an exception."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from logtui.parsers import exceptions as exceptions_package
from logtui.parsers.declarations import declarations
from logtui.parsers.exceptions import cuda, data, echoes, frameworks, group, memory, program, storage
from logtui.parsers.exceptions.declaration import ExceptionKind
from logtui.parsers.structure.families import PROGRAM, place
from logtui.parsers.tracebacks.traceback import Traceback

DEEPEST = 6
"""Frames that are looked at."""
_IN_WORKER = "in DataLoader worker"


KINDS: tuple[ExceptionKind, ...] = (
    echoes.CUT,
    # what a launcher tells of a child, before that it only wraps one
    *echoes.CHILDREN,
    *echoes.WRAPPERS,
    # of modules that hold one kind: an exception of one program names a type of its own, which no family knows
    *declarations(exceptions_package, "KIND"),
    *echoes.PEERS,
    *echoes.COLLECTIVES,
    # Ray's type for the host has the name of torch's for the GPU
    *memory.RAY_MEMORY,
    *memory.GPU_MEMORY,
    *frameworks.FRAMEWORKS,
    *memory.HOST_MEMORY,
    *cuda.GPU,
    *storage.DISKS,
    *storage.OBJECTS,
    # a name that is not known is the master's where a rendezvous asks for it
    *group.START,
    *group.NETWORK,
    *data.FILES,
    *data.SAMPLES,
    *program.NUMBERS,
    *program.CONFIGURATION,
    *program.EMPTY,
    *program.OUTSIDE,
    *program.PROGRAM,
)
"""The first that fits decides: from specific to generic. The last one fits everything."""


@lru_cache(maxsize=1024)
def _kinds_of_type(type_name: str) -> tuple[ExceptionKind, ...]:
    return tuple(kind for kind in KINDS if kind.has_type(type_name))


@lru_cache(maxsize=4096)
def kind_of(type_name: str, message: str, frames: str) -> ExceptionKind:
    """The kind of an exception from its type's dotted name, its message, and its deepest frames as text."""
    return next(kind for kind in _kinds_of_type(type_name) if kind.says_so(message, frames))


def kind_of_traceback(traceback: Traceback) -> ExceptionKind:
    """The kind of the exception that a traceback began with; of a cut one, `exception.cut`."""
    return kind_of(*words_of(traceback))


def words_of(traceback: Traceback) -> tuple[str, str, str]:
    """Type, message and deepest frames of the exception that a traceback began with, as `kind_of` takes them."""
    first, root = traceback.first, traceback.root
    shown = root.frames or traceback.frames
    frames = " ".join(f"{_inside(f.file)} {f.function}" for f in shown[-DEEPEST:])
    message = root.message if root is first else f"{root.message} {first.message}"
    if not message and shown:
        message = shown[-1].source  # a bare assert says what it wants in its source line
    name = root.exception or first.exception
    module = name.rpartition(".")[0]  # extensions leave no frames, and a log may be cut above them
    return name, message, f"{module} {frames}" + f" {_IN_WORKER}" * (first.worker is not None)


def words_of_line(name: str, message: str, frames: Sequence[str] = ()) -> tuple[str, str, str]:
    """The same of an exception that a line names outside any traceback; `frames` are what stands right above it."""
    whole = f"{name}: {message}" if name.startswith("nccl") else message  # a result code, no type of Python's
    module = name.rpartition(".")[0]
    in_worker = _IN_WORKER if "DataLoader worker" in message else ""
    return name, whole, " ".join([*map(_inside, frames[-DEEPEST:]), module, in_worker])


def _inside(path: str) -> str:
    """A frame's path; of the program's own files the last folder and the name: `/data` may be where a home is mounted."""
    parts = path.replace("\\", "/").rsplit("/", 2)
    return path if len(parts) < 3 or place(path) != PROGRAM else f"/{parts[1]}/{parts[2]}"
