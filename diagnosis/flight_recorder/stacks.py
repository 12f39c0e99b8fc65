"""Where in the program each rank is at a stuck collective: equal stacks together, the odd one first."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from logtui.diagnosis.flight_recorder.entry_ref import EntryRef, refer
from logtui.diagnosis.flight_recorder.joined import Group
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
    return stacks_at(stuck.group, stuck.seq, stuck.missing)


def stacks_at(group: Group, seq: int, missing: Container[int]) -> tuple[StackGroup, ...]:
    """The same at any collective of a group."""
    found: dict[tuple[bool, Stack], list[tuple[int, int]]] = {}
    for rank, log in group.logs.items():
        row = log.row_of(seq)
        entered = row is not None
        if row is None:
            row = len(log.dump.entries) - 1
        if row >= 0 and (entered or rank in missing):
            table = log.dump.entries
            found.setdefault((entered, table.stacks[int(table.stack[row])]), []).append((rank, row))
    shared = [
        StackGroup(tuple(sorted(rank for rank, _ in places)), stack, entered, _refer(group, *min(places)))
        for (entered, stack), places in found.items()
    ]
    return tuple(sorted(shared, key=lambda found: (len(found.ranks), found.ranks)))


def _refer(group: Group, rank: int, row: int) -> EntryRef:
    return refer(group.logs[rank].dump, row)
