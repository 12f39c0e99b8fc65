"""Where the report is written: the current directory, but never beside the logs and never over a file."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logtui.diagnosis.model.evidence import MarkedLine
    from logtui.diagnosis.report.ticket import Origin
    from logtui.tui.shared.case_view import CaseView

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


@dataclass(frozen=True, slots=True)
class Kind:
    """Something that can be written."""

    key: str
    suffix: str
    words: str
    pseudonymise: bool = False


KINDS = (
    Kind("w", ".md", "write markdown"),
    Kind("J", ".json", "write JSON"),
    Kind("V", ".svg", "write a picture of ranks and timeline"),
    Kind("C", ".tar.zst", "write a case file"),
    Kind("P", ".tar.zst", "a case file with pseudonyms", pseudonymise=True),
)


def write_kind(
    directory: Path, kind: Kind, view: CaseView, marks: Sequence[MarkedLine], origin: Origin | None = None
) -> Path:
    """Write a report or a case file into a directory; return its path.

    Raises:
        OSError: if nothing can be written there.
    """
    report = view.report
    if kind.suffix == ".tar.zst":
        from logtui.diagnosis.report.case_file.beside import Beside
        from logtui.diagnosis.report.case_file.writing import write_case

        if view.case is None:
            raise FileNotFoundError("the logs are not open")
        path = new_path(directory, report.job.id, kind.suffix)
        odd = view.compare() if view.compare else report.odd_lines
        beside = Beside(odd, view.daemons, view.dumps)
        with _whole_or_gone(path):
            return write_case(path, view.case, report, marks, beside=beside, pseudonymise=kind.pseudonymise)
    text = _text(kind, view, marks, origin)
    path = new_path(directory, report.job.id, kind.suffix)
    with _whole_or_gone(path):
        path.write_text(text, encoding="utf-8")
    return path


@contextmanager
def _whole_or_gone(path: Path) -> Iterator[None]:
    """Remove what there is of a file that could not be written to its end."""
    try:
        yield
    except OSError:
        path.unlink(missing_ok=True)
        raise


def _text(kind: Kind, view: CaseView, marks: Sequence[MarkedLine], origin: Origin | None) -> str:
    from logtui.diagnosis.report import json_report, markdown
    from logtui.tui.screens.picture import picture

    if kind.suffix == ".svg":
        return picture(view)
    if kind.suffix == ".json":
        return json_report.dumps(view.report, marks) + "\n"
    return markdown.render(view.report, marks, origin)


def new_path(directory: Path, job: str | None, suffix: str = ".md") -> Path:
    """Make an empty `logtui-report-<job>.md`, with a number before the suffix where that exists; return the path.

    Raises:
        OSError: if nothing can be written there.
    """
    name = "logtui-report-" + (re.sub(r"[^\w.-]+", "-", job or "").strip("-.") or "job")
    for n in range(1, ATTEMPTS):
        path = directory / (f"{name}{suffix}" if n == 1 else f"{name}-{n}{suffix}")
        try:
            path.open("x").close()
        except FileExistsError:
            continue
        return path
    raise FileExistsError(f"{directory}: {ATTEMPTS} reports of this job are there already")
