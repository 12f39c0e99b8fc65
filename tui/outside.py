"""Hand the terminal to another program for a while."""

from __future__ import annotations

import subprocess
from typing import Any

from textual.app import App, SuspendNotSupported

from logtui.tui.case_view import CaseView
from logtui.tui.editor import editor_command, is_installed
from logtui.tui.selection import Selection


def open_line(app: App[Any], view: CaseView | None, here: Selection) -> None:
    """Open the selected line in the user's editor, or say why not."""
    case = view.case if view else None
    file = case.file_named(here.file) if case and here.file else None
    if case is None or file is None:
        app.notify("no line is selected", severity="warning")
        return
    if case.held(file.index) is not None:
        app.notify("a case file holds lines, not files: there is nothing to open", severity="warning")
        return
    command = editor_command(file.path, here.line or 1)
    if not is_installed(command):
        app.notify(f"{command[0]} is not installed; set $EDITOR", severity="error", markup=False)
        return
    try:
        with app.suspend():
            subprocess.run(command, check=False)
    except SuspendNotSupported:
        app.notify("this terminal cannot be handed over", severity="error")
