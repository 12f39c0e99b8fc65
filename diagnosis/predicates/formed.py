"""Whether a job formed after all, though somebody could not meet the others: ranks came to their own work after it.

Of several launches in one file, or several nodes, one finds its port taken or nobody there. Where processes raise later
what only a program at work raises, they had met: what kept the one from it did not end the job.
"""

from __future__ import annotations

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.predicates.file_ends import last_progress
from logtui.parsers.pattern import FailureClass, Mark, Role
from logtui.parsers.records.record import Record

OF_WORK = frozenset(
    {
        FailureClass.DATA,
        FailureClass.STORAGE_IO,
        FailureClass.GPU_OOM,
        FailureClass.CUDA_SOFTWARE,
        FailureClass.HOST_OOM,
        FailureClass.CONFIG,
    }
)
"""Classes of what a program raises in its own work."""
PORT_TAKEN, STARTED_WITHIN = "os.port_in_use", 8
"""Lines that a server says of itself as it starts."""
MISSING = ("ImportError", "ModuleNotFoundError")
"""What an import raises of a module that is not there."""


def by_launcher(fact: ExceptionFact) -> bool:
    """Whether a launcher raised it because one of its processes had ended."""
    return fact.traceback.root.exception.endswith(("ChildFailedError", "CalledProcessError", "SignalException"))


def awaits_others(record: Record) -> bool:
    """Whether a line tells of a wait for ranks or devices, which those who come end."""
    return record.pattern.cls is FailureClass.INIT_RENDEZVOUS or Mark.WAITS in record.pattern.marks


def formed_after(facts: Facts, record: Record) -> str:
    """The place of what a rank said or raised at its work later in the same file; empty where none did."""
    for met in facts.case.records.marked(Mark.FORMED):
        if met.file == record.file and met.line > record.line:
            return f"{facts.case.file_name(met)}:{met.line}"
    for fact in facts.exceptions_of(record.file):
        if fact.record.line > record.line and _at_work(fact):
            return f"{facts.case.file_name(fact.record)}:{fact.record.line}"
    return ""


def _at_work(fact: ExceptionFact) -> bool:
    """Whether a process raised it itself, not at an import, and died of it."""
    own = fact.row.role is Role.CAUSE and fact.row.cls in OF_WORK and not fact.ignored
    return own and not by_launcher(fact) and not fact.traceback.root.exception.endswith(MISSING)


def got_its_port(facts: Facts, record: Record) -> bool:
    """Whether a server did not get its port, was started again in the same file, and answers there."""
    if record.pattern.name != PORT_TAKEN:
        return False
    working = last_progress(facts, record.file)
    return working is not None and working > record.line + STARTED_WITHIN
