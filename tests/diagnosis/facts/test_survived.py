"""Errors that their program survived, as the lines around them say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from logtui.diagnosis.facts.survived import DROPPED, caught_by_library, feeds, was_expected
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
