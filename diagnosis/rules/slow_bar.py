"""Training runs, but its progress bar, the only clock there is, became much slower."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.advice import BY_CLASS
from logtui.diagnosis.bars import ends_in_bar, slow_bar
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.pace.changes import timed_series
from logtui.diagnosis.rule import Claim, Rule
from logtui.diagnosis.rules.at_work import OF_PROGRAMS, anything_failed, cited
from logtui.diagnosis.rules.ranking import SLOW_BAR
from logtui.parsers.pattern import FailureClass

MOST_FILES, MOST_BYTES = 4, 64 << 20
"""Files that are read, and how large; a larger job has step lines that are declared."""
BARS = ("tqdm.start", "tqdm.end")


def _find(facts: Facts) -> Iterator[Claim]:
    if facts.whole or timed_series(facts.case, facts.steps) is not None or anything_failed(facts):
        return
    files = [f.index for f in facts.case.files if f.kind in OF_PROGRAMS and f.size <= MOST_BYTES]
    begun = {record.file for record in facts.case.records.of(*BARS)}
    with_bars = [f for f in files[:MOST_FILES] if f in begun or ends_in_bar(facts.case, f)]
    slow = [bar for f in with_bars if (bar := slow_bar(facts.case, f)) is not None]
    if not slow:
        return
    worst = max(slow, key=lambda bar: bar.ratio)
    line = cited(facts, worst.file, worst.line)
    yield Claim(
        title=f"steps {worst.first}–{worst.last} took {worst.ratio:.1f} times the best, by their progress bar",
        cls=FailureClass.SLOW_TRAINING,
        first=line,
        order=(0.0, worst.file, worst.line),
        rung=SLOW_BAR,
        supporting=(line,),
        advice=BY_CLASS[FailureClass.SLOW_TRAINING],
    )


RULE = Rule(
    id="slow-bar",
    title="A progress bar became slow",
    claim="The bar's own clock shows steps that take much longer than its best ones, and stayed so.",
    needs="a tqdm bar of training and no step lines with times",
    refuted_by="any cause, echo or exception; the steps became fast again",
    find=_find,
    maturity="tried",
)
