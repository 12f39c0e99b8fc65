"""Ranks that no line and no name of a file names: their numbers are worked out."""

from __future__ import annotations

import numpy as np

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.witnesses import dump_ranks
from logtui.parsers.prefix.origin import RankFrom

WORKED_OUT = (RankFrom.LOCAL, RankFrom.TASK)
"""From a local rank and how the others of its node are numbered, or from a task label."""


def guessed_ranks(facts: Facts) -> frozenset[int]:
    """Ranks that lines are only thought to be of; those without any line are none."""
    identity, rows = facts.identity, facts.case.records.rows
    named = rows["rank"][~np.isin(rows["rank_from"], WORKED_OUT)]
    stated = {int(rank) for rank in np.unique(named)} | set(dump_ranks(facts.dumps)) | {*identity.by_pid.values()}
    stated |= facts.heard.written | {f.hints.rank for f in facts.case.files if f.hints.rank is not None}
    stated |= {r for group in facts.collectives.groups.values() for r in (*group.counters, *group.timeouts)}
    return frozenset(set(facts.seen_ranks) - stated)
