"""The session that outlives the app: kept as the user goes on, and offered on the next start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from logtui.tui.screens.declaring import DeclaredCause
from logtui.tui.screens.marks import Marks
from logtui.tui.screens.navigation import Navigation
from logtui.tui.screens.pane_layout import PaneLayout
from logtui.tui.screens.pane_table import PANES
from logtui.tui.shared.messages import LineChosen
from logtui.tui.widgets.frame import Breadcrumb

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.tui.screens.session_store import KeptPanes, Session

SAVED_EVERY_S = 10.0


class KeptSession:
    """Keeps marks, settings of panes, and the place; puts them back."""

    def __init__(
        self, screen: Screen[None], navigation: Navigation, marks: Marks, cause: DeclaredCause, layout: PaneLayout
    ) -> None:
        self._screen, self._navigation, self._marks, self._layout = screen, navigation, marks, layout
        self._cause = cause
        self._paths: tuple[Path, ...] = ()
        self._offered: Session | None = None
        self._saved: Session | None = None
        self._began: str | None = None
        self._panes: KeptPanes | None = None

    def keep(self, paths: Sequence[Path]) -> None:
        """Keep a session for some paths, and offer the one that was kept, once the logs are there."""
        self._paths = tuple(paths)
        self._screen.set_interval(SAVED_EVERY_S, self.save)

    def offer(self) -> None:
        """After the verdict is drawn: what sessions are read with takes a while to import."""
        from logtui.tui.screens.session_store import KeptPanes, load, session_path

        self._panes = KeptPanes(self._screen)
        if self._paths:
            self._offered = load(session_path(self._paths))
        if self._offered is not None and self._offered.words:
            self._screen.query_one(Breadcrumb).hint = f"S restores what you had: {self._offered.words}"

    def _session(self, panes: KeptPanes) -> Session:
        here = self._navigation.here
        return replace(
            panes.settings(), marks=self._marks.book.marks, file=here.file, line=here.line, rank=here.rank,
            group=here.group, pane=self._layout.was_in, cause=self._cause.line,
        )  # fmt: skip

    def save(self) -> None:
        """Keep what is there, if it is anything new."""
        view = self._navigation.view
        case = view.case if view else None
        if not self._paths or case is None or self._panes is None:
            return
        from logtui.tui.screens.session_store import save, session_path, with_fingerprints

        session = self._session(self._panes)
        place = self._navigation.here.place
        self._began = self._began or place
        untouched = not session.made and place == self._began
        if session == self._saved or (untouched and self._saved is None):
            return
        self._saved = session
        save(session_path(self._paths), with_fingerprints(session, case))

    def restore(self) -> None:
        """Bring back what was kept last time."""
        view = self._navigation.view
        session, case = self._offered, view.case if view else None
        if session is None or case is None or self._panes is None:
            self._screen.notify("nothing was kept for these logs")
            return
        from logtui.tui.screens.session_store import still_fitting

        fitting = still_fitting(session, case)
        for mark in fitting.marks:
            self._marks.book.put(mark)
        self._marks.draw()
        if fitting.cause is not None:
            self._cause.take(fitting.cause)
        self._return_to(fitting)
        self._screen.call_after_refresh(self._panes.put_back, fitting)
        lost = len(session.marks) - len(fitting.marks)
        words = f"{lost} mark{'s' * (lost != 1)} of files that were replaced since" if lost else fitting.words
        self._screen.notify(words, title="left out" if lost else "restored", markup=False)

    def _return_to(self, kept: Session) -> None:
        """To the place and the pane."""
        view, here = self._navigation.view, self._navigation.here
        if kept.group is not None and view is not None and kept.group in view.groups:
            self._navigation.go(replace(here, group=kept.group), step=True)
        if kept.file is not None and kept.line is not None:
            self._screen.post_message(LineChosen(kept.file, kept.line, kept.rank, None, "where you were"))
        if kept.pane in PANES:
            self._layout.bring(kept.pane)
