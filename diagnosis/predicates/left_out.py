"""What a program says, in a warning of its own, that it could not do, and leaves at that."""

from __future__ import annotations

from logtui.diagnosis.facts.case_facts import Facts
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex

_LEFT_OUT = regex(
    r"(?i)^\W{0,2}(?:[\w.-]{1,24} ){0,3}warning\W{1,4}(?:\w+ ){0,6}?"
    r"(?:could not|couldn't|cannot|can't|failed|unable|skipp\w+|ignor\w+)\b.{0,120}(?:\(|\bbecause\b)"
)
"""`XAI Warning: Could not complete the explanation (Error(s) in loading state_dict`."""
BLOCK = 3
"""Lines of one message."""


def left_out(facts: Facts, record: Record) -> bool:
    """Whether a line is such a warning, or stands right below its first one."""
    above = facts.identity.case.preceding(record, BLOCK)
    return any(_LEFT_OUT.match(text) for text in (*above, record.first_line))
