"""Somebody stopped a job that was training: Ctrl-C, a closed terminal, a kill of its launcher."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exits import is_single_node
from logtui.diagnosis.facts.outcome import OF_TRACKER
from logtui.diagnosis.facts.steps import FURTHER, StepSeries, different_steps
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.predicates.blame import is_single_process
from logtui.diagnosis.predicates.fatality import fatal_exceptions
from logtui.diagnosis.rules.ranking import INTERRUPTED, STOPPED_FROM_OUTSIDE, TELLING, Rung
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass, Mark, Role
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.record import Record

SENT, CODES = ("SIGTERM", "SIGINT", "SIGHUP"), (-15, -2, -1)
"""Signals that somebody sends: to a child that no launcher stopped before."""
NEAR = 40
"""Lines within which a signal and what it sets off stand together."""
TRACEBACKS = 120
"""Lines that the tracebacks of an interrupt, of a program and its workers, take at the end of a file."""
BARS_ABOVE = 40
INTERRUPT = "exception.interrupted"
"""What no launcher passes on when a rank fails: it sends SIGTERM."""
IN_LOOP = "exception.told_to_stop"
"""What a trainer raises in its loop alone: it trained, though other files may hold what it printed of it."""
BAR = re.compile(r"[1-9]\d?%\|[^|]{0,400}\| *[1-9]\d*(?:\.\d+)?[kMG]?/\d+(?:\.\d+)?[kMG]? \[|\{'loss': ")
"""A progress bar on its way, a trainer's line of numbers."""
HAND = re.compile(r"^\W{0,80}\^C|SIGHUP|SIGINT|\bsignal: [12]\b|Received [12] death signal")

TO_LAUNCHER = re.compile(r"Received (?:Signals\.SIG\w+|\d{1,2}) death signal")
"""What came to the launcher itself, and not from it."""
OWN = re.compile(
    TO_LAUNCHER.pattern + r"|\*\*\* SIG(?:TERM|INT|HUP) received at time="
    r"|\b[Ss]ignal:? ?(?:2|SIGINT) received\b|\b(?:[Rr]eceived|[Cc]aught|[Gg]ot) (?:signal:? ?(?:2\b|SIGINT)|SIGINT)"
)
"""The same, or what a program without one tells of itself; of the signals that its own handler tells, Ctrl-C's."""

BY_HAND = "somebody interrupted the program (Ctrl-C)"
WORKERS_ENDED = "exception.workers_ended"
"""Its data workers got SIGTERM, and nothing else is known."""
EXCEPTION = "py.exception"
"""Which `fatal_exceptions` judges."""
UNKNOWN_RANK, MOST_ALONE = 1 << 30, 64
Stop = tuple[Record, Evidence]
"""A line that tells of a stop, and its citation."""


def _find(facts: Facts) -> Iterator[Claim]:
    marks = sorted([*_interrupts(facts), *_signals(facts)], key=lambda m: (m[0].file, m[0].line))
    lasting = [m for m in marks if _at_work(facts, m[0]) and not facts.recovered(m[0])]
    if not lasting:
        yield from [*_at_set_up(facts)] or _on_one_node(facts)
    elif not _failed_before(facts, lasting[0][0]):
        yield _claim(lasting, "somebody stopped the job while it trained", STOPPED_FROM_OUTSIDE, lasting[0][0])


def _at_set_up(facts: Facts) -> Iterator[Claim]:
    """Ctrl-C before anything trained, where it ends the file and nothing had failed."""
    if facts.lived:
        return
    told = ((r, e) for r, e in _interrupts(facts) if "Interrupt" in e.text and not facts.is_of_older_run(r))
    stops = [(r, e) for r, e in told if not facts.recovered(r)]
    if stops and _ends(facts, stops[-1]) and not _failed_of_itself(facts, stops[0][0]):
        yield _claim(_main_first(facts, stops), BY_HAND, INTERRUPTED, stops[0][0])
        return
    own = OWN if facts.job.launcher in (None, "ray") else TO_LAUNCHER  # else a launcher may have sent it
    alone = facts.job.launcher is None and len(facts.case.files) == 1
    signals = [(r, e) for r, e in _signals(facts) if (alone or own.search(e.text)) and not facts.recovered(r)]
    if signals and _ends(facts, signals[-1]) and not _anything_failed(facts, signals[0][0]):
        yield _claim(signals, "somebody stopped the job", INTERRUPTED, signals[0][0])


