"""Everybody waits while one rank still fills the cache of a data set."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.fatality import died
from logtui.diagnosis.predicates.hangs import blamed
from logtui.diagnosis.predicates.preparation import unfinished_preparation
from logtui.diagnosis.predicates.stall import operation, proof, start_order, waiting_text
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import STILL_PREPARES
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass
from logtui.parsers.remedies import PREPARED_DATA


def _find(facts: Facts) -> Iterator[Claim]:
    for hang, absent in blamed(facts, "never-entered"):
        bar = unfinished_preparation(facts, hang.group)
        if bar is None:
            return
        one = (0,) if 0 in absent else absent  # by custom the main process prepares; of the others nobody was heard
        yield Claim(
            title=f"{named_ranks(one)} never entered {operation(hang.group)}: data was still being prepared",
            cls=FailureClass.DATA_LOADING_STALL,
            first=bar,
            order=start_order(hang.group),
            rung=STILL_PREPARES,
            ranks=one,
            hosts=hosts_of(facts, one),
            supporting=(bar, *proof(facts, hang.group, one)),
            refuted=died(facts, one),
            what=f"a data set was still being prepared while {waiting_text(hang.group)}",
            advice=PREPARED_DATA,
        )
        return


RULE = Rule(
    id="still-prepares",
    title="Data was prepared for longer than the others wait",
    claim="A rank that does not wait fills the cache of a data set; those that wait for it gave up.",
    needs="timeout lines of the waiting ranks, and the unfinished bar above the first of them",
    refuted_by="the rank that does not wait raised, was killed, or says itself what it did",
    find=_find,
    references=("pytorch ProcessGroupNCCL watchdog", "transformers and accelerate main_process_first"),
)
