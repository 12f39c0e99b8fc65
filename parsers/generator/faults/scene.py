"""What faults share: who is to blame, the job up to that moment, and what the files of a hang cannot show."""

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


# -- What the files of a hang cannot show
#
# Up to PyTorch 2.3 launchers stop ranks before their watchdogs have spoken.

BEYOND_DOUBT_S = 3.0
"""A node that was stopped so much later than the first one had heard all of its ranks that wait."""


def silenced(stage: Stage) -> tuple[int, ...]:
    """Ranks that waited in the collective and were ended before they could say so."""
    spoke = {mark: e.time for e in stage.events for mark in e.marks if mark.startswith("timeout.")}
    waited = (s.rank for s in stage.hang.stuck) if stage.hang else ()
    return tuple(sorted(r for r in waited if _ended(stage, r) < spoke[f"timeout.{r}"] - stage.world.node(r).skew_s))


def unheard(stage: Stage, late: tuple[int, ...] = ()) -> str:
    """Why a hang cannot be judged, "" if it can: without `late` because somebody may be, else because others may be."""
    cut = silenced(stage)
    if not late:
        return f"whether {len(cut)} silenced ranks had entered" if cut else ""
    first = min(stage.stopped.values(), default=0.0)
    own = min((stage.stopped.get(stage.world.node(r).index, first) for r in late), default=first)
    sole = not cut and len(stage.stopped) == 1
    return "" if sole or own - first > BEYOND_DOUBT_S else "which of the silenced ranks had not entered"


def _ended(stage: Stage, rank: int) -> float:
    death = stage.deaths.get((rank, stage.attempt))
    return death.time if death else float("inf")
