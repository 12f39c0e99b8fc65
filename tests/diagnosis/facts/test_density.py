"""All known lines by source and time, and the landmarks of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.rank_activity import CountLane, density
from logtui.diagnosis.model.report import Report

NOON = 1_795_262_400.0
"""2026-11-21 12:00:00."""


def lane(*times: float, warnings: tuple[float, ...] = (), errors: tuple[float, ...] = ()) -> CountLane:
    parts = [np.array(sorted(t), np.float64) for t in (times, warnings, errors)]
    return CountLane((parts[0], parts[1], parts[2]))


def test_columns_hold_every_line_once_and_the_worst_severity() -> None:
    columns = lane(0, 1, 5, 10, warnings=(5,), errors=(10,)).columns(0, 10, 11)
    assert columns == [(1, 0), (1, 0), (0, -1), (0, -1), (0, -1), (2, 1), (0, -1), (0, -1), (0, -1), (0, -1), (2, 2)]


def test_lines_outside_the_window_are_not_counted() -> None:
    assert sum(count for count, _ in lane(-50, 5, 50).columns(0, 10, 11)) == 1


@pytest.mark.parametrize(("time", "seconds"), [(4.0, 9.0), (1.0, 0.0), (11.0, 0.0), (9.5, 9.0), (10.5, 0.0)])
def test_silence_lasts_from_line_to_line(time: float, seconds: float) -> None:
    assert lane(1.0, errors=(10.0,)).silence(time) == (seconds if 1.0 < time <= 10.0 else 0.0)


def test_an_empty_lane() -> None:
    assert lane().span is None
    assert lane().columns(0, 10, 3) == [(0, -1)] * 3
    assert lane().silence(5) == 0.0


def step(rank: int, second: int) -> str:
    return f"[rank{rank}]: 2026-11-21 12:00:{second:02d} iteration {second}/ 100 | elapsed time per iteration (ms): 9.5 |\n"


def test_records_are_sorted_by_source_and_rank(facts_of: Callable[[Mapping[str, str]], Facts]) -> None:
    error = "[rank1]: 2026-11-21 12:00:30 torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
    found = density(facts_of({"job.log": "".join(step(r, s) for s in (9, 3, 6) for r in (0, 1)) + error}))
    assert found.lanes["steps"].span == (NOON + 3, NOON + 9)
    assert found.lanes["steps"].total == 6
    assert found.of_rank(0).total == 3
    assert found.of_rank(1).total >= 4
    assert len(found.of_rank(1).times[2]) >= 1
    assert found.of_rank(7).total == found.of_rank(-1).total == 0


def test_nothing_known_nothing_counted(facts_of: Callable[[Mapping[str, str]], Facts]) -> None:
    assert density(facts_of({"job.log": "a line\n"})).lanes == {}


def test_landmarks_stand_on_the_timeline_once_a_second(report_of: Callable[[Mapping[str, str]], Report]) -> None:
    agent = "I1121 12:00:{:02d}.117000 11807 torch/distributed/elastic/agent/server/api.py:525] [default] {}\n"
    text = agent.format(1, "Starting worker group") * 2 + step(0, 5)
    text += "2026-11-21 12:00:07   successfully saved checkpoint from iteration     500 to /ckpt/run7\n"
    text += agent.format(9, "Worker group FAILED. 2/3 attempts left; will restart worker group")
    marks = [(e.mark, e.time) for e in report_of({"job.log": text}).timeline if e.mark]
    assert marks == [("attempt", NOON + 1.117), ("checkpoint", NOON + 7), ("restart", NOON + 9.117)]
