"""From paths to a diagnosis, in steps that can be shown and cancelled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from logtui.diagnosis.diagnose import diagnose
from logtui.diagnosis.report import Report
from logtui.parsers.case import Case
from logtui.parsers.discover import discover
from logtui.parsers.sweep import Progress, Sweep


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line may set."""

    engine: str = "auto"
    ais: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """A case and what the diagnosis says about it."""

    case: Case
    report: Report


@dataclass(frozen=True, slots=True)
class Update:
    """Progress, and an analysis whenever there is a newer one."""

    progress: Progress
    analysis: Analysis | None = None


def analyse(
    paths: Sequence[Path], options: Options | None = None, cancelled: Callable[[], bool] = lambda: False
) -> Iterator[Update]:
    """Read and diagnose the logs below some paths.

    Yields an update per file read; the last one carries the final analysis. Runs in the calling thread, which
    should not be the one that draws.

    Raises:
        SourceError: if a path is missing or nothing there can be read.
    """
    options = options or Options()
    sweep = Sweep(discover([*paths, *options.ais]), options.engine)
    progress = Progress(0, 0, 0, 0)
    for progress in sweep.run(cancelled):
        yield Update(progress)
    case = sweep.case()
    yield Update(progress, Analysis(case, diagnose(case)))


def analyse_whole(paths: Sequence[Path], options: Options | None = None) -> Analysis:
    """The final analysis, for callers that show nothing meanwhile."""
    last: Analysis | None = None
    for update in analyse(paths, options):
        last = update.analysis or last
    assert last is not None, "the last update carries the analysis"
    return last


def unread_case(paths: Sequence[Path]) -> Case:
    """The files below some paths with nothing scanned: for reading single lines.

    Raises:
        SourceError: if a path is missing or nothing there can be read.
    """
    return Sweep(discover(paths)).case()
