"""From host:pid to ranks; RAS reports, text and JSON."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matching import records_of
from ras_reports import BEHIND, a_snapshot

from logtui.parsers.records.nccl import (
    UNTOLD,
    Launched,
    communicators,
    nccl_devices,
    nccl_rank_map,
    read_json,
    read_text,
    told_sizes,
)  # fmt: skip
from logtui.parsers.records.record import RecordTable, chosen


def init(
    rank: int, nranks: int, pid: int, comm_id: str = "0xa", host: str = "node007", bus: str = "", **rest: str
) -> str:
    """One process's Init COMPLETE line, of NCCL 2.21."""
    address = rest.get("comm", f"0x{pid:x}{nranks:x}")
    bus = bus or f"{pid % 8 + 1}b000"
    tail = f"commId {comm_id} - " if comm_id else rest.get("split", "") + "- "
    return (
        f"{host}:{pid}:{pid + 50} [0] NCCL INFO ncclCommInitRank comm {address} rank {rank} nranks {nranks} cudaDev "
        f"{pid % 8} nvmlDev {pid % 8} busId {bus} {tail}Init {rest.get('phase', 'COMPLETE')}\n"
    )


def read(tmp_path: Path, *lines: str) -> RecordTable:
    return records_of(tmp_path / "job.log", "".join(lines))


def test_largest_communicator_gives_the_global_rank(tmp_path: Path) -> None:
    lines = [init(rank, 4, 100 + rank) for rank in range(4)]
    lines += [init(rank % 2, 2, 100 + rank, comm_id=f"0xb{rank // 2}") for rank in range(4)]
    records = read(tmp_path, *lines)
    assert nccl_rank_map(records) == {("node007", 100 + r): r for r in range(4)}
    assert communicators(records)["0xb1"].members == {0: ("node007", 102), 1: ("node007", 103)}


def test_a_line_tells_the_size_of_one_communicator_unread(tmp_path: Path) -> None:
    glued = init(0, 2, 100).rstrip("\n") + " " + init(0, 8, 100)
    records = read(tmp_path, init(0, 8, 100), glued, init(0, 16, 101))
    assert list(told_sizes(records, np.arange(len(records)))) == [8, *[UNTOLD] * (len(records) - 2), 16]


def test_a_part_knows_what_was_read_of_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [init(rank, 4, 100 + rank) for rank in range(4)] + [init(rank, 2, 200 + rank) for rank in range(2)]
    records = read(tmp_path, *lines)
    which = np.arange(len(records)) % 3 > 0
    alone = RecordTable(chosen(records.rows, which), records.blob, records.hosts, records.patterns)
    expected = alone.told("nranks"), nccl_rank_map(alone)
    records.told("nranks"), nccl_rank_map(records)
    monkeypatch.setattr(RecordTable, "_read_numbers", None)
    part = records.part(which)
    np.testing.assert_array_equal(part.told("nranks"), expected[0])
    assert nccl_rank_map(part) == expected[1] and len(expected[1]) > 1


def test_the_first_of_the_largest_counts_though_smaller_ones_follow(tmp_path: Path) -> None:
    lines = [init(3, 4, 100), init(1, 2, 100, comm_id="0xb"), init(5, 8, 100, comm_id="0xc"), init(2, 8, 100)]
    assert nccl_rank_map(read(tmp_path, *lines)) == {("node007", 100): 5}


def test_ranks_of_groups_alone_are_not_global(tmp_path: Path) -> None:
    """Two tensor-parallel groups and no world communicator: four processes, ranks 0 and 1 twice."""
    lines = [init(rank % 2, 2, 100 + rank, comm_id=f"0xb{rank // 2}") for rank in range(4)]
    assert nccl_rank_map(read(tmp_path, *lines)) == {}


def test_restart_claims_the_rank_again_on_the_same_gpu(tmp_path: Path) -> None:
    first = [init(rank, 2, 100 + rank, bus=f"{rank}b000") for rank in range(2)]
    second = [init(rank, 2, 200 + rank, comm_id="0xc", bus=f"{rank}b000") for rank in range(2)]
    found = nccl_rank_map(read(tmp_path, *first, *second))
    assert found == {("node007", 100): 0, ("node007", 101): 1, ("node007", 200): 0, ("node007", 201): 1}


def test_same_pid_on_two_hosts(tmp_path: Path) -> None:
    records = read(tmp_path, init(0, 2, 100, host="node000"), init(1, 2, 100, host="node001"))
    assert nccl_rank_map(records) == {("node000", 100): 0, ("node001", 100): 1}


def test_who_started_and_did_not_finish(tmp_path: Path) -> None:
    lines = [init(rank, 4, 100 + rank, phase="START") for rank in range(3)]
    comm = communicators(read(tmp_path, *lines, init(0, 4, 100)))["0xa"]
    assert (comm.pending, comm.absent) == (frozenset({1, 2}), frozenset({3}))


