"""C++ exceptions that nobody caught: what a process says before it aborts itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

STEPS = "".join(f"2026-11-21 04:10:{n:02d},000 INFO train: step {n} loss 2.31 step_time 0.500s\n" for n in range(40))


def _job(thrown: str, what: str) -> dict[str, str]:
    """Four ranks that train, of which the third ends so; nobody else says a word of it."""
    files = {f"rank_{rank}.log": f"rank={rank} world_size=4\n{STEPS}" for rank in range(4)}
    files["rank_2.log"] += f"terminate called after throwing an instance of '{thrown}'\n  what():  {what}\n"
    return files


@pytest.mark.parametrize(
    ("thrown", "what", "cls"),
    [
        ("std::out_of_range", "vector::_M_range_check: __n (which is 57) >= this->size() (which is 7)", "software"),
        ("std::bad_alloc", "std::bad_alloc", "host-oom"),
        (
            "std::filesystem::__cxx11::filesystem_error",
            "filesystem error: cannot rename: No space left on device [/mnt/a57] [/mnt/b57]",
            "storage-io",
        ),
        ("std::system_error", "Connection reset by peer", "network"),
    ],
)
def test_what_nobody_caught_ended_its_rank(thrown: str, what: str, cls: str, report_of: ReportOf) -> None:
    verdict = report_of(_job(thrown, what)).verdict
    assert (str(verdict.cls), verdict.culprit_ranks) == (cls, (2,))
    assert verdict.first_evidence is not None
    assert verdict.first_evidence.file == "rank_2.log"
    assert verdict.first_evidence.line in (42, 43)  # what is thrown, or what it says


def test_a_sentence_that_quotes_it_is_no_end(report_of: ReportOf) -> None:
    files = _job("std::out_of_range", "x57")
    files["rank_2.log"] = f"rank=2 world_size=4\n  what():  to read when it fails\n{STEPS}"
    assert str(report_of(files).verdict.cls) == "healthy"


def test_who_aborts_has_said_why(report_of: ReportOf) -> None:
    said = "[rank2]: RPC: /xla.coordination.CoordinationService/RegisterTask\n"
    ended = (
        "E1103 02:20:11.000000 3900 torch/distributed/elastic/multiprocessing/api.py:874] failed (exitcode: -6) "
        "local_rank: 2 (pid: 4002) of binary: /usr/bin/python\n"
    )
    verdict = report_of({"job.log": said + ended}).verdict
    assert str(verdict.cls) == "init-rendezvous"


@pytest.mark.parametrize(("times", "ranks"), [(1, (57,)), (2, ())], ids=["one threw", "several threw"])
def test_the_process_that_mpirun_saw_abort_threw(times: int, ranks: tuple[int, ...], report_of: ReportOf) -> None:
    thrown = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  map::at\n"
    ended = "mpirun noticed that process rank 57 with PID 4242 on node node007 exited on signal 6 (Aborted).\n"
    verdict = report_of({"job.out": STEPS + thrown * times + ended}).verdict
    assert (str(verdict.cls), verdict.culprit_ranks) == ("software", ranks)


def test_a_heading_of_several_processes_is_followed_by_what_one_of_them_says(report_of: ReportOf) -> None:
    text = (
        "[0] \n[0] --> FOAM FATAL IO ERROR: (openfoam-2012)\n[1] \n[1] --> FOAM FATAL IO ERROR: (openfoam-2012)\n[0] \n"
        "[1] cannot open file /data/57/U: No such file or directory\n"
    )
    verdict = report_of({"log.pimpleFoam": text}).verdict
    assert verdict.first_evidence is not None
    assert (verdict.first_evidence.line, verdict.cls) == (2, "data")


WRAPPED = (
    'Exception in thread "main" java.lang.reflect.InvocationTargetException\n\tat a.b.Main.main(Main.java:57)\n'
    "Caused by: java.lang.ExceptionInInitializerError\n\tat a.b.Run.run(Run.java:7)\n\t... 5 more\n"
    "Caused by: java.net.ConnectException: Connection refused\n\tat a.b.Net.go(Net.java:7)\n\t... 7 more\n"
)


@pytest.mark.parametrize(
    ("text", "line", "cls"),
    [
        (WRAPPED, 6, "network"),
        (WRAPPED.replace("reflect.InvocationTargetException", "IllegalStateException: it is 57"), 6, "network"),
        (WRAPPED.replace("reflect.InvocationTargetException", "OutOfMemoryError: Java heap space"), 1, "host-oom"),
    ],
    ids=["wrapped", "says nothing special", "says why"],
)
def test_what_java_wraps_is_cited_where_the_wrapper_says_nothing(
    text: str, line: int, cls: str, report_of: ReportOf
) -> None:
    verdict = report_of({"job.err": text}).verdict
    assert verdict.first_evidence is not None
    assert (verdict.first_evidence.line, verdict.cls) == (line, cls)


CHAIN = (
    "com.example.Job57Exception: the job failed\n\tat com.example.Run57.main(Run57.java:57)\n"
    "Caused by: com.example.Wrapped: no answer\n\tat com.example.Run57.ask(Run57.java:7)\n\t... 5 more\n"
    "Caused by: java.net.ConnectException: Connection refused\n\tat com.example.Net57.open(Net57.java:5)\n"
)


def test_what_java_began_with_is_cited_where_nothing_special_is_said_above(report_of: ReportOf) -> None:
    verdict = report_of({"run.log": "ERROR the job ends\n" + CHAIN}).verdict
    assert verdict.cls == "network" and verdict.first_evidence is not None and verdict.first_evidence.line == 7
