"""What speaks against each sign of life."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.report import Report
from logtui.diagnosis.predicates.health import AGAINST, Sign, stands

FactsOf = Callable[[Mapping[str, str]], Facts]
ReportOf = Callable[[Mapping[str, str]], Report]

STEPS = "".join(f"2026-11-21 04:10:{n:02d},000 INFO train: step {n} loss 2.31 step_time 0.500s\n" for n in range(40))
RAISED = (
    "[rank3]: Traceback (most recent call last):\n"
    '[rank3]:   File "/opt/job/train.py", line 7, in main\n'
    "[rank3]: AttributeError: 'NoneType' object has no attribute 'shape'\n"
)
KILLED = (
    "[default2]:[rank2]: hello\n"
    "E1121 04:12:12.014000 11807 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: -9) "
    "local_rank: 2 (pid: 4242) of binary: /usr/bin/python3\n"
)
LOST = (
    "node001:4411:4602 [0] misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer node9<46776>\n"
)


def standing(facts: Facts) -> set[Sign]:
    return {sign for sign in Sign if stands(facts, sign)}


def test_each_sign_has_what_speaks_against_it() -> None:
    assert set(AGAINST) == set(Sign)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(STEPS, {Sign.STEPS, Sign.LEFT, Sign.PROGRESS, Sign.SILENCE}, id="nothing"),
        pytest.param(STEPS + RAISED, {Sign.STEPS}, id="an exception, which a rule of its own weighs"),
        pytest.param(STEPS + KILLED, set(), id="a killed process"),
        pytest.param(STEPS + LOST, set(), id="a lasting echo"),
        pytest.param(
            STEPS[: len(STEPS) // 2] + LOST + STEPS[len(STEPS) // 2 :], {Sign.STEPS, Sign.LEFT}, id="an echo outlived"
        ),
    ],
)
def test_what_stands(facts_of: FactsOf, text: str, expected: set[Sign]) -> None:
    assert standing(facts_of({"job.log": text})) == expected


def test_a_hang_speaks_against_all(facts_of: FactsOf, lines: Any) -> None:
    assert standing(facts_of({"job.log": STEPS + lines.victim(0) + lines.victim(1)})) == set()


REFUSED = "Max retries exceeded with url: /v1/objects/shard-57.tar (Caused by NewConnectionError('refused'))\n"
FETCHED = "".join(f"fetched part {n} of the index\n" for n in range(100))


@pytest.mark.parametrize(
    ("text", "cls"),
    [
        (f"fetching failed: {REFUSED}{FETCHED}All parts are complete.\n", "healthy"),
        (f"fetching failed: {REFUSED}{FETCHED}所有数据下载完成！\n", "healthy"),
        (f"{FETCHED}fetching failed: {REFUSED}All parts are complete.\n", "storage-io"),
        (f"fetching failed: {REFUSED}{FETCHED}", "storage-io"),
        (f"{FETCHED}[skip] part 57 failed to load: it is of another width\n{FETCHED}All parts are saved.\n", "healthy"),
        (f"{FETCHED}part 57 failed to load\nAll parts are saved.\n", "unknown"),
        (f"{FETCHED}3: W0203 04:05:06.870000 57 rendezvous.py:1282] failed to shut down\nDONE\n", "healthy"),
    ],
    ids=[
        "done",
        "done, in Chinese",
        "shortly before",
        "not said to be done",
        "skipped",
        "not skipped",
        "a task's warning",
    ],
)
def test_a_complaint_far_above_words_of_completion_was_survived(text: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": text}).verdict.cls == cls


def _said(form: str) -> str:
    return "".join(form.format(n=n, up=n / 100, value=abs(n * 7919 % 13) / 100 + 0.005) for n in range(40))


@pytest.mark.parametrize(
    ("form", "cls"),
    [
        ("the average likelihood is -{value:.3f}\n", "healthy"),
        ("waited {up:.2f} in all\n", "unknown"),
        ("the time is {value:.3f}\n", "healthy"),
        ("03:04:{value:.3f} still here\n", "healthy"),
    ],
    ids=["worked out", "growing", "of time", "a stamp"],
)
def test_figures_that_go_up_and_down_are_work(form: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": "the model is there\n" + _said(form)}).verdict.cls == cls


@pytest.mark.parametrize(
    ("text", "cls"),
    [
        ("step 10 loss 2.31\nstep 20 loss 2.12\n", "healthy"),
        ("step 10 loss 2.31\n", "healthy"),
        ("step 10 loss\n", "healthy"),
        ("step 10 loss 2.31\nstep 20 loss 2.12\nERROR: the reader is gone\n", "software"),
    ],
    ids=["two", "one", "one of which nothing came out", "a complaint behind them"],
)
def test_a_job_that_has_just_begun_to_train(text: str, cls: str, report_of: ReportOf) -> None:
    verdict = report_of({"job.log": "the model is there\n" + text}).verdict
    assert (verdict.cls, verdict.confidence) == (cls, "low")


def test_a_process_that_exports_after_one_that_trained_to_its_end(report_of: ReportOf) -> None:
    start = "2031-02-03 0{}:04:05.290329: E tensorflow/compiler/xla/stream_executor/cuda/cuda_dnn.cc:9342] Unable to register cuDNN factory: Attempting to register factory\n"
    train = "".join(f"INFO    batch {n}00 training time 0.9{n} s, testing time 0.01 s\n" for n in range(9))
    text = start.format(3) + train + "INFO    finished training\n" + start.format(5) + "INFO    546 ops in the graph.\n"
    assert report_of({"train.log": text}).verdict.cls == "healthy"


@pytest.mark.parametrize("word", ["Terminated", "Killed"])
def test_the_shell_s_word_behind_a_clock_that_a_program_had_printed(word: str, report_of: ReportOf) -> None:
    text = "epoch 5 loss 2.1\n" * 3 + f"2031-02-03 04:13:57.870606: {word}\n"
    assert report_of({"train.out": text}).verdict.cls in ("infrastructure", "host-oom")
