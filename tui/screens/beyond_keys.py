"""Looking beyond the panes: an expression in all files, two ranks side by side, dumps, odd lines, the finder."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.reactive import var
from textual.screen import Screen

from logtui.tui.case_view import CaseView
from logtui.tui.messages import LineChosen, SearchWanted
from logtui.tui.places import rank_place
from logtui.tui.selection import Selection
from logtui.tui.widgets.findings_pane import line_of
from logtui.tui.widgets.raw_pane import RawPane

if TYPE_CHECKING:
    from logtui.diagnosis.odd_lines.findings import OddLines
    from logtui.tui.finder_items import Place


class BeyondKeys(Screen[None]):
    """A case and a selection, and the keys that open views over several files."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("asterisk", "search_all", "Search all files", show=False, key_display="*", id="go.search-all"),
        Binding(
            "vertical_line", "compare", "Compare ranks", show=False, key_display="|", id="go.compare",
            tooltip="This rank and another one side by side, aligned by time",
        ),
        Binding("d", "dumps", "Dumps", id="go.dumps", tooltip="Flight-recorder dumps, operation by operation"),
        Binding("d", "no_dumps", "Dumps", show=False, id="go.no-dumps", tooltip="There are no dumps among these files"),
        Binding("b", "odd_lines", "Odd lines", show=False, id="go.odd", tooltip="What single ranks said, or said last"),
        Binding("f", "find", "Find", id="go.find", tooltip="A rank, a file or a finding by a few letters"),
    ]  # fmt: skip

    view: var[CaseView | None] = var(None)
    """The newest report."""
    selection: var[Selection] = var(Selection())
    """Where the user is."""

    def go(self, place: Selection, *, step: bool = False) -> None:
        """To a place; a step leaves none of its own in the history."""
        raise NotImplementedError

    def action_search_all(self) -> None:
        """Look for an expression in all files; what was searched for last is offered."""
        from logtui.tui.screens.search_screen import SearchScreen

        case = self.view.case if self.view else None
        if case is not None:
            matches = self.query_one(RawPane).matches
            self.app.push_screen(SearchScreen(case, matches.regex.pattern if matches else ""), self._found_in)

    def _found_in(self, found: tuple[str, LineChosen] | None) -> None:
        if found is not None:
            pattern, line = found
            self.post_message(line)
            self.call_after_refresh(self.post_message, SearchWanted(pattern))

    def action_compare(self) -> None:
        """The selected rank beside another one."""
        from logtui.tui.screens.compare_screen import CompareScreen, companion

        view, here = self.view, self.selection
        other = companion(view, here.rank) if view is not None and here.rank is not None else None
        if view is None or here.rank is None or other is None:
            self.notify("select a rank first", severity="warning")
            return
        moment = here.time if here.time is not None else view.report.job.ended
        if moment is None:
            self.notify("no time is known of this line", severity="warning")
            return
        screen = CompareScreen(view, here.rank, other, moment, here.file)
        self.app.push_screen(screen, self._chosen)

    def _chosen(self, line: LineChosen | None) -> None:
        if line is not None:
            self.post_message(line)

    def action_find(self) -> None:
        """Somewhere else, by a few letters."""
        from logtui.tui.finder_items import places_of
        from logtui.tui.screens.finder import FinderScreen

        if self.view is not None:
            self.app.push_screen(FinderScreen(places_of(self.view)), self._found)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without dumps the key for them only says so."""
        there = self.view is not None and self.view.dumps is not None
        return there if action == "dumps" else not there if action == "no_dumps" else True

    def action_no_dumps(self) -> None:
        """Say why nothing opens."""
        self.notify("no flight-recorder dumps are among these files")

    def action_dumps(self) -> None:
        """The flight-recorder view, and from there to a log line."""
        from logtui.tui.screens.dump_screen import DumpScreen

        if self.view is not None and self.view.dumps is not None:
            here = self.selection
            self.app.push_screen(DumpScreen(self.view, self.view.dumps, here.rank, here.group), self._chosen)

    def action_odd_lines(self) -> None:
        """What single ranks said, said last, or stopped saying, and from there to the line."""
        view = self.view
        if view is None or view.report.provisional:
            self.notify("lines are compared once all is read")
        elif view.report.odd_lines is not None:
            self._show_odd_lines(view.report.odd_lines)
        elif view.compare is not None:
            self.notify("comparing the lines of all ranks …", timeout=2)
            self._compare_lines(view.compare)

    @work(thread=True, exclusive=True, exit_on_error=False, group="compare", name="compare-lines", description="-")
    def _compare_lines(self, compare: Callable[[], OddLines]) -> None:
        self.app.call_from_thread(self._show_odd_lines, compare())

    def _show_odd_lines(self, found: OddLines) -> None:
        from logtui.tui.screens.odd_screen import OddScreen

        self.app.push_screen(OddScreen(found), self._chosen)

    def _found(self, place: Place | None) -> None:
        if place is None or self.view is None:
            return
        if place.rank is not None:
            self.go(rank_place(self.view, place.rank, None))
        elif place.evidence is not None:
            self.post_message(line_of(place.evidence, place.why, opened=True))
        elif place.file is not None:
            self.post_message(LineChosen(place.file, 1, opened=True))
