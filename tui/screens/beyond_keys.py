"""Looking beyond the file shown: an expression in all files, two ranks side by side."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.reactive import var
from textual.screen import Screen

from logtui.tui.case_view import CaseView
from logtui.tui.messages import LineChosen, SearchWanted
from logtui.tui.selection import Selection
from logtui.tui.widgets.raw_pane import RawPane


class BeyondKeys(Screen[None]):
    """A case and a selection, and the keys that open views over several files."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("asterisk", "search_all", "Search all files", show=False, key_display="*", id="go.search-all"),
        Binding(
            "vertical_line", "compare", "Compare ranks", show=False, key_display="|", id="go.compare",
            tooltip="This rank and another one side by side, aligned by time",
        ),
    ]  # fmt: skip

    view: var[CaseView | None] = var(None)
    """The newest report."""
    selection: var[Selection] = var(Selection())
    """Where the user is."""

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
