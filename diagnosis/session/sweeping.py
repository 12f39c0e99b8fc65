"""The beginning of a reading: what files there are, and workers on them. Imports nothing that judges."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from logtui.diagnosis.options import Options
from logtui.parsers.files.discover import discover, look
from logtui.parsers.files.listing import Listing
from logtui.parsers.scan.dispatcher import start_pool
from logtui.parsers.scan.sweep import Sweep
from logtui.parsers.source import Discovery

if TYPE_CHECKING:
    from logtui.parsers.scan.workers import ScanPool


def begin(paths: Sequence[Path], listing: Listing, options: Options) -> Sweep:
    """Workers look at the files below some paths, as listed, and begin to read them.

    Raises:
        SourceError: if nothing there can be read.
        TimesRefused: if nothing was written in the time that is to be read.
    """
    pool = start_pool(listing.bytes, options.jobs, options.executor, options.engine, options.polite, options.early)
    try:
        found = discover(paths, look(listing, pool.executor if pool else None))
        if options.since or options.until:
            from logtui.parsers.files.time_window import within

            found = within(found, options.since, options.until)
        sweep = sweep_over(found, options, pool)
    except BaseException:
        if pool:
            pool.stop()
        raise
    sweep.begin()
    return sweep


def sweep_over(discovery: Discovery, options: Options, pool: ScanPool | None = None) -> Sweep:
    """One scan over the files of a discovery, which ends the workers of `pool`."""
    return Sweep(
        discovery, options.engine, options.jobs, options.executor, options.polite, options.early,
        pool, keep=not options.no_cache,
    )  # fmt: skip
