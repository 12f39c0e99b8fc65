"""A launcher's block of failures is dated by its host's clock; a collector dates the lines by its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
RAISED = """[rank5]: Traceback (most recent call last):
[rank5]:   File "/opt/job/train.py", line 57, in main
[rank5]:     row = table[key]
[rank5]: KeyError: 'speaker57'"""
BLOCK = """Traceback (most recent call last):
torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
============================================================
train.py FAILED
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  time      : 2026-11-20_20:00:09
  host      : node007
  rank      : 3 (local_rank: 3)
  exitcode  : -11 (pid: 4245)
  error_file: <N/A>
  traceback : Signal 11 (SIGSEGV) received by PID 4245
============================================================"""


def _collected(text: str) -> str:
    """Lines as a collector dates them in UTC, one a second."""
    return "".join(f"2026-11-21T04:00:{n:02d}.100000000Z {line}\n" for n, line in enumerate(text.split("\n")))


def test_hours_between_two_zones_are_no_time(report_of: ReportOf) -> None:
    verdict = report_of({"job.log": _collected(RAISED + "\n" + BLOCK)}).verdict
    assert verdict.culprit_ranks == (5,)
    assert verdict.first_evidence is not None and verdict.first_evidence.line == 4
