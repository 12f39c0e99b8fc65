"""Who waits for whom when some ranks no longer take part, and in which group."""

from __future__ import annotations

from collections.abc import Collection

from logtui.parsers.generator.collective import Hang, Stuck
from logtui.parsers.generator.stage import Stage
from logtui.parsers.generator.world import Group

_ROUNDS = ("TENSOR", "PIPELINE", "DATA", "default")
"""Tensor partners notice first, then the other pipeline stages, then the replicas at the gradient's end."""
_BARRIERS = 12
"""Collectives of the default group in a job whose work runs in other groups."""
_PER_STEP = {"TENSOR": 41, "PIPELINE": 9, "DATA": 1}
_CALLS = {
    "TENSOR": ("BROADCAST", 32768, 32768),
    "PIPELINE": ("RECV", 16_777_216, 16_777_216),
    "DATA": ("_REDUCE_SCATTER_BASE", 40_894_464, 5_111_808),
}


def sequence(stage: Stage, group: Group, local: int = 0) -> int:
    """The number of the operation in which a group gets stuck.

    In a pipeline group odd numbers go to later stages and even ones back; `local` is the receiver.
    """
    if group.desc == stage.world.default_group.desc:
        return stage.seq if len(stage.world.groups) == 1 else _BARRIERS
    number = stage.seq * _PER_STEP[_kind(group)]
    return number + (number + local) % 2 if _kind(group) == "PIPELINE" else number


def _kind(group: Group) -> str:
    return group.desc.partition("_")[0]


def call_of(stage: Stage, group: Group) -> tuple[str, int, int]:
    """What a group does all the time: operation, elements in, elements out."""
    return _CALLS.get(_kind(group), (stage.spec.op, 4096, 4096))


def enter(stage: Stage, rank: int, group: Group, at: float) -> Stuck:
    """A rank enters the collective in which its group gets stuck, having finished all before it."""
    seq = sequence(stage, group, group.local(rank))
    op, numel_in, numel_out = call_of(stage, group)
    return Stuck(rank, group, seq, seq, seq - 1, at + stage.jitter(0.4), op, numel_in, numel_out)


def finished(stage: Stage) -> int:
    """The last collective of the default group that a rank outside any collective has done."""
    seq = sequence(stage, stage.world.default_group)
    return seq - 1 if len(stage.world.groups) == 1 else seq


def wait_for(stage: Stage, late: Collection[int], at: float) -> dict[int, Stuck]:
    """All other ranks, each stuck in the first of its groups that some stopped rank keeps it in."""
    blocked, found = set(late), dict[int, Stuck]()
    for delay, kind in enumerate(_ROUNDS):
        newly = {}
        for rank in stage.world.ranks:
            if rank not in blocked:
                group = next((g for g in stage.world.groups_of(rank) if g.desc.startswith(kind)), None)
                if group is not None and not blocked.isdisjoint(group.ranks):
                    newly[rank] = enter(stage, rank, group, at + 0.6 * delay)
        blocked |= newly.keys()
        found |= newly
    return found


def hang(stage: Stage, stuck: dict[int, Stuck], idle: Collection[int] = ()) -> Hang:
    """A hang of these ranks; `idle` ones wait for nothing."""
    done = finished(stage)
    watched = tuple(s for s in stuck.values() if s.op not in ("SEND", "RECV") or stage.version >= (2, 2))
    default = dict.fromkeys(stuck, (done, done))
    return Hang(stage.spec.timeout_s, watched, dict.fromkeys(idle, done), default)
