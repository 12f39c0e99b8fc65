"""Expressions that the user types: what they find, show and hide, and how long they may take while a frame is drawn.

Python's expressions look now and then whether a signal came in, and give way to what its handler raises; so a timer
can end them, in the main thread alone, which is where frames are drawn.
"""

from __future__ import annotations

import re
import signal
import threading
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from types import FrameType

LINES_KEPT = 200_000
"""Matching lines that can be stepped through; more are counted only."""

OUT = "!"
"""Before an expression: lines that match it are hidden."""
LIMIT_S = 0.05
"""Processor time for one line."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one step found."""

    lines: tuple[int, ...]
    """Numbers of matching lines, ascending."""
    bytes_done: int
    bytes_total: int


def compile_search(pattern: str) -> re.Pattern[str]:
    """The expression as typed; case counts only where a capital letter is in it, as in less and ripgrep.

    Raises:
        re.error: if it is not a regular expression.
    """
    flags = re.MULTILINE if any(c.isupper() for c in re.sub(r"\\.", "", pattern)) else re.MULTILINE | re.IGNORECASE
    return re.compile(pattern, flags)


@dataclass
class Matches:
    """Matching lines in order, and how far the search is."""

    regex: re.Pattern[str]
    lines: list[int] = field(default_factory=list)
    total: int = 0
    share: float = 0.0
    finished: bool = False
    failed: bool = False
    """Whether it ended early: the expression took too long."""

    def add(self, found: Found) -> None:
        """Take in one batch; batches come in two ascending runs."""
        self.total += len(found.lines)
        self.share = found.bytes_done / found.bytes_total if found.bytes_total else 1.0
        if not found.lines or len(self.lines) >= LINES_KEPT:
            return
        if not self.lines or found.lines[0] > self.lines[-1]:
            self.lines.extend(found.lines)
        elif found.lines[-1] < self.lines[0]:
            self.lines[:0] = found.lines
        else:
            for line in found.lines:
                insort(self.lines, line)

    def beyond(self, line: int, direction: int) -> int | None:
        """The next matching line, round the end of the file; None where there is none."""
        if not self.lines:
            return None
        at = bisect_right(self.lines, line) if direction > 0 else bisect_left(self.lines, line) - 1
        return self.lines[at % len(self.lines)]

    def words(self, line: int) -> str:
        """`/pattern/ 3 of 41`, with the share searched while it goes on."""
        at = bisect_left(self.lines, line)
        here = f"{at + 1} of " if at < len(self.lines) and self.lines[at] == line else ""
        searched = f" · {self.share:.0%} searched"
        going = f"{searched}, too slow" if self.failed else "" if self.finished else searched
        return f"/{self.regex.pattern}/ {here}{self.total:,}{going}"


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


_armed = False


def _on_time(signum: int, frame: FrameType | None) -> None:
    if _armed:
        raise TimeoutError


@contextmanager
def time_limit(seconds: float = LIMIT_S) -> Iterator[None]:
    """Raise TimeoutError if an expression below takes longer. Without a bound where signals are not to be had."""
    global _armed
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGVTALRM, _on_time)
    _armed = True
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        _armed = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def bounded(passes: Callable[[str], bool]) -> Callable[[str], bool]:
    """The same question about lines that are drawn; yes for all of them once one took too long."""
    too_slow = False

    def answer(text: str) -> bool:
        nonlocal too_slow
        try:
            with time_limit():
                return too_slow or passes(text)
        except TimeoutError:
            too_slow = True
            return True

    return answer


class Spotter:
    """Where an expression matches in lines that are drawn; nowhere any more once it took too long on one."""

    def __init__(self, regex: re.Pattern[str]) -> None:
        self.regex = regex
        self.too_slow = False

    def spans(self, text: str) -> list[tuple[int, int]]:
        """(start, end) of each match that is not empty."""
        if self.too_slow:
            return []
        try:
            with time_limit():
                return [m.span() for m in self.regex.finditer(text) if m.end() > m.start()]
        except TimeoutError:
            self.too_slow = True
            return []
