"""Exceptions that a program caught and printed, and words of completion behind ones that it did not catch."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.report import Report
from logtui.diagnosis.predicates.handled import handled

FactsOf = Callable[[Mapping[str, str]], Facts]
ReportOf = Callable[[Mapping[str, str]], Report]


def _raised(function: str) -> str:
    return (
        "2031-02-03 04:00:57,045 ERROR   [fetch-1] fetch failed (attempt 1/4) of feed 57\n"
        f'Traceback (most recent call last):\n  File "/srv/crawl/fetch.py", line 57, in {function}\n'
        "    resp = session.get(url, timeout=20)\nTimeoutError: The read operation timed out\n"
    )


WORK = "".join(
    f"2031-02-03 04:0{n}:09,763 INFO    [fetch-{n % 3}] {what}\n"
    for n, what in enumerate(
        (
            "the queue is long",
            "feeds of the north",
            "feeds of the south",
            "feeds of the west",
            "duplicates are dropped",
        ),
        1,
    )
)


@pytest.mark.parametrize(
    ("text", "healthy"),
    [
        (WORK + _raised("get") + WORK + WORK, True),
        (WORK + _raised("<module>") + WORK + WORK, False),
        (WORK + _raised("get") + WORK[:100], False),
        (WORK + _raised("get") + WORK + "2031-02-03 04:09:09 ERROR the crawl was aborted\n", False),
        (WORK + _raised("get") + "wandb: Run history of 57\n" * 9, False),
        (WORK + _raised("get") + WORK + "Runner terminated.\n" * 3, False),
        (WORK + _raised("worker") + WORK * 2, False),
        (WORK + _raised("worker") + WORK * 30, True),
    ],
    ids=[
        "caught",
        "not caught",
        "little behind it",
        "trouble behind it",
        "only a tracker behind it",
        "its container is ended",
        "perhaps a process's end",
        "far from the end",
    ],
)
def test_what_was_caught_and_worked_on_from(text: str, healthy: bool, report_of: ReportOf) -> None:
    assert (report_of({"crawl.log": text}).verdict.cls == "healthy") is healthy


DONE = "*** Training complete! Model exported to /data/export57 ***\n"
MISSING = "/var/spool/job57/slurm_script: line 27: unet57_train: command not found\n"


@pytest.mark.parametrize(
    ("text", "cls"),
    [
        (_raised("<module>").replace("TimeoutError", "AttributeError") + "README.md written\n" + DONE, "software"),
        ("Start fold 0 ...\n" + MISSING * 3 + "JobState=COMPLETED Reason=None\n", "unknown"),
        ("Start fold 0 ...\n" + MISSING + "JobState=COMPLETED Reason=None\n", "healthy"),
    ],
    ids=["an exception right above it", "no command was there", "one command was not there"],
)
def test_words_of_completion_of_a_script_that_did_nothing(text: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"job.log": "the corpus is here\n" + text}).verdict.cls == cls


@pytest.mark.parametrize(
    "ending",
    ["2031-02-03 04:14:21 fin du travail (code retour 0)\n", "2031-02-03 04:42:19,505 INFO [fetch-2] done in 1636 s\n"],
    ids=["a status", "a duration"],
)
def test_more_ways_to_end_well(ending: str, report_of: ReportOf) -> None:
    verdict = report_of({"job.log": "the map is drawn\n" + ending}).verdict
    assert (verdict.cls, verdict.rule) == ("healthy", "completed")


def test_what_an_import_lacks_is_not_passed_over_for_its_echo(report_of: ReportOf) -> None:
    text = (
        'Process ForkServerProcess-5:\nTraceback (most recent call last):\n  File "/opt/job/wrappers.py", line 88, in reset\n'
        "    self._physics.make_current()\nImportError: Cannot initialize a EGL device display.\n"
        'Traceback (most recent call last):\n  File "train.py", line 141, in <module>\n    main()\n'
        '  File "/usr/lib/python3.11/multiprocessing/connection.py", line 383, in _recv\n    raise EOFError\nEOFError\n'
    )
    first = report_of({"job.log": text}).verdict.first_evidence
    assert first is not None
    assert first.line == 5


def test_an_exception_whose_class_begins_with_an_underscore(report_of: ReportOf) -> None:
    text = (
        'Traceback (most recent call last):\n  File "client.py", line 148, in <module>\n    main()\n'
        '  File "/opt/lib/grpc/_channel.py", line 967, in _next\n    raise self\n'
        "grpc._channel._MultiThreadedRendezvous: <_MultiThreadedRendezvous of RPC that terminated with:\n"
        '\tstatus = StatusCode.UNAVAILABLE\n\tdetails = "failed to connect to all addresses: Connection refused"\n>\n'
    )
    verdict = report_of({"client.log": text}).verdict
    assert verdict.cls == "network"
    assert verdict.first_evidence is not None
    assert verdict.first_evidence.line == 6


@pytest.mark.parametrize(
    "noise",
    [
        "ERROR 12-25 11:03:05 multiproc_worker_utils.py:116] Worker VllmWorkerProcess pid 4242 died, exit code: -15\n",
        "WARNING:root:NaN or Inf found in input tensor.\navg_test_scalars {'loss': nan, 'D3': [0.117, 0.085]}\n",
    ],
    ids=["vLLM's worker that was told to end", "a loss of a test"],
)
def test_noise_at_a_calm_end(noise: str, report_of: ReportOf) -> None:
    said = "".join(f"the {what} is judged\n" for what in ("first", "second", "third", "fourth", "fifth"))
    assert report_of({"eval.log": said + noise}).verdict.cls == "healthy"


SET = "Using card 0\nreads {0}.scale\n# of instances: {1}000\nthe model has {1} vectors\nthe score is {1}7.57\n"
DIED = (
    "Using card 0\nfit57: src/reader.cpp:57: static void Reader::info(): Assertion `file.is_open()' failed.\nopening {0}.scale failed\n"
    "./run57.sh: line 5: 4821 Aborted                 (core dumped) ./bin/fit57 -b 0 {0}.scale\n"
)


@pytest.mark.parametrize(
    ("names", "is_well"), [("abXcdefgh", True), ("abcdefghX", False), ("abcdefXgX", False)], ids=["amid", "last", "two"]
)
def test_a_loop_of_a_script_in_which_one_program_died(names: str, is_well: bool, report_of: ReportOf) -> None:
    log = "".join(DIED.format(name) if name == "X" else SET.format(name, n) for n, name in enumerate(names, 1))
    assert (report_of({"nohup.out": log}).verdict.cls == "healthy") is is_well


def test_a_threads_traceback_into_which_the_programs_own_runs(report_of: ReportOf) -> None:
    full = "OSError: [Errno 28] No space left on device\n"
    frames = 'Traceback (most recent call last):\n  File "{}", line 57, in {}\n    save()\n'
    thread = "Exception in thread Thread-6:\n" + frames.format("/usr/lib/python3.11/shutil.py", "copyfile") + full
    again = "\nDuring handling of the above exception, another exception occurred:\n\n"
    cut = 'Traceback (most recent call last):\n  File "/usr/lib/python3.11/shu'
    own = frames.format("train57.py", "<module>") + full
    steps = "".join(f"(epoch: 57, iters: {n}, loss: 0.{n})\n" for n in range(10, 60))
    assert report_of({"train.out": steps + thread + again + cut + own}).verdict.cls == "storage-io"


@pytest.mark.parametrize(
    ("words", "healthy"),
    [
        ("Error training the second net: No module named 'kernels57'", True),
        ("No module named 'kernels57'", False),
        ("Error training the second net: out of luck", False),
    ],
    ids=["quoted", "without a word of its own", "another message"],
)
def test_an_exception_that_its_program_quotes(words: str, healthy: bool, report_of: ReportOf) -> None:
    raised = (
        'Traceback (most recent call last):\n  File "/opt/job/both.py", line 57, in main\n    net = second(x)\n'
        "ModuleNotFoundError: No module named 'kernels57'\n"
    )
    behind = f"Training the second net\n{words}\n" + "".join(f"figure {c} is drawn\n" for c in "abcdef")
    report = report_of({"train.out": "the data is read\n" * 3 + raised + behind + "Summary\nfirst net: 0.4483\n"})
    assert (report.verdict.cls == "healthy") is healthy


EXPERIMENT = "ERROR:root:experiment {} failed!\n" + (
    'Traceback (most recent call last):\n  File "/opt/job/experiment.py", line 57, in run_experiments\n'
    '    run(experiment)\n  File "/opt/job/model.py", line 7, in build\n    return made[name]\n'
)


def test_of_experiments_that_one_function_runs_the_last_tells(report_of: ReportOf) -> None:
    first = "".join(EXPERIMENT.format(n) + "RuntimeError: CUDA error: out of memory\n" for n in range(6))
    then = "".join(EXPERIMENT.format(n) + "KeyError: 'pruner57'\n" for n in range(30))
    verdict = report_of({"experiment.log": first + then}).verdict
    assert verdict.cls in ("config", "software")
    assert verdict.first_evidence is not None
    assert verdict.first_evidence.text == "KeyError: 'pruner57'"
    assert report_of({"experiment.log": first}).verdict.cls == "gpu-oom"


PAGE = (
    'Traceback (most recent call last):\n  File "/opt/job/pages.py", line 57, in show\n    open(logo)\n'
    "FileNotFoundError: [Errno 2] No such file or directory: 'logo57.png'\n"
)
ASKED = "2031-02-03 04:05:06.057 | INFO | pages:show:57 - 5 parts are found\n"


def test_a_server_of_pages_outlives_what_one_raises(report_of: ReportOf) -> None:
    serves = "\n  You can now view your Streamlit app in your browser.\n\n  Local URL: http://localhost:8500\n" + ASKED
    assert report_of({"app.log": serves + PAGE + ASKED}).verdict.cls in ("healthy", "unknown")
    assert report_of({"app.log": ASKED + PAGE + ASKED}).verdict.cls not in ("healthy", "unknown")


def test_what_tells_of_a_caught_exception_states_no_cause(report_of: ReportOf) -> None:
    told = "2031-02-03 04:00:57,045 ERROR service: no index: [Errno 2] No such file or directory: '/data/index57'\n"
    raised = (
        'Traceback (most recent call last):\n  File "/srv/crawl/index.py", line 57, in build\n    open(path)\n'
        "FileNotFoundError: [Errno 2] No such file or directory: '/data/index57'\n"
    )
    assert report_of({"crawl.log": told + raised + WORK + WORK}).verdict.cls == "healthy"


REQUEST = (
    "ERROR:hub57:Exception on /films [POST]\nTraceback (most recent call last):\n"
    '  File "/opt/venv/lib/python3.11/site-packages/flask/app.py", line 57, in wsgi_app\n    response = dispatch()\n'
    '  File "/srv/hub57/{name}.py", line 5, in films\n    return cut(film)\nTypeError: cut() got nothing\n'
)


@pytest.mark.parametrize(
    ("log", "healthy"),
    [
        (REQUEST.format(name="server") * 3, True),
        (REQUEST.replace("/opt/venv/", "C:/venv/").replace("/", "\\").format(name="server") * 3, True),
        (
            REQUEST.replace("flask/app.py", "starlette/routing.py")
            .replace("wsgi_app", "lifespan")
            .format(name="server"),
            False,
        ),
        (REQUEST.replace("site-packages/flask/app.py", "site-packages/click/core.py").format(name="train") * 3, False),
    ],
    ids=["of requests", "of requests on Windows", "as it came up", "of a command"],
)
def test_what_a_request_raised(log: str, healthy: bool, report_of: ReportOf) -> None:
    verdict = report_of({"server.log": "the hub is up\n" + log}).verdict
    assert (verdict.cls == "healthy") is healthy
    assert ("caught" in verdict.title) is healthy


QUOTED = (
    '2031-02-03 04:05:57,064 - judge - WARNING - its output:   File "/tmp/made57.py", line 5\n    def cut(film\n'
    "           ^\nSyntaxError: '(' was never closed\n\n"
)


@pytest.mark.parametrize("behind", [True, False], ids=["worked on", "the last words"])
def test_what_a_record_quotes(behind: bool, report_of: ReportOf) -> None:
    log = WORK + QUOTED + WORK.replace(" 04:", " 05:") * behind
    assert (report_of({"judge.log": log}).verdict.cls == "healthy") is behind


TOOK_TOO_LONG = (
    "2031-02-03 04:05:57,064 - WARNING - the block took more than 10 seconds\nTraceback (most recent call last):\n"
    '  File "{file}", line 57, in {function}\n    result = func(*args)\nlimits.TimeoutException\n'
)


@pytest.mark.parametrize(
    ("file", "function", "caught"),
    [("/opt/venv/lib/site-packages/limits/utils.py", "wrapper", True), ("/srv/judge57.py", "<module>", False)],
    ids=["a library's", "the program's"],
)
def test_what_a_library_logs_that_it_made_up_for(file: str, function: str, caught: bool, facts_of: FactsOf) -> None:
    log = WORK + TOOK_TOO_LONG.format(file=file, function=function) + WORK.replace(" 04:", " 05:") * 2
    facts = facts_of({"judge.log": log})
    assert [handled(facts, fact) for fact in facts.exceptions] == [caught]


def test_what_was_made_up_for_long_before_the_next_complaint(report_of: ReportOf) -> None:
    caught = TOOK_TOO_LONG.format(file="/opt/venv/lib/site-packages/limits/utils.py", function="wrapper")
    late = "2031-02-03 06:00:57,064 - ERROR - a feed is gone\n" + WORK.replace(" 04:", " 07:") * 2
    verdict = report_of({"judge.log": WORK + caught + WORK.replace(" 04:", " 05:") * 9 + late}).verdict
    assert verdict.cls in ("healthy", "unknown")


@pytest.mark.parametrize(
    ("told", "healthy"),
    [
        ("❌ Training crashed with error: widths of 57", False),
        ("2031-02-03 04:00:57,045 ERROR main: the pipeline stages failed: widths of 57", False),
        ("the widths of 57 do not fit", True),
    ],
    ids=["all of it", "in a record", "a part"],
)
def test_a_program_that_says_that_all_of_its_work_failed(told: str, healthy: bool, report_of: ReportOf) -> None:
    raised = (
        'Traceback (most recent call last):\n  File "/opt/run57/trainer.py", line 901, in train\n    step(57)\n'
        '  File "/opt/run57/trainer.py", line 57, in step\n    raise ValueError(57)\nValueError: widths of 57\n'
    )
    summary = "".join(
        f"{n}: {what}\n" for n, what in enumerate(("total steps", "total epochs", "summary", "csv", "json"))
    )
    report = report_of({"train.log": f"the films are read\n{told}\n{raised}{summary * 2}Shutdown complete\n"})
    assert (report.verdict.cls == "healthy") is healthy


GIVEN = '  File "{}", line 1\n    import a; print(f\\"{{a}}\\")\n              ^\nSyntaxError: unexpected character\n'


@pytest.mark.parametrize(("file", "healthy"), [("<string>", True), ("/srv/a/train.py", False)])
def test_a_command_that_python_could_not_read_and_its_script_did_without(
    file: str, healthy: bool, report_of: ReportOf
) -> None:
    work = "".join(
        f"    the {n}th question is {what}\n" for n in range(9) for what in ("asked", "told", "kept", "left", "set")
    )
    report = report_of({"eval.log": "asking what there is\n" + GIVEN.format(file) + work})
    assert (report.verdict.cls == "healthy") == healthy
