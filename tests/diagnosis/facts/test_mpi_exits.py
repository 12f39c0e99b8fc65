"""Whose an exception is, where mpirun names the first process that exited."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
SET_UP = "".join(f"running on GPU:  {n}\n" for n in range(4))
RAISED = """Traceback (most recent call last):
  File "/opt/job/train.py", line 57, in <module>
    report(arguments.path)
NameError: name 'arguments' is not defined
"""
ENDED = """--------------------------------------------------------------------------
Primary job  terminated normally, but 1 process returned
a non-zero exit code. Per user-direction, the job has been aborted.
--------------------------------------------------------------------------
mpirun detected that one or more processes exited with non-zero status, thus causing
the job to be terminated. The first process to do so was:

  Process name: [[4242,1],{rank}]
  Exit code:    1
--------------------------------------------------------------------------
"""


@pytest.mark.parametrize(("times", "ranks"), [(1, (3,)), (2, ())], ids=["one raised", "several raised"])
def test_the_first_process_that_exited_raised(times: int, ranks: tuple[int, ...], report_of: ReportOf) -> None:
    report = report_of({"job.out": SET_UP + RAISED * times + ENDED.format(rank=3)})
    assert (report.verdict.cls, report.verdict.culprit_ranks) == ("software", ranks)
