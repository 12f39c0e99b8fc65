"""Who began to create the job's communicator, and who finished."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice

from logtui.diagnosis.facts.case_facts import Facts
from logtui.parsers.records.record import Record

STARTED, COMPLETE = "nccl.init_start", "nccl.init"
MOST = 65_536
"""Lines of the set-up that are looked at."""


@dataclass
class Creation:
    """One communicator, by its commId and size: the first line of each rank that began, and of each that finished."""

    size: int
    started: dict[int, Record] = field(default_factory=dict)
    complete: dict[int, Record] = field(default_factory=dict)

    @property
    def left(self) -> tuple[int, ...]:
        """Ranks that began and did not finish, ascending."""
        return tuple(sorted(set(self.started) - set(self.complete)))


def largest_creation(facts: Facts) -> Creation | None:
    """The communicator of most ranks; None where NCCL's own lines are not in the files."""
    found: dict[tuple[str, int], Creation] = {}
    for name in (STARTED, COMPLETE):
        for record in islice(facts.case.records.of(name), MOST):
            rank, size = record.number("rank"), record.number("nranks")
            if rank is None or size is None:
                continue
            one = found.setdefault((record.fields.get("comm_id", ""), size), Creation(size))
            (one.started if name == STARTED else one.complete).setdefault(rank, record)
    return max(found.values(), key=lambda c: c.size, default=None)
