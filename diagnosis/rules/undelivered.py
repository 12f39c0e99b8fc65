"""What was sent in several groups never arrived: the senders went on, and all receivers wait, on the other side of one
border between the ranks.

The root of a broadcast is done once its data is on the way. One receiver that waits may be late itself; where the
receivers of several groups do, and they are all of the other ranks' neighbours, what lies between them is at fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import Timeout
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.hangs import Hang, hangs, nothing_failed
from logtui.diagnosis.predicates.stall import start_order
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import UNDELIVERED
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass

SENT = frozenset({"BROADCAST", "SEND", "SCATTER"})
"""Operations that are over for who sends before they are for who receives."""
FEWEST, SIDES = 2, 2
"""Groups in which the same must be seen: one receiver may be at fault itself; and operations in which
their members wait."""

Parts = tuple[list[Timeout], list[Timeout]]
"""Who waits for what was sent, and who had sent it."""


def _find(facts: Facts) -> Iterator[Claim]:
    found = [(hang, parts) for hang in hangs(facts) if (parts := _parts(hang)) is not None]
    receivers, senders = ({t.rank for _, parts in found for t in parts[side]} for side in (0, 1))
    if len(found) < FEWEST or not nothing_failed(facts) or not _bordered(facts, receivers, senders):
        return
    waits = sorted((t for _, parts in found for t in parts[0]), key=lambda t: t.record.order)
    yield _claim(facts, found[0][0], waits, tuple(sorted(receivers)), tuple(sorted(senders)))


def _parts(hang: Hang) -> Parts | None:
    """The two sides of a group all of whose members wait: at what was sent, and at something later."""
    timeouts = [t for t in hang.group.timeouts.values() if t.seq is not None]
    places = sorted({t.seq for t in timeouts if t.seq is not None})
    if len(places) != SIDES or hang.absent:
        return None
    waits = [t for t in timeouts if t.seq == places[0]]
    return (waits, [t for t in timeouts if t.seq == places[1]]) if all(t.op in SENT for t in waits) else None


def _bordered(facts: Facts, receivers: set[int], senders: set[int]) -> bool:
    """Whether the two sides are of different hosts, or of ranks that follow each other where no line names hosts."""
    if receivers & senders:
        return False
    mine, others = (set(hosts_of(facts, tuple(ranks))) for ranks in (receivers, senders))
    if mine and others:
        return not mine & others
    return max(senders) < min(receivers) or max(receivers) < min(senders)


def _claim(
    facts: Facts, hang: Hang, waits: Sequence[Timeout], receivers: tuple[int, ...], senders: tuple[int, ...]
) -> Claim:
    first = waits[0]
    return Claim(
        title=f"what {named_ranks(senders)} sent never reached {named_ranks(receivers)}",
        cls=FailureClass.NETWORK,
        first=cite(facts.case, first.record, first.rank),
        order=start_order(hang.group),
        rung=UNDELIVERED,
        hosts=hosts_of(facts, receivers),
        supporting=tuple(cite(facts.case, t.record, t.rank) for t in waits[:4]),
        missing=("NCCL's log (NCCL_DEBUG=INFO) of both sides, counters of the ports between them",),
        advice=(
            Advice("infrastructure", "run the collectives' own tests (nccl-tests, rccl-tests) over just these hosts"),
        ),
    )


RULE = Rule(
    id="undelivered",
    title="What was sent never arrived",
    claim="In several groups the senders are done with an operation that all receivers still wait in.",
    needs="timeout lines with operation and number, of all members of two groups or more",
    refuted_by="anything that failed; sides that are not parted by hosts or by their ranks",
    find=_find,
    references=("NCCL's broadcast: the root is done when its sends are",),
)
