"""What the user looks at and has marked: one selection that all panes share, the way back, marks with notes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logtui.diagnosis.model.evidence import MarkedLine

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


class MarkBook:
    """Marks by file and line; one per line."""

    def __init__(self, marks: Iterable[MarkedLine] = ()) -> None:
        self._files: dict[str, dict[int, MarkedLine]] = {}
        for mark in marks:
            self.put(mark)

    @property
    def marks(self) -> tuple[MarkedLine, ...]:
        """All of them."""
        return tuple(self._files[file][line] for file, line in self._places())

    def _places(self) -> list[tuple[str, int]]:
        return sorted((file, line) for file, lines in self._files.items() for line in lines)

    def at(self, file: str, line: int) -> MarkedLine | None:
        """The mark of a line."""
        return self._files.get(file, {}).get(line)

    def of_file(self, file: str) -> dict[int, MarkedLine]:
        """The marks of a file by line; changes as marks come and go."""
        return self._files.setdefault(file, {})

    def put(self, mark: MarkedLine) -> None:
        """Mark a line, or change its note."""
        self.of_file(mark.file)[mark.line] = mark

    def remove(self, file: str, line: int) -> None:
        """Forget a mark."""
        self.of_file(file).pop(line, None)

    def beyond(self, file: str | None, line: int | None, direction: int) -> MarkedLine | None:
        """The next or previous mark, round the end; None where there is none."""
        places = self._places()
        if not places:
            return None
        here = (file or "", line or 0)
        at = bisect_right(places, here) if direction > 0 else bisect_left(places, here) - 1
        found, number = places[at % len(places)]
        return self._files[found][number]
