"""Reading many dumps on several cores: decoding is Python's work, and Python does it on one core at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

MAX_WORKERS = 16
"""More only compete for the disk; each takes 60 MB."""
ALONE = 32
"""Dumps that a process without help reads before it asks whether to go on: a quarter of a second."""
CHUNKS_PER_WORKER = 4
"""Dumps of one job differ in size: small shares end together."""


def workers_for(count: int, size_bytes: int, worth_bytes: int) -> int:
    """Processes worth starting for so many files: one per core, none for little data."""
    if size_bytes < worth_bytes:
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    found = min(cores, MAX_WORKERS, count)
    return found if found > 1 else 0


def map_chunks(
    work: Callable[[Sequence[T]], R], items: Sequence[T], workers: int, cancelled: Callable[[], bool] = lambda: False
) -> list[R]:
    """`work` on shares of the items, in their order; in this process if `workers` is 0 or none can be started.

    New processes start from nothing, not as copies: this one may be drawing a screen in another thread. When
    `cancelled`, the shares finished so far are returned; it is asked between shares.
    """
    size = max(-(-len(items) // (workers * CHUNKS_PER_WORKER)), 1) if workers else ALONE
    shares = [items[start : start + size] for start in range(0, len(items), size)]
    if workers:
        try:
            with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
                return _until(cancelled, pool.map(work, shares), pool)
        except (OSError, ImportError, BrokenProcessPool):
            pass  # No semaphores, no memory, or a killed worker: slower, but the same answer.
    return _until(cancelled, map(work, shares))


def _until(cancelled: Callable[[], bool], results: Iterator[R], pool: ProcessPoolExecutor | None = None) -> list[R]:
    found: list[R] = []
    while not cancelled():
        try:
            found.append(next(results))
        except StopIteration:
            return found
    if pool is not None:
        pool.shutdown(wait=False, cancel_futures=True)
    return found
