"""Collective state: who entered, who waits, who was only told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from logtui.diagnosis.facts import collectives
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import Counters, WatchedGroup, group_status, read_collectives

FactsOf = Callable[[Mapping[str, str]], Facts]


def test_a_status_line_gives_a_loose_timeout_its_group(facts_of: FactsOf, lines: Any) -> None:
    text = lines.timeout(3, seq=7) + lines.status(3, 7, 9, 6, "PG ID 2 PG GUID 12(TENSOR_MODEL_PARALLEL_GROUP)")
    found = read_collectives(facts_of({"job.log": text}).identity)
    group = found.groups["12"]
    assert group.desc == "TENSOR_MODEL_PARALLEL_GROUP"
    assert (group.timeouts[3].seq, group.counters[3].enqueued, group.counters[3].completed) == (7, 9, 6)
    assert "?" not in found.groups


def test_a_timeout_whose_status_line_is_cut_off_joins_the_same_operation(facts_of: FactsOf, lines: Any) -> None:
    found = read_collectives(facts_of({"job.log": lines.victim(3, seq=7) + lines.timeout(2, seq=7)}).identity)
    (group,) = found.groups.values()
    assert set(group.timeouts) == {2, 3}
    found = read_collectives(facts_of({"job.log": lines.victim(3, seq=7) + lines.timeout(2, seq=8)}).identity)
    assert set(found.groups["?"].timeouts) == {2}


def test_lines_that_are_read_keep_no_fields(facts_of: FactsOf, lines: Any) -> None:
    """Sixteen thousand ranks write hundreds of thousands of them; who asks again is told the same."""
    facts = facts_of({"job.log": lines.victim(0) + lines.victim(1)})
    kept = [c.record for c in read_collectives(facts.identity).groups["0"].counters.values()]
    assert len(kept) == 2
    assert [record._fields for record in kept] == [None, None]
    for record in kept:
        again = record.fields
        record.forget()
        assert again
        assert record.fields == again


def test_roles_tell_the_initiator_from_the_notified(facts_of: FactsOf, lines: Any) -> None:
    found = read_collectives(facts_of({"job.log": lines.victim(0) + lines.notified(1)}).identity)
    assert [found.role(r) for r in (0, 1, 2)] == ["initiator", "notified", "silent"]
    assert found.sources == {0: 1}


def test_the_wait_began_its_duration_before_the_line(facts_of: FactsOf, lines: Any) -> None:
    found = read_collectives(facts_of({"job.log": lines.timeout(0, clock="04:12:09", ran=600000)}).identity)
    timeout = found.first_timeout
    assert timeout is not None and timeout.start is not None and timeout.record.time is not None
    assert timeout.record.time - timeout.start == 600.0


@pytest.mark.parametrize(
    ("victims", "rank", "word"),
    [
        pytest.param({0: (5, 5), 1: (5, 5)}, 0, "waiting", id="same operation, same depth"),
        pytest.param({0: (5, 9), 1: (5, 5)}, 0, "queued_ahead", id="more queued behind it"),
        pytest.param({0: (4, 9), 1: (5, 9), 2: (5, 9)}, 0, "behind", id="lower first pending"),
        pytest.param({0: (7, 9), 1: (5, 9), 2: (5, 9)}, 0, "ahead", id="completed what others have not"),
        pytest.param({1: (5, 5), 2: (5, 5)}, 0, "silent", id="no line at all"),
    ],
)
def test_status_compares_all_members(
    facts_of: FactsOf, lines: Any, victims: dict[int, tuple[int, int]], rank: int, word: str
) -> None:
    text = "".join(lines.victim(r, seq=seq, enqueued=top) for r, (seq, top) in victims.items())
    group = read_collectives(facts_of({"job.log": text}).identity).groups["0"]
    assert group_status(group, rank) == word


def test_garbage_counters_are_unknown_but_printed_as_they_stand(facts_of: FactsOf, lines: Any) -> None:
    text = lines.timeout(0, seq=1) + lines.status(0, 1, 1, 3904955349522264369)
    counters: Counters = read_collectives(facts_of({"job.log": text}).identity).groups["0"].counters[0]
    assert counters.completed is None and counters.pending
    assert counters.printed == (1, 3904955349522264369)


def test_a_wrapped_record_keeps_its_rank(facts_of: FactsOf) -> None:
    text = (
        "[Rank 0]  WorkNCCL(SeqNum=11, OpType=ALLREDUCE, NumelIn=1, NumelOut=1)\n"
        "          ran for 7200001 ms before timing out\n"
        "          last enqueued NCCL work: 11, last completed NCCL work: 10\n"
        "[Rank 9]  last enqueued: 10, last completed: 10\n"
    )
    group = read_collectives(facts_of({"notes.txt": text}).identity).groups["?"]
    assert {r: c.printed for r, c in group.counters.items()} == {0: (11, 10), 9: (10, 10)}


def _status(rank: int, group: int, lines: Any) -> str:
    text: str = lines.status(rank, 7, 9, 6, f"PG ID {group} PG GUID {group}(g{group})")
    return text


def test_groups_beyond_those_of_any_job_are_not_compared(
    facts_of: FactsOf, lines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nobody else's group is made of them."""
    monkeypatch.setattr(collectives, "MOST_GROUPS", 3)
    text = "".join(_status(rank, group, lines) for group in range(1, 6) for rank in (0, 1))
    found = read_collectives(facts_of({"job.log": text}).identity)
    assert {key: set(group.counters) for key, group in found.groups.items()} == {key: {0, 1} for key in "123"}


def test_timeouts_without_a_group_are_looked_up_in_what_all_groups_say(
    facts_of: FactsOf, lines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many of them as groups: each group is asked once, not once for each."""
    asked, many = 0, 40

    def counted(group: WatchedGroup, rank: int) -> Any:
        nonlocal asked
        asked += 1
        return operation(group, rank)

    operation = WatchedGroup.operation
    monkeypatch.setattr(WatchedGroup, "operation", counted)
    text = "".join(_status(0, group, lines) for group in range(1, many + 1))
    text += "".join(lines.timeout(rank, seq=rank) for rank in range(many))
    found = read_collectives(facts_of({"job.log": text}).identity)
    assert sum(len(group.timeouts) for group in found.groups.values()) == many
    assert many <= asked <= 2 * many
