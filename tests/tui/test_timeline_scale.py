"""Times to columns."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.diagnosis.model.report import TimelineEvent
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.timeline_scale import Scale, axis, bar, failure_window, loudness, stuck_spans, whole_window


def event(time: float | None, severity: str = "info") -> TimelineEvent:
    return TimelineEvent(time, "exact", "worker", None, "x", "a.log", 1, severity=severity)


@given(st.floats(0, 2e9), st.floats(0, 1e7), st.integers(1, 300))
def test_columns_and_times_agree(start: float, span: float, width: int) -> None:
    scale = Scale(start, start + span, width)
    assert scale.column(scale.start) == 0
    for column in (0, width // 2, width - 1):
        assert scale.column(scale.time(column)) == column


def test_zoom_keeps_its_middle_and_showing_moves_no_more_than_needed() -> None:
    scale = Scale(0, 100, 50)
    assert scale.zoomed(0.5, 50) == Scale(25, 75, 50)
    assert scale.showing(50) is scale
    assert scale.showing(120).holds(120)
    assert scale.showing(-7).span == scale.span


def test_loudness_counts_and_keeps_the_worst() -> None:
    columns = loudness([event(0), event(0, "error"), event(10, "warning"), event(None), event(99)], Scale(0, 10, 11))
    assert columns[0] == (2, 2)
    assert columns[10] == (1, 1)
    assert sum(count for count, _ in columns) == 3


@pytest.mark.parametrize(
    ("count", "worst", "glyphs"), [(0, -1, "·"), (1, 0, "▁▂"), (1, 1, "▃▄"), (9, 2, "█"), (1, 2, "▆▇")]
)
def test_height_tells_severity_without_colour(count: int, worst: int, glyphs: str) -> None:
    assert bar(count, worst, 9) in glyphs


@given(st.integers(1, 300))
def test_the_axis_fills_its_width(width: int) -> None:
    assert len(axis(Scale(1e9, 1e9 + 7200, width))) == width


def test_the_failure_is_shown_from_its_cause_not_from_the_start_of_the_run(view: CaseView) -> None:
    long_ago = event(1_772_000_000.0)
    shown = CaseView(replace(view.report, timeline=(long_ago, *view.report.timeline)))
    stuck = stuck_spans(shown.report)
    failure, whole = failure_window(shown, stuck, 80), whole_window(shown, stuck, 80)
    assert failure is not None
    assert whole is not None
    assert failure.span < 2400
    assert whole.holds(long_ago.time)


def test_no_times_no_window(view: CaseView) -> None:
    empty = CaseView(replace(view.report, timeline=(), chain=(), ranks=()))
    assert whole_window(empty, (), 80) is None


def test_a_stuck_collective_began_a_limit_before_its_timeout(view: CaseView) -> None:
    (span,) = stuck_spans(view.report)
    assert (span.op, span.seq, span.ranks) == ("ALLREDUCE", 1234, 127)
    assert span.end - span.start == 1800


@pytest.mark.parametrize(("span", "digits"), [(7200.0, 0), (6.0, 0), (4.0, 1), (1.0, 1)])
@pytest.mark.parametrize("width", [64, 100])
def test_times_along_the_axis_differ(span: float, digits: int, width: int) -> None:
    labels = axis(Scale(1_000_000_000.25, 1_000_000_000.25 + span, width)).split()
    assert len(labels) == len(set(labels)) == width // 16 + 1
    assert {len(label.partition(".")[2]) for label in labels} == {digits if span / (width // 16) < 1.0 else 0}
