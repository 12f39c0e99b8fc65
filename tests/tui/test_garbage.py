"""When garbage is looked for."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from logtui.tui.garbage import LONG_IDLE, STILL, IdleCollector


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    generations: list[int] = []
    monkeypatch.setattr(gc, "collect", generations.append)
    yield generations


def test_once_when_things_become_still_and_all_after_a_while(
    looked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [0]
    monkeypatch.setattr(gc, "get_count", lambda: (made[0], 3, 0))
    collector = IdleCollector()
    made[0] += STILL
    collector.look()
    assert looked == []
    for _ in range(LONG_IDLE + 5):
        collector.look()
    assert looked == [1, 2]
    made[0] += STILL
    collector.look()
    collector.look()
    assert looked == [1, 2, 1]
