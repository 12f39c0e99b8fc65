"""Reads all files of a case and diagnoses it, with early reports on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from logtui.diagnosis.analysis import Analysis, Update
from logtui.diagnosis.diagnose import report_on
from logtui.diagnosis.dump_reading import DumpReading
from logtui.diagnosis.early import Schedule, with_line_numbers, with_revisions
from logtui.diagnosis.facts import DumpReader, Facts
from logtui.diagnosis.model import Report
from logtui.diagnosis.odd_lines.baseline import Baseline, read_baseline
from logtui.diagnosis.options import GivenOffset, Options
from logtui.diagnosis.report.kept.report_file import KeptReport
from logtui.diagnosis.storage.daemon_view import LoggedDaemons
from logtui.diagnosis.storage.findings import StorageFindings
from logtui.parsers.case import Case
from logtui.parsers.discover import Look, discover
from logtui.parsers.freed import give_back
from logtui.parsers.pool import ScanPool
from logtui.parsers.progress import Progress
from logtui.parsers.source import Discovery
from logtui.parsers.sweep import Sweep

EARLY_BYTES = 192 << 20
"""Of records; where there are more, one early report and what it is made from would outweigh all the rest."""


EARLY_FACTS = 20_000
"""Records from which on the facts of an early report are not kept."""


class Reading:
    """One reading of the files below some paths."""

    def __init__(
        self,
        paths: Sequence[Path],
        seen: Look,
        options: Options,
        cancelled: Callable[[], bool] = lambda: False,
        pool: ScanPool | None = None,
    ) -> None:
        """Wait until it is known what the files are. The workers of `pool` are ended by this.

        Raises:
            SourceError: if nothing there can be read.
        """
        self._options, self._cancelled, self._pool = options, cancelled, pool
        self.discovery = discover(paths, seen)
        self._baseline = read_baseline(options.baseline) if options.baseline else None

    def updates(self) -> Iterator[Update]:
        """Progress and early analyses, at last the final one; asking for one more keeps the index."""
        options, cancelled = self._options, self._cancelled
        sweep = _sweep(self.discovery, options, self._pool)
        progress, report, schedule, dumps = Progress(0, 0, 0, 0), None, Schedule(), DumpReading(cancelled)
        for progress in sweep.run(cancelled):
            analysis = None
            if options.early and schedule.is_due(progress) and sweep.size <= EARLY_BYTES:
                analysis = _bounded(_analysis(sweep.case(), report, options, dumps.early))
                if report is not None:
                    give_back()
                schedule.done()
            yield Update(progress, analysis)
            if analysis is not None:
                if report is None:  # the first one is shown sooner
                    give_back()
                report, analysis = analysis.report, None
        case = sweep.case()
        give_back()
        final = _analysis(case, report, options, dumps.whole, self._baseline)
        yield Update(progress, final, may_be_kept=not cancelled() and not sweep.unread)
        give_back()
        sweep.save()


def _bounded(early: Analysis) -> Analysis:
    """An early analysis without what it was made from, if that is large: it would be held beside that of the next."""
    large = len(early.case.records) > EARLY_FACTS
    return replace(early, facts=None, compare=None) if large else early


def look_closer(kept: KeptReport, options: Options, cancelled: Callable[[], bool]) -> Iterator[Update]:
    """A kept report once more, with the records and facts it was made from."""
    sweep, progress = _sweep(kept.discovery, options), Progress(0, 0, 0, 0)
    for progress in sweep.run(cancelled):
        yield Update(progress)
    case, report = sweep.case(), kept.report
    if case.share_read < 1.0:
        return
    baseline = read_baseline(options.baseline) if options.baseline else None
    facts = Facts(case, _offset(options), DumpReading(cancelled).whole, baseline)
    storage = facts.storage if report.ais is not None else None
    dumps = facts.dumps if report.flight_recorder is not None else None
    found = Analysis(case, report, storage, dumps, lambda: facts.last.odd_lines, facts, daemons=_daemons(storage))
    yield Update(progress, found)


def _sweep(discovery: Discovery, options: Options, pool: ScanPool | None = None) -> Sweep:
    return Sweep(
        discovery, options.engine, options.jobs, options.executor, options.polite, options.early,
        pool, keep=not options.no_cache,
    )  # fmt: skip


def _offset(options: Options) -> GivenOffset | None:
    return None if options.offset_s is None else GivenOffset(options.offset_s)


def _analysis(
    case: Case, before: Report | None, options: Options, read_dumps: DumpReader, baseline: Baseline | None = None
) -> Analysis:
    return _analysed(Facts(case, _offset(options), read_dumps, baseline), before)


def _analysed(facts: Facts, before: Report | None) -> Analysis:
    report = with_revisions(report_on(facts), before)
    shown = with_line_numbers(report, facts.case) if report.provisional else report
    storage = facts.storage
    return Analysis(
        facts.case, shown, storage, facts.dumps, lambda: facts.last.odd_lines, facts, daemons=_daemons(storage)
    )  # fmt: skip


def _daemons(storage: StorageFindings | None) -> LoggedDaemons | None:
    return LoggedDaemons(storage) if storage is not None else None


def realigned(facts: Facts, offset: GivenOffset | None) -> Analysis:
    """The same with another offset of the storage daemons' clock, or with the derived one; reads no file whole."""
    return _analysed(facts.with_offset(offset), None)
