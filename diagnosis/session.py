"""From paths to a diagnosis, in steps that can be shown and cancelled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path

from logtui.diagnosis.aistore.findings import StorageFindings
from logtui.diagnosis.aistore.same_event import GivenOffset
from logtui.diagnosis.diagnose import report_on
from logtui.diagnosis.dump_reading import DumpReading
from logtui.diagnosis.early import Schedule, with_line_numbers, with_revisions
from logtui.diagnosis.facts import DumpReader, Facts
from logtui.diagnosis.flight_recorder.findings import FlightRecorderFindings
from logtui.diagnosis.marks import Mark
from logtui.diagnosis.odd_lines.baseline import Baseline, read_baseline
from logtui.diagnosis.odd_lines.findings import OddLines
from logtui.diagnosis.report import Report
from logtui.parsers.case import Case
from logtui.parsers.case_file_mark import is_case_file
from logtui.parsers.discover import discover
from logtui.parsers.sweep import Progress, Sweep


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line may set."""

    engine: str = "auto"
    ais: tuple[Path, ...] = ()
    jobs: int | None = None
    """Processes that scan; None for one per core."""
    executor: Executor | None = None
    """Where to scan instead: a pool started before, or the workers of a cluster. It stays open."""
    polite: bool = False
    """Scan at low priority."""
    no_cache: bool = False
    """Neither use nor keep an index of what was read."""
    offset_s: float | None = None
    """Seconds to add to an AIStore daemon's time to get the workers', where the user knows it."""
    baseline: tuple[Path, ...] = ()
    """Logs of a healthy run to compare with."""
    early: bool = True
    """Report on what has been read while the rest is being read."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A case and what the diagnosis says about it."""

    case: Case
    report: Report
    storage: StorageFindings | None = None
    """What the AIStore daemons' logs say, in full; None where there are none."""
    dumps: FlightRecorderFindings | None = None
    """What the flight-recorder dumps say, in full; None where there are none, or before they are read."""
    compare: Callable[[], OddLines] | None = None
    """Compares the lines of all ranks, in a second or so; the report holds that only where the verdict is weak."""
    facts: Facts | None = None
    """What the report was made from, for whoever looks closer; None where that was not kept."""
    marks: tuple[Mark, ...] = ()
    """What a person marked, where a case file was opened."""


@dataclass(frozen=True, slots=True)
class Update:
    """Progress, and an analysis whenever there is a newer one."""

    progress: Progress
    analysis: Analysis | None = None


def analyse(
    paths: Sequence[Path], options: Options | None = None, cancelled: Callable[[], bool] = lambda: False
) -> Iterator[Update]:
    """Read and diagnose the logs below some paths.

    Yields an update now and then; of large jobs some carry a provisional analysis, first of the ends of all files.
    The last update carries the final one, which lists what earlier ones concluded otherwise; asking for one more keeps
    the index for the next time. Each analysis has a case of its own, to be closed by the caller. Runs in the calling
    thread, which should not be the one that draws.

    Raises:
        SourceError: if a path is missing or nothing there can be read.
    """
    options = options or Options()
    if len(paths) == 1 and is_case_file(paths[0]):
        yield _saved(paths[0])
        return
    sweep = Sweep(
        discover([*paths, *options.ais]), options.engine, options.jobs, options.executor, options.polite,
        keep=not options.no_cache,
    )  # fmt: skip
    baseline = read_baseline(options.baseline) if options.baseline else None
    progress, report, schedule, dumps = Progress(0, 0, 0, 0), None, Schedule(), DumpReading(cancelled)
    for progress in sweep.run(cancelled):
        analysis = None
        if options.early and schedule.is_due(progress):
            analysis = _analysis(sweep.case(), report, options, dumps.early)
            report = analysis.report
            schedule.done()
        yield Update(progress, analysis)
    yield Update(progress, _analysis(sweep.case(), report, options, dumps.whole, baseline))
    sweep.save()


def _saved(path: Path) -> Update:
    """What a case file says, with nothing read again but the lines in it."""
    from logtui.diagnosis.case_file.reading import open_case

    saved = open_case(path)
    size = sum(file.size for file in saved.case.files)
    progress = Progress(len(saved.case.files), len(saved.case.files), size, size)
    return Update(progress, Analysis(saved.case, saved.report, marks=saved.marks))


def _analysis(
    case: Case, before: Report | None, options: Options, read_dumps: DumpReader, baseline: Baseline | None = None
) -> Analysis:
    offset = None if options.offset_s is None else GivenOffset(options.offset_s)
    return _analysed(Facts(case, offset, read_dumps, baseline), before)


def _analysed(facts: Facts, before: Report | None) -> Analysis:
    report = with_revisions(report_on(facts), before)
    shown = with_line_numbers(report, facts.case) if report.provisional else report
    return Analysis(facts.case, shown, facts.storage, facts.dumps, lambda: facts.last.odd_lines, facts)


def realigned(facts: Facts, offset: GivenOffset | None) -> Analysis:
    """The same with another offset of the storage daemons' clock, or with the derived one; reads no file whole."""
    return _analysed(facts.with_offset(offset), None)


def analyse_whole(paths: Sequence[Path], options: Options | None = None) -> Analysis:
    """The final analysis, for callers that show nothing meanwhile."""
    last: Analysis | None = None
    for update in analyse(paths, replace(options or Options(), early=False)):
        last = update.analysis or last
    assert last is not None, "the last update carries the analysis"
    return last


def unread_case(paths: Sequence[Path]) -> Case:
    """The files below some paths, or of a case file, with nothing scanned: for reading single lines.

    Raises:
        SourceError: if a path is missing or nothing there can be read.
    """
    if len(paths) == 1 and is_case_file(paths[0]):
        from logtui.diagnosis.case_file.reading import open_case

        return open_case(paths[0]).case
    return Sweep(discover(paths)).case()
