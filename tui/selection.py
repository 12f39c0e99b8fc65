"""What the user looks at: one value that all panes share, and the way back to what was looked at before."""

from __future__ import annotations

from dataclasses import dataclass, field

HISTORY_LIMIT = 500
"""Places kept; the oldest are forgotten."""


@dataclass(frozen=True, slots=True)
class Selection:
    """A point in the case. None where nothing of that kind is selected."""

    rank: int | None = None
    group: str | None = None
    """Process group the rank grid shows; None for each rank's overall status."""
    time: float | None = None
    """Seconds since the epoch, on the clock of the report."""
    file: str | None = None
    """Name as the report gives it."""
    line: int | None = None
    """Counts from 1."""
    why: str = ""
    """What this line was opened for, in a few words."""

    @property
    def place(self) -> str | None:
        """`file:line`, or None where no line is selected."""
        return f"{self.file}:{self.line}" if self.file and self.line else None


@dataclass
class History:
    """Back and forward, as in a browser.

    A *step* (an arrow key in a pane) replaces the step before it, so that walking along a list leaves one place
    behind, not a hundred. A jump always leaves the place it came from.
    """

    places: list[Selection] = field(default_factory=lambda: [Selection()])
    at: int = 0
    stepping: bool = False

    @property
    def current(self) -> Selection:
        """Where the user is."""
        return self.places[self.at]

    def visit(self, place: Selection, *, step: bool = False) -> None:
        """Go to a place; what was ahead is forgotten."""
        if place == self.current:
            return
        del self.places[self.at + 1 :]
        if step and self.stepping:
            self.places[self.at] = place
        else:
            self.places.append(place)
            del self.places[:-HISTORY_LIMIT]
        self.at = len(self.places) - 1
        self.stepping = step

    def restart(self, place: Selection) -> None:
        """Forget everything; `place` is the first."""
        self.places, self.at, self.stepping = [place], 0, False

    def back(self) -> bool:
        """One place back; False at the beginning."""
        return self._go(self.at - 1)

    def forward(self) -> bool:
        """One place forward; False at the end."""
        return self._go(self.at + 1)

    def _go(self, at: int) -> bool:
        if not 0 <= at < len(self.places):
            return False
        self.at, self.stepping = at, False
        return True
