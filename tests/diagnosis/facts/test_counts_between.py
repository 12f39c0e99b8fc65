"""A run that begins amid what counts on far below its first line."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.model.report import Report


def _at(second: int, text: str) -> str:
    return f"2031-02-03 {second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d},123 [INFO] {text}\n"


def _evaluation(second: int, many: int) -> str:
    """Of which no line is known before the first loss."""
    opening = ("Running the whole evaluation on 57 rows", "Loading the judge from films57", "Writing to out57.csv")
    told = "".join(_at(second + n, text) for n, text in enumerate(opening))
    items = (_at(second + 5 + 3 * n, f"[{n}/1728] id={n} film=of the sea") for n in range(1, many))
    steps = "".join(
        _at(second + 5 + 3 * n, f"[{n}/1728] id={n} step {n} loss {2 - n / 1728:.4f}") for n in range(many, many + 40)
    )
    last = second + 5 + 3 * (many + 40)
    closing = (_at(last, text) for text in ("", "the judge is left", f"Saved {many + 40} rows to out57.csv"))
    return told + "".join((*items, steps, *closing))


def test_a_count_far_below_the_first_line_is_no_heading_of_it(report_of: Callable[[Mapping[str, str]], Report]) -> None:
    report = report_of({"eval.log": _evaluation(0, 90) + _evaluation(7200, 300)})
    assert report.job.iso_started == "2031-02-03T02:00:00.123"
