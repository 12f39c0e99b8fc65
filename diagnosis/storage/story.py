"""The storage side of the chain: where it began, who noticed, what clients felt; by time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from logtui.diagnosis.model.report import ChainStep, TimelineEvent
from logtui.diagnosis.storage.client import ClientEvent
from logtui.diagnosis.storage.findings import StorageFindings
from logtui.diagnosis.storage.members import all_targets
from logtui.diagnosis.storage.occurrences import Occurrence
from logtui.parsers.daemons.placement import objects_in
from logtui.parsers.files.case import Case

WITNESSES = 5
"""Kinds of records of others about the daemon to blame."""
RANKS = 4
"""Ranks whose first failed request is told."""
SOON_S = 5.0
"""A client may be the first to notice, by the clocks' residual."""


def story(case: Case, storage: StorageFindings) -> tuple[ChainStep, ...]:
    """From the fault to the last rank that first felt it, in order of time; () where nothing is blamed."""
    judged = storage.judgement
    if judged.root is None and judged.effect is None:
        return ()
    shift = storage.clock.shift
    told = [_step(o, shift) for o in _occurrences(storage)]
    felt = [_felt(case, storage, e) for e in first_hurt(storage)]
    steps = sorted((*told, *felt), key=lambda s: s.time or 0.0)
    return tuple(replace(s, step=n) for n, s in enumerate(steps, 1))


def _occurrences(storage: StorageFindings) -> Iterator[Occurrence]:
    root, effect = storage.judgement.root, storage.judgement.effect
    first = root or effect
    assert first is not None, "asked only where something is blamed"
    yield first
    if effect is not None and effect is not first:
        yield effect
    kinds = {first.kind, effect.kind if effect else ""}
    for o in storage.occurrences:
        about = set(o.blamed) & set(storage.judgement.blamed)
        if about and o.cause and o.kind not in kinds and o.time >= first.time and len(kinds) < WITNESSES + 2:
            kinds.add(o.kind)
            yield o


def _step(o: Occurrence, shift_s: float) -> ChainStep:
    return ChainStep(0, o.what, o.time + shift_s, False, o.evidence, None)


def first_hurt(storage: StorageFindings) -> list[ClientEvent]:
    """The first failed request of each of some ranks since the trouble began."""
    first, known = storage.judgement.root or storage.judgement.effect, storage.clock.offset_s is not None
    since = first.time + storage.clock.shift - SOON_S if first is not None and known else 0.0
    ranks: dict[int | None, ClientEvent] = {}
    for event in storage.hurt:
        if event.time >= since:
            ranks.setdefault(event.rank, event)
    return list(ranks.values())[:RANKS]


def felt_timeline(case: Case, storage: StorageFindings) -> tuple[TimelineEvent, ...]:
    """The same first failed requests for the timeline, by the clients' own clock."""
    cited = [(e, e.cited(case)) for e in first_hurt(storage)] if storage.judgement.root else []
    return tuple(
        TimelineEvent(
            line.time, e.record.time_from.word, "worker", e.rank, felt_words(storage, e), line.file, line.line, e.zoned,
            "error",
        )
        for e, line in cited
    )  # fmt: skip


def felt_words(storage: StorageFindings, event: ClientEvent) -> str:
    """What a client felt; of a 404 while a node is away, that it proves nothing about the object."""
    who = f"rank {event.rank}" if event.rank is not None else "a client"
    root = storage.judgement.root
    away = root is not None and root.blames in ("restart", "membership", "peer")
    missing = "STATUS:404" in event.text or "404 Client Error" in event.text
    if not (away and missing and storage.judgement.blamed):
        return f"{who}: {event.title}"
    gone = storage.judgement.blamed[0]
    targets = all_targets(storage.logs)
    homes = {f"t[{o.home(targets)}]" for o in objects_in(event.text)} if targets else set()
    why = f"{gone} keeps the object" if gone in homes else "the object may well exist"
    return f"{who}: {event.title}: 404 while {gone} is away; {why}"


def _felt(case: Case, storage: StorageFindings, event: ClientEvent) -> ChainStep:
    """A traceback has no stamp of its own, and is told after what caused it."""
    root = storage.judgement.root
    time = event.time if event.raised is None or root is None else max(event.time, root.time + storage.clock.shift)
    return ChainStep(0, felt_words(storage, event), time, event.zoned, (event.cited(case),), None)
