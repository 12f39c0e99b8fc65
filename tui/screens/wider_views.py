"""Views over several files: an expression in all of them, two ranks side by side, dumps, odd lines, the finder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.screen import Screen

from logtui.tui.panes.findings import line_of
from logtui.tui.panes.raw.pane import RawPane
from logtui.tui.screens.navigation import Navigation
from logtui.tui.shared.destinations import rank_place
from logtui.tui.shared.messages import LineChosen, SearchWanted

if TYPE_CHECKING:
    from logtui.diagnosis.model.analyses import OddLines
    from logtui.tui.screens.finder import Destination


class WiderViews:
    """Opens screens above the case, and goes where they lead."""

    def __init__(self, screen: Screen[None], navigation: Navigation) -> None:
        self._screen, self._navigation = screen, navigation

    @property
    def has_dumps(self) -> bool:
        """Whether there is anything for the flight-recorder view."""
        view = self._navigation.view
        return view is not None and view.dumps is not None

    def search_all(self) -> None:
        """Look for an expression in all files; what was searched for last is offered."""
        from logtui.tui.screens.search_screen import SearchScreen

        view = self._navigation.view
        case = view.case if view else None
        if case is not None:
            matches = self._screen.query_one(RawPane).matches
            screen = SearchScreen(case, matches.regex.pattern if matches else "")
            self._screen.app.push_screen(screen, self._found_in)

    def _found_in(self, found: tuple[str, LineChosen] | None) -> None:
        if found is not None:
            pattern, line = found
            self._screen.post_message(line)
            self._screen.call_after_refresh(self._screen.post_message, SearchWanted(pattern))

    def compare(self) -> None:
        """The selected rank beside another one."""
        from logtui.tui.screens.compare import CompareScreen, companion

        view, here = self._navigation.view, self._navigation.here
        other = companion(view, here.rank) if view is not None and here.rank is not None else None
        if view is None or here.rank is None or other is None:
            self._screen.notify("select a rank first", severity="warning")
            return
        moment = here.time if here.time is not None else view.report.job.ended
        if moment is None:
            self._screen.notify("no time is known of this line", severity="warning")
            return
        screen = CompareScreen(view, here.rank, other, moment, here.file)
        self._screen.app.push_screen(screen, self._chosen)

    def _chosen(self, line: LineChosen | None) -> None:
        if line is not None:
            self._screen.post_message(line)

    def dumps(self) -> None:
        """The flight-recorder view, and from there to a log line."""
        from logtui.tui.screens.dump_screen import DumpScreen

        view, here = self._navigation.view, self._navigation.here
        if view is not None and view.dumps is not None:
            self._screen.app.push_screen(DumpScreen(view, view.dumps, here.rank, here.group), self._chosen)

    def odd_lines(self) -> None:
        """What single ranks said, said last, or stopped saying, and from there to the line."""
        view = self._navigation.view
        if view is None or view.report.provisional:
            self._screen.notify("lines are compared once all is read")
        elif view.report.odd_lines is not None:
            self._show_odd_lines(view.report.odd_lines)
        elif view.compare is not None:
            self._screen.notify("comparing the lines of all ranks …", timeout=2)
            self._screen.run_worker(
                partial(self._compare_lines, view.compare), thread=True, exclusive=True, exit_on_error=False,
                group="compare", name="compare-lines", description="-",
            )  # fmt: skip

    def _compare_lines(self, compare: Callable[[], OddLines]) -> None:
        self._screen.app.call_from_thread(self._show_odd_lines, compare())

    def _show_odd_lines(self, found: OddLines) -> None:
        from logtui.tui.screens.odd_lines import OddScreen

        self._screen.app.push_screen(OddScreen(found), self._chosen)

    def find(self) -> None:
        """Somewhere else, by a few letters."""
        from logtui.tui.screens.finder import FinderScreen, places_of

        if self._navigation.view is not None:
            self._screen.app.push_screen(FinderScreen(places_of(self._navigation.view)), self._found)

    def _found(self, place: Destination | None) -> None:
        view = self._navigation.view
        if place is None or view is None:
            return
        if place.rank is not None:
            self._navigation.go(rank_place(view, place.rank, None))
        elif place.evidence is not None:
            self._screen.post_message(line_of(place.evidence, place.why, opened=True))
        elif place.file is not None:
            self._screen.post_message(LineChosen(place.file, 1, opened=True))
