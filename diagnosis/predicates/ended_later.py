"""Whether a file ends with an error long after a word of completion: of another run, of which nothing else is known."""

from __future__ import annotations

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.line_times import LineTimes
from logtui.diagnosis.facts.outcome import TEARDOWN_S
from logtui.diagnosis.predicates.last_line import errors_at_the_end


def ended_later(facts: Facts) -> str:
    """The error and its place; "" where there is none."""
    ending = facts.outcome.completed
    if ending is None or ending.time is None or facts.is_past:
        return ""
    for error in errors_at_the_end(facts):
        if error.file == ending.file and error.line > ending.line:
            told = LineTimes(facts.case, facts.job.ended).first_from(error.file, error.line)
            if told is not None and told.epoch - ending.time > TEARDOWN_S:
                return f"{error.text[:80]} ({facts.case.files[error.file].name}:{error.line})"
    return ""
