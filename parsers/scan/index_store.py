"""Indexes kept between runs, below the user's cache directory: re-opening a case reads only what is new.

One file per case, named by the folder the logs have in common. Losing any of it, at any time, costs one scan.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from logtui.parsers.files.fingerprint import Change, Fingerprint, compare, take
from logtui.parsers.files.sealed import Damaged
from logtui.parsers.records.columns import wide
from logtui.parsers.records.record import ROW
from logtui.parsers.scan import cache_files
from logtui.parsers.scan.blocks import SHRANK
from logtui.parsers.scan.cache_files import opened
from logtui.parsers.scan.program import READERS, program
from logtui.parsers.scan.scanner import RangeScan
from logtui.parsers.source import LogFile

CASE_CAP_BYTES = 256 << 20
"""Of one index; a larger one costs more memory to open than the scan does."""
LEAST_BYTES = 16 << 20
"""Logs below that are scanned again before an index would be worth its place."""
CLOCK_GRAIN_S = 1e-6
"""What a time in a float is good for."""


@dataclass(frozen=True, slots=True)
class KeptLog:
    """What is known of one log, as it is written."""

    path: str
    member: tuple[str, ...]
    fingerprint: Fingerprint
    parts: tuple[RangeScan, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What an index says about a log that is still the same."""

    parts: tuple[RangeScan, ...]
    since: int | None
    """The byte from which the log is to be read on; None if nothing is new."""


class IndexStore:
    """The index of one case."""

    def __init__(self, files: Sequence[LogFile]) -> None:
        self._files = files
        self._path = cache_files.kept_directory() / f"{_key(files)}{cache_files.INDEX}"

    def load(self) -> dict[int, Known]:
        """What is known of the case's logs, by their index. A log that was replaced or rewritten is not known."""
        try:
            entries = _read(self._path, program(READERS))
            os.utime(self._path)
        except Damaged:
            with suppress(OSError):
                self._path.unlink()
            return {}
        except OSError:
            return {}
        by_place = {(entry.path, entry.member): entry for entry in entries}
        found = {f.index: _known(f, by_place.get((str(f.path.absolute()), f.member))) for f in self._files}
        return {index: known for index, known in found.items() if known}

    def save(self, scans: Mapping[int, Sequence[RangeScan]]) -> bool:
        """Keep the parts of all logs, each joined as far as it goes; whether that was done.

        Never fails: a full disk, or a directory that cannot be written, only costs the index.
        """
        entries = [entry for f in self._files if f.index in scans and (entry := _entry(f, scans[f.index]))]
        if not entries or _size_of(entries) > CASE_CAP_BYTES:
            return False
        return cache_files.keep(self._path, lambda out: _write(out, entries, program(READERS)))


def _key(files: Sequence[LogFile]) -> str:
    common = os.path.commonpath([f.path.absolute() for f in files])
    return blake2b(os.fsencode(common), digest_size=16).hexdigest()


def _known(file: LogFile, entry: KeptLog | None) -> Known | None:
    if entry is None:
        return None
    change = compare(file.path, entry.fingerprint)
    parts = [replace(part, file=file.index) for part in entry.parts]
    if change is Change.NONE:
        return Known(tuple(parts), None)
    if change is Change.GROWN and file.in_place:
        return Known(tuple(p for p in parts if not p.unfinished), entry.fingerprint.upto)
    return None


def _entry(file: LogFile, parts: Sequence[RangeScan]) -> KeptLog | None:
    """What to keep of a log; None if it has changed in a way that its scan does not tell."""
    if not parts or any(p.damage == SHRANK for p in parts):
        return None
    plain = file.in_place
    upto = parts[-1].start if parts[-1].unfinished else parts[-1].end
    now = take(file.path, upto if plain else file.path.stat().st_size)
    if now is None or (plain and now.inode != file.inode):
        return None
    covered = parts[-1].end if plain else now.size
    if now.size != covered or (plain and abs(now.mtime_ns / 1e9 - file.mtime) > CLOCK_GRAIN_S):
        now = replace(now, size=covered, mtime_ns=0)  # grown meanwhile: found so at the next look
    return KeptLog(str(file.path.absolute()), file.member, now, tuple(parts))


# -- The file
#
# A line of JSON says what belongs to which log and how the columns are cut; their bytes follow. Nothing in it is ever
# executed, and whatever does not add up makes the whole file worthless.

COUNT = np.dtype([("pattern", "u2"), ("rank", "i4"), ("total", "i8")])
_COLUMNS: tuple[tuple[str, np.dtype[Any]], ...] = (
    ("rows", ROW), ("blob", np.dtype("u1")), ("counts", COUNT), ("offsets", np.dtype("i8")), ("lines", np.dtype("i8")),
)  # fmt: skip
_HEADER_CAP = 64 << 20
AT_ONCE = 1 << 16
"""Rows written at a time."""


