"""What the dumps of a job establish, as one value, with what a screen asks of it: stacks, and charts to draw."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

from logtui.diagnosis.dumps.joined import Joined, JoinedGroup, Skew
from logtui.diagnosis.dumps.matrix import Matrix, build_matrix, build_transfers
from logtui.diagnosis.dumps.mismatch import EntryRef, Mismatch, refer
from logtui.diagnosis.dumps.suspects import NOTHING, Hint, RankGroupState, Suspect
from logtui.diagnosis.dumps.waits import StuckCollective
from logtui.parsers.dumps.dump import Entry, Stack

# -- Stacks at a stuck collective: equal ones together, the odd one first

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


def stacks_at(group: JoinedGroup, seq: int, missing: Container[int]) -> tuple[StackGroup, ...]:
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


def _refer(group: JoinedGroup, rank: int, row: int) -> EntryRef:
    return refer(group.logs[rank].dump, row)


# -- Findings

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
        "timeout_ms": _timeout_ms(stuck),
        **{part: list(getattr(stuck, part)) for part in parts},
        "stacks": [group.as_dict() for group in group_stacks(stuck)[:4]] if with_stacks else [],
    }


def _timeout_ms(stuck: StuckCollective) -> int | None:
    """The limit that those who wait gave the operation; None where their dumps do not say."""
    for rank in stuck.waiting:
        log = stuck.group.logs.get(rank)
        row = log.row_of(stuck.seq) if log is not None else None
        if log is not None and row is not None and (limit := int(log.dump.entries.timeout_ms[row])) > 0:
            return limit
    return None


# -- Charts: the collectives of each group, and its sends and receives

LAST_N = 2_000
"""Numbers drawn; what a ring holds unless it was made larger."""


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """Ranks by numbers of one group."""

    group: JoinedGroup
    transfers: bool
    """Sends and receives, not collectives."""
    pending: int
    """Ranks with something unfinished in it."""

    @property
    def label(self) -> str:
        """The group, and which of its two numberings."""
        return f"{self.group.label} send/recv" if self.transfers else self.group.label

    def matrix(self, last_n: int = LAST_N) -> Matrix:
        """The cells. O(ranks × last_n)."""
        return build_transfers(self.group, last_n) if self.transfers else build_matrix(self.group, last_n)


def charts(findings: FlightRecorderFindings) -> tuple[Chart, ...]:
    """All that is not empty: first where ranks are known to hold others up, then where most wait."""
    blamed = {id(stuck.group): -number for number, stuck in reversed(list(enumerate(findings.stuck)))}
    found = [chart for group in findings.joined.groups for chart in _of_group(group)]
    worst = -len(findings.stuck) - 1
    return tuple(sorted(found, key=lambda c: (-blamed.get(id(c.group), worst), c.transfers, -c.pending)))


def _of_group(group: JoinedGroup) -> list[Chart]:
    logs = group.logs.values()
    found = []
    if any(len(log.seq) for log in logs):
        found.append(Chart(group, False, sum(not log.done.all() for log in logs)))
    if any(len(log.p2p_row) for log in logs):
        found.append(Chart(group, True, sum(not log.p2p_done.all() for log in logs)))
    return found
