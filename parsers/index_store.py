"""Indexes kept between runs, below the user's cache directory: re-opening a case reads only what is new.

One file per case, named by the folder the logs have in common. Losing any of it, at any time, costs one scan.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

from logtui.parsers import index_file
from logtui.parsers.blocks import SHRANK, in_place
from logtui.parsers.fingerprint import Change, compare, take
from logtui.parsers.index_file import Damaged, Entry
from logtui.parsers.places import cache_directory
from logtui.parsers.scan import RangeScan
from logtui.parsers.source import LogFile

CAP_BYTES = 2 << 30
"""Of all indexes together; the longest unused go first."""
CASE_CAP_BYTES = 256 << 20
"""Of one index; a larger one costs more memory to open than the scan does."""
LEAST_BYTES = 16 << 20
"""Logs below that are scanned again before an index would be worth its place."""
STALE_S = 3600.0
CLOCK_GRAIN_S = 1e-6
"""What a time in a float is good for."""
SUFFIX, UNFINISHED = ".index", ".new"


@dataclass(frozen=True, slots=True)
class Known:
    """What an index says about a log that is still the same."""

    parts: tuple[RangeScan, ...]
    since: int | None
    """The byte from which the log is to be read on; None if nothing is new."""


def index_directory() -> Path:
    """Where indexes are kept."""
    return cache_directory() / "index"


def clear() -> int:
    """Remove all indexes; how many there were."""
    removed = 0
    for path in _below(index_directory()):
        with suppress(OSError):
            path.unlink()
            removed += path.suffix == SUFFIX
    return removed


class IndexStore:
    """The index of one case."""

    def __init__(self, files: Sequence[LogFile], digest: str) -> None:
        """`digest` is that of the declared formats: other formats need another scan."""
        self._files = files
        self._digest = digest
        self._path = index_directory() / f"{_key(files)}{SUFFIX}"

    def load(self) -> dict[int, Known]:
        """What is known of the case's logs, by their index. A log that was replaced or rewritten is not known."""
        try:
            entries = index_file.read(self._path, self._digest)
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
        if not entries or index_file.size_of(entries) > CASE_CAP_BYTES:
            return False
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._write(entries)
            _prune(self._path.parent)
        except OSError:
            return False
        return True

    def _write(self, entries: Sequence[Entry]) -> None:
        """Write beside the old index, and put it in its place when it is whole. Readable by its owner alone."""
        descriptor, name = tempfile.mkstemp(dir=self._path.parent, suffix=UNFINISHED)  # made with mode 0600
        try:
            with os.fdopen(descriptor, "wb") as out:
                index_file.write(out, entries, self._digest)
            Path(name).replace(self._path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise


def _key(files: Sequence[LogFile]) -> str:
    common = os.path.commonpath([f.path.absolute() for f in files])
    return blake2b(os.fsencode(common), digest_size=16).hexdigest()


def _known(file: LogFile, entry: Entry | None) -> Known | None:
    if entry is None:
        return None
    change = compare(file.path, entry.fingerprint)
    parts = [replace(part, file=file.index) for part in entry.parts]
    if change is Change.NONE:
        return Known(tuple(parts), None)
    if change is Change.GROWN and in_place(file):
        return Known(tuple(p for p in parts if not p.unfinished), entry.fingerprint.upto)
    return None


def _entry(file: LogFile, parts: Sequence[RangeScan]) -> Entry | None:
    """What to keep of a log; None if it has changed in a way that its scan does not tell."""
    if not parts or any(p.damage == SHRANK for p in parts):
        return None
    plain = in_place(file)
    upto = parts[-1].start if parts[-1].unfinished else parts[-1].end
    now = take(file.path, upto if plain else file.path.stat().st_size)
    if now is None or (plain and now.inode != file.inode):
        return None
    covered = parts[-1].end if plain else now.size
    if now.size != covered or (plain and abs(now.mtime_ns / 1e9 - file.mtime) > CLOCK_GRAIN_S):
        now = replace(now, size=covered, mtime_ns=0)  # grown meanwhile: found so at the next look
    return Entry(str(file.path.absolute()), file.member, now, tuple(parts))


def _below(directory: Path) -> list[Path]:
    """Indexes and what is left of unfinished ones, the longest unused first."""
    try:
        found = [(entry.stat().st_mtime, Path(entry)) for entry in os.scandir(directory) if entry.is_file()]
    except OSError:
        return []
    return [path for _, path in sorted(found) if path.suffix in (SUFFIX, UNFINISHED)]


def _prune(directory: Path) -> None:
    """Remove the longest unused indexes until the rest fits, and what killed processes left."""
    kept = [(path, path.stat()) for path in _below(directory)]
    total = sum(info.st_size for _, info in kept)
    for path, info in kept:
        stale = path.suffix == UNFINISHED and info.st_mtime < time.time() - STALE_S
        if stale or total > CAP_BYTES:
            path.unlink()
            total -= info.st_size
