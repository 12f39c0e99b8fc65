"""Runs that say from where they count on: `resuming from step 2275`, `Starte bei Episode 2276`.

Behind such a line the counter of steps stands there, and before it it had been further: the run before was over,
however soon the next one came.
"""

from __future__ import annotations

import numpy as np

from logtui.diagnosis.facts.counted_anew import MOST_FALLS, series_of
from logtui.parsers.files.case import Case
from logtui.parsers.regex import regex

MOST, BETWEEN, WIDTH = 64, 60, 200
"""Falls of a counter that are looked at, the last ones; lines between two steps that are read, characters of one."""
NEAR, LEAST = 1, 10
"""The first step may be the one behind, or before, the one that is named; smaller ones stand in any line."""
_RESUMES = regex(
    r"(?i)\b(?:re-?sum|re-?stor|re-?start|(?:re-?)?load|continu|start|begin|found|reprise|charg|starte|geladen|geladene|fortgesetzt"
    r"|продолж|загруж|reanud|carga|ripres|caric)\w*[^\d\n]{0,60}(?P<step>\d{1,12})(?![\d.]\d)"
    r"|(?:恢复|加载|继续|再開|読み込)[^\d\n]{0,60}(?P<east>\d{1,12})(?![\d.]\d)"
)


def counted_on(case: Case) -> dict[int, int]:
    """Rows of step lines with which a counter stands where a line above says that it goes on; and the bytes at which
    the last line of that kind begins."""
    found: dict[int, int] = {}
    for rows in series_of(case):
        steps = case.records.rows["a"][rows]
        falls = (np.flatnonzero((steps[1:] < steps[:-1]) & (steps[1:] > 0)) + 1).tolist()
        for at in falls[-MOST:] if len(falls) <= MOST_FALLS else ():
            begin = _begins(case, int(rows[at - 1]), int(rows[at]))
            if begin is not None:
                found[int(rows[at])] = begin
    return found


def _begins(case: Case, before: int, after: int) -> int | None:
    """The byte of the last line between two steps that tells of a start at the second of them."""
    file, lines = int(case.records.rows["file"][after]), case.records.rows["line"]
    first, many = int(lines[before]) + 1, int(lines[after] - lines[before]) - 1
    if not 0 < many <= BETWEEN:
        return None
    step = int(case.records.rows["a"][after])
    texts = [text[:WIDTH] for text in case.bodies(file, first, many)]
    told = [n for n, text in enumerate(texts) if _names(text, step)] if step >= LEAST else []
    return case.reader(file).offset_of(first + told[-1]) if told else None


def _names(text: str, step: int) -> bool:
    return any(abs(int(m["step"] or m["east"]) - step) <= NEAR for m in _RESUMES.finditer(text))
