"""What every pane is: a titled region that is handed the case and the selection."""

from __future__ import annotations

from typing import ClassVar

from textual.containers import Vertical
from textual.reactive import reactive

from logtui.tui.case_view import CaseView
from logtui.tui.selection import Selection


class Pane(Vertical):
    """A region of the screen. The screen sets its attributes; it answers with messages and knows nobody else."""

    HELP_TEXT: ClassVar[str] = ""
    """What `?` says about it: markdown."""

    view: reactive[CaseView | None] = reactive(None)
    """The newest report."""
    selection: reactive[Selection] = reactive(Selection())
    """Where the user is."""

    def focus_content(self) -> None:
        """Give the focus to what the user moves in."""
        for widget in self.query("*"):
            if widget.focusable:
                widget.focus(scroll_visible=False)
                return
