"""The situations that PyTorch tests its own analyser with, put to ours.

Facts only: which calls two ranks made, and what `torch.distributed.flight_recorder` (2.13) concludes. Dumps are
built here. Where the conclusions differ, `why` says what ours rests on; `test_differences_are_explained` keeps
that list honest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from logtui.diagnosis.dumps.analyse import analyse
from logtui.diagnosis.dumps.findings import FlightRecorderFindings
from logtui.parsers.dumps.dump import DumpSet
from logtui.parsers.dumps.placing import place
from logtui.parsers.dumps.reading import DumpReader

SQUARE = [[4, 4]]
LARGER = [[5, 4]]
BOTH = "[0, 1]"


def called(op: str, seq: int = 1, inputs: Any = None, outputs: Any = None, **fields: Any) -> dict[str, Any]:
    """One entry; sizes are 4 × 4 unless said. Numbers are text and types are bare, as in those tests."""
    return {
        "profiling_name": op if ":" in op else f"nccl:{op}", "state": "scheduled", "process_group": ("0", "default"),
        "input_sizes": SQUARE if inputs is None else inputs, "output_sizes": SQUARE if outputs is None else outputs,
        "input_dtypes": "float32", "output_dtypes": "float32", "collective_seq_id": str(seq), "p2p_seq_id": "0",
        "time_created_ns": 0, "frames": [], "is_p2p": False,
    } | fields  # fmt: skip


def coalesced(closing: str, *inner: dict[str, Any], seq: int = 1) -> list[dict[str, Any]]:
    """A coalesced group: its operations and the entry that closes it share a number."""
    entries = [*inner, called(closing, inputs=[[]], outputs=[[]])]
    return [entry | {"collective_seq_id": str(seq), "state": "completed"} for entry in entries]


@dataclass(frozen=True)
class Case:
    """What two ranks called; what the reference concludes, and what we do."""

    name: str
    calls: Sequence[Sequence[dict[str, Any]]]
    reference: str
    kind: str = ""
    """Kind of our first mismatch; "" for none."""
    odd: tuple[int, ...] = ()
    culprits: tuple[int, ...] = ()
    agrees: bool = True
    why: str = ""
    """Why ours differs."""
    groups: Mapping[str, Sequence[str]] = field(default_factory=lambda: {"0": (BOTH, BOTH)})
    """Members of each group as each rank lists them."""

    def findings(self) -> FlightRecorderFindings:
        """What ours says."""
        reader = DumpReader()
        found = [reader.decode(json.dumps(self.dump(rank)).encode(), f"dump_{rank}") for rank in range(len(self.calls))]
        return analyse(DumpSet.of(*place(found)))

    def dump(self, rank: int) -> dict[str, Any]:
        """One rank's dump."""
        config = {name: {"name": name, "desc": name, "ranks": ranks[rank]} for name, ranks in self.groups.items()}
        entries = [entry | {"record_id": number, "pg_id": 0} for number, entry in enumerate(self.calls[rank])]
        return {"version": "2.8", "pg_config": config, "pg_status": {}, "entries": entries}


NOT_BY_LOWEST_RANK = "of two ranks neither is a majority; the reference blames the higher number"
DUMP_TIME = "states are read when a dump is written: ranks that dump at other moments differ without any fault"
BY_ITSELF = "one of the two calls cannot work by itself, so it is the odd one, whatever its number"

