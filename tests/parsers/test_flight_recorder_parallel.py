"""Shares of work come back in order, with other processes or without."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NoReturn

import pytest

from logtui.parsers.flight_recorder import parallel
from logtui.parsers.flight_recorder.parallel import map_chunks, workers_for


def test_small_work_stays_here() -> None:
    assert map_chunks(sum, [1, 2, 3], 0) == [6]


def test_shares_are_in_order() -> None:
    found: list[Sequence[int]] = map_chunks(tuple, list(range(20)), 2)
    assert [n for share in found for n in share] == list(range(20))
    assert len(found) > 2


def test_no_other_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> NoReturn:
        raise OSError("no semaphores")

    monkeypatch.setattr(parallel, "ProcessPoolExecutor", fails)
    assert map_chunks(sum, [1, 2, 3], 2) == [6]


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity here")
def test_workers_are_worth_their_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    assert [workers_for(100, size, 50) for size in (49, 50)] == [0, 8]
    assert [workers_for(count, 50, 50) for count in (0, 1, 3)] == [0, 0, 3]
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert workers_for(100, 50, 50) == 0
