"""Many jobs on a screen: a line each as they are read, and below what recurs; enter opens a job, closing it returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.message import Message
from textual.widgets import Static
from textual.worker import get_current_worker

from logtui.diagnosis.fleet.job_line import JobLine
from logtui.diagnosis.fleet.recurring import recurring
from logtui.diagnosis.fleet.words import job_text, recurrence_text
from logtui.tui.lost_terminal import losable
from logtui.tui.settings import dress
from logtui.tui.shared.looks import VARIABLES
from logtui.tui.shared.wording import printable
from logtui.tui.told_to_end import app_ending_in_order
from logtui.tui.widgets.row_list import ChoiceList, RowList

SHOWN_AGAIN = 6
"""Recurring culprits, those of most jobs."""


class FleetApp(App[Path]):
    """Its result is the job to open; None to leave."""

    CSS_PATH = Path(__file__).with_name("logtui.tcss")
    TITLE = "logtui"
    ENABLE_COMMAND_PALETTE = False

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape", "quit", "Quit", id="fleet.quit", tooltip="Leave; nothing is kept"),
    ]

    @dataclass
    class Read(Message):
        """One more job was read."""

        line: JobLine

    def __init__(self, read: Iterator[JobLine], total: int, lines: Sequence[JobLine] = ()) -> None:
        """`lines` were read before; `read` gives the others of `total`."""
        super().__init__()
        self.lines = list(lines)
        self._reading, self._total = read, total
        self.animation_level = "none"
        dress(self)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Colours that themes do not have."""
        return VARIABLES

    def compose(self) -> ComposeResult:
        """How far, the jobs, what the cursor is on, what recurs."""
        yield Static(id="fleet-head", markup=False)
        yield ChoiceList(id="fleet-jobs")
        yield Static(id="fleet-title", markup=False)
        yield Static(id="fleet-again", markup=False)

    def get_driver_class(self) -> type[Driver]:
        """The platform's, which leaves when its terminal is gone."""
        return losable(super().get_driver_class())

    def on_mount(self) -> None:
        """Show what is there, and read on."""
        self.query_one(ChoiceList).focus()
        self._show()
        self.read_jobs()

    @work(thread=True, exclusive=True, exit_on_error=False, group="fleet", name="read-jobs", description="-")
    def read_jobs(self) -> None:
        """Post each job as it is read; one that was begun when the app leaves is still finished."""
        worker = get_current_worker()
        while not worker.is_cancelled and (line := next(self._reading, None)) is not None:
            self.post_message(self.Read(line))

    def on_fleet_app_read(self, message: Read) -> None:
        """One more row."""
        self.lines.append(message.line)
        self._show()

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Say more of a job, or leave to open it."""
        if message.opened:
            self.exit(Path(self.lines[message.row].job))
        self._tell(message.row)

    def _show(self) -> None:
        failed = sum(line.cls != "healthy" for line in self.lines)
        head = f"{len(self.lines)} of {self._total} jobs read, {failed} not healthy"
        self.query_one("#fleet-head", Static).update(head)
        width = max((len(line.job) for line in self.lines), default=0)
        jobs = self.query_one(ChoiceList)
        jobs.texts = [printable(job_text(line, width)) for line in self.lines]
        jobs.show_rows(len(jobs.texts))
        again = recurring(self.lines)[:SHOWN_AGAIN]
        self.query_one("#fleet-again", Static).update("\n".join(printable(recurrence_text(found)) for found in again))
        self._tell(jobs.cursor)

    def _tell(self, row: int) -> None:
        line = self.lines[row] if row < len(self.lines) else None
        proof = f"{line.place}  {line.proof.text}" if line and line.proof else ""
        told = f"{printable(line.title)}\n{printable(proof)}" if line else ""
        self.query_one("#fleet-title", Static).update(told)


def run_fleet(
    read: Iterator[JobLine], total: int, open_job: Callable[[Path], int], kind: type[FleetApp] = FleetApp
) -> int:
    """Show jobs until the user leaves; returns the exit status."""
    lines: list[JobLine] = []
    while True:
        app = kind(read, total, lines)
        with app_ending_in_order(app):
            chosen = app.run()
        lines = app.lines
        if chosen is None:
            return 0
        open_job(chosen)
