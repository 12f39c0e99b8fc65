"""A job at work: its start, its steps, its noise."""

from __future__ import annotations

from logtui.parsers.generator.stage import clock
from logtui.parsers.generator.stage.spec import Fault, Framework
from logtui.parsers.generator.stage.stage import Event, Stage
from logtui.parsers.generator.stage.world import TORCHRUN_LAYOUTS
from logtui.parsers.generator.wordings import nccl
from logtui.parsers.generator.wordings.errors import SITE
from logtui.parsers.generator.wordings.frameworks import SPEECH, Step, loss_at
from logtui.parsers.generator.wordings.torchrun import Agents, write_launch

# -- Harmless lines that look bad

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


# -- The uneventful part

COLLECTIVES_PER_STEP = 4
"""Of the default group; a step's number follows from the sequence number it stops at."""
TOTAL_STEPS = 1000
SHARD_EVERY = 40
"""Steps between two shards of one rank."""


def write_start(stage: Stage, time: float) -> float:
    """Launcher, framework header, communicator set-up. Returns when the first step may begin."""
    write_launch(stage, time)
    SPEECH[stage.spec.framework].header(stage, time + 12)
    write_warnings(stage, time + 12)
    nccl.write_init(stage, time + 22)
    stage.trained_from = stage.trained_to = time + 30
    return time + 30


def steps_before(seq: int) -> int:
    """Whole steps that are done when collective `seq` is met."""
    return max(1, (seq - 1) // COLLECTIVES_PER_STEP)


def write_training(stage: Stage, time: float, first: int, last: int) -> float:
    """Steps `first` to `last`, both inclusive. Returns when the last was done."""
    total = max(TOTAL_STEPS, last)
    for number in range(first, last + 1):
        took = step_time(stage, number, first)
        time += took
        SPEECH[stage.spec.framework].step(stage, Step(number, total, time, took, loss_at(number)))
        stage.last_step = number
        if stage.spec.fault == Fault.SLOW and number == slow_step(stage):
            stage.events[-1].marks["slow"] = 0
        _write_shards(stage, number, time)
    stage.trained_to = time
    write_bar(stage, time + 0.05)
    return time


def step_time(stage: Stage, number: int, first: int) -> float:
    """Seconds of a step: the first compiles; a slow job is slow from its step on."""
    usual = stage.spec.step_s * (0.99 + stage.jitter(0.02))
    if number == first:
        return usual * 2.6
    slow = stage.spec.fault == Fault.SLOW and number >= slow_step(stage)
    return usual * stage.spec.slow_ratio if slow else usual


def slow_step(stage: Stage) -> int:
    """The step at which a slow job becomes slow."""
    return stage.spec.slow_from or max(6, steps_before(stage.spec.seq) // 2)


def finish(stage: Stage, time: float, last: int) -> None:
    """Training is over as planned."""
    SPEECH[stage.spec.framework].done(stage, Step(last, last, time, stage.spec.step_s, loss_at(last)))


def shard(rank: int, number: int) -> str:
    """The shard that a rank reads after so many steps."""
    return f"shard-{(rank * 7919 + number // SHARD_EVERY * 104_729) % 100_000:05d}.tar"


def opening(stage: Stage, rank: int, time: float, number: int, mark: str = "") -> None:
    """The data layer opens a shard."""
    text = f"{clock.comma(time)} INFO shards: rank {rank} opening shard s3://corpus/{shard(rank, number)}"
    stage.rank(rank, time, text, mark=mark)


def _write_shards(stage: Stage, number: int, time: float) -> None:
    """Each rank opens its next shard once in a while, not all at the same step."""
    for rank in range(number * 7 % SHARD_EVERY, stage.spec.world_size, SHARD_EVERY):
        at = time - stage.jitter(0.7) * stage.spec.step_s
        opening(stage, rank, at, number)
        took = 0.4 + stage.jitter(1.2)
        text = f"{clock.comma(at + took)} INFO shards: rank {rank} read 2048 samples from {shard(rank, number)} in {took:.2f} s"
        stage.rank(rank, at + took, text)
