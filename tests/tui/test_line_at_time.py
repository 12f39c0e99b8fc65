"""Finding a line by its time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from logtui.tui.panes.timeline.times import line_at_time


class Lines:
    """A file in memory; counts what is read of it."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts, self.read = texts, 0

    def count(self) -> int:
        return len(self.texts)

    def lines(self, first: int, count: int) -> list[bytes]:
        found = [t.encode() for t in self.texts[first - 1 : first - 1 + count]]
        self.read += len(found)
        return found


def time_of(text: str) -> float | None:
    return float(text[1:]) if text.startswith("@") else None


def find(texts: Sequence[str], time: float) -> int | None:
    reader: Any = Lines(texts)
    return line_at_time(reader, time, time_of)


@pytest.mark.parametrize(
    ("time", "line"), [(-5, 1), (0, 1), (500, 501), (500.5, 502), (9999, 10_000), (20_000, 10_000)]
)
def test_every_line_dated(time: float, line: int) -> None:
    assert find([f"@{n}" for n in range(10_000)], time) == line


def test_most_lines_undated() -> None:
    texts = [f"@{n}" if n % 40 == 0 else "frame #0" for n in range(10_000)]
    assert find(texts, 4000) == 4001
    assert find(texts, 4001) == 4041


def test_a_long_traceback_at_the_end() -> None:
    assert find([*(f"@{n}" for n in range(500)), *["frame"] * 3000], 250) == 251
    assert find([*(f"@{n}" for n in range(500)), *["frame"] * 3000], 900) == 500


@pytest.mark.parametrize("texts", [[], ["none"], ["none"] * 5000], ids=["empty", "one", "many"])
def test_nothing_dated(texts: list[str]) -> None:
    assert find(texts, 5) is None


def test_a_large_file_is_hardly_read() -> None:
    reader: Any = Lines([f"@{n}" for n in range(1_000_000)])
    assert line_at_time(reader, 654_321, time_of) == 654_322
    assert reader.read < 4000
