"""The terminal, handed for a while to the user's own editor or pager at a line."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.selection import Selection

FALLBACK = "less"
_PLUS_LINE = frozenset(
    "vi vim nvim view nano pico emacs emacsclient kak micro joe ne mg less more most jed ed ex".split()
)
_COLON_LINE = frozenset(("hx", "helix", "subl", "zed"))
_GOTO_LINE = frozenset(("code", "codium", "cursor"))


def editor_command(path: Path, line: int, environ: Mapping[str, str] = os.environ) -> list[str]:
    """The command that opens a file at a line: $VISUAL, $EDITOR, $PAGER, else less.

    A program of which we do not know how it is told a line gets the file alone.
    """
    chosen = next((environ[name] for name in ("VISUAL", "EDITOR", "PAGER") if environ.get(name, "").strip()), FALLBACK)
    try:
        command = shlex.split(chosen)
    except ValueError:  # unbalanced quotes
        command = [chosen]
    program = Path(command[0]).name
    if program in _PLUS_LINE:
        return [*command, f"+{line}", _plain(path)]
    if program in _COLON_LINE:
        return [*command, f"{_plain(path)}:{line}"]
    if program in _GOTO_LINE:
        return [*command, "--wait", "--goto", f"{_plain(path)}:{line}"]
    return [*command, _plain(path)]


def is_installed(command: list[str]) -> bool:
    """Whether the program can be started."""
    return shutil.which(command[0]) is not None


def _plain(path: Path) -> str:
    """The path, so that a name beginning with `-` or `+` is not taken for an option."""
    return str(path.absolute())


def open_line(app: App[Any], view: CaseView | None, here: Selection) -> None:
    """Open the selected line in the user's editor, or say why not."""
    case = view.case if view else None
    file = case.file_named(here.file) if case and here.file else None
    if case is None or file is None:
        app.notify("no line is selected", severity="warning")
        return
    if case.is_excerpt:
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
