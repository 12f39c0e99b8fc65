"""What starts before the app does."""

from __future__ import annotations

from pathlib import Path

import pytest

from logtui.parsers.scan import fork_server
from logtui.tui import process_start
from logtui.tui.process_start import prepare_processes


@pytest.mark.parametrize(
    ("given", "sizes", "starts"),
    [
        ("logs", (10, 20), False),
        ("logs", (60, 60), True),
        ("logs/0.log", (60, 60), False),
        ("logs/0.log", (100,), True),
        ("logs", (0,) * 9, True),
        ("gone", (100,), False),
    ],
    ids=["small", "large", "one small file", "one large file", "many files", "nothing there"],
)
def test_workers_are_prepared_where_there_is_much_to_read(
    given: str, sizes: tuple[int, ...], starts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[bool] = []
    monkeypatch.setattr(fork_server, "start", lambda: started.append(True))
    monkeypatch.setattr(process_start, "LARGE_BYTES", 100)
    monkeypatch.setattr(process_start, "MANY_FILES", 8)
    (tmp_path / "logs" / "node").mkdir(parents=True)
    for n, size in enumerate(sizes):
        (tmp_path / "logs" / ("node" if n % 2 else "") / f"{n}.log").write_bytes(bytes(size))
    prepare_processes([tmp_path / given])
    assert bool(started) is starts
