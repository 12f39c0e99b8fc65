"""AIStore's own logs show a failure of storage in the minutes of the job's."""

from __future__ import annotations

from collections.abc import Iterator

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.report import HIGH, LOW, MEDIUM
from logtui.diagnosis.predicates.blame import hosts_of
from logtui.diagnosis.rules.ranking import STORAGE_LIKELY, STORAGE_POSSIBLE, STORAGE_SURE
from logtui.diagnosis.storage.judgement import Standing
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.pattern import FailureClass

FELT = 3
"""Clients' lines that a daemon's line answers, cited at most."""
RUNGS = {HIGH: STORAGE_SURE, MEDIUM: STORAGE_LIKELY, LOW: STORAGE_POSSIBLE}


def _find(facts: Facts) -> Iterator[Claim]:
    storage = facts.storage
    if storage is None or storage.judgement.standing is Standing.UNDECIDED:
        return
    judgement = storage.judgement
    first = judgement.because[0] if judgement.because else None
    ranks = tuple(sorted({link.rank for link in storage.links if link.rank is not None}))
    cleared = judgement.standing is Standing.CLEARED
    at = judgement.root.time + storage.clock.shift if judgement.root is not None else 0.0
    felt = tuple(link.client for link in storage.links if link.server is not None)[:FELT]
    yield Claim(
        title=judgement.title,
        cls=FailureClass.STORAGE_IO,
        first=first,
        order=(at, -1, 0),
        rung=RUNGS.get(judgement.confidence, STORAGE_POSSIBLE),
        ranks=() if cleared else ranks,
        hosts=() if cleared else (*judgement.blamed, *hosts_of(facts, ranks)),
        supporting=judgement.because[:6] if cleared else tuple(dict.fromkeys((*judgement.because[:6], *felt))),
        refuting=judgement.against[:4],
        refuted=f"storage is cleared: {judgement.title}" if cleared else "",
        direct=judgement.confidence == HIGH,
        missing=judgement.missing[:6],
    )


RULE = Rule(
    id="storage-side",
    title="The storage daemons failed",
    claim="Targets or proxies report errors, pressure or restarts in the job's last minutes, and clients felt it.",
    needs="AIStore daemon logs that cover the failure",
    refuted_by="quiet daemons whose counters clear them",
    find=_find,
    references=("AIStore daemon logs, versions 3.x to 5.0",),
)
