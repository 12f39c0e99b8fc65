"""How many workers a launcher had, by how it ends: it names the process of each that failed, that it stops, or that
ended well."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from logtui.diagnosis.facts.exits import Exits, is_single_node
from logtui.diagnosis.facts.identity import Identity
from logtui.parsers.pattern import Mark
from logtui.parsers.records.record import Record

MOST = 64
"""Workers that one launcher has at most."""
HEAD_LINES, SHORTEST = 600, 24
"""Lines at the beginning of a file in which several processes say the same; characters of a line that tells."""
ENDED_WELL = "completion.deepspeed"


def roll_call(identity: Identity, exits: Exits) -> int | None:
    """The workers of the only launcher that ends them; None where it may not have named them all."""
    records = identity.case.records
    if next(records.marked(Mark.RESTARTS), None) is not None:
        return None
    well = [*records.of(ENDED_WELL)]
    ended = [*records.marked(Mark.STOPS_WORKERS, Mark.WORKER_EXIT), *well]
    if not ended or len({r.file for r in ended}) > 1 or min(r.line for r in ended) == 1:
        return None  # an excerpt may begin among them
    pids = _pids(ended) | {p.pid for p in exits.processes if p.pid is not None}
    alone = len(well) == len(ended) or is_single_node(identity)
    known = [(p.rank, p.local_rank) for p in exits.processes if p.local_rank is not None]
    highest = max((local for _, local in known), default=0)
    if _by_turns(ended):
        return None
    if not alone or not highest < len(pids) <= MOST or any(rank not in (None, local) for rank, local in known):
        return None
    return len(pids) if len(pids) > 1 or not exits.processes or _surely_one(identity, ended[0].file) else None


def _by_turns(ended: Iterable[Record]) -> bool:
    """Whether one place was taken by process after process: of several launches one after the other."""
    taken = {(r.number("local_rank"), r.number("pid")) for r in ended if Mark.WORKER_EXIT in r.pattern.marks}
    places = [place for place, pid in taken if place is not None and pid is not None]
    return len(places) > len(set(places))


def _surely_one(identity: Identity, file: int) -> bool:
    """Whether the only worker that failed was the only one: the report is whole, torchrun does not speak of each
    process, and nobody says what was just said. Others may have ended well before it."""
    records = identity.case.records
    if next(records.of("torchrun.child_failed"), None) is None or next(records.of("torchrun.omp"), None) is not None:
        return False
    head = identity.case.head(file, HEAD_LINES)
    return not any(line == again and len(line.strip()) >= SHORTEST for line, again in pairwise(head))


def _pids(records: Iterable[Record]) -> set[int]:
    found = (record.number(name) for record in records for name in ("pid", "fn_pid"))
    return {pid for pid in found if pid is not None}
