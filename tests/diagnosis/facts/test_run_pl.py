"""Recipes of Kaldi, of which each command has a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
ACCUMULATES = "gmm-acc-stats-ali exp/tri57/{n}.mdl scp:data/train/split3/{part}/feats.scp exp/tri57/{n}.{part}.acc"
UPDATES = "gmm-est exp/tri57/{n}.mdl exp/tri57/{n}.acc exp/tri57/{n}.mdl"
LOOKS = "gunzip -c exp/tri57/stats.gz | steps/diagnostic/analyze_phone_length_stats.py data/lang"


def _log(command: str, second: int, said: str = "", code: int | None = 0) -> str:
    clock = f"Fri Jan  2 03:{second // 60:02d}:{second % 60:02d} UTC 2026"
    ended = f"# Accounting: time=0 threads=1\n# Ended (code {code}) at {clock}, elapsed time 0 seconds\n"
    return f"# {command}\n# Started at {clock}\n#\n{command}\n{said}" + ended * (code is not None)


def _training(iterations: int, folder: str = "exp/tri57/log") -> dict[str, str]:
    parts = {
        f"{folder}/acc.{n}.{part}.log": _log(
            ACCUMULATES.format(n=n, part=part), n, "LOG (gmm-acc-stats-ali[5.5]:main():x.cc:57) Done 570 files.\n"
        )
        for n in range(1, iterations + 1)
        for part in (1, 2, 3)
    }
    return parts | {
        f"{folder}/update.{n}.log": _log(UPDATES.format(n=n), n, "LOG (gmm-est[5.5]:main():x.cc:75) Written\n")
        for n in range(1, iterations + 1)
    }


def test_a_training(report_of: ReportOf) -> None:
    report = report_of(_training(7))
    assert (report.verdict.cls, report.job.last_step, report.coverage.ranks_seen) == ("healthy", 7, 3)


@pytest.mark.parametrize("folder", ["exp/mono57/log", "exp/tri75/log"], ids=["before", "behind"])
def test_the_training_that_was_started_last_counts(folder: str, report_of: ReportOf) -> None:
    later = {name: text.replace(" 03:", " 04:") for name, text in _training(5, "exp/sat57/log").items()}
    assert report_of({**_training(9, folder), **later}).job.last_step == 5


def test_an_iteration_that_was_not_completed_does_not_count(report_of: ReportOf) -> None:
    files = _training(7) | {"exp/tri57/log/acc.8.1.log": _log(ACCUMULATES.format(n=8, part=1), 50, code=None)}
    assert report_of(files).job.last_step == 7


NOT_FOUND = "/usr/bin/env: 'python': No such file or directory\n"


@pytest.mark.parametrize(
    ("command", "said", "code", "cls"),
    [
        (LOOKS, NOT_FOUND, 127, "healthy"),
        ("steps/align57.sh data/train", NOT_FOUND, 127, "config"),
    ],
    ids=["a diagnosis", "a stage"],
)
def test_a_command_that_failed(command: str, said: str, code: int, cls: str, report_of: ReportOf) -> None:
    last = {"exp/tri57/log/analyze.log": _log(command, 57, said, code)}
    assert report_of(_training(7) | last).verdict.cls == cls


def test_a_command_that_failed_and_was_run_again(report_of: ReportOf) -> None:
    failed = {"exp/tri57/log/make.1.log": _log("make57 data/train", 0, code=57)}
    assert report_of(failed | _training(7)).verdict.cls == "healthy"


def test_a_command_that_stopped_at_an_assertion(report_of: ReportOf) -> None:
    said = "ASSERTION_FAILED (est-lda[5.5]:Estimate():x.cc:57) Assertion failed: (dim < 75)\n\n[ Stack-Trace: ]\nmain+0x57\n"
    files = {
        "log/lda_acc.1.log": _log(ACCUMULATES.format(n=1, part=1), 1),
        "log/lda_est.log": f"est-lda --dim=57 a b\n{said}",
    }
    verdict = report_of(files).verdict
    assert verdict.first_evidence is not None
    assert (verdict.cls, verdict.first_evidence.file, verdict.first_evidence.line) == ("software", "log/lda_est.log", 2)


def test_an_error_that_the_command_lived_with(report_of: ReportOf) -> None:
    said = "ERROR (subset-feats[5.5]:Write():x.cc:57) Write failure to standard output\n"
    files = _training(7) | {"exp/tri57/log/init.log": _log("gmm-init-mono --shared-phones=57", 0, said)}
    assert report_of(files).verdict.cls == "healthy"


@pytest.mark.parametrize(
    ("names", "seen"),
    [(("mfcc_57.1.log", "mfcc_57.2.log", "mfcc_57.3.log"), 3), (("mfcc_57.1.log", "mfcc_57.3.log"), 0)],
    ids=["in a row", "with a gap"],
)
def test_parts_that_only_the_names_of_files_number(names: tuple[str, ...], seen: int, report_of: ReportOf) -> None:
    files = {f"exp/make/{name}": _log(f"compute-mfcc-feats scp:wav.{n} ark:-", n) for n, name in enumerate(names)}
    assert report_of(files).coverage.ranks_seen == seen
