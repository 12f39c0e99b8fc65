"""A process ended by a signal or an exit code before anybody else's, and said nothing itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from logtui.diagnosis.evidence import cite_unknown
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exits import ProcessExit
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.died_above import missing_above
from logtui.diagnosis.predicates.fatality import fatal_exceptions
from logtui.diagnosis.predicates.last_line import LastLine, errors_at_the_end
from logtui.diagnosis.predicates.left_for_good import went_on_without_harm
from logtui.diagnosis.predicates.parting_words import parting_words
from logtui.diagnosis.predicates.shell_words import went_past
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import (
    EXIT_CODE,
    EXIT_CODE_1,
    KILLED_TOGETHER,
    SIGABRT,
    SIGBUS,
    SIGFPE,
    SIGILL,
    SIGKILL,
    SIGSEGV,
    Rung,
)
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass, Mark
from logtui.parsers.prefix.stamp import TimeFrom

MEANING: dict[str, tuple[FailureClass, Rung, str]] = {
    "SIGKILL": (FailureClass.HOST_OOM, SIGKILL, "killed with SIGKILL: for want of host memory, unless somebody did it"),
    "SIGSEGV": (FailureClass.SOFTWARE, SIGSEGV, "crashed (SIGSEGV)"),
    "SIGBUS": (FailureClass.HOST_OOM, SIGBUS, "ended with SIGBUS, usually a full /dev/shm"),
    "SIGABRT": (FailureClass.SOFTWARE, SIGABRT, "aborted (SIGABRT)"),
    "SIGFPE": (FailureClass.SOFTWARE, SIGFPE, "crashed (SIGFPE)"),
    "SIGILL": (FailureClass.SOFTWARE, SIGILL, "crashed (SIGILL)"),
}


NOT_RUN, NOT_THERE, ABOVE = 126, 127, 200
"""A shell's statuses of a command that it must not run, or does not find; lines above in which it says so."""
TOGETHER = 3
"""So many processes of one node do not happen to be killed for their memory at once."""


def _find(facts: Facts) -> Iterator[Claim]:
    raised = {e.rank for e in fatal_exceptions(facts)}
    for end in facts.exits.first_failures:
        if (end.rank is not None and end.rank in raised) or _survived(facts, end) or _told(facts, end):
            continue
        claim = _in_words(facts, end, _claim(facts, end))
        yield _of_all(facts, end, claim)
        if end.signal == "SIGKILL":
            yield from _killed_together(facts, end, claim)
        return
    yield from (_claim(facts, end) for end in _aborted_alone(facts))


def _of_all(facts: Facts, end: ProcessExit, claim: Claim) -> Claim:
    """The claim about nobody, where all ended with the same exit code: whom another's end ends gets a signal."""
    ranks = {p.rank for p in facts.exits.processes} - {None}
    alike = all((p.code, p.signal) == (end.code, None) for p in facts.exits.processes)
    if len(ranks) < TOGETHER or not alike or ranks < set(facts.seen_ranks):
        return claim
    who = f"all {len(ranks)} ranks"
    return replace(
        claim, title=claim.title.replace(f"{named_ranks(claim.ranks)} ended first", f"{who} ended"), ranks=(), hosts=()
    )


def _survived(facts: Facts, end: ProcessExit) -> bool:
    past = went_past(facts, end.record) or went_on_without_harm(facts, end.record, end.rank)
    return past or _ended_by_abort(facts, end)


def _ended_by_abort(facts: Facts, end: ProcessExit) -> bool:
    """Whether a launcher killed it since another rank had called MPI_Abort: it ends all that are left."""
    if end.signal != "SIGKILL":
        return False
    aborted = facts.case.records.of("openmpi.abort")
    return any(r.file == end.record.file and r.line < end.line and not facts.recovered(r) for r in aborted)


def _told(facts: Facts, end: ProcessExit) -> bool:
    """Whether an exception may be what an exit code 1 means: nobody says whose it is, nor that it was earlier."""
    if end.code != 1:
        return False
    raised = [e for e in fatal_exceptions(facts) if e.traceback.complete]
    if end.rank is None and end.time is None:
        return bool(raised)
    if end.rank is None or end.record.time_from is not TimeFrom.NEIGHBOUR:
        return False
    above = (e for e in raised if e.record.file == end.record.file and e.record.line < end.line)
    return any(e.rank is None for e in above)


def _aborted_alone(facts: Facts) -> Sequence[ProcessExit]:
    """The one process that aborted where nothing waited: a watchdog aborts its own process, but says so first."""
    ends = [p for p in facts.exits.processes if p.signal == "SIGABRT"]
    gave_up = next(iter(facts.case.records.marked(Mark.GAVE_UP_WAITING)), None)
    waited = facts.collectives.timed_out or facts.collectives.stuck_groups or gave_up
    if len(ends) != 1 or waited or facts.recovered(ends[0].record) or fatal_exceptions(facts):
        return ()
    return () if _said_why(facts, ends[0]) or _lost_a_peer(facts, ends[0]) else ends


def _lost_a_peer(facts: Facts, end: ProcessExit) -> bool:
    """Whether its library had said that another rank was gone: that is what it aborted of."""
    gone = facts.events_marked(Mark.PEER_GONE)
    return any(e.record.file == end.record.file and e.record.line < end.line for e in gone)


