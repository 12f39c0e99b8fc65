"""Causes behind which the program, or others that write into its file, worked on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
REFUSED = "usage: main.py [-h] [-s {A57,B57}]\nmain.py: error: argument -s: invalid choice: 'C57' (choose from 'A57', 'B57')\n"


def _tested(numbers: range, loss: str = "0.{:03}") -> str:
    said = "Test set: [ {}] Average loss: " + loss + ", Accuracy: {}/10000 ({}%)\n"
    return "".join(said.format(n, 900 - n, 9000 + n, 90) for n in numbers)


def test_a_refused_start_amid_others_that_work_is_none_of_theirs(report_of: ReportOf) -> None:
    report = report_of({"nohup.out": _tested(range(20)) + REFUSED + _tested(range(20, 160))})
    assert report.verdict.cls == "healthy"


def test_a_refused_start_with_which_the_file_ends_is_the_last(report_of: ReportOf) -> None:
    assert report_of({"nohup.out": _tested(range(20)) + REFUSED}).verdict.cls == "config"


def test_losses_that_are_numbers_again_are_another_runs(report_of: ReportOf) -> None:
    gone = "".join(f"Test set: [ {n}] Average loss: nan, Accuracy: 1000/10000 (10%)\n" for n in range(20))
    assert report_of({"nohup.out": gone + _tested(range(60))}).verdict.cls == "healthy"
    assert report_of({"nohup.out": _tested(range(60)) + gone}).verdict.cls != "healthy"


SERVED = "Jan 02 03:{:02}:05 node007 served[{}]: answers request {} in 0.{} s\n"
FAILED = "Jan 02 03:04:06 node007 served[57]: llama_model_load: error loading model: unable to allocate CUDA0 buffer\n"


def test_a_service_that_speaks_on_behind_a_model_that_it_could_not_load(report_of: ReportOf) -> None:
    """And not another process of its name."""
    for pid in (57, 75):
        served = "".join(SERVED.format(n % 60, pid, n, n % 7) for n in range(10, 157))
        assert (report_of({"journal.txt": FAILED + served}).verdict.cls == "gpu-oom") is (pid != 57)


USAGE = "usage: train.py [-h] [--workers N]\ntrain.py: error: unrecognized arguments: --total=57\n"
TABLE = "".join(
    "== Status ==\nResult logdir: /opt/job/run57\nNumber of trials: 1 (1 RUNNING)\n"
    "| Trial name | status   | loc            |   iter |   total time (s) |\n"
    f"| PPO_57     | RUNNING  | 10.0.0.7:4242  | {n:>6} | {57.5 * n:>16} |\n\n"
    for n in range(1, 60)
)
NOTED = "".join(f"{what} of part {n} is kept\n" for n in range(1, 260) for what in ("shape", "size", "name", "hash"))


@pytest.mark.parametrize(
    ("behind", "cls"),
    [(TABLE, "healthy"), (NOTED, "unknown"), (NOTED[:900], "config"), ("", "config")],
    ids=["a table that moves", "much of another", "little", "nothing"],
)
def test_a_program_that_did_not_begin_above_another_one(behind: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"nohup.out": USAGE + behind}).verdict.cls == cls


NO_MEMORY = "CUDA out of memory. Tried to allocate 464.00 MiB."
QUIET = "".join(f"{word} is kept as it was\n" for word in ("mask", "grid", "wind", "rain", "snow"))


@pytest.mark.parametrize(
    ("text", "cls"),
    [
        (f"  [57/412] 2xt3... Error: {NO_MEMORY}\n  [58/412] 16vp... loss 0.57\n" + QUIET, "healthy"),
        (f"  [57/412] 2xt3... Error: {NO_MEMORY}\n  [58/90] 16vp... loss 0.57\n" + QUIET, "gpu-oom"),
        (f"WARNING iter 7 (rank 0): {NO_MEMORY}\nWARNING Skipped iter 7 for that (1 of 10).\n" + QUIET, "healthy"),
        (f"WARNING iter 7 (rank 0): {NO_MEMORY}\nWARNING Skipped iter 7 for that (1 of 10).\n", "gpu-oom"),
    ],
    ids=["the next item", "another list's", "a step skipped", "nothing more"],
)
def test_what_one_of_many_items_wanted_for(text: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"train.log": "the sets are listed\n" + text}).verdict.cls == cls


NOTED_BY = "[2031-02-03 04:05:06,789][metrics][INFO] - "
DECODING = (
    NOTED_BY + "Collected error (id=A57): JSONDecodeError: Expecting ',' delimiter: line 57 column 7 (char 575)\n"
)
RESULTS = NOTED_BY + "Evaluation results: 57 of 61\n" + NOTED_BY + "Writing what came out\n" + NOTED_BY + "It is kept\n"


def test_what_is_logged_for_information_ended_nothing(report_of: ReportOf) -> None:
    assert report_of({"eval.log": DECODING * 3 + RESULTS}).verdict.cls in ("healthy", "unknown")
    assert report_of({"eval.log": RESULTS + DECODING.replace("INFO", "ERROR")}).verdict.cls == "data"


WANDB = "2031-02-03 04:05:{:02},436 {} MainThread:57 [internal.py:{}():153] {}\n"
TIDIES = "".join(
    WANDB.format(n, "INFO", "finish", f"shutting down part {n} of the sender, which is done") for n in range(10, 20)
)


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ("WARNING", "Internal process interrupt: 1"),
        ("INFO", "handling exit code: 255"),
        ("WARNING", "Internal process exiting, parent pid 57 disappeared"),
    ],
    ids=["interrupted", "exit code", "gone"],
)
def test_a_tracker_that_tidies_up_behind_an_interrupt(level: str, said: str, report_of: ReportOf) -> None:
    report = report_of({"debug-internal.log": WANDB.format(7, level, "wandb_internal", said) + TIDIES})
    assert report.verdict.cls == "infrastructure"


REFUSED_MODEL = (
    "2031-02-03 04:05:06,789 - INFO - \n[{0}/13] EVALUATING: speech57/model{0}\n"
    "2031-02-03 04:05:07,789 - ERROR - OSError: You are trying to access a gated repo.\n"
    "Access to model speech57/model{0} is restricted and you are not in the authorized list.\n"
)


def test_the_next_item_is_begun_behind_one_that_was_refused(report_of: ReportOf) -> None:
    told = "".join(map(REFUSED_MODEL.format, range(6, 9)))
    assert report_of({"evaluation.log": told}).verdict.cls == "config"
    begun = told + "2031-02-03 04:05:09,789 - INFO - \n[9/13] EVALUATING: speech57/model9\nits words are read\n"
    assert report_of({"evaluation.log": begun}).verdict.cls in ("healthy", "unknown")


ZONES = (
    "Asking for a machine in north57-a...\ncode: ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS\n"
    "message: the zone does not have enough resources available to fulfill the request\n"
    "    Failed in north57-a. Trying next...\n"
)


def test_a_zone_without_a_machine_of_which_another_one_had_one(report_of: ReportOf) -> None:
    """Where none has, that is why it ends."""
    assert report_of({"run.log": ZONES + "the machine is made\n" + _tested(range(9))}).verdict.cls == "healthy"
    assert report_of({"run.log": ZONES + "ERROR: no zone is left\n"}).verdict.cls == "infrastructure"
