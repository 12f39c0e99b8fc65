"""The session that outlives the app: kept as the user goes on, and offered on the next start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from logtui.tui.case_view import CaseView
from logtui.tui.messages import LineChosen
from logtui.tui.pane_layout import PANES
from logtui.tui.screens.mark_keys import MarkKeys
from logtui.tui.selection import Selection
from logtui.tui.widgets.breadcrumb import Breadcrumb
from logtui.tui.widgets.pane import Pane
from logtui.tui.widgets.raw_pane import RawPane

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.tui.kept_panes import KeptPanes
    from logtui.tui.session_store import Session

SAVED_EVERY_S = 10.0


class KeptScreen(MarkKeys):
    """A screen whose marks, settings and place are kept."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("S", "restore", "Restore session", show=False, id="mark.restore", tooltip="What was kept last time"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._paths: tuple[Path, ...] = ()
        self._offered: Session | None = None
        self._saved: Session | None = None
        self._began: str | None = None
        self._panes: KeptPanes | None = None
        self.was_in = ""
        """The pane that has the focus, or had it last."""

    def go(self, place: Selection, *, step: bool = False) -> None:
        """To a place; a step leaves none of its own in the history."""
        raise NotImplementedError

    def focused_pane(self) -> Pane | None:
        """The pane the user is in."""
        raise NotImplementedError

    def action_pane(self, name: str) -> None:
        """Show a pane and move into it."""
        raise NotImplementedError

    def keep(self, paths: Sequence[Path]) -> None:
        """Keep a session for some paths, and offer the one that was kept, once the logs are there."""
        self._paths = tuple(paths)
        self.set_interval(SAVED_EVERY_S, self.save_session)

    def watch_view(self, old: CaseView | None, new: CaseView | None) -> None:
        """Take the marks of a case file; offer the session once there is something to restore it in."""
        if new is None or old is not None:
            return
        self.query_one(RawPane).book = self.book
        for mark in new.marks:
            self.book.put(mark)
        self.call_after_refresh(self._offer)

    def _offer(self) -> None:
        """After the verdict is drawn: what sessions are read with takes a while to import."""
        from logtui.tui.kept_panes import KeptPanes

        self._panes = KeptPanes(self)
        if self._paths:
            from logtui.tui.session_store import load, session_path

            self._offered = load(session_path(self._paths))
        if self._offered is not None and self._offered.words:
            self.query_one(Breadcrumb).hint = f"S restores what you had: {self._offered.words}"

    def _session(self, panes: KeptPanes) -> Session:
        here = self.selection
        return replace(
            panes.settings(), marks=self.book.marks, file=here.file, line=here.line, rank=here.rank, group=here.group,
            pane=self.was_in,
        )  # fmt: skip

    def on_descendant_focus(self) -> None:
        """Remember the pane: as the screen goes, nothing has the focus."""
        pane = self.focused_pane()
        self.was_in = (pane.id or "") if pane else self.was_in

    def save_session(self) -> None:
        """Keep what is there, if it is anything new."""
        case = self.view.case if self.view else None
        if not self._paths or case is None or self._panes is None:
            return
        from logtui.tui.session_store import save, session_path, with_fingerprints

        session = self._session(self._panes)
        self._began = self._began or self.selection.place
        untouched = not session.made and self.selection.place == self._began
        if session == self._saved or (untouched and self._saved is None):
            return
        self._saved = session
        save(session_path(self._paths), with_fingerprints(session, case))

    def on_unmount(self) -> None:
        """Keep it for the next time."""
        self.save_session()

    def action_restore(self) -> None:
        """Bring back what was kept last time."""
        session, case = self._offered, self.view.case if self.view else None
        if session is None or case is None or self._panes is None:
            self.notify("nothing was kept for these logs")
            return
        from logtui.tui.session_store import still_fitting

        fitting = still_fitting(session, case)
        for mark in fitting.marks:
            self.book.put(mark)
        self.show_marks()
        self._return_to(fitting)
        self.call_after_refresh(self._panes.put_back, fitting)
        lost = len(session.marks) - len(fitting.marks)
        words = f"{lost} mark{'s' * (lost != 1)} of files that were replaced since" if lost else fitting.words
        self.notify(words, title="left out" if lost else "restored", markup=False)

    def _return_to(self, kept: Session) -> None:
        """To the place and the pane."""
        if kept.group is not None and self.view is not None and kept.group in self.view.groups:
            self.go(replace(self.selection, group=kept.group), step=True)
        if kept.file is not None and kept.line is not None:
            self.post_message(LineChosen(kept.file, kept.line, kept.rank, None, "where you were"))
        if kept.pane in PANES:
            self.action_pane(kept.pane)
