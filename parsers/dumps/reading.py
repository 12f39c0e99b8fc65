"""Files to dumps: bytes bounded, content judged, everything that is not a dump refused with its reason."""

from __future__ import annotations

import gc
import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from logtui.parsers.dumps.building import EntryTableBuilder, Pool
from logtui.parsers.dumps.dump import DumpSet, MemberLists, as_text, read_config, read_status
from logtui.parsers.dumps.machine import LIMITS, Limits, Machine
from logtui.parsers.dumps.placing import Unplaced, place
from logtui.parsers.errors import DumpRefused, LogtuiError
from logtui.parsers.files.archive import open_stream
from logtui.parsers.files.discover import discover
from logtui.parsers.files.reading import BLOCK, PlainSource
from logtui.parsers.source import FileKind, LogFile

WORTH_PROCESSES = 64 << 20
"""Bytes of dumps from which on other cores are asked to help: two seconds of reading."""
_DUMP_KEYS = {"version", "entries", "pg_config", "pg_status"}
_ENTRY_KEYS = {"profiling_name", "record_id", "collective_seq_id", "seq_id"}


class DumpReader:
    """Reads dumps one after the other; what they repeat is kept once."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._pool = Pool()
        self._members = MemberLists()

    def read(self, file: LogFile) -> Unplaced:
        """The content of one file.

        Raises:
            DumpRefused: it is unsafe, truncated, too large, or not a dump.
            LogtuiError: it cannot be opened.
        """
        with _collector_resting():
            return self.decode(_content(file, self._limits), file.name)

    def decode(self, data: bytes, name: str) -> Unplaced:
        """The content of a dump that was read already.

        Raises:
            DumpRefused: it is unsafe, truncated, too large, or not a dump.
        """
        memo: dict[int, object] = {}
        pickled = data[:1] == b"\x80"
        root = Machine(data, self._limits, memo).run() if pickled else _from_json(data, self._limits)
        check_nesting(root, self._limits.depth)
        top = _top_level(root)
        entries = top.get("entries")
        table = EntryTableBuilder(memo, self._pool, self._limits).build(entries if type(entries) is list else [])
        return Unplaced(
            name, as_text(top.get("version")),
            as_text(top.get("comm_lib_version")) or as_text(top.get("nccl_version")),
            read_config(top.get("pg_config"), self._members), read_status(top.get("pg_status")), table,
        )  # fmt: skip


def read_dumps(
    files: Sequence[LogFile], limits: Limits = LIMITS, cancelled: Callable[[], bool] = lambda: False
) -> DumpSet:
    """Read all dumps among some files; one that cannot be used is refused with its reason, the rest goes on.

    When `cancelled`, those that were not reached count as refused.
    """
    dumps = [file for file in files if file.kind is FileKind.FLIGHT_RECORDER]
    workers = workers_for(len(dumps), sum(file.size for file in dumps), WORTH_PROCESSES)
    parts = map_chunks(partial(_read_share, limits=limits), dumps, workers, cancelled)
    found, refused = [dump for part in parts for dump in part[0]], [why for part in parts for why in part[1]]
    refused += [(file.name, "not read: stopped by the user") for file in dumps[len(found) + len(refused) :]]
    placed, unplaceable = place(found)
    return DumpSet.of(placed, refused + unplaceable)


def _read_share(files: Sequence[LogFile], limits: Limits) -> tuple[list[Unplaced], list[tuple[str, str]]]:
    """Some dumps, one after the other; also run by other processes."""
    reader = DumpReader(limits)
    found, refused = [], []
    for file in files:
        try:
            found.append(reader.read(file))
        except (LogtuiError, OSError) as error:
            refused.append((file.name, getattr(error, "why", None) or str(error)))
    return found, refused


def read_dumps_below(paths: Sequence[Path], limits: Limits = LIMITS) -> DumpSet:
    """Read all dumps below some paths; files of other kinds are left aside, unreadable ones refused.

    Raises:
        SourceError: a path is missing, or nothing there can be read.
    """
    found = discover(paths)
    dumps = read_dumps(found.files, limits)
    return DumpSet(dumps.dumps, dumps.refused + tuple((u.file, u.why) for u in found.unread), dumps.by_rank)


def _top_level(root: object) -> dict[object, object]:
    """The dictionary of a dump; torch 2.2 wrote the bare list of its entries."""
    if type(root) is list and (not root or _is_entry(root[0])):
        return {"entries": root}
    if type(root) is dict and _DUMP_KEYS & root.keys():
        return root
    raise DumpRefused("not a flight-recorder dump: it has none of its keys")


def _is_entry(value: object) -> bool:
    return type(value) is dict and bool(_ENTRY_KEYS & value.keys())


def _from_json(data: bytes, limits: Limits) -> object:
    if len(data) > limits.json_bytes:
        raise DumpRefused(f"{len(data)} bytes of JSON: at most {limits.json_bytes} are read")
    try:
        return json.loads(data)
    except RecursionError:
        raise DumpRefused(f"nested deeper than {limits.depth} levels") from None
    except ValueError as error:
        raise DumpRefused(_json_reason(data, error)) from None


def _json_reason(data: bytes, error: ValueError) -> str:
    if not data:
        return "empty"
    if not data.lstrip().startswith((b"{", b"[")):
        return "neither a pickle nor JSON"
    at = getattr(error, "pos", len(data))
    return f"truncated: JSON ends at byte {len(data)}" if at >= len(data) - 1 else f"malformed JSON at {at}"


def _content(file: LogFile, limits: Limits) -> bytes:
    """All bytes of a dump, unpacked; never more than one above the limit are held."""
    mode = file.path.stat().st_mode
    if not stat.S_ISREG(mode):
        raise DumpRefused("a named pipe, not a file" if stat.S_ISFIFO(mode) else "not a regular file")
    data = _plain(file, limits.size_bytes) if file.in_place else _unpacked(file, limits.size_bytes)
    if len(data) > limits.size_bytes:
        raise DumpRefused(f"larger than {limits.size_bytes} bytes")
    if not data:
        raise DumpRefused("empty")
    return data


def _plain(file: LogFile, limit: int) -> bytes:
    source = PlainSource(file.path)
    try:
        return source.read_at(0, min(source.size(), limit + 1))
    finally:
        source.close()


def _unpacked(file: LogFile, limit: int) -> bytes:
    stream = open_stream(file)
    pieces, size = [], 0
    try:
        while size <= limit and (piece := stream.read(BLOCK)):
            pieces.append(piece)
            size += len(piece)
    finally:
        stream.close()
    if stream.damage and size <= limit:
        raise DumpRefused(stream.damage)
    return b"".join(pieces)


@contextmanager
def _collector_resting() -> Iterator[None]:
    """Dumps are trees of a hundred thousand objects and no cycles: looking for cycles meanwhile is waste."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


