"""Where in the program each rank is at a stuck collective: equal stacks together, the odd one first."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.diagnosis.flight_recorder.entry_ref import EntryRef, refer
from logtui.diagnosis.flight_recorder.stuck import StuckCollective
from logtui.parsers.flight_recorder.call import Stack

MAX_FRAMES = 40


@dataclass(frozen=True, slots=True)
class StackGroup:
    """Ranks that share a stack."""

    ranks: tuple[int, ...]
    stack: Stack
    """Innermost first; () if dumps hold no frames."""
    entered: bool
    """Whether it is the stack of the stuck collective; otherwise of the last thing these ranks launched."""
    example: EntryRef

    def as_dict(self) -> dict[str, object]:
        """For the report."""
        return {
            "ranks": list(self.ranks), "entered": self.entered, "stack": [str(f) for f in self.stack[:MAX_FRAMES]],
            "example": self.example.as_dict(),
        }  # fmt: skip


def group_stacks(stuck: StuckCollective) -> tuple[StackGroup, ...]:
    """Stacks of all members with a dump, the rarest first.

    Ranks that have not entered are shown where they launched something last.
    """
    found: dict[tuple[bool, Stack], list[tuple[int, int]]] = {}
    for rank, log in stuck.group.logs.items():
        row = log.row_of(stuck.seq)
        entered = row is not None
        if row is None:
            row = len(log.dump.entries) - 1
        if row >= 0 and (entered or rank in stuck.missing):
            table = log.dump.entries
            found.setdefault((entered, table.stacks[int(table.stack[row])]), []).append((rank, row))
    groups = [
        StackGroup(tuple(sorted(rank for rank, _ in places)), stack, entered, _refer(stuck, *min(places)))
        for (entered, stack), places in found.items()
    ]
    return tuple(sorted(groups, key=lambda group: (len(group.ranks), group.ranks)))


def _refer(stuck: StuckCollective, rank: int, row: int) -> EntryRef:
    return refer(stuck.group.logs[rank].dump, row)