CASES = (
    Case("one event: equal", [[called("all_reduce")]] * 2, "FULLY_MATCHED"),
    Case("one event: other type", [[called("all_reduce")], [called("all_gather", outputs=[[32]])]],
         "COLLECTIVE_TYPE_MISMATCH, culprit rank 1", "type", agrees=False, why=NOT_BY_LOWEST_RANK),
    Case("one event: all_to_all", [[called("all_to_all")]] * 2, "UNDECIDED, then numels are summed"),
    Case("one event: other input size", [[called("all_reduce")], [called("all_reduce", inputs=LARGER)]],
         "SIZE_OR_SYNTAX_MISMATCH, culprit rank 1", "size", (1,), (1,)),
    Case("one event: other input size on the lower rank", [[called("all_reduce", inputs=LARGER)], [called("all_reduce")]],
         "SIZE_OR_SYNTAX_MISMATCH, culprit rank 1", "size", (0,), (0,), False, BY_ITSELF),
    Case("one event: other output size", [[called("all_reduce")], [called("all_reduce", outputs=LARGER)]],
         "SIZE_OR_SYNTAX_MISMATCH, culprit rank 1", "size", (1,), (1,)),
    Case("one event: input unlike output on both", [[called("all_reduce", outputs=LARGER)]] * 2,
         "SIZE_OR_SYNTAX_MISMATCH, culprit rank 1", "own", agrees=False,
         why="both ranks call the same: the program is wrong, not one of them"),
    Case("one event: other state", [[called("all_reduce")], [called("all_reduce", state="completed")]],
         "COLLECTIVE_STATE_MISMATCH, culprit rank 1", agrees=False, why=DUMP_TIME),
    Case("one event: other type of output", [[called("all_reduce")], [called("all_reduce", output_dtypes="float16")]],
         "COLLECTIVE_DTYPE_MISMATCH, culprit rank 1", "dtype", (1,), (1,)),
    Case("one event: gather, output on the root only",
         [[called("gather", outputs=[[4, 4], [4, 4]])], [called("gather", outputs=[[]], output_dtypes="")]], "FULLY_MATCHED"),
    Case("one event: gather, fewer outputs off the root",
         [[called("gather", outputs=[[4, 4], [4, 4]])], [called("gather", output_dtypes="")]], "FULLY_MATCHED"),
    Case("database: equal, and a subgroup of one each",
         [[called("all_reduce"), called("all_reduce", inputs=[[5, 5]], outputs=[[5, 5]], process_group=("1", "sub"))]] * 2,
         "3 collectives, all pass", groups={"0": (BOTH, BOTH), "1": ("[0]", "[1]")}),
    Case("database: allreduce_coalesced", [[called("allreduce_coalesced", state="completed")]] * 2, "1 collective, passes"),
    Case("database: two broadcasts coalesced", [coalesced("coalesced", called("broadcast"), called("broadcast"))] * 2,
         "1 collective (the closing one), passes"),
    Case("database: uneven all-gather, sizes differ",
         [coalesced("ALLGATHER_coalesced", called("_broadcast_oop"), called("_broadcast_oop", inputs=[[5, 5]], outputs=[[5, 5]])),
          coalesced("ALLGATHER_coalesced", called("_broadcast_oop"), called("_broadcast_oop"))],
         "does not pass, culprit rank 1", "size", agrees=False, why=NOT_BY_LOWEST_RANK),
    Case("database: uneven reduce-scatter",
         [coalesced("REDUCE_SCATTER_coalesced", called("_reduce_oop"), called("_reduce_oop"))] * 2, "1 collective, passes"),
    Case("database: coalesced group missing on rank 0",
         [[called("all_reduce", state="completed")],
          [called("all_reduce", state="completed"),
           *(e | {"state": "scheduled"} for e in
             coalesced("REDUCE_SCATTER_coalesced", called("_reduce_oop"), called("_reduce_oop"), seq=2))]],
         "does not pass: not all ranks joining, missing ranks {0}", culprits=(0,)),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_conclusions(case: Case) -> None:
    findings = case.findings()
    first = findings.mismatches[0] if findings.mismatches else None
    assert (first.kind if first else "") == case.kind
    assert (first.odd_ranks if first else ()) == case.odd
    assert findings.hint.culprits == case.culprits


def test_differences_are_explained() -> None:
    assert [case.name for case in CASES if case.agrees is bool(case.why)] == []


KNOWN_OPERATIONS = {
    "broadcast": SQUARE, "_broadcast_oop": SQUARE, "reduce": SQUARE, "_reduce_oop": SQUARE, "all_reduce": SQUARE,
    "all_gather": [[32]], "_all_gather_base": [[32]], "all_gather_into_tensor_coalesced": [[32]],
    "all_gather_single": [[32]], "all_gather_v": [[20]], "reduce_scatter": [[8]], "_reduce_scatter_base": [[8]],
    "reduce_scatter_tensor_coalesced": [[8]], "reduce_scatter_single": [[8]], "reduce_scatter_v": [[5]],
    "gather": SQUARE, "scatter": SQUARE, "all_to_all": SQUARE, "all_to_all_single": SQUARE,
    "all_to_all_v_single": SQUARE, "all_reduce_barrier": SQUARE, "barrier": SQUARE, "split": SQUARE,
    "new_window": SQUARE, "allreduce_coalesced": SQUARE, "ALLGATHER_coalesced": SQUARE,
    "REDUCE_SCATTER_coalesced": SQUARE, "an operation of tomorrow": SQUARE,
}  # fmt: skip
"""Operations the reference knows, and one it does not (it stops there), with an output that fits a 4 × 4 input."""


@pytest.mark.parametrize("op", KNOWN_OPERATIONS)
def test_every_operation_matches_itself(op: str) -> None:
    case = Case(op, [[called(op, outputs=KNOWN_OPERATIONS[op])]] * 2, "FULLY_MATCHED")
    assert case.findings().mismatches == ()


BACKENDS = (
    "nccl",
    "ncclx",
    "nccl2",
    "nccl-lazy",
    "xccl",
    "gloo",
    "rccl",
    "rcclx",
    "mccl",
    "hccl",
    "c10d",
    "unheard_of",
)


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_is_read(backend: str) -> None:
    """The reference stops at prefixes it does not know (up to 2.14)."""
    case = Case(backend, [[called(f"{backend}:all_reduce")]] * 2, "FULLY_MATCHED, or AssertionError")
    findings = case.findings()
    assert findings.mismatches == ()
    assert findings.joined.groups[0].logs[0].dump.entries.calls[0].backend == backend


WORLD = ("[0, 1, 2, 3]",) * 4


def test_the_lowest_rank_may_be_the_odd_one() -> None:
    """The reference takes rank 0 as the standard and blames 1, 2 and 3."""
    calls = [[called("all_gather", outputs=[[64]])]] + [[called("all_reduce")]] * 3
    assert Case("", calls, "", groups={"0": WORLD}).findings().hint.culprits == (0,)


def test_a_missing_dump_does_not_stop_the_analysis() -> None:
    """The reference asserts: Missing dump files from ranks {3}."""
    calls = [[called("all_reduce")], [called("all_reduce")], [], []]
    case = Case("", calls[:3], "", groups={"0": WORLD})
    findings = case.findings()
    assert (findings.missing_ranks, findings.hint.culprits) == ((3,), (2,))


def test_a_hang_in_which_all_agree_is_told() -> None:
    """The reference prints nothing."""
    findings = Case("", [[called("all_reduce", state="started")]] * 4, "", groups={"0": WORLD}).findings()
    assert (findings.hint.kind, findings.hint.cls, findings.hint.culprits) == ("fabric", "network", ())


def test_empty_configuration_of_gloo_is_no_obstacle() -> None:
    """The reference stops with KeyError: ('0', 0)."""
    calls = [[called("gloo:all_reduce", retired=True)], [called("gloo:all_reduce")] * 1]
    findings = Case("", calls, "", groups={"": ("[]", "[]")}).findings()
    assert [group.members for group in findings.joined.groups] == [(0, 1)]
