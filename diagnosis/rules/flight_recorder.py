"""Flight-recorder dumps show who never launched the operation that the others wait in, or launched another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import HIGH, LOW, MEDIUM
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.predicates.fatality import died
from logtui.diagnosis.predicates.stall import kind_of_stall, state_line
from logtui.diagnosis.rules.ranking import (
    DUMPS_LIKELY,
    DUMPS_LIKELY_NO_CLASS,
    DUMPS_SURE,
    DUMPS_SURE_NO_CLASS,
    DUMPS_WEAK,
    DUMPS_WEAK_NO_CLASS,
)
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass

if TYPE_CHECKING:
    from logtui.diagnosis.dumps.suspects import Hint

RUNGS = {
    HIGH: (DUMPS_SURE, DUMPS_SURE_NO_CLASS),
    MEDIUM: (DUMPS_LIKELY, DUMPS_LIKELY_NO_CLASS),
    LOW: (DUMPS_WEAK, DUMPS_WEAK_NO_CLASS),
}
"""By how sure the dumps are of the ranks; and where they do not tell why."""
AFTER_THE_LOGS = 1 << 40
"""Of two witnesses that say the same of one hang, the logs tell the story better."""
LOGS = "the logs of those ranks: dumps show where, seldom why"


def _find(facts: Facts) -> Iterator[Claim]:
    found = facts.dumps
    if found is None or found.hint.kind == "none":
        return
    hint = found.hint
    cls, words = _class(facts, hint)
    groups = facts.collectives.stuck_groups
    first = words or (state_line(facts, groups[0], hint.culprits[0]) if groups and hint.culprits else None)
    start = facts.collectives.stall_start or 0.0
    yield Claim(
        title=f"flight-recorder dumps: {hint.why}",
        cls=cls,
        first=first,
        order=(start, AFTER_THE_LOGS, 0),
        rung=RUNGS[hint.confidence][cls is FailureClass.UNKNOWN],
        ranks=hint.culprits,
        hosts=hosts_of(facts, hint.culprits),
        supporting=(first,) if first else (),
        refuted=died(facts, hint.culprits),
        missing=() if words or hint.cls_confidence != "low" else (LOGS,),
    )


def _class(facts: Facts, hint: Hint) -> tuple[FailureClass, Evidence | None]:
    """Dumps show where a rank is, seldom why: its last words may."""
    cls = FailureClass(hint.cls)
    if cls is not FailureClass.UNKNOWN or not hint.culprits:
        return cls, None
    stalled, words = kind_of_stall(facts, hint.culprits)
    return (stalled, words) if stalled is not None else (cls, None)


RULE = Rule(
    id="flight-recorder",
    title="Flight-recorder dumps single out ranks",
    claim="The recorded operations of all ranks, joined by group and sequence number, name who keeps whom waiting.",
    needs="flight-recorder dumps",
    refuted_by="the named rank raised or was killed",
    find=_find,
    references=("pytorch flight recorder",),
)
