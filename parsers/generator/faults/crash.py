"""Crashes: one rank's process ends, the others follow."""

from __future__ import annotations

from collections.abc import Callable

from logtui.parsers.generator.faults.scene import Told, blame, culprits, until_fault
from logtui.parsers.generator.stage.spec import Fault, Framework, Layout, Survivors
from logtui.parsers.generator.stage.stage import KILLED, Stage, hang, wait_for
from logtui.parsers.generator.wordings.ending import end
from logtui.parsers.generator.wordings.errors import (
    SITE,
    Frame,
    as_rank,
    chained,
    loop_frames,
    oom,
    oom_class,
    traceback,
)
from logtui.parsers.generator.wordings.hang import write_hang
from logtui.parsers.pattern import FailureClass

_LOADER = Frame(
    f"{SITE}/torch/utils/data/dataloader.py", 1480, "_next_data", "return self._process_data(data, worker_id)"
)


def raise_in(stage: Stage, rank: int, at: float, text: str, *headlines: str) -> None:
    """A rank prints an uncaught exception and ends with exit code 1; the headlines' lines get marks."""
    rows = text.split("\n")
    event = stage.rank(rank, at, as_rank(text, rank, stage.version))
    for mark, headline in zip(("exception", "inner"), headlines, strict=False):
        event.marks[f"{mark}.{rank}"] = rows.index(headline.split("\n")[0])
    stage.die(rank, at + 0.4 + stage.jitter(0.3), 1)


def survivors_hang(stage: Stage, at: float, dead: tuple[int, ...]) -> None:
    """Ranks that outlive a crash wait until their watchdogs fire, unless the launcher ends them at once."""
    if stage.spec.survivors is Survivors.TERMINATED:
        return
    stuck = wait_for(stage, dead, at)
    if stage.spec.layout is not Layout.MERGED:  # a launcher ends the neighbours at once
        neighbours = {n for r in dead for n in stage.world.node(r).ranks}
        stuck = {r: s for r, s in stuck.items() if r not in neighbours}
    if stuck:
        write_hang(stage, hang(stage, stuck))


def crash(stage: Stage, fall: Callable[[int, float], object]) -> tuple[int, ...]:
    """Train, let each culprit fall, end the rest."""
    at, bad = until_fault(stage), culprits(stage)
    for rank in bad:
        fall(rank, at + 1.0 + stage.jitter(0.05))
    survivors_hang(stage, at + 1.4, bad)
    end(stage)
    return bad


def _raising(stage: Stage, frame: Frame, headline: str) -> tuple[int, ...]:
    frames = [*loop_frames(stage.spec.framework), frame]
    return crash(stage, lambda rank, at: raise_in(stage, rank, at, traceback(frames, headline), headline))


def exception_one_rank(stage: Stage) -> None:
    """One rank's own code raises."""
    frame = Frame(
        "/workspace/corpus/collate.py", 58, "collate", "targets = torch.stack([pad(t, width) for t in labels])"
    )
    headline = "RuntimeError: stack expects each tensor to be equal size, but got [512] at entry 0 and [498] at entry 3"
    bad = _raising(stage, frame, headline)
    title = f"rank {bad[0]} raised RuntimeError while it collated a batch"
    blame(stage, FailureClass.SOFTWARE, title, bad, first=f"exception.{bad[0]}", accept=(FailureClass.DATA,))


def gpu_oom(stage: Stage) -> None:
    """One rank's GPU memory is full."""
    frame = Frame(
        "/workspace/model/attention.py", 204, "forward", "scores = torch.matmul(query, key.transpose(-2, -1))"
    )

    def fall(rank: int, at: float) -> None:
        headline = f"{oom_class(stage.version)}: {oom(stage.version, stage.world.local(rank))}"
        raise_in(stage, rank, at, traceback([*loop_frames(stage.spec.framework), frame], headline), headline)

    bad = crash(stage, fall)
    blame(stage, FailureClass.GPU_OOM, f"rank {bad[0]} ran out of GPU memory", bad, first=f"exception.{bad[0]}")


