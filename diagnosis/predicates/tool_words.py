"""What programs that a job's script calls say where they give up: make, curl, tar, a shell that finds no command."""

from __future__ import annotations

import re
from collections.abc import Sequence

from logtui.parsers.pattern import FailureClass
from logtui.parsers.regex import regex
from logtui.parsers.structure.answers import COMMANDS, EXITS, NEAR, answers

_FIXED: tuple[tuple[re.Pattern[str], FailureClass], ...] = (
    (regex(r"^make(?:\[\d{1,3}\])?: \*\*\* (?:No rule to make target|No targets)\b"), FailureClass.CONFIG),
    (regex(r"^make(?:\[\d{1,3}\])?: \*\*\* .{0,200} Error \d"), FailureClass.SOFTWARE),
    (
        regex(r"^-- Configuring incomplete, errors occurred!|^ninja: build stopped: |^collect2: error: ld returned \d"),
        FailureClass.SOFTWARE,
    ),
    (regex(r"^error: command '.{1,200}' failed with exit (?:code|status) \d"), FailureClass.SOFTWARE),
    (regex(r": command not found$"), FailureClass.CONFIG),
    (regex(r"^\++ (?:[\w.-]{1,60}\[\d{1,6}\])?exit (?!0\b)\d{1,3}$"), FailureClass.SOFTWARE),
    (
        regex(r"^\S{1,200}: (?:not enough memory|out of memory|(?:virtual )?memory exhausted\b.{0,80})\W{0,2}$"),
        FailureClass.HOST_OOM,
    ),
    (regex(r"^(?:sha\d{1,3}|md5|b2)sum: WARNING: \d{1,9} (?:computed|listed)\b"), FailureClass.DATA),
)
"""make, CMake, ninja, GCC, setuptools, bash, interpreters and compilers without memory, coreutils' sums of files."""
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


_OF_MAKE = regex(r"^g?make(?:\[\d{1,3}\])?: \*\*\* .{0,300}\bError \d|^ninja: build stopped|^FAILED: |^collect2: error")
_OF_COMPILER = regex(
    r"(?:^|\s)(?:fatal error|[Ff]atal|error)\s{0,4}(?:[A-Z]\d{1,5})?: (?!command )|undefined reference to"
    r"|: cannot find -l"
)
WITHIN = 60
"""Lines above make's first word in which the compiler's stands."""


def first_of_build(lines: Sequence[str], at: int) -> int:
    """Where a build that make gives up at a line went wrong first: the compiler's error above make's own first word;
    the line itself where it is none of make's, or nothing stands above."""
    if not _OF_MAKE.search(lines[at]):
        return at
    first = next(n for n in range(at + 1) if _OF_MAKE.search(lines[n]))
    said = (n for n in range(max(0, first - WITHIN), first) if _OF_COMPILER.search(lines[n]))
    return next(said, first)
