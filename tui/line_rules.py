"""What the user wants to see of a file: expressions in and out, and one rank's lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import Enum

from logtui.tui.matches import compile_search

OUT = "!"
"""Before an expression: lines that match it are hidden."""


class OtherRanks(Enum):
    """What happens to lines that another rank wrote."""

    SHOWN = "shown"
    DIMMED = "dimmed"
    HIDDEN = "hidden"

    @property
    def next(self) -> OtherRanks:
        """What the same key does next."""
        order = tuple(OtherRanks)
        return order[(order.index(self) + 1) % len(order)]


@dataclass(frozen=True, slots=True)
class LineRule:
    """One expression, as it was typed."""

    typed: str
    regex: re.Pattern[str] = field(compare=False)
    out: bool = False

    @property
    def words(self) -> str:
        """`in /loss/` or `out /debug/`."""
        return f"{'out' if self.out else 'in'} /{self.regex.pattern}/"


def parse_rule(typed: str) -> LineRule:
    """`pattern` for lines to show, `!pattern` for lines to hide; `\\!` begins a pattern with that sign.

    Raises:
        re.error: if it is not a regular expression.
    """
    out = typed.startswith(OUT)
    return LineRule(typed, compile_search(typed[len(OUT) :] if out else typed), out)


@dataclass(frozen=True, slots=True)
class LineRules:
    """A line is shown if one of the expressions *in* matches, or there are none, and none of those *out* does."""

    rules: tuple[LineRule, ...] = ()
    rank: int | None = None
    """Whose lines are wanted, where `others` says so."""
    others: OtherRanks = OtherRanks.SHOWN

    @property
    def hide(self) -> bool:
        """Whether any line may be hidden."""
        return bool(self.rules) or self.others is OtherRanks.HIDDEN

    @property
    def idle(self) -> bool:
        """Whether there is nothing to judge lines by."""
        return not self.rules and self.others is OtherRanks.SHOWN

    def toggled(self, rule: LineRule) -> LineRules:
        """With a rule, or without it if it was there."""
        if rule in self.rules:
            return replace(self, rules=tuple(r for r in self.rules if r != rule))
        return replace(self, rules=(*self.rules, rule))

    def turned(self, rank: int | None) -> LineRules:
        """The lines of other ranks than this one: dimmed, then hidden, then as they were."""
        others = self.others.next if self.others is OtherRanks.SHOWN or rank == self.rank else OtherRanks.DIMMED
        if rank is None:
            others = OtherRanks.SHOWN
        return replace(self, rank=None if others is OtherRanks.SHOWN else rank, others=others)

    def passes(self, text: str) -> bool:
        """Whether the expressions let a line through, whoever wrote it."""
        wanted = [rule for rule in self.rules if not rule.out]
        if wanted and not any(rule.regex.search(text) for rule in wanted):
            return False
        return not any(rule.regex.search(text) for rule in self.rules if rule.out)
