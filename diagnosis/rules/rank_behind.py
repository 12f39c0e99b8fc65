"""Ranks wait at different operations: the one whose first pending is lowest holds the others up."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import ROOTED, WatchedGroup
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.hangs import blamed
from logtui.diagnosis.predicates.stall import distance, proof, start_order
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import BEHIND, STUCK_GPU
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass


def _find(facts: Facts) -> Iterator[Claim]:
    for hang, behind in blamed(facts, RULE.id):
        yield _claim(facts, hang.group, behind)


def _claim(facts: Facts, group: WatchedGroup, behind: tuple[int, ...]) -> Claim:
    lowest, usual = sorted(group.spots)
    dead_gpu = all(_keeps_enqueuing(group, r, usual) for r in behind)
    cls = FailureClass.GPU_HARDWARE if dead_gpu else FailureClass.COLLECTIVE_MISMATCH
    who = named_ranks(behind)
    record = (group.timeouts.get(behind[0]) or group.counters[behind[0]]).record
    why = "its GPU stopped completing work while its process kept enqueuing" if dead_gpu else "it is behind the others"
    return Claim(
        title=f"{who} stuck at #{lowest} while the others wait at #{usual}: {why}",
        cls=cls,
        first=cite(facts.case, record, behind[0]),
        order=start_order(group),
        rung=STUCK_GPU if dead_gpu else BEHIND,
        ranks=behind,
        hosts=hosts_of(facts, behind),
        supporting=proof(facts, group, behind),
        missing=("the kernel log of that host (Xid lines)",) if dead_gpu else (),
        what=f"{who} still at operation #{lowest}; the others wait at #{usual}{distance(facts, group, behind)}",
    )


def _keeps_enqueuing(group: WatchedGroup, rank: int, usual: int) -> bool:
    """Whether the program is not late, but its GPU is.

    Either its pending work reaches as far as everybody else's; or it timed out itself in an operation that needs
    every rank and that the others have completed, so that it must have entered it with them.
    """
    timeout = group.timeouts.get(rank)
    if timeout is not None and timeout.op is not None and timeout.op not in ROOTED:
        return True
    counters = group.counters.get(rank)
    return counters is not None and counters.enqueued is not None and counters.enqueued >= usual


RULE = Rule(
    id="rank-behind",
    title="A rank is behind with work pending",
    claim="Its first pending operation is lower than the one all others share.",
    needs="timeouts or counters of two ranks of one group",
    refuted_by="ranks that never entered at all",
    find=_find,
)
