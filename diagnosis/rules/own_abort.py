"""A program stopped itself through MPI_Abort, and had said in plain words why."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite, cite_unknown
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.parting_words import PartingWords, words_above
from logtui.diagnosis.rules.ranking import EXIT_CODE
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.records.record import Record
from logtui.parsers.source import OF_PROGRAMS

ABORT, MOST_FILES = "openmpi.abort", 4
"""The launcher's line; output files of which one may hold the program's words."""


def _find(facts: Facts) -> Iterator[Claim]:
    lasting = (r for r in facts.case.records.of(ABORT) if not (facts.recovered(r) or facts.is_of_older_run(r)))
    record = next(lasting, None)
    if record is None or facts.is_past or (said := _said(facts, record)) is None:
        return
    words = cite_unknown(facts.case, said.line.file, said.line.line)
    rank = record.number("rank") if said.times == 1 else None
    yield Claim(
        title=f"the program aborted itself: {said.line.text[:160]}",
        cls=said.line.cls,
        first=words,
        order=(
            record.order[0],
            record.file,
            record.line - 1,
        ),  # what it said stands before, whichever stream it went to
        rung=EXIT_CODE,
        ranks=() if rank in (None, 0) else (int(rank),),
        supporting=(words, cite(facts.case, record)),
    )


def _said(facts: Facts, record: Record) -> PartingWords | None:
    """The program's words above the launcher's, or those with which another of its files ends."""
    if (above := words_above(facts, record.file, record.line)) is not None:
        return above
    others = [f for f in facts.case.files if f.kind in OF_PROGRAMS and f.index != record.file]
    ends = (words_above(facts, f.index, facts.case.line_count(f.index) + 1) for f in others[:MOST_FILES])
    return next((said for said in ends if said is not None), None)


RULE = Rule(
    id="own-abort",
    title="The program aborted itself",
    claim="A rank called MPI_Abort, and what the program said last is why.",
    needs="Open MPI's line about the abort, and plain words of a refusal above it, or at the end of another file",
    refuted_by="an exception, or a cause of any kind, that stands before",
    find=_find,
)
