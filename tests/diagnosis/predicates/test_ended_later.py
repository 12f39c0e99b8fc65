"""Errors with which a file ends, and which a word of completion above or below them does not excuse."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
WORK = "".join(f"2026-01-02 03:{n}:05,678 - Pool - src.pool - INFO - item {n} of 40 done\n" for n in range(10, 40))
DONE = "2026-01-02 03:41:05,678 - Pool - src.pool - INFO - training finished\n"
MISTAKE = "{} - Pool - src.pool - ERROR - Fatal error in pool: 'Pool' object has no attribute 'run57'\n"


@pytest.mark.parametrize(
    ("clock", "cls"),
    [("2026-01-05 19:46:41,461", "software"), ("2026-01-02 03:41:06,461", "healthy")],
    ids=["another run's", "of the teardown"],
)
def test_an_error_long_after_the_end_is_another_runs(clock: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"pool.log": WORK + DONE + MISTAKE.format(clock)}).verdict.cls == cls


@pytest.mark.parametrize("label", ["Errore", "Erreur", "Fehler", "错误", "Ошибка"])
def test_errors_in_other_languages_end_a_program(label: str, report_of: ReportOf) -> None:
    text = "reading the input\n" + f"{label}: run57 2026-02-26 -> 2026-03-11\n" + "\nreal\t52m41.118s\nuser\t1m2.3s\n"
    verdict = report_of({"launch.log": text}).verdict
    assert verdict.first_evidence is not None
    assert (verdict.cls, verdict.first_evidence.line) == ("software", 2)


def test_a_record_that_says_that_its_program_exits(report_of: ReportOf) -> None:
    steps = "".join(f"[2026-01-02 03:04:{n}.511] [console] [info] SOLVER: {n}\n" for n in range(10, 40))
    error = "[2026-01-02 03:05:01.922] [stderr] [error] grid57.cpp: sizes do not fit! Exiting.\n"
    assert report_of({"model.log": steps + error}).verdict.cls not in ("healthy", "unknown")


def test_a_trace_of_a_script_that_exits(report_of: ReportOf) -> None:
    trace = "+ submit.sh[57]echo 'FAILED @ settings57.sh'\nFAILED @ settings57.sh\n+ submit.sh[58]exit 1\n"
    assert report_of({"run.out": "+ submit.sh[56]cd /scratch/run57\n" + trace}).verdict.cls == "software"


STOPS = """2026-01-02 03:40:05,678 - ERROR - PoolError: pool57.npz: the index says 512, it holds 75
2026-01-02 03:40:05,757 - ERROR - stopping at item {}, the best is runs/57.pt
2026-01-02 03:40:06,001 - INFO - flushes its writers
2026-01-02 03:40:06,678 - INFO - finished in 0:37:21
"""


def test_a_program_that_says_that_it_stops_and_tidies_up(report_of: ReportOf) -> None:
    verdict = report_of({"pool.log": WORK + STOPS.format(39)}).verdict
    assert verdict.cls not in ("healthy", "unknown")
    assert verdict.first_evidence is not None and verdict.first_evidence.line == WORK.count("\n") + 1
    early = STOPS.replace("stopping at item {}", "stopping early")
    assert report_of({"pool.log": WORK + early.replace("PoolError", "pool")}).verdict.cls == "healthy"


RAISED = (
    'Traceback (most recent call last):\n  File "/opt/job/client.py", line 57, in fit\n    table[key]\nKeyError: 57\n'
)


@pytest.mark.parametrize(("failed", "cls"), [(3, "software"), (2, "healthy")], ids=["all of them", "but one"])
def test_a_server_counts_on_though_its_clients_raised(failed: int, cls: str, report_of: ReportOf) -> None:
    fits = "".join(f"INFO :      2026-01-02 03:{n}:05 fits epoch {n} loss 0.{99 - n}\n" for n in range(10, 40))
    clients = {f"client_{n}.log": fits + RAISED * (n < failed) for n in range(3)}
    rounds = "".join(f"INFO :      2026-01-02 03:{n}:05 [ROUND {n - 9}]\n" for n in range(10, 40))
    server = rounds + "INFO :      2026-01-02 03:41:05 Run finished 30 round(s) in 1257.45s\n"
    assert report_of({"server.log": server, **clients}).verdict.cls == cls


EPOCHS = "".join(
    f"2031-02-03 04:{n:02d}:05,057 - INFO - Training epoch {n}/12\n"
    f"2031-02-03 04:{n:02d}:15,057 - INFO - Validation | val_accuracy: 0.57 | val_loss: 1.{n}\n"
    for n in range(1, 13)
)
EVALUATES = "2031-02-03 04:13:05,057 - INFO - Evaluating the model on the test set...\n"


def test_the_last_planned_epoch_excuses_no_failure_behind_it(report_of: ReportOf) -> None:
    failed = "2031-02-03 04:13:09,057 - ERROR - Training failed: cannot access local variable 'path57'\n"
    verdict = report_of({"train.log": EPOCHS + EVALUATES + failed}).verdict
    assert (verdict.cls, verdict.first_evidence and verdict.first_evidence.line) == ("software", 26)
    assert report_of({"train.log": EPOCHS + EVALUATES}).verdict.cls == "healthy"


@pytest.mark.parametrize(
    ("between", "cls"),
    [("", "infrastructure"), ("".join(f"Step {n}, Loss: 2.{n}\n" for n in range(58, 90)), "healthy")],
    ids=["at once", "behind more steps"],
)
def test_what_a_program_says_at_every_end_of_its_training(between: str, cls: str, report_of: ReportOf) -> None:
    steps = "".join(f"Step {n}, Loss: 2.{n}\n" for n in range(10, 58))
    said = f"{steps}\nTraining interrupted! Saving checkpoint...\n{between}Training complete!\n"
    assert report_of({"train.log": said}).verdict.cls == cls


@pytest.mark.parametrize(("behind", "cls"), [("", "software"), ("the report is written\n" * 9, "healthy")])
def test_what_ends_a_file_behind_a_training_that_stopped_early(behind: str, cls: str, report_of: ReportOf) -> None:
    """It stopped in one of its parts, of which the last came to its end."""
    folds = "".join(
        f"2026-01-02 03:04:{10 * fold + n} - INFO - epoch {n} - val loss: 0.{57 - n}\n" if n < 8
        else f"2026-01-02 03:04:{10 * fold + n} - INFO - Early stopping triggered\n"
        for fold in range(1, 5) for n in range(9)
    )  # fmt: skip
    error = (
        "2026-01-02 03:05:00 - ERROR - Error in the pipeline: too many values to unpack (expected 57)\n"
        'Traceback (most recent call last):\n  File "/opt/run57/main.py", line 895, in main\n    model = train(57)\n'
        '  File "/opt/run57/main.py", line 521, in train\n    a, b = score(57)\nValueError: too many values to unpack (expected 57)\n'
    )
    assert report_of({"results.log": folds + error + behind}).verdict.cls == cls
