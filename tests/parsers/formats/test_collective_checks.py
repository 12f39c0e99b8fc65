"""Checks that name ranks: the fields hold them, and garbage of aborted checks is not a cause."""

from __future__ import annotations

import pytest
from matching import matched, names

FINGERPRINT = (
    "[rank1]: RuntimeError: Detected mismatch between collectives on ranks. Rank 1 is running {word}: "
    "CollectiveFingerPrint({seq}OpType=ALLREDUCE, TensorShape=[4], TensorDtypes=Float, "
    "TensorDeviceTypes=TensorOptions(dtype=float (default), device=cpu)), but Rank 0 is running {word}: "
    "CollectiveFingerPrint({seq}OpType=SCATTER).{tail}"
)


@pytest.mark.parametrize(
    ("word", "seq", "tail"),
    [
        pytest.param("collective", "SequenceNumber=1, ", "", id="1.13 to 2.0"),
        pytest.param("inconsistent collective", "", "", id="1.12"),
        pytest.param(
            "collective",
            "SequenceNumber=1, ",
            "Collectives differ in the following aspects: \t Sequence number: 1vs 0  Op type: ALLREDUCEvs SCATTER",
            id="2.1 on, without its first blank",
        ),
    ],
)
def test_fingerprints_keep_both_halves(word: str, seq: str, tail: str) -> None:
    fields = matched(FINGERPRINT.format(word=word, seq=seq, tail=tail))["collective.mismatch"]
    assert (fields["rank"], fields["other"], fields["op"]) == ("1", "0", "ALLREDUCE")
    assert ("differ" in fields) is bool(tail)


@pytest.mark.parametrize(
    ("line", "ranks"),
    [
        ("[rank0]: RuntimeError: [Rank 0]: Rank 3 failed to pass monitoredBarrier in 30000 ms", "3"),
        ("[Rank 0]: Ranks 1 failed to pass monitoredBarrier in 30000 ms", "1"),
        ("[Rank 0]: Ranks 1, 2, 13 failed to pass monitoredBarrier in 30000 ms", "1, 2, 13"),
    ],
    ids=["one", "one with wait_all_ranks", "several"],
)
def test_monitored_barrier_names_the_missing(line: str, ranks: str) -> None:
    assert matched(line)["collective.barrier_missing"]["ranks"] == ranks


@pytest.mark.parametrize(
    ("other", "expected"),
    [("10", "ddp.model_differs"), ("0", "ddp.model_unread"), ("100", "ddp.model_differs")],
)
def test_zero_parameters_are_an_aborted_comparison(other: str, expected: str) -> None:
    line = (
        "[rank2]: RuntimeError: DDP expects same model across all ranks, but Rank 2 has 51 params, while rank 0 has "
        f"inconsistent {other} params."
    )
    assert names(line, "ddp") == {expected}


def test_nan_check_is_not_a_plain_kernel_assertion() -> None:
    line = (
        "/opt/build/torch/csrc/distributed/c10d/Utils.cu:14: checkForNaN: block: [0,0,0], thread: [3,0,0] Assertion "
        "`!isnan(data[i])` failed."
    )
    assert names(line, "nan", "cuda") == {"nan.check"}
