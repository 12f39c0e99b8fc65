"""What a case file holds, and how large it may be. The first member tells it from any other archive."""

from __future__ import annotations

FORMAT = 1
FACTS = "facts.json"
"""The report in full, from which the app and the headless run show it."""
JSON, MARKDOWN = "report.json", "report.md"
"""The same for people and programs without logtui."""

MOST_BYTES = 1 << 29
"""Unpacked, of all members."""
MOST_FILES = 100_000
MOST_LINES = 1 << 33
"""Of one file; they need not be there."""


def lines_name(file: int) -> str:
    """The member with the kept lines of a file."""
    return f"lines/{file}.txt"
