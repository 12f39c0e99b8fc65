"""Where the report is written: the current directory, but never beside the logs and never over a file."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

ATTEMPTS = 1000
"""Reports of one job in one directory."""


def export_directory(current: Path, logs: Iterable[Path], home: Path) -> Path:
    """The current directory; the home directory where that holds the logs; else the temporary directory.

    `logs` are the paths given: directories, and files, which stand for the directory they lie in.
    """
    guarded = [path if path.is_dir() else path.parent for path in (p.resolve() for p in logs)]
    for candidate in (current.resolve(), home.resolve()):
        if not any(candidate.is_relative_to(logs_at) for logs_at in guarded):
            return candidate
    return Path(tempfile.gettempdir())


def write_new(directory: Path, job: str | None, text: str) -> Path:
    """Write `logtui-report-<job>.md`, with a number before the suffix where that exists; return the path.

    Raises:
        OSError: if nothing can be written there.
    """
    name = "logtui-report-" + (re.sub(r"[^\w.-]+", "-", job or "").strip("-.") or "job")
    for n in range(1, ATTEMPTS):
        path = directory / (f"{name}.md" if n == 1 else f"{name}-{n}.md")
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            continue
        return path
    raise FileExistsError(f"{directory}: {ATTEMPTS} reports of this job are there already")
