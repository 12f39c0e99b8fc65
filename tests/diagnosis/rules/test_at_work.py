"""Jobs whose step lines nobody declared: at work, finished, or in trouble."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

OWN = "".join(f"<{12 - n} cycles to go, seen> G_loss: {5.7 / n:.3f}\n" for n in range(1, 12))
BAR = "\r".join(f" {n}%|###      | {n}/100 [00:{n}<05:39,  1.27it/s]" for n in range(10, 40)) + "\n"
BEGUN = "\r  0%|          | 0/57 [00:00<?, ?it/s]\r  2%|1         | 1/57 [00:31<29:22, 31.96s/it]\n"
OPENS = "reading the manifest of 57 shards\nvocabulary of 4821 words is read\nmixed precision is turned on\n"
RAISED = (
    "Traceback (most recent call last):\n"
    '  File "evaluate.py", line 7, in main\n'
    "FileNotFoundError: [Errno 2] No such file or directory: 'shard57'\n"
)
TABLE = "".join(f"class {n}: 57 boxes\n" for n in range(80))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OWN, "healthy"),
        (BAR, "healthy"),
        (BEGUN, "healthy"),
        ("Loading shards:" + BEGUN.replace("\r", "\rLoading shards:"), "healthy"),
        (OPENS + RAISED + OPENS + OWN.replace("cycle", "pass"), "healthy"),
        (OWN + TABLE + "results saved to out/57.json\n", "healthy"),
        (OWN + TABLE, "healthy"),
        (OWN + "worker 3: request failed\n", "unknown"),
        (OWN + "cycle 57 G_loss: nan\n", "software"),
        (OWN + "Segmentation fault (core dumped)\n", "software"),
        ("loading\nready\n", "healthy"),
        ("comparing 57 checkpoints\nsaved summary to out/57.csv\n", "healthy"),
        ("comparing 57 checkpoints\n执行完成\n", "healthy"),
        ("comparing 57 checkpoints\nthe result is stored at out/57.csv\n", "healthy"),
        ("reading the manifest\nmodel loaded, set-up completed\n", "healthy"),
        ("reading the manifest\nskipping to the saved step 57\n", "healthy"),
        ("request failed\nsaved summary to out/57.csv\n", "unknown"),
        (
            "WARNING 01-02 03:04:05 loader.py:57 an optional module failed to load\nresults saved to out/57.csv\n",
            "healthy",
        ),
        ("a notice that comes again\n" * 57 + "[decoding 36/36] beam=5: ins=1.27\n", "healthy"),
        ("request failed\n" + "[decoding 36/36] beam=5: ins=1.27\n", "unknown"),
        ("reading the manifest\nmean accuracy: 0.57, F1: 0.75\n", "healthy"),
        ("full config saved to out/57.yaml\nusing seed 57\n", "healthy"),
    ],
    ids=[
        "own-words",
        "bar",
        "the first step of a bar",
        "the first shard of a model",
        "a new start behind a failure",
        "closed",
        "not-at-the-end",
        "trouble",
        "nan",
        "crash",
        "no-progress",
        "last words",
        "last words of others",
        "a result stored",
        "set-up",
        "a saved place",
        "trouble before the last words",
        "a warning before the last words",
        "the last of so many",
        "trouble before the last of so many",
        "results",
        "a saved configuration",
    ],
)
def test_the_end_of_the_log_decides(report_of: ReportOf, text: str, expected: str) -> None:
    verdict = report_of({"job.log": text}).verdict
    assert verdict.cls == expected
    if expected == "healthy":
        assert (verdict.confidence, verdict.culprit_ranks) == ("low", ())
        assert verdict.missing


@pytest.mark.parametrize(
    ("end", "cls"),
    [
        ("set HWE\n  bleu      edit\n0.920905  0.0546271\n========\n", "healthy"),
        ("Average one-step time: 0.0077662\nAverage communication time: 0.0045991\n", "healthy"),
        ("loaded the model in 57.25 s\n", "healthy"),
        ("request failed\nbleu 0.9209\n", "unknown"),
        ("waits for 57.25 s\n", "unknown"),
    ],
    ids=["a table", "times", "set-up", "trouble", "nothing that came out"],
)
def test_figures_that_were_worked_out_are_an_end(end: str, cls: str, report_of: ReportOf) -> None:
    verdict = report_of({"eval.log": "the sets are listed\n" + end}).verdict
    assert (verdict.cls, verdict.confidence) == (cls, "low")
