"""Files numbered in a row are those of ranks; other numbers count something else."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
RAISED = (
    'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n    run()\nTypeError: no run\n'
)


def job(form: str, hour: str = "03", size: str = "") -> dict[str, str]:
    def steps(n: int) -> str:
        return "".join(f"2026-01-02 {hour.format(n=n)}:{m:02d}:05 INFO step {m} loss 2.{m}\n" for m in range(20))

    return {form.format(n=n): size + steps(n) + (RAISED if n == 2 else "") for n in range(4)}


@pytest.mark.parametrize(
    "form", ["stderr.{n}", "proc{n:03d}.log", "log_{n}.txt", "job-4821-{n}.err", "none_x57/attempt_0/{n}/stderr.log"]
)
def test_the_number_is_the_rank(form: str, report_of: ReportOf) -> None:
    report = report_of(job(form))
    assert (report.verdict.culprit_ranks, report.coverage.ranks_seen) == ((2,), 4)


@pytest.mark.parametrize(
    ("form", "hour", "size"),
    [
        ("node{n}/train.log", "03", ""),
        ("slurm-4821_{n}.out", "03", ""),
        ("run_{n}.log", "03", ""),
        ("train.log.{n}", "03", ""),
        ("log_{n}.txt", "0{n}", ""),
        ("log_{n}.txt", "03", "world_size: 32\n"),
    ],
    ids=["nodes", "an array", "attempts", "rotated", "one after the other", "nodes of a larger job"],
)
def test_or_something_else(form: str, hour: str, size: str, report_of: ReportOf) -> None:
    assert report_of(job(form, hour, size)).verdict.culprit_ranks == ()


@pytest.mark.parametrize(
    "label", ["[{n}]<stderr>:", "[rank: {n}] ", "[GPU{n}] "], ids=["horovodrun", "Lightning", "GPU"]
)
def test_labels_before_lines(label: str, report_of: ReportOf) -> None:
    steps = [
        label.format(n=n) + f"2026-01-02 03:{m:02d}:05 INFO step {m} loss 2.{m}" for m in range(20) for n in range(4)
    ]
    failed = [label.format(n=2) + line for line in RAISED.splitlines()]
    report = report_of({"train.log": "\n".join([*steps, *failed, ""])})
    assert report.verdict.culprit_ranks == (2,)


@pytest.mark.parametrize(("form", "seen"), [("log.{n:04d}.0004.out", 4), ("log.{n:04d}.0008.out", 0)])
def test_names_that_tell_how_many_they_are(form: str, seen: int, report_of: ReportOf) -> None:
    files = {form.format(n=n): f"read part {n} of the forest\nwrote {'abcd'[n]} in 57 s\n" for n in range(4)}
    assert report_of(files).coverage.ranks_seen == seen


def test_labels_in_no_form_we_know_blame_nobody(report_of: ReportOf) -> None:
    steps = [f"<{n}/4> 2026-01-02 03:{m:02d}:05 INFO step {m} loss 2.{m}" for m in range(20) for n in range(4)]
    report = report_of({"train.log": "\n".join([*steps, *(f"<2/4> {line}" for line in RAISED.splitlines()), ""])})
    assert report.verdict.culprit_ranks == ()


@pytest.mark.parametrize(("leader", "seen"), [("master.log", 4), ("notes.log", 0)])
def test_the_file_of_who_leads_them(leader: str, seen: int, report_of: ReportOf) -> None:
    files = {f"{n}.log": f"loaded templates\n{'abcd'[n]} is too short, skipped\n" for n in range(4)}
    led = files | {leader: "submit a | PDT 10/18/22 17:03:06\nsubmit b | PDT 10/18/22 17:03:09\n"}
    assert report_of(led).coverage.ranks_seen == seen
