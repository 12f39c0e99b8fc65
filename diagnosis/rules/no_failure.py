"""Nothing failed in what was read: the job runs, or its end is not in the files."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.steps import FURTHER, LEAST_FURTHER, different_steps
from logtui.diagnosis.predicates.file_ends import last_progress, quiet_after
from logtui.diagnosis.predicates.health import Sign, saw_off, stands
from logtui.diagnosis.rules.ranking import AT_WORK, LEFT_QUIETLY, NO_FAILURE, Rung
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import FailureClass
from logtui.parsers.records.learnt import LEARNT
from logtui.parsers.records.record import Record


def _find(facts: Facts) -> Iterator[Claim]:
    if facts.lived and not stands(facts, Sign.STEPS):
        return
    trained = [*_trained_on(facts)] if facts.lived else []
    left = not trained and stands(facts, Sign.LEFT) and not (facts.lived and saw_off(facts) is None)
    yield from ([*_left_quietly(facts)] if left else trained) or _completed_before(facts)


def _trained_on(facts: Facts) -> Iterator[Claim]:
    series = facts.lived[0]
    told = different_steps(series.steps)
    if told < LEAST_FURTHER or (told < FURTHER and not _is_calm(facts, series.file, int(series.lines[-1]))):
        return
    if series.pattern == LEARNT.name and not _quiet_to_the_end(facts, series.file, int(series.lines[-1])):
        return  # a program that nobody declared may fail in words that nobody declared
    record, last = facts.case.records[int(series.rows[-1])], int(series.steps[-1])
    yield _claim(
        facts.case,
        record,
        NO_FAILURE if told >= FURTHER else AT_WORK,
        f"the last step read is {last}" if facts.steps else "training went on",
        "training makes progress",
    )


def _claim(case: Case, record: Record, rung: Rung, why: str, what: str, ended: str = "job") -> Claim:
    return Claim(
        title=f"no failure in the files; {why}",
        cls=FailureClass.HEALTHY,
        first=None,
        order=(float("inf"), 0, 0),
        rung=rung,
        supporting=(cite(case, record),),
        what=what,
        missing=(f"the line that says how the {ended} ended",),
    )


def _is_calm(facts: Facts, file: int, line: int) -> bool:
    """Whether nobody complains at all, and nothing but the end of the file stands behind a line: a job that has just
    begun to train."""
    return stands(facts, Sign.PROGRESS) and quiet_after(facts, file, line)


def _quiet_to_the_end(facts: Facts, file: int, line: int) -> bool:
    """Whether nobody complains after the last step that was read, or after the last lines that advance at all: of a
    storm of steps only some are read, and a program may print pages between two."""
    return quiet_after(facts, file, line) or last_progress(facts, file) is not None


def _left_quietly(facts: Facts) -> Iterator[Claim]:
    """Processes that PyTorch saw off at their exit, with nothing raised by anybody: an evaluation, a short test."""
    left = saw_off(facts) or next(iter(facts.case.records.of("nccl.aborted")), None)
    if left is not None:
        yield _claim(facts.case, left, LEFT_QUIETLY, "its processes left by themselves", "the processes ended")


def _completed_before(facts: Facts) -> Iterator[Claim]:
    """A process that nobody complains of, after one that trained to its end: it exports, or tests."""
    if facts.whole is None or facts.is_past or facts.lived or not stands(facts, Sign.PROGRESS):
        return
    before = facts.whole.of_past(facts.whole.attempts[-2])
    ending = before.outcome.completed
    if ending is not None and before.exits.failed is None:
        why = "training had completed before the last process began"
        yield _claim(before.case, ending, AT_WORK, why, "training completed", "last process")


RULE = Rule(
    id="no-failure",
    title="No failure in the files",
    claim="Steps advance to the end of what was read, and no line states a cause that lasted.",
    needs="step lines",
    refuted_by="any cause or echo of a failure after the last steps",
    find=_find,
)
