"""A process ended by a signal or an exit code before anybody else's, and said nothing itself."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.exits import ProcessExit
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.fatality import fatal_exceptions
from logtui.diagnosis.predicates import hosts_of
from logtui.diagnosis.report import Evidence
from logtui.diagnosis.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass

MEANING: dict[str, tuple[FailureClass, int, str]] = {
    "SIGKILL": (FailureClass.INFRASTRUCTURE, 60, "killed from outside (SIGKILL)"),
    "SIGSEGV": (FailureClass.SOFTWARE, 60, "crashed (SIGSEGV)"),
    "SIGBUS": (FailureClass.HOST_OOM, 60, "ended with SIGBUS, usually a full /dev/shm"),
    "SIGFPE": (FailureClass.SOFTWARE, 58, "crashed (SIGFPE)"),
    "SIGILL": (FailureClass.SOFTWARE, 58, "crashed (SIGILL)"),
}


def _find(facts: Facts) -> Iterator[Claim]:
    raised = {e.rank for e in fatal_exceptions(facts)}
    for end in facts.exits.first_failures:
        if (end.rank is not None and end.rank in raised) or facts.recovered(end.record):
            continue
        yield _claim(facts, end)
        return


def _claim(facts: Facts, end: ProcessExit) -> Claim:
    cls, strength, words = MEANING.get(
        end.signal or "", (FailureClass.SOFTWARE, 46, f"ended with exit code {end.code}")
    )
    ranks = (end.rank,) if end.rank is not None else ()
    who = f"rank {end.rank}" if ranks else f"local rank {end.local_rank}"
    text = facts.case.lines(end.record.file, end.line, 1)
    evidence = Evidence(
        facts.case.file_name(end.record), end.line, (text[0] if text else "").strip()[:400], end.time, rank=end.rank
    )
    return Claim(
        title=f"{who} {words}",
        cls=cls,
        first=evidence,
        order=end.order,
        strength=strength,
        ranks=ranks,
        hosts=hosts_of(facts, ranks) or ((end.host,) if end.host else ()),
        supporting=(evidence,),
        missing=("the kernel log of that host: an OOM kill would stand there",) if end.signal == "SIGKILL" else (),
        advice=(Advice("infrastructure", "find out who sent the signal: kernel log (OOM killer), scheduler, operator"),)
        if end.signal == "SIGKILL"
        else (Advice("training", "rerun with faulthandler enabled to see where the process ends"),),
    )


RULE = Rule(
    id="process-exit",
    title="A process was killed or ended silently",
    claim="The first process to end, not by SIGTERM nor by its own watchdog, took the job with it.",
    needs="an agent's line or failure block with an exit code",
    refuted_by="the same rank raised an exception",
    find=_find,
    references=("torchrun ChildFailedError",),
)
