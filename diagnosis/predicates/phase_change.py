"""Whether training went over into another phase: larger inputs, another stage or data set, another task.

The time of a step and the loss then change together, which neither a slow machine nor a run that diverges brings about.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.steps import Losses, StepSeries, last_run, read_losses
from logtui.parsers.regex import regex

ANOTHER = 1.3
"""So many times as much, or as little, is another time or loss."""
ABOVE, WIDTH = 3, 300
"""Lines above a step that may announce it, and characters of one."""
_CHANGES = regex(
    r"\b(?:re-?compil|ramp|curriculum|unfreez|progressive|switch(?:ing|ed) to|grow(?:ing|n) to"
    r"|(?:stage|phase) \d{1,3}\b(?! ?/)|new (?:stage|phase))\w*"
    r"|\b(?:context|seq(?:uence)?|max)[_ -]?(?:len(?:gth)?|size|target_length)\w*[^\n]{0,20}?\d"
    r"|\b(?:image|crop|input|batch)[_ -]?(?:size|resolution)\b[^\n]{0,20}(?:->|→|\bto\b|\bnow\b) ?\d",
    re.I,
)
NEAR, LEAST = 12, 4
"""Losses on both sides that are compared, and fewer that say nothing: a loss falls over thousands of steps anyway."""


def another_pace(losses: Losses, at: int) -> bool:
    """Whether the time of a step changed where the loss did, by its own words or by the clock."""
    series, begin = losses.series, int(losses.at[at])
    told = series.ms if np.isfinite(series.ms).any() else np.diff(series.times, prepend=np.nan)
    return _differ(told[:begin], told[begin + 1 :])


def another_loss(facts: Facts, file: int, line: int) -> bool:
    """Whether the loss changed where the time of a step did: at a line of a step."""
    series = next((s for s in facts.steps if s.file == file and (s.lines == line).any()), None)
    return series is not None and _jumps(facts, series, int(np.flatnonzero(series.lines == line)[0]))


def announced(facts: Facts, file: int, line: int) -> str:
    """What a line right above says of a change in what a step does; "" where none does."""
    first = max(facts.case.first_line(file), line - ABOVE)
    texts = facts.case.bodies(file, first, line - first)
    return next((text.strip() for text in reversed(texts) if _CHANGES.search(text[:WIDTH])), "")


def _jumps(facts: Facts, series: StepSeries, begin: int) -> bool:
    first = last_run(series)
    before = read_losses(facts.case, series, max(first, begin - NEAR), begin)
    after = read_losses(facts.case, series, begin, min(len(series.steps), begin + NEAR))
    if min(len(before.values), len(after.values)) < LEAST:
        return False
    apart = before.values.max() < after.values.min() or after.values.max() < before.values.min()
    return apart and _differ(before.values, after.values)


def _differ(before: npt.NDArray[np.float64], after: npt.NDArray[np.float64]) -> bool:
    one, two = (part[np.isfinite(part) & (part > 0)] for part in (before, after))
    if not len(one) or not len(two):
        return False
    ratio = float(np.median(two) / np.median(one))
    return max(ratio, 1 / ratio) >= ANOTHER
