"""Harmless lines that look bad: warnings, retries that recover, a teardown that screams."""

from __future__ import annotations

from logtui.parsers.generator import clock
from logtui.parsers.generator.event import Event
from logtui.parsers.generator.frames import SITE
from logtui.parsers.generator.spec import Framework
from logtui.parsers.generator.stage import Stage
from logtui.parsers.generator.torchrun import Agents
from logtui.parsers.generator.world import TORCHRUN_LAYOUTS

PORT = 29500


def write_warnings(stage: Stage, time: float) -> None:
    """What libraries say at import and at the first collective."""
    if not stage.spec.noise:
        return
    for rank in stage.world.ranks:
        at = time + stage.jitter(3.0)
        stage.rank(
            rank,
            at,
            f"{SITE}/transformer_engine/__init__.py:12: UserWarning: flash-attn is not installed, falling back",
        )
        if stage.version >= (2, 2):
            said = (
                "Warning: Environment variable NCCL_ASYNC_ERROR_HANDLING is deprecated; use TORCH_NCCL_ASYNC_ERROR_HANDLING "
                "instead (function operator())"
            )
            stage.c10(rank, at + 1, said, level="W", file="Utils.hpp", line=136)
    _missing_import(stage, time + 2.5)


def _missing_import(stage: Stage, time: float) -> None:
    """An optional library is absent; its traceback is printed and the job goes on."""
    text = (
        f"\x1b[33m{clock.comma(time)} WARNING kernels: fused layer norm is not available, using the plain one\x1b[0m\n"
        "Traceback (most recent call last):\n"
        '  File "/workspace/model/kernels.py", line 9, in <module>\n'
        "    import apex\n"
        "ModuleNotFoundError: No module named 'apex'"
    )
    stage.rank(0, time, text)


def write_retries(stage: Stage, time: float) -> None:
    """Some ranks lose a connection to the storage and get it back at the first or second try."""
    for rank in stage.rng.sample(list(stage.world.ranks), min(6, stage.spec.world_size)):
        at = time + stage.jitter(30.0)
        name = f"shard-{stage.rng.randrange(100_000):05d}.tar"
        cause = "('Connection aborted.', ConnectionResetError(104, 'Connection reset by peer'))"
        for i in range(1, 2 + (rank % 2)):
            text = f"{clock.comma(at)} WARNING shards: rank {rank} error while reading 'corpus/{name}', retrying {i}/5: {cause}"
            stage.rank(rank, at, text)
            at += 1.2 + stage.jitter(1.0)
        stage.rank(
            rank, at, f"{clock.comma(at)} INFO shards: rank {rank} read 2048 samples from {name} in {at - time:.2f} s"
        )


def write_teardown(stage: Stage, time: float) -> None:
    """The processes of a finished job leave one by one, and the last ones miss the store."""
    group = stage.world.default_group
    for rank in stage.world.ranks:
        at = time + stage.jitter(1.5)
        stage.say(rank, at, "not_destroyed", group, level="W")
        if stage.spec.noise and rank % 3 == 1:
            store_lost(stage, rank, at + 0.5)
            error = {"error": "Broken pipe", "signal": "exception_dump"}
            stage.say(rank, at + 0.9, "store_gone", group, error, level="W")
    if stage.spec.layout in TORCHRUN_LAYOUTS:
        _rendezvous_lost(stage, time + 5)


def store_lost(stage: Stage, rank: int | None, time: float, node: int = 0) -> Event | None:
    """The store's server is gone; from 2.5 on its clients say so."""
    if stage.version < (2, 5):
        return None
    where = stage.world.node(rank) if rank is not None else stage.world.nodes[node]
    server = stage.world.node(0).host
    cause = (
        "Failed to recv, got 0 bytes. Connection was likely closed. Did the remote server shutdown or crash?"
        if stage.version >= (2, 8)
        else "failed to recv, got 0 bytes"
    )
    socket = f"SocketImpl(fd=63, addr=[{where.host}]:{38_000 + where.index * 31}, remote=[{server}]:{PORT})"
    head = stage.c10_head(rank, time, "W", "TCPStore.cpp", 125, where.index)
    text = (
        f"{head}[c10d] recvValue failed on {socket}: {cause}\n"
        "Exception raised from recvBytes at ../torch/csrc/distributed/c10d/Utils.hpp:678 (most recent call first):\n"
        f"frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x96 (0x7f41a2d6c1b6 in {SITE}/torch/lib/libc10.so)\n"
        f"frame #1: <unknown function> + 0x5ba4afe (0x7f41e4ba4afe in {SITE}/torch/lib/libtorch_cpu.so)\n"
    )
    return stage.rank(rank, time, text) if rank is not None else stage.agent(where.index, time, text)


def _rendezvous_lost(stage: Stage, time: float) -> None:
    agents, server = Agents(stage), stage.world.node(0)
    for node in stage.world.nodes:
        if node is not server and node.index % 2:
            store_lost(stage, None, time, node.index)
            text = (
                f"The node '{node.host}_{node.agent_pid}_0' has failed to shutdown the rendezvous '{stage.spec.job_id}' due to an "
                "error of type RendezvousConnectionError."
            )
            agents.note(
                node, time + 0.1, "WARNING", "torch/distributed/elastic/rendezvous/dynamic_rendezvous.py", 1218, text
            )


def write_bar(stage: Stage, time: float) -> None:
    """A progress bar without a newline stands at the end of a rank's log when the next record comes."""
    if stage.spec.noise and stage.spec.framework in (Framework.PLAIN, Framework.DEEPSPEED):
        bar = "\rvalidation:  37%|███▋      | 37/100 [00:12<00:21,  3.01it/s]"
        stage.rank(0, time, bar).glue = True
