"""Who wrote a line: heads as launchers, collectors and loggers stack them; and the line without them."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from logtui.parsers.prefix.origin import (
    HEAD_BEHIND,
    Origin,
    RankFrom,
    glued_heads,
    named_rank,
    owned_body,
    read_origin,
    split,
    split_at,
)


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
    Case("an exception of a numbered module is no host", "cv2.error: HERE", Origin()),
    Case("nor one of a numbered client", "httpx2.ReadTimeout: HERE", Origin()),
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
    Case("mpirun over a rank", "[1,12]<stderr>:[rank13]: HERE", Origin(13, PREFIX)),
    Case("a collector's time before a label", "2026-01-02T03:04:05.678Z stderr F 3: HERE", Origin(task=3)),
    Case("pdsh, indented", "node007:   HERE", Origin(host="node007")),
    Case("slurmstepd of a node", "slurmstepd-node007: error: HERE", Origin(host="node007")),
    Case("a parent's process is no Ray actor", "cannot signal (ppid=12) HERE", Origin()),
    Case("its own subject", "2026-03-05 15:00:00,120 INFO shards: rank 57 opening HERE", Origin(57, TEXT)),
    Case("its own subject behind a label", "3: 2026-03-05 15:00:00,120 INFO rank 57 opening HERE",
         Origin(57, TEXT, task=3)),
    Case("a rank's prefix outdoes the subject", "[rank3]: 2026-03-05 15:00:00,120 INFO rank 57 opening HERE",
         Origin(3, PREFIX)),
    Case("somebody else's subject", "2026-03-05 15:00:00,120 INFO rank 57 has not reported HERE", Origin()),
    Case("an object is no subject", "2026-03-05 15:00:00,120 INFO shards: waiting for rank 57 HERE", Origin()),
    Case("a subject that another's record cuts",
         "2026-03-05 15:00:00,120 INFO shards: rank 57 ope[default1]:HERE", Origin(local_rank=1)),
    Case("a line as a whole, all of its stack", "[default3]:(Worker pid=17) [rank11]: HERE",
         Origin(11, PREFIX, local_rank=3, pid=17), "[default"),
    Case("a line as a whole, behind its time", "2026-03-05 15:00:00 [rank3]: HERE", Origin(3, PREFIX), "2026"),
    Case("a line as a whole, the first in it", "[rank1]: tail of one[rank2]: HERE", Origin(1, PREFIX), "[rank1]"),
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


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("step 3 rank=57 loss 2.31", 57),
        ("GLOBAL_RANK: 5", 5),
        ("LOCAL_RANK=3", None),
        ("waiting for rank 57", None),
        ("got 4 parts from rank 57", None),
        ("franks: 4", None),
    ],
)
def test_a_rank_that_a_text_names_as_its_writer(text: str, rank: int | None) -> None:
    assert named_rank(text) == rank


@pytest.mark.parametrize(
    ("line", "bodies"),
    [
        ("[default3]:[rank11]: step 1", []),
        ("3: 47%| it/s][default5]:(Worker pid=17) [rank13]: step 2", ["step 2"]),
        ("[default0]: 47%[default5]:step 2[default6]:step 3", ["step 2[default6]:step 3", "step 3"]),
        ("no head at all", []),
    ],
)
def test_heads_glued_to_what_another_left(line: str, bodies: list[str]) -> None:
    assert [line[end:] for _, end in glued_heads(line)] == bodies


def test_records_glued_into_a_megabyte() -> None:
    """Each is asked for the heads near it and for those of its line, not for all that another left between."""
    near, far = "x" * (HEAD_BEHIND // 2), "x" * HEAD_BEHIND
    line = f"[rank3]: {far}[rank4]: {near}"
    assert read_origin(line, len(line)).rank == 4
    assert read_origin(line + far, len(line + far)).rank == 3


def test_every_source_of_a_rank_has_words() -> None:
    assert all(s.word and "_" not in s.word for s in RankFrom)


@pytest.mark.parametrize(
    ("line", "key", "body"),
    [
        pytest.param("plain text", (), "plain text", id="none"),
        pytest.param("[rank57]:   File", ("[rank57]:",), "  File", id="rank takes one blank"),
        pytest.param("[default1]:  File", ("[default1]:",), "  File", id="tee takes none"),
        pytest.param("[default1]:[rank9]: x", ("[default1]:", "[rank9]:"), "x", id="tee and rank"),
        pytest.param("[rank4]:[rank4]: x", ("[rank4]:",), "x", id="doubled"),
        pytest.param(" 7: [rank7]: x", ("7:", "[rank7]:"), "x", id="srun label"),
        pytest.param("node007: [rank4]: x", ("node007:", "[rank4]:"), "x", id="pdsh"),
        pytest.param("10.0.0.7: x", ("10.0.0.7:",), "x", id="pdsh address"),
        pytest.param("(Worker pid=31, ip=10.0.0.7)   y", ("(Worker pid=31, ip=10.0.0.7)",), "  y", id="ray"),
        pytest.param("2026-01-02T03:04:05.678Z stderr F [rank1]: x", ("[rank1]:",), "x", id="container"),
        pytest.param(
            "[rank1]:W0102 03:04:05.678901 4242 torch/_dynamo/a.py:7] [5/2]   File",
            ("[rank1]:", "4242 torch/_dynamo/a.py:7]"),
            "  File",
            id="logger header on every line",
        ),
        pytest.param("ValueError: bad", (), "ValueError: bad", id="exception is no host"),
        pytest.param("S3Error: bad", (), "S3Error: bad", id="exception with a digit"),
    ],
)
def test_split(line: str, key: tuple[str, ...], body: str) -> None:
    found = split(line)
    assert (found.key, found.body) == (key, body)


def test_glued_record_keeps_the_outer_prefix() -> None:
    line = "node007: 33%|###  | 5/15 [00:03<00:06][rank4]: Traceback"
    found = split_at(line, line.index("Traceback"))
    assert (found.key, found.body) == (("node007:", "[rank4]:"), "Traceback")


@pytest.mark.parametrize(
    ("line", "key", "body"),
    [
        pytest.param("[rank4]: x", ("[rank4]:",), "x", id="own"),
        pytest.param("[rank5]: x", ("[rank4]:",), None, id="other rank"),
        pytest.param("x", ("[rank4]:",), None, id="no prefix"),
        pytest.param("[rank4]: x", (), None, id="prefixed line of another writer"),
        pytest.param("10%|#  | 1/10[rank4]:   File", ("[rank4]:",), "  File", id="glued"),
    ],
)
def test_owned_body(line: str, key: tuple[str, ...], body: str | None) -> None:
    assert owned_body(line, key) == body


@given(st.text(alphabet="[]rank0:1 (pid=)-.Txé", max_size=60))
def test_body_is_a_tail_of_the_line(line: str) -> None:
    assert line.endswith(split(line).body)
