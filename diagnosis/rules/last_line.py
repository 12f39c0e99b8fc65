"""A file ends with an error in plain words: the program printed its exception, or a script what it lacks, and ended."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite_unknown
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.ended_later import ended_later
from logtui.diagnosis.predicates.last_line import LastLine, errors_at_the_end
from logtui.diagnosis.rules.ranking import LAST_LINE
from logtui.diagnosis.verdict.rule import Claim, Rule


def _find(facts: Facts) -> Iterator[Claim]:
    ended = facts.outcome.completed is not None and not ended_later(facts)
    if facts.is_past or facts.case.share_read < 1.0 or ended:
        return
    first = next(iter(errors_at_the_end(facts)), None)
    if first is not None:
        yield _claim(facts, first)


def _claim(facts: Facts, last: LastLine) -> Claim:
    evidence = cite_unknown(facts.case, last.file, last.line)
    return Claim(
        title=f"{last.what}: {last.text[:160]}",
        cls=last.cls,
        first=evidence,
        order=(float("inf"), last.file, last.line),
        rung=LAST_LINE,
        supporting=(evidence,),
        missing=("the traceback of this error, if the program can print it",),
    )


RULE = Rule(
    id="last-line",
    title="The last line is an error",
    claim="The last words in the files are an error's, in plain text, and nothing goes on behind them.",
    needs="a line with an error's label at the end of a file, no completion",
    refuted_by="any rule that knows the failure",
    find=_find,
    maturity="experimental",
    last_resort=True,
)
