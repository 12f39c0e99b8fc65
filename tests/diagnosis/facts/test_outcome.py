"""Which line of a job's is its ending, where the scheduler ended it later."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
SYNCED = "wandb: Synced 5 W&B file(s), 0 media file(s), 0 artifact file(s) and 0 other file(s)\n"
STOPPED = "slurmstepd: error: *** JOB 4821 ON node07 CANCELLED AT 2026-03-05T15:42:03 DUE TO TIME LIMIT ***\n"


@pytest.mark.parametrize(
    ("lines", "cls"), [(200, "infrastructure"), (4, "healthy")], ids=["a sweep's next run", "its own teardown"]
)
def test_an_ending_long_before_the_time_limit_is_one_runs_of_several(report_of: ReportOf, lines: int, cls: str) -> None:
    said = "".join(f"warning {n}: precision is ill-defined\n" for n in range(lines))
    assert report_of({"job-4821.err": "loading the data\n" + SYNCED + said + STOPPED}).verdict.cls == cls


@pytest.mark.parametrize(
    ("clock", "cls"), [("09:41:00", "infrastructure"), ("15:41:00", "healthy")], ids=["held on", "just in time"]
)
def test_a_job_that_said_its_last_word_and_did_not_end_ran_into_its_limit(
    report_of: ReportOf, clock: str, cls: str
) -> None:
    steps = "".join(f"2026-03-05 09:{n}:00 INFO step {n} loss 2.{n}\n" for n in range(10, 40))
    report = report_of({"out.log": steps + f"2026-03-05 {clock} INFO training finished\n", "err.log": STOPPED})
    assert report.verdict.cls == cls


@pytest.mark.parametrize(
    ("outer", "cls"), [(" 18%|█▊  | 11/60 [01:28<07:00, 8.57s/it]", "infrastructure"), ("", "healthy")]
)
def test_a_full_bar_within_another_is_no_ending(report_of: ReportOf, outer: str, cls: str) -> None:
    full = "".join(f" {n}0%|██ | {n}/10 [00:0{n}<00:01, 5.16it/s]\n" for n in range(1, 10))
    full += "100%|███| 10/10 [00:10<00:00, 5.16it/s]\n"
    stopped = STOPPED.replace(" DUE TO TIME LIMIT", "")
    assert report_of({"job.err": "loading\n" + full + outer + "\n" + stopped}).verdict.cls == cls


def test_conda_was_not_missed_where_a_bar_fills(report_of: ReportOf) -> None:
    missed = "CommandNotFoundError: Your shell has not been properly configured to use 'conda activate'.\n"
    bar = "\r".join(f" {n}%|█ | {n}/50 [{n}:10<8:34:20, 629.80s/it]" for n in range(12))
    assert report_of({"job.err": missed + bar + STOPPED}).verdict.cls == "infrastructure"
    assert report_of({"job.err": missed + "ready\n" + STOPPED}).verdict.cls == "infrastructure"
    assert report_of({"job.err": missed + "ready\n"}).verdict.cls == "config"


def test_what_a_task_left_to_its_loop_raised_ends_nothing(report_of: ReportOf) -> None:
    left = (
        "ERROR:asyncio:Task exception was never retrieved\nfuture: <Task finished name='Task-15'>\n"
        'Traceback (most recent call last):\n  File "/opt/venv/lib/python3.12/site-packages/httpx/_client.py", line 57, in '
        "aclose\nRuntimeError: Event loop is closed\n"
    )
    raised = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\nValueError: bad shape\n'
    verdict = report_of({"job.err": left + raised}).verdict
    assert verdict.cls == "software" and verdict.first_evidence is not None and verdict.first_evidence.line == 8


def test_what_nobody_caught_behind_the_training_failed_all_the_same(report_of: ReportOf) -> None:
    ended = "57 epochs completed in 0.570 hours.\n"
    raised = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\nValueError: bad key\n'
    hydra = "\nSet the environment variable HYDRA_FULL_ERROR=1 for a complete stack trace.\n"
    assert report_of({"job.log": ended}).verdict.cls == "healthy"
    assert report_of({"job.log": ended + raised + hydra}).verdict.cls == "software"
    assert report_of({"job.log": ended + raised.replace("in main", "in <module>")}).verdict.cls == "software"
    assert report_of({"job.log": ended + "Exception ignored in: <f>\n" + raised}).verdict.cls == "healthy"


@pytest.mark.parametrize(
    ("raised", "cls"),
    [
        pytest.param(
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 57.00 MiB.\n", "gpu-oom", id="grave"
        ),
        pytest.param("", "healthy", id="nothing"),
    ],
)
def test_a_script_may_not_see_that_its_program_failed(raised: str, cls: str, report_of: ReportOf) -> None:
    trace = (
        f'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n{raised}' if raised else ""
    )
    job = "".join(f"step {n} loss 2.5\n" for n in range(9)) + trace
    assert report_of({"job.log": f"{job}ENDING TIMING RUN AT 2026-01-02 03:04:05 AM\n"}).verdict.cls == cls


@pytest.mark.parametrize(("behind", "cls"), [("", "infrastructure"), (" loss 2.31", "healthy")], ids=["begins", "over"])
def test_the_heading_of_the_last_epoch_is_no_ending(report_of: ReportOf, behind: str, cls: str) -> None:
    epochs = "".join(f"Epoch {n}/9:{behind}\nreads its 57 shards\n" for n in range(1, 10))
    stopped = STOPPED.replace(" DUE TO TIME LIMIT", "")
    assert report_of({"train.out": epochs, "train.err": "ready\n" + stopped}).verdict.cls == cls


@pytest.mark.parametrize(("until", "cls"), [(160, "infrastructure"), (900, "healthy")], ids=["killed later", "went on"])
def test_a_job_trains_on_until_it_is_killed(report_of: ReportOf, until: int, cls: str) -> None:
    def steps(first: int, last: int) -> str:
        return "".join(
            f"2026-03-05 15:{40 + n // 60}:{n % 60:02d} INFO step {n} loss 2.{n}\n" for n in range(first, last)
        )

    stopped = STOPPED.replace(" DUE TO TIME LIMIT", "")
    assert report_of({"job.err": steps(0, 123) + stopped + steps(123, until)}).verdict.cls == cls


def test_a_trackers_own_good_end_is_not_that_of_a_program_that_raised(report_of: ReportOf) -> None:
    debug = (
        "2026-03-05 18:16:48,508 INFO    MainThread:4242 [wandb_run.py:_finish():2270] finishing run\n"
        "2026-03-05 18:16:48,510 INFO    MainThread:4242 [wandb_run.py:_atexit_cleanup():2469] got exitcode: 0\n"
    )
    output = "the actor is updated\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.57 GiB.\n"
    assert report_of({"debug.log": debug, "output.log": output}).verdict.cls == "gpu-oom"
    assert report_of({"debug.log": debug, "output.log": "the actor is updated\n"}).verdict.cls == "healthy"


def test_what_a_script_asks_python_ends_no_job(report_of: ReportOf) -> None:
    asked = "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\nModuleNotFoundError: No module named 'vit57'\n"
    steps = "".join(f"2026-03-05 09:{n}:00 INFO step {n} loss 2.{n}\n" for n in range(10, 40))
    assert report_of({"job.err": asked, "job.out": steps}).verdict.cls == "healthy"
    assert report_of({"job.err": asked, "job.out": "loading\n"}).verdict.cls != "healthy"


def test_a_connection_that_could_not_be_closed_after_the_end_is_noise(report_of: ReportOf) -> None:
    stop = (
        '0: :::MLLOG {"namespace": "", "time_ms": 1763726400000, "event_type": "INTERVAL_END", "key": "run_stop", '
        '"value": null, "metadata": {"status": "success"}}\n'
    )
    closed = (
        "7: ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error.\n"
        "7: Last error:\n7: [Proxy Service 7] Failed to execute operation Close from rank 7, retcode 3\n"
    )
    assert report_of({"result.txt": stop + closed}).verdict.cls == "healthy"


CASES = "".join(f"CASE {n}: {n}000 x {n}000\nthe solver is at work\nCASE {n} done, exit code 0\n" for n in (1, 2))
ABORTED = "terminate called after throwing an instance of 'std::length_error'\n  what():  vector::_M_default_append57\n"


def test_the_end_of_one_item_is_not_the_jobs_once_the_next_was_begun(report_of: ReportOf) -> None:
    report = report_of({"job.out": CASES + "CASE 3: 3000 x 3000\nthe solver is at work\n" + ABORTED})
    assert report.verdict.cls == "software"


def test_the_end_of_the_last_item_is(report_of: ReportOf) -> None:
    assert report_of({"job.out": CASES + "training finished\n"}).verdict.cls == "healthy"


ROUND = "[Fri Mar 20 11:53:{n:02d} 2026] [INFO] received weights\n[Fri Mar 20 11:53:{n:02d} 2026] [INFO] Finished training\n"
LOST = "[Fri Mar 20 11:53:57 2026] [ERROR] [Sock 5] Disconnected from server: Connection failed\n"


@pytest.mark.parametrize(("last", "cls"), [(LOST, "network"), ("", "healthy")], ids=["then lost", "the end"])
def test_what_is_said_of_each_round_is_no_sure_end(report_of: ReportOf, last: str, cls: str) -> None:
    rounds = "".join(ROUND.format(n=n) for n in range(57))
    verdict = report_of({"client_1.log": rounds + last}).verdict
    assert verdict.cls == cls
    assert verdict.confidence != "high"


def test_another_file_that_ends_with_an_error_later(report_of: ReportOf) -> None:
    rounds = "".join(ROUND.format(n=n) for n in range(57))
    assert report_of({"server.log": rounds, "client_1.log": "reads\n" * 9 + LOST}).verdict.cls == "network"


RESULT = "\nTotal iterations: 16\nPower iterations: 8\nCSV file: a57.csv\nWorld size: 8\n0, 1.680710\n1, 1.717617\nTotal time: 8.849559\nError: 4.0{n:02d}\n"
FULL = "srun: error: node007: tasks 0-7: Out Of Memory\n"


@pytest.mark.parametrize(("after", "cls"), [(57, "unknown"), (0, "host-oom")], ids=["others went on", "the last"])
def test_a_step_of_a_script_that_ends_badly_amid_others(report_of: ReportOf, after: int, cls: str) -> None:
    """How far a result is off is no error either."""
    text = "".join(RESULT.format(n=n) for n in range(9)) + FULL + "".join(RESULT.format(n=n) for n in range(after))
    verdict = report_of({"job.out": text}).verdict
    assert verdict.cls == cls


def test_what_others_say_behind_one_that_died_is_no_other_step(report_of: ReportOf) -> None:
    ranks = "".join(f"Rank {n}: ready\nRank {n}: loads shard {n}\n" for n in range(8))
    died = "srun: error: node007: task 5: Exited with exit code 1\n"
    text = "world_size: 8\n" + ranks + died + "".join(RESULT.format(n=n) for n in range(57))
    assert report_of({"job.out": text}).verdict.cls != "healthy"


TRACKED = "2026-01-02 03:04:05,678 INFO    MainThread:4242 [wandb_run.py:_atexit_cleanup():2571] got exitcode: 0\n"
RAISED = (
    'Traceback (most recent call last):\n  File "/opt/job/run57.py", line 57, in on_end\n    shape = frame.shape\n'
    "AttributeError: 'NoneType' object has no attribute 'shape'\n"
)
PRESSED = (
    "2026-01-02 03:04:06,678 ERROR   MainThread:4242 [wandb_run.py:_atexit_cleanup():2591] Problem finishing run\n"
    'Traceback (most recent call last):\n  File "/opt/job/run57.py", line 57, in main\n    build()\nKeyboardInterrupt\n'
)


@pytest.mark.parametrize(
    ("files", "cls"),
    [
        ({"debug.log": TRACKED, "error.txt": "Failure # 1\n" + RAISED}, "software"),
        (
            {"debug.log": TRACKED, "output.log": RAISED + "goes on without it\n" * 5 + "Training completed.\n"},
            "healthy",
        ),
        ({"debug.log": TRACKED + PRESSED, "output.log": "builds\n"}, "infrastructure"),
        ({"debug.log": TRACKED, "output.log": "builds\n"}, "healthy"),
    ],
    ids=["another file ends with it", "it went on", "ctrl+c met the tracker", "nothing else"],
)
def test_what_a_tracker_was_told_of_its_own_process(files: Mapping[str, str], cls: str, report_of: ReportOf) -> None:
    assert report_of(files).verdict.cls == cls
