"""Hangs: the job stops in a collective that some rank does not serve."""

from __future__ import annotations

from dataclasses import replace

from logtui.parsers.generator.faults.scene import Told, blame, culprits, fault_step, in_order, unheard, until_fault
from logtui.parsers.generator.stage import clock
from logtui.parsers.generator.stage.spec import Fault
from logtui.parsers.generator.stage.stage import Stage, enter, hang, wait_for
from logtui.parsers.generator.stage.world import ProcessGroup, Stuck
from logtui.parsers.generator.wordings.ending import end
from logtui.parsers.generator.wordings.hang import write_hang
from logtui.parsers.generator.wordings.training import SHARD_EVERY, opening
from logtui.parsers.pattern import FailureClass

_CHORES = (
    ("checkpoint", "rank {rank} writing /data/checkpoints/step-{step}/__{rank}_0.distcp", FailureClass.STORAGE_IO),
    ("eval", "rank {rank} scoring 2048 validation utterances", FailureClass.DATA_LOADING_STALL),
    ("metrics", "rank {rank} flushing run history to /data/runs/{step}", FailureClass.STORAGE_IO),
)
"""User code outside the step: logger, first words, the class that its lines support as well."""


def data_stall(stage: Stage) -> None:
    """Some ranks wait for a shard; all others wait for them."""
    at, late = until_fault(stage), culprits(stage)
    _starve(stage, late, at)
    stuck = _run_ahead(stage, wait_for(stage, late, at + 1.5))
    write_hang(stage, hang(stage, stuck, late))
    end(stage)
    _blame_absent(stage, late, FailureClass.DATA_LOADING_STALL, "waits for its data")


def _starve(stage: Stage, late: tuple[int, ...], at: float) -> None:
    for rank in late:
        opening(stage, rank, at + 0.2 + stage.jitter(0.5), fault_step(stage) + SHARD_EVERY, mark=f"last_words.{rank}")


def _run_ahead(stage: Stage, stuck: dict[int, Stuck]) -> dict[int, Stuck]:
    """Some innocent ranks have more operations queued."""
    for rank in stage.rng.sample(sorted(stuck), min(stage.spec.ahead, len(stuck))):
        stuck[rank] = replace(stuck[rank], enqueued=stuck[rank].seq + stage.rng.randrange(1, 5))
    return stuck


def _blame_absent(
    stage: Stage, late: tuple[int, ...], cls: FailureClass, why: str, accept: tuple[FailureClass, ...] = ()
) -> None:
    title = f"rank {late[0]} never entered the collective that the others wait in: it {why}"
    also = (f"observed.{late[0]}", f"received.{late[0]}")
    blame(stage, cls, title, late, first=f"last_words.{late[0]}", also=also, accept=accept)


def straggler_user_code(stage: Stage) -> None:
    """All ranks turn to a chore outside the step; one does not come back from it."""
    at, late = until_fault(stage), culprits(stage)
    logger, words, accept = stage.rng.choice(_CHORES)
    for rank in stage.world.ranks:
        begun, took = at + 0.3 + stage.jitter(0.3), 2.0 + stage.jitter(2.0)
        text = f"{clock.comma(begun)} INFO {logger}: {words.format(rank=rank, step=fault_step(stage))}"
        stage.rank(rank, begun, text, mark=f"last_words.{rank}" if rank in late else "")
        if rank not in late:
            text = f"{clock.comma(begun + took)} INFO {logger}: rank {rank} done in {took:.2f} s"
            stage.rank(rank, begun + took, text)
    write_hang(stage, hang(stage, wait_for(stage, late, at + 5.0), late))
    end(stage)
    _blame_absent(stage, late, FailureClass.SOFTWARE, f"is stuck in {logger} code", (accept,))


