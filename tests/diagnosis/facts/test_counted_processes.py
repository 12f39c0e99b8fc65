"""Processes that lines number in words nobody declared."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
DONE = " OK TEST57 DONE!\n"


@pytest.mark.parametrize(
    ("line", "numbers", "seen"),
    [
        (" MPI STOP {:12}", range(1, 13), 12),
        ("Processor {}\n    Number of cells = 57", range(4), 4),
        ("process {} sent the ball", range(2), 2),
        ("process {} sent the ball", (0, 1, 3), 0),
        ("process {} sent the ball", (5, 6, 7), 0),
        ("data worker {} reads", range(4), 0),
        ("OMP: Info #171: KMP_AFFINITY: OS proc {} maps to socket 0 core 57", range(4), 0),
        (" Program terminated normally:  myid=     {:8}", range(8), 8),
        ("This is the helper! (process {} of 4)\ngives a part to process 57", range(4), 4),
    ],
    ids=[
        "from 1",
        "OpenFOAM's",
        "two",
        "with a gap",
        "from elsewhere",
        "of data",
        "a processor that a thread is bound to",
        "CM1's",
        "of all",
    ],
)
def test_numbers_without_a_gap_are_processes(line: str, numbers: list[int], seen: int, report_of: ReportOf) -> None:
    said = "".join(line.format(number) + "\n" for number in numbers)
    assert report_of({"job.out": "reading the input\n" + said + DONE}).coverage.ranks_seen == seen


def test_a_leader_beside_its_workers_is_no_worker(report_of: ReportOf) -> None:
    size = "nProcs : 5\n"
    said = "".join(f"Worker name:      solver-{number}\n" for number in range(1, 5))
    assert report_of({"job.out": size + said + DONE}).coverage.ranks_seen == 4


def test_pythons_spawned_processes_are_there_whichever_speak(report_of: ReportOf) -> None:
    said = "".join(f"Process SpawnProcess-{number}:\nProcess {number} left\n" for number in (1, 5, 6))
    assert report_of({"job.out": "training starts\n" + said}).coverage.ranks_seen == 3


def test_labels_before_most_lines_are_of_tasks(report_of: ReportOf) -> None:
    said = "".join(f"{number:2}: opens the field\n{number:2}: {number} of 57 cells\n" for number in range(4))
    assert report_of({"bench.out": "=== starts ===\n" + said + "=== done ===\n"}).coverage.ranks_seen == 4
    numbered = "".join(f"{number}: an entry of a list\n" for number in range(4))
    assert report_of({"bench.out": "=== starts ===\n" + numbered + "=== done ===\n"}).coverage.ranks_seen == 0


def test_the_workers_of_a_pool_are_processes(report_of: ReportOf) -> None:
    said = "".join(f"Process ForkPoolWorker-{number}:\nthe clip is left\n" for number in (1, 2, 3, 4))
    assert report_of({"job.out": "clips are cut\n" + said}).coverage.ranks_seen == 4


def test_numbers_in_order_are_of_what_is_worked_on(report_of: ReportOf) -> None:
    said = "".join(f"{number}: [{number}, {number + 7}] : 57.5\n" * 3 for number in range(40))
    assert report_of({"scores.out": said}).coverage.ranks_seen == 0
