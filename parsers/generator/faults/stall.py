"""Hangs: the job stops in a collective that some rank does not serve."""

from __future__ import annotations

from logtui.parsers.generator.ending import end
from logtui.parsers.generator.hang import Hang, Stuck, write_hang
from logtui.parsers.generator.stage import Stage, Verdict
from logtui.parsers.generator.training import opening, steps_before, write_start, write_training
from logtui.parsers.pattern import FailureClass


def culprits(stage: Stage) -> tuple[int, ...]:
    """The ranks to blame: the spec's, or one drawn from the seed."""
    return stage.spec.culprits or (stage.rng.randrange(stage.spec.world_size),)


def until_fault(stage: Stage) -> float:
    """Start and train up to the collective that the fault meets. Returns when its step begins."""
    begun = write_start(stage, stage.spec.start)
    return write_training(stage, begun, 1, steps_before(stage.spec.seq))


def data_stall(stage: Stage) -> None:
    """Some ranks wait for a shard; all others wait for them in an all-reduce."""
    at, late = until_fault(stage), culprits(stage)
    for rank in late:
        opening(stage, rank, at + 0.2 + stage.jitter(0.5), steps_before(stage.spec.seq), mark=f"last_words.{rank}")
    write_hang(stage, _absent(stage, at + 1.5, late))
    end(stage)
    first = late[0]
    stage.verdict = Verdict(
        FailureClass.DATA_LOADING_STALL,
        f"rank {first} never entered {stage.spec.op} {stage.spec.seq} of default_pg: it waits for its data",
        culprit_ranks=late, culprit_hosts=hosts(stage, late), first=f"last_words.{first}",
        also=(f"observed.{first}", f"received.{first}"),
    )  # fmt: skip


def hosts(stage: Stage, ranks: tuple[int, ...]) -> tuple[str, ...]:
    """Where some ranks run, each host once."""
    return tuple(dict.fromkeys(stage.world.node(r).host for r in ranks))


def _absent(stage: Stage, at: float, late: tuple[int, ...]) -> Hang:
    """All but the late ranks wait in the spec's collective of the default group."""
    spec, group = stage.spec, stage.world.default_group
    others = [r for r in stage.world.ranks if r not in late]
    eager = set(stage.rng.sample(others, min(spec.ahead, len(others))))
    stuck = [
        Stuck(
            r, group, spec.seq, spec.seq + (stage.rng.randrange(1, 5) if r in eager else 0), spec.seq - 1,
            at + stage.jitter(0.4), spec.op,
        )
        for r in others
    ]  # fmt: skip
    return Hang(spec.timeout_s, tuple(stuck), dict.fromkeys(late, spec.seq - 1))
