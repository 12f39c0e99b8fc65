"""How many collectives a step has, so that a difference in sequence numbers can be read as steps."""

from __future__ import annotations

from collections.abc import Collection

from logtui.diagnosis.collectives import Group
from logtui.diagnosis.facts import Facts

ENOUGH_STEPS = 10
"""With fewer steps the collectives of the start weigh too much."""
MOST = 1000.0


def per_step(facts: Facts, group: Group) -> float | None:
    """Operations of a group in one step, from where it hangs and the steps done till then; None where unknown.

    NeMo has about three in its default group: gradients, the preemption flag, buffers. Numbers begin anew with a
    process, so the steps of this attempt count.
    """
    spots, steps = group.spots, [s for s in facts.steps if len(s.steps)]
    if not spots or not steps:
        return None
    done = max(s.steps.max() - s.steps.min() + 1 for s in steps)
    rate = float(spots.most_common(1)[0][0] / done)
    return rate if done >= ENOUGH_STEPS and 0.5 <= rate <= MOST else None


def distance(facts: Facts, group: Group, ranks: Collection[int]) -> str:
    """`; 4 operations behind, about 1.3 steps at 3.0 a step`, "" where that is not known or nothing."""
    rate = per_step(facts, group)
    usual = group.spots.most_common(1)[0][0] if group.spots else 0
    known = (group.counters.get(r) for r in ranks)
    reached = [c.first_pending or c.completed + 1 for c in known if c is not None and c.completed is not None]
    behind = usual - min(reached, default=usual)
    if rate is None or behind <= 0:
        return ""
    many = "operation" if behind == 1 else "operations"
    return f"; {behind} {many} behind, about {behind / rate:.1f} steps at {rate:.1f} a step"
