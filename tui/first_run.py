"""Whether the user was here before: a file in the state directory says so."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def is_first_run(state: Path) -> bool:
    """True once; false ever after, and where nothing can be kept."""
    mark = state / "greeted"
    if mark.exists():
        return False
    with suppress(OSError):
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        mark.touch(mode=0o600)
        return True
    return False
