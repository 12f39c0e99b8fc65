"""PyTorch's own desync report names the ranks that did not join."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.blame import hosts_of, singled_out
from logtui.diagnosis.predicates.fatality import died
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import DESYNC_REPORT
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.numbers import wholes_in
from logtui.parsers.pattern import FailureClass

PATTERNS = ("desync.never_joined", "desync.behind")


def _find(facts: Facts) -> Iterator[Claim]:
    for record in facts.case.records.of(*PATTERNS):
        named = record.fields.get("ranks", "")
        ranks = singled_out(facts, set(wholes_in(named)))
        first = cite(facts.case, record)
        yield Claim(
            title=f"{named_ranks(ranks) if ranks else 'ranks'} did not join a collective that others wait in",
            cls=FailureClass.COLLECTIVE_MISMATCH,
            first=first,
            order=record.order,
            rung=DESYNC_REPORT,
            ranks=ranks,
            hosts=hosts_of(facts, ranks),
            supporting=(first,),
            refuted=died(facts, ranks),
        )
        return


RULE = Rule(
    id="desync-report",
    title="The desync report names lagging ranks",
    claim="By PyTorch's own bookkeeping these ranks never joined, or are one collective behind.",
    needs="a desync report (TORCH_NCCL_DESYNC_DEBUG=1)",
    refuted_by="the named rank died",
    find=_find,
    references=("pytorch TORCH_NCCL_DESYNC_DEBUG",),
)
