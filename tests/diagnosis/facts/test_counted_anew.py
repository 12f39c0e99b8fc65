"""Runs that follow each other in a file without a clock and without a word: their epochs begin again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.facts.counted_anew import MOST_FILES
from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def epochs(loss: str = "2.31", first: int = 1, last: int = 4, label: str = "") -> str:
    """What a program prints of some epochs, in its own words and without a time."""
    return "".join(
        f"{label}Fit epoch: {epoch} [{step}/900] Loss: {loss} KL: 0.12\n"
        for epoch in range(first, last + 1)
        for step in range(0, 900, 100)
    )


SUMMARY = "Total params: 312,081\nTrainable params: 312,081\n"


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        (epochs("nan") + SUMMARY + epochs(), ["software", "healthy"]),
        (epochs() + SUMMARY + epochs("nan"), ["healthy", "software"]),
        (epochs("nan") + epochs() + epochs("2.57"), ["software", "healthy", "healthy"]),
        (epochs("nan", first=3) + SUMMARY + epochs(first=1), ["software", "healthy"]),
    ],
    ids=["it fails first", "it fails last", "three runs", "the first one had resumed"],
)
def test_the_newest_run_counts(text: str, classes: list[str], report_of: ReportOf) -> None:
    report = report_of({"trial.out": text})
    assert report.history is not None
    assert [a.cls for a in report.history.attempts] == classes
    assert report.verdict.cls == classes[-1]


def test_a_loss_that_was_never_a_number_is_shown_from_the_first_line_of_its_run(report_of: ReportOf) -> None:
    evidence = report_of({"trial.out": epochs() + SUMMARY + epochs("nan")}).verdict.first_evidence
    assert evidence is not None and evidence.line == epochs().count("\n") + SUMMARY.count("\n") + 1


@pytest.mark.parametrize(
    "text",
    [
        epochs(),
        epochs(last=2) + "Validation\n" + epochs(first=3),
        epochs(last=3) + "resumed from the last checkpoint\n" + epochs(first=2),
        "".join(
            one + other
            for one, other in zip(
                epochs(label="[rank0]: ").splitlines(True)[9:], epochs(label="[rank1]: ").splitlines(True), strict=False
            )
        ),
        epochs().replace("epoch: ", "part "),
    ],
    ids=["every epoch", "an evaluation", "resumed", "a rank an epoch behind", "no epoch"],
)
def test_what_is_one_run(text: str, report_of: ReportOf) -> None:
    assert report_of({"trial.out": text}).job.attempts == 1


def test_what_every_process_says_of_all_epochs_is_said_of_one_run(report_of: ReportOf) -> None:
    rates = "".join(f"Learning rate for epoch {n} is set to 0.{n + 1}\n" for n in range(9))
    assert report_of({"train.out": rates * 9}).job.attempts == 1
    lines = rates.splitlines(keepends=True)
    assert (
        report_of({"train.out": rates + "".join(n for line in lines for n in (line, line)) + rates}).job.attempts == 1
    )


def test_a_job_of_many_files_is_not_asked_for_its_epochs(report_of: ReportOf) -> None:
    again = epochs() + epochs("2.57")
    assert report_of({f"worker-{n}.out": again for n in range(MOST_FILES)}).job.attempts == 2
    assert report_of({f"worker-{n}.out": again for n in range(MOST_FILES + 1)}).job.attempts == 1


def test_a_run_that_goes_on_from_a_checkpoint_hours_later(report_of: ReportOf) -> None:
    step = "2031-02-03 {:02d}:{:02d}:00 (step={:07d}) Train Loss mse: 0.{}\n"
    text = "".join(step.format(3, n, 500 + n, n + 10) for n in range(17))
    text += "".join(step.format(9, n, 505 + n, n + 20) for n in range(9))
    assert report_of({"log.txt": text}).job.attempts == 2
    again = "".join(step.format(3, n, 500 + n % 13, n + 10) for n in range(26))
    assert report_of({"log.txt": again}).job.attempts == 1


def _epoch_of(minute: int, first: int, total: int = 445, epoch: int = 0) -> str:
    return "".join(
        f"2031-02-03 04:{minute:02d}:{n:02d},123 INFO Epoch {epoch} [{first + 10 * n}/{total}] Loss: 2.{n}\n"
        for n in range(9)
    )


def test_an_epoch_that_begins_anew_without_brackets(report_of: ReportOf) -> None:
    text = _epoch_of(1, 0) + _epoch_of(7, 0)
    assert report_of({"train.log": text.replace("[", "| batch ").replace("]", " |")}).job.attempts == 2


@pytest.mark.parametrize(
    ("text", "attempts"),
    [
        pytest.param(_epoch_of(1, 0) + _epoch_of(7, 0), 2, id="not over"),
        pytest.param(_epoch_of(1, 0) + _epoch_of(7, 0, epoch=1), 1, id="the next epoch"),
        pytest.param(_epoch_of(1, 0, 80) + _epoch_of(7, 0, 80), 1, id="gone through twice"),
        pytest.param(_epoch_of(1, 0) + _epoch_of(7, 0, 90), 1, id="of another total"),
        pytest.param("".join(_epoch_of(n, 0)[:130] for n in range(9)), 1, id="in turn"),
    ],
)
def test_an_epoch_that_begins_anew_before_it_is_over(text: str, attempts: int, report_of: ReportOf) -> None:
    job = report_of({"train.log": "2031-02-03 04:00:07,123 begins\n" + text}).job
    assert (job.attempts, job.iso_started) == (
        attempts,
        f"2031-02-03T04:0{7 if attempts > 1 else 0}:0{0 if attempts > 1 else 7}.123",
    )


def test_two_counters_of_one_line_that_fall_together_are_one_beginning(report_of: ReportOf) -> None:
    def steps(last: int) -> str:
        return "".join(
            f"epoch 1 [{n}/900] completed step: {n}, seconds: 5.712, TFLOP/s/device: 357.1, Tokens/s/device: 57.1, "
            f"total_weights: 1048576, loss: 5.{n}\n"
            for n in range(10, last, 10)
        )

    report = report_of({"train.log": steps(300) + steps(200)})
    assert (report.job.attempts, report.job.last_step) == (2, 190)


@pytest.mark.parametrize(
    ("between", "attempts"),
    [
        ("[I 2031-02-03 04:05:06,123] Trial {n} finished with value: 0.5\n", 1),
        ("Fold {n}, k=57: recall 0.5\n", 1),
        ("", 3),
    ],
    ids=["trials", "folds", "runs"],
)
def test_trials_of_a_search_are_no_attempts(between: str, attempts: int, report_of: ReportOf) -> None:
    runs = ["".join(f"Epoch {e}, Loss: {n}.{e}, Accuracy: 57.{e}\n" for e in range(1, 30)) for n in range(3)]
    text = "".join(run + between.format(n=n) for n, run in enumerate(runs))
    assert report_of({"search.log": text}).job.attempts == attempts


@pytest.mark.parametrize(
    ("minute", "begun"),
    [(30, "2031-02-03T07:30:00"), (20, "2031-02-03T07:00:00")],
    ids=["behind a pause", "at once"],
)
def test_a_counter_that_goes_on_from_a_checkpoint(minute: int, begun: str, report_of: ReportOf) -> None:
    def said(at: int, step: int) -> str:
        return f"2031-02-03 07:{at:02d}:{step % 60:02d} step {step}: loss = 2.{step % 9}\n"

    before = "".join(said(n // 60, n) for n in range(0, 1200, 5))
    text = before + "".join(said(minute + (n - 1140) // 60, n) for n in range(1140, 1500, 5))
    started = report_of({"train.log": text}).job.iso_started
    assert started is not None and started.startswith(begun)


def test_steps_that_are_told_when_all_are_made(report_of: ReportOf) -> None:
    def told(hour: int) -> str:
        return "".join(f"2031-02-03 0{hour}:00:0{n + 1}.5 Epoch {n}, loss 0.5{n}\n" for n in range(9))

    first = "2031-02-03 05:00:00.1 a net is made\n2031-02-03 05:00:00.5 weights: 57\n"
    started = report_of({"train.log": first + told(6) + told(7)}).job.iso_started
    assert started is not None and started.startswith("2031-02-03T07:00:01")
