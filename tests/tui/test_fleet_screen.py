"""Many jobs on a screen."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Static

from logtui.diagnosis.fleet.job_line import JobLine, Proof
from logtui.tui.fleet import FleetApp, run_fleet
from logtui.tui.widgets.row_list import ChoiceList

LINES = [
    JobLine("runs/1", "healthy", "it finished", "high"),
    JobLine("runs/2", "network", "a link went down", "high", culprit_hosts=("n7",), proof=Proof("a.log", 3, "[b]down")),
    JobLine("runs/3", "network", "a link went down", "low", culprit_hosts=("n7",)),
]


async def test_jobs_come_in_and_enter_leaves_with_one() -> None:
    app = FleetApp(iter(LINES), 3)
    async with app.run_test() as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert app.query_one("#fleet-head", Static).content == "3 of 3 jobs read, 2 not healthy"
        assert [text.split()[0] for text in app.query_one(ChoiceList).texts] == ["runs/1", "runs/2", "runs/3"]
        assert "host n7, 2 jobs" in str(app.query_one("#fleet-again", Static).content)
        await pilot.press("down")
        assert "[b]down" in str(app.query_one("#fleet-title", Static).content)
        await pilot.press("enter")
    assert app.return_value == Path("runs/2")


async def test_q_leaves_without_one() -> None:
    app = FleetApp(iter(LINES[:1]), 3)
    async with app.run_test() as pilot:
        await pilot.press("q")
    assert app.return_value is None


def test_after_a_job_was_open_the_list_is_there_again() -> None:
    opened: list[Path] = []
    chosen = iter([Path("runs/2"), None])
    seen: list[int] = []

    def open_job(job: Path) -> int:
        opened.append(job)
        return 0

    class Told(FleetApp):
        def run(self, *args: object, **kwargs: object) -> Path | None:
            self.lines += list(self._reading)
            seen.append(len(self.lines))
            return next(chosen)

    assert run_fleet(iter(LINES), 3, open_job, Told) == 0
    assert (opened, seen) == ([Path("runs/2")], [3, 3])
