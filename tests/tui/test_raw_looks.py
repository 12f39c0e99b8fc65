"""How filters, marks, the report and two ranks side by side look."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from logtui.diagnosis.report import ticket
from logtui.tui.app import LogtuiApp

Settled = Callable[[Pilot[int]], Awaitable[None]]

SITUATIONS: dict[str, Sequence[str]] = {
    "filter": ("enter", "ampersand", *"!rank58", "enter", "R"),
    "wrap": ("enter", "w"),
    "report": ("enter", "m", *"look here", "enter", "r"),
    "compare": ("enter", "vertical_line"),
    "search-all": ("asterisk", *"srun: error", "enter"),
}


@pytest.mark.parametrize("size", [(80, 24), (200, 50)], ids=["80x24", "200x50"])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_looks(
    app: LogtuiApp,
    settled: Settled,
    snap_compare: Any,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    situation: str,
    size: tuple[int, int],
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(ticket, "origin_of", lambda _: ticket.Origin("logs/", "2026-02-24"))

    async def run(pilot: Pilot[int]) -> None:
        await settled(pilot)
        for key in SITUATIONS[situation]:
            await pilot.press(key)
            await settled(pilot)

    assert snap_compare(app, terminal_size=size, run_before=run)
