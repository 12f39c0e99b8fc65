"""The user's own editor or pager, opened at a line."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

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
