"""Finds the lines of bulk patterns, of which a third of a log may consist, with little Python for each.

A line is first looked up with all its digits alike (see `verdicts`): in a storm nearly every line was seen before,
and one table access says which patterns match. What a table cannot say is searched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from logtui.parsers.blocks import Block
from logtui.parsers.engine import Hits
from logtui.parsers.hit_lines import HitLines, find_lines
from logtui.parsers.hits import stretches
from logtui.parsers.matchers import ALIKE, OTHER, PROVEN, Matchers
from logtui.parsers.newlines import NewlineCounter
from logtui.parsers.verdicts import LONGEST, Memory, is_plain, masked

_NEW = -1

Columns = npt.NDArray[np.int64]
"""One column per (pattern, line): pattern, begin and end of the line and the last byte of a hit as indices into the
block's buffer, and the newlines of the block before the line."""
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Answer:
    """What lines that differ in digits alone have in common."""

    patterns: tuple[int, ...]
    """That match."""
    compared: tuple[tuple[int, tuple[int, int], tuple[int, int]], ...] = ()
    """(pattern, span, span) of those that match if the digits in two places are equal, or are not."""


class BulkFinder:
    """Finds and confirms the lines of bulk patterns; remembers what it confirmed. Serves one thread."""

    def __init__(self, matchers: Matchers, newlines: NewlineCounter) -> None:
        self._matchers = matchers
        self._newlines = newlines
        self._known: Memory[int] = Memory()
        self._answers: list[Answer] = []
        self._numbers: dict[Answer, int] = {}

    def find(self, block: Block, hits: Hits, kinds: npt.NDArray[np.uint8]) -> Columns:
        """The lines of a block that match a bulk pattern, once per pattern. `kinds` are those of the hits."""
        found = [np.empty((5, 0), np.int64)]
        if (some := (kinds & PROVEN) != 0).any():
            found.append(self._proven(block, hits[some]))
        looked_up, searched = (ALIKE, OTHER) if self._known.pays else (0, ALIKE | OTHER)
        if (some := (kinds & looked_up) != 0).any():
            found += self._alike(block, find_lines(block, hits[some], self._newlines))
        if (some := (kinds & searched) != 0).any():
            found.append(self._searched(block, find_lines(block, hits[some], self._newlines)))
        return np.concatenate(found, axis=1)

    def _proven(self, block: Block, hits: Hits) -> Columns:
        """Lines that match because they hold an anchor."""
        patterns = self._matchers.proven[hits & 0xFFFF]
        last = block.begin + (hits >> 16) - 1
        before, begins, ends = self._newlines.bounds(last, block.begin, block.end)
        _, first = np.unique(patterns.astype(np.int64) << 32 | before, return_index=True)
        return np.stack([c[first].astype(np.int64) for c in (patterns, begins, ends, last, before)])

    def _alike(self, block: Block, lines: HitLines) -> Iterator[Columns]:
        """Lines of patterns that treat all digits alike."""
        get = self._known.get
        answers = np.array([_NEW if line is None else get(line, _NEW) for line in lines.masked(block)])
        for line in np.flatnonzero(answers == _NEW).tolist():
            answers[line] = self._answer(block, lines, line)
        for number in np.unique(answers).tolist():
            at = np.flatnonzero(answers == number)
            yield from self._matching(block, lines, at, self._answers[number])

    def _matching(self, block: Block, lines: HitLines, at: Numbers, answer: Answer) -> Iterator[Columns]:
        for pattern in answer.patterns:
            yield _columns(block, lines, at, np.full(len(at), pattern))
        for pattern, (a, b), (c, d) in answer.compared:
            buffer, wanted = block.buffer, self._matchers.patterns[pattern].equal is not None
            begins = lines.begins[at].tolist()
            same = [(buffer[i + a : i + b] == buffer[i + c : i + d]) is wanted for i in begins]
            mine = at[np.array(same, np.bool_)]
            yield _columns(block, lines, mine, np.full(len(mine), pattern))

    def _answer(self, block: Block, lines: HitLines, line: int) -> int:
        """Search a line that was not seen before, and remember it for those like it."""
        hits, raw = lines.hits_of(line), bytes(memoryview(block.buffer)[lines.begins[line] : lines.ends[line]])
        known = self._known.get(masked(raw)) if len(raw) <= LONGEST else None
        if known is not None:
            return known
        patterns, compared = [], []
        in_place = len(raw) <= LONGEST and is_plain(raw)  # places in the text are places in the line
        candidates = dict.fromkeys(p for hit in hits for p in self._matchers.alike(hit & 0xFFFF))
        for pattern in candidates:
            groups = self._matchers.patterns[pattern].compared
            if not groups or not in_place:
                texts = stretches(block, hits, self._matchers.anchor_lengths)
                if any(self._matchers.patterns[pattern].search(stretch.text) for stretch in texts):
                    patterns.append(pattern)
            elif match := self._matchers.regex(pattern).search(raw.decode("ascii")):
                compared.append((pattern, match.span(groups[0]), match.span(groups[1])))
        number = self._number_of(Answer(tuple(patterns), tuple(compared)))
        if in_place or not any(self._matchers.patterns[p].compared for p in candidates):
            self._known.learn(raw, number)
        return number

    def _number_of(self, answer: Answer) -> int:
        number = self._numbers.setdefault(answer, len(self._answers))
        if number == len(self._answers):
            self._answers.append(answer)
        return number

    def _searched(self, block: Block, lines: HitLines) -> Columns:
        """Lines of patterns that tell digits apart, or of all if remembering does not pay: each is searched."""
        users = self._matchers.others if self._known.pays else self._matchers.all_searched
        at, patterns = [], []
        for line in range(len(lines.begins)):
            hits = lines.hits_of(line)
            texts = [stretch.text for stretch in stretches(block, hits, self._matchers.anchor_lengths)]
            for pattern in dict.fromkeys(p for hit in hits for p in users(hit & 0xFFFF)):
                if any(self._matchers.patterns[pattern].search(text) for text in texts):
                    at.append(line)
                    patterns.append(pattern)
        return _columns(block, lines, np.array(at, np.int64), np.array(patterns, np.int64))


def _columns(block: Block, lines: HitLines, at: Numbers, patterns: Numbers) -> Columns:
    hits = block.begin + (lines.hits[lines.firsts[at]] >> 16) - 1
    return np.stack([patterns, lines.begins[at], lines.ends[at], hits, lines.before[at]]).astype(np.int64)
