"""Processes that scan while the app has the terminal.

While an app of Textual 8 runs, `sys.stderr` is a stand-in whose descriptor is -1. The resource tracker, which every
pool of processes needs, hands that descriptor on when it starts, and fails.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from pathlib import Path

LARGE_BYTES = 32 << 20
"""Of logs, from which on processes scan them."""
MANY_FILES = 1_000


def prepare_processes(paths: Sequence[Path] = ()) -> None:
    """Where there is much to read, start what workers are forked from. Takes milliseconds; before the app runs.

    It imports what they need while this process imports what draws.
    """
    if _are_large(paths):
        from logtui.parsers.scan import fork_server

        fork_server.start()


def ensure_tracker() -> None:
    """Start the resource tracker, if it does not run, though the app does; on the thread that the app runs on."""
    from multiprocessing import resource_tracker

    with redirect_stderr(sys.__stderr__):
        resource_tracker.ensure_running()


def _are_large(paths: Sequence[Path]) -> bool:
    size = 0
    for seen, path in enumerate(_files(paths)):
        try:
            size += os.stat(path).st_size  # noqa: PTH116 - a thousand of them before the first frame
        except OSError:
            continue
        if size >= LARGE_BYTES or seen >= MANY_FILES:
            return True
    return False


def _files(paths: Sequence[Path]) -> Iterator[str]:
    for path in paths:
        if not path.is_dir():
            yield str(path)
        for folder, _, names in os.walk(path):
            yield from (f"{folder}/{name}" for name in names)
