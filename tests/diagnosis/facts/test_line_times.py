"""When lines were written that no pattern knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.line_times import LineTimes
from logtui.parsers.prefix.stamp import iso

FactsOf = Callable[[Mapping[str, str]], Facts]
REPORT = """Job <run57> was submitted from host <gn12> by user <u57> in cluster <lab> at Sun Nov 22 04:00:00 2026
Started at Sun Nov 22 04:10:00 2026
Terminated at Sun Nov 22 05:12:00 2026
"""


def test_when_a_job_was_submitted_it_did_not_begin(facts_of: FactsOf) -> None:
    told = LineTimes(facts_of({"job.out": REPORT}).case, None).first_from(0, 1)
    assert told is not None
    assert iso(told.epoch) == "2026-11-22T04:10:00"
