"""Back and forward."""

from __future__ import annotations

from logtui.tui.shared.selection import HISTORY_LIMIT, History, Selection


def at(line: int) -> Selection:
    return Selection(file="a.log", line=line)


def test_back_returns_and_forward_goes_again() -> None:
    history = History()
    for line in (1, 2, 3):
        history.visit(at(line))
    assert history.back()
    assert history.current == at(2)
    assert history.forward()
    assert history.current == at(3)
    assert not history.forward()


def test_steps_leave_one_place_behind() -> None:
    history = History()
    history.visit(at(1))
    for line in range(2, 50):
        history.visit(at(line), step=True)
    assert history.back()
    assert history.current == at(1)


def test_a_jump_keeps_the_step_it_left() -> None:
    history = History()
    history.visit(at(1))
    history.visit(at(2), step=True)
    history.visit(at(9))
    assert history.back()
    assert history.current == at(2)


def test_a_new_place_forgets_what_was_ahead() -> None:
    history = History()
    for line in (1, 2, 3):
        history.visit(at(line))
    history.back()
    history.visit(at(7))
    assert not history.forward()
    assert [place.line for place in history.places[1:]] == [1, 2, 7]


def test_the_same_place_is_not_visited_twice() -> None:
    history = History()
    history.visit(at(1))
    history.visit(at(1))
    assert len(history.places) == 2


def test_the_oldest_places_are_forgotten() -> None:
    history = History()
    for line in range(HISTORY_LIMIT + 20):
        history.visit(at(line))
    assert len(history.places) == HISTORY_LIMIT
    assert history.current == at(HISTORY_LIMIT + 19)


def test_a_place_is_written_as_editors_take_it() -> None:
    assert at(57).place == "a.log:57"
    assert Selection(rank=3).place is None
