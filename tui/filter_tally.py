"""What rules did to the lines of a file so far, in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from logtui.tui.line_rules import LineRules, OtherRanks

if TYPE_CHECKING:
    from logtui.tui.line_judge import Judged


@dataclass
class FilterTally:
    """Counts per rule."""

    rules: LineRules = field(default_factory=LineRules)
    hits: list[int] = field(default_factory=list)
    shown: int = 0
    lines: int = 0
    others: int = 0
    unsigned: int = 0
    share: float = 0.0
    """Of the file's bytes."""
    finished: bool = False
    failed: bool = False
    """Whether the rest is not judged: an expression took too long."""

    def add(self, judged: Judged) -> None:
        """Take in a stretch."""
        self.hits = [a + b for a, b in zip(self.hits or [0] * len(judged.hits), judged.hits, strict=True)]
        self.shown += int(judged.shown.sum())
        self.lines += len(judged.shown)
        self.others += judged.others
        self.unsigned += judged.unsigned
        self.share = judged.bytes_done / judged.bytes_total if judged.bytes_total else 1.0

    def words(self, *, typing: bool) -> str:
        """`in /loss/ 1,204 · out /debug/ 56 · shown 1,178 of 98,000`."""
        if self.rules.idle:
            return ""
        counts = self.hits or [0] * len(self.rules.rules)
        parts = [f"{rule.words} {count:,}" for rule, count in zip(self.rules.rules, counts, strict=True)]
        if self.rules.others is not OtherRanks.SHOWN:
            parts.append(
                f"rank {self.rules.rank} only: {self.others:,} lines of other ranks {self.rules.others.value}, "
                f"{self.unsigned:,} name none"
            )
        if self.rules.rules:
            parts.append(f"{'would leave' if typing else 'shown'} {self.shown:,} of {self.lines:,}")
        if not self.finished:
            parts.append(f"{self.share:.0%} of the file" + (", too slow for the rest" if self.failed else " so far"))
        return " · ".join(parts)
