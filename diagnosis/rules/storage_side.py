"""AIStore's own logs show a failure of storage in the minutes of the job's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import HIGH, LOW, MEDIUM
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.rules.ranking import STORAGE_LIKELY, STORAGE_POSSIBLE, STORAGE_SURE, STORAGE_UNDECIDED, Rung
from logtui.diagnosis.storage.standing import Standing
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass

if TYPE_CHECKING:
    from logtui.diagnosis.storage.findings import StorageFindings
    from logtui.diagnosis.storage.judgement import Judgement

FELT = 3
"""Clients' lines that a daemon's line answers, cited at most."""
MOST_LATE = 8
"""More ranks than these do not stand still for one daemon's sake alone."""
RUNGS = {HIGH: STORAGE_SURE, MEDIUM: STORAGE_LIKELY, LOW: STORAGE_POSSIBLE}


def _find(facts: Facts) -> Iterator[Claim]:
    storage = facts.storage
    if storage is None or (storage.judgement.standing is Standing.UNDECIDED and not storage.judgement.because):
        return
    from logtui.diagnosis.storage.story import felt_words, first_hurt  # most jobs come without daemons

    judgement = storage.judgement
    cleared = judgement.standing is not Standing.IMPLICATED
    hurt = [] if cleared else first_hurt(storage)
    first = hurt[0].cited(facts.case) if hurt else judgement.because[0] if judgement.because else None
    ranks = _ranks(facts, storage)
    at = judgement.root.time + storage.clock.shift if judgement.root is not None else 0.0
    felt = tuple(link.client for link in storage.links if link.server is not None)[:FELT]
    yield Claim(
        title=judgement.title,
        cls=FailureClass.STORAGE_IO,
        first=first,
        order=(at, -1, 0),
        rung=_rung(judgement),
        ranks=() if cleared else ranks,
        hosts=() if cleared else (*judgement.blamed, *hosts_of(facts, ranks)),
        supporting=_supporting(judgement, first, felt),
        refuting=judgement.against[:4],
        refuted=_why_not(judgement),
        direct=judgement.confidence == HIGH,
        unranked=not cleared,
        outlives=any(e.lost_write for e in storage.hurt),
        what=felt_words(storage, hurt[0]) if hurt else "",
        missing=judgement.missing[:6],
    )


def _ranks(facts: Facts, storage: StorageFindings) -> tuple[int, ...]:
    """The rank that stood still, where the others waited for it; several that failed alike are victims."""
    linked = {link.rank for link in storage.links if link.rank is not None}
    group = next(iter(facts.collectives.stuck_groups), None)
    if group is not None and (late := tuple(sorted(set(facts.all_ranks) - group.waiting))):
        return late if len(late) <= MOST_LATE else ()
    hurt = {e.rank for e in storage.hurt if e.rank is not None} | linked
    return tuple(hurt) if len(hurt) == 1 and len(facts.all_ranks) > 1 else ()


def _supporting(judgement: Judgement, first: Evidence | None, felt: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    if judgement.standing is not Standing.IMPLICATED:
        return judgement.because[:6]
    return tuple(dict.fromkeys((*((first,) if first else ()), *judgement.because[:6], *felt)))


def _rung(judgement: Judgement) -> Rung:
    undecided = judgement.standing is Standing.UNDECIDED
    return STORAGE_UNDECIDED if undecided else RUNGS.get(judgement.confidence, STORAGE_POSSIBLE)


def _why_not(judgement: Judgement) -> str:
    if judgement.standing is Standing.SURVIVED:
        return judgement.title
    return f"storage is cleared: {judgement.title}" if judgement.standing is Standing.CLEARED else ""


RULE = Rule(
    id="storage-side",
    title="The storage daemons failed",
    claim="Targets or proxies report errors, pressure or restarts in the job's last minutes, and clients felt it.",
    needs="AIStore daemon logs that cover the failure",
    refuted_by="quiet daemons whose counters clear them",
    find=_find,
    references=("AIStore daemon logs, versions 3.x to 5.0",),
)
