"""Reads all files of a case and diagnoses it, with early reports on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from operator import is_
from time import monotonic
from typing import TYPE_CHECKING, Any, cast, get_args, get_type_hints

from logtui.diagnosis.dumps.once import DumpReading
from logtui.diagnosis.facts.case_facts import DumpReader, Facts
from logtui.diagnosis.facts.odd_lines import Baseline, read_baseline
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import Report, Revision, Verdict
from logtui.diagnosis.options import GivenOffset, Options
from logtui.diagnosis.report.kept.report_file import KeptReport
from logtui.diagnosis.session.analysis import Analysis, Update
from logtui.diagnosis.session.sweeping import sweep_over
from logtui.diagnosis.verdict import engine
from logtui.diagnosis.verdict.bare import bare_report, failure_words
from logtui.diagnosis.verdict.diagnose import report_on
from logtui.parsers.files.case import Case
from logtui.parsers.files.lines import UNCOUNTED
from logtui.parsers.scan.memory import trim_heap
from logtui.parsers.scan.plan import Progress, Stage
from logtui.parsers.scan.sweep import Sweep

if TYPE_CHECKING:
    from logtui.diagnosis.storage.daemon_view import LoggedDaemons
    from logtui.diagnosis.storage.findings import StorageFindings

# -- Early reports: when they are due, how they name lines, and what later ones correct

LEAST_BYTES = 64 << 20
"""Less is read before anybody has looked at an early report."""
NEARLY_ALL = 0.9
SHARE_OF_TIME = 0.1
"""Of the time spent reading, what early reports may take."""
QUICK_S = 0.3
"""An early report that was made so quickly may be followed by another as soon as there is more to say."""
COUNTING_S = 0.05
"""Spent on finding line numbers for an early report; lines beyond that are shown without."""


class Schedule:
    """Decides when the next early report is due: after the tails, after the heads if it is quickly made, then now and
    then."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._stage = Stage.TAILS
        self._next = 0.0
        self._begun = 0.0
        self._took = 0.0

    def is_due(self, progress: Progress) -> bool:
        """Whether to report on what has been read up to here."""
        if progress.bytes < LEAST_BYTES or progress.share > NEARLY_ALL:
            return False
        self._begun = self._clock()
        is_new, self._stage = progress.stage > self._stage, progress.stage
        if is_new and self._took <= QUICK_S:
            return True
        return self._stage > Stage.TAILS and self._begun >= self._next

    def done(self) -> None:
        """The report that was due has been made; what it cost tells when the next one is."""
        now = self._clock()
        self._took = now - self._begun
        self._next = now + self._took / SHARE_OF_TIME


def with_line_numbers(report: Report, case: Case) -> Report:
    """The report with numbers for lines that were not counted when it was made; 0 where counting takes too long."""
    until = monotonic() + COUNTING_S

    def number(name: str, line: int) -> int:
        file = case.file_named(name)
        return case.counted(file.index, line) if file is not None and monotonic() < until else 0

    numbered: Report = _numbered(report, number)
    return numbered


def _numbered(value: Any, number: Callable[[str, int], int]) -> Any:
    """A frozen value, or the same one with every place in it numbered."""
    if isinstance(value, tuple):
        changed = tuple(_numbered(v, number) for v in value)
        return value if all(map(is_, value, changed)) else changed
    kind: Any = type(value)
    leading = _leading(kind)
    if not leading:
        return value
    parts: list[Any] | None = None
    for at, name in leading:
        old = getattr(value, name)
        if name != "line":
            new = _numbered(old, number) if old else old
        else:
            new = number(getattr(value, "file", ""), old) if old >= UNCOUNTED else old
        if new is not old:
            parts = parts or [getattr(value, field) for field in _names(kind)]
            parts[at] = new
    return kind(*parts) if parts else value


@lru_cache(maxsize=128)
def _leading(kind: Any) -> tuple[tuple[int, str], ...]:
    """The fields of a frozen value in which a line may be named, however deep, and which they are."""
    if not is_dataclass(kind):
        return ()
    hints = get_type_hints(kind)
    names = enumerate(_names(cast("Any", kind)))
    return tuple((at, name) for at, name in names if name == "line" or any(map(_leading, _parts(hints[name]))))


@lru_cache(maxsize=128)
def _names(kind: Any) -> tuple[str, ...]:
    """All fields of a frozen value, in the order in which it is made from them: half the cost of `replace`."""
    return tuple(field.name for field in fields(kind))


def _parts(hint: Any) -> Iterator[type]:
    """The types that an annotation is made of."""
    if isinstance(hint, type):
        yield hint
    for inner in get_args(hint):
        yield from _parts(inner)


def with_revisions(report: Report, before: Report | None) -> Report:
    """The report with a note of what the one before it concluded, if that was something else."""
    if before is None:
        return report
    said, now = before.verdict, report.verdict
    if _agree(said, now):
        return replace(report, revisions=before.revisions)
    return replace(report, revisions=(*before.revisions, Revision(said.title, now.title, _overturning(said, now))))


