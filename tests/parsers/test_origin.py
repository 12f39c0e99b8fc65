"""Who wrote a line: prefixes as launchers and loggers stack them."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from logtui.parsers.origin import Origin, RankFrom, read_origin


class Case(NamedTuple):
    """A line, the text a hit begins with, and what must be read before it."""

    id: str
    line: str
    expected: Origin
    hit: str = "HERE"


PREFIX, TEXT, NONE = RankFrom.PREFIX, RankFrom.TEXT, RankFrom.NONE

CASES = (
    Case("bare", "HERE", Origin()),
    Case("python traceback", "[rank57]: HERE", Origin(57, PREFIX)),
    Case("c10 header", "[rank57]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:683] HERE", Origin(57, PREFIX)),
    Case("c10 hit at its start", "[rank57]:[E1121 04:12:09.1", Origin(57, PREFIX), "[rank57]"),
    Case("five digits", "[rank16383]: HERE", Origin(16383, PREFIX)),
    Case("group-local rank is not ours", "[Rank 3] HERE", Origin()),
    Case("doubled", "[rank4]:[rank4]: HERE", Origin(4, PREFIX)),
    Case("tee", "[default3]:HERE", Origin(local_rank=3)),
    Case("tee over rank", "[default3]:[rank11]: HERE", Origin(11, PREFIX, local_rank=3)),
    Case("tee with host role", "[node007:5]:HERE", Origin(local_rank=5, host="node007")),
    Case("tee twice on a line", "[default3]:loss 2[default1]:HERE", Origin(local_rank=1)),
    Case("srun label", " 3: [rank29]: HERE", Origin(29, PREFIX, task=3)),
    Case("srun label, no padding", "12: HERE", Origin(task=12)),
    Case("srun label, zero padded", "007: HERE", Origin(task=7)),
    Case("srun label, heterogeneous job", "P1  4: HERE", Origin(task=4)),
    Case("srun label over tee", "0: [default5]: HERE", Origin(task=0, local_rank=5)),
    Case("a time is no label", "04:12:09 HERE", Origin()),
    Case("pdsh address", "192.0.2.17: [rank10]: HERE", Origin(10, PREFIX, host="192.0.2.17")),
    Case("pdsh name", "node007: HERE", Origin(host="node007")),
    Case("kernel line of syslog", "Nov 21 04:02:00 node007 kernel: HERE", Origin(host="node007")),
    Case("kernel line of journald", "2026-02-24T15:09:37.123456+00:00 node007 kernel: HERE", Origin(host="node007")),
    Case("kernel line without a host", "[571234.567890] kernel: HERE", Origin()),
    Case("pdsh localhost", "localhost: HERE", Origin(host="localhost")),
    Case("srun speaks itself", "srun: error: node007: task 3: HERE", Origin()),
    Case("an error is no host", "HTTP-Error: HERE", Origin()),
    Case("a script is no host", "train-7b.py: HERE", Origin()),
    Case("mpirun", "[1,12]<stderr>:HERE", Origin(12, TEXT)),
    Case("ray", "(RayTrainWorker pid=4009, ip=192.0.2.17) HERE", Origin(host="192.0.2.17", pid=4009)),
    Case("ray on the head node", "(TaskRunner pid=16292) HERE", Origin(pid=16292)),
    Case("ray with rank", "(WorkerDict rank=6 pid=4009) HERE", Origin(6, PREFIX, pid=4009)),
    Case("composer", "2025-03-09 11:22:26,152: rank5[8220][MainThread]: INFO: HERE", Origin(5, PREFIX)),
    Case("nccl", "node007:4242:4310 [1] NCCL INFO HERE", Origin(host="node007", pid=4242), "NCCL INFO"),
    Case("nccl behind a tee", "[default1]:node007:4242:4310 [1] NCCL WARN x",
         Origin(host="node007", pid=4242, local_rank=1), "NCCL WARN"),
    Case("nccl dated", "[2026-01-01 12:08:32] node-0-0:194:710 [0] NCCL WARN x",
         Origin(host="node-0-0", pid=194), "NCCL WARN"),
    Case("nccl cut by a record", "node007:4242:4310 [2] NCCL INFO NVLS supp[rank2]:[E Process] HERE",
         Origin(2, PREFIX)),
    Case("numbers past any process or rank", f"[1,{9**30}]<stderr>:(A pid={9**30}) : rank{9**30}[1][ HERE", Origin()),
    Case("glued, the nearest counts", "[rank1]: tail of one[rank2]: HERE", Origin(2, PREFIX)),
    Case("glued, far into a line", "x" * 500 + "[rank2]: HERE", Origin(2, PREFIX), "[rank2]"),
    Case("glued, later ones do not", "[rank1]: HERE and more text here[rank2]: x", Origin(1, PREFIX)),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.id)
def test_prefixes(case: Case) -> None:
    assert read_origin(case.line, case.line.index(case.hit)) == case.expected


@given(st.text(max_size=600), st.integers(0, 700))
@example("[rank" * 100, 3)
@example("[" * 600, 500)
def test_any_text_is_survived(text: str, hit: int) -> None:
    origin = read_origin(text, hit)
    assert origin.rank >= -1
    assert (origin.rank == -1) == (origin.rank_from is NONE)


@given(st.integers(0, 999_999), st.text("abc ]:[.", max_size=40))
def test_the_rank_prefix_always_wins(rank: int, body: str) -> None:
    line = f"[default3]:[rank{rank}]:{body} HERE"
    assert read_origin(line, line.index("HERE")).rank == rank


def test_every_source_of_a_rank_has_words() -> None:
    assert all(s.word and "_" not in s.word for s in RankFrom)
