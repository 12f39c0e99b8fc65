"""Faults of one GPU: its memory, a wild kernel, a call that never returns."""

from __future__ import annotations

from logtui.parsers.generator.faults.crash import crash, raise_in
from logtui.parsers.generator.faults.scene import Told, blame, culprits, in_order, unheard, until_fault
from logtui.parsers.generator.stage.spec import Fault
from logtui.parsers.generator.stage.stage import ABORTED, Stage, hang, wait_for
from logtui.parsers.generator.wordings.ending import end
from logtui.parsers.generator.wordings.errors import (
    ECC,
    ILLEGAL_ACCESS,
    Frame,
    cuda_error,
    error_class,
    loop_frames,
    traceback,
)
from logtui.parsers.generator.wordings.hang import DUMP_WAIT_S, take_down_thread, write_hang
from logtui.parsers.pattern import FailureClass

_RAISED = "c10_cuda_check_implementation at ../c10/cuda/CUDAException.cpp:43"


def ecc(stage: Stage) -> None:
    """One GPU's memory fails; its process's watchdogs die of it."""
    text = cuda_error(stage.version, ECC)

    def fall(rank: int, at: float) -> None:
        for i, group in enumerate(stage.world.groups_of(rank)[:2]):
            take_down_thread(stage, rank, at + 0.01 * i, group, text, _RAISED, cuda=True)
        stage.die(rank, at + 0.4, ABORTED)

    bad = crash(stage, fall)
    marks = (f"terminated.{bad[0]}", f"what.{bad[0]}")
    first = marks[0] if stage.version >= (2, 1) else marks[1]
    title = f"rank {bad[0]} hit an uncorrectable memory error of its GPU"
    blame(stage, FailureClass.GPU_HARDWARE, title, bad, first=first, also=marks)


def illegal_access(stage: Stage) -> None:
    """A kernel of one rank reads where it must not; the next CUDA call reports it, then the watchdog does."""
    text = cuda_error(stage.version, ILLEGAL_ACCESS)
    headline = f"{error_class(stage.version)}: {text}"
    frame = Frame("/workspace/model/kernels.py", 61, "forward", "return fused_rope(query, freqs)")

    def fall(rank: int, at: float) -> None:
        raise_in(stage, rank, at, traceback([*loop_frames(stage.spec.framework), frame], headline), headline)
        take_down_thread(stage, rank, at + 0.1, stage.world.default_group, text, _RAISED, cuda=True)
        stage.die(rank, at + 0.3, ABORTED)

    bad = crash(stage, fall)
    marks = (f"terminated.{bad[0]}", f"what.{bad[0]}")
    title = f"a kernel of rank {bad[0]} made an illegal memory access"
    blame(stage, FailureClass.CUDA_SOFTWARE, title, bad, first=f"exception.{bad[0]}", also=marks)


def watchdog_stuck(stage: Stage) -> None:
    """One rank's process hangs inside a CUDA call; its monitor notices before the others' collectives time out."""
    at, bad = until_fault(stage), culprits(stage)
    stuck_s = 480 if stage.version >= (2, 5) else 600
    group, fields = stage.world.default_group, {"stuck_s": stuck_s, "pending": 1}
    for rank in bad:
        noticed = at + 1.5 + stuck_s
        stage.say(rank, noticed, "heartbeat", group, fields, mark=f"heartbeat.{rank}")
        stage.say(rank, noticed + DUMP_WAIT_S, "stuck_kill", group, fields, level="F", mark=f"stuck_kill.{rank}")
        if stage.version >= (2, 3):
            stage.die(rank, noticed + DUMP_WAIT_S + 0.2, ABORTED)
    write_hang(stage, hang(stage, wait_for(stage, bad, at + 1.5)))
    end(stage)
    marks = in_order(stage, "heartbeat.") or in_order(stage, "timeout.")
    title = f"rank {bad[0]} hangs inside a CUDA call"
    accept: tuple[FailureClass, ...] = (FailureClass.GPU_HARDWARE, FailureClass.SOFTWARE)
    if stage.version >= (2, 2):
        blame(stage, FailureClass.CUDA_SOFTWARE, title, bad, first=marks[0], also=marks[1:], accept=accept)
        return
    accept = (*accept, FailureClass.COLLECTIVE_MISMATCH)  # no monitor yet: a wedged process looks like one gone astray
    first, also, hidden = marks[0], marks[1:], unheard(stage, bad)
    blame(stage, FailureClass.CUDA_SOFTWARE, title, bad, first=first, also=also, accept=accept, undecidable=hidden)


FAULTS: Told = {
    Fault.ECC: ecc,
    Fault.ILLEGAL_ACCESS: illegal_access,
    Fault.WATCHDOG_STUCK: watchdog_stuck,
}
