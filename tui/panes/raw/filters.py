"""The rules by which lines of the file shown are hidden or faded, judged in the background; what they did."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textual import work
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.worker import get_current_worker

from logtui.tui.panes.raw.expressions import LineRule, LineRules, OtherRanks, bounded, parse_rule
from logtui.tui.shared.wording import printable

if TYPE_CHECKING:
    from logtui.parsers.files.case import Case
    from logtui.parsers.prefix.writers import Labels
    from logtui.tui.panes.raw.judging import ChosenLines, Judged

MOST_ROWS = 3
"""As in the style sheet."""


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


class FilterBar(Widget):
    """A line that lists the rules and what they do; not there without any. The pane tells it the file and the rules."""

    words: reactive[str] = reactive("")
    """What is said."""

    @dataclass
    class Changed(Message):
        """Other lines are shown, or fade."""

        begun: bool = True
        """Whether these are the first lines by new rules."""

    @dataclass
    class Got(Message):
        """A stretch of lines was judged by some rules."""

        rules: LineRules
        judged: Judged | None
        """None at the end."""
        failed: str = ""
        """Why it ended early."""

    @dataclass
    class Labelled(Message):
        """What the labels of a file's lines mean."""

        case: Case
        file: int
        labels: Labels

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rules = LineRules()
        self._typing: LineRule | None = None
        self._case: Case | None = None
        self._file = -1
        self._labels: Labels | None = None
        """What the labels of the file's lines mean; None where that was not looked up."""
        self._start = 1
        self.shown: ChosenLines | None = None
        """The lines to show; None for all."""
        self._hides = False
        self._tally = FilterTally()

    @property
    def effective(self) -> LineRules:
        """The rules, with the one that is being typed."""
        return self.rules.toggled(self._typing) if self._typing else self.rules

    @property
    def faded(self) -> Callable[[str], bool] | None:
        """Whether a line is to be drawn faded."""
        rules, labels, typing = self.effective, self._labels or {}, self._typing is not None
        passes = bounded(rules.passes)
        dimmed = rules.others is not OtherRanks.SHOWN
        if not typing and not dimmed:
            return None
        from logtui.parsers.prefix.writers import owner  # numpy comes with it: not before the first frame

        def fade(text: str) -> bool:
            other = owner(text, labels) if dimmed else None
            return (typing and not passes(text)) or (other is not None and other != rules.rank)

        return fade

    def open(self, case: Case, file: int, start: int) -> None:
        """Judge another file, or another reading of it, from a line on."""
        if (case, file) != (self._case, self._file):
            self._labels = None
        self._case, self._file, self._start = case, file, start
        self._judge_again()

    def toggle(self, typed: str, start: int) -> None:
        """Add a rule, or take it away if it is there; none at all for an empty one."""
        self._typing = None
        try:
            rules = self.rules.toggled(parse_rule(typed)) if typed else LineRules()
        except re.error as error:
            self.notify(f"not a regular expression: {error}", severity="warning", markup=False)
            rules = self.rules
        self.set_rules(rules, start)

    def set_rules(self, rules: LineRules, start: int) -> None:
        """Show and hide by other rules."""
        self.rules, self._start = rules, start
        self._judge_again()

    def preview(self, typed: str | None, start: int) -> None:
        """Fade what a rule would hide while it is typed, and count; None when it is not typed any more."""
        self._start = start
        try:
            typing = parse_rule(typed) if typed else None
        except re.error:
            typing = None
        if typing != self._typing:
            self._typing = typing
            self._judge_again()

    def _judge_again(self) -> None:
        self.workers.cancel_group(self, "filter")
        rules = self.effective
        self._tally = FilterTally(rules)
        if rules.idle or self._case is None:
            self.shown = self._held()
        else:
            from logtui.tui.panes.raw.judging import ChosenLines

            self._hides = keep = self._typing is None and rules.hide
            self.shown = ChosenLines() if keep else self._held()
            self.call_after_refresh(self._begin, rules)
        self._say()
        self.post_message(self.Changed())

    def _begin(self, rules: LineRules) -> None:
        """The key is answered first."""
        if rules is self._tally.rules and self._case is not None:
            self.judge_file(self._case, self._file, rules, self._labels, self._start)

    def _held(self) -> ChosenLines | None:
        """The lines that are there, of a file of which a case file keeps some; None for all."""
        held = self._case.held(self._file) if self._case is not None else None
        if held is None:
            return None
        from logtui.tui.panes.raw.judging import chosen_ranges

        return chosen_ranges(held)

    @work(thread=True, exclusive=True, exit_on_error=False, group="filter", name="filter-file", description="-")
    def judge_file(self, case: Case, file: int, rules: LineRules, labels: Labels | None, start: int) -> None:
        """Judge every line, the ones on the screen first; of many records it takes a while to tell whose labels."""
        from logtui.parsers.prefix.writers import labels_of
        from logtui.tui.panes.raw.judging import judge_lines
        from logtui.tui.panes.raw.line_search import Overtime
        from logtui.tui.panes.raw.pattern_process import apart

        worker = get_current_worker()
        if labels is None:
            labels = labels_of(case, file) if rules.others is not OtherRanks.SHOWN else {}
            self.post_message(self.Labelled(case, file, labels))
        reader, failed = case.new_reader(file), ""
        try:
            for judged in judge_lines(reader, rules, labels, start, lambda: worker.is_cancelled, apart):
                self.post_message(self.Got(rules, judged))
        except Overtime as overtime:
            failed = overtime.words(" ".join(rule.words for rule in rules.rules))
        finally:
            reader.close()
        if not worker.is_cancelled:
            self.post_message(self.Got(rules, None, failed))

    def on_filter_bar_labelled(self, message: Labelled) -> None:
        """Whose lines are faded is known better."""
        message.stop()
        if (message.case, message.file) == (self._case, self._file):
            self._labels = message.labels
            if message.labels:
                self.post_message(self.Changed(begun=False))

    def on_filter_bar_got(self, message: Got) -> None:
        """Take in what was judged."""
        message.stop()
        if message.rules is not self._tally.rules:
            return
        first = not self._tally.lines
        if message.judged is None:
            self._tally.finished = not message.failed
            if message.failed:
                self._tally.failed = True
                self.notify(message.failed, severity="warning", markup=False)
        else:
            self._tally.add(message.judged)
            if self.shown is not None and self._hides:
                self.shown.choose(message.judged.first, message.judged.shown)
        self._say()
        if self._hides and message.judged is not None:
            self.post_message(self.Changed(begun=first))

    def _say(self) -> None:
        words = [self._tally.words(typing=self._typing is not None)]
        if self._case is not None and (held := self._case.held(self._file)) is not None:
            many = f"{sum(count for _, count in held):,} lines of this file"
            words.append(f"the case file holds {many}" if self._case.is_excerpt else f"only {many} are read")
        self.words = " · ".join(filter(None, words))
        self.set_class(bool(self.words), "-active")
        rows = Content(printable(self.words)).get_height({}, max(self.size.width, 1))
        if min(rows, MOST_ROWS) != self.size.height:
            self.refresh(layout=True)

    def render(self) -> str:
        """The rules and what they do."""
        return printable(self.words)
