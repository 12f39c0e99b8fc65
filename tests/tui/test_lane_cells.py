"""The cells of the timeline's lanes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from logtui.diagnosis.facts.rank_activity import CountLane
from logtui.diagnosis.model.report import TimelineEvent
from logtui.tui.panes.timeline.lanes import Lane, fitting, is_empty, lane_runs
from logtui.tui.shared.timeline_scale import Scale

HOUR = " nothing known for 1 h ".center(29, "┄")


def counted(*times: float, errors: tuple[float, ...] = ()) -> CountLane:
    none = np.empty(0, np.float64)
    return CountLane((np.array(times, np.float64), none, np.array(errors, np.float64)))


def text(lane: Lane, scale: Scale) -> str:
    return "".join(text for text, _ in lane_runs(lane, scale))


def test_a_gap_is_as_long_as_the_silence_even_where_it_leaves_the_window() -> None:
    lane = Lane("worker", counted=counted(0, 3600, errors=(7200,)))
    assert text(lane, Scale(0, 7200, 61)) == f"▂{HOUR}▂{HOUR}▇"
    assert text(lane, Scale(600, 1200, 30)) == " nothing known for 1 h ".center(30, "┄")


def test_a_daemon_whose_file_goes_on_is_said_to_run() -> None:
    lane = Lane("t[AbCdEfGh]", counted=replace(counted(0, 3600, 7200), running=((0, 4000),)))
    assert text(lane, Scale(0, 7200, 61)) == f"▂{' running, unread for 1 h '.center(29, '┄')}▂{HOUR}▂"


def test_before_the_first_and_after_the_last_line_there_are_dots() -> None:
    assert text(Lane("worker", counted=counted(50)), Scale(0, 100, 41)) == "·" * 20 + "▂" + "·" * 20


def test_short_gaps_are_dots() -> None:
    assert text(Lane("worker", counted=counted(0, 10)), Scale(0, 10, 11)) == "▂·········▂"


def test_events_stand_in_until_lines_are_counted() -> None:
    event = TimelineEvent(5.0, "exact", "worker", 0, "failed", "a", 1, severity="error")
    assert text(Lane("worker", (event,)), Scale(0, 10, 11)) == "·····▇·····"


@pytest.mark.parametrize(
    ("marks", "expected"),
    [(("checkpoint",), "     C     "), (("checkpoint", "restart", "attempt"), "     R     "), ((), " " * 11)],
    ids=["one", "the weightiest of several", "none"],
)
def test_landmarks_are_letters(marks: tuple[str, ...], expected: str) -> None:
    events = tuple(TimelineEvent(5.0, "exact", "worker", 0, m, "a", 1, mark=m) for m in marks)
    assert text(Lane("marks", events, landmarks=True), Scale(0, 10, 11)) == expected


def test_lanes_without_anything_in_the_window_leave_first() -> None:
    scale = Scale(0, 10, 11)
    full, empty = counted(5), counted(500)
    lanes = [Lane(name, counted=c) for name, c in (("a", full), ("b", full), ("c", empty), ("d", full), ("e", full))]
    empty_ones = {lane.name: is_empty(lane, scale) for lane in lanes}
    assert empty_ones["c"]
    assert [lane.name for lane in fitting(lanes, 9, empty_ones)] == ["a", "b", "c", "d", "e"]
    assert [lane.name for lane in fitting(lanes, 4, empty_ones)] == ["a", "b", "d", "e"]
    assert [lane.name for lane in fitting(lanes, 3, empty_ones)] == ["a", "b", "d"]
