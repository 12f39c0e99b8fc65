"""Survivors see a peer's connections close; the peer itself says nothing: it ended from outside, or its node did."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.events import Event
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.fatality import fatal_exceptions
from logtui.diagnosis.rules.ranking import PEER_LOST, TELLING
from logtui.diagnosis.verdict.rule import Advice, Claim, Rule
from logtui.parsers.pattern import FailureClass, Mark, Role

FLUSHED = "nccl_net.ib_flushed"


def _find(facts: Facts) -> Iterator[Claim]:
    if _explained(facts):
        return
    lost = [e for e in facts.events_marked(Mark.PEER_GONE) if not facts.recovered(e.record)]
    silent = _ended_without_a_word(facts) if lost else set()
    flushed = [e for e in facts.events_by_name.get(FLUSHED, ()) if not facts.recovered(e.record)]
    if silent:
        ranks = tuple(sorted(silent))
        title = "the survivors' connections closed, and the log of this rank just ends: killed, or its node lost"
        yield _claim(facts, lost, FailureClass.INFRASTRUCTURE, title, ranks)
    elif flushed:
        title = "InfiniBand operations failed, and nothing else in the files says why"
        yield _claim(facts, flushed, FailureClass.NETWORK, title, ())


def _explained(facts: Facts) -> bool:
    """Whether anything else in the files is a cause."""
    own = (e for e in facts.causes if e.weight >= TELLING and not e.name.startswith("py."))
    weighty = any(not facts.recovered(e.record) for e in own)
    return weighty or bool(fatal_exceptions(facts) or facts.exits.first_failures or facts.collectives.stuck_groups)


def _ended_without_a_word(facts: Facts) -> set[int]:
    """Ranks with a log of their own in which nothing alarming stands, while others raise the alarm."""
    alarmed = {e.rank for e in facts.events if e.role in (Role.CAUSE, Role.SYMPTOM, Role.END)}
    alarmed |= facts.collectives.timed_out | set(facts.collectives.notified)
    own = {f.hints.rank for f in facts.case.files if f.hints.rank is not None and f.size}
    silent = {r for r in own if r is not None and r not in alarmed}
    return silent if 0 < len(silent) <= len(own) / 2 else set()


def _claim(facts: Facts, events: list[Event], cls: FailureClass, title: str, ranks: tuple[int, ...]) -> Claim:
    first = cite(facts.case, events[0].record, events[0].rank)
    return Claim(
        title=title,
        cls=cls,
        first=first,
        order=events[0].order,
        rung=PEER_LOST,
        ranks=ranks,
        hosts=hosts_of(facts, ranks),
        supporting=tuple(cite(facts.case, e.record, e.rank) for e in events[:3]),
        advice=(Advice("infrastructure", "look at the peer's host: kernel log, scheduler, operator, network port"),),
        missing=("the scheduler's record and the kernel log of the peer's host",),
    )


RULE = Rule(
    id="peer-lost",
    title="A peer is gone without a word",
    claim="Connections to a process closed or failed, and that process did not say why: it did not fail by itself.",
    needs="survivors' lines about closed connections or flushed operations",
    refuted_by="any exception, exit code or cause of its own in the files",
    find=_find,
    maturity="tried",
    references=("NCCL src/misc/socket.cc, src/transport/net_ib.cc",),
)
