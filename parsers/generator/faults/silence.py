"""What the files of a hang cannot show: up to PyTorch 2.3 launchers stop ranks before their watchdogs have spoken."""

from __future__ import annotations

from logtui.parsers.generator.stage.stage import Stage

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
