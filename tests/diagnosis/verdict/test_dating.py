"""When the lines of a timeline were written: a date among the data of a job is no time of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
BEGUN = "".join(f"2026-01-02 03:04:{s:02d} INFO step {s} loss 2.{s}\n" for s in range(10, 40))
BARE = "".join(f"step {n} loss 2.{n}\n" for n in range(40, 60))
READ = '2019-03-04 05:06:07 {"prompt": "the time that a sample tells"}\n'


def test_a_date_among_the_data_is_nobodys_time(report_of: ReportOf) -> None:
    report = report_of({"train.log": BEGUN + READ + BARE})
    times = [event.time for event in report.timeline if event.time is not None]
    assert times and max(times) - min(times) < 120


def test_a_neighbours_time_is_kept_where_it_may_be_the_jobs(report_of: ReportOf) -> None:
    report = report_of({"train.log": BEGUN + BARE})
    assert [event.line for event in report.timeline if event.time is not None and event.inherited] == [50]
