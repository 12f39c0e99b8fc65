"""Judge all lines of a file by rules, from a line on and round, in batches that can be cancelled.

What is kept is a bit per line; what is read is a block at a time, whatever the file's size.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from logtui.parsers.lines import LineReader
from logtui.parsers.writers import Labels, marked_lines
from logtui.tui.line_rules import LineRules, OtherRanks
from logtui.tui.line_search import file_blocks, matching_lines
from logtui.tui.pattern_jobs import Runner, inline
from logtui.tui.shown_lines import Mask

TOLD_S = 0.1
"""Batches are handed over no more often than that, the first one at once."""
BATCH_LINES = 1 << 20


@dataclass(frozen=True, slots=True)
class Judged:
    """A stretch of lines."""

    first: int
    shown: Mask
    """For each line from `first` on whether it is shown."""
    hits: tuple[int, ...]
    """Lines that each rule matched."""
    others: int
    """Lines of other ranks."""
    unsigned: int
    """Lines that do not say who wrote them."""
    bytes_done: int = 0
    bytes_total: int = 0


@dataclass(frozen=True, slots=True)
class JudgeJob:
    """Judges lines by rules."""

    rules: LineRules
    labels: Labels

    def __call__(self, text: str, line: int) -> Judged:
        """What the rules say of each."""
        return _judge(text, line, self.rules, self.labels)


def judge_lines(
    reader: LineReader,
    rules: LineRules,
    labels: Labels,
    start: int,
    cancelled: Callable[[], bool] = lambda: False,
    run: Runner = inline,
) -> Iterator[Judged]:
    """Yield what the rules say of each line, first of those from line `start` to the end, then of those before it.

    Raises:
        Overtime: if an expression takes too long, where `run` minds that.
    """
    pending: list[Judged] = []
    told = 0.0
    for block, answer in run(JudgeJob(rules, labels), file_blocks(reader, start), cancelled):
        judged = replace(answer, bytes_done=block.bytes_done, bytes_total=block.bytes_total)
        if pending and pending[-1].first + len(pending[-1].shown) != judged.first:
            yield _joined(pending)
            pending = []
        pending.append(judged)
        if time.monotonic() - told >= TOLD_S or sum(len(p.shown) for p in pending) >= BATCH_LINES:
            yield _joined(pending)
            pending, told = [], time.monotonic()
    if pending:
        yield _joined(pending)


def _joined(batches: list[Judged]) -> Judged:
    return Judged(
        batches[0].first,
        np.concatenate([b.shown for b in batches]),
        tuple(sum(column) for column in zip(*(b.hits for b in batches), strict=True)),
        sum(b.others for b in batches),
        sum(b.unsigned for b in batches),
        batches[-1].bytes_done,
        batches[-1].bytes_total,
    )


def _judge(text: str, line: int, rules: LineRules, labels: Labels) -> Judged:
    lines = text.count("\n") + (not text.endswith("\n"))
    wanted = None if any(not rule.out for rule in rules.rules) else np.ones(lines, np.bool_)
    refused, hits = np.zeros(lines, np.bool_), []
    for rule in rules.rules:
        matched = np.zeros(lines, np.bool_)
        matched[np.fromiter(matching_lines(rule.regex, text, 0), np.int64)] = True
        hits.append(int(np.count_nonzero(matched)))
        if rule.out:
            refused |= matched
        else:
            wanted = matched if wanted is None else wanted | matched
    assert wanted is not None, "with a rule for lines to show there is a set of them"
    others, unsigned = _others(text, lines, rules, labels)
    shown = wanted & ~refused
    if rules.others is OtherRanks.HIDDEN:
        shown &= ~others
    return Judged(line, shown, tuple(hits), int(np.count_nonzero(others)), unsigned)


def _others(text: str, lines: int, rules: LineRules, labels: Labels) -> tuple[Mask, int]:
    """The lines of other ranks than the wanted one, and how many lines do not say whose they are."""
    others = np.zeros(lines, np.bool_)
    if rules.others is OtherRanks.SHOWN:
        return others, 0
    marked = list(marked_lines(text, labels))
    if not marked:
        return others, lines
    places, ranks = np.array(marked, np.int64).T
    ends = (
        np.array([i for i, sign in enumerate(text) if sign == "\n"], np.int64)
        if not text.isascii()
        else (np.flatnonzero(np.frombuffer(text.encode("ascii"), np.uint8) == 10))
    )
    at = np.searchsorted(ends, places)
    others[at[ranks != rules.rank]] = True
    return others, lines - len(np.unique(at))
