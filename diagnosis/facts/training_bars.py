"""The bars that count training, as the end of a file shows them: which of several it is, and how far it came."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from logtui.diagnosis.facts.bars import bar_in
from logtui.parsers.regex import regex

PART = 10
"""A bar that took less than this part of the time of one that began behind it counts what comes before training."""
VARIOUS = 4
"""Different totals that were full: of various things the last one counts."""
_ELAPSED = regex(r"\[(?:(\d{1,4}):)?(\d{1,2}):(\d\d)<")
TRAINS = regex(r"train|epoch|step|iter|loss|\blr\b", re.I)
_FIGURES = regex(r"(?<![\d.:/|\s])[\d.:/|\s]++[GMK]?B?\b")
"""A label of nothing but figures says as little as none."""
_VALUES = regex(r"\b[A-Za-z]\w{0,20} ?[:=] ?-?\d+\.\d")
_OTHER = regex(
    r"eval|valid|test|load|map|download|token|sav|generat|predict|process(?!ing epochs)|captur|compil|autotun", re.I
)


def last_bar(end: Iterable[str]) -> int | None:
    """The last state of the training's bar: of several the one that leads farthest, but none that was soon full before
    another began; None where there is none."""
    end = list(end)
    bars = list(bars_of(end))
    if bars and (other := _other_work(end, bars)) is not None:
        return other
    if bars and (_inner_total(bars) or (0 < bars[-1].step < bars[-1].of and _was_full(bars, bars[-1].of))):
        return bars[-1].step
    if len({bar.of for bar in bars if bar.step == bar.of}) >= VARIOUS:
        return bars[-1].step
    lasts = {bar.of: n for n, bar in enumerate(bars)}
    longest = max(lasts, key=lambda of: bars[lasts[of]].elapsed_s, default=0)
    first = next((n for n, bar in enumerate(bars) if bar.of == longest), 0)
    spent = bars[lasts[longest]].elapsed_s if bars else 0
    before = {of for of, n in lasts.items() if n < first and bars[n].step == of and bars[n].elapsed_s * PART < spent}
    kept = lasts.keys() - before
    return bars[lasts[max(kept)]].step if kept else None


def _other_work(end: Sequence[str], bars: Sequence[Bar]) -> int | None:
    """How far the last bar is, where it counts some other work, longer than all bars without a name together: those
    count what comes before it."""
    last = next((bar for text in reversed(end) if (bar := bar_in(text))), None)
    label = last["label"] if last else ""
    if last is None or not label or of_training(last) or _OTHER.search(label):
        return None
    named = any(bar["label"] for text in end if (bar := bar_in(text)) and of_training(bar))
    spent = sum(bar.elapsed_s for bar in bars if bar.step == bar.of)
    return int(last["step"]) if not named and _elapsed_s(last) > max(spent, 1) else None


def filled_within(ends: Iterable[Sequence[str]], total: int | None, known: int) -> bool:
    """Whether the count that is known is that of a bar that filled within another one, which goes on below it."""
    if total != known:
        return False
    for end in ends:
        bars = [*bars_of(end)]
        larger = bars and bars[-1].step < bars[-1].of and bars[-1].of > total
        if larger or (bars and _inner_total(bars) == total):
            return True
    return False


def _inner_total(bars: Sequence[Bar]) -> int:
    """The total of the bar that was filled before the last one went on, which had been begun before it; else 0."""
    last = bars[-1]
    at = next((n for n in range(len(bars) - 1, -1, -1) if bars[n].of != last.of), -1)
    if at < 0 or not 0 < last.step < last.of:
        return 0
    inner, behind = bars[at], bars[at + 1]
    return inner.of if behind.elapsed_s > inner.elapsed_s > 0 and inner.step == inner.of else 0


def _was_full(bars: Sequence[Bar], of: int) -> bool:
    """Whether a bar was full before it fills again, and no larger one was drawn since: it counts an epoch."""
    first = next(n for n, bar in enumerate(bars) if bar.of == of)
    return max(bar.of for bar in bars[first:]) == of and any(bar.of == of == bar.step for bar in bars)


class Bar(NamedTuple):
    """A state of a bar that may count training."""

    step: int
    of: int
    elapsed_s: int


def bars_of(end: Iterable[str]) -> Iterator[Bar]:
    """Every state of a bar that may count training."""
    for text in end:
        bar = bar_in(text)
        if bar is not None and of_training(bar):
            yield Bar(int(bar["step"]), int(bar["of"]), _elapsed_s(bar))


def _elapsed_s(bar: re.Match[str]) -> int:
    clock = _ELAPSED.search(bar.string, bar.end("of"))
    hours, minutes, seconds = (int(part or 0) for part in clock.groups()) if clock else (0, 0, 0)
    return 3600 * hours + 60 * minutes + seconds


MANY = 2
_EPOCH = regex(r"\bep(?:och)?s?\b\W{0,4}0{0,8}(\d{1,7})\b|\b0{0,8}(\d{1,7})(?: ?/ ?\d{1,7})? epochs?\b", re.I)
_ROW = regex(r"^ {2,10}(\d{1,6})/\d{1,6} {2,12}[\d.]{1,7}[GMK]B? ")
"""Rows of a table, as YOLO prints them: the epoch, the memory, the losses, and the bar behind them."""


def epoch_of_bar(end: Iterable[str], step: int) -> int | None:
    """The epoch with which the last bar of training is labelled, if it shows a step, and others before it, some of
    them, filled and began anew with another epoch; None where that step is one of the whole run.

    Rows of a table need not be seen to begin anew: each has the bar of its epoch.
    """
    bars = [(text, bar) for text in end if (bar := bar_in(text)) and of_training(bar)]
    rows = [(int(row[1]), int(bar["step"])) for text, bar in bars if (row := _ROW.search(text))]
    told = [
        (int(found[1] or found[2]), int(bar["step"])) for _, bar in bars if (found := _EPOCH.search(bar["label"] or ""))
    ]
    states = rows or told
    lower = (after[1] - bool(rows) < before[1] for before, after in pairwise(states) if before[0] != after[0])
    return states[-1][0] if sum(lower) >= MANY and states[-1][1] == step else None


_IN_STEP = regex(r"\btraining_step\b|\bloss\.backward\(")
"""Of a traceback that begins within a step."""


def stands_at_nothing(end: Iterable[str], last: Iterable[str]) -> bool:
    """Whether the bar of training was drawn, and no state of it shows a step that was made; `last` are the last lines,
    which may tell of a step where the bar has no name."""
    bars = [bar for text in end if (bar := bar_in(text)) and of_training(bar)]
    if not bars or any(int(bar["step"]) for bar in bars):
        return False
    return bool(TRAINS.search(bars[-1]["label"] or "")) or any(map(_IN_STEP.search, last))


def begins_anew(end: Iterable[str], total: int) -> bool:
    """Whether the bar of an epoch, of the same total as the step lines, was full and has begun again behind them."""
    states = [bar.step for bar in bars_of(end) if bar.of == total]
    return total in states and states[-1] < total


def fills_anew(end: Iterable[str]) -> bool:
    """Whether the farthest of the bars without a label is full, and begins again: it counts something within a step or
    an epoch."""
    bars = [bar for text in end if (bar := bar_in(text)) is not None and not bar["label"]]
    farthest = max((int(bar["of"]) for bar in bars), default=0)
    steps = [int(bar["step"]) for bar in bars if int(bar["of"]) == farthest]
    return any(after < before == farthest for before, after in pairwise(steps))


def of_training(bar: re.Match[str]) -> bool:
    """Whether a bar's label says that it trains, or nothing else: several values of names of their own are losses."""
    label = bar["label"] or ""
    said = _FIGURES.sub("", label).strip()
    return not _OTHER.search(said) and (not said or bool(TRAINS.search(said)) or len(_VALUES.findall(label)) > 1)
