"""Finds the line of a storage daemon at a time, in the background."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from logtui.tui.messages import LineChosen
from logtui.tui.wording import time_text

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.diagnosis.storage.daemon_view import DaemonView


class DaemonLineFinder(Widget):
    """Nothing to see: what it finds goes to the screen."""

    DEFAULT_CSS = "DaemonLineFinder { display: none; }"

    @dataclass
    class Located(Message):
        """The line of a daemon at a time was found; None where its files hold nothing near."""

        label: str
        time: float
        place: tuple[str, int] | None
        opened: bool

    @work(thread=True, exclusive=True, exit_on_error=False, group="daemon-line", name="find-line", description="-")
    def find_line(self, daemons: DaemonView, daemon: int, label: str, time: float, opened: bool) -> None:
        """Read the daemon's records round a time; the files are large, and some lie in archives."""
        found = daemons.line_at(daemon, time)
        place = (daemons.files[found[0]], found[1]) if found else None
        if not get_current_worker().is_cancelled:
            self.post_message(self.Located(label, time, place, opened))

    def on_daemon_line_finder_located(self, message: Located) -> None:
        """Show the line; the time cursor stays where the user put it."""
        message.stop()
        if message.place is not None:
            file, line = message.place
            why = f"{message.label} at {time_text(message.time).strip()}"
            self.post_message(LineChosen(file, line, why=why, step=not message.opened, opened=message.opened))
        elif message.opened:
            self.notify(f"{message.label}: no record near this time", severity="warning", markup=False)
