"""Logs, flight-recorder dumps and RAS snapshots side by side: whom each points at, and where they contradict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import Collectives, Timeout
from logtui.diagnosis.facts.witnesses import RasSnapshot
from logtui.diagnosis.model.analyses import Disagreement, Testimony, Witnesses
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.predicates.hangs import Hang, well_covered
from logtui.diagnosis.predicates.stall import spoken_timeout, waiting_text
from logtui.diagnosis.ranges import named_ranks

if TYPE_CHECKING:
    from logtui.diagnosis.dumps.groups import GroupLog
    from logtui.diagnosis.dumps.joined import JoinedGroup

LOG, DUMPS, RAS = "log", "dumps", "ras"
MAX_CITED = 4
BEFORE_S = 60.0
"""A snapshot this much older than the hang says nothing of it."""
OTHER_CLOCK_S = 12 * 3600.0
"""Stamps without a zone that differ by more than this are not of the same hang."""


def hear(facts: Facts) -> Witnesses | None:
    """Compare what there is; None where the logs are alone."""
    if facts.dumps is None and not facts.ras:
        return None
    said = [*_log(facts), *_dumps(facts), *_ras(facts)]
    return Witnesses(tuple(said), (*_states(facts), *_counts(facts), *_blame(said)))


def _log(facts: Facts) -> Iterator[Testimony]:
    for group in facts.collectives.stuck_groups[:1]:
        odd = tuple(sorted(Hang(facts, group).never_entered)) if group.world and well_covered(facts) else ()
        odd = odd if len(odd) * 2 <= len(facts.all_ranks) else ()
        first = spoken_timeout(group)
        yield Testimony(LOG, odd, waiting_text(group) + _except(odd), (cite(facts.case, first.record, first.rank),))


def _dumps(facts: Facts) -> Iterator[Testimony]:
    if facts.dumps is not None and facts.dumps.hint.kind != "none":
        yield Testimony(DUMPS, facts.dumps.hint.culprits, facts.dumps.hint.why)


def _ras(facts: Facts) -> Iterator[Testimony]:
    for snapshot in facts.ras:
        world = snapshot.of_world(facts.expected[0], len(facts.all_ranks))
        early = taken_before(snapshot, facts.collectives)
        if early or world is None:
            why = "was taken before the hang" if early else "tells of no communicator of all ranks"
            yield Testimony(RAS, (), f"the snapshot {why}", (snapshot.evidence,))
            continue
        named, count = world.behind()
        ops = ", ".join(world.differing())
        what = f"{count} of {world.size} ranks have launched fewer {ops} than others" if count else "no rank is behind"
        if world.unanswered:
            what += f"; no answer of {named_ranks(world.unanswered)}"
        odd = named if len(named) == count and count * 2 <= world.size else ()
        yield Testimony(RAS, odd, what + (f": {named_ranks(odd)}" if odd else ""), (snapshot.evidence,))


def taken_before(snapshot: RasSnapshot, collectives: Collectives) -> bool:
    """Whether a snapshot is older than the hang, as far as both are dated."""
    start = collectives.stall_start
    if snapshot.time is None or start is None:
        return False
    return BEFORE_S < start - snapshot.time < OTHER_CLOCK_S


def _except(ranks: tuple[int, ...]) -> str:
    return f", all but {named_ranks(ranks)}" if ranks else ""


def _states(facts: Facts) -> Iterator[Disagreement]:
    """Ranks whose log waits in what their dump has finished, never launched, or calls otherwise."""
    recorded = {group.name: group for group in (facts.dumps.joined.groups if facts.dumps else ())}
    for group in facts.collectives.stuck_groups:
        dumped = recorded.get(group.key)
        if dumped is None or any(log.silent for log in dumped.logs.values()):
            continue
        found: dict[str, list[Timeout]] = defaultdict(list)
        for rank, timeout in sorted(group.timeouts.items()):
            log = dumped.logs.get(rank)
            if log is not None and timeout.seq is not None and (says := _contradiction(log, timeout.seq, timeout.op)):
                found[says].append(timeout)
        for says, timeouts in found.items():
            yield _contradicted(facts, dumped, says, timeouts)


def _contradicted(facts: Facts, group: JoinedGroup, says: str, timeouts: Sequence[Timeout]) -> Disagreement:
    cited = tuple(cite(facts.case, t.record, t.rank) for t in timeouts[:MAX_CITED])
    who = named_ranks(t.rank for t in timeouts)
    numbers = sorted({t.seq for t in timeouts if t.seq is not None})
    of = f"#{numbers[0]}" if len(numbers) == 1 else f"#{numbers[0]} to #{numbers[-1]}"
    return Disagreement(f"the log of {who} timed out in {of} of {group.label}; the dump {says}", cited)


def _contradiction(log: GroupLog, seq: int, op: str | None) -> str:
    """How a rank's dump contradicts its own watchdog; "" if it does not."""
    from logtui.diagnosis.dumps.groups import Position  # most jobs come without dumps

    position = log.position(seq)
    if position is Position.DONE:
        return "has it finished: it was written later, or is of another attempt"
    if position is Position.MISSING:
        return "does not hold it: it was written before, or is of another attempt"
    row = log.row_of(seq)
    if row is None or op is None:
        return ""
    recorded = log.dump.entries.calls[int(log.dump.entries.call[row])].op
    differ = _kind(recorded) and _kind(op) and _kind(recorded) != _kind(op)
    return f"has {recorded}, not {op}" if differ else ""


_KINDS = frozenset({"ALLREDUCE", "BROADCAST", "REDUCE", "ALLGATHER", "GATHER", "SCATTER", "REDUCESCATTER", "ALLTOALL"})


def _kind(op: str) -> str:
    """`_ALLGATHER_BASE` and `all_gather` are of one kind; "" for what is not compared."""
    bare = op.upper().replace("_", "").removesuffix("BASE").removesuffix("OOP")
    return bare if bare in _KINDS else ""


def _counts(facts: Facts) -> Iterator[Disagreement]:
    """Ranks that RAS has behind the others although their own log waits inside."""
    group = next((g for g in facts.collectives.stuck_groups if g.world), None)
    for snapshot in facts.ras:
        world = snapshot.of_world(facts.expected[0], len(facts.all_ranks))
        if group is None or world is None or taken_before(snapshot, facts.collectives):
            continue
        named, _ = world.behind()
        inside = [rank for rank in named if rank in group.timeouts]
        if inside and len(inside) * 2 <= world.size:
            cited = [cite(facts.case, group.timeouts[rank].record, rank) for rank in inside[:MAX_CITED]]
            what = f"RAS has {named_ranks(inside)} behind the others; the log has it waiting with them"
            yield Disagreement(what, (snapshot.evidence, *cited))


def _blame(said: Iterable[Testimony]) -> Iterator[Disagreement]:
    """Witnesses that point at ranks of which none is the same."""
    named = [testimony for testimony in said if testimony.ranks]
    for number, one in enumerate(named):
        for other in named[number + 1 :]:
            if one.witness != other.witness and not set(one.ranks) & set(other.ranks):
                what = f"{one.witness} against {other.witness}: {named_ranks(one.ranks)}, or {named_ranks(other.ranks)}"
                yield Disagreement(what, _first_of(one.evidence) + _first_of(other.evidence))


def _first_of(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    return evidence[:1]
