"""What every fault begins with: who is to blame, and the job up to that moment."""

from __future__ import annotations

from collections.abc import Callable

from logtui.parsers.generator.stage.stage import Stage, Verdict
from logtui.parsers.generator.wordings.training import steps_before, write_start, write_training
from logtui.parsers.pattern import FailureClass

Told = dict[str, Callable[[Stage], None]]
"""Faults by name, and the functions that tell them on an empty stage."""


def culprits(stage: Stage) -> tuple[int, ...]:
    """The ranks to blame: the spec's, or one drawn from the seed."""
    return stage.spec.culprits or (stage.rng.randrange(stage.spec.world_size),)


def hosts(stage: Stage, ranks: tuple[int, ...]) -> tuple[str, ...]:
    """Where some ranks run, each host once."""
    return tuple(dict.fromkeys(stage.world.node(r).host for r in ranks))


def until_fault(stage: Stage) -> float:
    """Start and train up to the collective that the fault meets. Returns when its step begins."""
    begun = write_start(stage, stage.spec.start)
    return write_training(stage, begun, 1, steps_before(stage.spec.seq))


def fault_step(stage: Stage) -> int:
    """The last whole step before the fault."""
    return steps_before(stage.spec.seq)


def blame(
    stage: Stage,
    cls: FailureClass,
    title: str,
    ranks: tuple[int, ...] = (),
    *,
    first: str = "",
    also: tuple[str, ...] = (),
    accept: tuple[FailureClass, ...] = (),
    undecidable: str = "",
) -> None:
    """Write the verdict; `first` and `also` are marks."""
    stage.verdict = Verdict(cls, title, accept, ranks, hosts(stage, ranks), first, also, undecidable)


def in_order(stage: Stage, kind: str) -> tuple[str, ...]:
    """All marks that begin with `kind`, in order of time."""
    found = sorted((e.time, mark) for e in stage.events for mark in e.marks if mark.startswith(kind))
    return tuple(mark for _, mark in found)
