"""The epoch of a step that is counted within it: `Epoch: [19][ 90/100]` tells how far a run came by its epoch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from logtui.diagnosis.facts.stamped import parted
from logtui.diagnosis.facts.steps import StepSeries
from logtui.parsers.files.case import Case
from logtui.parsers.records.learnt import LEARNT
from logtui.parsers.regex import regex

_WITHIN = regex(
    r"(?i)epoch\w{0,3}(?:\(\w{1,9}\))?\W{0,4}(?P<epoch>\d{1,6})(?![\d%])(?:/\d{1,6})?\W{0,8}(?:[a-z]{1,14}\W{0,3}){0,2}"
    r"[\[( ]{0,3}(?<!\d)(?P<step>\d{1,9}) {0,3}/ {0,3}\d{1,9}(?![\d.])"
)


def epoch_of_part(ends: Iterable[Sequence[str]], steps: Sequence[StepSeries], found: int | None) -> int | None:
    """The epoch in which a step was counted, if its counter began anew with epochs before; else the step itself."""
    if found is None or not any(s.steps[-1] == found and (np.diff(s.steps) < 0).any() for s in steps if len(s.steps)):
        return found
    epochs = _epochs(ends, found)
    return epochs[-1] if epochs else found


def epoch_of_whole(ends: Iterable[Sequence[str]], steps: Sequence[StepSeries]) -> int | None:
    """The last epoch, where each is told once, in a line that counts all of its steps; None where that is not so."""
    told = [epochs for s in steps if len(s.steps) and (epochs := _epochs(ends, int(s.steps[-1])))]
    return max((epochs[-1] for epochs in told if epochs[0] < epochs[-1]), default=None)


def _epochs(ends: Iterable[Sequence[str]], step: int) -> list[int]:
    """Epochs of the lines that count a step within one."""
    told = (m for end in ends for text in end for m in _WITHIN.finditer(text))
    return [int(m["epoch"]) for m in told if int(m["step"]) == step]


_HEADING = regex(
    r"(?i)^[^A-Za-z]{0,100}(?:(?:start|begin|train)\w{0,4} )?epoch\W{0,4}0{0,8}(?P<epoch>\d{1,6})"
    r"(?: ?(?:/|of) ?\d{1,6})?(?: start(?:ed|s)| begins)?[^\w%]{0,80}$"
)
OVERTAKEN, FAR = 3, 2000
"""So many epochs that begin behind a counter have left it; lines in which they do."""
BLOCK = 2
"""Lines with words that stand below a heading at least, where an epoch was done."""

ALIKE, SEVERAL = 8, 4
"""Characters by which the line below a heading is known; so many of them are alike where nothing else happens."""
_DIGITS = regex(r"\d+")


def epochs_behind(case: Case, steps: Sequence[StepSeries]) -> int | None:
    """The last epoch, where several begin behind the last step that is counted at all: that counted a part of one."""
    if len({s.file for s in steps}) != 1 or any(s.pattern != LEARNT.name for s in steps):
        return None
    last = max(int(s.lines[-1]) for s in steps)
    behind = [int(m["epoch"]) for text in case.bodies(steps[0].file, last + 1, FAR) if (m := _HEADING.search(text))]
    grows = all(one + 1 == other for one, other in pairwise(behind))
    return behind[-1] if len(behind) >= OVERTAKEN and grows else None


def only_begun(ends: Iterable[Sequence[str]], epoch: int) -> bool:
    """Whether an epoch, which is not the first, has nothing but its heading, which is the last that is said, or below
    which something else stands: others have lines of theirs."""
    return epoch > 0 and any(_ends_in_heading([*_telling(end)], epoch) for end in ends)


_HEAD = regex(r"^[^A-Za-z]{0,60}\b(?:INFO|DEBUG)\b")
"""A logger's, which says nothing of its own."""


def _telling(end: Iterable[str]) -> Iterator[str]:
    """The lines that say anything, without what a logger puts before them."""
    texts = (
        _HEAD.sub("", parted(text.encode())[0].decode(errors="replace") if "poch" in text else text) for text in end
    )
    return (text for text in texts if any(c.isalpha() for c in text))


def _ends_in_heading(told: Sequence[str], epoch: int) -> bool:
    headings = [(n, int(m["epoch"])) for n, text in enumerate(told) if (m := _HEADING.search(text))]
    if not headings or headings[-1][1] != epoch:
        return False
    last = headings[-1][0]
    if last < len(told) - 1:
        return _is_left([n for n, _ in headings], told)
    above = next((n for n, number in reversed(headings) if number < epoch), None)
    return above is not None and (last - above > BLOCK or _has_a_line_each([n for n, _ in headings], told))


def _has_a_line_each(headings: Sequence[int], told: Sequence[str]) -> bool:
    """Whether one line stands below each heading, the same but for its figures, and another one above the first."""
    shapes = [_DIGITS.sub("0", text.strip())[:ALIKE] for text in told]
    below = {shapes[n + 1] for n in headings[:-1]}
    steady = len(headings) > SEVERAL and all(other - one == BLOCK for one, other in pairwise(headings))
    return steady and len(below) == 1 and (headings[0] == 0 or shapes[headings[0] - 1] not in below)


def _is_left(headings: Sequence[int], told: Sequence[str]) -> bool:
    """Whether something else stands below the last heading than below the ones before it: the epoch was left."""
    behind = [_DIGITS.sub("0", told[n + 1].strip())[:ALIKE] for n in headings]
    return len(behind) > SEVERAL and len({*behind[-SEVERAL - 1 : -1]}) == 1 and behind[-1] not in behind[:-1]
