"""Jobs that never form."""

from __future__ import annotations

from logtui.parsers.generator.faults.scene import Told, blame, culprits
from logtui.parsers.generator.stage.spec import Fault
from logtui.parsers.generator.stage.stage import Stage
from logtui.parsers.generator.stage.world import TORCHRUN_LAYOUTS, Node
from logtui.parsers.generator.wordings import slurm
from logtui.parsers.generator.wordings.ending import stop
from logtui.parsers.generator.wordings.errors import SITE, Frame, traceback
from logtui.parsers.generator.wordings.torchrun import Agents, launch_frames, write_launch
from logtui.parsers.pattern import FailureClass

JOIN_S = 600.0
"""How long torchrun's agents wait for the last node."""
STORE_S = 1801
"""How long init_process_group waits for the last rank: the store's 30 minutes, rounded up by it."""
PORT = 29500


def rendezvous_timeout(stage: Stage) -> None:
    """One node never starts; the others wait for it until they give up."""
    missing = stage.world.node(culprits(stage)[0])
    if (
        stage.spec.layout not in TORCHRUN_LAYOUTS and 0 in missing.ranks
    ):  # the store is in rank 0: without it none waits
        missing = stage.world.nodes[-1]
    stage.lost_nodes.add(missing.index)
    if stage.spec.layout in TORCHRUN_LAYOUTS:
        _agents_give_up(stage, missing)
        ranks: tuple[int, ...] = ()  # an elastic launcher never gave it any
    else:
        _ranks_give_up(stage, missing)
        ranks = missing.ranks
    title = f"{missing.host} never joined the rendezvous"
    blame(stage, FailureClass.INIT_RENDEZVOUS, title, ranks, first="rendezvous")
    stage.verdict.culprit_hosts = (missing.host,)


def _agents_give_up(stage: Stage, missing: Node) -> None:
    raised = Frame(
        f"{SITE}/torch/distributed/elastic/rendezvous/dynamic_rendezvous.py",
        677,
        "run",
        "raise RendezvousTimeoutError()",
    )
    name = "torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError"
    text = traceback([*launch_frames(stage.version), raised], name)
    first = next((n for n in stage.world.nodes if n is not missing), missing)
    for node in stage.world.nodes:
        if node is not missing:
            at = stage.spec.start + 8 + JOIN_S + (0.0 if node is first else 0.05 + stage.jitter(2.0))
            event = stage.agent(node.index, at, text)
            if node is first:
                event.marks["rendezvous"] = text.count("\n")
            stage.batch(at + 1.2, slurm.task_line(node.host, [node.index], slurm.status(1)))


def _ranks_give_up(stage: Stage, missing: Node) -> None:
    write_launch(stage, stage.spec.start)
    joined = stage.spec.world_size - len(missing.ranks)
    kind = "torch.distributed.DistStoreError" if stage.version >= (2, 2) else "RuntimeError"
    headline = f"{kind}: Timed out after {STORE_S} seconds waiting for clients. {joined}/{stage.spec.world_size} clients joined."
    frames = [
        Frame("/workspace/train.py", 21, "<module>", 'dist.init_process_group("nccl")'),
        Frame(f"{SITE}/torch/distributed/rendezvous.py", 194, "_create_c10d_store", "return TCPStore("),
    ]
    at = stage.spec.start + 9 + STORE_S
    event = stage.rank(0, at, traceback(frames, headline))
    event.marks["rendezvous"] = event.text.count("\n")
    stage.die(0, at + 0.3, 1)
    stop(stage, at + 1.2)


def port_in_use(stage: Stage) -> None:
    """The store's port is taken on the node that hosts it."""
    host = stage.world.node(0)
    at = stage.spec.start + 9
    write_launch(stage, stage.spec.start)
    message = (
        "The server socket has failed to listen on any local network address. "
        f"port: {PORT}, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use"
    )
    kind = "torch.distributed.DistNetworkError" if stage.version >= (2, 2) else "RuntimeError"
    if stage.spec.layout in TORCHRUN_LAYOUTS:
        _agent_fails(stage, host, at, kind, message)
    else:
        _rank_fails(stage, at, kind, message)
    title = f"port {PORT} on {host.host} was taken"
    ranks = () if stage.spec.layout in TORCHRUN_LAYOUTS else (0,)
    blame(
        stage,
        FailureClass.INIT_RENDEZVOUS,
        title,
        ranks,
        first="port",
        also=("port.raised",),
        accept=(FailureClass.CONFIG,),
    )
    stage.verdict.culprit_hosts = (host.host,)


def _agent_fails(stage: Stage, host: Node, at: float, kind: str, message: str) -> None:
    """The store runs in the agent; the other agents never reach it."""
    head = stage.c10_head(None, at, "E", "socket.cpp", 1011, host.index)
    stage.agent(host.index, at, f"{head}[c10d] {message.split('. ')[0]}.", mark="port")
    created = Frame(
        f"{SITE}/torch/distributed/elastic/rendezvous/c10d_rendezvous_backend.py",
        154,
        "_create_tcp_store",
        "store = TCPStore(",
    )
    event = stage.agent(
        host.index, at + 0.01, traceback([*launch_frames(stage.version), created], f"{kind}: {message}")
    )
    event.marks["port.raised"] = event.text.count("\n")
    agents, others = Agents(stage), [n for n in stage.world.nodes if n is not host]
    stage.batch(at + 1.0, slurm.task_line(host.host, [host.index], slurm.status(1)))
    for node in others:
        later = at + 1.5 + stage.jitter(0.5)
        agents.interrupted(node, later)
        stage.batch(later + 1.6, slurm.task_line(node.host, [node.index], slurm.status(1)))


def _rank_fails(stage: Stage, at: float, kind: str, message: str) -> None:
    """The store runs in rank 0; the others are ended while they wait for it."""
    frames = [
        Frame("/workspace/train.py", 21, "<module>", 'dist.init_process_group("nccl")'),
        Frame(f"{SITE}/torch/distributed/rendezvous.py", 194, "_create_c10d_store", "return TCPStore("),
    ]
    head = stage.c10_head(None, at, "E", "socket.cpp", 1011, stage.world.node(0).index)
    stage.rank(0, at, f"{head}[c10d] {message.split('. ')[0]}.", mark="port")
    event = stage.rank(0, at + 0.01, traceback(frames, f"{kind}: {message}"))
    event.marks["port.raised"] = event.text.count("\n")
    stage.die(0, at + 0.3, 1)
    stop(stage, at + 1.2)


FAULTS: Told = {
    Fault.RENDEZVOUS_TIMEOUT: rendezvous_timeout,
    Fault.PORT_IN_USE: port_in_use,
}
