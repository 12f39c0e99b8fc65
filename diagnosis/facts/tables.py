"""Progress that stands in a table: a row of names, one of which counts training, and rows of numbers below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from logtui.parsers.regex import regex

_NAME = regex(r"#?[A-Za-z_][\w/.%()\[\]+ -]{0,40}|#")
_STEP = regex(r"(?:global[_ ]|train[_ ])?(?:i?step|iter(?:ation)?|batch|update|it)s?|#", re.I)
_EPOCH = regex(r"epochs?|e|ep|gen(?:eration)?|training_iteration", re.I)
_LEARNS = regex(
    r"loss|\blr\b|learning.rate|acc|ppl|perplexity|reward|fitness|\bscore\b|\bavg\b|\bmax\b|residual|resid\b|dt\b|cfl|tok|sec|speed|time|\btemp|press|eng\b|energy",
    re.I,
)
_OTHER = regex(r"node|host|gpu|rank|layer|param", re.I)
"""What heads a table of something else."""
_BETWEEN = regex(r"[,|;\t]")
_BLANKS = regex(r" {2,}")
APART = 4
"""Names of several words stand so far apart, if they are as many."""
_WHOLE = regex(r"\d{1,9}")
_ONE = r"[-+]?(?:\d[\d.,:e+-]*[kMGT%]?|nan|inf|-)"
_FIGURE = regex(rf"{_ONE}(?: ?(?:[/±]|\+-) ?{_ONE}| ?\({_ONE}\))?", re.I)
"""Alone, or with its spread, or of two sets: `0.69 / 75.6`, `0.69 (0.71)`."""
_MAY_COUNT, _MAY_BEGIN = ("step", "iter", "epoch", "batch", "update"), ("gen ", "gen\t", "e ", "it ")
"""What a row of names has one of, or begins with."""
MOST_CELLS, LONGEST = 40, 600


@dataclass(slots=True)
class Table:
    """One table, as it is read."""

    names: tuple[str, ...]
    at: int
    """Which column counts."""
    rows: list[tuple[int, float]] = field(default_factory=list)
    """Numbers of lines, and what their rows count."""

    @property
    def counts_steps(self) -> bool:
        """Whether it is steps that are counted, not epochs."""
        return _STEP.fullmatch(self.names[self.at]) is not None

    @property
    def loss(self) -> bool:
        """Whether a loss stands beside it."""
        return any("loss" in name.lower() for name in self.names)


class Tables:
    """Finds tables among lines that come in order. One stays open until another begins: a head is printed once."""

    def __init__(self) -> None:
        self.found: list[Table] = []

    def take(self, number: int, text: str) -> None:
        """Look at the next line."""
        if len(text) > LONGEST:
            return
        if self.found and text.lstrip(" |")[:1].isdigit():
            self._row(number, text)
        elif may_head(text) and (table := _head(text)) is not None:
            same = next((t for t in self.found if t.names == table.names), table)
            self.found = [*(t for t in self.found if t is not same and t.rows), same]

    def _row(self, number: int, text: str) -> None:
        table = self.found[-1]
        cells = _cells(text)
        cells = cells if len(cells) == len(table.names) else text.split()
        fits = len(cells) == len(table.names) and all(map(_FIGURE.fullmatch, cells))
        if fits and _WHOLE.fullmatch(cells[table.at]):
            table.rows.append((number, float(cells[table.at])))


def may_be_of_table(text: str) -> bool:
    """Whether a line may head a table or be a row of one; the same for lines that differ in digits alone."""
    return len(text) <= LONGEST and (text.lstrip(" |")[:1].isdigit() or may_head(text))


def may_head(text: str) -> bool:
    """Whether a line may head a table: without one there are no rows. Likewise."""
    if ":" in text or "=" in text or "'" in text:  # as most lines have, and no name
        return False
    low = text.lower()
    return any(map(low.__contains__, _MAY_COUNT)) or low.startswith(_MAY_BEGIN)


def _head(text: str) -> Table | None:
    """The table that a line heads: of names alone, one of them counts, and another is learnt at it."""
    names = tuple(_cells(text))
    if not 2 <= len(names) <= MOST_CELLS or not all(map(_NAME.fullmatch, names)) or any(map(_OTHER.search, names)):
        return None
    if not any(map(_LEARNS.search, names)):
        return None
    at = next(_columns(names), None)
    return None if at is None else Table(names, at)


def _columns(names: tuple[str, ...]) -> Iterator[int]:
    """Columns that count, those of steps first."""
    for counts in (_STEP, _EPOCH):
        yield from (at for at, name in enumerate(names) if counts.fullmatch(name.strip("# ")))


def _cells(text: str) -> list[str]:
    """The cells of a line: between commas, bars or tabs, or else between blanks."""
    text = text.strip(" |\t")
    if _BETWEEN.search(text):
        return [part for part in map(str.strip, _BETWEEN.split(text)) if part]
    apart = [part for part in _BLANKS.split(text) if part]
    return apart if len(apart) >= APART and any(" " in part for part in apart) else text.split()
