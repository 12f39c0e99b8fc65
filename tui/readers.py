"""What the app reads with, the first time and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logtui.diagnosis.kept.ahead import Ahead
    from logtui.diagnosis.options import Options
    from logtui.diagnosis.report import Report
    from logtui.diagnosis.session import Update

Reader = Callable[["Sequence[Path]", "Options | None", Callable[[], bool]], "Iterator[Update]"]
"""Reads paths and yields what it finds, until the given function says that it is no longer wanted."""


def session_reader(ahead: Ahead | None = None) -> Reader:
    """The session's `analyse`; `ahead`, which looks at the files already, is for the first reading."""
    looks = [ahead]

    def read(paths: Sequence[Path], options: Options | None, cancelled: Callable[[], bool]) -> Iterator[Update]:
        from logtui.diagnosis.session import analyse  # numpy and the scanner: not before the first frame

        return analyse(paths, options, cancelled, looks.pop() if looks else None)

    return read


def quietly(options: Options | None) -> Options:
    """The options for reading again: nothing provisional in the place of a whole report."""
    from logtui.diagnosis.options import Options

    return replace(options or Options(), early=False, closer=True)


def revised(update: Update, before: Report) -> Update:
    """An update whose report says what the one before concluded otherwise."""
    from logtui.diagnosis.early import with_revisions

    found = update.analysis
    if found is None:
        return update
    return replace(update, analysis=replace(found, report=with_revisions(found.report, before)))
