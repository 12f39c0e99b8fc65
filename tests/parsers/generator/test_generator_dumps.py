"""Flight-recorder dumps of generated jobs: schema by release, and agreement with the logs."""

from __future__ import annotations

import io
import json
import pickle
import pickletools
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from logtui.parsers.generator import Fault, Framework, JobSpec, generate, write_dumps
from logtui.parsers.generator.flight_recorder import torch_pickled

HANGS = [
    Fault.DATA_STALL, Fault.STRAGGLER_USER_CODE, Fault.STRAGGLER_BEHIND, Fault.BROADCAST_ROOT_AHEAD, Fault.FABRIC,
    Fault.MISMATCH, Fault.CHAIN,
]  # fmt: skip
TORCH_OPCODES = set(
    "PROTO EMPTY_DICT EMPTY_LIST MARK BINUNICODE BININT BININT1 BININT2 LONG1 BINPUT BINGET LONG_BINPUT LONG_BINGET "
    "SETITEMS APPENDS TUPLE2 NONE NEWTRUE NEWFALSE STOP".split()
)


class Refusing(pickle.Unpickler):
    """Loads containers and scalars only."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name}")


def load(path: Path) -> Any:
    """A dump, without trusting it."""
    return Refusing(io.BytesIO(path.read_bytes())).load()


def job(fault: Fault, version: str = "2.7", world: int = 16) -> JobSpec:
    """A hang; the chain needs groups."""
    tp, pp = (2, 2) if fault is Fault.CHAIN else (1, 1)
    framework = Framework.MEGATRON if fault is Fault.CHAIN else Framework.PLAIN
    return JobSpec(
        fault=fault, world_size=world, gpus_per_node=8, pytorch=version, culprits=(6,), seed=3, seq=90,
        tensor_parallel=tp, pipeline_parallel=pp, framework=framework, recorder=True,
    )  # fmt: skip


def rank_of(path: Path) -> int:
    """The rank that a file name ends with."""
    return int(path.stem.rpartition("_")[2])


SCHEMAS = [
    ("2.2", None, {"seq_id", "time_created_us", "frames"}, {"time_created_ns", "process_group"}),
    ("2.3", "1.4", {"seq_id", "record_id", "op_id", "retired", "time_created_ns"}, {"process_group", "is_p2p"}),
    (
        "2.4",
        "2.1",
        {"process_group", "collective_seq_id", "p2p_seq_id", "input_dtypes", "is_p2p"},
        {"seq_id", "timeout_ms"},
    ),
    ("2.7", "2.4", {"timeout_ms", "is_p2p"}, {"thread_id"}),
    ("2.8", "2.9", {"thread_id", "thread_name"}, {"seq_id"}),
    ("2.10", "2.10", {"thread_id", "thread_name"}, {"seq_id"}),
]


@pytest.mark.parametrize(("version", "schema", "has", "lacks"), SCHEMAS, ids=[s[0] for s in SCHEMAS])
def test_schema_of_each_release(
    version: str, schema: str | None, has: set[str], lacks: set[str], tmp_path: Path
) -> None:
    files = write_dumps(job(Fault.DATA_STALL, version), tmp_path, entries=10)
    dump = load(files[0])
    entries = dump if schema is None else dump["entries"]
    assert len(entries) == 10
    assert has <= entries[0].keys() and not lacks & entries[0].keys()
    if schema is not None:
        assert dump["version"] == schema
    assert files[0].name == ("comm_lib_trace_rank_0" if version == "2.10" else "nccl_trace_rank_0")


def test_opcodes_are_those_of_torch(tmp_path: Path) -> None:
    path = write_dumps(job(Fault.CHAIN, "2.10"), tmp_path, entries=300)[0]
    assert {op.name for op, _, _ in pickletools.genops(path.read_bytes())} <= TORCH_OPCODES


@pytest.mark.parametrize(
    "value", [{"a": [1, 70_000, -3, 1 << 40]}, [[], {}, ("x", "x")], [True, False, None, "é"]], ids=str
)
def test_pickles_load_as_they_were(value: Any) -> None:
    assert Refusing(io.BytesIO(torch_pickled(value))).load() == value


def test_other_types_are_not_pickled() -> None:
    with pytest.raises(TypeError):
        torch_pickled({"a": 1.5})


@pytest.mark.parametrize("fault", HANGS)
def test_dumps_agree_with_the_logs(fault: Fault, tmp_path: Path) -> None:
    truth = generate(job(fault), tmp_path / "logs")
    files = {rank_of(p): load(p) for p in write_dumps(job(fault), tmp_path / "fr")}
    assert files.keys() == set(truth.watchdog_ranks) | set(truth.observed_ranks)
    for rank in truth.watchdog_ranks:
        state = truth.nccl_state[rank]
        pending = [
            e for e in files[rank]["entries"] if e["state"] != "completed" and e["process_group"][0] == state.guid
        ]
        seqs = [e["p2p_seq_id"] if e["is_p2p"] else e["collective_seq_id"] for e in pending]
        assert seqs == list(range(state.completed + 1, state.enqueued + 1)), rank
    for rank in truth.observed_ranks:
        assert all(e["state"] == "completed" for e in files[rank]["entries"]), rank


def waits_for(files: dict[int, Any], rank: int) -> set[int]:
    """The members of the group a rank is stuck in that have not entered what it waits in."""
    stuck = next((e for e in files[rank]["entries"] if e["state"] != "completed"), None)
    if stuck is None:
        return set()
    group, kind = stuck["process_group"][0], "p2p_seq_id" if stuck["is_p2p"] else "collective_seq_id"
    members: list[int] = json.loads(files[rank]["pg_config"][group]["ranks"])

    def entered(member: int) -> bool:
        return any(e["process_group"][0] == group and e[kind] == stuck[kind] for e in files[member]["entries"])

    return {m for m in members if not entered(m)}


@pytest.mark.parametrize(
    "fault", [Fault.DATA_STALL, Fault.STRAGGLER_USER_CODE, Fault.BROADCAST_ROOT_AHEAD, Fault.CHAIN]
)
def test_following_the_waits_ends_at_the_culprit(fault: Fault, tmp_path: Path) -> None:
    files = {rank_of(p): load(p) for p in write_dumps(job(fault, "2.14"), tmp_path)}
    for start in files:
        rank, seen = start, {start}
        while missing := waits_for(files, rank) - seen:
            rank = min(missing)
            seen.add(rank)
        assert rank == 6, start


def test_mismatch_shows_in_the_minority(tmp_path: Path) -> None:
    files = {rank_of(p): load(p) for p in write_dumps(job(Fault.MISMATCH), tmp_path)}
    last = {r: (d["entries"][-1]["profiling_name"], str(d["entries"][-1]["input_sizes"])) for r, d in files.items()}
    usual, _ = Counter(last.values()).most_common(1)[0]
    assert [r for r, seen in last.items() if seen != usual] == [6]


def test_ring_wraps(tmp_path: Path) -> None:
    entries = load(write_dumps(job(Fault.DATA_STALL), tmp_path, entries=20)[0])["entries"]
    assert [e["record_id"] for e in entries] == list(range(70, 90))


def test_json_has_no_frames_and_no_nulls(tmp_path: Path) -> None:
    path = write_dumps(job(Fault.DATA_STALL, "2.10"), tmp_path, as_json=True)[0]
    dump = json.loads(path.read_text())
    assert path.name == "comm_lib_trace_rank_0.json"
    assert "frames" not in dump["entries"][0] and None not in dump["entries"][-1].values()
    assert dump["pg_status"]["0"]["last_enqueued_collective"] == "90"


@pytest.mark.parametrize(("version", "as_json"), [("2.1", False), ("2.4", True)])
def test_releases_without_a_recorder(version: str, as_json: bool, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="writes no"):
        write_dumps(job(Fault.DATA_STALL, version), tmp_path, as_json=as_json)


def test_a_job_that_does_not_hang_leaves_no_dumps(tmp_path: Path) -> None:
    assert write_dumps(job(Fault.HEALTHY), tmp_path) == ()
