"""Ranks that ended while others trained on: what a launcher says of a task's end is final for that task."""

from __future__ import annotations

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exits import ProcessExit
from logtui.parsers.pattern import Mark
from logtui.parsers.records.record import Record

_OF_MPI = "prrte.first"


def went_on_without_harm(facts: Facts, record: Record, rank: int | None, until: float | None = None) -> bool:
    """Whether training went on after a record, and the rank that it is about had not left it for good."""
    return facts.recovered(record, until) and not (rank is not None and _left(facts, record, rank))


def _left(facts: Facts, record: Record, rank: int) -> bool:
    """Whether a launcher tells of that rank's end at a record or below it, and nothing of the rank stands behind.

    Agents start workers again; srun and mpirun do not.
    """
    end = facts.exits.of_rank(rank)
    if end is None or end.victim or end.code == 0 or not _final(end):
        return False
    return end.record.file == record.file and record.line <= end.line and not _heard_after(facts, end, rank)


def _final(end: ProcessExit) -> bool:
    return Mark.TASK_EXIT in end.record.pattern.marks or end.record.pattern.name == _OF_MPI


def _heard_after(facts: Facts, end: ProcessExit, rank: int) -> bool:
    rows = facts.case.records.rows[facts.case.records.rows_of_file(end.record.file)]
    return bool(((rows["line"] > end.line) & (rows["rank"] == rank)).any())
