"""Items that failed of a work that was done to its end; and one that ends with nothing but failures."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.predicates.done_items import failed_items, tried_again

ReportOf = Callable[[Mapping[str, str]], Report]


def _said(n: int, text: str) -> str:
    return f"2031-02-03 04:{n // 60:02d}:{n % 60:02d},057 {text}\n"


FAILED = "[ERROR] Failed page-{n}: Request Failed: HTTPSConnectionPool(host='ask57.example', port=443): Read timed out."
ASKED = "".join(
    _said(n, FAILED.format(n=n - 3) if n % 4 == 3 else f"[INFO] Asking for page-{n} | Attempt 1") for n in range(60)
)
DONE, TOOK = _said(61, "[INFO] Done."), _said(61, "[INFO] Total execution time: 57")


@pytest.mark.parametrize("end", [DONE, TOOK], ids=["done", "how long it took"])
def test_a_work_that_was_done_but_for_some_items_is_well(end: str, report_of: ReportOf) -> None:
    assert report_of({"ask.log": ASKED + end}).verdict.cls == "healthy"


def test_one_that_ends_with_a_failure_may_have_ended_of_it(report_of: ReportOf) -> None:
    assert report_of({"ask.log": ASKED}).verdict.cls != "healthy"


def test_failures_alone_are_no_items_of_a_work() -> None:
    failed = [(n, _said(n, FAILED.format(n=n))) for n in range(20)]
    assert failed_items([*failed, (20, DONE)]) == set()
    amid = [(n, _said(n, f"[INFO] Asking for page-{n}")) for n in range(20, 40)]
    assert failed_items([*failed, *amid, (40, DONE)]) == set(range(20))
    assert failed_items([*failed, *amid]) == set()


APART = _said(0, "[INFO] Config: Model=fast57/one, Context=False") + _said(1, "[INFO] Loaded 57 pages")
OTHER = "".join(_said(n + 700, f"[INFO] Asking for page-{n} | Attempt 1") for n in range(40))
REFUSED = "".join(
    _said(n, FAILED.format(n=n).replace("Read timed out", "403 Client Error: Forbidden")) for n in range(2, 9)
)


def test_what_failed_before_the_newest_run_began_is_none_of_it(report_of: ReportOf) -> None:
    last = _said(790, FAILED.format(n=3)) + _said(791, FAILED.format(n=4)) + _said(792, "[INFO] Done.")
    newest = _said(690, "[INFO] Config: Model=slow57/two, Context=True") + _said(691, "[INFO] Loaded 57 pages") + OTHER
    report = report_of({"ask.log": APART + REFUSED + newest + last})
    assert report.verdict.cls == "healthy"
    assert report.job.started is not None
    assert round(report.job.started) % 3600 == 690


def _films(there: range, lost: range) -> str:
    cut = "".join(f"the {what} is measured\n" for what in ("light", "sound", "colour", "length", "grain"))
    return "".join(f"Reading film [{n}]...\n{'File not found' if n in lost else cut.strip()}\n" for n in there)


@pytest.mark.parametrize(
    ("text", "healthy"),
    [
        (_films(range(1, 90), range(57, 90)), True),
        (_films(range(1, 90), range(1, 90)), False),
        (_films(range(1, 57), range(0)) + "Reading the index\nFile not found\n", False),
    ],
    ids=["some are gone", "all are gone", "something else is gone"],
)
def test_items_that_are_not_there(text: str, healthy: bool, report_of: ReportOf) -> None:
    assert (report_of({"films.log": text}).verdict.cls == "healthy") is healthy


def test_what_is_done_once_more_right_below_a_complaint() -> None:
    """And not where something else comes below it, or it is said again."""
    work = [_said(n, f"hub - INFO - the {what} are cut") for n, what in enumerate(("films", "songs", "books") * 3, 9)]
    lost = _said(2, "hub - ERROR - gone: [Errno 2] No such file or directory: 'a57'")
    once, again = _said(1, "hub - INFO - Reading data: a57"), _said(7, "hub - INFO - Reading data: b57")
    assert tried_again([*enumerate([once, lost, again, *work])]) == {1}
    assert tried_again([*enumerate([once, lost, again.replace("data", "no data"), *work])]) == set()
    assert tried_again([*enumerate([once, lost, again, *work, lost])]) == set()
    assert tried_again([*enumerate([once, lost, again])]) == set()


def test_errors_that_are_counted_as_caught_at_the_end(report_of: ReportOf) -> None:
    lost = "".join(_said(n, f"ERROR: cut.log_exception: film {n}00 has too few frames") for n in range(9))
    end = _said(57, "INFO: cut.films: Cutting complete. 57 films processed.9 errors caught and logged.")
    assert report_of({"cut.log": lost + end}).verdict.cls == "healthy"
    assert report_of({"cut.log": lost + end.replace(" caught and logged", "")}).verdict.cls != "healthy"


def test_memory_that_one_item_of_many_had_not_enough_of(report_of: ReportOf) -> None:
    """Which the program tells by the item's number; where it tells of none, it may have ended of it."""
    items = "".join(f"films {n * 7} {said} {said}\n" for n in range(30) for said in ("good", "bad"))
    lost = (
        "Error during generation for films{}: CUDA out of memory. Tried to allocate 5.70 GiB. GPU 0 has a total capacity of "
        "57.00 GiB of which 5.07 GiB is free. Process 57 has 5.17 GiB memory in use.\n"
    )
    said = report_of({"ask.log": items + lost.format("") + items}).verdict
    assert report_of({"ask.log": items + lost.format(", row 57") + items}).verdict.cls != said.cls == "gpu-oom"
