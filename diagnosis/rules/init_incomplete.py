"""Ranks began to create a communicator and never finished: the job hung before its first step."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.events import is_scheduler
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.fatality import fatal_exceptions
from logtui.diagnosis.predicates.setup import Creation, largest_creation
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import INIT_INCOMPLETE
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass

FEW = 0.5
"""More unfinished ranks than this share are nobody's in particular."""


def _find(facts: Facts) -> Iterator[Claim]:
    if facts.lived or facts.outcome.completed is not None or facts.collectives.stuck_groups or fatal_exceptions(facts):
        return
    world = largest_creation(facts)
    if world is None or world.size < 2 or len(world.started) < world.size:
        return  # whose beginning is not in the files may have finished as well
    if world.left and _ended_later(facts, world):
        yield _claim(facts, world, world.left)


def _ended_later(facts: Facts, world: Creation) -> bool:
    """Whether the scheduler's word of the end is all that follows: of a job that still starts, ranks may yet finish,
    and another cause says itself why they did not."""
    last = max(r.line for r in world.started.values())
    files = {r.file for r in world.started.values()}
    later = [e for e in facts.causes if e.record.file not in files or e.record.line > last]
    return bool(later) and all(is_scheduler(e) for e in later)


def _claim(facts: Facts, world: Creation, left: tuple[int, ...]) -> Claim:
    none = len(left) == world.size
    ranks = left if not none and len(left) <= FEW * world.size else ()
    first = world.started[left[0]]
    done = world.size - len(left)
    who = f"none of {world.size} ranks" if none else f"{done} of {world.size} ranks, not {named_ranks(left)},"
    lines = [cite(facts.case, world.started[r], r) for r in left[:3]]
    return Claim(
        title=f"{who} finished creating the NCCL communicator: the job hung before its first step",
        cls=FailureClass.INIT_RENDEZVOUS,
        first=lines[0],
        order=(first.time or 0.0, first.file, first.line),
        rung=INIT_INCOMPLETE,
        ranks=ranks,
        hosts=hosts_of(facts, ranks),
        supporting=(*lines, *(cite(facts.case, r, k) for k, r in list(world.complete.items())[:1])),
        missing=("the stacks of these ranks, and NCCL_DEBUG_SUBSYS=INIT,BOOTSTRAP,NET output of their hosts",),
        what=f"{named_ranks(left)} began to create the communicator and did not finish",
    )


RULE = Rule(
    id="init-incomplete",
    title="Creating the communicator never finished",
    claim="Every rank began to create the first communicator; some, or all, never finished, and no step followed.",
    needs="NCCL's `Init START` and `Init COMPLETE` lines (NCCL_DEBUG=INFO, NCCL 2.18 or later) of every rank",
    refuted_by="a step, an exception, a watchdog's timeout",
    find=_find,
    advice=(
        Advice(
            "infrastructure",
            "test the named hosts' interfaces against the others with a two-node NCCL test, and set NCCL_SOCKET_IFNAME",
        ),
    ),
    maturity="tried",
    references=("NCCL src/init.cc",),
)
