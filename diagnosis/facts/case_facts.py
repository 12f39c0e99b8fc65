"""All facts of a case, each computed once, when a rule first asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from logtui.diagnosis.dumps.once import DumpReading
from logtui.diagnosis.facts import job as job_facts
from logtui.diagnosis.facts.after_pause import begun_after_pause
from logtui.diagnosis.facts.attempts import Attempt, split_attempts
from logtui.diagnosis.facts.collectives import Collectives, read_collectives
from logtui.diagnosis.facts.counted_processes import counted_processes
from logtui.diagnosis.facts.events import KILL_WAIT_S, Event, by_name, read_events, stops_the_job
from logtui.diagnosis.facts.exceptions import Covered, ExceptionFact, attribute, read_exceptions
from logtui.diagnosis.facts.exits import Exits, read_exits
from logtui.diagnosis.facts.final_step import final_step
from logtui.diagnosis.facts.heard_ranks import Heard, read_heard
from logtui.diagnosis.facts.identity import GpuRanks, Identity, identify
from logtui.diagnosis.facts.learnt_labels import learnt_labels
from logtui.diagnosis.facts.loud_lines import LoudLine, loud_lines
from logtui.diagnosis.facts.native_ends import read_native_ends
from logtui.diagnosis.facts.newest_run import NewestRun
from logtui.diagnosis.facts.odd_lines import Baseline, analyse_odd_lines
from logtui.diagnosis.facts.outcome import Outcome, read_outcome
from logtui.diagnosis.facts.own_devices import attribute_devices
from logtui.diagnosis.facts.progress import with_learnt
from logtui.diagnosis.facts.ran_again import ran_again
from logtui.diagnosis.facts.roll_call import roll_call
from logtui.diagnosis.facts.run_pl import parts_done
from logtui.diagnosis.facts.steps import LEAST_FURTHER, Progress, StepSeries, read_signs_of_life, read_steps
from logtui.diagnosis.facts.witnesses import RasSnapshot, dump_ranks, dump_words, read_snapshots
from logtui.diagnosis.model.analyses import OddLines
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import JobFacts
from logtui.diagnosis.options import GivenOffset
from logtui.diagnosis.rules.ranking import WEIGHTY
from logtui.diagnosis.storage.client import ClientEvent, Raised
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import FailureClass, Mark, Role
from logtui.parsers.records.record import Record
from logtui.parsers.source import AIS_KINDS, FileKind, LogFile

if TYPE_CHECKING:
    from logtui.diagnosis.dumps.findings import FlightRecorderFindings
    from logtui.diagnosis.storage.findings import StorageFindings
    from logtui.diagnosis.storage.judgement import Damaged
    from logtui.parsers.daemons.daemon import AisLogs

DumpReader: TypeAlias = "Callable[[Sequence[LogFile]], FlightRecorderFindings | None]"
"""What the dumps among some files say; None where there are none, or where they are not read yet."""

RUN_UP_S = 900.0
"""What leads to a failure elsewhere is looked for from so long before its first sign in the job."""

_CLOCKED = frozenset({"storage", "last"})
"""Facts that depend on the storage daemons' clock."""


MOST_READ, MOST_LINES = 64, 400
"""Tracebacks whose text is read again for what they name, and lines of each."""
OF_READING = frozenset({FailureClass.STORAGE_IO, FailureClass.DATA, FailureClass.DATA_LOADING_STALL})
"""What exceptions say where storage may be behind them."""


