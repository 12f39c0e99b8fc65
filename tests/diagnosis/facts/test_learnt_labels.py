"""Ranks by labels before lines that no wording names."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

SIZE = "using world size: 4, data-parallel size: 4\n"


def _lines(form: str, *numbers: int) -> str:
    return "".join(
        f"2031-02-03 04:05:{n:02d} {form.format(n)} the {what} is there\n"
        for n in numbers
        for what in ("config", "model", "data set")
    )


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (SIZE + _lines("| r{} | INFO |", 0, 1, 2, 3), 4),
        (SIZE + _lines("[gnn-{}]", 0, 1, 2, 3), 4),
        (SIZE + _lines("[gnn-{}]", 0, 1, 3), 0),
        (SIZE + _lines("[gnn-{}]", 0, 1, 2, 3, 4), 0),
        (SIZE + _lines("[epoch {}]", 0, 1, 2, 3), 0),
        (_lines("[gnn-{}]", 0, 1, 2, 3), 0),
        (SIZE + _lines("starts the replica #{};", 0, 1, 2, 3), 4),
        (SIZE + _lines("sees the peers, as trainer_id={};", 0, 1, 2, 3), 4),
        (SIZE + _lines("starts the replica #{};", 0, 1, 3), 0),
        (SIZE + _lines("reads the task of layer {};", 0, 1, 2, 3), 0),
        (_lines("sees the peers, as trainer_id={};", 0, 1, 2, 3), 0),
    ],
    ids=[
        "r3 |",
        "gnn-3",
        "a gap",
        "more than there are",
        "epochs",
        "no size",
        "a word for processes",
        "a process's name and number",
        "a gap of words",
        "layers",
        "words and no size",
    ],
)
def test_labels_that_are_as_many_as_processes(text: str, seen: int, report_of: ReportOf) -> None:
    assert report_of({"train.log": text}).coverage.ranks_seen in (seen, max(seen, 1))
