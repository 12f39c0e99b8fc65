"""Lays the panes out by the size of the terminal, and brings those to the front that the user asks for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from textual.geometry import Size
from textual.screen import Screen

from logtui.tui.screens.pane_table import LAYOUTS, PANES, TOO_SMALL, PaneOrder, by_place, layout_for, pane_names
from logtui.tui.shared.case_view import CaseView
from logtui.tui.widgets.pane import Pane, Place

STILL_READING = "still reading: {name} come once all files are read, if there are any"


class PaneLayout:
    """The panes of a screen: which are in sight, and which the user is in."""

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self._order = PaneOrder()
        self._layout_class = ""
        self._is_known = False
        """Whether all is read, so that what a case has nothing for is absent for good."""
        self.was_in = ""
        """The pane that has the focus, or had it last."""

    def compose(self, layout: str) -> Iterator[Pane]:
        """All panes, those that lie behind others marked so."""
        behind = self._order.hidden(layout)
        for row in by_place():
            yield row.kind(id=row.name).set_class(row.name in behind, "-behind", update=False)

    @cached_property
    def panes(self) -> tuple[Pane, ...]:
        """They stay the same as long as the screen does."""
        return tuple(self._screen.query(Pane))

    def pane(self, name: str) -> Pane:
        """One of them."""
        return self._screen.query_one(f"#{name}", Pane)

    def lay(self, layout: str) -> None:
        """Show the panes as a layout has it."""
        self._layout_class, screen = layout, self._screen
        if layout not in screen.classes:  # each change of a class styles everything below anew
            screen.set_classes([c for c in screen.classes if c not in LAYOUTS] + [layout])
        hidden = self._order.hidden(layout)
        for name, row in PANES.items():
            self.pane(name).set_class(name in hidden, "-behind")
            if row.place is not Place.RAW:  # names the file it shows
                self.pane(name).heading.name_shown = pane_names(self._order.sharing(layout, name), name)

    def fit(self, size: Size) -> None:
        """Choose the layout by size; the pane the user is in stays in sight, and takes the focus up again."""
        layout, name = layout_for(size), self.was_in or "ranks"
        if name in self._order.hidden(layout) - self._order.absent:
            self._order.bring(name)
        self.lay(layout)
        if self._screen.focused is None and layout != TOO_SMALL and self._screen.is_current:
            self._screen.call_after_refresh(self.pane(name).focus_content)

    def show_view(self, view: CaseView) -> None:
        """Panes come and go with what a case holds."""
        self._is_known = not view.report.provisional
        self._order.absent = frozenset(name for name, row in PANES.items() if not row.is_for(view))
        self.lay(self._layout_class or layout_for(self._screen.size))

    def bring(self, name: str) -> None:
        """Show a pane and move into it."""
        if name in self._order.absent:
            self._screen.notify(PANES[name].absent if self._is_known else STILL_READING.format(name=name))
            return
        self._screen.minimize()
        self._order.bring(name)
        self.lay(self._layout_class)
        self._screen.call_after_refresh(self.pane(name).focus_content)

    def zoom(self) -> None:
        """The focused pane alone, and back."""
        if self._screen.maximized is not None:
            self._screen.minimize()
        elif (pane := self.focused()) is not None:
            self._screen.maximize(pane, container=False)

    def focused(self) -> Pane | None:
        """The pane the user is in."""
        focused = self._screen.focused
        chain = focused.ancestors_with_self if focused else []
        return next((node for node in chain if isinstance(node, Pane)), None)

    def note_focus(self) -> None:
        """Remember the pane: as the screen goes, nothing has the focus."""
        pane = self.focused()
        self.was_in = (pane.id or "") if pane else self.was_in
