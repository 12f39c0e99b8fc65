"""Where runs begin in a file, by all that is seen there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.diagnosis.facts.start_places import BEGINS, judge

OPENING = (
    "the trainer of 57 layers starts",
    "settings: width=57, rate=0.03",
    "using device: cuda:0",
    "57 samples read",
)


def at(second: float, text: str) -> str:
    whole = int(second)
    return f"2031-02-03 {whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d},123 - INFO - {text}\n"


def run(second: int, epochs: int = 9, first: int = 1, opening: tuple[str, ...] = OPENING) -> str:
    told = "".join(at(second + n / 8, text) for n, text in enumerate(opening))
    steps = (at(second + 20 * n, f"Epoch {first + n}/57, loss: {2 - n / 57:.4f}") for n in range(1, epochs + 1))
    return told + "".join(steps)


def begun(text: str) -> list[int]:
    return [text.encode()[:byte].count(b"\n") for byte in judge(text.encode()).starts()]


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        (run(0), []),
        (run(0) + run(3600), [13]),
        (run(0) + run(3600) + run(7200, first=5), [13, 26]),
        (run(0) + 'Traceback (most recent call last):\n  File "fit.py", line 5\nKeyError: 57\n' + run(400), [16]),
        (run(0, 57), []),
        (run(0) + at(3600, "Epoch 11/57, loss: 1.57") + at(3620, "Epoch 12/57, loss: 1.52"), []),
        (run(0) + at(1800, "evaluates what was trained") + at(1801, "accuracy: 0.57") + at(1802, "done"), []),
    ],
    ids=[
        "one run",
        "once more",
        "resumed as well",
        "behind a failure",
        "many epochs",
        "a long epoch",
        "an evaluation at the end",
    ],
)
def test_where_runs_begin(text: str, starts: list[int]) -> None:
    assert begun(text) == starts


def test_what_a_run_draws_above_its_first_stamp_is_its_own() -> None:
    text = "==== fit ====\n" + run(0)
    assert begun(text + text.replace(" 00:", " 03:")) == [14]


def test_a_line_that_counts_on_begins_nothing() -> None:
    text = "".join(at(3600 * n, f"Epoch {n}") for n in range(1, 9))
    assert all(place.chance == 0.0 for place in judge(text.encode()).places[1:])


@pytest.mark.parametrize("text", ["", "no stamp\n" * 9, at(0, "alone"), at(0, "one") + at(5, "two")])
def test_what_tells_too_little_has_no_places(text: str) -> None:
    assert judge(text.encode()).places == ()


def test_a_report_at_the_end_of_a_job_begins_nothing() -> None:
    def stamp(word: str, hour: int, minute: int) -> str:
        return f"-----\n{word} PBS {{}} Mon Feb  3 {hour:02d}:{minute:02d}:05 CET 2031\n"

    def job(hour: int) -> str:
        reports = (("Prologue", hour, 1), ("Epilogue", hour + 1, 57))
        return "reading 57 films\n".join(
            stamp("Begin", *at).format(name) + f"Job ID: {hour}\n" + stamp("End", *at).format(name)
            for name, *at in reports
        )

    assert begun(job(2) + job(7) + job(12)) == [11, 22]


def test_what_comes_round_begins_no_run() -> None:
    """One of sixteen films after the other takes from minutes to hours."""
    hours = [0, 1.3, 1.9, 2.4, 3.7, 6.8, 7.8, 8.6, 11.1, 11.2, 11.3, 11.4, 11.5, 11.6, 11.7, 11.9]
    films = [f"kind: {1 + n % 4}, width: {1 + n // 4}" for n in range(16)]
    told = [
        f"----- film: {film}, NOW: {at(3600 * hour, '')[:19]} -----\n" for film, hour in zip(films, hours, strict=True)
    ]
    text = "begins, NOW: 2031-02-03 00:00:00\n\n" + "".join(f"{one}\treads the film\n\tcuts it\n" for one in told)
    assert begun(text) == []


def test_questions_to_a_service_refute_that_it_was_started() -> None:
    """It is asked now and then, in whatever words."""
    words, pauses = ("red", "blue", "green", "black", "white"), (5, 9, 31, 7, 3, 57, 6, 11, 4, 8, 900, 12, 6)
    clocks = [sum(pauses[:n]) for n in range(len(pauses))]
    asked = [
        at(clock, f"query input: is it {words[n % 5]}") + at(clock, f"answer: {words[n % 4]}\n\n")
        for n, clock in enumerate(clocks)
    ]
    text = "the words are loaded\n" + "".join(asked)
    judged = judge(text.encode())
    assert all(judged.refutes(text.index(one)) for one in asked[1:])


def test_what_is_refuted_is_no_start() -> None:
    text = run(0) + run(3600)
    judged = judge(text.encode())
    assert not judged.refutes(text.encode().index(b"2031-02-03 01:00:00"))
    assert judged.refutes(text.encode().index(b"Epoch 9/57") - 33)
    assert not judged.refutes(len(text) + 57)


@given(
    st.lists(
        st.sampled_from(
            [*run(0).splitlines(), *run(3600).splitlines(), "no stamp", "2031-02-30 99:99:99 x", "\x00\xff"]
        )
    )
)
def test_any_order_of_lines(lines: list[str]) -> None:
    judged = judge("\n".join(lines).encode("latin-1"))
    assert all(0.0 <= place.chance <= 1.0 for place in judged.places)
    assert all(place.chance >= BEGINS for place in judged.places if place.begin in {*judged.starts()})
    assert [place.begin for place in judged.places] == sorted(place.begin for place in judged.places)
