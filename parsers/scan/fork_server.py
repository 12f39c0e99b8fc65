"""The process that workers are forked from while an app runs, with what they need in memory already."""

from __future__ import annotations

import multiprocessing
import os

PRELOADED = "logtui.parsers.scan.preloaded"


def preload() -> None:
    """Let the fork server import what workers need, if it is still to be started."""
    multiprocessing.set_forkserver_preload([PRELOADED])


def start() -> None:
    """Start it, if there is such a thing here; takes milliseconds, its imports go on beside the caller's.

    Call it while there are no other threads: it must not look for modules where the user happens to be, and is told so
    by the environment.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return
    from multiprocessing.forkserver import ensure_running

    preload()
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        ensure_running()
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before
