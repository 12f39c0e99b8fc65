"""A failure that no rule declares: one rank alone said something about trouble, or fell silent long before the rest."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.analyses import LastWords, OddLine
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.rules.ranking import ODD_LINE
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass, Role

LEAST_PEERS = 3
LEAST_SILENT_S = 60.0
LEAST_SCORE = 5.0
LAST = (float("inf"), 0, 0)
"""Whatever another rule claims comes first."""


def _find(facts: Facts) -> Iterator[Claim]:
    if facts.is_past or facts.case.share_read < 1.0 or facts.outcome.completed is not None or not _failed(facts):
        return
    odd = [o for o in facts.odd_lines.odd if _speaks(o)]
    writers = {o.ranks for o in odd}
    if len(writers) == 1:
        yield _said(facts, odd[0])
    elif not writers and (first := _silent_first(facts)) is not None:
        yield _fell_silent(facts, first)


def _failed(facts: Facts) -> bool:
    """Whether anything shows that the job failed at all."""
    bad = (Role.CAUSE, Role.SYMPTOM)
    lasting = any(e.role in bad and not facts.recovered(e.record) for e in facts.events)
    return lasting or facts.exits.failed is not None or bool(facts.collectives.stuck_groups)


def _speaks(o: OddLine) -> bool:
    """A single rank, of several, about trouble, in words that no declared format knows."""
    alone = o.said_by == 1 and len(o.ranks) == 1 and o.peers >= LEAST_PEERS
    return alone and o.severe and not o.declared and o.score >= LEAST_SCORE


def _said(facts: Facts, odd: OddLine) -> Claim:
    (rank,) = odd.ranks
    return Claim(
        title=f"undecided; rank {rank} alone, of {odd.peers}, said: {odd.evidence.text[:120]}",
        cls=FailureClass.UNKNOWN,
        first=odd.evidence,
        order=LAST,
        rung=ODD_LINE,
        ranks=odd.ranks,
        hosts=hosts_of(facts, odd.ranks),
        supporting=(odd.evidence,),
        missing=(f"a rule or a format for this line, or the stack of rank {rank} at that time",),
    )


def _silent_first(facts: Facts) -> LastWords | None:
    """The one rank that fell silent long before all others, where everybody's last words have a time."""
    words = facts.odd_lines.last_words
    timed = [w.silent_s for w in words if w.silent_s is not None]
    if len(timed) < len(words) or len(words) < LEAST_PEERS:
        return None
    spread = timed[1] - timed[-1]
    return words[0] if timed[0] - timed[1] > max(LEAST_SILENT_S, 3 * spread) else None


def _fell_silent(facts: Facts, first: LastWords) -> Claim:
    return Claim(
        title=f"undecided; rank {first.rank} fell silent {first.silent_s:.0f} s before the end, before all others",
        cls=FailureClass.UNKNOWN,
        first=first.evidence,
        order=LAST,
        rung=ODD_LINE,
        ranks=(first.rank,),
        hosts=hosts_of(facts, (first.rank,)),
        supporting=(first.evidence,),
        missing=(f"what rank {first.rank} did after it: its stack, and the kernel log of its host",),
    )


RULE = Rule(
    id="odd-line",
    title="One rank stands out",
    claim="No rule knows this failure; one rank alone spoke of trouble, or fell silent long before the others.",
    needs="lines of at least three ranks",
    refuted_by="any rule that knows the failure; more than one rank that stands out",
    find=_find,
    advice=(Advice("training", "read the named line; if it is the cause, declare a format for it"),),
    maturity="experimental",
    last_resort=True,
)