def _write(out: IO[bytes], entries: Sequence[KeptLog], program: str) -> None:
    """Write an index; `program` is the digest of the code that read the logs.

    Raises:
        OSError: if it cannot be written, as on a full disk.
    """
    scans = [scan for entry in entries for scan in entry.parts]
    header = {
        "program": program,
        "entries": [_described(entry) for entry in entries],
    }
    out.write(json.dumps(header, separators=(",", ":")).encode() + b"\n")
    for name, _ in _COLUMNS:
        for piece in _pieces(name, scans):
            out.write(piece.view(np.uint8).data)


def _read(path: Path, program: str) -> list[KeptLog]:
    """Read an index that the same code has written.

    Raises:
        OSError: if there is none, or it cannot be opened.
        Damaged: if it is worthless.
    """
    with opened(path, _HEADER_CAP) as (header, source):
        if header["program"] != program:
            raise Damaged("of another version")
        return _entries(header["entries"], _columns(header["entries"], source))


def _pieces(name: str, scans: Sequence[RangeScan]) -> Iterator[npt.NDArray[Any]]:
    """A column of all scans end to end, piece by piece: millions of rows are nowhere held as they are written."""
    for scan in scans:
        if name == "rows":
            for at in range(0, len(scan.rows), AT_ONCE):
                yield np.ascontiguousarray(wide(scan.rows[at : at + AT_ONCE]))
        elif name == "blob":
            yield np.frombuffer(scan.blob, np.uint8)
        elif name == "counts":
            yield _counts_of(scan)
        else:
            yield np.ascontiguousarray(scan.block_offsets if name == "offsets" else scan.block_lines, np.int64)


def _counts_of(scan: RangeScan) -> npt.NDArray[Any]:
    return np.array([(pattern, rank, n) for (pattern, rank), n in scan.counts.items()], COUNT)


def _described(entry: KeptLog) -> dict[str, Any]:
    return {
        "path": entry.path,
        "member": entry.member,
        "fingerprint": asdict(entry.fingerprint),
        "parts": [
            {
                "at": [s.start, s.end, s.lines, s.matched_lines],
                "size": _sizes(s)[:-1],
                "hosts": s.hosts,
                "damage": s.damage,
                "flags": [s.nul_bytes, s.unfinished],
            }
            for s in entry.parts
        ],
    }


def _sizes(scan: RangeScan) -> list[int]:
    """Lengths of a scan's columns; the last two are as long as each other."""
    return [len(scan.rows), len(scan.blob), len(scan.counts), len(scan.block_offsets), len(scan.block_lines)]


def _columns(described: Sequence[dict[str, Any]], source: IO[bytes]) -> list[npt.NDArray[Any]]:
    """The columns of all parts, which must be all that is left of a file."""
    cuts = [part["size"] for one in described for part in one["parts"]]
    rows, blob, counts, offsets = (sum(map(int, some)) for some in zip((0,) * 4, *cuts, strict=True))
    sizes = (rows, blob, counts, offsets, offsets)
    whole = sum(size * dtype.itemsize for size, (_, dtype) in zip(sizes, _COLUMNS, strict=True))
    if min(map(min, cuts)) < 0 or whole != os.fstat(source.fileno()).st_size - source.tell():
        raise Damaged("columns and header do not agree")
    columns = [np.empty(size, dtype) for size, (_, dtype) in zip(sizes, _COLUMNS, strict=True)]
    for column in columns:
        source.readinto(column.view(np.uint8).data)  # type: ignore[attr-defined]  # a file on disk has it
    return columns


def _entries(described: Iterable[dict[str, Any]], columns: Sequence[npt.NDArray[Any]]) -> list[KeptLog]:
    """Cut the columns as the header says."""
    ends = [0, 0, 0, 0]
    entries = []
    for one in described:
        parts = tuple(_scan(part, columns, ends) for part in one["parts"])
        entries.append(
            KeptLog(str(one["path"]), tuple(map(str, one["member"])), Fingerprint(**one["fingerprint"]), parts)
        )
    return entries


def _scan(part: dict[str, Any], columns: Sequence[npt.NDArray[Any]], ends: list[int]) -> RangeScan:
    cuts = []
    for i, size in enumerate(part["size"]):
        cuts.append(slice(ends[i], ends[i] + int(size)))
        ends[i] += int(size)
    rows, blob, counts, offsets, lines = columns
    start, end, newlines, matched = map(int, part["at"])
    numbers = counts[cuts[2]]
    return RangeScan(
        0, start, end, rows[cuts[0]], blob[cuts[1]].tobytes(), [str(h) for h in part["hosts"]],
        {(p, r): n for p, r, n in numbers.tolist()}, newlines, matched, offsets[cuts[3]], lines[cuts[3]],
        part["damage"], *map(bool, part["flags"]),
    )  # fmt: skip


def _size_of(entries: Sequence[KeptLog]) -> int:
    """Bytes the columns take."""
    return sum(len(s.rows) * ROW.itemsize + len(s.blob) + 2 * s.block_offsets.nbytes for e in entries for s in e.parts)
