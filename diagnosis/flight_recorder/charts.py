"""What there is to draw: the collectives of each process group, and its sends and receives."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.diagnosis.flight_recorder.findings import FlightRecorderFindings
from logtui.diagnosis.flight_recorder.joined import Group
from logtui.diagnosis.flight_recorder.matrix import Matrix, build_matrix, build_transfers

LAST_N = 2_000
"""Numbers drawn; what a ring holds unless it was made larger."""


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """Ranks by numbers of one group."""

    group: Group
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


def _of_group(group: Group) -> list[Chart]:
    logs = group.logs.values()
    found = []
    if any(len(log.seq) for log in logs):
        found.append(Chart(group, False, sum(not log.done.all() for log in logs)))
    if any(len(log.p2p_row) for log in logs):
        found.append(Chart(group, True, sum(not log.p2p_done.all() for log in logs)))
    return found
