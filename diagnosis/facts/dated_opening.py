"""Where the lines of a run begin that stand above the one by which it is known: dated ones, behind a pause.

A run that is told by its counter, or by an opening that came again, may have said something before: `model loaded`,
the date of its launch. What belongs to it follows a pause; what belongs to the run before stands above that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from logtui.diagnosis.facts.stamped import GOES_ON, LONGEST, dated_clock, parted
from logtui.parsers.files.case import Case
from logtui.parsers.regex import regex

LINES, NEXT, SAYS = 16, 8, 12
"""Lines above that may be a run's own; lines behind its known one of which one tells the time; characters by which its
known line is known again."""
WITHIN_S = 120.0
"""Between such a line and the next dated one."""
PAUSE_S, LONGER = 60.0, 3.0
"""The least pause before them, and by how much it is longer than what they take."""
_DIGITS = re.compile(r"\d+")
_ENDED = regex(r"\b(?:completed?|finished|done|ended|exited|beendet|abgeschlossen|terminé)\b|完成|结束|完了|終了", re.I)
"""What the run before says last."""
_ANSWERED = regex(r"\bHTTP/\d[^\n]{0,24}\" [1-5]\d\d\b")
"""A server's word of one request, which it answers as long as it runs."""


def dated_opening(case: Case, file: int, line: int) -> int:
    """The first line of a run that is known by its counter, or by a line without a date: above that one, if need be."""
    first = max(case.first_line(file), line - LINES)
    above = case.bodies(file, first, line - first)
    begun = next(_clocks(case.bodies(file, line, NEXT)), None)
    at, known = line, begun
    own = next(iter(case.bodies(file, line, 1)), "")
    counted = _says(own)
    if next(_clocks([own]), None) is not None and not GOES_ON.search(own[:LONGEST].encode()):
        return line
    for number in range(line - 1, first - 1, -1):
        text = above[number - first][:LONGEST]
        clock = next(_clocks([text]), None)
        if clock is None:
            continue
        if known is not None and not 0 <= known - clock <= WITHIN_S:
            took = 0.0 if begun is None else begun - known
            return at if known - clock >= max(PAUSE_S, LONGER * took) else line
        if _says(text) == counted or _ENDED.search(text) or _ANSWERED.search(text):
            return line
        at, known = number, clock
        begun = clock if begun is None else begun
    return line


def _says(text: str) -> str:
    """How a line begins behind its stamp, digits aside: by this a counter's lines are known."""
    return _DIGITS.sub("#", parted(text[:LONGEST].encode())[0].decode(errors="replace"))[:SAYS]


def _clocks(texts: Iterable[str]) -> Iterator[float]:
    return (clock for text in texts if (clock := dated_clock(text)) is not None)
