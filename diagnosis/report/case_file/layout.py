"""What a case file holds, and how large it may be. The first member tells it from any other archive."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.diagnosis.model.evidence import MarkedLine

FORMAT = 1
FACTS = "facts.json"
"""The report in full, from which the app and the headless run show it."""
JSON, MARKDOWN = "report.json", "report.md"
"""The same for people and programs without logtui."""

MOST_BYTES = 1 << 29
"""Unpacked, of all members."""
ROOM_BYTES, MOST_TIMES = 16 << 20, 200
"""How much that may be in any case, and how many times the size of the file beyond it: reports pack to a twentieth."""
MOST_FILES = 100_000
MOST_LINES = 1 << 33
"""Of one file; they need not be there."""


@dataclass(frozen=True, slots=True)
class Format:
    """What the first member says before anything else."""

    case: int


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file and which of its lines are there."""

    name: str
    kind: str
    size: int
    """Of the whole file, in bytes."""
    lines: int
    """Of the whole file."""
    ranges: tuple[tuple[int, int], ...]
    """(first, how many) of the lines that are there, ascending and apart."""


@dataclass(frozen=True, slots=True)
class Head:
    """The first member."""

    case: int
    """`FORMAT`."""
    logtui: str
    pseudonymised: bool
    marks: tuple[MarkedLine, ...]
    files: tuple[KeptFile, ...]


def lines_name(file: int) -> str:
    """The member with the kept lines of a file."""
    return f"lines/{file}.txt"
