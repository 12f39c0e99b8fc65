"""Processes that raise alike at once, and write over each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

FRAME = '  File "/opt/job/check.py", line 57, in <module>\n'
TEXT = (
    "Traceback (most recent call last):\n" * 2
    + FRAME * 2
    + "        compare(one, other)    compare(one, other)\n\n"
    + "AssertionErrorAssertionError: : Tensor-likes are not close!\n\nMismatched elements: 57 / 75\n"
    + "E1121 04:12:12.014000 118 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: 1) "
    "local_rank: 0 (pid: 42) of binary: /usr/bin/python3\n"
)


def test_a_name_that_two_write_at_once_is_read_and_is_nobodys_alone(report_of: ReportOf) -> None:
    verdict = report_of({"train.log": TEXT}).verdict
    assert (verdict.cls, verdict.culprit_ranks) == ("software", ())
    assert verdict.first_evidence is not None
    assert verdict.first_evidence.line == 7
