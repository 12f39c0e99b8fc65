"""Errors that their program survived, as the lines around them say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from logtui.diagnosis.facts.survived import DROPPED, caught_by_library, counted_past, feeds, was_expected
from logtui.diagnosis.model.report import Report
from logtui.parsers.tracebacks.traceback import assemble

ReportOf = Callable[[Mapping[str, str]], Report]


@pytest.mark.parametrize(
    ("before", "behind", "expected"),
    [
        (["expecting an exception now:"], [], True),
        (["test 4/6 nan_guard_raises"], [], True),
        ([], ["... got it. ok"], True),
        ([], ["child exited with -6 (as it should). ok"], True),
        (["expected scalar type Half"], ["and more"], False),
        (["loads the data"], ["the end"], False),
        (["    raise", "ValueError: no such key"], [], False),
    ],
)
def test_a_provoked_error(before: Sequence[str], behind: Sequence[str], expected: bool) -> None:
    assert was_expected(before, behind) is expected


@pytest.mark.parametrize(
    ("line", "dropped"),
    [
        ("ERROR JSONDecodeError: Unterminated string in doc 57, dropped", True),
        ("OSError: cannot read a5.png; skipping this", True),
        ("Unable to upload: 401 Client Error (skipping)", True),
        ("ValueError: 57 rows were dropped by the filter", False),
        ("the job was dropped", False),
    ],
)
def test_one_thing_of_many(line: str, dropped: bool) -> None:
    assert (DROPPED.search(line) is not None) is dropped


STEPS = "".join(f"step {n} loss 2.{n}\n" for n in range(1, 40))


@pytest.mark.parametrize(
    ("line", "cls"),
    [
        ("RuntimeError: CUDA error: out of memory", "gpu-oom"),
        ("    expecting an exception now:\n    RuntimeError: CUDA error: out of memory\n    ... got it. ok", "healthy"),
        ("+ kill -9 4242\n./run.sh: line 47:  4242 Killed                  python client.py", "healthy"),
        ("WARNING: upload refused: 401 Client Error: Unauthorized for url: https://hub/api (skipping)", "healthy"),
    ],
)
def test_what_becomes_of_a_job(line: str, cls: str, report_of: ReportOf) -> None:
    assert (
        report_of({"a.log": f"begins\n{line}\n{STEPS}" if cls == "healthy" else f"{STEPS}{line}\n"}).verdict.cls == cls
    )


def test_r_goes_on_at_its_prompt(report_of: ReportOf) -> None:
    failed = 'Error in plot57(fits) : could not find function "plot57"\n'
    assert report_of({"a.Rout": f"{STEPS}> try(plot57(fits))\n{failed}> saveRDS(fits)\n"}).verdict.cls == "healthy"
    assert report_of({"a.Rout": f"{STEPS}{failed}Execution halted\n"}).verdict.cls == "software"


def _thread(error: str) -> list[str]:
    where = '  File "/opt/env/paddle/fluid/dataloader/dataloader_iter.py", line 57, in _thread_loop'
    return ["Traceback (most recent call last):", where, "    batch = self._get_data()", error]


@pytest.mark.parametrize(
    ("error", "expected"),
    [("ValueError: no such key", True), ("_queue.Empty", False)],
    ids=["of the data", "of a wait for workers that are gone"],
)
def test_paddles_thread_that_reads(error: str, expected: bool) -> None:
    found = assemble(_thread(error))
    assert found is not None
    assert feeds(found) is expected


@pytest.mark.parametrize(("outer", "caught"), [("/opt/job/train.py", False), ("", True)], ids=["a program", "nobody"])
def test_a_library_that_raises_anew_what_it_caught_as_it_is_imported(outer: str, caught: bool) -> None:
    inner = (
        'Traceback (most recent call last):\n  File "/opt/lib/site-packages/arrays/core/__init__.py", line 24, in <module>\n'
        "    from . import multi\nModuleNotFoundError: No module named 'arrays.core.multi'\n"
    )
    link = (
        "\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n"
    )
    through = f'  File "{outer}", line 57, in <module>\n    import arrays\n' if outer else ""
    raised = (
        '  File "/opt/lib/site-packages/arrays/core/__init__.py", line 49, in <module>\n    raise ImportError(msg)\n'
    )
    said = assemble(f"{inner}{link}{through}{raised}ImportError: \n".splitlines())
    assert said is not None
    assert caught_by_library(said, ["see the troubleshooting page"]) is caught


THROWN = "java.io.IOException: {said}\n\tat org.example.Run57.main(Run57.java:57)\n\tat java.lang.Thread.run(Thread.java:7)\n"
DONE = "26/01/02 03:04:05 INFO Runner: Final app status: SUCCEEDED, exitCode: 0\n"


@pytest.mark.parametrize(
    ("level", "behind", "cls"),
    [
        ("DEBUG Shell: no home directory is detected", DONE, "healthy"),
        ("ERROR Shell: no home directory is detected", DONE, "software"),
        ("DEBUG Launcher: operation aborted", DONE, "software"),
        ("DEBUG Shell: no home directory is detected", "", "software"),
    ],
    ids=["caught", "at error", "aborted", "the last word"],
)
def test_what_a_logger_of_javas_prints_below_error(level: str, behind: str, cls: str, report_of: ReportOf) -> None:
    text = (
        f"26/01/02 03:04:01 INFO Runner: version 5.7\n26/01/02 03:04:02 {level}\n"
        + THROWN.format(said="no home")
        + behind
    )
    assert report_of({"run.log": text}).verdict.cls == cls


SITE = (
    "Error processing line 1 of /opt/venv/lib/python3.11/site-packages/old57-nspkg.pth:\n\n"
    "  Traceback (most recent call last):\n"
    '    File "<frozen site>", line 186, in addpackage\n    File "<string>", line 1, in <module>\n'
    "  AttributeError: 'NoneType' object has no attribute 'loader'\n\nRemainder of file ignored\n"
)


def test_a_line_of_a_site_that_python_passes_over(report_of: ReportOf) -> None:
    assert report_of({"run.log": SITE + STEPS}).verdict.cls == "healthy"
    assert report_of({"run.log": SITE + "it is built\nit is planned\n"}).verdict.cls == "healthy"


WAITED = (
    'Traceback (most recent call last):\n  File "/opt/venv/lib/python3.11/site-packages/client57/run.py", line 5, in poll\n'
    "    raise Empty\n_queue.Empty\n\nDuring handling of the above exception, another exception occurred:\n\n"
    'Traceback (most recent call last):\n  File "/opt/job/run57.py", line 7, in <module>\n    poll()\n'
    '  File "/opt/venv/lib/python3.11/site-packages/client57/run.py", line 9, in poll\n    raise Dead\n'
    "client57.Dead: the kernel of run57 died\n"
)


def test_a_wait_that_ended_is_told_by_who_waited(report_of: ReportOf) -> None:
    evidence = report_of({"run.log": WAITED}).verdict.first_evidence
    assert evidence is not None and evidence.text.startswith("client57.Dead")


COUNTED = [f"{n}/40 sheets are read" for n in range(1, 9)]


@pytest.mark.parametrize(
    ("before", "behind", "past"),
    [
        (COUNTED[:3], COUNTED[3:], True),
        (COUNTED[:3], ["<html>", "<p>busy</p>", "</html>)", *COUNTED[3:]], True),
        (COUNTED[:3], COUNTED[3:5], False),
        (COUNTED[:3], COUNTED[:3], False),
        (COUNTED[:3], ["8/40 pages are read", *COUNTED[3:5]], False),
        ([], COUNTED, False),
    ],
    ids=["right behind", "behind its own lines", "not for long", "anew", "another sentence", "nothing before"],
)
def test_an_error_that_a_count_goes_past(before: list[str], behind: list[str], past: bool) -> None:
    assert counted_past(before, ["StoreError: it is busy (<html>", *behind]) is past


def test_items_that_a_server_refuses_now_and_then(report_of: ReportOf) -> None:
    done = "".join(f"{n}/40 completed\n" + ("StoreError: it is busy\n" if n % 9 == 5 else "") for n in range(1, 41))
    assert report_of({"ask.out": done}).verdict.cls == "healthy"
    assert (
        report_of({"ask.out": done[: done.rindex("StoreError")] + "StoreError: it is gone\n"}).verdict.cls != "healthy"
    )
