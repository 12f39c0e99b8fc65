"""The one selection and its history: where keys, panes and the cause chain lead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from textual.screen import Screen

from logtui.tui.panes.findings import line_of
from logtui.tui.panes.timeline.pane import line_of as event_line
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.destinations import chain_step, event_step, first_place, line_facts, rank_place
from logtui.tui.shared.messages import LineChosen, RankChosen
from logtui.tui.shared.selection import History, Selection
from logtui.tui.shared.walks import Walk


class Navigation:
    """Knows where the user is, was, and can go in a case; tells of every arrival."""

    def __init__(self, screen: Screen[None], arrived: Callable[[Selection], object]) -> None:
        self._screen, self._arrived = screen, arrived
        self.history = History()
        self.view: CaseView | None = None
        """The newest report."""

    @property
    def here(self) -> Selection:
        """Where the user is."""
        return self.history.current

    @property
    def is_at_start(self) -> bool:
        """Whether the user has gone nowhere yet."""
        return len(self.history.places) == 1

    def begin(self, view: CaseView) -> None:
        """Where a report is best looked at first; what was visited is forgotten."""
        self.history.restart(first_place(view))
        self._arrived(self.here)

    def go(self, place: Selection, *, step: bool = False) -> None:
        """To a place; a step leaves none of its own in the history."""
        self.history.visit(place, step=step)
        self._arrived(self.here)

    def back(self) -> None:
        """To the place before."""
        if self.history.back():
            self._arrived(self.here)

    def forward(self) -> None:
        """To the place `back` came from."""
        if self.history.forward():
            self._arrived(self.here)

    def to_rank(self, view: CaseView, chosen: RankChosen) -> None:
        """To a rank and the line that says most about it; where the user starts, that is the verdict's own line."""
        if not (chosen.opened and self.is_at_start):
            self.go(rank_place(view, chosen.rank, chosen.group), step=not chosen.opened)

    def to_line(self, chosen: LineChosen) -> bool:
        """To a line; what it does not say about rank and time stays as it was. False where it cannot be gone to."""
        if chosen.line < 1:
            self._screen.notify("the line has no number before the file is read to there", severity="warning")
            return False
        here = self.here
        rank = here.rank if chosen.rank is None else chosen.rank
        time = here.time if chosen.moment is None else chosen.moment
        place = replace(here, file=chosen.file, line=chosen.line, rank=rank, time=time, why=chosen.why)
        self.go(place, step=chosen.step)
        return True

    def along(self, walk: Walk, direction: int) -> None:
        """To the next or previous line of a walk; to its first one from a place without a line."""
        here, view = self.here, self.view
        at = walk.beyond((here.file or "", here.line or 0), direction)
        case = view.case if view is not None else None
        if at is None or view is None or case is None:
            self._screen.notify(f"no line is there: {walk.name}")
            return
        name, line = walk.places[at]
        file = case.file_named(name)
        text = next(iter(case.bodies(file.index, line, 1)), "") if file is not None else ""
        rank, time = line_facts(view, name, text, here.time)
        self.to_line(LineChosen(name, line, rank, time, walk.words(at), step=True))

    def to_time(self, time: float) -> None:
        """To a moment; the line stays."""
        self.go(replace(self.here, time=time), step=True)

    def shift_daemons(self, seconds: float) -> None:
        """The storage daemons' clock was set: the time of their line that is selected moves with it."""
        here = self.here
        if self.view is not None and here.file in self.view.daemon_files and here.time is not None:
            self.go(replace(here, time=here.time + seconds), step=True)

    def along_chain(self, direction: int) -> None:
        """Along the cause chain, each step on a raw line."""
        place = chain_step(self.view.path, self.here, direction) if self.view else None
        if place is not None:
            self.to_line(line_of(place.evidence, place.why))
        else:
            words = "nothing before this in the cause chain" if direction < 0 else "nothing follows from this"
            self._screen.notify(words)

    def along_events(self, direction: int) -> None:
        """Along the timeline."""
        event = event_step(self.view, self.here, direction) if self.view else None
        if event is not None:
            self.to_line(event_line(event, step=True))