class Facts:
    """What the records of one case establish. Pure: the same case gives the same facts."""

    def __init__(
        self,
        case: Case,
        offset: GivenOffset | None = None,
        read_dumps: DumpReader | None = None,
        baseline: Baseline | None = None,
        whole: Facts | None = None,
    ) -> None:
        """`offset` is the AIStore clock's where the user set it; `read_dumps` knows dumps read before;
        `baseline` is a healthy run to compare with; `whole` are the facts of all attempts where the case is one."""
        self.case = case if whole is not None else with_learnt(case)
        self._offset = offset
        self._ais_logs: AisLogs | None = None
        self._read_dumps = read_dumps or DumpReading().whole
        self._baseline = baseline
        self._past: tuple[Attempt, Facts] | None = None
        self.whole = whole
        self.first: Record | None = None
        """The line with which the attempt begins, where these are one's and it is not the first one."""
        self.begins: Mapping[int, int] = {}
        """File → the byte at which it begins, which may be that of a line nobody knows."""
        self.is_past = False
        """Whether these are an earlier attempt's: what dumps, daemons and the ends of files say is not about it."""

    @cached_property
    def attempts(self) -> list[Attempt]:
        """The attempts in these files, in order; of one attempt, itself."""
        return split_attempts(self.case) if self.whole is None else [Attempt(0, self.case, None)]

    def is_of_older_run(self, record: Record) -> bool:
        """Whether a run of which no line is known begins behind a line in its file."""
        attempts = (self.whole or self).attempts
        file, begin = attempts[-1].unknown or (-1, 0)
        return record.file == file and record.offset < begin and not self.is_past

    @cached_property
    def last(self) -> Facts:
        """The facts of the last attempt."""
        return self if len(self.attempts) < 2 else self._of(self.attempts[-1])

    def of_past(self, attempt: Attempt) -> Facts:
        """The facts of an earlier attempt; those of the last that was asked for are kept."""
        if self._past is None or self._past[0] is not attempt:
            facts = self._of(attempt)
            facts.is_past = True
            self._past = attempt, facts
        return self._past[1]

    def _of(self, attempt: Attempt) -> Facts:
        facts = Facts(attempt.case, self._offset, self._read_dumps, self._baseline, self)
        facts._ais_logs = self._ais_logs
        facts.first, facts.begins = attempt.first, attempt.begins
        return facts

    def begins_at(self, file: int) -> int:
        """The first line of a file that is the attempt's, or that of a run behind it of which no line is known."""
        known = self.first.line if self.first is not None and self.first.file == file else 1
        known = min(known, self.case.line_at(file, self.begins[file])) if file in self.begins else known
        at, begin = (self.whole or self).attempts[-1].unknown or (-1, 0)
        return max(known, self.case.line_at(file, begin)) if at == file and not self.is_past else known

    @cached_property
    def identity(self) -> Identity:
        """Who wrote what."""
        return identify(self.case, None if self.whole is None else self.whole.identity)

    @cached_property
    def gpu_ranks(self) -> GpuRanks:
        """Which rank runs on which GPU, by PCI address."""
        return GpuRanks(self.case.records)

    @cached_property
    def events(self) -> list[Event]:
        """Causes, echoes and endings, earliest first."""
        return read_events(self.identity)

    @cached_property
    def events_by_name(self) -> dict[str, list[Event]]:
        """The same by pattern: in the order of their first ones, each earliest first."""
        return by_name(self.events)

    def events_marked(self, mark: Mark) -> list[Event]:
        """Events of the patterns with a mark, earliest first."""
        known = self.events_by_name
        found = [known[name] for name in self.case.records.names_of(mark) if name in known]
        if len(found) < 2:
            return found[0] if found else []
        return sorted((e for some in found for e in some), key=lambda e: (e.order, e.record.row))

    @cached_property
    def causes(self) -> list[Event]:
        """Events whose line may be an origin."""
        return [e for e in self.events if e.role is Role.CAUSE]

    @cached_property
    def collectives(self) -> Collectives:
        """Who waits in which collective."""
        return read_collectives(self.identity)

    @cached_property
    def dumps(self) -> FlightRecorderFindings | None:
        """What flight-recorder dumps say; None where there are none."""
        if self.whole is not None:
            return None if self.is_past else self.whole.dumps
        files = [f for f in self.case.files if f.kind is FileKind.FLIGHT_RECORDER]
        return self._read_dumps(files)

    @cached_property
    def dump_words(self) -> dict[int, str]:
        """What dumps alone call each rank that is stuck."""
        return dump_words(self.dumps)

    @cached_property
    def ras(self) -> tuple[RasSnapshot, ...]:
        """Snapshots of NCCL's RAS, one per file that holds any."""
        return read_snapshots(self.case)

    @cached_property
    def failure_window(self) -> tuple[float, float] | None:
        """From the first sign of the failure to its first alarm, by the workers' clock; None where no line is dated.

        A hang dates itself; of a job that did not hang the first exception counts, or the first weighty cause.
        """
        timeout = self.collectives.first_timeout
        first = timeout.record.time if timeout is not None else None
        marks = [t for t in (self.collectives.stall_start, first) if t is not None]
        raised = [e.record.time for e in self.exceptions if e.row.role is Role.CAUSE and e.record.time is not None]
        marks = marks or raised[:1]
        weighty = [e.record.time for e in self.causes if e.weight >= WEIGHTY and e.record.time is not None]
        marks = marks or weighty[:1]
        marks = marks or [t for wait in self._vain_waits for t in wait]
        return (min(marks), max(marks)) if marks else None

    @cached_property
    def storage(self) -> StorageFindings | None:
        """What AIStore daemon logs say of the failure; None where there are none."""
        if self.is_past or self.last is not self:
            return None if self.is_past else self.last.storage
        if self._ais_logs is None and not any(f.kind in AIS_KINDS for f in self.case.files):
            return None
        from logtui.diagnosis.storage.findings import analyse_storage
        from logtui.diagnosis.storage.suspects import Suspect

        window = self.failure_window
        suspects = [
            Suspect(r, window[0] if window else None)
            for g in self.collectives.stuck_groups[:1]
            for r in sorted(set(self.all_ranks) - g.waiting)[:8]
        ]
        led = (window[0] - RUN_UP_S, max(window[1], self._over_by)) if window else None
        felt = self._concerns_storage
        return analyse_storage(
            self.case,
            led,
            suspects,
            logs=self._ais_logs,
            offset=self._offset,
            felt=felt,
            rank_of=self.rank_of,
            raised=self._requests_raised,
            damaged=self._damaged,
        )

    @property
    def _requests_raised(self) -> list[ClientEvent]:
        """Exceptions that came of requests to storage; many clients log nothing before."""
        return [
            ClientEvent(
                e.record, e.record.time, False, False, e.rank, e.row.name, e.headline, Raised(e.row.title, e.evidence)
            )
            for e in self.exceptions
            if e.row.cls is FailureClass.STORAGE_IO and e.record.time is not None and not e.ignored
        ]

    @property
    def _damaged(self) -> list[Damaged]:
        """Objects of stores that tracebacks of failed reading name."""
        from logtui.diagnosis.storage.judgement import Damaged
        from logtui.parsers.daemons.placement import objects_in

        failed = [e for e in self.exceptions if e.row.cls is FailureClass.DATA and not e.ignored][:MOST_READ]
        return [
            Damaged(found, e.evidence)
            for e in failed
            for found in objects_in("\n".join(self.case.following(e.record, min(e.traceback.last_index, MOST_LINES))))
        ]

    def rank_of(self, record: Record) -> int | None:
        """The global rank that wrote a line, by all that is known of the job."""
        return self.identity.rank_of(record)[0]

    @cached_property
    def _vain_waits(self) -> list[tuple[float, float]]:
        """From when to when ranks waited for others and gave up, where no watchdog counts operations."""
        gave_up = [r for r in self.case.records.marked(Mark.GAVE_UP_WAITING) if not self.recovered(r)]
        raised = {r.row: f.until for r in gave_up if (f := self._covered.fact_of(r)) is not None}
        ends = [(r, raised.get(r.row) or r.time) for r in gave_up]
        return [(end - (r.number("timeout_ms") or 0.0) / 1000, end) for r, end in ends if end is not None]

    @property
    def _over_by(self) -> float:
        """The latest time of a failed request, or of an exception; of one without a stamp, the next stamp below it."""
        records = self.case.records
        failed = [r.time for r in records.marked(Mark.REQUEST_FAILED, Mark.REQUEST_GIVEN_UP)]
        raised = [e.until or e.record.time for e in self.exceptions if e.row.role is Role.CAUSE]
        return max((t for t in (*failed, *raised) if t is not None), default=0.0)

    @property
    def _concerns_storage(self) -> bool:
        """Whether the failure may be storage's: the job stood still, or reading and writing failed."""
        if self.collectives.first_timeout is not None or self.collectives.stall_start is not None or self._vain_waits:
            return True
        failed = self.case.records.marked(Mark.REQUEST_FAILED, Mark.REQUEST_GIVEN_UP)
        ended_badly = self.exits.failed is not None or any(not e.ignored for e in self.exceptions)
        progress = self._progress if ended_badly else self._any_progress
        went_on = all(progress.went_on_after(r) for r in failed)
        return not went_on or any(e.row.cls in OF_READING for e in self.exceptions)

    def with_offset(self, offset: GivenOffset | None) -> Facts:
        """The same facts but for the storage daemons, whose clock is set anew (None: as derived); nothing is read."""
        other = Facts(self.case, offset, self._read_dumps, self._baseline)
        known = (
            (name, value) for name, value in vars(self).items() if not name.startswith("_") and name not in _CLOCKED
        )
        vars(other).update(known)
        other._ais_logs = self.storage.logs if self.storage else None
        return other

    @cached_property
    def exceptions(self) -> list[ExceptionFact]:
        """Python exceptions, one per traceback, earliest first."""
        found = read_exceptions(self.identity, self.events)
        found = sorted([*found, *read_native_ends(self.identity, self.events)], key=lambda e: e.order)
        attribute(found, self.identity, self.collectives, self._progress)
        attribute_devices(found, self.identity)
        return found

    def exceptions_of(self, file: int) -> Sequence[ExceptionFact]:
        """Those of one file, earliest first."""
        return self._exceptions_by_file.get(file, ())

    @cached_property
    def _exceptions_by_file(self) -> dict[int, list[ExceptionFact]]:
        found: dict[int, list[ExceptionFact]] = {}
        for fact in self.exceptions:
            found.setdefault(fact.record.file, []).append(fact)
        return found

    @cached_property
    def loud_lines(self) -> list[LoudLine]:
        """Lines near the ends of files that look fatal and that no format declares; of a whole reading only, and of the
        newest run where an older one ended above it."""
        if self.case.share_read < 1.0 or self.is_past:
            return []
        return [loud for loud in loud_lines(self.case, self.exceptions) if loud.line >= self.begins_at(loud.file)]

    def quoted(self, record: Record) -> bool:
        """Whether a record is a line of a traceback, which speaks for it."""
        return self._covered.fact_of(record) is not None

    def survived(self, record: Record) -> bool:
        """Whether a record is a line of a traceback that its program printed, and went on."""
        fact = self._covered.fact_of(record)
        return fact is not None and fact.ignored

    @cached_property
    def _covered(self) -> Covered:
        return Covered(self.exceptions)

    @cached_property
    def exits(self) -> Exits:
        """How processes ended, as launchers and the scheduler saw it."""
        return read_exits(self.identity)

    @property
    def hosts(self) -> dict[int, str]:
        """Rank → host, as far as known; launchers' failure reports name some that no other line does."""
        _ = self.exits
        return self.identity.hosts

    @cached_property
    def steps(self) -> list[StepSeries]:
        """Training progress."""
        return read_steps(self.identity)

    @cached_property
    def lived(self) -> list[StepSeries]:
        """What shows that training went on: steps, and lines of steps without a number."""
        return [*self.steps, *read_signs_of_life(self.identity)]

    @cached_property
    def outcome(self) -> Outcome:
        """Whether and how the job ended on purpose."""
        return read_outcome(self.case, self.events, self.steps)

    @cached_property
    def job(self) -> JobFacts:
        """Framework, scale, start and end."""
        if self.whole is not None:
            return self.whole.job
        run = NewestRun(self.case, self.attempts)
        job = job_facts.read_job(
            self.identity,
            self._last_step(run),
            self.seen_ranks,
            self.heard.all_of_them,
            roll_call(self.last.identity, self.last.exits),
        )
        begun, later = run.started(job), begun_after_pause(self.case, job.ended, self.attempts[-1].judged)
        if (last := job_facts.last_of_set_back(self.case.files, begun, job.ended, later)) is not None:
            begun, later, job = later if later and later <= last else begun, None, replace(job, ended=last)
        begun = later if later is not None and later > (begun or job.started or later) else begun
        if begun is not None and job.ended is not None and begun > job.ended:  # weeks after all that is known
            job = replace(job, ended=job_facts.last_behind(self.case.files, begun) or begun)
        return replace(job, attempts=len(self.attempts), started=job.started if begun is None else begun)

    def _last_step(self, run: NewestRun) -> int | None:
        """That of the newest attempt; of the earlier ones, where it shows none."""
        newest = self.last
        last = run.last_step(newest.case, newest.steps)
        other = newest is not self or run.is_unknown  # else the same was asked already
        return final_step(self.case, self.steps) if last is None and other else last

    @cached_property
    def areas(self) -> frozenset[str]:
        """Areas of all patterns that were seen: which programs speak in the files."""
        return self.case.records.areas

    @cached_property
    def expected(self) -> tuple[int | None, Evidence | None]:
        """How many ranks there should be, and the line that says so."""
        own = job_facts.expected_ranks(self.identity)
        return own if own[0] is not None or self.whole is None else self.whole.expected

    @cached_property
    def seen_ranks(self) -> tuple[int, ...]:
        """Ranks that any line or file speaks for."""
        spoken = {r for g in self.collectives.groups.values() for r in (*g.counters, *g.timeouts)}
        spoken |= dump_ranks(self.dumps) | set(self.whole.seen_ranks if self.whole else ()) | self.heard.written
        return tuple(sorted(spoken | set(job_facts.seen_ranks(self.identity))))

    @cached_property
    def heard(self) -> Heard:
        """Ranks that the files name in whatever words."""
        return read_heard(self.case, self.identity.by_file) if self.whole is None else self.whole.heard

    @cached_property
    def heard_ranks(self) -> frozenset[int]:
        """Ranks that are only heard of: in no line that a format knows."""
        size, seen = self.job.world_size, set(self.seen_ranks)
        heard = self.heard.within(size)
        if size is not None and len(heard | seen) < size and self.whole is None:
            heard |= learnt_labels(self.case, size, self.identity.by_file)
        if len(heard | seen) <= 1 and self.whole is None:
            heard |= parts_done(self.case) or counted_processes(self.case, size)
        return heard - seen

    @cached_property
    def all_ranks(self) -> tuple[int, ...]:
        """Every rank of the job: those expected, or those seen where that is not established."""
        size, _ = self.expected
        seen = self.seen_ranks
        return tuple(range(size)) if size and size > max(seen, default=-1) else seen

    @cached_property
    def missing_ranks(self) -> tuple[int, ...]:
        """Ranks expected without a line of their own anywhere."""
        seen = set(self.seen_ranks)
        return tuple(r for r in self.all_ranks if r not in seen)

    @cached_property
    def lost_ranks(self) -> tuple[int, ...]:
        """Ranks whose logs are not there: none where all write one file, in which some only have nothing to say."""
        return () if job_facts.one_file_for_all(self.case.files) else self.missing_ranks

    @cached_property
    def voiceless(self) -> frozenset[int]:
        """Ranks without any line in this attempt: what they did in it is not known."""
        own = set(job_facts.seen_ranks(self.identity)) | dump_ranks(self.dumps)
        own |= self.heard.written if self.whole is None else set()
        return frozenset(set(self.all_ranks) - own - {r for g in self.collectives.groups.values() for r in g.counters})

    @property
    def has_baseline(self) -> bool:
        """Whether there is a healthy run to compare with."""
        return self._baseline is not None

    @cached_property
    def odd_lines(self) -> OddLines:
        """Lines that single ranks said, or stopped saying, from excerpts of all files."""
        lasting = [e for e in self.events if not self.recovered(e.record)]
        return analyse_odd_lines(self.identity, self.all_ranks, lasting, self.job.ended, self._baseline)

    def recovered(self, record: Record, until: float | None = None) -> bool:
        """Whether training went on after a record, so that it cannot have been fatal.

        `until` is a time it cannot be later than, where its line has none of its own.
        """
        if stops_the_job(record) and self._progress.ended_within(record, KILL_WAIT_S):
            return False
        if Mark.STICKY in record.pattern.marks and self.exits.failed_within(record, KILL_WAIT_S):
            return False
        last = self._named_at.get((record.file, record.line), record.line)
        return ran_again(self, record) or (
            self._progress.went_on_after(record, until) and self._progress.goes_beyond(record.file, last)
        )

    @cached_property
    def _named_at(self) -> dict[tuple[int, int], int]:
        """Of each traceback by its first line the one that names the exception: a bar that was rewritten may stand
        before the first, and the lines of its steps between the two."""
        return {(e.record.file, e.record.line): e.evidence.line for e in self.exceptions}

    def stepped_on(self, record: Record) -> bool:
        """Whether more than a step was made after a record that tells of a wait, which ended then."""
        return self._any_progress.went_on_after(record)

    @cached_property
    def _any_progress(self) -> Progress:
        return Progress(self.lived, LEAST_FURTHER)

    @cached_property
    def _progress(self) -> Progress:
        return Progress(self.lived)

    def between(self, first: float, last: float) -> Sequence[Event]:
        """Events of a span of time, both ends included."""
        return [e for e in self.events if e.record.time is not None and first <= e.record.time <= last]
