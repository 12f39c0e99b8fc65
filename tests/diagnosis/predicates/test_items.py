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


ERRORS = "  Attempt 1 ERROR: Error code: 429\n  Attempt 2 ERROR: Error code: 429\n  Attempt 3 ERROR: Error code: 429\n"


def test_the_next_of_many_that_all_failed_is_begun(report_of: ReportOf) -> None:
    tried = "".join(f"[{n}/50] Running case_{n:03d}...\n{ERRORS}  F1: 0.0000\n" for n in range(1, 5))
    assert report_of({"eval.out": tried + "[5/50] Running case_005...\n"}).verdict.cls == "healthy"
    assert report_of({"eval.out": tried}).verdict.cls not in ("healthy", "unknown")


def test_a_count_goes_on_below_all_complaints(report_of: ReportOf) -> None:
    counted = [f"Progress: {n}/240 configurations completed\n" for n in range(5, 241, 5)]
    complaints = "COMMON ERROR: object has no len()\nNEW ERROR: object is not iterable\n" * 8
    done = "Successful processes: 240\nFailed processes: 0\nLog is written\n"
    report = report_of({"run.out": "".join(counted[:20]) + complaints + "".join(counted[20:]) + done})
    assert report.verdict.cls == "healthy"


def test_one_thing_after_the_other_that_failed_says_nothing_of_the_job(report_of: ReportOf) -> None:
    names = ("annealing", "lenses", "lymphography", "broadway", "germangss", "lawsuit", "audiology", "autos", "balance")
    failed = "".join(f"FAILED TO RUN ON {name}\n" for name in names)
    assert report_of({"train.log": failed}).verdict.cls in ("healthy", "unknown")
