"""Indexes kept between runs, below the user's cache directory: re-opening a case reads only what is new.

One file per case, named by the folder the logs have in common. Losing any of it, at any time, costs one scan.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b

from logtui.parsers.files.fingerprint import Change, compare, take
from logtui.parsers.scan import cache_files, index_file
from logtui.parsers.scan.blocks import SHRANK, in_place
from logtui.parsers.scan.cache_files import Damaged
from logtui.parsers.scan.index_file import Entry
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
            entries = index_file.read(self._path, program(READERS))
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
        return cache_files.keep(self._path, lambda out: index_file.write(out, entries, program(READERS)))


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
