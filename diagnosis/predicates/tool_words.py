"""What programs that a job's script calls say where they give up: make, curl, tar, a shell that finds no command."""

from __future__ import annotations

import re

from logtui.parsers.pattern import FailureClass
from logtui.parsers.regex import regex
from logtui.parsers.structure.answers import COMMANDS, EXITS, NEAR, answers

_FIXED: tuple[tuple[re.Pattern[str], FailureClass], ...] = (
    (regex(r"^make(?:\[\d{1,3}\])?: \*\*\* (?:No rule to make target|No targets)\b"), FailureClass.CONFIG),
    (regex(r"^make(?:\[\d{1,3}\])?: \*\*\* .{0,200} Error \d"), FailureClass.SOFTWARE),
    (regex(r"^-- Configuring incomplete, errors occurred!|^ninja: build stopped: "), FailureClass.SOFTWARE),
    (regex(r"^error: command '.{1,200}' failed with exit (?:code|status) \d"), FailureClass.SOFTWARE),
    (regex(r": command not found$"), FailureClass.CONFIG),
    (regex(r"^(?:sha\d{1,3}|md5|b2)sum: WARNING: \d{1,9} (?:computed|listed)\b"), FailureClass.DATA),
)
"""GNU make, CMake, ninja, setuptools, bash, and coreutils' sums of files."""
_SPOKEN = regex(
    r"^(?:[\w./-]{1,200}/)?(?P<name>"
    + "|".join(name for names in COMMANDS.values() for name in names)
    + r"): (?:\((?P<code>\d{1,3})\) )?(?P<said>.{1,400})$"
)
_FAILED = regex(
    r"(?i:\berror|\bfail|\bcannot\b|can't|could ?n[o']t|unable|\bEOF\b"
    r"|unexpected|invalid|corrupt|refused|denied|timed? ?out|not (?:in gzip|found|recoverable))"
)
"""Such programs also print notes, and go on."""


def tool_failed(text: str) -> FailureClass | None:
    """The class of the failure that a called program tells of itself, or None."""
    for words, cls in _FIXED:
        if words.search(text):
            return cls
    spoken = _SPOKEN.match(text)
    if spoken is None or not (spoken["code"] or _FAILED.search(spoken["said"])):
        return None
    answer = EXITS.get(spoken["name"], {}).get(int(spoken["code"] or 0)) or next(
        (said.answer for said in answers(spoken["said"])), None
    )
    return NEAR[answer] if answer is not None else next(c for c, names in COMMANDS.items() if spoken["name"] in names)
