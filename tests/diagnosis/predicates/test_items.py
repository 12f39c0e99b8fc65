"""Programs that work through many items, of which one fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
FAILED = "Failed to fetch a57.mp3: 404 Client Error: Not Found for url: http://media57.example/a57.mp3\n"


def _fetched(numbers: range) -> str:
    return "".join(f"Fetched: audio/{number}.mp3\n" for number in numbers)


def test_one_that_failed_among_many_is_no_failure_of_the_job(report_of: ReportOf) -> None:
    report = report_of({"fetch.out": _fetched(range(20)) + FAILED + _fetched(range(20, 40))})
    assert report.verdict.cls in ("healthy", "unknown")


def test_the_one_with_which_it_ends_is(report_of: ReportOf) -> None:
    assert report_of({"fetch.out": _fetched(range(20)) + FAILED}).verdict.cls not in ("healthy", "unknown")