def _said_why(facts: Facts, end: ProcessExit) -> bool:
    """Whether the process that aborted had stated a cause, higher up in the same file, whatever its clock says."""
    above = (e for e in facts.causes if e.record.file == end.record.file and e.record.line < end.line)
    return end.rank is not None and any(e.rank == end.rank and not facts.recovered(e.record) for e in above)


def _killed_together(facts: Facts, end: ProcessExit, claim: Claim) -> Iterator[Claim]:
    """The kernel kills one process at a time; a whole node's at once are killed by somebody."""
    killed = {p.rank for p in facts.exits.processes if p.signal == "SIGKILL" and p.host == end.host} - {None}
    if len(killed) >= TOGETHER:
        title = f"{len(killed)} ranks of {end.host or 'a node'} were killed together (SIGKILL)"
        ranks = tuple(sorted(r for r in killed if r is not None))
        yield replace(
            claim, title=title, cls=FailureClass.INFRASTRUCTURE, rung=KILLED_TOGETHER, ranks=ranks, missing=()
        )


def _claim(facts: Facts, end: ProcessExit) -> Claim:
    cls, rung, words = MEANING.get(end.signal or "", _by_code(end.code))
    ranks = _ended_with(facts, end)
    who = named_ranks(ranks) if ranks else "a process" if end.local_rank is None else f"local rank {end.local_rank}"
    text = facts.case.bodies(end.record.file, end.line, 1)
    evidence = Evidence(
        facts.case.file_name(end.record), end.line, (text[0] if text else "").strip()[:400], end.time, rank=end.rank
    )
    return Claim(
        title=f"{who} {words}",
        cls=cls,
        first=evidence,
        order=end.order,
        rung=rung,
        ranks=ranks,
        hosts=hosts_of(facts, ranks) or ((end.host,) if end.host else ()),
        supporting=(evidence,),
        missing=_missing(facts, end, who),
        advice=(Advice("infrastructure", "find out who sent the signal: kernel log (OOM killer), scheduler, operator"),)
        if end.signal == "SIGKILL"
        else (Advice("training", "rerun with faulthandler enabled to see where the process ends"),),
    )


def _ended_with(facts: Facts, end: ProcessExit) -> tuple[int, ...]:
    """The ranks that one line tells of."""
    same = (p.rank for p in facts.exits.first_failures if (p.record.row, p.code, p.signal) == _told_of(end))
    return tuple(sorted({rank for rank in (end.rank, *same) if rank is not None}))


def _told_of(end: ProcessExit) -> tuple[int, int, str | None]:
    return end.record.row, end.code, end.signal


def _in_words(facts: Facts, end: ProcessExit, claim: Claim) -> Claim:
    """The claim with the error in plain words that the program ended with: an exit code names no kind of failure."""
    if end.signal or facts.case.share_read < 1.0:
        return claim
    if end.code == NOT_THERE and (missed := _not_found(facts, end)) is not None:
        return _retold(facts, claim, missed)
    told = (w for w in errors_at_the_end(facts) if w.file == end.record.file and w.cls is not FailureClass.UNKNOWN)
    if (words := next(told, None)) is not None:
        return _retold(facts, claim, words)
    parting = parting_words(facts, end) if end.code == 1 else None
    if parting is None:
        return claim
    if parting.times > 1:
        claim = replace(claim, title="the processes ended themselves", ranks=(), hosts=())
    return _retold(facts, claim, parting.line)


def _not_found(facts: Facts, end: ProcessExit) -> LastLine | None:
    """The last command above a shell's end that the shell did not find."""
    missed = missing_above(facts, end.record.file, end.line, ABOVE)
    return LastLine(end.record.file, *missed[-1], FailureClass.CONFIG) if missed else None


def _retold(facts: Facts, claim: Claim, words: LastLine) -> Claim:
    evidence = cite_unknown(facts.case, words.file, words.line)
    return replace(
        claim,
        title=f"{claim.title.partition('; ')[0]}: {words.text[:160]}",
        cls=words.cls,
        first=evidence,
        supporting=(evidence, *claim.supporting),
        missing=(),
    )


def _by_code(code: int) -> tuple[FailureClass, Rung, str]:
    """What an exit code says: 1 is what Python ends with after any exception, so that it names no kind of failure."""
    if code == 1:
        return FailureClass.UNKNOWN, EXIT_CODE_1, "ended first, with exit code 1; why is not in the files"
    cls = FailureClass.CONFIG if code in (NOT_RUN, NOT_THERE) else FailureClass.SOFTWARE
    return cls, EXIT_CODE, f"ended with exit code {code}"


def _missing(facts: Facts, end: ProcessExit, who: str) -> tuple[str, ...]:
    if end.signal == "SIGKILL":
        return ("the kernel log of that host: an OOM kill would stand there",)
    read = end.rank is not None and any(e.rank == end.rank for e in facts.exceptions)  # it was but an echo
    return (f"the output of {who}, with its traceback",) if end.code == 1 and not read else ()


RULE = Rule(
    id="process-exit",
    title="A process was killed or ended silently",
    claim="The first process to end, not by SIGTERM nor by its own watchdog, took the job with it.",
    needs="an agent's line or failure block with an exit code",
    refuted_by="the same rank raised an exception",
    find=_find,
    references=("torchrun ChildFailedError",),
)
