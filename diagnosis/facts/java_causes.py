"""What a throwable of Java's was made of: the last `Caused by:` of its stack, which is where it began."""

from __future__ import annotations

import re
from itertools import takewhile

from logtui.parsers.files.case import Case
from logtui.parsers.records.record import Record

STACK = 400
"""Lines of a stack that are read."""
_OF_STACK = re.compile(r"\s+(?:at |\.\.\. \d)|Caused by: |\s*$")
_CAUSED = re.compile(r"Caused by: (?P<type>[\w.$]{1,200})(?:: (?P<message>.{1,600}))?")


def caused_by(case: Case, record: Record) -> tuple[int, str, str] | None:
    """The line, the type and the words of the exception with which another one began; None where nothing caused it."""
    below = case.following(record, STACK)[1:]
    stack = takewhile(lambda text: _OF_STACK.match(text), below)
    told = [
        (record.line + n, m["type"], m["message"] or "")
        for n, text in enumerate(stack, 1)
        if (m := _CAUSED.match(text))
    ]
    return told[-1] if told else None
