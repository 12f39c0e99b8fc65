"""One rank waits in a collective that all the others, idle and well, never called."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import WatchedGroup
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.fatality import dead_ranks
from logtui.diagnosis.predicates.hangs import blamed
from logtui.diagnosis.predicates.stall import kind_of_stall, operation, proof, start_order
from logtui.diagnosis.rules.ranking import LONE_CALLER
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass


def _find(facts: Facts) -> Iterator[Claim]:
    for hang, (rank,) in blamed(facts, RULE.id):
        yield _claim(facts, hang.group, rank, tuple(sorted(hang.absent)))
        return


def _claim(facts: Facts, group: WatchedGroup, rank: int, others: tuple[int, ...]) -> Claim:
    record = next(iter(group.timeouts.values())).record
    first = cite(facts.case, record, rank)
    kind, words = kind_of_stall(facts, others)
    dead = next((r for r in others if r in dead_ranks(facts)), None)
    refuted = f"the others were busy: {words.place}" if kind is not None and words is not None else ""
    return Claim(
        title=f"rank {rank} alone called {operation(group)}; the {len(others)} others have nothing pending",
        cls=FailureClass.COLLECTIVE_MISMATCH,
        first=first,
        order=start_order(group),
        rung=LONE_CALLER,
        ranks=(rank,),
        hosts=hosts_of(facts, (rank,)),
        supporting=(first, *proof(facts, group, others)[:3]),
        refuted=refuted or (f"rank {dead} died" if dead is not None else ""),
        missing=(f"a stack of rank {rank}: where it calls the collective",),
        advice=(Advice("training", "look for a collective inside `if rank == 0`, a callback or a logger"),),
    )


RULE = Rule(
    id="lone-caller",
    title="A collective on one rank only",
    claim="A single rank called a collective that its program does not call elsewhere.",
    needs="the timeout of one rank, and the counters of three others or more with nothing pending",
    refuted_by="the others were in the middle of something, or one of them died",
    find=_find,
    maturity="tried",
    references=("pytorch ProcessGroupNCCL, last enqueued / last completed work",),
)
