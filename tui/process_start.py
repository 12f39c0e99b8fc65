"""Processes that scan while the app has the terminal.

While an app of Textual 8 runs, `sys.stderr` is a stand-in whose descriptor is -1. The resource tracker, which every
pool of processes needs, hands that descriptor on when it starts and fails; so it starts before the app does.
"""

from __future__ import annotations


def prepare_processes() -> None:
    """Start what pools need from the surroundings the app has not changed yet. Takes milliseconds."""
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()
