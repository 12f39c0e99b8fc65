"""The earliest line that shows a verdict's cause, where the rule that won saw only its end.

A launcher's line dates a death, a scheduler's line a node's, an exception repeats what the library had warned of:
the same process said earlier, in its own words, what went wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.report import Evidence
from logtui.diagnosis.rule import Claim
from logtui.parsers.pattern import FailureClass, Role

BEFORE_S = 600.0
"""An earlier sign is looked for within this time of the end."""


def with_first_sign(facts: Facts, rule: str, claim: Claim, others: Iterable[tuple[str, Claim]]) -> Claim:
    """The winning claim with the earliest line that shows its cause.

    `others` are the claims that lost but stand, earliest first, each with the id of its rule.
    """
    if claim.cls is FailureClass.HEALTHY:
        return claim
    for sign in _signs(facts, rule, claim, list(others)):
        return replace(claim, first=sign, supporting=(sign, *(e for e in claim.supporting if e != sign)))
    return claim


def _signs(facts: Facts, rule: str, claim: Claim, others: list[tuple[str, Claim]]) -> Iterator[Evidence]:
    if claim.first is None:
        yield from (o.first for _, o in others if o.first and o.cls is claim.cls and o.ranks == claim.ranks)
    elif rule == "process-exit" or (rule == "declared-cause" and claim.cls is FailureClass.INFRASTRUCTURE):
        yield from _own_words(claim, others)
    elif rule == "first-exception" and claim.cls is FailureClass.NETWORK:
        yield from _warnings(facts, claim)
    elif rule == "first-exception" and claim.cls is FailureClass.CUDA_SOFTWARE:
        yield from _of_the_kernel(claim, others)


def _of_the_kernel(claim: Claim, others: list[tuple[str, Claim]]) -> Iterator[Evidence]:
    """What the GPU's own code printed before the exception that repeats it."""
    for rule, other in others:
        if rule != "declared-cause" or other.cls is not claim.cls or other.first is None or claim.first is None:
            continue
        if other.first.file == claim.first.file and other.order < claim.order:
            yield other.first


def _own_words(claim: Claim, others: list[tuple[str, Claim]]) -> Iterator[Evidence]:
    """What the process or the node that ended complained of just before."""
    for rule, other in others:
        near = other.order < claim.order and claim.order[0] - other.order[0] <= BEFORE_S
        if rule == "declared-cause" and near and other.first is not None and _same_victim(claim, other):
            yield other.first


def _same_victim(claim: Claim, other: Claim) -> bool:
    if claim.cls is not FailureClass.INFRASTRUCTURE:
        return bool(claim.ranks) and other.ranks == claim.ranks
    if other.cls is not FailureClass.GPU_HARDWARE or not claim.hosts:
        return False
    return set(other.hosts) <= set(claim.hosts)


def _warnings(facts: Facts, claim: Claim) -> Iterator[Evidence]:
    """The library's own warning of the error that an exception repeats."""
    for event in facts.events:
        warned = event.cls is FailureClass.NETWORK and event.role in (Role.CAUSE, Role.SYMPTOM)
        if warned and event.name.startswith("nccl") and event.order[0] <= claim.order[0]:
            yield cite(facts.case, event.record, event.rank)
