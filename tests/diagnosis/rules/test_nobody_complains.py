"""Files that just end, in which nobody complains."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.facts.loud_lines import looks_fatal
from logtui.diagnosis.model.report import Report
from logtui.diagnosis.predicates.trouble import speaks_of_trouble

ReportOf = Callable[[Mapping[str, str]], Report]

WORK = "".join(f"the {what} is written\n" for what in ("grid", "mask", "wind field", "rain", "cloud"))

PARAGRAPH = (
    "You ask a child where a thing is that was moved about in a room of five by five places, in words=(row, column). "
    "Say of each answer whether it is right, and ask for more and more until there is a failure of sense in what the child "
    "says. Then say so, and the test is over. Tell the child that all of it is a game that nobody can lose, and that they "
    "may stop whenever they want to, or ask for another room with more or fewer places in it."
)


@pytest.mark.parametrize(
    ("text", "cls"),
    [
        (WORK, "healthy"),
        ("the grid is written\n" * 9, "healthy"),
        (WORK + "still alive\nstill alive\nwaiting for the rest\n", "unknown"),
        (WORK + "loading the model\nbuilding the graph\nstarting 4 workers\n", "healthy"),
        (WORK + "the run was interrupted\n", "unknown"),
        ("model built\nnet made\nthe plot is saved as 1.png\nthe plot is saved as 2.png\n", "healthy"),
        ("model built\nnet made\nthe plot comes next\n", "healthy"),
        ("model built\nno net was found\n", "unknown"),
        ("model built\nconnecting to node 7\n", "unknown"),
        ('model built\n"GET /57 HTTP/1.1" 500 -\n', "unknown"),
        ("tensor([1, 0])\n", "healthy"),
        ("the score of words failed: no java\n" + WORK + WORK.upper() + "  BLEU-4: 57.5\n", "healthy"),
        (WORK + "the score of words failed: no java\n  BLEU-4: 57.5\n", "unknown"),
        (WORK + "   CALCULATIONS HALTED * * *\n", "unknown"),
        (WORK + "settings: mode 'no', seed None, sleep_mode=False\n", "healthy"),
        (WORK + "INFO no cache was given, so none is used\n", "healthy"),
        (WORK + "the plots come next...\n", "healthy"),
        (WORK + "alive: 7 of 7\nstopping the heartbeat\n", "healthy"),
        (WORK + "⚠ Warning: failed to clear GPU 7\n", "healthy"),
        ("run.py:57: RuntimeWarning: overflow encountered in multiply\n  a = b * c\n" * 3, "healthy"),
        ("   time: 5.7\n   time: 5.6\n", "healthy"),
        ("the guest is read\n" + "who likes music, and the sea, and long walks " * 5 + "but not the rain\n", "healthy"),
        (WORK + "Cut:      57\nFailed:            0\n", "healthy"),
        (WORK + "ERROR ANALYSIS\n7. panic (0.0057)\nMEAN ABSOLUTE ERROR\n", "healthy"),
        (WORK + "panic: a film is gone\n", "unknown"),
        (WORK + "the first way failed\nTrying to cut it once more...\nall of it is cut\n", "healthy"),
        (WORK + "the first way failed\nall of it is cut\n", "unknown"),
        (WORK + "Failed to save to a57.pth\nthe net is saved successfully to b57.pth\na line\n", "healthy"),
        (WORK + "Failed to save to a57.pth\nthe net is shown successfully\na line\n", "unknown"),
        ("Training Error: \n acc: 57.0%, loss: 0.1\nTest Error: \n acc: 5.7%, loss: 0.1\n\nsize 57\n" * 9, "healthy"),
        (WORK + "Response: [2031-02-03] the hub of films says that the first event of the day failed\n", "healthy"),
        (WORK + "✓ the films are there\n✗ no card is there!\n", "unknown"),
        ("W0203 04:05:06.543000 57 torch/fx/shapes.py:57] [0/0] x is not in var_ranges, so it is unknown\n" * 30, "healthy"),
        (WORK + "Hub API response: {'response': 'the game fails " + "as it must, " * 570 + "and the failure is told'}\n", "healthy"),
        (WORK + "[{'role': 'system', 'content': 'ask until there is a failure of sense'}]\n", "healthy"),
        (WORK + PARAGRAPH + "\n", "healthy"),
        ("".join(f"s=0.{n}, g=5.7, mem=2.62GB, time=2.{n}s\n" for n in range(5)), "healthy"),
        ("".join(f"mem=2.6{n}GB, seen\n" for n in range(5)), "unknown"),
    ],
    ids=["this and that", "one sentence", "waits", "set-up", "a word of trouble", "what is saved", "nothing is saved", "something is denied", "nobody answers yet", "an answer that failed", "a line", "went on", "complained late", "halted", "values that deny nothing", "denied below error", "dots", "stops", "only warned", "warnings alone", "figures alone", "prose that denies", "a column of counts", "names of figures", "panics", "another way", "no other way", "saved elsewhere", "something else that went well", "errors that are measured", "a response", "a cross", "warnings of a logger alone", "a long response", "messages to a model", "a paragraph", "what each setting took", "memory alone"],
)  # fmt: skip
def test_the_last_words_decide(text: str, cls: str, report_of: ReportOf) -> None:
    verdict = report_of({"job.log": text}).verdict
    assert (verdict.cls, verdict.confidence) == (cls, "low")


def test_every_file_is_asked(report_of: ReportOf) -> None:
    assert (
        report_of({"rank0.log": WORK, "rank1.log": WORK + "connection to rank 0 timed out\n"}).verdict.cls != "healthy"
    )
    assert report_of({"rank0.log": WORK, "rank1.log": WORK}).verdict.cls == "healthy"


def test_a_brief_file_beside_the_others(report_of: ReportOf) -> None:
    assert report_of({"job.out": WORK, "run.log": "on gn12, PID 57\n"}).verdict.cls == "healthy"
    assert report_of({"job.out": WORK, "run.log": "on gn12, PID 57\nwaiting for gn13\n"}).verdict.cls != "healthy"


def test_a_file_of_warnings_alone(report_of: ReportOf) -> None:
    warns = "<frozen importlib._bootstrap>:241: RuntimeWarning: converter already registered\n  the line that warns\n"
    assert report_of({"job.out": WORK, "job.err": warns * 7}).verdict.cls == "healthy"
    assert report_of({"job.out": WORK, "job.err": warns * 7 + "no licence was found\n"}).verdict.cls != "healthy"


def test_what_could_not_be_tidied_away(report_of: ReportOf) -> None:
    tidies = "rm: cannot remove '/scratch/job57': Permission denied\n"
    assert report_of({"job.out": WORK, "job.err": tidies}).verdict.cls == "healthy"
    assert report_of({"job.out": WORK, "job.err": tidies + "no licence was found\n"}).verdict.cls != "healthy"


def test_a_server_that_answers(report_of: ReportOf) -> None:
    answers = "".join(f'INFO:     127.0.0.1:5{n}57 - "POST /v1/messages HTTP/1.1" 200 OK\n' for n in range(20))
    assert report_of({"serve.log": answers}).verdict.cls == "healthy"
    assert report_of({"serve.log": answers.replace("200 OK", "500 Internal Server Error")}).verdict.cls != "healthy"


OLD = (
    "2031-02-03 07:04:05,123 - [Rank0] ################################\n"
    "2031-02-03 07:04:05,124 - [Rank0] the libraries are initialised\n2031-02-03 07:04:05,125 - [Rank0] the network is built\n"
    '2031-02-03 07:04:06,123 - [Rank0] ERROR: !stack.empty() INTERNAL ASSERT FAILED at "/pytorch/torch/csrc/autograd/'
    'profiler_python.cpp":983, please report a bug to PyTorch.\n'
)
NEW = (
    OLD.partition("2031-02-03 07:04:06")[0].replace(" 07:", " 09:")
    + "2031-02-03 09:04:09,123 - [Rank0] the model is fitted\n2031-02-03 09:04:10,123 - [Rank0] the plot is saved as 1.png\n"
)


def test_a_newest_run_of_which_no_line_is_known(report_of: ReportOf) -> None:
    assert report_of({"log_rank0.txt": OLD + NEW}).verdict.cls == "healthy"
    assert report_of({"log_rank0.txt": NEW + OLD}).verdict.cls != "healthy"


def test_a_file_of_a_runtime_records_alone(report_of: ReportOf) -> None:
    said = (
        "2026-01-02 03:04:{:02d}.678901: W tensorflow/core/common_runtime/bfc_allocator.cc:57] Allocator ran out of memory; "
        "the caller indicates that this is not a failure\n"
    )
    many = "".join(said.format(n) for n in range(40))
    assert report_of({"job.out": WORK, "job.err": "the net has 57 layers\n" + many}).verdict.cls == "healthy"
    assert report_of({"job.out": WORK, "job.err": many + "waiting for gn13\n"}).verdict.cls != "healthy"


@pytest.mark.parametrize(
    ("last", "cls"),
    [("[STATUS]  SUCCESS — scored57.parquet is ready", "healthy"), ("[STATUS]  FAILED", "unknown"), ("status ok 3", "healthy")],
    ids=["well", "not well", "a count"],
)  # fmt: skip
def test_a_status_at_the_end(last: str, cls: str, report_of: ReportOf) -> None:
    said = "the grid is written\n" * 9
    verdict = report_of({"job.log": f"{said}{last}\n{'=' * 40}\n"}).verdict
    assert (verdict.cls == "healthy") is (cls == "healthy")


RETRIED = (
    "Jan-02 03:04:05.678 [Task] DEBUG TaskProcessor - Handling unexpected condition for\n"
    "  error [nextflow.exception.ProcessFailedException]: Process `FIT57 (1)` terminated by the external system\n"
    "Jan-02 03:04:05.679 [Task] INFO TaskProcessor - [ab/57] NOTE: Process `FIT57 (1)` terminated by the external system -- {}\n"
)


@pytest.mark.parametrize(("word", "cls"), [("Execution is retried (1)", "healthy"), ("it is left at that", "unknown")])
def test_a_step_that_nextflow_runs_again(word: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({".nextflow.log": WORK + RETRIED.format(word)}).verdict.cls == cls


LOGGED = "2026-01-02 03:04:05,678 - fit57 - {}\n"


@pytest.mark.parametrize(("more", "cls"), [(20, "healthy"), (5, "unknown")])
def test_an_error_of_a_logger_that_tells_of_much_else_behind_it(more: int, cls: str, report_of: ReportOf) -> None:
    behind = "".join(LOGGED.format(f"INFO - {what} is fitted") for what in "abcdefghijklmnopqrst"[:more])
    assert (
        report_of({"job.log": WORK + LOGGED.format("ERROR - Failed to write the report of 57") + behind}).verdict.cls
        == cls
    )


@pytest.mark.parametrize(
    ("out", "cls"),
    [("the run is finished\n", "healthy"), ("the next one is begun\n", "unknown")],
    ids=["through", "not"],
)
def test_a_stream_that_ends_in_the_midst_beside_one_that_is_through(out: str, cls: str, report_of: ReportOf) -> None:
    err = "too few points for a plot\nmv: invalid option -- 'R'\n"
    assert report_of({"job.out": WORK + out, "job.err": err}).verdict.cls == cls


GOES_ON = "".join(f"Skipping {n}: it is there already.\n" for n in range(9))
LOST = "".join(f"Error: no recording was found for {n}\n" + f"wrote the card of {n}\n" * 4 for n in range(100, 107))


@pytest.mark.parametrize(
    ("text", "cls"),
    [
        (LOST + GOES_ON, "healthy"),
        (LOST + GOES_ON[:80], "unknown"),
        (
            "".join(
                f"[{n}/570] [{('DONE', 'ERROR')[n % 3 > 1]}] clip{n}x - it is {('there', 'private')[n % 3 > 1]}\n"
                for n in range(1, 41)
            ),
            "healthy",
        ),
        (
            WORK + "the download failed: it is too large\nFalling back to the mirror ...\nthe mirror is asked\n",
            "healthy",
        ),
        (WORK + "the download failed: it is too large\nthe mirror is asked\n", "unknown"),
    ],
    ids=["of single items", "little behind them", "counted", "another way", "no other way"],
)
def test_errors_with_which_a_program_goes_on(text: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": text}).verdict.cls == cls


def test_complaints_that_a_program_makes_all_along(report_of: ReportOf) -> None:
    def client(n: int) -> str:
        day = f"2031-02-03 07:{n:02d}:09"
        return "".join(
            f"{day},{m:03d}-{level}-hub.py:57 {said}\n"
            for m, (level, said) in enumerate(
                (
                    ("INFO", "a client is there"),
                    ("ERROR", "its channel is not there"),
                    ("INFO", "the channel is made"),
                    ("INFO", "the first picture"),
                    ("INFO", "the last picture"),
                    ("INFO", "the channel is left"),
                )
            )
        )

    up = "".join(f"2031-02-03 07:00:04,000-INFO-hub.py:7 part {part * 3} is up\n" for part in "abcdefghijkl")
    assert report_of({"hub.log": up + "".join(map(client, range(30)))}).verdict.cls == "healthy"
    assert report_of({"hub.log": client(1)[:-1].replace("left", "left by force: it failed\n")}).verdict.cls == "unknown"


@pytest.mark.parametrize(("behind", "healthy"), [(9, True), (3, False)], ids=["it speaks on", "a few words more"])
def test_an_error_behind_which_a_program_speaks_on(behind: int, healthy: bool, report_of: ReportOf) -> None:
    stamp = "2031-02-03 07:04:{:02d},678|{}|"
    text = stamp.format(1, "INFO") + "it waits\n" + stamp.format(2, "ERROR") + "the plan does not fit\n"
    text += "".join(stamp.format(n, "INFO") + f"a word {'abcdefghijkl'[n]}\n" for n in range(3, 3 + behind))
    assert (report_of({"hub.log": text}).verdict.cls == "healthy") is healthy


@pytest.mark.parametrize(
    "line",
    [
        "Failed attempts: 35",
        "Figures saved in out57. Total failed attempts: 28",
        "Failed processes: 0",
        "JOB COMPLETED SUCCESSFULLY despite worker failure",
        "waiting for the server (timeout 1800s)...",
        "Prediction:['+ out of time and out of space'] ---> Reference:+ out of memory he went",
        '  "JSONDecodeError": 57,',
        "/opt/a/svm.py:57: ConvergenceWarning: Solver terminated early (max_iter=57)",
        "log_dir/segmentation",
        "2031-02-03 04:05:06,057 INFO Segmentation of 57 pictures begins",
    ],
)
def test_what_only_seems_to_be_trouble(line: str) -> None:
    assert not speaks_of_trouble(line)
    assert speaks_of_trouble("Segmentation fault (core dumped)")


def test_a_server_that_listens_waits_for_nobody_who_fails_it(report_of: ReportOf) -> None:
    stamp = "2031-02-03 04:05:06,789 - serve - INFO - "
    text = f"{stamp}Starting the server\n{stamp}Detected 57 GB of memory, waiting for no one\n"
    assert report_of({"serve.log": text + f"{stamp}gRPC server started on [::]:50057\n"}).verdict.cls == "healthy"


def _caffe(n: int) -> str:
    return (
        f"I0818 19:45:53.0{n:05d} 19553 net.cpp:91] Creating Layer conv{n}\n"
        f"I0818 19:45:53.0{n:05d} 19553 net.cpp:425] conv{n} <- pool{n}\n"
        f"I0818 19:45:53.0{n:05d} 19553 net.cpp:156] Memory required for data: 57{n}000\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "".join(map(_caffe, range(10, 30))),
        WORK
        + "data.build WARNING: with several pictures you may encounter an out-of-memory (OOM) error without enough memory\n",
        WORK + "We will use 90% of the memory on device 0 for the model\n",
    ],
    ids=["Caffe sets its net up", "a warning about memory", "a note about memory"],
)
def test_a_set_up_that_just_ends(text: str, report_of: ReportOf) -> None:
    assert report_of({"train.log": text}).verdict.cls == "healthy"


def test_how_much_memory_is_used_tells_of_no_work(report_of: ReportOf) -> None:
    assert report_of({"train.log": WORK + "GPU memory used: 57 GiB\nGPU memory: 57 GiB\n" * 2}).verdict.cls == "unknown"


CALLED = (
    "2031-02-03 04:05:06,057 - trader - INFO - the agent is loaded\n"
    "2031-02-03 04:05:06,157 - explainer - ERROR - LLM call failed: Error code: 403 - {'code': 'no permission'}\n"
)


def test_a_call_that_was_refused_and_done_without(report_of: ReportOf) -> None:
    did = "2031-02-03 04:05:06,257 - api - INFO - Trade executed: action=SELL, has_explanation=True\n"
    assert report_of({"trade.log": CALLED + did}).verdict.cls in ("healthy", "unknown")
    assert report_of({"trade.log": CALLED}).verdict.cls not in ("healthy", "unknown")


PROBES = (
    "2031-02-03 04:05:06,024 ERROR   HandlerThread:57 [system_info.py:_save_conda():86] Error saving: {0}\n"
    'Traceback (most recent call last):\n  File "/opt/venv/lib/wandb/sdk/internal/system/system_info.py", line 82, in _save_conda\n'
    '    subprocess.call(\n  File "/usr/lib/python3.11/subprocess.py", line 57, in _execute_child\n    raise error\n'
    "FileNotFoundError: {0}\n"
).format("[Errno 2] No such file or directory: 'conda'")


def test_what_a_tracker_did_not_learn(report_of: ReportOf) -> None:
    calm = "".join(f"2031-02-03 04:05:1{n},024 INFO    HandlerThread:57 [w.py:f():5] {n} is done\n" for n in range(9))
    assert report_of({"debug-internal.log": PROBES + calm}).verdict.cls == "healthy"
    said = "ERROR git repo not found: there is none"
    assert not (speaks_of_trouble(said) or looks_fatal(said))


def test_a_warning_of_a_card_that_a_program_needs_not(report_of: ReportOf) -> None:
    warned = (
        "the base is loaded on the CPU\n/opt/venv/torch/cuda/__init__.py:57: UserWarning: CUDA initialization: "
        "Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before? Error 2: out of memory\n"
    )
    shards = "".join(f"shard {n} of {n % 7} films is written\n" for n in range(1200))
    assert report_of({"merge.log": warned + shards + "done: https://films.example.org/57\n"}).verdict.cls == "healthy"
    assert report_of({"merge.log": warned + "no card was found\n"}).verdict.cls != "healthy"


REFUSED = "403 Client Error: Forbidden for url: https://hub57.example/a"


@pytest.mark.parametrize(
    ("said", "cls"),
    [
        (f"[{{'role': 'user', 'content': 'What does the page say? {'It says. ' * 57} {REFUSED}'}}]", "healthy"),
        (f"requests.exceptions.HTTPError: {REFUSED}", "config"),
    ],
    ids=["in a message to a model", "of the program"],
)
def test_what_a_model_is_asked_about(said: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": WORK + said + "\n" + WORK}).verdict.cls == cls


@pytest.mark.parametrize(("code", "cls"), [("", "healthy"), ("r(601);\n", "unknown")], ids=["ended", "failed"])
def test_a_batch_of_stata(code: str, cls: str, report_of: ReportOf) -> None:
    text = f". log close\n      name:  <unnamed>\n  log type:  text\n closed on:   9 Feb 2031\n\n. \n{code}end of do-file\n{code}"
    assert report_of({"fit.log": text}).verdict.cls == cls


@pytest.mark.parametrize(
    "said",
    [
        "W0203 04:05:06.543000 57571 util.py:57] a value of the net was not used: beta\n" * 9
        + "2031-02-03 04:05:07.543000: W net/core/net.cc:57] one more\n",
        "2031-02-03 04:05:06,543 [WARNING]: retry (from net.base) is deprecated.\nUse the retry module or similar alternatives.\n"
        + WORK,
        "data57 unavailable: FileNotFoundError: [Errno 2] No such file or directory: '/data/57.gz'\n" + WORK,
        "ERROR:jax._src.xla_bridge:57: Jax plugin configuration error: Exception when calling initialize()\n"
        'Traceback (most recent call last):\n  File "xla.py", line 57, in initialize\nRuntimeError: operation cuInit(0) failed\n'
        + WORK,
    ],
    ids=["loggers warn", "a module is old", "one thing of some is not there", "no GPU for JAX"],
)
def test_what_nobody_misses(said: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": said}).verdict.cls == "healthy"


def test_what_ended_an_older_run_is_not_held_against_one_of_which_no_line_is_known(report_of: ReportOf) -> None:
    """And a message below a warning's level is a warning."""

    def begun(day: int) -> str:
        return "".join(f"2031-02-{day:02} 04:05:06,78{n}:WARNING:\nno film {n} is there\n" for n in range(4))

    failed = 'Traceback (most recent call last):\n  File "a.py", line 7, in <module>\n    b()\nValueError: bad 57\n'
    text = "".join(begun(day) + failed for day in (1, 5, 9)) + begun(20)
    assert report_of({"logs.log": text}).verdict.cls == "healthy"
    assert report_of({"logs.log": text + failed}).verdict.cls == "software"
    assert report_of({"logs.log": text.replace("WARNING:", "NOTICE:")}).verdict.cls == "unknown"
