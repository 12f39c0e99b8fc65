"""What stands behind a proposal: states, mismatches, stacks, clocks, the matrix, and the evidence for each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded_job import STEP_NS, RecordedJob

from logtui.diagnosis.dumps.analyse import analyse, analyse_dumps
from logtui.diagnosis.dumps.matrix import Cell
from logtui.diagnosis.dumps.suspects import Kind
from logtui.diagnosis.dumps.waits import strongly_connected
from logtui.parsers.dumps.dump import DumpSet
from logtui.parsers.dumps.placing import place
from logtui.parsers.dumps.reading import DumpReader
from logtui.parsers.source import FileKind, LogFile

PENDING = "scheduled"
DEFAULT = "0:default_pg"


def test_evidence_names_file_and_entry() -> None:
    job = RecordedJob(3).launch("all_reduce").launch("all_reduce", (0, 1), state=PENDING)
    (suspect,) = job.findings().suspects
    assert (suspect.rank, suspect.kind, suspect.followers) == (2, Kind.NOT_ENTERED, 2)
    assert [(ref.file, ref.index, ref.what) for ref in suspect.evidence] == [
        ("nccl_trace_rank_2", 0, "all_reduce #1 of 0:default_pg: completed, retired"),
        ("nccl_trace_rank_0", 1, "all_reduce #2 of 0:default_pg: scheduled"),
    ]


def test_stuck_collectives_list_their_members() -> None:
    job = RecordedJob(5, {"1": (2, 4)}).launch("all_reduce")
    job.launch("barrier", (2,), "1", PENDING).launch("all_reduce", (0, 1, 2), state=PENDING)
    world, pair = job.findings((0, 1, 2, 4)).stuck
    assert (world.group.label, world.seq, world.op) == (DEFAULT, 2, "all_reduce")
    assert (world.waiting, world.queued, world.missing, world.no_dump) == ((0, 1), (2,), (4,), (3,))
    assert (pair.group.label, pair.waiting, pair.missing) == ("1:group 1", (2,), (4,))


def test_collectives_that_somebody_holds_up_come_first() -> None:
    job = RecordedJob(6, {"1": (0, 1, 2), "2": (3, 4, 5)})
    job.launch("all_reduce", group="1", state=PENDING).launch("all_reduce", (3, 5), "2", PENDING)
    findings = job.findings()
    assert [(stuck.group.name, stuck.missing) for stuck in findings.stuck] == [("2", (4,)), ("1", ())]


def test_missing_dumps_have_a_reason() -> None:
    job = RecordedJob(3).launch("all_reduce")
    dumps = job.dumps((0,))
    refused = DumpSet(dumps.dumps, (("nccl_trace_rank_2", "truncated"),), dumps.by_rank)
    one, two = analyse(refused).missing
    assert (one.rank, "no dump" in one.why) == (1, True)
    assert (two.rank, two.why) == (2, "nccl_trace_rank_2 was refused: truncated")


def test_groups_of_one_name_and_other_members_are_others() -> None:
    """Replica groups that restart reuse names: 0 and 1 do not wait for 2 and 3."""
    first = RecordedJob(4, {"1": (0, 1)}).launch("all_reduce").launch("all_reduce", (0,), "1", PENDING)
    second = RecordedJob(4, {"1": (2, 3)}).launch("all_reduce").launch("all_reduce", (2, 3), "1")
    both = DumpSet.of([*first.dumps((0, 1)).dumps, *second.dumps((2, 3)).dumps], [])
    findings = analyse(both)
    assert findings.hint.culprits == (1,)
    assert findings.groups == (DEFAULT, "1:group 1", "1:group 1")


SHIFTS = (
    ("skipped", ["all_gather"], "rank 2 calls what the others call next: it skipped all_reduce"),
    ("one too many", ["barrier", "all_reduce", "all_gather"], "rank 2 calls the others' all_reduce next: its barrier is one too many"),
    ("something else", ["reduce_scatter", "reduce_scatter"], ""),
)  # fmt: skip


@pytest.mark.parametrize(("ops", "note"), [s[1:] for s in SHIFTS], ids=[s[0] for s in SHIFTS])
def test_mismatches_say_who_fell_out_of_step(ops: list[str], note: str) -> None:
    job = RecordedJob(3)
    for op in ("all_reduce", "all_gather"):
        job.launch(op, (0, 1), state=PENDING)
    for op in ops:
        job.launch(op, (2,), state=PENDING)
    first = job.findings().mismatches[0]
    assert (first.seq, first.kind, first.odd_ranks, first.expected, first.note) == (1, "type", (2,), "all_reduce", note)
    assert first.found == ((ops[0], (2,)),)
    assert [(ref.rank, ref.index) for ref in first.evidence] == [(2, 0), (0, 0)]


def test_mismatches_that_went_through_are_told_but_blame_nobody_for_a_hang() -> None:
    job = RecordedJob(4).launch("all_reduce", (0, 1, 3)).launch("all_reduce", (2,), input_sizes=[[9]])
    job.launch("all_reduce").launch("all_reduce", (0, 2, 3), state=PENDING)
    findings = job.findings()
    assert [(m.seq, m.odd_ranks, m.stuck) for m in findings.mismatches] == [(1, (2,), False)]
    assert findings.hint.culprits == (1,)


def test_sizes_that_may_differ_are_no_mismatch() -> None:
    job = RecordedJob(2)
    for rank, size in ((0, 3), (1, 5)):
        job.launch("all_to_all", (rank,), input_sizes=[[size]], output_sizes=[[8 - size]])
        job.launch("gather", (rank,), output_sizes=[[8], [8]] if rank == 0 else [])
        job.launch("scatter", (rank,), input_sizes=[[8], [8]] if rank == 0 else [])
    assert job.findings().mismatches == ()


def test_an_exchange_that_does_not_add_up() -> None:
    job = RecordedJob(2)
    for rank, sent in ((0, 3), (1, 6)):
        job.launch("all_to_all", (rank,), state=PENDING, input_sizes=[[sent]], output_sizes=[[4]])
    (mismatch,) = job.findings().mismatches
    assert (mismatch.kind, mismatch.odd_ranks) == ("own", ())
    assert mismatch.found == (("all_to_all: 9 elements are sent, 8 received", (0, 1)),)


def test_states_are_the_watermarks_or_derived() -> None:
    job = RecordedJob(2).launch("all_reduce").launch("all_reduce", state=PENDING, timeout_ms=1000)
    job.marks(0, g0=(2, 1, 0))
    states = job.findings().states
    assert states is not None
    measured, derived = states[0, DEFAULT], states[1, DEFAULT]
    assert (measured.enqueued, measured.started, measured.completed) == (2, 1, 0)
    assert (derived.enqueued, derived.started, derived.completed) == (2, None, 1)
    assert derived.pending is not None
    assert (derived.pending.seq, derived.pending.op, derived.pending.numel_in) == (2, "all_reduce", 8)
    assert (derived.pending.timeout_ms, derived.pending.evidence.index) == (1000, 1)


def test_watermarks_of_groups_without_entries_are_joined_by_order() -> None:
    job = RecordedJob(3, {"4": (0, 1), "11": (0, 2)})
    job.launch("all_reduce", (0,), "4", PENDING).marks(1, g0=(9, -1, 9), g4=(0, -1, 0))
    states = job.findings().states
    assert states is not None
    assert (states[1, DEFAULT].enqueued, states[1, "4:group 4"].enqueued) == (9, 0)
    assert job.findings().hint.culprits == (1,)


def test_uninitialised_watermarks_are_unknown() -> None:
    job = RecordedJob(2).launch("all_reduce").marks(0, g0=(1 << 50, -1, 1 << 50))
    states = job.findings().states
    assert states is not None
    assert (states[0, DEFAULT].enqueued, states[0, DEFAULT].completed) == (1, 1)


def test_stacks_are_grouped_with_the_odd_one_first() -> None:
    job = RecordedJob(4)
    for rank in range(4):
        frames = [{"name": "evaluate" if rank == 2 else "train", "filename": "/data/src/loop.py", "line": 7}]
        job.launch("all_reduce", (rank,), state=PENDING, frames=frames)
    job.launch("all_reduce", (0,), state=PENDING)
    findings = job.findings()
    rare, common = findings.stacks(findings.stuck[0])
    assert (rare.ranks, str(rare.stack[0]), rare.entered) == ((2,), "evaluate at /data/src/loop.py:7", True)
    assert (common.ranks, common.example.rank) == ((0, 1, 3), 0)


def test_stacks_show_where_a_missing_rank_was_last() -> None:
    job = RecordedJob(3).launch("barrier").launch("all_reduce", (0, 1), state=PENDING)
    findings = job.findings()
    absent, waiting = findings.stacks(findings.stuck[0])
    assert (absent.ranks, absent.entered, absent.stack[0].name) == ((2,), False, "barrier")
    assert (waiting.ranks, waiting.entered, waiting.stack[0].name) == ((0, 1), True, "all_reduce")


def test_clocks_are_compared_by_common_collectives() -> None:
    job = RecordedJob(4)
    job.clock = {2: 5 * STEP_NS}
    for _ in range(4):
        job.launch("all_reduce")
    skews = {skew.rank: skew for skew in job.findings().skews}
    assert abs(skews[2].offset_s - skews[0].offset_s - 5) < 1
    assert abs(skews[1].offset_s - skews[0].offset_s) < 1
    assert skews[2].samples == 4


def test_clocks_that_agree_show_no_skew() -> None:
    job = RecordedJob(4)
    for _ in range(4):
        job.launch("all_reduce")
    assert max(abs(skew.offset_s) for skew in job.findings().skews) < 1
    assert RecordedJob(4).launch("all_reduce").findings().skews == (), "one collective is no comparison"


def test_a_cycle_names_its_ranks_and_what_each_waits_in() -> None:
    job = RecordedJob(2, {"1": (0, 1)})
    job.launch("all_reduce", (0,), "0", PENDING).launch("all_gather", (1,), "1", PENDING)
    job.launch("all_reduce", (1,), "0", PENDING).launch("all_gather", (0,), "1", PENDING)
    findings = job.findings()
    assert [(s.rank, s.kind, s.why) for s in findings.suspects] == [
        (0, Kind.CYCLE, "waits in all_reduce #1 of 0:default_pg for rank 1, who waits in something else for it"),
        (1, Kind.CYCLE, "waits in all_gather #1 of 1:group 1 for rank 0, who waits in something else for it"),
    ]
    assert findings.hint.why.startswith("2 ranks wait for each other: rank 0 waits in all_reduce #1 of 0:default_pg")


def test_span_dates_the_job() -> None:
    assert RecordedJob(2).launch("all_reduce").findings().span == (1_795_000_000.0, 1_795_000_000.0)
    assert RecordedJob(2).findings().span is None


def test_matrix_is_aligned_by_number() -> None:
    job = RecordedJob(4).launch("all_reduce").launch("all_gather")
    job.launch("all_reduce", (0,), state="started").launch("all_reduce", (3,), state=PENDING)
    job.launch("barrier", (2,), state=PENDING)
    matrix = job.findings((0, 2, 3)).matrix(DEFAULT, 2)
    assert (matrix.ranks, matrix.seqs, matrix.ops) == ((0, 1, 2, 3), (2, 3), ("all_gather", "all_reduce"))
    assert matrix.cells.tolist() == [
        [Cell.COMPLETED, Cell.STARTED],
        [Cell.NO_DUMP, Cell.NO_DUMP],
        [Cell.COMPLETED, Cell.SCHEDULED],
        [Cell.COMPLETED, Cell.SCHEDULED],
    ]
    assert matrix.rows.tolist() == [[1, 2], [-1, -1], [1, 2], [1, 2]]
    assert matrix.odd.tolist() == [[False, False], [False, False], [False, True], [False, False]]
    assert matrix.front == (3, None, 3, 3)


def test_cells_lead_to_their_entries() -> None:
    findings = RecordedJob(2).launch("all_reduce").launch("barrier", (0,), state=PENDING).findings()
    matrix = findings.matrix(DEFAULT, 5)
    entry = findings.entry(0, int(matrix.rows[0, 1]))
    assert (entry.call.op, entry.seq, str(entry.stack[0])) == ("barrier", 2, "barrier at /data/src/train.py:10")


def test_matrix_shows_missing_and_forgotten_cells() -> None:
    job = RecordedJob(2, {"1": (0, 1)})
    for _ in range(4):
        job.launch("all_reduce")
    job.launch("all_reduce", (0,), state=PENDING).launch("all_reduce", (1,), "1", PENDING).forget(1, 3)
    matrix = job.findings().matrix(DEFAULT, 9)
    assert matrix.seqs == (1, 2, 3, 4, 5)
    assert matrix.cells[1].tolist() == [Cell.COMPLETED] * 4 + [Cell.MISSING]
    assert matrix.rows[1].tolist() == [-1, -1, -1, 0, -1]
    assert matrix.front == (5, 5)


def test_matrix_of_a_group_that_is_not_there() -> None:
    with pytest.raises(KeyError):
        RecordedJob(2).findings().matrix("7:nothing", 5)
    assert RecordedJob(2).findings().matrix(DEFAULT, 5).cells.shape == (2, 0)


def test_no_dumps_at_all() -> None:
    findings = analyse_dumps([])
    assert (findings.dumps, findings.hint.kind, findings.as_dict()["suspects"]) == (0, "none", [])


def test_files_that_are_no_dumps_are_told(tmp_path: Path) -> None:
    (tmp_path / "dump_0").write_bytes(b"\x80\x02cos\nsystem\n.")
    findings = analyse_dumps([LogFile(0, tmp_path / "dump_0", "dump_0", 9, 0.0, FileKind.FLIGHT_RECORDER)])
    assert findings.dumps == 0
    assert "GLOBAL" in findings.refused[0][1]


def test_components_come_after_what_they_point_to() -> None:
    edges: dict[int, list[int]] = {0: [1], 1: [2, 3], 2: [1], 3: [], 4: [4, 0]}
    assert [sorted(found) for found in strongly_connected(edges)] == [[3], [1, 2], [0], [4]]


def test_long_chains_do_not_recurse() -> None:
    length = 20_000
    edges = {n: [n + 1] if n + 1 < length else [] for n in range(length)}
    assert len(strongly_connected(edges)) == length


OPS = [
    "all_reduce",
    "broadcast",
    "coalesced",
    "all_to_all",
    "send 0->1",
    "recv 1<-0",
    "send 7->9",
    "recv 0<-?",
    "",
    "?",
]
ENTRY = st.fixed_dictionaries(
    {},
    optional={
        "record_id": st.integers(-2, 9),
        "pg_id": st.integers(0, 2),
        "process_group": st.lists(st.sampled_from(["0", "1", "", "x"]), max_size=2),
        "collective_seq_id": st.integers(-1, 4),
        "p2p_seq_id": st.integers(0, 2),
        "profiling_name": st.builds(lambda b, op: f"{b}:{op}", st.sampled_from(["nccl", "gloo"]), st.sampled_from(OPS)),
        "input_sizes": st.lists(st.lists(st.integers(-1, 4), max_size=2), max_size=2),
        "state": st.sampled_from(["scheduled", "started", "completed", ""]),
        "retired": st.booleans(),
        "is_p2p": st.booleans(),
        "time_created_ns": st.integers(0, 2**60),
    },
)
MARKS = st.dictionaries(
    st.sampled_from(["last_enqueued_collective", "last_started_collective", "last_completed_collective"]),
    st.integers(-1, 5),
)
TOP = st.fixed_dictionaries(
    {"version": st.just("2.10"), "entries": st.lists(ENTRY, max_size=6)},
    optional={
        "pg_config": st.dictionaries(
            st.sampled_from(["0", "1", "x", ""]),
            st.fixed_dictionaries({}, optional={"ranks": st.sampled_from(["[0, 1, 2]", "[1, 0]", "[2]", "[]", "?"])}),
            max_size=3,
        ),
        "pg_status": st.dictionaries(st.sampled_from(["0", "1", "2", "x"]), MARKS, max_size=3),
    },
)


@settings(max_examples=300)
@given(st.lists(TOP, max_size=4))
def test_whatever_dumps_say_there_are_findings(tops: list[dict[str, Any]]) -> None:
    reader = DumpReader()
    found = [reader.decode(json.dumps(top).encode(), f"dump_{rank}") for rank, top in enumerate(tops)]
    findings = analyse(DumpSet.of(*place(found)))
    json.dumps(findings.as_dict())
    for group in set(findings.groups):
        matrix = findings.matrix(group, 5)
        assert matrix.cells.shape == (len(matrix.ranks), len(matrix.seqs))
        assert np.all(matrix.cells >= 0)


def test_a_gap_in_the_ranks_is_a_missing_dump() -> None:
    entry = {"record_id": 0, "pg_id": 0, "seq_id": 1, "profiling_name": "nccl:all_reduce", "state": "completed"}
    reader = DumpReader()
    found = [reader.decode(json.dumps([entry]).encode(), f"dump_{rank}") for rank in (0, 1, 3)]
    assert analyse(DumpSet.of(*place(found))).missing_ranks == (2,)


CLASSES = (
    ("within a layer", {"1": "EXPERT_MODEL_PARALLEL_GROUP"}, "software"),
    ("at the start of a step, as likely", {"1": "TENSOR_MODEL_PARALLEL_GROUP"}, "unknown"),
)


@pytest.mark.parametrize(("descs", "cls"), [c[1:] for c in CLASSES], ids=[c[0] for c in CLASSES])
def test_the_group_tells_how_far_into_a_step_a_rank_stopped(descs: dict[str, str], cls: str) -> None:
    job = RecordedJob(4, {"1": range(4)}, descs).launch("all_reduce")
    hint = job.launch("all_to_all", (0, 1, 3), "1", PENDING).findings().hint
    assert (hint.culprits, hint.cls, hint.cls_confidence) == ((2,), cls, "low")
