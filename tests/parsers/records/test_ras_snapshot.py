"""RAS reports, text and JSON, become the same communicators."""

from __future__ import annotations

import pytest
from ras_reports import BEHIND, a_snapshot

from logtui.parsers.records.nccl import Launched, read_json, read_text


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
