"""Runs that close alike, and runs of which each leaves one line."""

from __future__ import annotations

import pytest

from logtui.diagnosis.facts.closed_alike import closed_alike, one_line_each


def at(second: int, text: str) -> str:
    return f"2031-02-03 {second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d} INFO hub: {text}\n"


def run(second: int, films: int, close: str = "Films finished") -> str:
    return at(second, f"Read {films} films") + at(second + 1, "cut them") + at(second + 2, close)


@pytest.mark.parametrize(
    ("begun", "found"),
    [
        ((0, 40, 300, 9000), True),
        ((0, 3, 6, 9), False),
        ((0, 40, 80, 120), False),
        ((0, 9000), False),
    ],
    ids=["by hand", "at once", "like a clock", "too few"],
)
def test_words_with_which_runs_close(begun: tuple[int, ...], found: bool) -> None:
    runs = [run(second, 57 + n) for n, second in enumerate(begun)]
    starts = [len("".join(runs[:n])) for n in range(1, len(runs))]
    assert closed_alike("".join(runs).encode()) == (starts if found else [])


def test_items_that_are_counted_close_no_run() -> None:
    text = "".join(run(second, 57, f"film {second} done") for second in (0, 40, 300, 9000))
    assert closed_alike(text.encode()) == []


def test_an_epoch_that_is_finished_closes_nothing() -> None:
    text = "".join(run(second, 57, "epoch 1 finished") for second in (0, 40, 300, 9000))
    assert closed_alike(text.encode()) == []


def results(*seconds: int, said: str = "| films | old: 0.{0}1 | new: 0.{0}2") -> str:
    return "".join(at(second, said.format(n)) for n, second in enumerate(seconds, 1))


def test_runs_of_one_line_each() -> None:
    text = results(0, 600, 9000, 20000)
    assert one_line_each(text.encode()) == [n + 1 for n, c in enumerate(text) if c == "\n"][:-1]
    assert one_line_each(results(0, 5, 10, 15000).encode()) == []
    assert len(one_line_each(results(0, 5, 10, 15000, said="model saved").encode())) == 3
    assert one_line_each(results(0, 1, 2, 15000, said="model saved").encode()) == []
    assert one_line_each(results(0, 5000, 10000, 15000).encode()) == []
    assert one_line_each(results(0, 600, 9000, 20000, said="epoch {0} loss: 0.5").encode()) == []
    assert one_line_each((text + at(21000, "other words")).encode()) == []


@pytest.mark.parametrize("close", ["실험 완료 in 5{0}.5 min", "done in 0:5{0}:07"], ids=["Korean", "hours"])
def test_results_that_are_named_behind_the_end(close: str) -> None:
    begun = (0, 40, 300, 9000)
    runs = [run(second, 57, close.format(n)) + at(second + 2, f"{n} films saved") for n, second in enumerate(begun)]
    text = "".join(runs)
    assert closed_alike(text.encode()) == [len("".join(runs[:n]).encode()) for n in range(1, 4)]


def test_what_goes_on_otherwise_than_the_file_begins_is_no_run() -> None:
    tasks = "".join(run(second, 57) for second in (10, 40, 300, 9000))
    assert closed_alike((at(0, "the hub is up") * 8 + tasks).encode()) == []
