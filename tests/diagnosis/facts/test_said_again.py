"""Runs that a logger appended to its file, none of which left an end there."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.diagnosis.facts.said_again import later_openings
from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
SETTINGS = (
    "reads its settings from run.yaml",
    "shard_dir     : /data/speech",
    "workers       : 12 of a node",
    "width         : 512 in 12 layers",
)


def opening(hour: int, minute: int = 3, lines: tuple[str, ...] = SETTINGS) -> str:
    return "".join(f"2031-02-03 {hour:02d}:{minute:02d}:07,123 -train-INFO- {text}\n" for text in lines)


def steps(hour: int, first: int = 1) -> str:
    return "".join(
        f"2031-02-03 {hour:02d}:{n + 10}:07,123 -train-INFO- step {first + n} loss 2.{n}\n" for n in range(9)
    )


def test_each_run_begins_with_the_same_words() -> None:
    text = opening(3) + steps(3) + opening(4) + opening(5, lines=SETTINGS[::-1]) + steps(5)
    data = text.encode()
    assert [data[at : at + 13] for at in later_openings(data)] == [b"2031-02-03 04", b"2031-02-03 05"]


def plain(hour: int, *lines: str, pid: int = 57) -> str:
    """An opening of which one line bears a stamp and the number of the process."""
    return f"2031-02-03 {hour:02d}:03:07,123 [pid:{pid}] begins with\n" + "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        pytest.param(plain(3, *SETTINGS) + steps(3) + plain(5, *SETTINGS), [5], id="lines without stamps"),
        pytest.param(plain(3, *SETTINGS, pid=5757) + plain(5, *SETTINGS, pid=7575), [5], id="another process"),
        pytest.param(plain(3, "first", *SETTINGS) + plain(5, *SETTINGS), [5], id="without its first line"),
        pytest.param(plain(3, *SETTINGS) + "\n".join(SETTINGS) * 2, [], id="no time again"),
        pytest.param(
            "".join(plain(n, "Traceback (most recent call last):", *SETTINGS) for n in (3, 5)), [], id="a traceback"
        ),
        pytest.param("".join(plain(n, "sweep 7", *SETTINGS) for n in (3, 5)), [], id="runs of a sweep"),
    ],
)
def test_openings_in_part_without_stamps(text: str, begins: list[int]) -> None:
    data = text.encode()
    assert [int(data[at + 11 : at + 13]) for at in later_openings(data)] == begins


OTHER = tuple(line.replace("12", "16") for line in SETTINGS)


@pytest.mark.parametrize("first", [pytest.param(5, id="resumed before"), pytest.param(10, id="resumed where it was")])
def test_other_settings_begin_a_run_that_was_resumed(report_of: ReportOf, first: int) -> None:
    report = report_of({"run.log": opening(3) + steps(3) + opening(5, lines=OTHER) + steps(5, first)})
    assert report.job.attempts == 2


def test_an_epoch_says_its_settings_anew(report_of: ReportOf) -> None:
    def epoch(n: int) -> str:
        said = (f"{line} since {n}" for line in SETTINGS)
        return opening(n, lines=tuple(said)) + steps(n).replace("step", f"epoch {n} step")

    assert report_of({"run.log": epoch(3) + epoch(4) + epoch(5)}).job.attempts == 1


@pytest.mark.parametrize(
    "text",
    [
        opening(3) * 2,
        opening(3) + opening(4, lines=SETTINGS[:2]),
        opening(3) + opening(4, lines=tuple(line.replace("12", "16") for line in SETTINGS)),
        steps(3) + steps(4),
        "".join(f"{line}\n" for line in SETTINGS) * 2,
        opening(3) + opening(4) + "".join(opening(n, lines=SETTINGS[:2]) for n in range(5, 10)),
        "",
    ],
    ids=["at once", "two lines", "other settings", "steps alone", "no stamps", "a loop", "nothing"],
)
def test_what_is_no_new_run(text: str) -> None:
    assert later_openings(text.encode()) == []


@given(
    st.lists(st.sampled_from([*opening(3).splitlines(), *opening(4).splitlines(), *steps(3).splitlines(), "no stamp"]))
)
def test_any_order_of_lines(lines: list[str]) -> None:
    data = "\n".join(lines).encode()
    begins = later_openings(data)
    assert begins == sorted(begins)
    assert all(at == 0 or data[at - 1 : at] == b"\n" for at in begins)


def test_the_newest_run_is_the_job(report_of: ReportOf) -> None:
    report = report_of({"run.log": opening(3) + steps(3) + opening(5) + steps(5)})
    assert (report.job.attempts, report.job.iso_started) == (2, "2031-02-03T05:03:07.123")


def test_a_run_that_was_resumed_counts_on(report_of: ReportOf) -> None:
    report = report_of({"run.log": opening(3) + steps(3) + opening(5) + steps(5, 10)})
    assert (report.job.attempts, report.job.iso_started) == (2, "2031-02-03T05:03:07.123")


@pytest.mark.parametrize(("first", "started"), [(1, "05"), (10, "03")], ids=["counts from before", "goes on"])
def test_a_short_first_line_that_comes_again(report_of: ReportOf, first: int, started: str) -> None:
    def run(hour: int, n: int) -> str:
        return f"2031-02-03 {hour:02d}:03:07,123 - INFO - view1:\n" + steps(hour, n)

    report = report_of({"run.log": run(3, 1) + run(5, first)})
    assert report.job.iso_started == f"2031-02-03T{started}:03:07.123"


def test_the_end_of_an_opening_before_another_begins_no_run() -> None:
    first = opening(3)
    again = first.splitlines(keepends=True)[-1].replace(" 03:", " 04:") + opening(4)
    data = (first + again).encode()
    assert [data[at : at + 40] for at in later_openings(data)] == [opening(4).encode()[:40]]


ROUND = tuple(f"{text} once more" for text in SETTINGS)


def _work(at: int) -> str:
    return "".join(
        f"2031-02-03 03:{at // 60:02d}:{at % 60:02d},123 -train-INFO- {what} of part {at}\n" for what in ("sum", "mean")
    )


@pytest.mark.parametrize(("minutes", "attempts"), [((3, 13, 23, 33, 43), 1), ((3, 13, 19, 33, 58), 5)])
def test_rounds_that_open_alike(minutes: tuple[int, ...], attempts: int, report_of: ReportOf) -> None:
    """Who starts a run anew has no clock."""
    log = "".join(opening(3, minute, ROUND) + _work(60 * minute + 20) for minute in minutes)
    assert (len(later_openings(log.encode())) + 1) == attempts


def test_one_of_many_clients_that_says_its_opening_again(report_of: ReportOf) -> None:
    once, twice = opening(3) + steps(3), opening(3) + steps(3) + opening(9, 7)
    alone = {f"client{n}.log": twice if n == 2 else once for n in range(1, 6)}
    assert report_of(alone).job.iso_started == "2031-02-03T03:03:07.123"
    assert report_of(dict.fromkeys(alone, twice)).job.iso_started == "2031-02-03T09:07:07.123"


def test_what_counts_years_is_one_run(report_of: ReportOf) -> None:
    years = "".join(
        f"2031-02-03 04:{year - 2000:02d}:{second:02d},123 INFO {text}\n"
        for year in range(2007, 2015)
        for second, text in (
            (5, f"Reading the news of the year: {year} of the coast"),
            (6, "They are joined with those of the hills"),
            (7, "What is said twice in them is dropped"),
            (38, f"Done with the news of the year: {year} of the coast"),
        )
    )
    report = report_of({"news.log": years})
    assert report.job.started is not None
    assert round(report.job.started) % 3600 == 7 * 60 + 5


def test_parts_that_are_asked_for_after_as_long_each_time() -> None:
    def part(minute: int) -> str:
        return opening(5, minute, SETTINGS[1:])

    def waits(minute: int, second: int) -> str:
        return f"2031-02-03 05:{minute:02d}:{second:02d},123 -train-INFO- a film was read\n"

    by_a_clock = opening(3) + opening(5, 3) + "".join(waits(n - 1, 47) + part(n) for n in (7, 9, 20))
    by_hand = opening(3) + opening(5, 3) + "".join(waits(n - 1, 7 * n % 47) + part(n) for n in (7, 9, 20))
    for text, last in ((by_a_clock, b"05:03"), (by_hand, b"05:20")):
        data = text.encode()
        assert data[later_openings(data)[-1] :][11:16] == last