def _overturning(said: Verdict, now: Verdict) -> Evidence | None:
    """The line that changed it: the first that the newer verdict rests on and the older one did not know."""
    old = {e.place for e in (said.first_evidence, *said.supporting) if e is not None}
    rests = [e for e in (now.first_evidence, *now.supporting, *now.refuting) if e is not None]
    return next((e for e in rests if e.place not in old), rests[0] if rests else None)


def _agree(said: Verdict, now: Verdict) -> bool:
    """Whether two verdicts conclude the same; a host that was not known before changes nothing."""
    same_hosts = not said.culprit_hosts or said.culprit_hosts == now.culprit_hosts
    return (said.cls, said.culprit_ranks) == (now.cls, now.culprit_ranks) and same_hosts


# -- Reading

EARLY_BYTES = 192 << 20
"""Of records; where there are more, one early report and what it is made from would outweigh all the rest."""


EARLY_FACTS = 20_000
"""Records from which on the facts of an early report are not kept."""


TRIMMED_BYTES = 4 << 20
"""Of files or records; where there are fewer, no memory that matters comes together."""


class Reading:
    """One reading of the files below some paths."""

    def __init__(self, sweep: Sweep, options: Options, cancelled: Callable[[], bool] = lambda: False) -> None:
        """The workers of `sweep` are ended by this."""
        self._sweep, self._options, self._cancelled = sweep, options, cancelled
        self.discovery = sweep.discovery
        self._baseline = read_baseline(options.baseline) if options.baseline else None

    def updates(self) -> Iterator[Update]:
        """Progress and early analyses, at last the final one; asking for one more keeps the index."""
        options, cancelled, sweep = self._options, self._cancelled, self._sweep
        progress, report, schedule, dumps = Progress(0, 0, 0, 0), None, Schedule(), DumpReading(cancelled)
        for progress in sweep.run(cancelled):
            analysis = None
            if options.early and schedule.is_due(progress) and sweep.size <= EARLY_BYTES:
                analysis = _bounded(_analysis(sweep.case(), report, options, dumps.early))
                if report is not None:
                    self._trim(progress)
                schedule.done()
            yield Update(progress, analysis)
            if analysis is not None:
                if report is None:  # the first one is shown sooner
                    self._trim(progress)
                report, analysis = analysis.report, None
        case = sweep.case()
        self._trim(progress)
        final = _analysis(case, report, options, dumps.whole, self._baseline)
        yield Update(progress, final, may_be_kept=not (cancelled() or sweep.unread or final.failed))
        self._trim(progress)
        sweep.save()

    def _trim(self, progress: Progress) -> None:
        """Give memory back, if the case is large: of a small one the look for it takes longer than the analysis."""
        if max(progress.bytes, self._sweep.size) >= TRIMMED_BYTES:
            trim_heap()


def _bounded(early: Analysis) -> Analysis:
    """An early analysis without what it was made from, if that is large: it would be held beside that of the next."""
    large = len(early.case.records) > EARLY_FACTS
    return replace(early, facts=None, compare=None) if large else early


def look_closer(kept: KeptReport, options: Options, cancelled: Callable[[], bool]) -> Iterator[Update]:
    """A kept report once more, with the records and facts it was made from."""
    sweep, progress = sweep_over(kept.discovery, options), Progress(0, 0, 0, 0)
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


def _offset(options: Options) -> GivenOffset | None:
    return None if options.offset_s is None else GivenOffset(options.offset_s)


def _analysis(
    case: Case, before: Report | None, options: Options, read_dumps: DumpReader, baseline: Baseline | None = None
) -> Analysis:
    return _analysed(Facts(case, _offset(options), read_dumps, baseline), before)


def _analysed(facts: Facts, before: Report | None) -> Analysis:
    """The analysis; of a case on which the diagnosis fails, what was read and why there is no more."""
    try:
        return _judged(facts, before)
    except Exception as error:  # the boundary of the diagnosis: what was read must not be lost with it
        if not engine.TOLERANT:
            raise
        return Analysis(facts.case, bare_report(facts.case, error), failed=failure_words(error))


def _judged(facts: Facts, before: Report | None) -> Analysis:
    report = with_revisions(report_on(facts), before)
    shown = with_line_numbers(report, facts.case) if report.provisional else report
    storage = facts.storage
    return Analysis(
        facts.case, shown, storage, facts.dumps, lambda: facts.last.odd_lines, facts, daemons=_daemons(storage)
    )  # fmt: skip


def _daemons(storage: StorageFindings | None) -> LoggedDaemons | None:
    if storage is None:
        return None
    from logtui.diagnosis.storage.daemon_view import LoggedDaemons  # most jobs come without daemons

    return LoggedDaemons(storage)


def realigned(facts: Facts, offset: GivenOffset | None) -> Analysis:
    """The same with another offset of the storage daemons' clock, or with the derived one; reads no file whole."""
    return _analysed(facts.with_offset(offset), None)