def test_splits_are_joined_by_parent_and_colour(tmp_path: Path) -> None:
    lines = [init(rank, 4, 100 + rank, comm=f"0x10{rank}") for rank in range(4)]
    lines += [
        init(
            rank % 2, 2, 100 + rank, comm_id="", comm=f"0x20{rank}", split=f"parent 0x10{rank} color {rank // 2} key 0"
        )
        for rank in range(4)
    ]
    found = communicators(read(tmp_path, *lines))
    assert found["0xa/:0"].members == {0: ("node007", 100), 1: ("node007", 101)}
    assert found["0xa/:1"].members == {0: ("node007", 102), 1: ("node007", 103)}


def test_devices(tmp_path: Path) -> None:
    assert nccl_devices(read(tmp_path, init(0, 1, 100, bus="1b000"))) == {("node007", 100): "1b000"}


def test_a_merged_file_of_many_processes_keeps_all(tmp_path: Path) -> None:
    lines = [init(rank, 600, 1000 + rank, host=f"node{rank // 8:03d}") for rank in range(600)]
    assert len(nccl_rank_map(read(tmp_path, *lines))) == 600


def test_old_lines_without_ids(tmp_path: Path) -> None:
    text = "".join(
        f"node007:{100 + r}:{200 + r} [{r}] NCCL INFO comm 0x7f{r} rank {r} nranks 2 cudaDev {r} busId {r}b000 - Init COMPLETE\n"
        for r in range(2)
    )
    records = read(tmp_path, text)
    assert nccl_rank_map(records) == {("node007", 100): 0, ("node007", 101): 1}
    assert communicators(records) == {}


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 4), st.integers(1, 9)), max_size=12))
def test_any_claims_give_one_rank_per_process(
    tmp_path_factory: pytest.TempPathFactory, claims: list[tuple[int, int, int]]
) -> None:
    text = "".join(init(rank, nranks, pid) for rank, nranks, pid in claims) or "nothing\n"
    records = records_of(tmp_path_factory.mktemp("job") / "a.log", text)
    found = nccl_rank_map(records)
    assert set(found) <= {("node007", pid) for _, _, pid in claims}
    assert all((rank, pid) in {(r, p) for r, _, p in claims} for (_, pid), rank in found.items())


def test_counts_of_the_text() -> None:
    first, second = read_text(BEHIND.splitlines())
    assert (first.hash, first.size) == ("51f0c2ab97d3e604", 16)
    assert first.launched["AllReduce"] == [Launched(905, 14, ()), Launched(904, 1, (5,)), Launched(0, 1, (9,))]
    assert first.launched["Broadcast"] == [Launched(12, 14, ()), Launched(11, 2, (5, 9))]
    assert first.behind() == ((5, 9), 2)
    assert first.differing() == ["AllReduce", "Broadcast"]
    assert (second.unanswered, second.launched, second.behind()) == ({2}, {}, ((), 0))


def test_a_minority_that_is_ahead_is_not_behind() -> None:
    """The report names the minority, whichever side it is on."""
    text = (
        "#0-0 (1) MISMATCH\n  Communicator ranks have different AllGather operation counts\n"
        "  30 ranks have launched up to operation 640\n  2 ranks have launched up to operation 641\n"
        "  Rank 12 -- GPU 4 managed by process 4411 on node 10.0.0.9\n  Rank 13 -- [process information not found]\n"
    )
    (comm,) = read_text(text.splitlines())
    assert comm.behind() == ((), 30)


def test_json_says_the_same() -> None:
    found = read_json(a_snapshot({r: 904 if r == 5 else 905 for r in range(16)}, missing=(16,)))
    assert found is not None
    stamp, (comm,) = found
    assert (stamp, comm.size, comm.unanswered) == ("2026-11-21 04:10:00", 17, {16})
    assert comm.behind() == ((5,), 1)
    assert comm.differing() == ["AllReduce"]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[" * 100_000, "[1]", '{"communicators": 3}', '{"communicators_count": 1}'],
    ids=["empty", "torn", "deep", "list", "no communicators", "none"],
)
def test_what_is_no_snapshot(text: str) -> None:
    assert read_json(text) is None


def test_absurd_values_are_left_out() -> None:
    ranks = [3, {"rank": -1}, {"rank": "x"}, {"rank": 2, "collective_counts": {"AllReduce": "many"}}]
    found = read_json(a_snapshot({}, communicators=[{"hash": 1, "ranks": ranks, "missing_ranks": 7}, "x"]))
    assert found is not None
    assert (found[1][0].size, found[1][0].launched, found[1][0].unanswered) == (1, {}, set())
