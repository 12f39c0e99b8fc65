"""Where the files of the storage daemons are picked; takes no room while a job has none."""

from __future__ import annotations

from logtui.tui import help_texts
from logtui.tui.case_view import CaseView
from logtui.tui.widgets.pane import Pane


class DaemonSlot(Pane):
    """Holds the daemons' pane in the layout, and shows itself once there are daemons."""

    HELP_TEXT = help_texts.DAEMONS

    def watch_view(self, view: CaseView | None) -> None:
        """Appear when the report speaks of daemons."""
        daemons = view.report.ais.get("daemons") if view and view.report.ais else None
        self.set_class(bool(daemons), "-present")
