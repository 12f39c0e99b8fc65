"""One collective that not all ranks called alike."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.diagnosis.flight_recorder.entry_ref import EntryRef
from logtui.diagnosis.flight_recorder.group_log import Position
from logtui.diagnosis.flight_recorder.joined import Group


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One collective that not all ranks called alike."""

    group: str
    seq: int
    kind: str
    """`type`, `size` or `dtype`: the first of them that differs; `own` if a call is wrong by itself."""
    odd_ranks: tuple[int, ...]
    """Ranks against the majority; () if there is none."""
    expected: str
    """What the majority called; "" if there is none."""
    found: tuple[tuple[str, tuple[int, ...]], ...]
    """What was called instead, and by whom."""
    stuck: bool
    """Whether it is still pending, or the last thing its ranks did."""
    note: str
    first_ns: int
    """When the first rank launched it."""
    evidence: tuple[EntryRef, ...]

    def as_dict(self) -> dict[str, object]:
        """For the report."""
        return {
            "group": self.group, "seq": self.seq, "kind": self.kind, "odd_ranks": list(self.odd_ranks),
            "expected": self.expected, "found": [{"call": c, "ranks": list(r)} for c, r in self.found],
            "stuck": self.stuck, "note": self.note, "evidence": [e.as_dict() for e in self.evidence],
        }  # fmt: skip


def is_stuck(group: Group, seq: int) -> bool:
    """Whether a collective hangs, or, where the backend hides that, is the last that some rank entered."""
    logs = group.logs.values()
    if any(log.position(seq) is Position.PENDING for log in logs):
        return True
    return any(log.silent and log.entered == seq for log in logs)


def first_ns(group: Group, seq: int) -> int:
    rows = ((log, row) for log in group.logs.values() if (row := log.row_of(seq)) is not None)
    return min((int(log.dump.entries.created_ns[row]) for log, row in rows), default=0)
