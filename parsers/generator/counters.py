"""Every rank's sequence numbers in every group at the end of a hang."""

from __future__ import annotations

from collections.abc import Mapping

from logtui.parsers.generator.collective import Hang, Stuck
from logtui.parsers.generator.stage import Stage
from logtui.parsers.generator.waits import sequence
from logtui.parsers.generator.world import Group

Counters = tuple[int, int]
"""Enqueued and completed."""


class Progress:
    """Looks up how far a rank came in a group."""

    def __init__(self, stage: Stage, hang: Hang) -> None:
        self.stage = stage
        self.stuck: Mapping[int, Stuck] = {s.rank: s for s in hang.stuck}
        self.front: dict[str, int] = {}
        """The first unfinished number of each group that somebody waits in."""
        for s in hang.stuck:
            self.front[s.group.guid] = min(s.seq, self.front.get(s.group.guid, s.seq))

    def of(self, rank: int, group: Group) -> Counters:
        """A rank that waits in this group has its own numbers; one that does not has finished what it entered."""
        mine = self.stuck.get(rank)
        if mine is not None and mine.group is group:
            return mine.enqueued, mine.completed
        done = self.front[group.guid] - 1 if group.guid in self.front else sequence(self.stage, group)
        return done, done
