"""Runs that a script dates as they begin, whoever writes into the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
ENDED = "srun: error: node007: task 2: Exited with exit code 1\n"


def started_of(report: Report) -> str | None:
    """As its lines say it: they bear no zone."""
    begun = report.job.started
    return None if begun is None else datetime.fromtimestamp(begun, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def steps(prefix: str = "", first: int = 1) -> str:
    return "".join(f"{prefix}step {n} loss 2.{n}\n" for n in range(first, first + 9))


def launch(hour: int, rest: str = "") -> str:
    return f"launch at Mon Feb  3 {hour:02d}:04:05 CET 2031{rest}\n"


@pytest.mark.parametrize(
    ("text", "started"),
    [
        pytest.param(
            launch(7) + steps("[1,0]<stdout>:") + ENDED + launch(9, "  (once more)") + steps("[1,0]<stdout>:"),
            "2031-02-03T09:04:05",
            id="behind a task that failed",
        ),
        pytest.param(launch(7) + steps() + launch(9) + steps(first=10), "2031-02-03T07:04:05", id="no end before it"),
        pytest.param(
            "".join(f"[1,0]<stderr>:2031-02-03 0{n}:04:05 a library speaks\n{steps()}{ENDED}" for n in (7, 9)),
            "2031-02-03T07:04:05",
            id="a label is no word",
        ),
        pytest.param(
            "".join(
                f"--- Epoch {n}: 2031-02-03 0{hour}:04:05 ---\n"
                + "".join(f"Batch {at}00: Loss=0.{at}\n" for at in range(9))
                for hour, n in ((1, 1), (2, 1), (3, 1), (4, 1), (5, 2))
            ),
            "2031-02-03T04:04:05",
            id="the first epoch once more",
        ),
    ],
)
def test_when_the_newest_run_began(text: str, started: str, report_of: ReportOf) -> None:
    assert started_of(report_of({"job.log": text})) == started


def at(minute: int, second: int, text: str) -> str:
    return f"2031-02-03 07:{minute:02d}:{second:02d} | {text}\n"


def episodes(minute: int, first: int) -> str:
    return "".join(at(minute, 2 * n, f"Episode {first + n}/5000 | Score: {n % 5} | Loss: 0.{n}") for n in range(20))


@pytest.mark.parametrize(
    ("said", "started"),
    [
        pytest.param("Starte bei Episode 2270 mit Epsilon 0.5", "2031-02-03T07:05:01", id="resumed a minute later"),
        pytest.param("resuming from episode 2269", "2031-02-03T07:05:01", id="the one before"),
        pytest.param("saved model 57", "2031-02-03T07:04:00", id="nothing resumes"),
    ],
)
def test_a_run_that_says_where_it_goes_on(said: str, started: str, report_of: ReportOf) -> None:
    text = episodes(4, 2260) + at(5, 1, said) + episodes(6, 2270)
    assert started_of(report_of({"train.log": text})) == started


def test_what_a_run_says_first_belongs_to_it(report_of: ReportOf) -> None:
    begun = at(30, 1, "model loaded") + at(30, 3, "settings read")
    later = "".join(at(31, 2 * n, f"Episode {1 + n}/5000 | Score: {n % 5} | Loss: 0.{n}") for n in range(20))
    text = "".join(episodes(n, 1 + 20 * n) for n in range(4)) + begun + later
    report = report_of({"train.log": text.replace("07:3", "11:3")})
    assert started_of(report) == "2031-02-03T11:30:01"


def letter(job: int, day: int, ended: str) -> str:
    return (
        f"Sender: LSF System <lsfadmin@gn12>\nSubject: Job {job}: <python fit.py> in cluster <west> {ended}\n\n"
        f"Started at Tue Feb  {day} 13:38:08 2031\nResults reported on Tue Feb  {day} 13:41:15 2031\n\n"
    )


FELL = (
    "Exited with exit code 1.\n\nThe output (if any) follows:\n\nTraceback (most recent call last):\n"
    '  File "fit.py", line 12, in <module>\n    import h5py\nImportError: No module named h5py\n'
)
WELL = "Successfully completed.\n\nThe output (if any) follows:\n\nwrote 57 rows\n"


def test_letters_about_one_job_after_the_other(report_of: ReportOf) -> None:
    report = report_of({"fit.out": letter(1, 3, "Exited") + FELL + letter(2, 4, "Done") + WELL})
    assert (report.verdict.cls, started_of(report)) == ("healthy", "2031-02-04T13:38:08")
    report = report_of({"fit.out": letter(1, 3, "Done") + WELL + letter(2, 4, "Exited") + FELL})
    assert report.verdict.cls == "software"


def test_a_job_that_was_requeued(report_of: ReportOf) -> None:
    fell = FELL.partition("follows:\n\n")[2]
    requeued = "slurmstepd: error: *** JOB 57 ON gn12 CANCELLED AT 2031-02-03T07:04:05 DUE TO JOB REQUEUE ***\n"
    out = "Running the fit\n" * 2 + steps() + "Training complete\n"
    err = fell + requeued
    assert report_of({"57.err": err + "wandb: Currently logged in\n", "57.out": out}).verdict.cls == "healthy"
    assert report_of({"57.err": err, "57.out": "Running the fit\n"}).verdict.cls != "healthy"


@pytest.mark.parametrize(
    "head",
    ["{time}\n====== training epoch {epoch} ======\n", "==== EPOCH {epoch:03d} ====\n{time}.570000\n"],
    ids=["its date above", "its date below"],
)
def test_epochs_whose_dates_stand_beside_them(head: str, report_of: ReportOf) -> None:
    text = "".join(
        "Two GPUs are used!\n" + head.format(time=f"2031-02-03 07:{n:02d}:04", epoch=1) + f"mean loss: 2.{n}\n"
        for n in (1, 9, 20, 41)
    )
    assert started_of(report_of({"train.txt": text})) == "2031-02-03T07:41:04"


def test_servers_that_come_up_once_more(report_of: ReportOf) -> None:
    asked = "2031-02-03 0{hour}:04:05,000 [INFO] asked for 57\n"
    text = "".join(
        f"2031-02-03 0{hour}:00:05,000 [INFO] === Hub Initialized ({'ab'[hour % 2]}) ===\n"
        + asked.format(hour=hour) * 3
        for hour in (4, 5, 7)
    )
    assert started_of(report_of({"hub.log": "=== log of the hub ===\n" + text})) == "2031-02-03T07:00:05"
    flask = " * Serving Flask app 'hub57'\n" + '10.0.0.7 - - [03/Feb/2031 0{hour}:04:05] "GET /57 HTTP/1.1" 200 -\n' * 3
    log = "".join(flask.format(hour=hour) for hour in (4, 7))
    assert started_of(report_of({"hub.log": log})) == "2031-02-03T07:04:05"


def test_records_that_begin_with_a_new_line(report_of: ReportOf) -> None:
    text = "".join(
        f"2031-02-03 0{hour}:04:05 - \nTraining the field of {hour}\n\n2031-02-03 0{hour}:05:05 - \nthe grid is read\n\n"
        for hour in (4, 5, 7)
    )
    assert started_of(report_of({"field.log": text})) == "2031-02-03T07:04:05"


def test_a_dated_start_before_a_counter_that_begins_anew(report_of: ReportOf) -> None:
    start = "==========Start net57 at 2031-02-03_0{hour}:04:05==========\nthe data is read\n"
    raised = (
        'Traceback (most recent call last):\n  File "a.py", line 7, in <module>\n    import net\nKeyboardInterrupt\n'
    )
    trained = "".join(steps(first=n) for n in range(1, 60, 9))
    text = raised + start.format(hour=4) + trained + start.format(hour=7)
    assert started_of(report_of({"nohup.out": text + steps()})) == "2031-02-03T07:04:05"
    assert started_of(report_of({"nohup.out": text + steps(first=64)})) == "2031-02-03T04:04:05"


def test_a_server_that_reloads_its_program(report_of: ReportOf) -> None:
    up = "\x1b[31m\x1b[1mWARNING: This is a development server. Do not use it in a production deployment.\x1b[0m\n"
    asked = '10.0.0.7 - - [03/Feb/2031 0{hour}:04:05] "GET /57 HTTP/1.1" 200 -\n' * 9
    text = " * Serving Flask app 'hub57'\n" + up + asked.format(hour=4) + up + asked.format(hour=7)
    assert started_of(report_of({"hub.log": text})) == "2031-02-03T07:04:05"


def test_a_rule_with_the_date_of_an_end(report_of: ReportOf) -> None:
    text = "".join(
        f"--- Session Started: 2031-02-03 0{hour}:00:05 ---\na sheet is read\n"
        f"--- Session Finished: 2031-02-03 0{hour}:57:05 ---\n"
        for hour in (4, 7)
    )
    assert started_of(report_of({"sheets.log": text})) == "2031-02-03T07:00:05"


SERVES = 'INFO:werkzeug:127.0.0.1 - - [{}/Feb/2031 12:07:01] "POST /infer57 HTTP/1.1" 200 -\n'
RELOADS = "INFO:werkzeug: * Detected change in '/opt/job/app57.py', reloading\n"


def test_a_server_that_reloads_its_program_begins_anew(report_of: ReportOf) -> None:
    report = report_of({"app.log": SERVES.format("03") + RELOADS + "DEBUG:root:57 layers\n" + SERVES.format("05")})
    assert started_of(report) == "2031-02-05T12:07:01"


PROMPTS = (
    "(net57) C:\\Users\\me\\net57>",
    "me@node007:~/net57$ ",
    "(net57) [me@node007 net57]$ ",
)


@pytest.mark.parametrize("prompt", PROMPTS, ids=["of Windows", "of Debian", "of Red Hat"])
def test_the_newest_command_of_a_console_is_the_job(prompt: str, report_of: ReportOf) -> None:
    failed = (
        'Traceback (most recent call last):\n  File "train57.py", line 57, in <module>\n    main()\n'
        "ValueError: loaded state dict contains a parameter group that doesn't match the size of optimizer's group\n\n"
    )
    works = "[Resume] Loaded the checkpoint of epoch 16\n[Net] the backbones are free again\n"
    console = f"{prompt}python train57.py --resume a.pt\n{failed}"
    assert report_of({"console.txt": console}).verdict.cls == "config"
    assert (
        report_of({"console.txt": f"{console}{prompt}python train57.py --resume b.pt\n{works}"}).verdict.cls
        == "healthy"
    )


def test_a_drawn_title_that_stands_again_is_another_start(report_of: ReportOf) -> None:
    title = "********************* Questions That Are Twins **********************\n\nInstalling the modules...\n"
    serves = "2031-02-0{}T12:07:01 the index holds 57 questions\n"
    report = report_of({"demo.out": title + serves.format(3) + "it is up\n" + title + serves.format(5)})
    assert started_of(report) == "2031-02-05T12:07:01"


def test_django_begins_to_serve_and_is_asked_later(report_of: ReportOf) -> None:
    said = "INFO - 2031-02-03 0{0}:04:05 - django.{1}\n"
    up = "utils.autoreload - Watching for file changes with StatReloader"
    asked = ('server - "GET / HTTP/1.1" 200 57', 'server - "GET /a.js HTTP/1.1" 404 57', "hub - a film is cut")
    days = ((3, up), *((3, text) for text in asked), (5, up), *((hour, text) for hour in (5, 8) for text in asked))
    text = "".join(said.format(hour, words) for hour, words in days)
    assert started_of(report_of({"hub.log": text})) == "2031-02-03T05:04:05"
