"""What the user makes of a case: marks with notes, and the session that outlives the app."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.reactive import var
from textual.screen import Screen

from logtui.diagnosis.marks import Mark
from logtui.tui.case_view import CaseView
from logtui.tui.line_rules import LineRules, parse_rule
from logtui.tui.mark_book import MarkBook
from logtui.tui.messages import LineChosen
from logtui.tui.selection import Selection
from logtui.tui.widgets.filter_bar import FilterBar
from logtui.tui.widgets.hint_line import HintLine
from logtui.tui.widgets.line_searcher import LineSearcher
from logtui.tui.widgets.raw_pane import RawPane

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.tui.session_store import Session

SAVED_EVERY_S = 10.0


class KeptScreen(Screen[None]):
    """A screen with marks, which are kept."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "mark", "Mark", show=False, id="mark.line", tooltip="Mark this line, with a note for the report"),
        Binding("u", "to_mark(1)", "Next mark", show=False, id="mark.next"),
        Binding("U", "to_mark(-1)", "Previous mark", show=False, id="mark.previous"),
        Binding("S", "restore", "Restore session", show=False, id="mark.restore", tooltip="What was kept last time"),
    ]

    view: var[CaseView | None] = var(None)
    """The newest report."""
    selection: var[Selection] = var(Selection())
    """Where the user is."""

    def __init__(self) -> None:
        super().__init__()
        self.book = MarkBook()
        self._paths: tuple[Path, ...] = ()
        self._offered: Session | None = None
        self._saved: Session | None = None
        self._began: str | None = None
        self._raw: RawPane | None = None
        self._filters: FilterBar | None = None
        self._searcher: LineSearcher | None = None

    def keep(self, paths: Sequence[Path]) -> None:
        """Keep a session for some paths, and offer the one that was kept, once the logs are there."""
        self._paths = tuple(paths)
        self.set_interval(SAVED_EVERY_S, self.save_session)

    def watch_view(self, old: CaseView | None, new: CaseView | None) -> None:
        """Take the marks of a case file; offer the session once there is something to restore it in."""
        if new is None or old is not None:
            return
        self._raw = self.query_one(RawPane)
        self._raw.book = self.book
        self._filters, self._searcher = self._raw.filters, self._raw.searcher  # still there when the screen goes
        for mark in new.marks:
            self.book.put(mark)
        if self._paths:
            from logtui.tui.session_store import load, session_path

            self._offered = load(session_path(self._paths))
        if self._offered is not None and self._offered.words:
            self.query_one(HintLine).say(f"last time: {self._offered.words} · S restores")

    def action_mark(self) -> None:
        """Mark the selected line, or change its note."""
        from logtui.tui.screens.note import NoteScreen

        here = self.selection
        if here.file is None or here.line is None or self._raw is None:
            self.notify("no line is selected", severity="warning")
            return
        known = self.book.at(here.file, here.line)
        mark = known or Mark(here.file, here.line, self._raw.viewer.text_of(here.line), "", here.rank, here.time)
        screen = NoteScreen(f"{here.file}:{here.line}", mark.note, known is not None)
        self.app.push_screen(screen, lambda note: self._noted(mark, note, known is not None))

    def _noted(self, mark: Mark, note: str | None, known: bool) -> None:
        if note is None:
            return
        if known and not note:
            self.book.remove(mark.file, mark.line)
        else:
            self.book.put(replace(mark, note=note))
        self._show_marks()
        self.save_session()

    def _show_marks(self) -> None:
        if self._raw is not None:
            self._raw.viewer.redraw()

    def action_to_mark(self, direction: int) -> None:
        """To the next or previous marked line, over all files."""
        mark = self.book.beyond(self.selection.file, self.selection.line, direction)
        if mark is None:
            self.notify("nothing is marked: m marks a line")
        else:
            why = f"marked: {mark.note}" if mark.note else "marked"
            self.post_message(LineChosen(mark.file, mark.line, mark.rank, mark.time, why))

    def _session(self) -> Session:
        from logtui.tui.session_store import Session

        here, found = self.selection, self._searcher.matches if self._searcher else None
        rules = tuple(rule.typed for rule in self._filters.rules.rules) if self._filters else ()
        search = found.regex.pattern if found else ""
        return Session(
            marks=self.book.marks, rules=rules, search=search, file=here.file, line=here.line, rank=here.rank
        )

    def save_session(self) -> None:
        """Keep what is there, if it is anything new."""
        case = self.view.case if self.view else None
        if not self._paths or case is None:
            return
        from logtui.tui.session_store import save, session_path, with_fingerprints

        session = self._session()
        self._began = self._began or self.selection.place
        untouched = not (session.marks or session.rules or session.search) and self.selection.place == self._began
        if session == self._saved or (untouched and self._saved is None):
            return
        self._saved = session
        save(session_path(self._paths), with_fingerprints(session, case))

    def on_unmount(self) -> None:
        """Keep it for the next time."""
        self.save_session()

    def action_restore(self) -> None:
        """Bring back what was kept last time."""
        session, view, raw = self._offered, self.view, self._raw
        if session is None or view is None or view.case is None or raw is None:
            self.notify("nothing was kept for these logs")
            return
        from logtui.tui.session_store import still_fitting

        fitting = still_fitting(session, view.case)
        for mark in fitting.marks:
            self.book.put(mark)
        raw.filters.set_rules(LineRules(tuple(map(parse_rule, fitting.rules))), 1)
        if fitting.file is not None and fitting.line is not None:
            self.post_message(LineChosen(fitting.file, fitting.line, fitting.rank, None, "where you were"))
        self._show_marks()
        lost = len(session.marks) - len(fitting.marks)
        words = f"{lost} mark{'s' * (lost != 1)} of files that were replaced since" if lost else fitting.words
        self.notify(words, title="left out" if lost else "restored", markup=False)
