"""Whether a file ends with an error that a word of completion does not excuse: one that was said long after it, of
another run of which nothing else is known, or close to an end that failing programs say as well. That the last planned
step was made excuses none behind it."""

from __future__ import annotations

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.line_times import LineTimes
from logtui.diagnosis.facts.outcome import SHORTLY, TEARDOWN_S
from logtui.diagnosis.predicates.last_line import STOPPED, LastLine, errors_at_the_end
from logtui.parsers.pattern import Role
from logtui.parsers.records.record import Record


def ended_later(facts: Facts) -> str:
    """The error and its place; "" where there is none."""
    ending = facts.outcome.completed
    if ending is None or facts.is_past:
        return ""
    told = (e for e in errors_at_the_end(facts) if _speaks_against(facts, e, ending))
    return next((f"{e.text[:80]} ({facts.case.files[e.file].name}:{e.line})" for e in told), "")


def _speaks_against(facts: Facts, error: LastLine, ending: Record) -> bool:
    if error.file != ending.file:
        return _elsewhere(facts, error, ending)
    stopped = error.what == STOPPED and abs(error.line - ending.line) <= SHORTLY
    behind_steps = ending.pattern.role is not Role.END and error.line > ending.line
    return stopped or behind_steps or _long_after(facts, error, ending) or _near_unsure(facts, error, ending)


def _long_after(facts: Facts, error: LastLine, ending: Record) -> bool:
    if error.line <= ending.line or ending.time is None:
        return False
    told = LineTimes(facts.case, facts.job.ended).first_from(error.file, error.line)
    return told is not None and told.epoch - ending.time > TEARDOWN_S


def _elsewhere(facts: Facts, error: LastLine, ending: Record) -> bool:
    """Whether another file ends with an error, and no earlier than an unsure end was said; or long after any."""
    if ending.time is None:
        return False
    told = LineTimes(facts.case, facts.job.ended).of(error.file, error.line)
    if told is None:
        return False
    return told.epoch - ending.time > TEARDOWN_S if facts.outcome.sure else told.epoch >= ending.time


def _near_unsure(facts: Facts, error: LastLine, ending: Record) -> bool:
    return not facts.outcome.sure and abs(error.line - ending.line) <= SHORTLY
