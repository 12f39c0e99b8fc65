"""Processes that scan while the app has the terminal.

While an app of Textual 8 runs, `sys.stderr` is a stand-in whose descriptor is -1. The resource tracker, which every
pool of processes needs, hands that descriptor on when it starts and fails; so it starts before the app does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

LARGE_BYTES = 32 << 20
"""Of logs, from which on processes scan them."""
MANY_FILES = 1_000


def prepare_processes(paths: Sequence[Path] = ()) -> None:
    """Start what pools need from the surroundings the app has not changed yet. Takes milliseconds.

    Where there is much to read, what workers are forked from starts too: it imports what they need while this process
    imports what draws.
    """
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()
    if _are_large(paths):
        from logtui.parsers import fork_server

        fork_server.start()


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