# -- Nesting

_CONTAINERS = {list, tuple, dict}
_LEAVING = object()


def check_nesting(root: object, depth: int) -> None:
    """Walk lists, tuples and dictionaries without recursion; shared ones are walked once.

    Raises:
        DumpRefused: a container lies deeper than `depth` levels or inside itself.
    """
    finished: set[int] = set()
    path: set[int] = set()
    todo: list[tuple[object, object]] = [(root, None)]
    while todo:
        value, mark = todo.pop()
        if mark is _LEAVING:
            path.discard(id(value))
            finished.add(id(value))
            continue
        children = _children(value)
        if not children or id(value) in finished:
            continue
        if id(value) in path:
            raise DumpRefused("a container that contains itself")
        if len(path) >= depth:
            raise DumpRefused(f"nested deeper than {depth} levels")
        path.add(id(value))
        todo.append((value, _LEAVING))
        todo.extend((child, None) for child in children)


def _children(value: object) -> list[object]:
    """The containers directly inside a container."""
    if type(value) is dict:
        items = list(value.values())
    elif type(value) is list or type(value) is tuple:
        items = list(value)
    else:
        return []
    return [item for item in items if type(item) in _CONTAINERS]


# -- Several cores
#
# Decoding is Python's work, and Python does it on one core at a time.

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


# -- When a job's dumps were written: the only date that a case of yearless lines may have

ASKED = 3
"""Dumps read; one may be a former attempt's, which the year seldom minds."""
TRIED = 9


def dumped_at(files: Iterable[LogFile]) -> float | None:
    """When the newest operation in some of the dumps among these files was launched; None if none tells.

    Seconds since the epoch. Reads the smallest ones only: milliseconds.
    """
    dumps = sorted((f for f in files if f.kind is FileKind.FLIGHT_RECORDER and f.size), key=lambda f: f.size)
    found: list[int] = []
    for file in dumps[:TRIED]:
        try:
            found.append(DumpReader().read(file).last_ns)
        except (LogtuiError, OSError):
            continue  # told when all of them are read
        if sum(map(bool, found)) == ASKED:
            break
    return max(found, default=0) / 1e9 or None
