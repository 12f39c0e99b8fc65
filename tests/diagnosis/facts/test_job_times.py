"""When a job began and ended: by any of its lines, not only by those that a format knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report
from logtui.parsers.prefix.stamp import iso

ReportOf = Callable[[Mapping[str, str]], Report]
STEP = "2025-11-21 04:12:09,000 INFO train: step 57 loss 2.31\n"


@pytest.mark.parametrize(
    ("text", "started", "ended"),
    [
        (
            "Start time: 2025-11-19 23:57\nhello\nStart time: 2025-11-21 04:00\nEpoch 9 ACC = 0.57\n",
            "2025-11-21T04:00:00",
            "2025-11-21T04:00:00",
        ),
        (
            "training start time: 2025-11-21 04:16 KST\nit reads\ntraining end time: 2025-11-21 05:16 KST\n",
            "2025-11-21T04:16:00",
            "2025-11-21T05:16:00",
        ),
        (
            "Logging started at 20251121-0416\nreads its words\nsaved to logs/20251120-0101/model\n",
            "2025-11-21T04:16:00",
            "2025-11-21T04:16:00",
        ),
        (
            "RUNANDTIME_START 1763697600\nsamples: 57\nRUNANDTIME_STOP 1763697657\n",
            "2025-11-21T04:00:00",
            "2025-11-21T04:00:57",
        ),
        (
            "Sat Nov 22 23:59:00 UTC 2025\n[23:59:30] step 1 loss 2.5\n[00:01:57] all is saved\n",
            "2025-11-22T23:59:00",
            "2025-11-23T00:01:57",
        ),
        (
            "Started: 2025-11-21T04:00:01-04:00\nTraining finished.\nStarted: 2025-11-21T04:00:01-04:00\n",
            "2025-11-21T08:00:01",
            "2025-11-21T08:00:01",
        ),
        (
            "2025-11-21 04:00:01 hello\n[00:00:57] step 1\n[00:01:57] step 2\n",
            "2025-11-21T04:00:01",
            "2025-11-21T04:00:01",
        ),
        (
            "2025-11-21 04:00:01 hello\n" + STEP + "2025-11-21 04:57:00 goodbye\n",
            "2025-11-21T04:00:01",
            "2025-11-21T04:57:00",
        ),
        ("2025-11-21,04:00:01 hello\n" + STEP, "2025-11-21T04:00:01", "2025-11-21T04:12:09"),
        ("25-11-21 04:00:01.819 hello\n" + STEP, "2025-11-21T04:00:01.819", "2025-11-21T04:12:09"),
        ("the model of 2019-01-01 00:00:00 is read\n" + STEP, "2025-11-21T04:12:09", "2025-11-21T04:12:09"),
        ("[20251121_040001] a: 1, b: 2, c: 3\n" + STEP, "2025-11-21T04:00:01", "2025-11-21T04:12:09"),
        (STEP + "Job ended on Fri Nov 21 04:57:00 PM PST 2025\n", "2025-11-21T04:12:09", "2025-11-21T16:57:00"),
        ("Job started on Fri Nov 21 12:57:00 AM CEST 2025\n" + STEP, "2025-11-21T00:57:00", "2025-11-21T04:12:09"),
        ("I1121 04:00:01.451247 4821 loop.py:7] hello\n" + STEP, "2025-11-21T04:00:01.451", "2025-11-21T04:12:09"),
        (
            "2025-11-21 04:00:01 hello\n"
            + "no date\n" * 9000
            + STEP
            + "2025-11-21 04:57:00 goodbye\n"
            + "no date\n" * 9000,
            "2025-11-21T04:00:01",
            "2025-11-21T04:57:00",
        ),
        (
            "2019-01-01 00:00:00,000 INFO train: step 56 loss 2.31\n" + STEP,
            "2025-11-21T04:12:09",
            "2025-11-21T04:12:09",
        ),
        (
            f"{STEP}\nStarted at Fri Nov 21 04:02:57 2025\nTerminated at Fri Nov 21 04:57:00 2025\n"
            "Results reported at Fri Nov 21 04:57:00 2025\n\nSuccessfully completed.\n",
            "2025-11-21T04:02:57",
            "2025-11-21T04:57:00",
        ),
        ("nothing is dated\nstep 57 loss 2.31\n", None, None),
        (
            "wandb: Run data is saved locally in /scratch/wandb/run-20251121_040001-k3b9qz\n",
            "2025-11-21T04:00:01",
            None,
        ),
        ("wandb: wandb sync ../wandb/offline-run-20251121_040001-k3b9qz\n", "2025-11-21T04:00:01", None),
        ("resumed from wandb/run-20241121_040001-k3b9qz\n", None, None),
        (
            "--- EPOCH 1/100 ---\n1763697600.8101\n--- EPOCH 2/100 ---\n1763697657.5\n57.25\n",
            "2025-11-21T04:00:00.810",
            "2025-11-21T04:00:57.500",
        ),
        (
            "2025-11-21 04:00:01,123 - INFO - begins\n"
            + "\r".join(f"Training: {n}%|█ | {n}/115 [00:{n}<02:36, 1.3s/it]" for n in range(10, 60))
            + "\r2025-11-21 04:57:00,123 - INFO - Epoch 222/1000\n",
            "2025-11-21T04:00:01.123",
            "2025-11-21T04:57:00.123",
        ),
        ("Running time: 2025-11-21_04-00-01\nstep 57 loss 2.31\n", "2025-11-21T04:00:01", "2025-11-21T04:00:01"),
        ("[INFO] Trainer: ngp | 2025-11-21_04-00-01 | cuda:0 | fp16 |\n", "2025-11-21T04:00:01", None),
        (
            "Start: Fri 21 Nov 04:00:01 CET 2025\n\nEnd: Fri 21 Nov 04:57:00 CET 2025\n",
            "2025-11-21T04:00:01",
            "2025-11-21T04:57:00",
        ),
        (
            'I1121 04:00:01.451247 4821 a.cc:7] hello\n  [TimeInfo: *** Aborted at 1763700000 (unix time) try "date"\n',
            "2025-11-21T04:00:01.451",
            "2025-11-21T04:40:00",
        ),
        (
            "--model_path runs/test-qqp20251116-03:15:28/ema_0.9999.pt\n" + STEP,
            "2025-11-21T04:12:09",
            "2025-11-21T04:12:09",
        ),
        (
            "[Fri Nov 21 03:00:01 UTC 2025] job 57 begins\n" + STEP + "[Fri Nov 21 04:58:57 UTC 2025] job 57 ends\n",
            "2025-11-21T03:00:01",
            "2025-11-21T04:58:57",
        ),
    ],
    ids=[
        "to the minute",
        "of a training",
        "to the minute, packed",
        "MLPerf's script",
        "times of day behind a date",
        "a zone that only unmatched lines bear",
        "what has passed since the start",
        "unmatched lines",
        "a comma",
        "a short year",
        "another date",
        "digits alone",
        "afternoon",
        "midnight",
        "no year",
        "far from the ends",
        "years apart",
        "LSF's report",
        "none",
        "a run of wandb's",
        "a run of wandb's, offline",
        "another run",
        "seconds since the epoch alone",
        "behind a bar",
        "a script's own name",
        "a trainer's name",
        "day before month",
        "glog's last word",
        "a date of a path",
        "no zone is three quarters of an hour off",
    ],
)
def test_the_span_of_all_lines(text: str, started: str | None, ended: str | None, report_of: ReportOf) -> None:
    job = report_of({"train.log": text}).job
    assert (iso(job.started), iso(job.ended)) == (started, ended)


def test_a_year_that_only_unmatched_lines_tell(report_of: ReportOf) -> None:
    """Files copied in a later year: what the program dates goes before the date of the copy."""
    text = "2019-11-21 04:00:01 hello\n[rank0]:[W1121 04:12:09.112358132 socket.cpp:697] [c10d] recvValue failed on x\n"
    text += (
        "[rank0]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:683] [Rank 0] Watchdog caught collective operation timeout: "
        "WorkNCCL(SeqNum=7, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600031 milliseconds.\n"
    )
    job = report_of({"train.log": text}).job
    assert (iso(job.started), iso(job.ended)) == ("2019-11-21T04:00:01", "2019-11-21T04:12:09")


C10 = "[rank0]:[W1121 04:12:09.112358132 socket.cpp:697] [c10d] recvValue failed on x\n"


@pytest.mark.parametrize(
    ("text", "started"),
    [
        (C10 + "  time      : 2019-11-21_04:57:00\n", "2019-11-21T04:12:09"),
        ("logs at: ./wandb/run-20191121_040001-4qvedfcy/logs\n" + C10, "2019-11-21T04:12:09"),
    ],
    ids=["the last line", "the folder of the run"],
)
def test_a_year_that_other_lines_tell(text: str, started: str, report_of: ReportOf) -> None:
    """Files copied in a later year: what the program dates goes before the date of the copy."""
    assert iso(report_of({"train.log": text}).job.started) == started


def test_a_folder_of_another_day_tells_no_year(report_of: ReportOf) -> None:
    """It may be one that training goes on from."""
    text = "resuming from outputs/2019-07-02_04-00-01/last.ckpt\n" + C10
    assert (iso(report_of({"train.log": text}).job.started) or "")[:4] != "2019"


def test_a_date_that_the_program_prints_of_something_else_is_no_start(report_of: ReportOf) -> None:
    """The lines below it have no time of their own, and would take it over."""
    other = "2023-02-14 22:19:03,000 INFO sample: made then\n" + "step 9 loss 2.31\n"
    job = report_of({"train.log": STEP * 3 + other + STEP * 3}).job
    assert iso(job.started) == iso(job.ended) == "2025-11-21T04:12:09"


MLLOG = ':::MLLOG {{"namespace": "", "time_ms": {}, "event_type": "POINT_IN_TIME", "key": "seed", "value": 57, "metadata": {{}}}}\n'
NOON_UTC = 1763726400000
"""2025-11-21 12:00 UTC, in milliseconds."""


@pytest.mark.parametrize(
    ("text", "started", "ended"),
    [
        (
            "STARTING AT 2025-11-21 01:59:57 PM\n" + MLLOG.format(NOON_UTC) + "2025-11-21 14:57:00 goodbye\n",
            "2025-11-21T13:59:57",
            "2025-11-21T14:57:00",
        ),
        (
            "2025-11-21 14:00:00,000 INFO hello\n2025-11-21T20:00:01+08:00 INFO train: step 57 loss 2.31\n"
            "2025-11-21T21:00:01+08:00 INFO train: step 58 loss 2.31\n",
            "2025-11-21T14:00:00",
            "2025-11-21T15:00:01",
        ),
        (
            "2025-11-21T20:00:01+08:00 INFO train: step 57 loss 2.31\n2025-11-21T21:00:01+08:00 goodbye\n",
            "2025-11-21T12:00:01+00:00",
            "2025-11-21T13:00:01+00:00",
        ),
        (
            "2025-11-21 04:00:00 hello\n" + MLLOG.format(NOON_UTC) + MLLOG.format(NOON_UTC + 3600000),
            "2025-11-21T04:00:00",
            "2025-11-21T05:00:00",
        ),
        (
            "2025-11-19 04:07:00 hello\n" + MLLOG.format(NOON_UTC) + MLLOG.format(NOON_UTC + 3600000),
            "2025-11-19T04:07:00",
            "2025-11-21T13:00:00",
        ),
    ],
    ids=["two clocks", "offset", "one zone", "first line alone", "nothing that agrees"],
)
def test_clocks_with_a_zone_and_without(text: str, started: str, ended: str, report_of: ReportOf) -> None:
    job = report_of({"train.log": text}).job
    assert (job.iso_started, job.iso_ended) == (started, ended)


def test_a_run_after_one_that_failed_is_the_job(report_of: ReportOf) -> None:
    failed = (
        'Traceback (most recent call last):\n  File "train.py", line 57, in <module>\n    run()\nTypeError: no run\n'
    )
    step = "2025-11-21 06:{:02d}:09,000 INFO train: step {} loss 2.31\n"
    later = "2025-11-21 06:00:01 hello\n" + "".join(step.format(n, n) for n in range(9))
    job = report_of({"train.log": STEP + failed + later}).job
    assert (job.attempts, job.iso_started, job.iso_ended) == (2, "2025-11-21T06:00:01", "2025-11-21T06:08:09")


def test_the_last_date_far_from_the_end(report_of: ReportOf) -> None:
    dated = "2025-11-21 04:00:01,123 begins\n2025-11-21 04:57:01,123 goes on without a clock\n"
    job = report_of({"job.log": dated + "a line that tells no time at all\n" * 80_000}).job
    assert (job.iso_started, job.iso_ended) == ("2025-11-21T04:00:01.123", "2025-11-21T04:57:01.123")


def test_the_first_date_far_from_the_beginning(report_of: ReportOf) -> None:
    dated = "2025-11-21 04:00:01,123 begins\n2025-11-21 04:57:01,123 goes on without a clock\n"
    job = report_of({"job.log": "a line that tells no time at all\n" * 80_000 + dated}).job
    assert (job.iso_started, job.iso_ended) == ("2025-11-21T04:00:01.123", "2025-11-21T04:57:01.123")


def test_clocks_are_compared_in_the_midst_of_a_file_that_is_short(report_of: ReportOf) -> None:
    filled = "a line that tells no time at all\n" * 1200
    stopped = "slurmstepd: error: *** STEP 57.0 ON node007 CANCELLED AT 2025-11-21T07:01:01 DUE TO TIME LIMIT ***\n"
    job = report_of({"job.log": MLLOG.format(NOON_UTC) + filled + MLLOG.format(NOON_UTC + 3_660_000) + stopped}).job
    assert (job.iso_started, job.iso_ended) == ("2025-11-21T06:00:00", "2025-11-21T07:01:01")


@pytest.mark.parametrize(
    ("first", "last", "started", "ended"),
    [
        ("09/02/2025, 22:46:54", "10/02/2025, 04:54:35", "2025-02-09T22:46:54", "2025-02-10T04:54:35"),
        ("02/09/2025, 22:46:54", "02/10/2025, 04:54:35", "2025-02-09T22:46:54", "2025-02-10T04:54:35"),
        ("12/09/24 22:46:54", "13/09/24 04:54:35", "2024-09-12T22:46:54", "2024-09-13T04:54:35"),
        ("01/02/2025, 22:46:54", "03/02/2025, 04:54:35", "2025-02-01T22:46:54", "2025-02-03T04:54:35"),
    ],
    ids=["day first", "month first", "no such month", "not the next day"],
)
def test_days_and_months_of_one_file_are_in_one_order(
    first: str, last: str, started: str, ended: str, report_of: ReportOf
) -> None:
    job = report_of({"train.log": f"{first} begins\n{last} ends\n"}).job
    assert (job.iso_started, job.iso_ended) == (started, ended)


def test_days_first_in_lines_between(report_of: ReportOf) -> None:
    said = ("12/09/24 22:46:54 begins", "12/09/24 23:46:54 INFO step 57 loss 0.57", "13/09/24 04:54:35 ends", "")
    job = report_of({"train.log": "\n".join(said)}).job
    assert (job.iso_started, job.iso_ended) == ("2024-09-12T22:46:54", "2024-09-13T04:54:35")


def test_the_newest_run_is_months_younger_than_all_that_is_known(report_of: ReportOf) -> None:
    def run(month: str, rest: str) -> str:
        said = "".join(f"2025-{month}-21 04:00:01,123 configuration: {word} of the model\n" for word in WORDS)
        return f"{said}{rest}"

    old = "2025-02-21 04:00:02,123 Traceback (most recent call last):\nValueError: 57\n"
    job = report_of({"job.log": run("02", old) + run("11", "2025-11-21 04:57:01,123 looks for its data\n")}).job
    assert (job.iso_started, job.iso_ended) == ("2025-11-21T04:00:01.123", "2025-11-21T04:57:01.123")


WORDS = ("width", "depth", "heads", "vocabulary")


def test_a_zone_that_only_unmatched_lines_bear(report_of: ReportOf) -> None:
    said = "Started: 2025-11-21T04:00:01-04:00\nTraining finished.\nStarted: 2025-11-21T04:00:01-04:00\n"
    assert report_of({"train.log": said}).job.iso_started == "2025-11-21T08:00:01+00:00"


@pytest.mark.parametrize(
    ("text", "started", "ended"),
    [
        (
            "20251121 040001.123 INFO             PET0 Running with ESMF\n20251121 045701.123 INFO             PET0 ends\n",
            "2025-11-21T04:00:01",
            "2025-11-21T04:57:01",
        ),
        (
            "Exec   : pimpleFoam\nDate   : Nov 21 2025\nTime   : 04:00:01\nHost   : node007\n",
            "2025-11-21T04:00:01",
            "2025-11-21T04:00:01",
        ),
        (
            '2025-11-21 04:00:01 begins\n{"n": 57, "folder": "'
            + "x" * 400
            + '", "timestamp": "2025-11-21T04:57:01.123"}\n',
            "2025-11-21T04:00:01",
            "2025-11-21T04:57:01.123",
        ),
        (
            "2025-11-21 04:00:01 begins\nEnd date: 2050-01-01_00:00:00\n",
            "2025-11-21T04:00:01",
            "2025-11-21T04:00:01",
        ),
        (
            "[2025-11-21 04:00:01.5] fits\nrows to test: (57, 7) 2031-02-03 00:00:00 2031-04-05 00:00:00\nfitted\n",
            "2025-11-21T04:00:01.500",
            "2025-11-21T04:00:01.500",
        ),
    ],
    ids=["ESMF", "OpenFOAM", "the end of a long line of JSON", "the last day of the data", "the days of a table"],
)
def test_times_of_simulations_and_of_long_lines(text: str, started: str, ended: str, report_of: ReportOf) -> None:
    job = report_of({"job.log": text}).job
    assert (job.iso_started, job.iso_ended) == (started, ended)


def _sweep(day: str) -> str:
    return "".join(
        f"2025-{day}:05,{n:03d} - INFO - {said}\n"
        for n, said in enumerate(
            ("Parameter Sweep begins", "the stack is prepared", "files that were found: 181", "done")
        )
    )


def _runs(*headings: str) -> str:
    return "".join(
        f"{heading}\nthe model is there\nthe data are there, {n} of them\n" for n, heading in enumerate(headings)
    )


@pytest.mark.parametrize(
    ("text", "started"),
    [
        (
            _runs(*(f">>> Versuch {n}: {day}. Feb 18:31:07 CET 2023" for n, day in ((1, "Di 14"), (2, "Mi 15")))),
            "2023-02-15T18:31:07",
        ),
        (
            _runs(
                "=== 2025-11-21T04:00:01 $ python -u tune.py --rate 1e-4",
                "=== 2025-11-21T06:00:01 $ python -u tune.py --rate 3e-5",
                "=== 2025-11-21T09:00:01 $ python -u tune.py --resume run57",
            ),
            "2025-11-21T09:00:01",
        ),
        (_sweep("07-06 16:49") + _sweep("07-29 20:03") + _sweep("07-29 20:48"), "2025-07-29T20:48:05"),
        (
            _sweep("07-06 16:49")
            + "".join(
                _sweep(day).replace("the stack is", "the new stack was") for day in ("07-29 20:03", "07-29 21:48")
            ),
            "2025-07-29T21:48:05",
        ),
        (_sweep("07-06 16:49") + _sweep("07-06 16:59"), "2025-07-06T16:59:05"),
        (
            "[2025-01-24 21:16:50,890] [INFO] [logging.py:96:log_dist] [Rank 0] DeepSpeed info: version=0.14.5\nsamples\n"
            "[2025-02-16 08:39:20,537] [INFO] [logging.py:96:log_dist] [Rank 0] DeepSpeed info: version=0.14.6\nsets up\n",
            "2025-02-16T08:39:20.537",
        ),
        ("[17-12-2021 16:05] reads\nmore\n[17-12-2021 18:06] ends\n", "2021-12-17T16:05:00"),
        (
            "     Program PWSCF v.6.7MaX starts on 12Mar2021 at 14:22: 3 \n",
            "2021-03-12T14:22:03",
        ),
    ],
    ids=[
        "attempts",
        "commands",
        "opened again after days",
        "opened otherwise twice",
        "opened again after minutes",
        "days of silence",
        "the day first, to the minute",
        "Fortran's padding",
    ],
)
def test_where_the_newest_run_begins(text: str, started: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": text}).job.iso_started == started


def test_a_zone_that_some_stamps_bear_is_that_of_the_others(report_of: ReportOf) -> None:
    text = (
        "2025-11-21T12:32:30+08:00 launch pretrain.py on 1 node\n"
        " [2025-11-21 13:13:34] iteration 57/ 120000 | elapsed time per iteration (ms): 3386.7 |\n"
    )
    job = report_of({"job.log": text}).job
    assert (job.iso_started, job.iso_ended) == ("2025-11-21T12:32:30", "2025-11-21T13:13:34")


def test_times_of_day_of_a_file_without_a_date_are_of_no_day(report_of: ReportOf) -> None:
    dated = "2025-11-21 09:03:23,309 INFO MainThread: begins\n2025-11-21 09:04:24,806 INFO MainThread: ends\n"
    raised = 'Traceback (most recent call last):\n  File "train.py", line 57, in <module>\nValueError: 57\n'
    job = report_of({"debug.log": dated, "output.log": "09:04:03.993 [I] Initialized data loader:\n" + raised}).job
    assert (job.iso_started, job.iso_ended) == ("2025-11-21T09:03:23.309", "2025-11-21T09:04:24.806")


def test_a_stamp_behind_a_bar(report_of: ReportOf) -> None:
    bar = " 63%|██████▎   | 19/30 [2:41:00<2:29:12, 813.89s/it, best loss: 0.6415665149688721]"
    log = (
        "2031-02-03 04:05:06.238787: I core/a.cc:57] ready\n"
        + bar
        + "2031-02-03 06:49:38.441186: W core/b.cc:57] slow\n"
        + bar
        + "\n"
    )
    assert report_of({"nohup.out": log}).job.iso_ended == "2031-02-03T06:49:38.441"


@pytest.mark.parametrize(
    "told", ["    Release Date:       Thu Dec 16 11:20:57 CST 2021", "   Version 5.7.2, Tue 9. Jun 13:32:10 CEST 2020"]
)
def test_the_date_of_a_program_is_none_of_its_run(told: str, report_of: ReportOf) -> None:
    job = report_of({"run.log": f"{told}\n{STEP}{told}\n"}).job
    assert iso(job.started) == iso(job.ended) == "2025-11-21T04:12:09"


def test_a_time_in_the_form_of_a_name_that_a_script_says(report_of: ReportOf) -> None:
    job = report_of({"run.log": "running time: 2026-01-02_03-04-05\nit is read\n"}).job
    assert iso(job.started) == iso(job.ended) == "2026-01-02T03:04:05"
    named = report_of({"run.log": "wandb: Run data is saved locally in /scratch/wandb/run-20260102_030405-ab57\n"}).job
    assert (iso(named.started), named.ended) == ("2026-01-02T03:04:05", None)


def test_a_clock_that_was_set_back_between_two_runs(report_of: ReportOf) -> None:
    job = report_of({"run.log": "2026-01-03 02:04:05 it is begun\nit is done\n2026-01-02 21:04:06 it is done\n"}).job
    assert iso(job.started) == iso(job.ended) == "2026-01-02T21:04:06"


def test_the_newest_run_ends_before_an_older_one_whose_clock_was_ahead(report_of: ReportOf) -> None:
    run = "2026-01-0{0} {1}:57 [Program starts, words are read]\n2026-01-0{0} {1}:59 [All is read.]\n"
    job = report_of(
        {
            "run.log": "".join(
                run.format(*at) for at in ((1, "10:01"), (1, "11:30"), (2, "11:03"), (3, "12:55"), (3, "01:37"))
            )
        }
    ).job
    assert (iso(job.started), iso(job.ended)) == ("2026-01-03T01:37:57", "2026-01-03T01:37:59")


def test_what_failed_borrows_no_clock_of_another_zone(report_of: ReportOf) -> None:
    text = (
        "2025/11/21 04:12:31 routes.go:1187: INFO server config\n"
        'time=2025-11-21T04:12:31.044+01:00 level=INFO source=images.go:432 msg="total blobs: 57"\n'
        "Traceback (most recent call last):\n"
        '  File "run.py", line 57, in <module>\n'
        "    import absent57\n"
        "ModuleNotFoundError: No module named 'absent57'\n"
    )
    job = report_of({"error.txt": text}).job
    assert (job.iso_started, job.iso_ended) == ("2025-11-21T04:12:31", "2025-11-21T04:12:31.044")


def test_words_that_stand_once_are_no_opening(report_of: ReportOf) -> None:
    starts = "".join(f"2026-01-02 0{hour}:04:05,067:INFO: Start it\n" for hour in (3, 5, 8))
    made = "2026-01-02 09:{0}:05,380:INFO: Start making the devices\n2026-01-02 09:{0}:05,455:INFO: The devices are made.\n"
    assert iso(report_of({"run.log": starts + made.format("57")}).job.started) == "2026-01-02T08:04:05.067"


def test_a_setting_that_is_named_after_the_start(report_of: ReportOf) -> None:
    """No line bears a time."""
    job = report_of(
        {"train.log": "Config(\n    width=57,\n    timestamp='2031-02-03_040506',\n)\nthe viewer listens\n"}
    ).job
    assert job.iso_started == job.iso_ended == "2031-02-03T04:05:06"


def test_the_clock_of_an_actor_goes_on_from_the_last_date(report_of: ReportOf) -> None:
    """Ray puts its name before what it prints."""
    text = "2031-02-03 04:05:06,123 INFO the workers are there\n" + "".join(
        f"\x1b[2m\x1b[36m(RolloutWorker pid=5757)\x1b[0m [04:06:{n:02d}] [main/INFO]: the world is made\n"
        for n in range(9)
    )
    assert report_of({"ray.out": text}).job.iso_ended == "2031-02-03T04:06:08"


def test_days_behind_months_with_dots(report_of: ReportOf) -> None:
    job = report_of({"log.txt": "[02.24.31 04:05:06] Args: {}\n[02.24.31 04:09:57] Preparing the data...\n"}).job
    assert (job.iso_started, job.iso_ended) == ("2031-02-24T04:05:06", "2031-02-24T04:09:57")
