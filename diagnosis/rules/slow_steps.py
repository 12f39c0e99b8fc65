"""Training runs, but steps take much longer than they did."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.advice import BY_CLASS
from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.pace.changes import timed_series
from logtui.diagnosis.pace.slow_ranks import slow_ranks
from logtui.diagnosis.rule import Claim, Rule
from logtui.diagnosis.rules.ranking import STEPS_SLOW, STEPS_WERE_SLOW
from logtui.diagnosis.steps import slow_spans
from logtui.parsers.pattern import FailureClass

BLOCKS = 2
"""Slow blocks of five steps before it is said: one alone is a checkpoint or an evaluation."""

FEW = 2
"""More slow ranks than that single out nobody."""


def _find(facts: Facts) -> Iterator[Claim]:
    found = timed_series(facts.case, facts.steps)
    if found is not None:
        series, counted = found
        spans = [s for s in slow_spans(series, counted) if s.last - s.first >= 5 * BLOCKS - 1]
        if not spans:
            return
        slow = slow_ranks(facts)
        worst = max(spans, key=lambda s: s.ratio)
        lasting = int(series.steps[-1]) <= worst.last + 10
        record = facts.case.records[worst.row]
        evidence = cite(facts.case, record)
        yield Claim(
            title=f"steps {worst.first}–{worst.last} took {worst.ratio + 1:.1f} times the best",
            cls=FailureClass.SLOW_TRAINING,
            first=evidence,
            order=(record.time or 0.0, record.file, record.line),
            rung=STEPS_SLOW if lasting else STEPS_WERE_SLOW,
            ranks=tuple(sorted(s.rank for s in slow)) if len(slow) <= FEW else (),
            supporting=(evidence, *(s.evidence for s in slow[:FEW])),
            advice=BY_CLASS[FailureClass.SLOW_TRAINING],
            refuted="" if lasting else "the steps became fast again",
        )


RULE = Rule(
    id="slow-steps",
    title="Steps became slow",
    claim="The smoothed step time rose well above the fastest block and stayed there.",
    needs="step lines with times",
    refuted_by="the steps became fast again",
    find=_find,
    maturity="tried",
)
