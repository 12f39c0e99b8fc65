"""What is copied inside tmux: the terminal's own way to the clipboard ends there, where it is not passed on."""

from __future__ import annotations

import os
import subprocess

PATIENCE_S = 2.0
_WAYS = (("tmux", "load-buffer", "-w", "-"), ("tmux", "load-buffer", "-"))
"""With the terminal's clipboard too, which tmux before 3.2 does not know."""


def is_in_tmux() -> bool:
    """Whether a tmux stands between the app and the terminal."""
    return bool(os.environ.get("TMUX"))


def to_tmux(text: str) -> bool:
    """Put a text into tmux's buffer; whether it took it. May wait for it."""
    for way in _WAYS:
        try:
            done = subprocess.run(way, input=text.encode(), capture_output=True, timeout=PATIENCE_S, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return False
        if not done.returncode:
            return True
    return False
