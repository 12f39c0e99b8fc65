"""Runs that a logger appended to its file: its first line stands there again."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.diagnosis.facts.first_lines import first_lines
from logtui.diagnosis.model.report import Report
from logtui.parsers.files.case import Case
from logtui.parsers.records.record import ROW, RecordTable

ReportOf = Callable[[Mapping[str, str]], Report]


def at(second: int, text: str) -> str:
    """A line of a day, by its second."""
    return f"2031-02-03 {second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d},123 {text}\n"


def run(second: int, *lines: str, first: str = "Reading the corpus...") -> str:
    return at(second, f"INFO: {first}") + "".join(at(second + 3, f"INFO: {line}") for line in lines)


SET_UP = ("- done", "Training for 20 epochs", "workers: 12")


def starts_of(text: str) -> list[int]:
    """The seconds at which later runs begin, of a file without any record."""
    data = text.encode()
    case = Case((), RecordTable(np.empty(0, ROW), b"", [], [], []))
    clocks = (re.search(rb"(\d\d):(\d\d):(\d\d),", data[place:]) for place in first_lines(case, slice(0, 0), data))
    return [int(m[1]) * 3600 + int(m[2]) * 60 + int(m[3]) for m in clocks if m]


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        pytest.param(run(0, *SET_UP) + run(25, *SET_UP) + run(90, *SET_UP), [25, 90], id="soon after each other"),
        pytest.param(
            run(0) + run(50) + run(99, *SET_UP) + run(200, *SET_UP) + run(300), [50, 99, 200, 300], id="short"
        ),
        pytest.param(run(0, *SET_UP) * 2 + run(90, *SET_UP) * 2, [90], id="two processes of one start"),
        pytest.param(
            "".join(run(n, *SET_UP, first="The server stopped.") for n in (0, 90, 300)), [], id="an end comes first"
        ),
        pytest.param(
            "".join(run(n, *SET_UP, first=f"Namespace(seed={n}, path='/data/{n}')") for n in (0, 70)),
            [70],
            id="arguments",
        ),
        pytest.param(
            run(0)
            + run(50)
            + at(50, "INFO: Namespace(width=5)")
            + at(99, "INFO: Namespace(width=7)")
            + run(200, *SET_UP),
            [],
            id="nothing shows that it is a start",
        ),
        pytest.param("".join(run(60 * n, *SET_UP, first=f"Round {n} begins") for n in range(5)), [], id="it counts"),
        pytest.param("".join(run(60 * n, *SET_UP, first=f"part {n} of 9 read") for n in range(5)), [], id="numbered"),
        pytest.param("".join(run(5 * n, *SET_UP) for n in range(9)), [], id="no time between to load anything"),
        pytest.param(run(0, *SET_UP) + run(60, "- done", "Testing") + run(99, "- done", "Saving"), [], id="other work"),
        pytest.param("x\n" * 200 + run(0, *SET_UP) + run(60, *SET_UP), [], id="not the first line"),
        pytest.param("nohup: ignoring input\n" + run(0, *SET_UP) + run(60, *SET_UP), [60], id="behind a shell's word"),
        pytest.param(run(0, *SET_UP, first="ok") + run(60, *SET_UP, first="ok"), [], id="too short a line"),
        pytest.param(
            "".join(
                at(n, "INFO: ========")
                + at(n, "INFO: Fit of a model")
                + at(n, "INFO: ========")
                + run(n, *SET_UP, first="go")
                for n in (0, 25, 90)
            ),
            [25, 90],
            id="drawn rules around the first words",
        ),
        pytest.param(
            "".join(
                at(n, "[Program starts.]")
                + at(n, f"[Arg used:][{{'size': {n}}}]")
                + at(n + 2, f"{'abc'[n % 3]} is read")
                for n in (0, 25, 91)
            ),
            [25, 91],
            id="arguments in a list",
        ),
        pytest.param(
            "".join(
                f'{{"time":"2031-02-03 00:0{m}:00,123","level":"INFO","node":0,"msg":"{said}"}}\n'
                for m in (0, 2, 5)
                for said in ("Starting node 0", "DEV MODE", "Listening")
            ),
            [120, 300],
            id="records in JSON",
        ),
        pytest.param(
            "".join(f"New Run at 2031-02-03 00:00:{n:02d},123\n" + at(n, f"prompt {n}") for n in (0, 20, 40)),
            [20, 40],
            id="it says that a run begins",
        ),
        pytest.param(
            "".join(f"Start: 2031-02-03 00:0{n}:00,123\nfit\nfit\nEnd: 2031-02-03 00:0{n}:40,123\n" for n in (0, 2, 5)),
            [],
            id="too short a word, and no time between",
        ),
        pytest.param(
            "x\n" * 20 + "".join(run(n, f"Model of {n} parts", f"Batch {n}", "Ready") for n in (0, 300)),
            [300],
            id="a rest, and a line that comes again",
        ),
        pytest.param(
            "x\n" * 20 + "".join(at(n, "fetched URL:https://files.example/a/b.zip") for n in (0, 4, 8, 300, 301, 304)),
            [],
            id="a rest between lines that are all alike",
        ),
        pytest.param("", [], id="nothing"),
    ],
)
def test_where_later_runs_begin(text: str, starts: list[int]) -> None:
    assert starts_of(text) == starts


@given(st.lists(st.sampled_from([*(run(0, *SET_UP) + run(70, *SET_UP)).splitlines(), "no stamp", ""])))
def test_any_order_of_lines(lines: list[str]) -> None:
    starts = starts_of("\n".join(lines))
    assert len(starts) < max(len(lines), 1)


def steps(second: int, first: int = 0) -> str:
    return "".join(at(second + 10 * n, f"INFO: step {first + n} loss 2.{n}") for n in range(9))


def test_the_newest_of_short_runs_is_the_job(report_of: ReportOf) -> None:
    report = report_of({"run.log": run(0) + steps(5) + run(99) + run(150) + steps(155) + run(260)})
    assert report.job.iso_started == "2031-02-03T00:04:20.123"
    report = report_of({"run.log": run(0) + steps(5) + run(99) + run(150) + steps(155)})
    assert (report.job.attempts, report.job.iso_started) == (2, "2031-02-03T00:02:30.123")


def test_a_program_that_changed_writes_its_arguments_alone(report_of: ReportOf) -> None:
    old = run(0, first="here we go") + at(0, "INFO: Namespace(width=5)") + steps(5)
    again = run(200, first="here we go") + at(200, "INFO: Namespace(width=6)") + steps(205)
    report = report_of({"run.log": old + again + at(400, "INFO: Namespace(width=7)") + steps(405)})
    assert (report.job.attempts, report.job.iso_started) == (3, "2031-02-03T00:06:40.123")


@pytest.mark.parametrize(
    ("since", "second"), [pytest.param(60, 140, id="just before"), pytest.param(7, 200, id="long before")]
)
def test_what_libraries_say_as_they_are_loaded_is_of_the_run(report_of: ReportOf, since: int, second: int) -> None:
    loaded = (
        at(200 - since, "I external/xla/cuda_fft.cc:57] is loaded") if since == 60 else at(60, "I a/b.cc:57] is over")
    )
    text = run(0, *SET_UP) + steps(5) + loaded + "  warnings.warn(\n" + run(200, *SET_UP) + steps(205)
    report = report_of({"run.log": text})
    assert report.job.iso_started == f"2031-02-03T00:0{second // 60}:{second % 60:02d}.123"


def test_what_a_run_before_the_newest_raised_is_history(report_of: ReportOf) -> None:
    def run(hour: str, said: str = "") -> str:
        clock = f"2026-01-02 {hour}"
        opening = (
            f"{clock}:04:05,678 - INFO - Fine-tuning begins\n{clock}:04:05,679 - INFO - Arguments: Namespace(lr=0.57)\n"
        )
        return opening + f"{clock}:04:06,100 - INFO - Using device: cpu\n" + said

    raised = 'Traceback (most recent call last):\n  File "train.py", line 57, in main\n    run()\nTypeError: no run\n'
    runs = run("03") + run("04") + run("05", raised)
    assert report_of({"train.log": runs}).verdict.cls == "software"
    assert report_of({"train.log": runs + run("06")}).verdict.cls != "software"


def test_a_resumed_run_counts_on(report_of: ReportOf) -> None:
    text = run(0, *SET_UP) + steps(5) + run(900, *SET_UP, "Resumed from step 9") + steps(905, 9)
    assert report_of({"run.log": text}).job.iso_started == "2031-02-03T00:15:00.123"
    text = run(0, *SET_UP) + steps(5) + run(900, *SET_UP, "Evaluated at step 9") + steps(905, 9)
    assert report_of({"run.log": text}).job.iso_started == "2031-02-03T00:00:00.123"


def test_runs_of_nothing_but_steps(report_of: ReportOf) -> None:
    epochs = [[at(s + 30 * n, f"INFO: Epoch {n}/50, Loss: 2.{n}") for n in range(1, 9)] for s in (0, 3000)]
    report = report_of({"run.log": "".join("".join(each) for each in epochs)})
    assert report.job.iso_started == "2031-02-03T00:50:30.123"


def test_runs_that_begin_with_a_row_of_settings(report_of: ReportOf) -> None:
    """Of which the first ones are of other data than the last."""

    def one(second: int, data: str) -> str:
        stamp = at(second, "").partition(",")[0]
        epochs = "".join(f"epoch{n}---loss{3 - n / 57},acc0.4{n}\n" for n in range(50))
        return f"{stamp}\ndata:{data} rate:0.{second % 4} width:0\n{epochs}average: 0.{second}57\n"

    runs = [one(570 * n, "films" if n < 5 else "speech") for n in range(9)]
    assert report_of({"log.txt": "".join(runs)}).job.iso_started == "2031-02-03T01:16:00"


def test_epochs_that_begin_alike_below_their_headings(report_of: ReportOf) -> None:
    """An epoch that was not over begins anew where the program was started again."""

    def epoch(second: int, number: int) -> str:
        heading = f"**** EPOCH {number:03d} ****\nlearning rate: 0.000{number}5\nalpha: 0.01\n"
        stamp = at(second, "").partition(",")[0] + ".475587"
        batches = range(20, 420, 20)
        return f"{heading}{stamp}\n" + "".join(f" ---- batch: {n:03d} ----\nmean loss: 0.{n}57\n" for n in batches)

    numbers = (0, 1, 2, 3, 4, 4, 5, 6)
    text = "Random Seed: 10\n" + "".join(epoch(300 * n, number) for n, number in enumerate(numbers))
    assert report_of({"log_train.txt": text}).job.iso_started == "2031-02-03T00:25:00.476"


def test_points_of_a_scan_are_no_runs() -> None:
    def scan(head: str) -> str:
        points = (f"{head.format(n=n)}\n" + run(n * 600, *SET_UP, first="Starting the simulation") for n in range(1, 5))
        return "the scan begins\n" + "".join(points)

    assert starts_of(scan("--- Point {n}/24 ---")) == []
    assert starts_of(scan("--- once more ---")) == [1200, 1800, 2400]


def test_arguments_are_read_once_however_soon_the_next_run_is_started(report_of: ReportOf) -> None:
    def one(second: int, seed: int) -> str:
        steps = "".join(at(second + 1 + n, f"INFO - Epoch {n:05} | loss {9 - n / 57:.4f}") for n in range(57))
        return "Using backend: pytorch\n" + at(second, f"INFO - Namespace(seed={seed}, width=57)") + steps

    report = report_of({"train.log": one(0, 5) + one(58, 7) + one(116, 57)})
    assert report.job.iso_started == "2031-02-03T00:01:56.123"


def test_starts_that_were_given_up(report_of: ReportOf) -> None:
    start = "2031-02-03 04:{:02d}:07,123 - __main__ - INFO - Loading the model: speech57\n"
    log = (
        "".join(start.format(minute) for minute in (4, 9, 12, 23))
        + "2031-02-03 04:24:07,123 - __main__ - INFO - it is there\n"
    )
    assert report_of({"finetune.log": log}).job.iso_started == "2031-02-03T04:23:07.123"
    assert report_of({"finetune.log": log.replace("04:12:07", "04:09:27")}).job.iso_started == "2031-02-03T04:23:07.123"


def test_a_log_that_says_that_it_begins(report_of: ReportOf) -> None:
    log = "".join(f"log started: Tue Feb 4 0{hour}:04:07 2031\n>> ready {hour}\n" for hour in (3, 5, 6))
    assert report_of({"leap.log": log}).job.iso_started == "2031-02-04T06:04:07"


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("".join(at(n, "INFO: Starting the fit of 57 fields") for n in (0, 85, 170, 330)), [85, 170, 330]),
        ("".join(at(n, "INFO: Reading the best model from a57") for n in (0, 26, 330, 390)), [26, 330, 390]),
        ("".join(at(n, "INFO | Args: {'width': 57, 'lr': 0.1}") + at(n + 3, "INFO: read") for n in (0, 40)), [40]),
        (
            "".join(at(n, "INFO ======> Loading w57.pth") + at(n, "INFO: keys") * (n % 3) for n in range(0, 1000, 130)),
            [*range(130, 1000, 130)],
        ),
        (
            "".join(
                at(n + 9 * m, f"INFO: {what} the fit of all fields")
                for n in (0, 9000)
                for m in range(6)
                for what in ("Starting", "Leaving")
            ),
            [9000],
        ),
    ],
    ids=["given up", "nothing else", "arguments first", "short blocks", "behind hours"],
)
def test_runs_of_which_hardly_anything_is_left(text: str, starts: list[int]) -> None:
    assert starts_of(text) == starts


def test_a_start_right_behind_an_error() -> None:
    failed = "=== The mail is started ===", "ERROR: the index is not there"
    twice = "".join(at(second, failed[0]) + at(second + 1, failed[1]) for second in (9, 107))
    assert starts_of(twice) == [107]
    calm = twice.replace("ERROR", "INFO")
    assert starts_of(calm[: calm.rindex("the index")] + "a letter is read\n") == []


def test_a_file_of_the_program_is_no_first_line() -> None:
    def said(second: int, text: str) -> str:
        return f"[2031-02-03 {second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d},123 a_long_name_of_a_script_57.py:{second}]: {text}\n"

    words = "the words are read", "it trains", "it is trained", "it is checked", "it is done"
    assert starts_of("".join(said(3 + 400 * n, text) for n, text in enumerate(words))) == []


def test_arguments_behind_a_time_of_day_are_those_of_another_run() -> None:
    told = "[{:02d}:{:02d}:07.511] Namespace(base_lr=0.0001, batch_size=2, exp='run_57')\n"
    trains = "".join(f"[20:{n + 10}:07.338] iteration {n} : train_loss : 0.{n}1\n" for n in range(1, 20))
    text = told.format(20, 5) + trains + told.format(22, 5) + told.format(22, 7) + "[22:07:08.126] reads its volumes\n"
    data = text.encode()
    case = Case((), RecordTable(np.empty(0, ROW), b"", [], [], []))
    assert [data[at : at + 6] for at in first_lines(case, slice(0, 0), data)] == [b"[22:05", b"[22:07"]


def test_what_was_started_until_it_worked() -> None:
    tried = "".join(
        at(second, "- === Starting Training Pipeline ===") + at(second + 1, f"- An error occurred: {said}") + "\n"
        for second, said in ((0, "no device"), (24, "no device"), (90, "a keyword 57"), (120, "float division"))
    )
    assert starts_of(tried + at(300, "- === Starting Training Pipeline ===")) == [24, 90, 120, 300]


def test_settings_that_begin_with_epochs_are_no_progress() -> None:
    settings = "{'epoch': 50, 'bs': 1024, 'use_gpu': True, 'lr': 0.0001, 'emb_dim': 128, 'hid_dim': 32}"
    trains = "".join(at(50 + 7 * n, f"train total loss:2{n}.5") for n in range(4))
    assert starts_of(at(0, settings) + at(40, settings) + trains + at(300, settings) + at(307, "train")) == [40, 300]
    progress = "{'epoch': 50, 'bs': 1024, 'use_gpu': True, 'lr': 0.0001, 'loss': 0.57, 'hid_dim': 32}"
    assert starts_of("".join(at(40 * n, progress) for n in range(4))) == []


def test_one_thing_after_the_other_once_more() -> None:
    def told(second: int) -> str:
        words = at(second, "INFO: Training on words_en.txt...") + at(second + 20, "INFO: saved a57.bin")
        return words + at(second + 21, "INFO: Training on words_hi.txt...") + at(second + 40, "INFO: saved a58.bin")

    done = at(41, "INFO: training completed for all languages.")
    assert starts_of(told(0) + done + told(700)) == [700]


def test_commands_that_one_driver_ran_are_no_runs(report_of: ReportOf) -> None:
    steps = (
        "parse57.py --fold 1 --of train",
        "parse57.py --fold 1 --of test",
        "train57.py --fold 1",
        "parse57.py --fold 2",
    )
    driver = "".join(at(600 * n, f"/opt/conda/bin/python /opt/job/{step}\n") for n, step in enumerate(steps))
    report = report_of({"pipeline.log": driver})
    assert (report.job.attempts, report.job.started and round(report.job.started) % 3600) == (1, 0)


def test_a_first_line_with_other_settings_is_another_run(report_of: ReportOf) -> None:
    page = "".join(at(n + 5, f"INFO page {n} is read") for n in range(9))
    later = "".join(at(n + 905, f"INFO page {n} is read") for n in range(9))
    first, second = (f"INFO Config: Model={name}, Context=False" for name in ("fast57/one", "slow57-two"))
    text = (
        at(0, first) + at(1, "INFO Loaded 57 pages") + page + at(900, second) + at(901, "INFO Loaded 57 pages") + later
    )
    report = report_of({"pages.log": text})
    assert report.job.started is not None
    assert round(report.job.started) % 3600 == 900


def test_one_that_said_nothing_but_that_it_begins_was_given_up(report_of: ReportOf) -> None:
    begins = at(0, "[INFO] begin training") + at(110, "[INFO] begin training")
    losses = "".join(
        at(130 + n, f"[INFO] Epoch is [1/600], mini-batch is [{n}/1600], loss is 1{n}.57") for n in range(1, 12)
    )
    report = report_of({"train.log": begins + losses})
    assert report.job.started is not None
    assert round(report.job.started) % 3600 == 110


def test_a_driver_that_goes_through_its_list_once_more() -> None:
    parts = ("single", "double", "triple")
    once = [f"python fit.py --grain {part} --width 57" for part in parts]
    both = "".join(at(n * 100 + 10000 * again, command) for again in (0, 1) for n, command in enumerate(once))
    assert starts_of(both) == [10000]


def test_a_folder_on_another_machine() -> None:
    places = ("D:\\films\\in", "/srv/films/in", "/srv/films/in", "/srv/films/in")
    seconds = (0, 90, 400, 900)
    text = "".join(
        at(second, f"INFO: The folder of films: {place}") + at(second, "INFO: The rate: 57 Hz")
        for second, place in zip(seconds, places, strict=True)
    )
    assert starts_of(text) == [90, 400, 900]
