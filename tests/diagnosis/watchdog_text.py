"""Lines of the watchdog family with values of our own, in the wording of PyTorch 2.7."""

from __future__ import annotations

DEFAULT = "PG ID 0 PG GUID 0(default_pg)"


def head(rank: int, clock: str = "04:12:09") -> str:
    return f"[rank{rank}]:[E1121 {clock}.112358132 ProcessGroupNCCL.cpp:683] "


def timeout(
    rank: int, seq: int = 1234, op: str = "ALLREDUCE", numel: int = 4096, clock: str = "04:12:09", ran: int = 600031
) -> str:
    work = f"WorkNCCL(SeqNum={seq}, OpType={op}, NumelIn={numel}, NumelOut={numel}, Timeout(ms)=600000)"
    return (
        head(rank, clock)
        + f"[Rank {rank}] Watchdog caught collective operation timeout: {work} ran for {ran} milliseconds before timing out.\n"
    )


def status(rank: int, seq: int = 1234, enqueued: int = 1234, completed: int = 1233, group: str = DEFAULT) -> str:
    return (
        head(rank)
        + f"[{group} Rank {rank}]  failure detected by watchdog at work sequence id: {seq} "
        f"PG status: last enqueued work: {enqueued}, last completed work: {completed}\n"
    )


def notified(rank: int, source: int = 0, enqueued: int = 1233, completed: int = 1233) -> str:
    return (
        head(rank)
        + f"[{DEFAULT} Rank {rank}] Observed flight recorder dump signal from another rank via TCPStore.\n"
        + head(rank)
        + f"[{DEFAULT} Rank {rank}] Received a dump signal due to a collective timeout from  rank {source} and we will try our "
        f"best to dump the debug info. Last enqueued NCCL work: {enqueued}, last completed NCCL work: {completed}.This is\n"
    )


def victim(rank: int, **kwargs: int) -> str:
    seq = kwargs.get("seq", 1234)
    return timeout(rank, seq) + status(rank, seq, kwargs.get("enqueued", seq), kwargs.get("completed", seq - 1))
