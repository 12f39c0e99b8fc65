"""What a program warns of and goes on without is no cause where it fails of something else."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

BUILD = "[2026-11-21 04:10:00,123] [WARNING] [engine.py:57:optimizer] build failed (Error building extension 'fused57')\n/bin/sh: 1: c++: not found\n"
FULL = (
    "[rank1]: Traceback (most recent call last):\n"
    '[rank1]:   File "/opt/job/train.py", line 57, in main\n'
    "[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.57 GiB.\n"
)


@pytest.mark.parametrize(("text", "cls"), [(BUILD + FULL, "gpu-oom"), (BUILD, "software")], ids=["goes on", "ends"])
def test_a_build_that_another_way_replaces(text: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"train.log": text}).verdict.cls == cls


REFUSED = "srun: error: Unable to create step for job 4821: More processors requested than permitted\n"
APART = "At least one pair of MPI processes are unable to reach each other for\nMPI communications.\n"


@pytest.mark.parametrize(("text", "line"), [(REFUSED + APART, 2), (REFUSED, 1)], ids=["goes on", "ends"])
def test_a_step_that_was_refused_before_others_ran(text: str, line: int, report_of: ReportOf) -> None:
    evidence = report_of({"job.err": text}).verdict.first_evidence
    assert evidence is not None and evidence.line == line


TRIED = "starts case {n}\n/var/spool/job57/slurm_script: line 20: ./solver: Permission denied\n"


@pytest.mark.parametrize(
    ("cases", "found"), [(range(1, 80), ("config", 2)), (range(1, 2), ("healthy", None))], ids=["each time", "once"]
)
def test_a_command_that_a_script_tries_in_vain_each_time(
    cases: range, found: tuple[str, int | None], report_of: ReportOf
) -> None:
    went_on = "".join(f"case {n} gives {n}.57\n" for n in range(90)) if len(cases) == 1 else ""
    verdict = report_of(
        {"job.out": "".join(TRIED.format(n=n) for n in cases) + went_on + "All runs are done!\n"}
    ).verdict
    assert (verdict.cls, verdict.first_evidence and verdict.first_evidence.line) == found


LIBRARY = (
    'Traceback (most recent call last):\n  File "/opt/venv/lib/python3.12/site-packages/quant57/lib.py", line 7, in load\n'
    "OSError: /opt/venv/libquant57_cpu.so: cannot open shared object file: No such file or directory\n"
)
SETTINGS = (
    'Traceback (most recent call last):\n  File "/opt/job/cli.py", line 57, in main\n    check()\n'
    "pydantic_core._pydantic_core.ValidationError: 2 validation errors for Config57\n"
)


@pytest.mark.parametrize(
    ("text", "cls"), [(LIBRARY + SETTINGS, "config"), (LIBRARY, "software")], ids=["goes on", "ends"]
)
def test_a_library_that_is_not_there_and_not_needed(text: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"train.log": text}).verdict.cls == cls


@pytest.mark.parametrize(
    ("said", "cls"),
    [("request rejected (attempt 3/3). Retrying round.", "unknown"), ("request rejected, retrying 3/3", "storage-io")],
    ids=["goes on", "ends"],
)
def test_the_last_try_of_a_round_that_is_tried_again(said: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"node.log": f"loads\nWARNING: no quorum, {said}\nwaits\n"}).verdict.cls == cls


LACKS = 'Lmod has detected the following error: The following module(s) are unknown: "CUDA/57"\n'
READS = (
    'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n    data = load(path)\n'
    '  File "/opt/venv/lib/python3.11/site-packages/store57/io.py", line 7, in load\n    pickle.load(fp)\n'
    "ModuleNotFoundError: No module named 'array57._core'\n"
)
LOADS = (
    'Traceback (most recent call last):\n  File "/opt/job/train.py", line 1, in <module>\n    import array57\n'
    "ModuleNotFoundError: No module named 'array57'\n"
)


@pytest.mark.parametrize(("text", "line"), [(LACKS + READS, 7), (LACKS + LOADS, 1)], ids=["reads", "loads"])
def test_a_module_that_is_unknown_and_not_missed(text: str, line: int, report_of: ReportOf) -> None:
    evidence = report_of({"job.err": text}).verdict.first_evidence
    assert evidence is not None and evidence.line == line


def test_a_complaint_above_which_work_had_gone_on(report_of: ReportOf) -> None:
    """What was said before between the steps is no failed stage where it is said at the end."""
    bar = "".join(f"  {n}%|##   | {n}/100 [00:{n:02d}<01:00, 1.0it/s, loss=0.{n}]\r" for n in range(1, 57))
    waits = "Timeout waiting for batch items.\n"
    assert report_of({"train.log": bar + waits + bar + "\n" + waits}).verdict.cls != "software"


TAKEN = "ERROR:    [Errno 98] error while attempting to bind on address ('0.0.0.0', 8057): address already in use\n"
ANSWERS = "".join(f'INFO:     127.0.0.1:5{n}57 - "POST /search HTTP/1.1" 200 OK\n' for n in range(20))


@pytest.mark.parametrize(("behind", "cls"), [(ANSWERS, "healthy"), ("", "config")], ids=["again", "gives up"])
def test_a_server_that_did_not_get_its_port_and_was_started_again(behind: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"serve.log": "INFO:     Started server process [57]\n" + TAKEN + behind}).verdict.cls == cls


NO_PLACE = "mkdir: cannot create directory '/app57': Read-only file system\n"


@pytest.mark.parametrize(("behind", "storage"), [(300, False), (5, True)], ids=["long after", "soon"])
def test_a_place_that_a_script_could_not_make(behind: int, *, storage: bool, report_of: ReportOf) -> None:
    work = "".join(f"answers request {n * n} of client {n % 7}\n" for n in range(behind))
    failed = (
        "Traceback (most recent call last):\n"
        '  File "/opt/job/serve.py", line 57, in <module>\n'
        "    serve(opts)\n"
        "ValueError: unknown option: width57\n"
    )
    verdict = report_of({"job.out": NO_PLACE + work + failed}).verdict
    assert (verdict.cls == "storage-io") is storage


ASKS = "WARNING 01-02 03:04:05 [ray_utils.py:57] The number of required GPUs exceeds the total number of available GPUs in the placement group.\n"
WAITS = "".join(
    f"INFO 01-02 03:{n:02}:05 [ray_utils.py:57] Waiting for creating a placement group of specs for {n * 57} seconds.\n"
    for n in range(5, 9)
)
GIVEN_UP = (
    "*** SIGTERM received at time=1893553445 on cpu 5 ***\n"
    + "    @     0x7b57  57  pthread_cond_timedwait\n" * 120
    + 'Traceback (most recent call last):\n  File "uvloop/loop.pyx", line 57, in run\n    return await main\n'
    "asyncio.exceptions.CancelledError\n\nDuring handling of the above exception, another exception occurred:\n\n"
    'Traceback (most recent call last):\n  File "/opt/job/bin/serve", line 57, in <module>\n    run()\nKeyboardInterrupt\n'
)


def test_a_wait_for_devices_that_somebody_gave_up(report_of: ReportOf) -> None:
    verdict = report_of({"serve.log": ASKS + WAITS + GIVEN_UP}).verdict
    assert verdict.cls == "config" and verdict.first_evidence is not None and verdict.first_evidence.line == 1


SERVER = "2026-01-02 03:04:05 [ERROR   ] board57 : Failed to start web server: [Errno 98] Address already in use\n"
WORKS = "".join(f"2026-01-02 03:04:{n:02} [INFO    ] board57 : state {n} of 57 is set up\n" for n in range(6, 20))
CALLED = (
    '[rank0]: Traceback (most recent call last):\n[rank0]:   File "/opt/job/main.py", line 57, in <module>\n'
    "[rank0]: TypeError: evolve() got an unexpected keyword argument 'count'\n"
)


@pytest.mark.parametrize(("behind", "cls"), [(CALLED, "software"), ("", "config")], ids=["it raised later", "alone"])
def test_a_server_beside_the_work_that_found_its_port_taken(behind: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": SERVER + WORKS * bool(behind) + behind}).verdict.cls == cls
