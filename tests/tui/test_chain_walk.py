"""Steps along the chain and the timeline."""

from __future__ import annotations

from dataclasses import replace

from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.destinations import chain_step, event_index, event_step, nearest_event
from logtui.tui.shared.selection import Selection


def here(view: CaseView, at: int) -> Selection:
    cited = view.path[at].evidence
    return Selection(file=cited.file, line=cited.line, time=cited.time)


def test_effect_follows_cause_and_ends(view: CaseView) -> None:
    second = chain_step(view.path, here(view, 0), 1)
    assert second is not None
    assert second.step == 2
    assert chain_step(view.path, here(view, 2), 1) is None


def test_cause_goes_back_and_ends(view: CaseView) -> None:
    first = chain_step(view.path, here(view, 1), -1)
    assert first is not None
    assert first.step == 1
    assert chain_step(view.path, here(view, 0), -1) is None


def test_a_line_off_the_chain_is_placed_by_its_time(view: CaseView) -> None:
    middle = Selection(file="other", line=1, time=(view.path[0].evidence.time or 0) + 60)
    cause, effect = chain_step(view.path, middle, -1), chain_step(view.path, middle, 1)
    assert cause is not None
    assert effect is not None
    assert (cause.step, effect.step) == (1, 2)


def test_a_line_without_a_time_counts_as_the_crash(view: CaseView) -> None:
    last = chain_step(view.path, Selection(file="other", line=1), -1)
    assert last is not None
    assert last.step == 3


def test_events_step_from_a_line_or_from_a_moment(view: CaseView) -> None:
    first, second = view.events[0], view.events[1]
    on_first = Selection(file=first.file, line=first.line)
    assert event_step(view, on_first, 1) == second
    assert event_step(view, on_first, -1) is None
    between = Selection(time=(first.time or 0) + 1)
    assert event_index(view, between) == (0, False)
    assert event_step(view, between, -1) == first
    assert event_step(view, between, 1) == second
    assert event_step(view, Selection(), 1) == first


def test_the_nearest_event(view: CaseView) -> None:
    first = view.events[0]
    assert nearest_event(view, 0.0) == first
    assert nearest_event(view, (first.time or 0) + 3) == first
    assert nearest_event(CaseView(replace(view.report, timeline=())), 5.0) is None
