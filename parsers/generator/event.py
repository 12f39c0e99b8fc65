"""What is printed, by whom and when, before any file is thought of."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Writer(IntEnum):
    """Who prints."""

    RANK = 0
    """A training process; the index is the global rank."""
    AGENT = 1
    """A node's launcher process; the index is the node's."""
    BATCH = 2
    """The scheduler and its launcher, on the batch host."""


@dataclass(frozen=True, slots=True)
class Source:
    """One printing process."""

    writer: Writer
    index: int = 0
    attempt: int = 0


@dataclass(slots=True)
class Event:
    """One write: one line or several, without a newline at the end."""

    time: float
    """By the clock of the machine that prints it."""
    source: Source
    text: str
    stdout: bool = False
    marks: dict[str, int] = field(default_factory=dict)
    """Names under which the truth knows lines of this text, and which line each means, from 0."""
    glue: bool = False
    """A fragment without a newline at its end: the next write in the file continues its line."""
    posthumous: bool = False
    """Stays although its process is dead by then (a signal handler's, the kernel's)."""
