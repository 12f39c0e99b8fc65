"""Training runs, but steps take much longer than they did."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.advice import BY_CLASS
from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.rule import Claim, Rule
from logtui.diagnosis.steps import slow_spans
from logtui.parsers.pattern import FailureClass

BLOCKS = 2
"""Slow blocks of five steps before it is said: one alone is a checkpoint or an evaluation."""


def _find(facts: Facts) -> Iterator[Claim]:
    for series in facts.steps[:1]:
        spans = [s for s in slow_spans(series) if s.last - s.first >= 5 * BLOCKS - 1]
        if not spans:
            return
        worst = max(spans, key=lambda s: s.ratio)
        lasting = int(series.steps[-1]) <= worst.last + 10
        record = facts.case.records[worst.row]
        evidence = cite(facts.case, record)
        yield Claim(
            title=f"steps {worst.first}–{worst.last} took {worst.ratio + 1:.1f} times the best",
            cls=FailureClass.SLOW_TRAINING,
            first=evidence,
            order=(record.time or 0.0, record.file, record.line),
            strength=56 if lasting else 40,
            supporting=(evidence,),
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
    maturity="experimental",
)
