"""When the newest run was started, told by a rest behind which a program begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.diagnosis.facts.rests import REST_S, behind_rest, rests
from logtui.diagnosis.facts.stamped import dated_clock
from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def at(hour: int, second: int, text: str) -> str:
    return f"2031-02-03 {hour:02d}:{second // 60:02d}:{second % 60:02d},250 - hub - INFO - {text}\n"


def work(hour: int) -> str:
    return "".join(at(hour, 7 * n, f"frame {n} of the film") for n in range(12))


def begun(text: str) -> str | None:
    told = behind_rest(text.encode())
    return None if told is None else datetime.fromtimestamp(told.clock, UTC).strftime("%H:%M:%S")


@pytest.mark.parametrize(
    ("words", "clock"),
    [
        ("Loading the film", "05:00:00"),
        ("Waiting for a camera", "05:00:00"),
        ("Batch size: 57", "05:00:00"),
        ("Load weights from a/epoch57_film.pt.", "05:00:00"),
        ("Finishing the run", None),
        ("Received the signal to stop a run", None),
        ("start of epoch 7", None),
        ("frame 12 of the film", None),
        ("native/reader.cc:57] Loading the film", None),
    ],
)
def test_the_first_words_behind_a_rest(words: str, clock: str | None) -> None:
    assert begun(work(2) + at(5, 0, words) + work(5)) == clock


def test_a_rest_that_is_none() -> None:
    start = at(5, 0, "Loading the film") + work(5)
    assert begun(work(2) + "[03:31:09] the film is cut\n" + start) is None
    assert begun(work(2) + "cut " * 4000 + "\n" + start) is None
    slow = "".join(at(hour, 0, f"frame {hour}") for hour in range(5))
    assert begun(slow + start) is None  # an hour is what it takes
    assert begun(work(2) + start + at(9, 0, "frame 99 of the film")) is None


def test_a_start_that_is_said_once_more() -> None:
    start = "Reading the film a/57.mov"
    text = (
        work(2) + at(5, 0, start) + at(5, 1, "a frame") + at(5, 300, start.replace("57", "59")) + at(5, 301, "a frame")
    )
    assert begun(text) == "05:05:00"
    assert begun(text + at(5, 310, start)) == "05:05:00"


def test_a_library_that_is_loaded_again() -> None:
    loads = "2031-02-03 0{}:00:00.123456: E runtime/plugin.cc:57] Unable to register a factory\n"
    assert begun(loads.format(2) + work(2) + loads.format(5) + work(5)) == "05:00:00"
    assert begun(work(2) + loads.format(5) + work(5)) is None


def test_a_start_with_its_time_behind_it() -> None:
    text = "".join(f"- start film v3.{n} at 2031-02-03 0{n}:00:00 -\n" + work(n) for n in (1, 2, 5))
    assert begun(text) == "05:00:00"


def test_no_line_is_asked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    clock = dated_clock

    def spy(text: str) -> float | None:
        asked.append(text)
        return clock(text)

    monkeypatch.setattr("logtui.diagnosis.facts.rests.dated_clock", spy)
    undated = "".join(f"of 2031 films {n} are read\n" for n in range(3000))
    stamped = "".join(at(hour, 0, "Loading the film") for hour in (2, 5, 9))
    assert len(rests((stamped + undated + stamped.replace("02-03", "02-04")).encode())) == 5
    assert len(asked) < 3100


@given(
    st.lists(st.sampled_from([b"2031-02-03 04:05:06 start\n", b"2031-02-03 09:05:06 a\n", b"\n", b"\xff", b"words\n"]))
)
def test_whatever_stands_there(lines: list[bytes]) -> None:
    data = b"".join(lines)
    assert all(rest.last < rest.first and abs(rest.seconds) >= REST_S for rest in rests(data))
    behind_rest(data)


def calm(hour: int) -> str:
    return "".join(at(hour, 7 * n, "a frame of the film") for n in range(12))


def test_what_stands_behind_several_rests() -> None:
    text = calm(2) + at(5, 0, "tags : 9") + calm(6) + at(12, 0, "tags : 5") + calm(12)
    assert begun(text) == "12:00:00"
    assert begun(calm(2) + at(5, 0, "tags : 9") + calm(6)) is None
    clockwork = "".join(at(hour, 0, "tags : 9") + at(hour, 1, "a frame") for hour in range(2, 20, 3))
    assert begun(clockwork) is None


def test_a_command_behind_a_rest() -> None:
    assert begun(work(2) + at(5, 0, "generate.py -c its/config.ini -g 0") + work(5)) == "05:00:00"


def test_a_clock_that_is_set_back_for_good() -> None:
    assert begun(work(8) + work(12) + work(5)) == "05:00:00"
    mixed = "".join(at(12, 2 * n, f"frame {n}") + at(5, 2 * n + 1, f"frame {n}") for n in range(40))
    assert begun(work(2) + mixed) is None


def test_a_counter_that_begins_anew_behind_a_rest() -> None:
    counted = "".join(at(2, 7 * n, f"rated_num:{n}, reward 0.{n}") for n in range(1, 9))
    assert begun(counted + at(5, 0, "rated_num:1, reward 0.5") + at(5, 7, "rated_num:2, reward 0.7")) == "05:00:00"
    within = "".join(at(2, 7 * n, f"epoch 3 step {n}") for n in range(1, 9)) + at(5, 0, "epoch 4 step 1")
    assert begun(within + at(5, 7, "epoch 4 step 2")) is None
    assert begun(counted + at(5, 0, "rated_num:9, reward 0.5") + at(5, 7, "rated_num:10, reward 0.7")) is None


def sweep(hour: int, *seconds: int) -> str:
    return "".join(
        at(hour, second, text)
        for second, text in zip(seconds, ("Starting the forest of trees", "Starting the boosted trees"), strict=True)
    )


def test_what_a_sweep_takes_long_for_each_time_is_no_start() -> None:
    text = work(4) + sweep(4, 100, 500) + sweep(4, 600, 990) + at(4, 1000, "Starting the forest of trees")
    assert begun(text + at(5, 0, "Starting the boosted trees") + at(5, 10, "sweep done in 57 min")) is None
    assert begun(work(4) + at(5, 0, "Starting the boosted trees") + at(5, 10, "sweep done in 57 min")) == "05:00:00"


def test_behind_a_summary_another_run_speaks() -> None:
    skips = "".join(
        at(7, n, f"Skipping {name} (already completed)") for n, name in enumerate(("a", "b", "c", "d", "e"))
    )
    assert begun(work(4) + at(4, 99, "Failed: 3") + skips) == "07:00:00"
    assert begun(work(4) + at(4, 99, "frame 13 of the film") + skips) is None


def test_what_begins_again_after_half_a_day_was_started() -> None:
    loaded = at(4, 0, "Model loaded from model57.pkl") + at(4, 1, "Made predictions for 5 samples.")
    soon = at(4, 20, "Model loaded from model57.pkl") + at(4, 21, "Made predictions for 5 samples.")
    late = at(20, 0, "Model loaded from model57.pkl") + at(20, 1, "Made predictions for 5 samples.")
    assert begun(loaded + soon + late) == "20:00:00"


def trained(hour: int, first: int) -> str:
    return "".join(at(hour, 7 * n, f"step {first + n} loss 0.5") for n in range(12))


def test_training_that_is_taken_up_behind_a_night() -> None:
    def goes_on(_: int) -> bool:
        return True

    for hour, taken_up in ((12, True), (7, False)):
        told = behind_rest((trained(2, 1) + trained(hour, 20)).encode(), goes_on)
        assert (told is not None) is taken_up
    failed = trained(2, 1) + at(12, 0, "step 20 failed, loss unknown") + trained(12, 20)
    assert behind_rest(failed.encode(), goes_on) is None


def test_clocks_of_two_zones() -> None:
    zoned = "2031-02-03T02:00:00+03:00 Loading the film\n"
    assert rests((zoned + work(2)).encode()) == []


def test_one_process_goes_on_behind_a_rest() -> None:
    text = work(2) + at(5, 0, "Loading the film") + work(5)
    assert begun(text) == "05:00:00"
    assert begun(text.replace(" - INFO - ", " - Thread:571 - ")) is None


def test_what_comes_round_after_longer_and_longer_rests() -> None:
    def item(hour: int, name: str) -> str:
        return at(hour, 0, f"Running film {name}") + at(hour, 1, "reads 57 frames")

    text = "".join(item(hour, name) for hour, name in enumerate(("a", "b", "c", "d", "e"))) + item(12, "f")
    assert begun("2031-02-02 22:00:00,250 - hub - INFO - the hub is up\n" + text) is None
    assert begun(work(2) + item(12, "f") + work(12)) == "12:00:00"


def test_a_number_in_a_name_counts_nothing() -> None:
    text = work(2) + at(2, 90, "Cut rotate_2") + at(9, 0, "Cut rotate_1") + at(9, 7, "Cut rotate_3") + work(9)
    assert begun(text) is None


def test_a_run_behind_a_rest_is_judged_alone(report_of: ReportOf) -> None:
    failed = at(2, 90, "ERROR: the film of 57 frames could not be cut, timed out").replace(" - INFO - ", " - ")
    verdict = report_of({"film.log": work(2) + failed + at(5, 0, "Loading the film") + work(5)}).verdict
    assert verdict.cls == "healthy"
    assert report_of({"film.log": work(2) + failed}).verdict.cls != "healthy"


def test_a_request_begins_nothing() -> None:
    asked = 'Loading: "GET /57 HTTP/1.1" 200 57'
    assert begun(work(2) + at(5, 0, asked) + work(5)) is None
    assert begun(work(2) + at(5, 0, asked.replace('"', "")) + work(5)) == "05:00:00"
