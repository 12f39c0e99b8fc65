"""Whose dump a file is, whatever it is called and wherever it was collected."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest

from logtui.parsers.dumps.placing import Unplaced, place, ranks_in_name
from logtui.parsers.dumps.reading import DumpReader

NOON_NS = 1_795_000_000_000_000_000
SECOND = 1_000_000_000

NAMES = (
    ("nccl_trace_rank_5", (5,)),
    ("/tmp/nccl_trace_rank_0", (0,)),
    ("fr/comm_lib_trace_rank_1023", (1023,)),
    ("nccl_trace_rank_7.json", (7,)),
    ("nccl_trace_rank_7.pkl.gz", (7,)),
    ("nccl_trace_rank_7.pickle", (7,)),
    ("_dump_9", (9,)),
    ("fr_trace_3", (3,)),
    ("nccl_trace_rank_container-node02_5", (5,)),
    ("node02/nccl_trace_rank_3", (3,)),
    ("dumps.tar.gz!node02/nccl_trace_rank_3", (3,)),
    ("fr_rank12_attempt3", (3, 12)),
    ("trace-rank-12-final", (12,)),
    ("RANK3", (3,)),
    ("dump", ()),
    ("dump_99999999999999999999", ()),
    ("rank_4.txt.gz", (4,)),
)


@pytest.mark.parametrize(("name", "ranks"), NAMES, ids=[n[0] for n in NAMES])
def test_ranks_in_names(name: str, ranks: tuple[int, ...]) -> None:
    assert ranks_in_name(name)[: max(1, len(ranks))] == ranks[: max(1, len(ranks))]
    assert set(ranks) <= set(ranks_in_name(name))


def a_dump(
    name: str,
    groups: Mapping[str, Sequence[int]] | None = None,
    op: str = "all_reduce",
    group: str = "0",
    created_ns: int = NOON_NS,
    entries: int = 1,
) -> Unplaced:
    """A dump of one entry in a group of a world of four."""
    groups = {"0": range(4)} if groups is None else groups
    entry = {
        "record_id": 0, "pg_id": 0, "process_group": [group, ""], "collective_seq_id": 1,
        "profiling_name": f"nccl:{op}", "time_created_ns": created_ns, "timeout_ms": 600_000, "state": "scheduled",
    }  # fmt: skip
    config = {g: {"name": g, "desc": "", "ranks": str(list(ranks))} for g, ranks in groups.items()}
    top = {"version": "2.10", "pg_config": config, "pg_status": {}, "entries": [entry] * entries}
    return DumpReader().decode(json.dumps(top).encode(), name)


def placed(*dumps: Unplaced) -> dict[int, tuple[str, str]]:
    """Rank to file and what told it."""
    return {dump.rank: (dump.file, dump.rank_from) for dump in place(dumps)[0]}


def refused(*dumps: Unplaced) -> dict[str, str]:
    """File to reason."""
    return dict(place(dumps)[1])


def test_prefixes_may_be_mixed() -> None:
    assert placed(a_dump("nccl_trace_rank_0"), a_dump("comm_lib_trace_rank_1"), a_dump("x/_dump_2")) == {
        0: ("nccl_trace_rank_0", "name"), 1: ("comm_lib_trace_rank_1", "name"), 2: ("x/_dump_2", "name"),
    }  # fmt: skip


def test_groups_tell_the_rank_where_the_name_does_not() -> None:
    groups = {"0": range(8), "1": (4, 5), "2": (1, 3, 5, 7)}
    assert placed(a_dump("dump", groups)) == {5: ("dump", "groups")}


def test_groups_overrule_a_name_that_cannot_be() -> None:
    assert placed(a_dump("node1/dump_1", {"0": range(8), "1": (5,)})) == {5: ("node1/dump_1", "groups")}


def test_sends_and_receives_tell_the_rank() -> None:
    assert placed(a_dump("dump", {"0": range(8), "1": (2, 4, 6)}, op="recv 1<-0", group="1")) == {4: ("dump", "groups")}


def test_a_second_number_is_taken_if_only_it_fits() -> None:
    assert placed(a_dump("fr_rank2_epoch7")) == {2: ("fr_rank2_epoch7", "name")}


def test_directories_of_nodes_that_number_locally() -> None:
    names = [f"node0{node}/nccl_trace_rank_{local}" for node in (1, 2) for local in (0, 1)]
    assert placed(*map(a_dump, names)) == {rank: (name, "directory") for rank, name in enumerate(names)}


def test_directories_of_nodes_that_number_globally() -> None:
    names = [f"node0{rank // 2}/nccl_trace_rank_{rank}" for rank in range(4)]
    assert placed(*map(a_dump, names)) == {rank: (name, "name") for rank, name in enumerate(names)}


def test_the_newer_of_two_dumps_of_a_rank_counts() -> None:
    old, new = a_dump("a/dump_0"), a_dump("b/dump_0", created_ns=NOON_NS + 5 * SECOND)
    assert placed(new, old) == {0: ("b/dump_0", "name")}
    assert refused(new, old) == {"a/dump_0": "rank 0 has a newer dump: b/dump_0"}


def test_dumps_of_a_former_attempt_are_set_apart() -> None:
    dumps = [a_dump(f"dump_{rank}") for rank in range(3)] + [a_dump("dump_3", created_ns=NOON_NS - 4000 * SECOND)]
    assert sorted(placed(*dumps)) == [0, 1, 2]
    assert refused(*dumps) == {"dump_3": "of another run or attempt: its last entry is 4000 s before the others'"}


def test_a_rank_that_stopped_within_the_timeout_is_no_former_attempt() -> None:
    dumps = [a_dump(f"dump_{rank}") for rank in range(3)] + [a_dump("dump_3", created_ns=NOON_NS - 590 * SECOND)]
    assert sorted(placed(*dumps)) == [0, 1, 2, 3]


HOMELESS = (
    ("no rank anywhere", a_dump("dump", {}), "neither its name nor its groups tell its rank"),
    ("no number, many members", a_dump("dump"), "its name has no rank, its groups are of ranks 0, 1, 2, 3"),
    ("other members", a_dump("dump_9"), "its name says rank 9, its groups are of ranks 0, 1, 2, 3"),
    ("many other members", a_dump("dump_99", {"0": range(20)}), "of ranks 0, 1, 2, 3, 4, 5, 6, 7, …"),
    ("disjoint groups", a_dump("dump_1", {"0": (0, 1), "1": (2, 3)}), "its groups have no rank in common"),
)


@pytest.mark.parametrize(("dump", "why"), [h[1:] for h in HOMELESS], ids=[h[0] for h in HOMELESS])
def test_dumps_without_a_rank_are_refused(dump: Unplaced, why: str) -> None:
    (reason,) = refused(dump).values()
    assert why in reason


def test_members_that_are_no_list_of_ranks_are_unknown() -> None:
    for ranks in ("", "[0, 1", "__import__('os')", '["a"]', "[-1]", "[1e9]", "{}", "[[0]]"):
        top = {"version": "2.10", "pg_config": {"0": {"name": "0", "desc": "", "ranks": ranks}}, "entries": []}
        dump = DumpReader().decode(json.dumps(top).encode(), "dump_0")
        assert dump.pg_config["0"].members == ()
