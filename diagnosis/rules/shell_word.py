"""The last word of a log is the shell's: `Killed`, alone on its line."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.predicates.shell_words import shell_words
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import SHELL_CRASHED, SHELL_KILLED, SHELL_SEGV, SHELL_STOPPED
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass

WORDS = {
    "Killed": (
        FailureClass.HOST_OOM,
        SHELL_KILLED,
        "the process was killed (SIGKILL): for want of host memory, as a rule",
    ),
    "Terminated": (FailureClass.INFRASTRUCTURE, SHELL_STOPPED, "somebody terminated the process (SIGTERM)"),
    "User defined signal 1": (FailureClass.INFRASTRUCTURE, SHELL_STOPPED, "somebody sent SIGUSR1: a limit is near"),
    "User defined signal 2": (FailureClass.INFRASTRUCTURE, SHELL_STOPPED, "somebody sent SIGUSR2: a limit is near"),
    "Hangup": (FailureClass.INFRASTRUCTURE, SHELL_STOPPED, "the terminal was closed (SIGHUP)"),
    "Segmentation fault": (FailureClass.SOFTWARE, SHELL_SEGV, "the process crashed (SIGSEGV)"),
    "Bus error": (FailureClass.HOST_OOM, SHELL_CRASHED, "the process ended with SIGBUS, usually a full /dev/shm"),
    "Illegal instruction": (FailureClass.SOFTWARE, SHELL_CRASHED, "the process crashed (SIGILL)"),
    "Floating point exception": (FailureClass.SOFTWARE, SHELL_CRASHED, "the process crashed (SIGFPE)"),
}
"""What a shell prints of a child's end, and what it means."""


def _find(facts: Facts) -> Iterator[Claim]:
    for file, line, word, text in shell_words(facts):
        rank = facts.identity.by_file.get(file)
        yield _claim(Evidence(facts.case.files[file].name, line, text), word, file, () if rank is None else (rank,))


def _claim(evidence: Evidence, word: str, file: int, ranks: tuple[int, ...]) -> Claim:
    cls, rung, title = WORDS[word]
    if ranks:
        title = title.replace("the process", named_ranks(ranks))
    return Claim(
        title=title,
        cls=cls,
        first=evidence,
        order=(float("inf"), file, evidence.line),
        rung=rung,
        ranks=ranks,
        supporting=(evidence,),
        what=title,
        missing=("the kernel log of that host: an OOM kill would stand there",) if word == "Killed" else (),
        advice=(
            Advice("infrastructure", "find out who sent the signal: kernel log (OOM killer), scheduler, operator"),
        ),
    )


RULE = Rule(
    id="shell-word",
    title="A shell's last word",
    claim="The shell that started the program says which signal ended it; the program said nothing of it.",
    needs="`Killed`, `Terminated`, `Segmentation fault` or the like alone on one of the last lines",
    refuted_by="the job completed; anything as strong before it",
    find=_find,
    maturity="experimental",
)
