"""Crashes: one rank's process ends, the others follow."""

from __future__ import annotations

from logtui.parsers.generator.ending import end
from logtui.parsers.generator.faults.stall import culprits, hosts, until_fault
from logtui.parsers.generator.frames import Frame, as_rank, loop_frames, traceback
from logtui.parsers.generator.hang import Hang, Stuck, write_hang
from logtui.parsers.generator.spec import Layout, Survivors
from logtui.parsers.generator.stage import Stage, Verdict
from logtui.parsers.pattern import FailureClass


def raise_in(stage: Stage, rank: int, at: float, frames: list[Frame], headline: str) -> None:
    """A rank prints an uncaught exception and ends with exit code 1."""
    text = as_rank(traceback(frames, headline), rank, stage.version)
    where = text.count("\n") - headline.count("\n")
    stage.rank(rank, at, text, mark=f"exception.{rank}", mark_line=where)
    stage.die(rank, at + 0.4 + stage.jitter(0.3), 1)


def survivors_hang(stage: Stage, at: float, dead: tuple[int, ...]) -> None:
    """Ranks that outlive a crash wait in the next collective until their watchdogs fire."""
    if stage.spec.survivors is Survivors.TERMINATED:
        return
    gone = set(dead)
    if stage.spec.layout is not Layout.MERGED:  # a launcher ends the neighbours at once
        gone |= {n for r in dead for n in stage.world.node(r).ranks}
    spec, group = stage.spec, stage.world.default_group
    stuck = [
        Stuck(r, group, spec.seq, spec.seq, spec.seq - 1, at + stage.jitter(0.4), spec.op)
        for r in stage.world.ranks
        if r not in gone
    ]
    if stuck:
        write_hang(stage, Hang(spec.timeout_s, tuple(stuck)))


def exception_one_rank(stage: Stage) -> None:
    """One rank's own code raises."""
    at, bad = until_fault(stage), culprits(stage)
    frames = [
        *loop_frames(stage.spec.framework),
        Frame("/workspace/corpus/collate.py", 58, "collate", "targets = torch.stack([pad(t, width) for t in labels])"),
    ]
    headline = "RuntimeError: stack expects each tensor to be equal size, but got [512] at entry 0 and [498] at entry 3"
    for rank in bad:
        raise_in(stage, rank, at + 1.0, frames, headline)
    survivors_hang(stage, at + 1.2, bad)
    end(stage)
    stage.verdict = Verdict(
        FailureClass.SOFTWARE, f"rank {bad[0]} raised RuntimeError while collating a batch",
        (FailureClass.DATA,), bad, hosts(stage, bad), f"exception.{bad[0]}",
    )  # fmt: skip