def _on_one_node(facts: Facts) -> Iterator[Claim]:
    """A signal to the launcher of one of several nodes, before anything else in the files: the others only lost it."""
    told = [r for r in facts.case.records.marked(Mark.SIGNALLED) if TO_LAUNCHER.search(r.first_line)]
    first = min(told, key=lambda r: r.order, default=None)
    if first is None or not facts.lived or is_single_node(facts.identity) or facts.recovered(first):
        return
    if _came_first(facts, first):
        yield _claim([(first, cite(facts.case, first))], "somebody stopped a node of the job", INTERRUPTED, first)


def _came_first(facts: Facts, first: Record) -> bool:
    """Whether all that failed is of other files, is dated and later, and nobody failed of itself."""
    stated = any(e.name != EXCEPTION for e in facts.causes)
    if first.time is None or facts.exits.first_failures or stated:
        return False
    others = [e.record for e in facts.events_marked(Mark.PEER_GONE) if e.record.file != first.file]
    loud = (e.record for e in facts.events if e.role is Role.SYMPTOM and e.record.file != first.file)
    own = any(e.row.cls is not FailureClass.INFRASTRUCTURE for e in fatal_exceptions(facts))
    return bool(others) and not own and all(r.time is not None and r.time >= first.time for r in loud)


def _anything_failed(facts: Facts, first: Record) -> bool:
    """Whether anything is told before that may have failed, or waited, and a launcher have passed on."""
    loud = (e.record for e in facts.events if e.role in (Role.CAUSE, Role.SYMPTOM))
    above = (r for r in loud if r.line < first.line and not (facts.recovered(r) or facts.survived(r)))
    return bool(facts.collectives.stuck_groups) or any(Mark.SIGNALLED not in r.pattern.marks for r in above)


def _main_first(facts: Facts, stops: Sequence[Stop]) -> list[Stop]:
    """Of what came to all at once the main process's line first: who printed it first says nothing."""
    ranks = {e.record.row: e.rank for e in facts.exceptions if e.rank is not None}
    return sorted(stops, key=lambda s: (ranks.get(s[0].row, UNKNOWN_RANK), s[0].file, s[0].line))


def _claim(stops: Sequence[Stop], title: str, rung: Rung, earliest: Record) -> Claim:
    evidence = stops[0][1]
    return Claim(
        title=title,
        cls=FailureClass.INFRASTRUCTURE,
        first=evidence,
        order=earliest.order,
        rung=rung,
        supporting=tuple(e for _, e in stops[:4]),
        what="a signal from outside ended the job",
        advice=(Advice("infrastructure", "find out who stopped it: an operator, a closed terminal, the scheduler"),),
    )


def _interrupts(facts: Facts) -> Iterator[Stop]:
    for fact in facts.exceptions:
        by_hand = fact.traceback.root.exception.endswith("KeyboardInterrupt")
        loaders = fact.row.name == WORKERS_ENDED and facts.exits.failed is None  # no launcher sent it for a failed rank
        if (by_hand or loaders) and not fact.ignored:
            yield fact.record, fact.evidence
    for record in islice(facts.case.records.of("py.echo"), MOST_ALONE):
        alone = record.fields.get("exc", "").endswith("KeyboardInterrupt")
        if alone and not any(e.covers(record) for e in facts.exceptions_of(record.file)):
            yield record, cite(facts.case, record)


def _ends(facts: Facts, last: Stop) -> bool:
    """Whether little stands behind the traceback of an interrupt: what pools and trackers say of it."""
    record, evidence = last
    return facts.is_past or facts.case.line_count(record.file) - max(record.line, evidence.line) <= TRACEBACKS


def _failed_of_itself(facts: Facts, first: Record) -> bool:
    """Whether anything failed before: that is then what the job ended of."""
    raised = (e.record for e in fatal_exceptions(facts) if e.row.weight >= TELLING)
    stated = (c.record for c in facts.causes if c.weight >= TELLING and not facts.quoted(c.record))
    return any(r.line < first.line and not facts.recovered(r) for r in (*raised, *stated))


