"""Everything the dumps of a job say, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from logtui.diagnosis.flight_recorder.clocks import Skew
from logtui.diagnosis.flight_recorder.hint import NOTHING, Hint
from logtui.diagnosis.flight_recorder.joined import Joined
from logtui.diagnosis.flight_recorder.matrix import Matrix, build_matrix
from logtui.diagnosis.flight_recorder.mismatch import Mismatch
from logtui.diagnosis.flight_recorder.stacks import StackGroup, group_stacks
from logtui.diagnosis.flight_recorder.states import RankGroupState
from logtui.diagnosis.flight_recorder.stuck import StuckCollective
from logtui.diagnosis.flight_recorder.suspects import Suspect
from logtui.parsers.flight_recorder.entries import Entry

MAX_LISTED = 64
"""Stuck collectives written to a report; one per group and pipeline stage is normal."""
WITH_STACKS = 8
"""Of those, the first ones come with their stacks."""


@dataclass(frozen=True, slots=True)
class MissingDump:
    """A rank that should have a dump. Many innocent reasons exist; guilt is one of several."""

    rank: int
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class FlightRecorderFindings:
    """What the dumps establish. Built by `analyse_dumps`; empty where there are none."""

    joined: Joined
    missing: tuple[MissingDump, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    stuck: tuple[StuckCollective, ...] = ()
    """Collectives that are some rank's oldest pending operation: those that ranks are known to hold up first, then
    those with the most ranks inside."""
    hint: Hint = NOTHING
    states: Mapping[tuple[int, str], RankGroupState] | None = None
    """By rank and group label (`name:description`)."""
    skews: tuple[Skew, ...] = ()
    span: tuple[float, float] | None = None
    """First and last launch, seconds since the epoch, UTC: dates text logs that have no year."""

    @property
    def dumps(self) -> int:
        """Dumps that could be used."""
        return len(self.joined.dumps.dumps)

    @property
    def refused(self) -> tuple[tuple[str, str], ...]:
        """Files that could not be used, and why."""
        return self.joined.dumps.refused

    @property
    def missing_ranks(self) -> tuple[int, ...]:
        """Ranks that some group lists and no dump is of."""
        return tuple(absent.rank for absent in self.missing)

    @property
    def groups(self) -> tuple[str, ...]:
        """Labels of all groups, in the order they were created."""
        return tuple(group.label for group in self.joined.groups)

    def matrix(self, group: str, last_n: int) -> Matrix:
        """Ranks × the last `last_n` collectives of the group with this label.

        Raises:
            KeyError: no such group.
        """
        found = next((g for g in self.joined.groups if g.label == group), None)
        if found is None:
            raise KeyError(group)
        return build_matrix(found, last_n)

    def entry(self, rank: int, index: int) -> Entry:
        """One entry of one rank's dump, as the matrix and the evidence cite it.

        Raises:
            KeyError: the rank has no dump.
            IndexError: its dump has no such entry.
        """
        return self.joined.dumps.by_rank[rank].entries.entry(index)

    def stacks(self, stuck: StuckCollective) -> tuple[StackGroup, ...]:
        """Where in the program the members of a stuck collective are, the rarest stack first."""
        return group_stacks(stuck)

    def as_dict(self) -> dict[str, object]:
        """The `flight_recorder` object of the report."""
        return {
            "dumps": self.dumps,
            "missing_ranks": list(self.missing_ranks),
            "mismatches": [mismatch.as_dict() for mismatch in self.mismatches],
            "suspects": [suspect.as_dict() for suspect in self.suspects],
            "refused": [{"file": file, "why": why} for file, why in self.refused],
            "missing": [{"rank": absent.rank, "why": absent.why} for absent in self.missing],
            "stuck": [_stuck_dict(stuck, n < WITH_STACKS) for n, stuck in enumerate(self.stuck[:MAX_LISTED])],
            "hint": self.hint.as_dict(),
            "skews": [skew.as_dict() for skew in self.skews],
            "span": None if self.span is None else {"first": self.span[0], "last": self.span[1]},
        }


def _stuck_dict(stuck: StuckCollective, with_stacks: bool) -> dict[str, object]:
    parts = ("waiting", "queued", "not_started", "missing", "finished", "unknown", "no_dump")
    return {
        "group": stuck.group.label,
        "seq": stuck.seq,
        "op": stuck.op,
        **{part: list(getattr(stuck, part)) for part in parts},
        "stacks": [group.as_dict() for group in group_stacks(stuck)[:4]] if with_stacks else [],
    }
