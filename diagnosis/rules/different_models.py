"""DDP counted the parameters of every rank: a few built another model than all others did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import DIFFERENT_MODELS
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass
from logtui.parsers.records.record import Record

SAID = "ddp.model_differs"
SHOWN = 4
"""Lines that are cited."""


def _find(facts: Facts) -> Iterator[Claim]:
    said = [r for r in facts.case.records.of(SAID) if r.number("other_params") is not None]
    params = _params(said)
    usual, most = Counter(params.values()).most_common(1)[0] if params else (0, 0)
    odd = tuple(sorted(rank for rank, count in params.items() if count != usual))
    if odd and most > len(odd):
        yield _claim(facts, said, odd, params)


def _params(said: list[Record]) -> dict[int, int]:
    """How many parameters each rank has, as it or another one says."""
    pairs = ((record.number(rank), record.number(count)) for record in said for rank, count in _PAIRS)
    return {rank: count for rank, count in pairs if rank is not None and count is not None}


_PAIRS = (("rank", "params"), ("other", "other_params"))


def _claim(facts: Facts, said: list[Record], odd: tuple[int, ...], params: dict[int, int]) -> Claim:
    lines = tuple(cite(facts.case, record) for record in sorted(said, key=lambda r: r.order)[:SHOWN])
    usual = next(count for rank, count in params.items() if rank not in odd)
    return Claim(
        title=f"{named_ranks(odd)} built another model: {params[odd[0]]} parameters, {usual} on the others",
        cls=FailureClass.COLLECTIVE_MISMATCH,
        first=lines[0],
        order=min((*(record.order for record in said), *(e.order for e in facts.exceptions if e.row.name == SAID))),
        rung=DIFFERENT_MODELS,
        ranks=odd,
        hosts=hosts_of(facts, odd),
        supporting=lines,
        direct=True,
    )


RULE = Rule(
    id="different-models",
    title="Ranks built different models",
    claim="A minority of the ranks has another number of parameters than everybody else.",
    needs="DDP's comparison of models, as three ranks or more state it",
    refuted_by="",
    find=_find,
    references=("pytorch _verify_param_shape_across_processes",),
)
