"""Places at which a run seems to begin, and a process only goes on."""

from __future__ import annotations

import pytest

from logtui.diagnosis.facts.one_process import at_once, goes_on_in, of_others

ABOVE, BELOW = "12:00:57 INFO {0} a film is read\n", "14:00:57 INFO {0} a film is cut\n"


@pytest.mark.parametrize(
    ("above", "behind", "goes_on"),
    [
        ("MainThread:571", "MainThread:571", True),
        ("MainThread:571", "MainThread:572", False),
        ("pid=571", "pid=571", True),
        ("[571] [INFO]", "[571] [CRITICAL]", True),
        ("[571]", "[571]", False),
        ("I0203 04:05:06.543210  571 net.cpp:57]", "I0203 09:05:06.543210  571 net.cpp:58]", True),
        ("W0000 00:00:1927000506.543210  5719 net.cpp:57]", "W0000 00:00:1927007706.543210  5712 net.cpp:57]", True),
        ("W0000 00:00:1927000506.543210  5719 net.cpp:57]", "W0000 00:00:1927007706.543210  9001 net.cpp:57]", False),
        ("I0203 04:05:06.543210 140321150475711 net.cpp:57]", "I0203 09:05:06.543210 140321150475711 net.cpp:5]", True),
        ("I0203 04:05:06.543210  5712 net.cpp:57]", "I0203 04:09:06.543210  5717 net.cpp:5]", False),
        ("a", "MainThread:571", False),
    ],
    ids=[
        "one thread", "another process", "a pid", "gunicorn's", "any number", "glog's", "a thread beside",
        "of another process", "a thread of Python's",
        "the next process", "none above",
    ],
)  # fmt: skip
def test_numbers_of_processes(above: str, behind: str, goes_on: bool) -> None:
    first = ABOVE.format(above).removeprefix("12:00:57 INFO " if "net.cpp" in above else "")
    data = first + BELOW.format(behind).removeprefix("14:00:57 INFO " if "net.cpp" in above else "")
    assert goes_on_in(data.encode(), len(first)) is goes_on


def test_headings_that_count() -> None:
    parts = [f"[{n}/5] a film\nreading the film\n" for n in (1, 2, 3)]
    data = "".join(parts).encode()
    places = [len(parts[0]), len("".join(parts[:2]))]
    assert all(goes_on_in(data, at) for at in places)
    assert of_others(data, places) == []
    begun_again = data + b"[1/5] a film\nreading the film\n"
    assert of_others(begun_again, [len(data)]) == [len(data)]


@pytest.mark.parametrize(
    ("next_one", "goes_on"),
    [
        ("INFO app.films: [2/5] Cut", True),
        ("INFO app.films: [1/5] Read", False),
        ("Epoch [2/5] Loss: 0.57", False),
        ("INFO app: [2/5] Loss: 0.57", False),
    ],
    ids=["the next stage", "the first stage", "an epoch", "an epoch without its name"],
)
def test_a_place_within_a_stage(next_one: str, goes_on: bool) -> None:
    first = next_one.replace("[2/", "[1/").replace("Cut", "Read")
    above = f"2031-02-03 04:05:06 {first}\n2031-02-03 04:05:07 INFO app.films: a film is read\n"
    data = f"{above}2031-02-03 09:05:06 INFO app.films: 57 films\n2031-02-03 09:05:07 {next_one}\n"
    assert goes_on_in(data.encode(), len(above)) is goes_on
    assert bool(of_others(data.encode(), [len(above)])) is not goes_on


@pytest.mark.parametrize(("count", "goes_on"), [("3/3", False), ("2/3", True)], ids=["the last", "one of them"])
def test_a_count_that_a_record_above_ends(count: str, goes_on: bool) -> None:
    waits = [f"2031-02-03 04:0{n}:06 no better ({n}/3)\n" for n in (1, 2, 3)]
    above = "".join(waits[: int(count[0])])
    data = above + "2031-02-03 05:05:06 the films are read\n"
    assert goes_on_in(data.encode(), len(above)) is goes_on


@pytest.mark.parametrize(
    ("said", "second", "soon"),
    [("the best loss is 0.57", 6.1, True), ("the best loss is 0.57", 9.1, False), ("a film is read", 6.1, False)],
    ids=["soon", "later", "no result"],
)
def test_what_follows_a_result_at_once(said: str, second: float, soon: bool) -> None:
    first = f"2031-02-03 04:05:06.000 {said}\n"
    data = first + f"2031-02-03 04:05:{second:06.3f} a film is cut\n"
    assert at_once(data.encode(), len(first)) is soon
