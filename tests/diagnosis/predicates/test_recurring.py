"""What is raised again and again while steps are made is caught by somebody."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

RAISED = """(LoopWorker pid=57) Traceback (most recent call last):
(LoopWorker pid=57)   File "/opt/job/worker.py", line 57, in act
(LoopWorker pid=57)     x, y = parse(answer)
(LoopWorker pid=57) TypeError: cannot unpack {n} NoneType object
"""
STEP = "(TaskRunner pid=42) step:{n} - actor/pg_loss:0.57 - timing_s/step:957.1\n"


def _job(first: int, then: int) -> str:
    many = [RAISED.format(n=n) for n in range(first + then)]
    return "".join([*many[:first], STEP.format(n=1), *many[first:], STEP.format(n=2), RAISED.format(n="a")])


def test_what_recurs_round_steps_is_no_failure(report_of: ReportOf) -> None:
    report = report_of({"job.log": _job(4, 4)})
    assert report.verdict.cls in ("unknown", "healthy")
    assert any("again and again" in r.why_not for r in report.verdict.runners_up)


def test_what_came_twice_may_be(report_of: ReportOf) -> None:
    assert report_of({"job.log": _job(1, 0)}).verdict.cls == "software"


def test_nor_is_it_caught_where_a_process_failed(report_of: ReportOf) -> None:
    end = "E0102 03:04:05.000000 4242 torch/distributed/elastic/multiprocessing/api.py:57] failed (exitcode: 1) "
    end += "local_rank: 0 (pid: 57) of binary: /usr/bin/python3\n"
    assert report_of({"job.log": _job(4, 4) + end}).verdict.cls == "software"


LOGGED = """2031-02-03 04:{n:02d}:05 - [ERROR] - Traceback (most recent call last):
  File "/opt/job/ask.py", line 57, in <module>
    answer = ask(question)
  File "/opt/job/client.py", line 7, in ask
    raise error
client.InternalServerError: Error code: 502

2031-02-03 04:{n:02d}:07 - [INFO] - question {n} of 4821: {word}
2031-02-03 04:{n:02d}:08 - [INFO] - {word} is looked up in ten documents
2031-02-03 04:{n:02d}:09 - [INFO] - none of them holds a {word}
"""
WORDS = ("river", "author", "film", "planet", "king", "singer", "county", "engine")


def test_what_a_logger_writes_of_each_item_is_caught(report_of: ReportOf) -> None:
    read = "2031-02-03 04:00:01 - [INFO] - 4821 questions are read\n"
    report = report_of({"ask.log": read + "".join(LOGGED.format(n=n, word=word) for n, word in enumerate(WORDS, 1))})
    assert report.verdict.cls in ("healthy", "unknown")
    assert report.history is not None
    assert not report.history.attempts
    assert report.job.started is not None
    assert int(report.job.started) % 3600 == 1


def test_what_one_wrote_once_may_have_ended_it(report_of: ReportOf) -> None:
    once = LOGGED.format(n=1, word="river").partition("\n\n")[0] + "\n"
    assert report_of({"ask.log": once}).verdict.cls not in ("healthy", "unknown")


QUOTED = 'Attempt 1: no film was cut of {0}\n{1}Traceback (most recent call last):\n  File "/opt/films/{0}.py", line 7, in <module>\n    cut({0})\n{2}\n\n'


@pytest.mark.parametrize(
    ("label", "cls"),
    [("Error message: ", "unknown"), ("ERROR: ", "software"), ("", "software")],
    ids=["quoted", "logged", "its own"],
)
def test_what_a_program_quotes_of_others_again_and_again(label: str, cls: str, report_of: ReportOf) -> None:
    kinds = ("TypeError: no film", "ValueError: too long", "KeyError: 57")
    told = (QUOTED.format(f"film{n}", label, kinds[n % 3]) + f"film{n} is cut\nits length is known\n" for n in range(9))
    assert report_of({"films.log": "".join(told)}).verdict.cls == cls
