"""Lanes show when files were written to, by all lines: silence is real, and busy times are not called silent."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.facts.activity import PROBE_BYTES, samples
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.rank_activity import density

NOON = 1_795_262_400.0
"""2026-11-21 12:00:00."""


def _busy(minutes: range, who: str = "") -> str:
    """Lines that no format knows, twenty a minute."""
    clock = "2026-11-21 {:02d}:{:02d}:{:02d}"
    return "".join(
        f"{who}{clock.format(12 + m // 60, m % 60, s)} my_library.cache: slot {m * s} is warm, and so is its neighbour\n"
        for m in minutes
        for s in range(0, 60, 3)
    )


def test_a_busy_file_without_a_known_line_is_not_silent(facts_of: Callable[[Mapping[str, str]], Facts]) -> None:
    lane = density(facts_of({"job.log": _busy(range(60)) + _busy(range(95, 120))})).lanes["worker"]
    assert lane.silence(NOON + 80 * 60) == (95 - 59) * 60 - 57
    busy = [(m, lane.silence(NOON + m * 60 + 1)) for m in (5, 20, 40, 58, 96, 110)]
    assert all(s < 60 for _, s in busy), busy


def test_each_rank_has_its_own(facts_of: Callable[[Mapping[str, str]], Facts]) -> None:
    found = density(facts_of({"job.log": _busy(range(30), "[rank3]: ") + _busy(range(30, 60), "[rank4]: ")}))
    spans = [found.of_rank(rank).span for rank in (3, 4)]
    assert spans[0] is not None and spans[1] is not None
    assert spans[0][1] < NOON + 30 * 60 <= spans[1][0]


def test_few_bytes_are_read(facts_of: Callable[[Mapping[str, str]], Facts]) -> None:
    text = _busy(range(600))
    found = samples(facts_of({"job.log": text}).identity, None)
    assert {s.rank for s in found} == {-1}
    assert len(found) * 80 < len(text)
    assert len(text) > 100 * PROBE_BYTES


def test_lines_without_a_time_tell_nothing(facts_of: Callable[[Mapping[str, str]], Facts]) -> None:
    assert samples(facts_of({"job.log": "a line\n" * 9}).identity, None) == []
