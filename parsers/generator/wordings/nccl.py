"""NCCL's own INFO and WARN lines, by NCCL release.

Source: nccl src/init.cc, src/debug.cc, src/transport, 2.10 to 2.29. They go to stdout.
"""

from __future__ import annotations

from logtui.parsers.generator.stage import clock
from logtui.parsers.generator.stage.spec import Version
from logtui.parsers.generator.stage.stage import Stage

BUNDLED: dict[Version, tuple[int, int, int]] = {
    (1, 12): (2, 10, 3), (1, 13): (2, 14, 3), (2, 0): (2, 14, 3), (2, 1): (2, 18, 1), (2, 2): (2, 19, 3),
    (2, 3): (2, 20, 5), (2, 4): (2, 20, 5), (2, 5): (2, 21, 5), (2, 6): (2, 21, 5), (2, 7): (2, 26, 2),
    (2, 8): (2, 27, 3), (2, 9): (2, 27, 5), (2, 10): (2, 27, 5), (2, 14): (2, 29, 3),
}  # fmt: skip
"""The NCCL that comes with each PyTorch wheel."""


def info(stage: Stage, rank: int, text: str, thread: int = 0) -> str:
    """`node007:48231:48540 [1] NCCL INFO …`."""
    return f"{_who(stage, rank, thread)} NCCL INFO {text}"


def warn(stage: Stage, rank: int, time: float, place: str, text: str) -> str:
    """A warning begins with an empty line; from 2.26 on it has a time."""
    stamp = f"[{clock.dashed(time + stage.world.node(rank).skew_s)}] " if BUNDLED[stage.version] >= (2, 26, 0) else ""
    return f"\n{stamp}{_who(stage, rank, 7)} {place} NCCL WARN {text}"


def _who(stage: Stage, rank: int, thread: int) -> str:
    node, pid = stage.world.node(rank), stage.world.pid(rank, stage.attempt)
    return f"{node.host}:{pid}:{pid + 300 + thread} [{stage.world.local(rank)}]"


def write_init(stage: Stage, time: float) -> None:
    """Each rank joins the world communicator; enough to map host and process to rank."""
    for rank in stage.world.ranks:
        at = time + stage.jitter(1.5)
        for i, text in enumerate(_init_lines(stage, rank)):
            stage.rank(rank, at + i * 0.02, info(stage, rank, text), stdout=True)


def _init_lines(stage: Stage, rank: int) -> list[str]:
    nccl, spec = BUNDLED[stage.version], stage.spec
    local = stage.world.local(rank)
    comm = f"{0x55D0_0000_0000 + rank * 0x5A10:#x}"
    bus = f"{0x1B000 + local * 0x12000:x}"
    nvml = f"nvmlDev {local} " if nccl >= (2, 18, 0) else ""
    ident = f"commId {0x8F3C_21D4_77A0_0000 + spec.seed % 4096:#x} " if nccl >= (2, 16, 0) else ""
    name = "ncclCommInitRankConfig " if nccl >= (2, 23, 0) else "ncclCommInitRank " if nccl >= (2, 21, 0) else ""
    core = f"{name}comm {comm} rank {rank} nranks {spec.world_size} cudaDev {local} {nvml}busId {bus} {ident}- Init"
    lines = [_bootstrap(stage, rank)]
    if nccl >= (2, 18, 0):
        lines.append(f"[Rank {rank}] {core} START" if nccl >= (2, 29, 0) else f"{core} START")
    if spec.noise:
        lines += _channels(stage, rank)
    return [*lines, f"{core} COMPLETE"]


def address(stage: Stage, rank: int, port: int = 0) -> str:
    """`10.14.0.11<0>`: how NCCL writes a node's address."""
    node = stage.world.node(rank).index
    return f"10.14.{node // 250}.{node % 250 + 4}<{port}>"


def async_event(version: Version, device: str, text: str) -> str:
    """What happened to a port, in the wording of the release's NCCL."""
    nccl = BUNDLED[version]
    if nccl < (2, 20, 0):
        return f"NET/IB : Got async event : {text}"
    if nccl < (2, 23, 0):
        return f"NET/IB : {device}:1 Got async event : {text}"
    if nccl < (2, 28, 9):
        return f"NET/IB : {device}:1 Got async error event: {text}"
    return f"NET/IB : {device}:1 Got non-fatal async event: {text}(10)"


def completion(version: Version, peer: str, device: str) -> str:
    """A transport retry that ran out, in the wording of the release's NCCL."""
    nccl = BUNDLED[version]
    if nccl < (2, 18, 0):
        return f"NET/IB : Got completion from peer {peer} with error 12, opcode 0, len 0, vendor err 129"
    if nccl < (2, 20, 0):
        return f"NET/IB : Got completion from peer {peer} with error 12, opcode 0, len 0, vendor err 129 (Recv)"
    if nccl < (2, 22, 0):
        return f"NET/IB : Got completion from peer {peer} with status=12 opcode=0 len=0 vendor err 129 (Recv)"
    if nccl < (2, 28, 9):
        return (
            f"NET/IB: Got completion from peer {peer} with status=12 opcode=0 len=0 vendor err 129 (Recv) hca {device}"
        )
    return (
        f"NET/IB: Got completion from peer {peer} with status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_RDMA_WRITE(1) "
        f"vendor_err=129 hca {device}"
    )


def _bootstrap(stage: Stage, rank: int) -> str:
    colon = "Bootstrap:" if BUNDLED[stage.version] >= (2, 24, 0) else "Bootstrap :"
    return f"{colon} Using eth0:{address(stage, rank)}"


def _channels(stage: Stage, rank: int) -> list[str]:
    world = stage.spec.world_size
    up, down = (rank + 1) % world, (rank - 1) % world
    local, per = stage.world.local(rank), stage.spec.gpus_per_node
    via = "via P2P/CUMEM" if up // per == rank // per else "[send] via NET/IB/0/GDRDMA"
    return [
        "NCCL_IB_TIMEOUT set by environment to 22.",
        f"NET/IB : Using [0]mlx5_0:1/IB/SHARP [1]mlx5_1:1/IB/SHARP [RO]; OOB eth0:{address(stage, rank)}",
        f"Trees [0] {up}/-1/-1->{rank}->{down} [1] {up}/-1/-1->{rank}->{down}",
        f"Channel 00/0 : {rank}[{local}] -> {up}[{up % per}] {via}",
        f"Channel 01/0 : {rank}[{local}] -> {up}[{up % per}] {via}",
        "Connected all rings",
        "Connected all trees",
        "24 coll channels, 24 collnet channels, 0 nvls channels, 32 p2p channels, 2 p2p channels per peer",
    ]
