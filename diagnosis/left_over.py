"""Whose an exception without a prefix is, by elimination: all other ranks of its node timed out in a collective."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from logtui.diagnosis.collectives import Collectives
from logtui.diagnosis.exceptions import ExceptionFact
from logtui.diagnosis.identity import Identity, node_key
from logtui.diagnosis.steps import Progress
from logtui.parsers.pattern import Role

SURVIVED = ("ImportError", "ModuleNotFoundError")
"""What programs catch and print on every rank."""


def attribute(
    exceptions: Iterable[ExceptionFact], identity: Identity, collectives: Collectives, progress: Progress
) -> None:
    """Set the rank of exceptions that only one rank of the node can have raised.

    That is: raised once, before the node's first timeout, after training, where every other rank waited.
    """
    waited = collectives.timed_out
    if not waited:
        return
    lone = [e for e in exceptions if e.rank is None and not e.ignored and e.row.role is Role.CAUSE]
    often = Counter((e.record.file, e.key) for e in lone)
    for fact in lone:
        if often[fact.record.file, fact.key] > 1 or fact.traceback.root.exception.endswith(SURVIVED):
            continue
        if progress.went_on_after(fact.record, fact.until) or after_timeout(fact, collectives):
            continue
        node = _node_ranks(identity, fact)
        left = node - waited
        if len(left) == 1 and len(node) > 1:
            fact.rank = next(iter(left))


def _node_ranks(identity: Identity, fact: ExceptionFact) -> set[int]:
    key = node_key(identity.case.files[fact.record.file], fact.record)
    return {rank for (node, _), rank in identity.by_local.items() if node == key}


def after_timeout(fact: ExceptionFact, collectives: Collectives) -> bool:
    """Whether a rank's timeout stands above the exception in its file."""
    records = (t.record for g in collectives.groups.values() for t in g.timeouts.values())
    return any(r.file == fact.record.file and r.line < fact.record.line for r in records)
