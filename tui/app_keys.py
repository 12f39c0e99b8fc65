"""The keys that work on every screen."""

from __future__ import annotations

from textual.binding import Binding, BindingType

APP_KEYS: list[BindingType] = [
    Binding("y", "copy_place", "Copy", id="line.copy", tooltip="Copy file:line"),
    Binding("o", "open_editor", "Open", show=False, id="line.open", tooltip="The file at this line in $EDITOR"),
    Binding("r", "report", "Report", id="report.preview", tooltip="The report, before it is written"),
    Binding("E", "export", "Export", show=False, id="report.export", tooltip="Markdown, JSON, or a case file"),
    Binding("question_mark,f1", "explain", "Help", key_display="?", id="help.pane", tooltip="What this pane is"),
    Binding(
        "T",
        "change_theme",
        "Theme",
        show=False,
        id="app.theme",
        tooltip="Colours, one for sixteen colours among them",
    ),
    Binding(
        "ctrl+z",
        "suspend_process",
        "Suspend",
        show=False,
        id="app.suspend",
        tooltip="Back to the shell; fg returns",
    ),
    Binding("q", "quit", "Quit", id="app.quit", tooltip="Leave"),
    Binding("ctrl+o", "jump", "Jump", show=False, id="go.jump", tooltip="A letter on each pane and row: it goes there"),
    Binding(
        "escape",
        "step_back",
        "Stop reading, or back",
        show=False,
        id="app.stop-reading",
        tooltip="Stops reading and keeps what was read; else one place back",
    ),
]
