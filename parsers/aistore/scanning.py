"""Scan all daemon logs of a case, on all cores where that pays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from functools import lru_cache

from logtui.parsers.aistore.filescan import FileScanner
from logtui.parsers.aistore.scanned import FileScan
from logtui.parsers.errors import LogtuiError
from logtui.parsers.freed import keep_pages
from logtui.parsers.pattern import Scope
from logtui.parsers.pool import ScanPool, cores
from logtui.parsers.registry import registry
from logtui.parsers.source import LogFile

LEAST_BYTES = 256 << 20
"""Less than this is read sooner than other processes would have read it."""

Scanned = tuple[int, FileScan | str]
"""Index of the file in the case, and its scan, or why there is none."""


@lru_cache(maxsize=2)
def _scanner(engine: str) -> FileScanner:
    keep_pages()  # what is read again for details goes block by block as well
    return FileScanner(registry(Scope.DAEMONS), engine)


def scan_all(
    files: Sequence[LogFile],
    engine: str = "auto",
    cancelled: Callable[[], bool] = lambda: False,
    jobs: int | None = None,
) -> dict[int, FileScan | str]:
    """Scan files; by index, in their order. Files not reached before a cancel are absent. `jobs` None: one per core."""
    jobs = min(jobs or cores(), len(files))
    if jobs > 1 and sum(f.size for f in files) >= LEAST_BYTES:
        found = dict(_in_processes(files, engine, cancelled, jobs))
    else:
        found = dict(_here(files, engine, cancelled))
    return {f.index: found[f.index] for f in files if f.index in found}


def _here(files: Sequence[LogFile], engine: str, cancelled: Callable[[], bool]) -> Iterator[Scanned]:
    for file in files:
        if cancelled():
            return
        yield scan_batch([file], engine)[0]


def _in_processes(files: Sequence[LogFile], engine: str, cancelled: Callable[[], bool], jobs: int) -> Iterator[Scanned]:
    _scanner(engine)  # made once, inherited by workers that are forked
    pool = ScanPool(jobs, engine)
    try:
        waiting = [pool.executor.submit(scan_batch, batch, engine) for batch in _batches(files)]
        for done in as_completed(waiting):
            yield from done.result()
            if cancelled():
                break
    except BaseException:
        pool.stop()
        raise
    pool.stop() if cancelled() else pool.close()


def _batches(files: Sequence[LogFile]) -> list[list[LogFile]]:
    """Largest first, to end together; members of one archive stay together, since it is read from its start."""
    groups: dict[object, list[LogFile]] = {}
    for file in files:
        groups.setdefault(file.path if file.member else file.index, []).append(file)
    return sorted(groups.values(), key=lambda g: -sum(f.size for f in g))


def scan_batch(files: Sequence[LogFile], engine: str) -> list[Scanned]:
    """Scan some files in this process."""
    out: list[Scanned] = []
    for file in files:
        try:
            out.append((file.index, _scanner(engine).scan(file)))
        except (LogtuiError, OSError) as error:
            out.append((file.index, str(error)))
    return out