def host_oom(stage: Stage) -> None:
    """The node's memory limit kills one rank's process."""

    def fall(rank: int, at: float) -> None:
        stage.oom_nodes.add(stage.world.node(rank).index)
        stage.die(rank, at, KILLED)

    bad = crash(stage, fall)
    title = f"rank {bad[0]} was killed: its node ran out of memory"
    if stage.spec.layout is Layout.PDSH:  # no scheduler that would say so
        accept = (FailureClass.INFRASTRUCTURE,)
        blame(stage, FailureClass.HOST_OOM, title, bad, first=f"exit.{bad[0]}", accept=accept)
    else:
        blame(stage, FailureClass.HOST_OOM, title, bad, first="oom", also=(f"exit.{bad[0]}",))


def sigkill(stage: Stage) -> None:
    """One rank's process is killed from outside, and nobody says why."""
    bad = crash(stage, lambda rank, at: stage.die(rank, at, KILLED))
    title = f"rank {bad[0]} was killed with SIGKILL"
    blame(stage, FailureClass.INFRASTRUCTURE, title, bad, first=f"exit.{bad[0]}", accept=(FailureClass.HOST_OOM,))


def nan(stage: Stage) -> None:
    """One rank's gradients are not numbers any more."""

    def fall(rank: int, at: float) -> None:
        headline = _nan_headline(stage, rank)
        frame = Frame("/workspace/train.py", 82, "check_finite", "raise_if_nan(loss)")
        raise_in(stage, rank, at, traceback([*loop_frames(stage.spec.framework), frame], headline), headline)

    bad = crash(stage, fall)
    accept = (FailureClass.DATA, FailureClass.GPU_HARDWARE)
    title = f"rank {bad[0]} met NaN before any other rank could have"
    blame(stage, FailureClass.SOFTWARE, title, bad, first=f"exception.{bad[0]}", accept=accept)


def _nan_headline(stage: Stage, rank: int) -> str:
    world = stage.world
    match stage.spec.framework:
        case Framework.MEGATRON | Framework.NEMO:
            return (
                f"AssertionError: Rank {rank}: found NaN in local grad norm in backward pass before data-parallel communication "
                f"collective. Device: {world.local(rank)}, node: {world.node(rank).host}"
            )
        case Framework.LIGHTNING:
            return "ValueError: The loss returned in `training_step` is nan."
    return f"FloatingPointError: loss is nan on rank {rank}"


def disk_full(stage: Stage) -> None:
    """The disk fills up while a checkpoint is saved."""
    first = (
        "RuntimeError: [enforce fail at inline_container.cc:778] . PytorchStreamWriter failed writing file data/387: file "
        "write failed"
    )
    second = "RuntimeError: [enforce fail at inline_container.cc:603] . unexpected pos 1836029248 vs 1836029142"
    root = f"{SITE}/torch/serialization.py"
    save = Frame("/workspace/checkpoint.py", 47, "save", "torch.save(state, path)")
    writing = [save, Frame(root, 967, "_save", "zip_file.write_record(name, storage, num_bytes)")]
    closing = [save, Frame(root, 798, "__exit__", "self.file_like.write_end_of_file()")]
    text = chained(traceback(writing, first), traceback(closing, second), direct=False)
    bad = crash(stage, lambda rank, at: raise_in(stage, rank, at, text, first, second))
    title = f"rank {bad[0]} found the checkpoint's disk full"
    blame(stage, FailureClass.STORAGE_IO, title, bad, first=f"exception.{bad[0]}", also=(f"inner.{bad[0]}",))


FAULTS: Told = {
    Fault.EXCEPTION_ONE_RANK: exception_one_rank,
    Fault.GPU_OOM: gpu_oom,
    Fault.HOST_OOM: host_oom,
    Fault.SIGKILL: sigkill,
    Fault.NAN: nan,
    Fault.DISK_FULL: disk_full,
}
