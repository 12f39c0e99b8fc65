"""Progress in tables: a head that names what counts, and rows of numbers below it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.facts.tables import Tables
from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def counted(text: str) -> list[tuple[int, float]]:
    tables = Tables()
    for number, line in enumerate(text.splitlines(), 1):
        tables.take(number, line)
    return [row for table in tables.found for row in table.rows]


@pytest.mark.parametrize(
    "text",
    [
        "step,loss,lr\n57,2.5,1e-4\n58,2.4,1e-4\n",
        "  step     loss      tok/s\n    57   2.5000      12.5k\n    58   2.4000      12.7k\n",
        "| step | train loss | lr |\n|------|------------|----|\n| 57 | 2.5 | 1e-4 |\n| 58 | nan | - |\n",
        "Step\tImg/sec\ttotal_loss\n57\t305.1\t7.5\nsaved\n58\t305.7\t7.4\n",
        "epoch     train_loss  valid_loss  time    \n57        2.571200    2.1571      00:57   \n58  2.4  2.1  00:58\n",
        "Iteration  | Epoch   | Train (L / A)   | Time\n57         | 1.5     | 0.6889 / 75.6   | 0.8\n58 | 1.6 | 0.67 (0.7) | 1.5\n",
    ],
    ids=["commas", "blanks", "bars", "tabs", "epochs", "two figures in a cell"],
)
def test_rows_count(text: str) -> None:
    assert [value for _, value in counted(text)] == [57, 58]


@pytest.mark.parametrize(
    "text",
    [
        "57,2.5\n58,2.4\n",
        "step,loss\n57,2.5,1\n",
        "step,name\n57,58\n",
        "rank step loss\n57 58 1.5\n",
        "the first step is the loss of time\n57 2.5\n",
        "step,loss\n5.7,2.5\nfive,2.5\n",
    ],
    ids=["no head", "another width", "nothing is learnt", "of ranks", "a sentence", "no whole number"],
)
def test_other_rows_do_not(text: str) -> None:
    assert counted(text) == []


def test_a_head_that_comes_again_goes_on() -> None:
    page = "step,loss\n{a},2.5\n{b},2.4\n"
    assert counted(page.format(a=1, b=2) + page.format(a=3, b=4)) == [(2, 1), (3, 2), (5, 3), (6, 4)]


def test_a_job_that_prints_a_table_is_at_its_last_row(report_of: ReportOf) -> None:
    report = report_of({"train.log": "step,loss,lr\n" + "".join(f"{n},{9 / n:.4f},1e-4\n" for n in range(1, 58))})
    assert (report.job.last_step, report.verdict.cls) == (57, "healthy")
