"""Progress in words, in a given room, and as a line on a terminal."""

from __future__ import annotations

import io

import pytest

from logtui.parsers.scan.plan import Progress, Stage
from logtui.tui.shared import wording as words
from logtui.tui.shared.wording import ProgressLine

HALF = Progress(14, 33, 5_000_000_000, 10_000_000_000, elapsed_s=2.5)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("room", "said"),
    [
        (200, "reading 50% · 14/33 files · 5.0 GB of 10.0 GB · 2.0 GB/s · 2 s left · esc stops"),
        (60, "reading 50% · 5.0 GB of 10.0 GB · 2 s left · esc stops"),
        (30, "reading 50% · esc stops"),
        (5, "reading 50% · esc stops"),
    ],
)
def test_the_more_room_the_more_is_said(room: int, said: str) -> None:
    assert words.progress_words(HALF, room, "esc stops") == said


def test_no_rate_before_anything_was_read() -> None:
    assert words.progress_words(Progress(0, 3, 0, 1000), 200) == "reading 0% · 0/3 files · 0 B of 1.0 kB"


def test_what_was_read_before_the_stage_is_no_part_of_the_rate() -> None:
    known = Progress(1, 2, 9_000_000, 10_000_000, elapsed_s=1.0, bytes_before=8_000_000)
    assert (known.bytes_per_s, known.remaining_s) == (1_000_000, 1.0)


def test_no_time_left_is_told_before_the_last_stage() -> None:
    heads = Progress(1, 2, 9_000_000, 10_000_000, Stage.HEADS, elapsed_s=1.0)
    assert (heads.bytes_per_s, heads.remaining_s) == (9_000_000, None)


def test_the_line_comes_late_and_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    now, terminal = [0.0], Terminal()
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.setenv("TERM", "xterm")
    line = ProgressLine(terminal)
    line.show(HALF)
    assert terminal.getvalue() == ""
    now[0] = 1.0
    line.show(HALF)
    line.show(HALF)  # too soon after the one before
    assert terminal.getvalue() == "\rreading 50% · 14/33 files · 5.0 GB of 10.0 GB · 2.0 GB/s · 2 s left\x1b[K"
    line.show(Progress(33, 33, 10, 10, trouble="gone"))
    line.clear()
    line.clear()
    assert terminal.getvalue().endswith("\rall is read, diagnosing\x1b[K\r\x1b[K")
    assert line.trouble == "gone"


def test_nothing_is_written_to_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "NOT_BEFORE_S", -1.0)
    pipe = io.StringIO()
    line = ProgressLine(pipe)
    line.show(HALF)
    line.clear()
    assert pipe.getvalue() == ""
