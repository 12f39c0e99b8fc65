"""A job of eight ranks on two nodes, a dozen lines: rank 5 never entered the collective that the others timed out in."""

from __future__ import annotations

from pathlib import Path

STALLED = 5
_WATCHDOG = (
    "[rank{rank}]:[E1121 04:12:{second:02d}.112358132 ProcessGroupNCCL.cpp:683] [Rank {rank}] Watchdog caught collective "
    "operation timeout: WorkNCCL(SeqNum=1234, OpType=ALLREDUCE, NumelIn=4096, NumelOut=4096, Timeout(ms)=600000) "
    "ran for 600031 milliseconds before timing out.\n"
    "[rank{rank}]:[E1121 04:12:{second:02d}.112358132 ProcessGroupNCCL.cpp:2168] [PG ID 0 PG GUID 0(default_pg) Rank {rank}] "
    "failure detected by watchdog at work sequence id: 1234 PG status: last enqueued work: 1234, last completed work: 1233\n"
)


def node_text(node: int) -> str:
    """What the four ranks of one node wrote to its file."""
    ranks = range(node * 4, node * 4 + 4)
    started = f"node{node:03d}: world size 8\n"
    steps = "".join(f"[default{r % 4}]:2025-11-21 04:01:{r:02d} step 900 loss 2.31\n" for r in ranks)
    return started + steps + "".join(_WATCHDOG.format(rank=r, second=9 + r) for r in ranks if r != STALLED)


def write_tiny_job(folder: Path) -> Path:
    """Write both nodes' files into a folder, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for node in (0, 1):
        (folder / f"error-4821-{node}.out").write_text(node_text(node))
    return folder
