"""From records to a report."""

from __future__ import annotations

from logtui.diagnosis.report import Coverage, JobFacts, Report, Verdict
from logtui.parsers.case import Case


def diagnose(case: Case) -> Report:
    """Everything the records establish, verified and in the order people read it."""
    return Report(
        "0.1.0", JobFacts(), Coverage(files=len(case.files)), Verdict("unknown", "Undecided", "low")
    )
