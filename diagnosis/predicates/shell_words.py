"""What the shell that started a program prints of its end: a signal's words, alone on one of the last lines."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.facts.case_facts import Facts
from logtui.parsers.source import FileKind

MOST_FILES = 16
TAIL = 3
WORDS = frozenset(
    {
        "Killed", "Terminated", "Hangup", "User defined signal 1", "User defined signal 2", "Segmentation fault",
        "Bus error", "Illegal instruction", "Floating point exception",
    }
)  # fmt: skip


def shell_words(facts: Facts) -> Iterator[tuple[int, int, str, str]]:
    """(file, line, word, text) of each such line at the end of a worker's file; none where there are many files."""
    files = [f for f in facts.case.files if f.kind is FileKind.WORKER]
    for file in files if len(files) <= MOST_FILES else ():
        count = facts.case.line_count(file.index)
        first = max(1, count - TAIL + 1)
        for at, text in enumerate(facts.case.bodies(file.index, first, TAIL), start=first):
            if (word := text.strip().removesuffix(" (core dumped)")) in WORDS:
                yield file.index, at, word, text.strip()
