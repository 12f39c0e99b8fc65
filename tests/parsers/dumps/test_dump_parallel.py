"""Shares of work come back in order, with other processes or without."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from logtui.parsers.dumps import reading
from logtui.parsers.dumps.reading import map_chunks, read_dumps, workers_for
from logtui.parsers.files.discover import discover
from logtui.parsers.generator import JobSpec, write_dumps
from logtui.parsers.generator.stage.spec import Fault


def test_small_work_stays_here() -> None:
    assert map_chunks(sum, [1, 2, 3], 0) == [6]


def test_shares_are_in_order() -> None:
    found: list[Sequence[int]] = map_chunks(tuple, list(range(20)), 2)
    assert [n for share in found for n in share] == list(range(20))
    assert len(found) > 2


def test_no_other_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> NoReturn:
        raise OSError("no semaphores")

    monkeypatch.setattr(reading, "ProcessPoolExecutor", fails)
    assert sum(map_chunks(sum, [1, 2, 3], 2)) == 6


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity here")
def test_workers_are_worth_their_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    assert [workers_for(100, size, 50) for size in (49, 50)] == [0, 8]
    assert [workers_for(count, 50, 50) for count in (0, 1, 3)] == [0, 0, 3]
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert workers_for(100, 50, 50) == 0


@pytest.mark.parametrize("workers", [0, 2])
def test_what_is_cancelled_returns_what_is_done(workers: int) -> None:
    asked = iter([False, False, True, True, True])
    found = map_chunks(sorted, list(range(1000)), workers, lambda: next(asked))
    assert 0 < sum(map(len, found)) < 1000
    assert found[0][0] == 0


def test_dumps_not_reached_are_told(tmp_path: Path) -> None:
    write_dumps(JobSpec(world_size=8, fault=Fault.DATA_STALL, recorder=True), tmp_path)
    files = discover([tmp_path]).files
    whole, none = read_dumps(files), read_dumps(files, cancelled=lambda: True)
    assert (len(whole.dumps), whole.refused) == (8, ())
    assert none.dumps == ()
    assert {why for _, why in none.refused} == {"not read: stopped by the user"}
    assert len(none.refused) == 8
