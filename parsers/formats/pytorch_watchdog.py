"""PyTorch's NCCL watchdog and heartbeat monitor, every wording from 1.12 to 2.15."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Pattern, Role, Sample

_PG = (
    r"(?:\[(?:PG(?: ID (?P<pg_id>\d+))?(?: PG GUID (?P<guid>\S+?)|(?<=PG) (?P<pg_name>\S+))?(?: ?\((?P<desc>[^()]*)\))? )?"
    r"Rank (?P<pg_rank>\d+)\] ?)"
)
_WORK = (
    r"WorkNCCL\(SeqNum=(?P<seq>\d+), OpType=(?P<op>\w+)"
    r"(?:, TensorShape=\[[^\]]*\])?(?:, NumelIn=(?P<numel_in>\d+), NumelOut=(?P<numel_out>\d+))?"
    r", Timeout\(ms\)=(?P<timeout_ms>\d+)\)"
)
_HEAD = "[rank57]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:683] "

FORMAT = LineFormat(
    name="pytorch_watchdog",
    title="PyTorch ProcessGroupNCCL watchdog and heartbeat monitor",
    reference="pytorch torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp, 1.12 to 2.15",
    patterns=(
        Pattern(
            name="pg.timeout",
            anchors=("Watchdog caught collective operation timeout",),
            regex=r"(?:\[Rank (?P<any_rank>\d+)\] |\[PG GUID (?P<guid>\S+?)(?:\((?P<desc>[^()]*)\))? Rank (?P<pg_rank>\d+)\] )?"
            r"Watchdog caught collective operation timeout:(?: " + _WORK + r" ran for (?P<ran_ms>\d+) milliseconds)?",
            samples=(
                Sample(
                    _HEAD + "[Rank 57] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1234, OpType=ALLREDUCE, "
                    "NumelIn=4096, NumelOut=4096, Timeout(ms)=600000) ran for 600031 milliseconds before timing out.",
                    {"seq": "1234", "op": "ALLREDUCE", "timeout_ms": "600000", "ran_ms": "600031", "numel_in": "4096"},
                ),
                Sample(
                    "[E ProcessGroupNCCL.cpp:737] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=77, "
                    "OpType=BROADCAST, Timeout(ms)=1800000) ran for 1800123 milliseconds before timing out.",
                    {"seq": "77", "any_rank": "3", "ran_ms": "1800123"},
                ),
            ),
            role=Role.SYMPTOM,
            title="collective timed out on this rank",
            note="A victim's line: the rank entered and waited. [Rank n] is group-local, and may be another group's.",
        ),
    ),
)
