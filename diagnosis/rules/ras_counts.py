"""NCCL's own counts show a few ranks that have launched fewer operations than all others."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.fatality import died
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import RAS_COUNTS
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.diagnosis.verdict.testimony import taken_before
from logtui.parsers.pattern import FailureClass

FEW = 0.25
"""Of all ranks: more that are behind are the usual ones, and the others are ahead."""


def _find(facts: Facts) -> Iterator[Claim]:
    for snapshot in facts.ras:
        world = snapshot.of_world(facts.expected[0], len(facts.all_ranks))
        if world is None or taken_before(snapshot, facts.collectives):
            continue
        named, count = world.behind()
        if not named or len(named) != count or count > FEW * world.size:
            continue
        yield Claim(
            title=f"{named_ranks(named)} launched fewer {', '.join(world.differing())} than the other "
            f"{world.size - count}, as NCCL counts them",
            cls=FailureClass.UNKNOWN,
            first=snapshot.evidence,
            order=(facts.collectives.stall_start or 0.0, -1, 0),
            rung=RAS_COUNTS,
            ranks=named,
            hosts=hosts_of(facts, named),
            supporting=(snapshot.evidence,),
            refuted=died(facts, named),
            missing=("what those ranks were doing: their logs, flight-recorder dumps",),
        )


RULE = Rule(
    id="ras-counts",
    title="RAS singles out ranks",
    claim="In the communicator of all ranks, NCCL counts fewer launched operations on a few of them.",
    needs="a snapshot of NCCL's RAS (`ncclras`, text or JSON), taken while the job hung",
    refuted_by="the named rank raised or was killed",
    find=_find,
    references=("NVIDIA/nccl#1911",),
)
