"""What a tracker keeps of a program's output, in a folder of its own: `wandb/run-DATE_TIME-ID/files/output.log`.

Mostly the same lines stand in a log beside it, and must not count twice; where they do not, they are all that is left
of what the program said. Of several runs the newest is read.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Container, Iterable, Sequence
from itertools import islice
from pathlib import Path, PurePath

from logtui.parsers.files.found import Found
from logtui.parsers.source import Unread

FOLDERS = frozenset({"wandb"})
OUTPUT, OF_RUN = "output", frozenset({"files", "logs"})
OWN = "debug"
"""What a tracker says itself, beside a run: read where nobody else tells when it began and ended."""
_DATE = re.compile(
    rb"(?:19|20)\d\d[-/. ][01]?\d[-/. ][0-3]?\d[ T_,]{1,3}[0-2]?\d:[0-5]\d|\d\d:\d\d:\d\d [\w ]{0,8}20\d\d"
)
MOST_COMPARED, HEAD_BYTES, FAR_BYTES = 64, 8 << 10, 1 << 20
"""Files that may hold the same; bytes of the ends of the copy that are looked at, and of each of them."""
LINES, SHORTEST = 3, 24
"""Lines of each end that must stand in another file as well; the fewest bytes of one."""


def is_kept(folder: PurePath, name: str) -> bool:
    """Whether a file below the given path may be read: one of a tracker's folder only if it is a run's log."""
    return FOLDERS.isdisjoint(folder.parts) or (folder.name in OF_RUN and name.endswith(".log"))


def settle(files: Sequence[Found], given: Container[Path], unread: list[Unread]) -> tuple[Found, ...]:
    """The files without those of a tracker's older runs, and, where others are there, those of the newest but what the
    program said and no log beside it holds; what was `given` by its name is kept."""
    kept = [f for f in files if f.path in given or not _of_tracker(f)]
    copies = [f for f in files if f.path not in given and _of_tracker(f)]
    newest = max(map(_started, copies), default="")
    for found in copies:
        told = "of an older run than the newest" if _started(found) != newest else _needless(found, kept)
        if told:
            unread.append(Unread(found.name, told))
    told_of = {u.file for u in unread}
    return tuple(kept + [f for f in copies if f.name not in told_of])


def _of_tracker(found: Found) -> bool:
    return not FOLDERS.isdisjoint(PurePath(found.name).parts)


def _started(found: Found) -> str:
    """The date and time by which the folder of a run is named."""
    run = next((part for part in PurePath(found.name).parts if "run-" in part), "")
    return run.partition("run-")[2]


def _needless(copy: Found, files: Sequence[Found]) -> str:
    """Why a run's log need not be read beside other files; "" where it must."""
    if not files:
        return ""
    if copy.path.stem == OUTPUT:
        return _told_by(copy, files)
    return "" if copy.path.stem == OWN and not any(map(_is_dated, files[:MOST_COMPARED])) else "a tracker's own log"


def _is_dated(found: Found) -> bool:
    """Whether an end of a file tells a date and a time; what is no regular file may."""
    regular = stat.S_ISREG(found.info.st_mode)
    return not regular or any(_DATE.search(_read(found, HEAD_BYTES, at_end=end)) for end in (False, True))


def _told_by(copy: Found, files: Iterable[Found]) -> str:
    """Which file holds the first and the last lines of a copy as well; "" where none does."""
    if not stat.S_ISREG(copy.info.st_mode):
        return ""
    first, last = (_telling(_read(copy, HEAD_BYTES, at_end=end), at_end=end) for end in (False, True))
    regular = (f for f in files if stat.S_ISREG(f.info.st_mode))
    for found in islice(regular, MOST_COMPARED) if first else ():
        head, tail = (_read(found, FAR_BYTES, at_end=end) for end in (False, True))
        if all(raw in head for raw in first) and all(raw in tail for raw in last):
            return f"a tracker's copy of {found.name}"
    return ""


def _telling(text: bytes, *, at_end: bool) -> list[bytes]:
    """Some lines of an end of a file that are long enough to be known again."""
    lines = [raw for line in text.splitlines() if len(raw := line.strip()) >= SHORTEST]
    return lines[-LINES:] if at_end else lines[:LINES]


def _read(found: Found, count: int, *, at_end: bool) -> bytes:
    try:
        with found.path.open("rb") as file:
            file.seek(max(0, found.info.st_size - count) if at_end else 0)
            return file.read(count)
    except OSError:
        return b""
