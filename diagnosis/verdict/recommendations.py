"""What to do, and the line that calls for it: from the rule, from the lines it cites, from the class where nothing else
is known, and what would have told more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import Meaning, Recommendation
from logtui.diagnosis.predicates.data_share import data_advice
from logtui.diagnosis.predicates.hampering import hampering
from logtui.diagnosis.predicates.stall import first_timeout
from logtui.diagnosis.ranges import named_ranks
from logtui.diagnosis.rules.ranking import NOBODY_COMPLAINS
from logtui.diagnosis.verdict.advice import BY_CLASS
from logtui.diagnosis.verdict.cited_lines import declared
from logtui.diagnosis.verdict.engine import Decision, Standing
from logtui.diagnosis.verdict.rule import Claim
from logtui.diagnosis.verdict.settings import names_for, nccl_version, setting
from logtui.diagnosis.verdict.storage_signs import storage_signs
from logtui.parsers.advice import Advice, applies, fill
from logtui.parsers.pattern import FailureClass as C

if TYPE_CHECKING:
    from logtui.diagnosis.storage.fetching import StorageAdvice
    from logtui.diagnosis.storage.judgement import Judgement

MOST = 5
"""Things to do, not counting how to fetch what is missing."""
SUSPECTS_STORAGE = frozenset({C.STORAGE_IO, C.DATA_LOADING_STALL})
PACED = frozenset({C.HEALTHY, C.SLOW_TRAINING})
"""What is said of a job that trains: how fast matters then."""
HOSTS_NAMED = 4
PORTS = ("port", "wanted")
"""Groups that hold a port: the one in use, the one asked for."""


def recommendations(facts: Facts, decision: Decision) -> tuple[Recommendation, ...]:
    """Everything to do, most specific first."""
    if decision.winner is None:
        return (*_hampered(facts), *would_tell_more(facts, None))
    claim = decision.winner.claim
    if claim.rung is NOBODY_COMPLAINS:
        return (*_hampered(facts), *would_tell_more(facts, claim))
    storage = facts.storage.judgement if facts.storage and claim.cls in SUSPECTS_STORAGE else None
    of_daemons = _of_daemons(storage) if storage is not None else []
    sides = {r.side for r in of_daemons}
    specific = list(_specific(facts, decision.winner))
    specific = specific or [r for r in _of_class(facts, claim) if r.side not in sides]
    found = [*_first_of_each([*of_daemons, *specific])[:MOST], *would_tell_more(facts, claim)]
    if storage is not None and (elsewhere := _when_cleared(storage)):
        return (*(r for r in found if r.side != "storage"), *elsewhere)
    if claim.cls in PACED:
        found += data_advice(facts)
    to_fetch = storage_to_fetch(facts, claim)
    return (*found, *(to_fetch.recommendations if to_fetch else ()))


# Most jobs come without daemons: what reads their logs is imported where there are some.


def _of_daemons(storage: Judgement) -> list[Recommendation]:
    from logtui.diagnosis.storage.remedies import remedies

    return list(remedies(storage))


def _when_cleared(storage: Judgement) -> Sequence[Recommendation]:
    from logtui.diagnosis.storage.fetching import advice_when_cleared

    return advice_when_cleared(storage)


def _first_of_each(found: Iterable[Recommendation]) -> list[Recommendation]:
    return list({(r.side, r.what): r for r in reversed(list(found))}.values())[::-1]


def _specific(facts: Facts, winner: Standing) -> Iterator[Recommendation]:
    """The rule's own, then that of each cited line: of several declarations the first that calls for anything.

    Where the rule knows what to do, a line that speaks for another class is not asked: the rule has read it otherwise.
    """
    claim, general = winner.claim, values_of(facts, winner.claim)
    because, own = (claim.first,) if claim.first else (), claim.advice or winner.rule.advice
    yield from _filled(own, general, because)
    lines = [[d for d in line if not own or d.cls in (None, claim.cls)] for line in declared(facts, claim)]
    general["port"] = next((p for line in lines for d in line for n in PORTS if (p := d.values.get(n))), "")
    for line in lines:
        told = (tuple(_filled(d.advice, {**general, **d.values}, (d.evidence,))) for d in line)
        yield from next(filter(None, told), ())


def _of_class(facts: Facts, claim: Claim) -> Iterator[Recommendation]:
    general = values_of(facts, claim)
    raised = next((d.values for line in declared(facts, claim) for d in line if d.values.get("raised")), {})
    because = (claim.first,) if claim.first else ()
    told = {name: raised.get(name, "") for name in ("where", "raised")}
    yield from _filled(BY_CLASS.get(claim.cls, ()), {**general, **told}, because)


def _hampered(facts: Facts) -> Iterator[Recommendation]:
    """Where nothing else is known: conditions under which a job runs worse than it was meant to."""
    for record in hampering(facts):
        host = {"host": facts.identity.host_of(record) or ""}
        values = values_of(facts, None) | host | record.pattern.values(record.fields)
        yield from _filled(record.pattern.advice, values, (cite(facts.case, record),))


def _filled(
    advice: Iterable[Advice], values: Mapping[str, str], because: tuple[Evidence, ...]
) -> Iterator[Recommendation]:
    for one in advice:
        if applies(one, values) and (text := fill(one.what, values)):
            yield Recommendation(one.side, text, because)


def values_of(facts: Facts, claim: Claim | None) -> dict[str, str]:
    """What advice of any line can be filled in with."""
    values = {"nccl": nccl_version(facts) or "", "pytorch": facts.job.pytorch or "", **names_for(facts.job.pytorch)}
    if _expandable_already(facts):
        values["allocator"] = ""
    if claim is not None:
        values |= {
            "host": ", ".join(claim.hosts[:HOSTS_NAMED]) if len(claim.hosts) <= HOSTS_NAMED else "",
            "rank": named_ranks(claim.ranks) if claim.ranks else "",
            "line": claim.first.place if claim.first else "",
            "object": _object_in(claim.first.text) if claim.first else "",
        }
    return values


_OBJECT = re.compile(
    r"[a-z][a-z0-9+]{1,10}://[^\s'\"<>|,;)\]]{3,200}|(?<![\w:/.])/[\w.-]{1,80}(?:/[\w.=-]{1,120}){1,20}"
)


def _object_in(text: str) -> str:
    """The first URL or absolute path that a line names; "" where it names none."""
    found = _OBJECT.search(text)
    return found[0].rstrip(".:") if found else ""


def _expandable_already(facts: Facts) -> bool:
    """Whether the allocator is told to use expandable segments."""
    return any(
        "expandable_segments" in r.fields.get("value", "") for r in facts.case.records.of("environment.allocator")
    )


def meanings(facts: Facts, claim: Claim) -> tuple[Meaning, ...]:
    """What the cited lines mean, in the words declared for them: of each line those of what decides about it."""
    told = (next(((n, d) for d in line if (n := fill(d.note, d.values))), None) for line in declared(facts, claim))
    return tuple(Meaning(found[0], (found[1].evidence,)) for found in told if found is not None)


def storage_to_fetch(facts: Facts, claim: Claim) -> StorageAdvice | None:
    """Which daemon logs to fetch, where storage is suspected and they are not there."""
    if facts.storage is not None or claim.cls not in SUSPECTS_STORAGE:
        return None
    from logtui.diagnosis.storage.fetching import advice_without_logs
    from logtui.diagnosis.storage.suspects import Suspect

    signs = storage_signs(facts, claim)
    told, names = (signs.cited, signs.servers) if signs else ((), ())
    return advice_without_logs(facts.case, facts.failure_window, [Suspect(r) for r in claim.ranks], told, names)


# -- What would have told more

RECORDED = (
    Advice(
        "training",
        "let the next run record its collectives: {recorder} and {on_timeout}; each rank then writes what it waits in "
        "to /tmp/nccl_trace_rank_RANK (TORCH_NCCL_DEBUG_INFO_TEMP_FILE puts that elsewhere)",
        only="pytorch<2.11",
    ),
)
COLLECTED = (
    Advice(
        "training",
        "collect the flight-recorder dumps: /tmp/nccl_trace_rank_RANK of every node, or where "
        "TORCH_NCCL_DEBUG_INFO_TEMP_FILE points, and give them to logtui beside the logs",
    ),
)
COMPARED = (
    Advice(
        "training",
        "rerun with TORCH_DISTRIBUTED_DEBUG=DETAIL: every rank then says which collective it calls, and the first that "
        "differs raises (PyTorch 1.9 and later; slow)",
    ),
)
SPOKEN = (
    Advice("infrastructure", "rerun with NCCL_DEBUG=INFO (NCCL_DEBUG_SUBSYS=INIT,NET): who reached whom, over what"),
)
OF_HANGS = frozenset({C.COLLECTIVE_MISMATCH, C.UNKNOWN, C.DATA_LOADING_STALL})
OF_LINKS = frozenset({C.NETWORK, C.GPU_HARDWARE, C.INIT_RENDEZVOUS})


def would_tell_more(facts: Facts, claim: Claim | None) -> Iterator[Recommendation]:
    """Settings that were off, where a hang is not explained by a line that states its cause."""
    groups = facts.collectives.stuck_groups
    if not groups or (claim is not None and claim.direct):
        return
    timeout, values, cls = first_timeout(groups[0]), values_of(facts, claim), claim.cls if claim else C.UNKNOWN
    because = (cite(facts.case, timeout.record, timeout.rank),)
    if facts.dumps is None:
        recorded = setting(facts, "TORCH_NCCL_TRACE_BUFFER_SIZE", "TORCH_FR_BUFFER_SIZE") not in (None, "", "0")
        wanted = [] if recorded else [r for a in RECORDED for r in _filled((a,), values, because)]
        yield from wanted or _filled(COLLECTED, values, because)
    if cls in OF_HANGS and cls is not C.DATA_LOADING_STALL and setting(facts, "TORCH_DISTRIBUTED_DEBUG") != "DETAIL":
        yield from _filled(COMPARED, values, because)
    if cls in OF_LINKS and setting(facts, "NCCL_DEBUG") not in ("INFO", "TRACE"):
        yield from _filled(SPOKEN, values, because)
