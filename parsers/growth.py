"""What was written to the logs since they were read: jobs hang for half an hour before anything says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from logtui.parsers.case import Case
from logtui.parsers.listing import list_files
from logtui.parsers.source import EMPTY


@dataclass(frozen=True, slots=True)
class Growth:
    """How the files below some paths differ from those that were read."""

    grown: int = 0
    """Files that are longer."""
    bytes: int = 0
    """By so much, all together."""
    new: int = 0
    """Files that were not there, or held nothing."""
    replaced: int = 0
    """Files that are shorter, or others by the same name."""
    gone: int = 0

    def __bool__(self) -> bool:
        return bool(self.grown or self.new or self.replaced or self.gone)


def growth(paths: Sequence[Path], case: Case) -> Growth:
    """Look at names and sizes, and open nothing. Members of archives are taken to stay what they are.

    Raises:
        SourceError: if a given path is gone or cannot be listed.
    """
    found = {file.name: file for file in list_files(paths).files}
    plain = [file for file in case.files if not file.member]
    there = [(file, found[file.name].info) for file in plain if file.name in found]
    replaced = [file for file, info in there if info.st_size < file.size or info.st_ino != file.inode]
    by = [info.st_size - file.size for file, info in there if info.st_size > file.size and file not in replaced]
    seen = {file.name.partition("!")[0] if file.member else file.name for file in case.files}
    seen |= {unread.file for unread in case.unread if unread.why != EMPTY}
    new = [file for file in found.values() if file.name not in seen and file.info.st_size]
    return Growth(len(by), sum(by), len(new), len(replaced), len(plain) - len(there))
