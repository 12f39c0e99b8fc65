"""Faults of the network that name themselves."""

from __future__ import annotations

from logtui.parsers.generator.faults.scene import Told, blame, culprits, until_fault
from logtui.parsers.generator.stage.spec import Fault
from logtui.parsers.generator.stage.stage import ABORTED, Stage, enter, hang, wait_for
from logtui.parsers.generator.wordings import nccl
from logtui.parsers.generator.wordings.ending import end
from logtui.parsers.generator.wordings.hang import take_down_thread, work_text, write_hang
from logtui.parsers.pattern import FailureClass

_REMOTE = (
    "NCCL error: remote process exited or there was a network error, NCCL version {version}\n"
    "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.\n"
    "Last error:\n{last}"
)


def link_down(stage: Stage) -> None:
    """A port of one node goes down; the ranks that talk to it get transport errors, all others wait."""
    at, bad = until_fault(stage), culprits(stage)
    peers = sorted({p for r in bad for p in _peers(stage, r)} - set(bad))
    for rank in bad:
        device = f"mlx5_{stage.world.local(rank)}"
        text = nccl.warn(
            stage, rank, at + 0.8, "transport/net_ib.cc:94", nccl.async_event(stage.version, device, "port error")
        )
        stage.rank(rank, at + 0.8, text, stdout=True).marks[f"port.{rank}"] = 1
        for peer in peers:
            _peer_fails(stage, peer, rank, at + 4.0 + stage.jitter(2.0))
    write_hang(stage, hang(stage, wait_for(stage, (*bad, *peers), at + 1.0)))
    end(stage)
    marks = tuple(f"completion.{peer}" for peer in peers)
    title = f"the network port of rank {bad[0]} on {stage.world.node(bad[0]).host} went down"
    blame(stage, FailureClass.NETWORK, title, bad, first=f"port.{bad[0]}", also=marks)


def _peers(stage: Stage, rank: int) -> tuple[int, int]:
    """The ranks that share a network rail with one: same local rank, neighbouring nodes."""
    world, per = stage.spec.world_size, stage.spec.gpus_per_node
    hop = per if world > per else 1
    return (rank - hop) % world, (rank + hop) % world


def _peer_fails(stage: Stage, peer: int, lost: int, at: float) -> None:
    """The survivor's transport gives up, then its watchdog finds the error and ends the process."""
    last = nccl.completion(stage.version, nccl.address(stage, lost, 40_731), f"mlx5_{stage.world.local(peer)}")
    event = stage.rank(peer, at, nccl.warn(stage, peer, at, "transport/net_ib.cc:1295", last), stdout=True)
    event.marks[f"completion.{peer}"] = 1
    error = _REMOTE.format(version=".".join(map(str, nccl.BUNDLED[stage.version])), last=last)
    stuck = enter(stage, peer, stage.world.default_group, at)
    if stage.version >= (2, 5):
        stage.say(peer, at + 0.2, "async_error", stuck.group, {"work": work_text(stage, stuck), "error": error})
    raised = "checkForNCCLErrorsInternal at ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:2027"
    take_down_thread(stage, peer, at + 0.3, stuck.group, error, raised)
    stage.die(peer, at + 0.6, ABORTED)


FAULTS: Told = {
    Fault.LINK_DOWN: link_down,
}
