"""Lines page by page."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest

from logtui.parsers.files.case import Case
from logtui.parsers.files.discover import discover
from logtui.parsers.records.record import ROW, RecordTable
from logtui.tui.panes.raw import window as line_pages
from logtui.tui.panes.raw.window import LINE_CHARS, PAGE_LINES, PAGES_KEPT, LinePages, drawable


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """One file of twenty thousand lines."""
    import numpy as np

    (tmp_path / "slurm-1.out").write_text("".join(f"2026-03-05 15:00:00 line {n}\n" for n in range(1, 20_001)))
    return Case(discover([tmp_path]).files, RecordTable(np.empty(0, ROW), b"", [], [], []))


def test_lines_by_number(case: Case) -> None:
    pages = LinePages(case, 0, lambda: None)
    try:
        assert (pages.line(1) or "").endswith("line 1")
        assert (pages.line(19_999) or "").endswith("line 19999")
        assert pages.line(20_001) == ""
        assert pages.width == len("2026-03-05 15:00:00 line 19999")
    finally:
        pages.close()
        case.close()


def test_pages_are_read_once_and_no_more_than_a_few_are_kept(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[int] = []
    lines = Case.lines

    def noted(self: Case, file: int, first: int, count: int) -> list[str]:
        reads.append(first)
        return lines(self, file, first, count)

    monkeypatch.setattr(Case, "lines", noted)
    pages = LinePages(case, 0, lambda: None)
    try:
        for number in (1, 2, 128, 129, 1):
            pages.line(number)
        assert reads == [1, 129]
        for number in range(1, 20_000, 128):
            pages.line(number)
        assert len(pages._pages) == PAGES_KEPT
    finally:
        pages.close()
        case.close()


def test_a_late_page_is_announced(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_pages, "PATIENCE_S", 0.001)
    gate, arrived = Event(), Event()
    lines = Case.lines
    monkeypatch.setattr(Case, "lines", lambda self, f, first, n: (gate.wait(10), lines(self, f, first, n))[1])
    pages = LinePages(case, 0, arrived.set)
    try:
        assert pages.line(1) is None
        assert pages.line(1) is None
        gate.set()
        assert arrived.wait(10)
        assert (pages.line(1) or "").endswith("line 1")
    finally:
        pages.close()
        case.close()


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("plain", "plain"),
        ("a\tb", "a       b"),
        ("bell\x07", "bell·"),
        ("\x1b]52;c;aGk=\x07", "·]52;c;aGk=·"),
        ("right\u202eleft", "right·left"),
        ("x" * LINE_CHARS + "tail!", "x" * (LINE_CHARS // 2) + " … 5 more characters … " + "x" * 4995 + "tail!"),
    ],
    ids=["plain", "tab", "bell", "clipboard", "direction", "long"],
)
def test_nothing_a_terminal_acts_on_is_drawn(line: str, shown: str) -> None:
    assert drawable(line) == shown


def test_a_frame_waits_for_all_its_pages_no_longer_than_for_one(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    now, waited = [0.0], list[float]()

    def result(page: object, patience: float) -> list[str]:
        now[0] += patience
        waited.append(patience)
        raise NotYet

    monkeypatch.setattr(line_pages, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(line_pages, "PATIENCE_S", 0.01)
    monkeypatch.setattr(Future, "result", result)
    pages = LinePages(case, 0, lambda: None)
    try:
        assert [pages.line(page * PAGE_LINES + 1) for page in range(3)] == [None] * 3
        now[0] += 1.0
        assert pages.line(3 * PAGE_LINES + 1) is None
    finally:
        pages.close()
    assert waited == [0.01, 0.0, 0.0, 0.01]
