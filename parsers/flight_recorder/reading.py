"""Files to dumps: bytes bounded, content judged, everything that is not a dump refused with its reason."""

from __future__ import annotations

import gc
import json
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from logtui.parsers.archive import open_source, open_stream
from logtui.parsers.discover import discover
from logtui.parsers.errors import DumpRefused, LogtuiError
from logtui.parsers.flight_recorder.building import Pool, TableBuilder
from logtui.parsers.flight_recorder.dump import DumpSet
from logtui.parsers.flight_recorder.groups import MemberLists, read_config, read_status
from logtui.parsers.flight_recorder.limits import LIMITS, Limits
from logtui.parsers.flight_recorder.machine import Machine
from logtui.parsers.flight_recorder.nesting import check_nesting
from logtui.parsers.flight_recorder.parallel import map_chunks, workers_for
from logtui.parsers.flight_recorder.placing import Unplaced, place
from logtui.parsers.flight_recorder.values import as_text
from logtui.parsers.reading import BLOCK
from logtui.parsers.source import Compression, FileKind, LogFile

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
        """The content of a dump that was read already."""
        memo: dict[int, object] = {}
        pickled = data[:1] == b"\x80"
        root = Machine(data, self._limits, memo).run() if pickled else _from_json(data, self._limits)
        check_nesting(root, self._limits.depth)
        top = _top_level(root)
        entries = top.get("entries")
        table = TableBuilder(memo, self._pool, self._limits).build(entries if type(entries) is list else [])
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
    data = _unpacked(file, limits.size_bytes) if _is_packed(file) else _plain(file, limits.size_bytes)
    if len(data) > limits.size_bytes:
        raise DumpRefused(f"larger than {limits.size_bytes} bytes")
    if not data:
        raise DumpRefused("empty")
    return data


def _is_packed(file: LogFile) -> bool:
    return bool(file.member) or file.compression is not Compression.NONE


def _plain(file: LogFile, limit: int) -> bytes:
    source = open_source(file.path, file.compression)
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
