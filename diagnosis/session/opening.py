"""From paths to a diagnosis, in steps that can be shown and cancelled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from logtui.diagnosis.options import Options
from logtui.diagnosis.report.kept.store import store_for
from logtui.diagnosis.session.analysis import Analysis, Update
from logtui.parsers.files.case_file_mark import is_case_file
from logtui.parsers.scan.plan import Progress

if TYPE_CHECKING:
    from logtui.diagnosis.report.kept.lookahead import Lookahead
    from logtui.diagnosis.session.reading import Reading
    from logtui.parsers.files.case import Case
    from logtui.parsers.files.listing import Listing


def analyse(
    paths: Sequence[Path],
    options: Options | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    ahead: Lookahead | None = None,
) -> Iterator[Update]:
    """Read and diagnose the logs below some paths.

    Yields an update now and then; of large jobs some carry a provisional analysis, first of the ends of all files.
    The last update carries the final one, which lists what earlier ones concluded otherwise; asking for one more keeps
    index and report for the next time. Where nothing has changed since, the first update carries the kept report, and
    the last one the same with what it was made from. Each analysis has a case of its own, to be closed by the caller.
    Runs in the calling thread, which should not be the one that draws. `ahead` looks at the same paths already.

    Raises:
        SourceError: if a path is missing or nothing there can be read.
        TimesRefused: if nothing was written in the time that is to be read.
    """
    options = _settled(options or Options())
    if len(paths) == 1 and is_case_file(paths[0]):
        yield _saved(paths[0])
        return
    store = store_for(paths, options, ahead.look if ahead is not None else None)
    kept = None if options.no_cache else store.load()
    if kept is not None:
        yield Update(_all_read(kept.case), Analysis(kept.case, kept.report))
        if options.early or options.closer:
            from logtui.diagnosis.session.reading import look_closer

            yield from look_closer(kept, options, cancelled)
        return
    if not options.no_cache:
        store.begin()
    reading, last = _reading([*paths, *options.ais], store.listing, options, cancelled), None
    for last in reading.updates():
        yield last
    if last is not None and last.analysis is not None and last.may_be_kept and not options.no_cache:
        from logtui.diagnosis.report.kept.report_file import KeptReport

        store.save(KeptReport(last.analysis.report, last.analysis.case, reading.discovery))


def _settled(options: Options) -> Options:
    """What is kept for the next time is of whole files."""
    return replace(options, no_cache=True) if options.since or options.until else options


def _reading(paths: Sequence[Path], listing: Listing, options: Options, cancelled: Callable[[], bool]) -> Reading:
    """Workers read while this process imports what judges."""
    from logtui.diagnosis.session.sweeping import begin

    sweep = begin(paths, listing, options)
    try:
        from logtui.diagnosis.session.reading import Reading

        return Reading(sweep, options, cancelled)
    except BaseException:
        sweep.stop()
        raise


def _saved(path: Path) -> Update:
    """What a case file says, with nothing read again but the lines in it."""
    from logtui.diagnosis.report.case_file.reading import open_case

    saved = open_case(path)
    odd, dumps, daemons = saved.beside.odd, saved.beside.dumps, saved.beside.daemons
    compare = None if odd is None else lambda: odd
    found = Analysis(saved.case, saved.report, None, dumps, compare, marks=saved.marks, daemons=daemons)
    return Update(_all_read(saved.case), found)


def _all_read(case: Case) -> Progress:
    size = sum(file.size for file in case.files)
    return Progress(len(case.files), len(case.files), size, size)


def analyse_whole(
    paths: Sequence[Path],
    options: Options | None = None,
    watch: Callable[[Progress], None] = lambda _: None,
    ahead: Lookahead | None = None,
) -> Analysis:
    """The final analysis, for callers that show at most the progress meanwhile."""
    last: Analysis | None = None
    for update in analyse(paths, replace(options or Options(), early=False), ahead=ahead):
        watch(update.progress)
        last = update.analysis or last
    assert last is not None, "the last update carries the analysis"
    return last


def unread_case(paths: Sequence[Path]) -> Case:
    """The files below some paths, or of a case file, with nothing scanned: for reading single lines.

    Raises:
        SourceError: if a path is missing or nothing there can be read.
    """
    if len(paths) == 1 and is_case_file(paths[0]):
        from logtui.diagnosis.report.case_file.reading import open_case

        return open_case(paths[0]).case
    from logtui.parsers.files.discover import discover
    from logtui.parsers.scan.sweep import Sweep

    return Sweep(discover(paths)).case()


__all__ = ["Analysis", "Options", "Update", "analyse", "analyse_whole", "unread_case"]