def straggler_behind(stage: Stage) -> None:
    """One rank's GPU finishes nothing any more, while its process goes on enqueuing."""
    at, dead = until_fault(stage), culprits(stage)
    stuck = wait_for(stage, dead, at + 6.0)
    for rank in dead:
        mine = enter(stage, rank, busiest(stage, rank), at)
        lag, ahead = stage.rng.randrange(2, 8), stage.rng.randrange(2, 12)
        stuck[rank] = replace(mine, seq=mine.seq - lag, completed=mine.seq - lag - 1, enqueued=mine.seq + ahead)
    write_hang(stage, hang(stage, stuck))
    end(stage)
    title = f"rank {dead[0]} is behind with work pending: its GPU finishes nothing while the others wait"
    marks = (f"status.{dead[0]}", f"timeout_at.{dead[0]}", f"received.{dead[0]}")
    accept = (FailureClass.CUDA_SOFTWARE,)
    blame(stage, FailureClass.GPU_HARDWARE, title, dead, first=f"timeout.{dead[0]}", also=marks, accept=accept)


def busiest(stage: Stage, rank: int) -> ProcessGroup:
    """The group whose partners feel a rank's absence first."""
    groups = stage.world.groups_of(rank)
    return next((g for kind in ("TENSOR", "DATA") for g in groups if g.desc.startswith(kind)), groups[0])


def broadcast_root_ahead(stage: Stage) -> None:
    """One rank never enters a broadcast; the root has sent, is done with it, and waits in the next collective."""
    at, late = until_fault(stage), culprits(stage)
    _starve(stage, late, at)
    group = busiest(stage, late[0])
    stuck = {
        r: replace(s, op="BROADCAST") if s.group is group else s for r, s in wait_for(stage, late, at + 1.5).items()
    }
    root = next(r for r in group.ranks if r not in late)
    sent = stuck[root].seq
    stuck[root] = replace(stuck[root], seq=sent + 1, enqueued=sent + 1, completed=sent, op="ALLREDUCE")
    write_hang(stage, hang(stage, stuck, late))
    end(stage)
    _blame_absent(stage, late, FailureClass.DATA_LOADING_STALL, f"waits for its data; root {root} ran ahead")


def fabric(stage: Stage) -> None:
    """All ranks entered, and nothing moves."""
    at, first = until_fault(stage) + 4.0, stage.rng.randrange(stage.spec.world_size)
    stuck = {}
    for rank in stage.world.ranks:
        groups = stage.world.groups_of(rank)
        group = next((g for g in groups if g.desc.startswith("DATA")), groups[0])
        stuck[rank] = enter(stage, rank, group, at - 2.5 if rank == first else at)
    write_hang(stage, hang(stage, stuck))
    end(stage)
    marks = in_order(stage, "timeout.")
    title = "all ranks entered the collective and none finished it: the fabric"
    accept = (FailureClass.GPU_HARDWARE,) if len(stage.world.nodes) == 1 else ()
    hidden = unheard(stage)
    blame(stage, FailureClass.NETWORK, title, first=marks[0], also=marks[1:], accept=accept, undecidable=hidden)


def mismatch(stage: Stage) -> None:
    """One rank calls something else where the others meet."""
    at, odd = until_fault(stage), culprits(stage)
    stuck = wait_for(stage, odd, at + 1.5)
    by_size = stage.version >= (2, 1) and stage.rng.random() < 0.5
    for rank in odd:
        mine = enter(stage, rank, busiest(stage, rank), at + 1.5)
        other = "ALLGATHER" if mine.op != "ALLGATHER" else "ALLREDUCE"
        stuck[rank] = replace(mine, numel_in=512, numel_out=512) if by_size else replace(mine, op=other, numel_out=8)
    write_hang(stage, hang(stage, stuck))
    end(stage)
    title = f"rank {odd[0]} is in another {'size' if by_size else 'collective'} than its partners at the same number"
    blame(stage, FailureClass.COLLECTIVE_MISMATCH, title, odd, first=f"timeout.{odd[0]}", also=(f"status.{odd[0]}",))


FAULTS: Told = {
    Fault.DATA_STALL: data_stall,
    Fault.STRAGGLER_USER_CODE: straggler_user_code,
    Fault.STRAGGLER_BEHIND: straggler_behind,
    Fault.BROADCAST_ROOT_AHEAD: broadcast_root_ahead,
    Fault.FABRIC: fabric,
    Fault.MISMATCH: mismatch,
    Fault.CHAIN: data_stall,
}
