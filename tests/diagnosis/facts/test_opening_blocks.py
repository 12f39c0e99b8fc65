"""Runs whose first lines, taken together, stand again behind a pause."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.diagnosis.facts.opening_blocks import blocks_again, without_rounds
from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def at(minute: int, *lines: str) -> str:
    return "".join(f"[2031-02-03 {minute // 60:02d}:{minute % 60:02d}:07] {line}\n" for line in lines)


OPENING = ("using warm up, epoch: 5", "Parameters: lr 0.57, width 64", "# of them: 2115246", "Training epoch: 1")
RUN = ("Automatic Retrain Run", "Dataset Size: 575 URLs", "New Model AUC: 0.57", "all is well with it")
BANNER = "\n=====\n=== Training started at 2031-02-03 {:02d}:05:07.511 ===\n=====\nreads its cores\nsets its threads\nloads torch\n"
CLOCKWORK = [at(n, *RUN) for n in range(0, 300, 30)]


@pytest.mark.parametrize(
    ("parts", "begins"),
    [
        ([at(3, *OPENING), at(50, *OPENING), at(57, *OPENING, "loss is 5.7")], [1, 2]),
        ([at(3, *RUN), at(90, *RUN), at(500, *RUN)], [1, 2]),
        ([BANNER.format(3), BANNER.format(4)], [1]),
        ([at(3, *OPENING), at(50, *OPENING[1:])], [1]),
        ([at(3, *OPENING), at(50, *OPENING[:2])], []),
        ([at(3, *OPENING), at(3, *OPENING), at(3, *OPENING)], []),
        ([at(3, "#### the net START ####", "loss 5"), at(50, "#### the net START ####"), at(51, "#### DONE ####")], [1]),
        (CLOCKWORK, []),
        ([at(3, "fold 1 training", *RUN), at(90, "fold 2 training", *RUN)], []),
        ([at(3, "alpha is told", "beta is too", "and gamma"), at(90, "alpha is told", "beta is too", "and gamma")], []),
        ([at(3, "Retrained: accuracy 57", *RUN[1:]), at(90, "Retrained: accuracy 58", *RUN[1:])], []),
        (["words\n" * 57], []),
        ([""], []),
    ],
    ids=[
        "settings", "by hand", "a banner", "without its first line", "too few lines", "without a pause", "drawn", "like a clock",
        "folds", "no words of a start", "results", "no opening", "empty",
    ],
)  # fmt: skip
def test_openings_that_come_again(parts: list[str], begins: list[int]) -> None:
    data = "".join(parts).encode()
    found = blocks_again(data)
    assert [data.count(b"\n", 0, at) for at in found] == [
        "".join(parts[:n]).count("\n") + parts[n].startswith("\n") for n in begins
    ]


def shards(minute: int, *numbers: int) -> str:
    return "".join(
        at(minute + 5 * n, f"Processing train.{n}.json") + at(minute + 5 * n + 4, "Saving it") for n in numbers
    )


def test_rounds_of_a_loop_are_no_runs() -> None:
    text = shards(3, *range(8)) + shards(900, *range(3))
    places = [n for n in range(len(text)) if text.startswith("[", n) and "Processing" in text[n : n + 40]]
    assert [text[n + 12 : n + 14] for n in without_rounds(text.encode(), places[1:])] == ["15"]
    assert without_rounds(text.encode(), places[1:4]) == places[1:4]
    failed = text.replace("Saving it", "an error: no room")
    assert (
        len(
            without_rounds(
                failed.encode(),
                [m for m in range(1, len(failed)) if failed.startswith("[2031", m) and "Proc" in failed[m : m + 40]],
            )
        )
        == 10
    )


@given(st.binary(max_size=400), st.integers(1, 4))
def test_any_bytes_are_read(data: bytes, times: int) -> None:
    assert all(0 <= at < len(data) * times for at in blocks_again(data * times))


def test_the_newest_run_is_the_job(report_of: ReportOf) -> None:
    text = at(3, *OPENING) + at(5, "Traceback of an older run is told") + at(500, *OPENING, "loss is 5.7")
    assert (
        report_of({"log.txt": text}).job.started == report_of({"log.txt": at(500, *OPENING, "loss is 5.7")}).job.started
    )
