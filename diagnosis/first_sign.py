"""The earliest line that shows a verdict's cause, where the rule that won saw only its end.

A launcher's line dates a death, a scheduler's line a node's, an exception repeats what the library had warned of:
the same process said earlier, in its own words, what went wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts import Facts
from logtui.diagnosis.findings import Evidence
from logtui.diagnosis.rule import Claim
from logtui.parsers.pattern import FailureClass, Role, Trait
from logtui.parsers.registry import registry
from logtui.parsers.source import FileKind
from logtui.parsers.stamp import find_stamp

BEFORE_S = 600.0
"""An earlier sign is looked for within this time of the end."""
UNSTAMPED_S = 60.0
"""What a line without a stamp may be later than the last one above it."""
OF_HOSTS = frozenset({FailureClass.STORAGE_IO, FailureClass.HOST_OOM, FailureClass.GPU_HARDWARE})
"""Failures that the kernel sees first, and the program by their effect."""
MADE_UP_YEAR = 2000
"""For stamps without one, where only their being there matters."""


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
    elif claim.cls in OF_HOSTS and _kind(facts, claim.first) is not FileKind.KERNEL:
        yield from _of_the_host(facts, claim, others)
    elif rule == "first-exception" and claim.cls is FailureClass.CUDA_SOFTWARE:
        yield from _of_the_kernel(claim, others)


def _of_the_kernel(claim: Claim, others: list[tuple[str, Claim]]) -> Iterator[Evidence]:
    """What the GPU's own code printed before the exception that repeats it."""
    for rule, other in others:
        if rule != "declared-cause" or other.cls is not claim.cls or other.first is None or claim.first is None:
            continue
        if other.first.file == claim.first.file and other.order < claim.order:
            yield other.first


def _of_the_host(facts: Facts, claim: Claim, others: list[tuple[str, Claim]]) -> Iterator[Evidence]:
    """What the kernel said before a process told of the same; a line without a stamp has only a lower bound of time."""
    assert claim.first is not None, "asked only where there is one"
    stamped = find_stamp(claim.first.text, 0, MADE_UP_YEAR) is not None
    latest = claim.order[0] + (0.0 if stamped else UNSTAMPED_S)
    for rule, other in others:
        if rule != "declared-cause" or other.cls is not claim.cls or other.first is None:
            continue
        strangers = claim.hosts and other.hosts and not set(claim.hosts) & set(other.hosts)
        timely = not claim.order[0] or claim.order[0] - BEFORE_S <= other.order[0] <= latest
        if timely and not strangers and _kind(facts, other.first) is FileKind.KERNEL:
            yield other.first


def _kind(facts: Facts, line: Evidence) -> FileKind:
    return next((f.kind for f in facts.case.files if f.name == line.file), FileKind.UNKNOWN)


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
    areas = registry().areas_with(Trait.WARNS)
    for event in facts.events:
        warned = event.cls is FailureClass.NETWORK and event.role in (Role.CAUSE, Role.SYMPTOM)
        if warned and event.record.pattern.area in areas and event.order[0] <= claim.order[0]:
            yield cite(facts.case, event.record, event.rank)