def _signals(facts: Facts) -> Iterator[Stop]:
    told = list(facts.case.records.marked(Mark.TOLD_TO_STOP))
    if is_single_process(facts) or _tells_all(facts, told):
        yield from ((record, cite(facts.case, record)) for record in told)
    if not is_single_node(facts.identity):
        return  # another node may have failed, and its end been passed on
    for record in facts.case.records.marked(Mark.SIGNALLED):
        own = Mark.CHILD_EXIT not in record.pattern.marks
        if own or record.fields.get("signal") in SENT or record.number("exitcode") in CODES:
            yield record, cite(facts.case, record)


def _tells_all(facts: Facts, told: Sequence[Record]) -> bool:
    """Whether what else failed would be here: the job has one file, or every file that trained was told to stop."""
    trained = {s.file for s in facts.steps}
    own = sum(OF_TRACKER.search(f.name) is None for f in facts.case.files)
    return own == 1 or (bool(trained) and trained <= {record.file for record in told})


def _at_work(facts: Facts, record: Record) -> bool:
    """Whether a signal met a job at work; that a terminal closes or somebody presses Ctrl-C says so by itself."""
    by_hand = Mark.SIGNALLED in record.pattern.marks and HAND.search(record.first_line) is not None
    return by_hand or _trained(facts, record)


def _trained(facts: Facts, record: Record) -> bool:
    """Whether training made progress before it, in its own file; a launcher's may hold no output of its workers."""
    if any(BAR.search(line) for line in (*facts.case.preceding(record, BARS_ABOVE), record.first_line)):
        return True
    if any(e.record.file == record.file and e.row.name == IN_LOOP for e in facts.exceptions):
        return True
    own = [s for s in facts.steps if s.file == record.file]
    if own:
        return any(different_steps(s.steps[s.lines < record.line]) >= FURTHER for s in own)
    failed = {e.row.name for e in fatal_exceptions(facts)}
    alone = failed == {INTERRUPT} or (not failed and is_single_node(facts.identity))
    return alone and any(different_steps(s.steps[_before(s, record)]) >= FURTHER for s in facts.steps)


def _before(series: StepSeries, record: Record) -> npt.NDArray[np.bool_]:
    """Which steps of another file are earlier than a line; all, where no clock tells."""
    return np.full(len(series.steps), True) if record.time is None else ~(series.times > record.time)


def _failed_before(facts: Facts, mark: Record) -> bool:
    """Whether anything of the last attempt failed, or waited, before the signal."""
    if (facts.collectives.stuck_groups and not _later(facts, mark)) or _raised_elsewhere(facts, mark):
        return True
    loud = (e.record for e in facts.events if e.role in (Role.CAUSE, Role.SYMPTOM))
    return any(
        r.file == mark.file
        and r.line < mark.line - NEAR
        and not (facts.recovered(r) or facts.survived(r))
        and _trained(facts, r)
        for r in loud
        if Mark.SIGNALLED not in r.pattern.marks
    )


def _raised_elsewhere(facts: Facts, mark: Record) -> bool:
    """Whether a rank with a file of its own failed of itself, at a time that is not told, or before the signal: its
    launcher ends the others with SIGTERM."""
    for fact in fatal_exceptions(facts):
        own = (
            fact.rank is not None and fact.record.file != mark.file and fact.row.cls is not FailureClass.INFRASTRUCTURE
        )
        undated = None in (fact.record.time, mark.time) or fact.record.time_from is TimeFrom.NEIGHBOUR
        if own and fact.traceback.complete and (undated or (fact.record.time or 0.0) <= (mark.time or 0.0)):
            return not HAND.search(mark.first_line)
    return False


def _later(facts: Facts, mark: Record) -> bool:
    """Whether all timeouts stand after the signal: its echoes."""
    groups = facts.collectives.stuck_groups
    return all(t.record.file == mark.file and t.record.line > mark.line for g in groups for t in g.timeouts.values())


RULE = Rule(
    id="stopped-from-outside",
    title="Stopped by somebody",
    claim="A signal reached the launcher or the program while training made progress; nothing had failed before.",
    needs="a launcher's line about a signal, or a KeyboardInterrupt, behind step lines or at the end of a file",
    refuted_by="training went on after it; something failed or waited before it",
    find=_find,
    maturity="experimental",
)
