"""The epoch of a step that is counted within it: `Epoch: [19][ 90/100]` tells how far a run came by its epoch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from logtui.diagnosis.facts.steps import StepSeries
from logtui.parsers.regex import regex

_WITHIN = regex(
    r"(?i)epoch\w{0,3}\W{0,4}(?P<epoch>\d{1,6})(?:/\d{1,6})?\W{0,8}(?:[a-z]{1,14}\W{0,3}){0,2}[\[( ]{0,3}"
    r"(?<!\d)(?P<step>\d{1,9}) {0,3}/ {0,3}\d{1,9}(?![\d.])"
)


def epoch_of_part(ends: Iterable[Sequence[str]], steps: Sequence[StepSeries], found: int | None) -> int | None:
    """The epoch in which a step was counted, if its counter began anew with epochs before; else the step itself."""
    if found is None or not any(s.steps[-1] == found and (np.diff(s.steps) < 0).any() for s in steps if len(s.steps)):
        return found
    told = (m for end in ends for text in end for m in _WITHIN.finditer(text))
    epochs = [int(m["epoch"]) for m in told if int(m["step"]) == found]
    return epochs[-1] if epochs else found
