"""What earlier attempts ended of, and which ranks and hosts are to blame more than once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from logtui.diagnosis.engine import Decision, confidence, decide
from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.findings import AttemptSummary, Evidence, History, Recurring
from logtui.diagnosis.model import Verdict
from logtui.diagnosis.predicates import hosts_of

DIAGNOSED = 12
"""Attempts that are diagnosed, the last ones; a job that is preempted all night has hundreds."""
OF_THE_MACHINE = frozenset(
    {"gpu-hardware", "network", "host-oom", "storage-io", "infrastructure", "data-loading-stall"}
)
"""Classes for which another host is worth trying."""
UNDECIDED = "undecided: the files do not establish a cause"


def history(facts: Facts, verdict: Verdict) -> History:
    """Diagnose the earlier attempts of a case whose verdict is about the last one; empty for a single attempt."""
    attempts = facts.attempts
    if len(attempts) < 2:
        return History()
    past = attempts[max(0, len(attempts) - DIAGNOSED) : -1]
    told = [_summary(facts, n.number, facts.of_past(n)) for n in past]
    last = AttemptSummary(
        len(attempts), _begins(facts, len(attempts) - 1), verdict.cls, verdict.title, verdict.confidence,
        verdict.culprit_ranks, verdict.culprit_hosts or hosts_of(facts.last, verdict.culprit_ranks),
        verdict.first_evidence,
    )  # fmt: skip
    whole = (*told, last)
    return History(whole, tuple(_recurring(whole)))


def _begins(facts: Facts, number: int) -> Evidence | None:
    first = facts.attempts[number].first
    return cite(facts.case, first) if first is not None else None


def _summary(whole: Facts, number: int, facts: Facts) -> AttemptSummary:
    decision: Decision = decide(facts)
    begins = _begins(whole, number)
    if decision.winner is None:
        return AttemptSummary(number + 1, begins, "unknown", UNDECIDED, "low")
    claim = decision.winner.claim
    hosts = claim.hosts or hosts_of(facts, claim.ranks)
    return AttemptSummary(
        number + 1, begins, claim.cls.value, claim.title, confidence(decision), claim.ranks, hosts, claim.first
    )


def _recurring(attempts: Sequence[AttemptSummary]) -> Iterator[Recurring]:
    """Ranks may be given to other hosts by a restart: hosts come first."""
    blamed: dict[tuple[str, str], list[AttemptSummary]] = defaultdict(list)
    for one in attempts:
        for kind, names in (("host", one.culprit_hosts), ("rank", one.culprit_ranks)):
            for name in names:
                blamed[kind, str(name)].append(one)
    for (kind, name), told in sorted(blamed.items(), key=lambda kv: (kv[0][0], -len(kv[1]), kv[0][1])):
        if len(told) > 1:
            lines = tuple(a.evidence for a in told if a.evidence is not None)
            machine = kind == "host" and sum(a.cls in OF_THE_MACHINE for a in told) > 1
            yield Recurring(kind, name, tuple(a.number for a in told), lines, machine)
