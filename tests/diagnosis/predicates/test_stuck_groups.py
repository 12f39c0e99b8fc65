"""What a process group says of its ranks, counter by counter; and what rules ask of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.collectives import Collectives, Counters, Timeout, WatchedGroup, group_states, group_status
from logtui.diagnosis.predicates.blame import (
    MOST_RANKS,
    NODE_RANKS,
    on_one_node,
    rank_of_first_exit,
    rank_that_raised,
    ranks_that_raised,
    singled_out,
)
from logtui.diagnosis.predicates.hangs import ENOUGH_SEEN, LATE_SECONDS, Hang, well_covered
from logtui.diagnosis.predicates.hangs import _late_starters as late_starters
from logtui.diagnosis.predicates.stall import first_timeout, operation, start_order, waiting_text
from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.record import Record

LIMIT_MS = 600_000


def record(time: float | None = 1000.0, line: int = 1, file: int = 0, time_from: TimeFrom = TimeFrom.ZONED) -> Record:
    """As much of a record as is asked for here."""
    said = {"time": time, "file": file, "line": line, "order": (time or 0.0, file, line), "time_from": time_from}
    return cast(Record, SimpleNamespace(**said, host=None, task=None))


def counted(enqueued: int | None, completed: int | None, failed: int | None = None, time: float = 1000.0) -> Counters:
    return Counters(record(time), enqueued, None, completed, failed, (enqueued, completed))


def timeout(
    rank: int, seq: int | None = 7, ran_ms: int | None = LIMIT_MS, op: str = "ALLREDUCE", **said: Any
) -> Timeout:
    return Timeout(record(**said), rank, "0", seq, op, 4, 4, LIMIT_MS, ran_ms)


def group(*timeouts: Timeout, key: str = "0", **counters: Counters) -> WatchedGroup:
    """`r3=counted(…)` are the counters of rank 3."""
    return WatchedGroup(key, None, {int(r[1:]): c for r, c in counters.items()}, {t.rank: t for t in timeouts})


def facts(
    ranks: Iterable[int] = (), groups: Iterable[WatchedGroup] = (), exits: Iterable[Any] = (), **more: Any
) -> Facts:
    found = Collectives({g.key: g for g in groups})
    seen = more.pop("seen", list(ranks))
    ended = SimpleNamespace(processes=list(exits))
    return cast(Facts, SimpleNamespace(all_ranks=list(ranks), seen_ranks=seen, collectives=found, exits=ended, **more))


def ended(rank: int | None, code: int, line: int, signal: str | None = None, file: int = 0) -> Any:
    return SimpleNamespace(rank=rank, code=code, line=line, signal=signal, record=record(line=line, file=file))


@pytest.mark.parametrize(
    ("counters", "pending", "first"),
    [
        pytest.param(counted(9, 6), True, 7, id="the one after the last that completed"),
        pytest.param(counted(7, 6), True, 7, id="only one is pending"),
        pytest.param(counted(6, 6), False, None, id="all completed"),
        pytest.param(counted(9, None), True, None, id="what completed is not said"),
        pytest.param(counted(None, 6), False, None, id="what was enqueued is not said"),
        pytest.param(counted(9, 6, failed=8), True, 8, id="the line names it"),
        pytest.param(counted(6, 6, failed=0), False, 0, id="the line names the first of all"),
    ],
)
def test_the_first_operation_that_has_not_completed(counters: Counters, pending: bool, first: int | None) -> None:
    assert (counters.pending, counters.first_pending) == (pending, first)
    assert group(r3=counters).pending_of(3) == first


def test_counters_are_asked_before_the_timeout() -> None:
    both = group(timeout(3, seq=9), timeout(4, seq=9), r3=counted(9, 6), r5=counted(9, None))
    assert [both.pending_of(rank) for rank in (3, 4, 5, 6)] == [7, 9, None, None]
    assert both.waiting == {3, 4, 5}
    assert both.spots == {7: 1, 9: 1}
    assert both.operation(3) == (9, "ALLREDUCE", 4, 4)
    assert group(r3=counted(9, 6)).operation(3) == (7, None, None, None)


def test_how_deep_a_queue_is() -> None:
    queues = group(r0=counted(9, 6), r1=counted(8, 6), r2=counted(8, 6))
    assert queues.least_depth == 2
    assert [group_status(queues, rank) for rank in range(3)] == ["queued_ahead", "waiting", "waiting"]


@pytest.mark.parametrize(
    ("rank", "status"),
    [(0, "behind"), (1, "waiting"), (2, "waiting"), (3, "ahead"), (4, "never_entered"), (5, "silent")],
)
def test_a_rank_is_compared_with_most_others(rank: int, status: str) -> None:
    states = group(
        r0=counted(6, 5), r1=counted(7, 6), r2=counted(7, 6), r3=counted(8, 7), r4=counted(5, 5), r6=counted(7, 6)
    )  # fmt: skip
    assert group_status(states, rank) == status


def test_of_two_ranks_each_is_compared_with_the_other() -> None:
    states = group(r0=counted(6, 5), r1=counted(7, 6))
    assert [group_status(states, rank) for rank in (0, 1)] == ["behind", "ahead"]
    assert group_status(group(r0=counted(6, 5)), 0) == "waiting", "nobody to compare with"
    assert group_status(group(r0=counted(6, 6)), 0) == "healthy"


@given(st.lists(st.integers(0, 4), min_size=1, max_size=9))
def test_a_rank_is_compared_with_most_others_wherever_they_wait(spots: list[int]) -> None:
    """Of all spots two are looked at: as many as there are ranks is what a hostile log has."""
    states = group(*(timeout(rank, seq=spot) for rank, spot in enumerate(spots)))
    for rank, mine in enumerate(spots):
        others = Counter(spots[:rank] + spots[rank + 1 :])
        usual = min(others, key=lambda spot: (-others[spot], spot), default=mine)
        assert group_status(states, rank) == ("behind" if mine < usual else "ahead" if mine > usual else "waiting")


def test_a_rank_waits_in_the_first_of_its_groups() -> None:
    """The world's, whatever the order; else that in which most gave up."""
    world, pair = group(timeout(0), r1=counted(9, 6)), group(*map(timeout, (0, 2, 3)), key="7")
    for groups in ({"0": world, "7": pair}, {"7": pair, "0": world}):
        assert Collectives(groups).waits_in == {0: world, 1: world, 2: pair, 3: pair}


def test_where_two_spots_are_as_usual_the_lower_one_counts() -> None:
    states = group(r0=counted(5, 4), r1=counted(7, 6), r2=counted(6, 5))
    assert group_status(states, 0) == "behind"
    assert group_status(states, 1) == "ahead"
    assert group_status(states, 2) == "ahead", "5 and 7 have one rank each"


def test_groups_in_which_somebody_waits_the_worlds_first_then_the_fullest() -> None:
    world, small, large = group(timeout(0)), group(timeout(1), key="7"), group(timeout(1), timeout(2), key="9")
    idle = group(key="3", r1=counted(6, 6))
    found = Collectives({g.key: g for g in (idle, small, large, world)})
    assert [g.key for g in found.stuck_groups] == ["0", "9", "7"]
    assert found.timed_out == {0, 1, 2}
    assert [g.key for g in found.of_rank(1)] == ["3", "7", "9"]
    assert [state.group for state, _ in group_states(found, 1)] == ["7", "9", "3"]


def test_the_earliest_timeout_and_the_earliest_start() -> None:
    early, late = timeout(0, time=1000.0, ran_ms=600_000), timeout(1, time=1005.0, ran_ms=700_000)
    found = Collectives({"0": group(late), "1": group(early, key="1")})
    assert found.first_timeout is early
    assert found.stall_start == 305.0
    assert first_timeout(group(late, early)) is early
    assert start_order(group(late, early)) == (305.0, 0, 1)
    unsaid = timeout(0, time=1000.0, ran_ms=None)
    assert start_order(group(unsaid)) == (1000.0, 0, 1)
    assert timeout(0, time=1000.0, time_from=TimeFrom.NEIGHBOUR).start is None


def test_at_the_same_time_the_first_line_is_the_first() -> None:
    low, high, other = timeout(0, line=3), timeout(1, line=9), timeout(2, line=1, file=1)
    assert first_timeout(group(other, high, low)) is low
    assert first_timeout(group(other, high)) is high


def test_the_operation_most_ranks_are_stuck_on() -> None:
    votes = group(timeout(0, op="BROADCAST", seq=6), timeout(1), timeout(2))
    assert operation(votes) == "ALLREDUCE #7 of default_pg"
    assert operation(group(timeout(0, seq=None), key="?")) == "ALLREDUCE of the group"
    assert operation(group(timeout(0, seq=0), key="?")) == "ALLREDUCE #0 of the group"


def test_few_ranks_that_wait_are_named() -> None:
    assert waiting_text(group(timeout(3))) == "rank 3 waits in ALLREDUCE #7 of default_pg"
    assert waiting_text(group(*map(timeout, range(5)))).startswith("5 ranks wait in ")
    assert not waiting_text(group(*map(timeout, range(4)))).startswith("4 ranks")


def started(rank: int, at: float) -> Timeout:
    """Began to wait so many seconds after the first."""
    return timeout(rank, time=1600.0 + at, ran_ms=LIMIT_MS)


def test_ranks_that_began_to_wait_much_later() -> None:
    limit = max(LATE_SECONDS, 30.0)
    far = [started(0, 0.0), started(1, 0.0), started(2, limit + 0.5)]
    assert [t.rank for t in late_starters(group(*far))] == [2]
    assert late_starters(group(*far[:2], started(2, limit))) == []
    assert [t.rank for t in late_starters(group(started(0, 0.0), started(1, limit + 1)))] == [1], "one of two"
    assert late_starters(group(started(0, 0.0))) == []
    other = Timeout(record(5000.0), 2, "0", 8, "ALLREDUCE", 4, 4, LIMIT_MS, LIMIT_MS)
    assert late_starters(group(*far[:2], other)) == [], "it waits in another operation"
    half = [started(0, 0.0), started(1, 0.0), started(2, 99.0), started(3, 99.0)]
    assert [t.rank for t in late_starters(group(*half))] == [2, 3]
    assert late_starters(group(half[0], *half[2:])) == [], "most are no stragglers"


def test_an_exception_is_of_the_first_rank_that_ends_by_it() -> None:
    raised = record(line=10)
    ends = [ended(1, 1, 5), ended(2, -6, 11), ended(3, 1, 12), ended(4, 1, 13)]
    assert rank_that_raised(facts(exits=ends), raised) == {3}
    assert ranks_that_raised(facts(exits=ends), raised) == {3, 4}
    assert rank_that_raised(facts(exits=ends[:2]), raised) == set(), "one that ended before it by another"
    assert rank_that_raised(facts(exits=[ended(3, 1, 10)]), raised) == set()
    assert rank_that_raised(facts(exits=[ended(None, 1, 12), *ends[2:]]), raised) == set()
    assert rank_that_raised(facts(exits=[ended(2, -6, 11)]), raised) == {2}
    assert rank_that_raised(facts(groups=[group(timeout(2))], exits=[ended(2, -6, 11)]), raised) == set()
    assert rank_that_raised(facts(exits=[ended(2, 1, 11, file=1)]), raised) == set()


def test_who_ended_first_by_itself() -> None:
    ends = [ended(1, -15, 5, "SIGTERM"), ended(2, -9, 6, "SIGKILL", file=1), ended(3, -9, 7, "SIGKILL")]
    assert rank_of_first_exit(facts(exits=ends), 0) == {3}
    assert rank_of_first_exit(facts(exits=ends), 1) == {2}
    assert rank_of_first_exit(facts(exits=ends), 2) == set()
    assert rank_of_first_exit(facts(exits=[ended(None, 1, 5), *ends]), 0) == set()


def test_a_failure_of_nearly_all_ranks_singles_out_nobody() -> None:
    most = int(MOST_RANKS * 10)
    assert singled_out(facts(range(10)), set(range(most))) == ()
    assert singled_out(facts(range(10)), set(range(most - 1))) == tuple(range(most - 1))
    assert singled_out(facts([0]), {0}) == (0,), "the only rank of a job"


def test_half_of_the_ranks_are_enough() -> None:
    assert well_covered(facts(range(8), seen=list(range(int(8 * ENOUGH_SEEN)))))
    assert not well_covered(facts(range(8), seen=[0, 1, 2]))
    assert not well_covered(facts([], seen=[3])), "rank 3 is of four at least"
    assert well_covered(facts([], seen=[2, 3]))


def test_a_rank_whose_counters_fail_after_all_others_gave_up() -> None:
    at, victim = 1000.0 + LATE_SECONDS, timeout(0, time=1000.0)
    late = counted(7, 6, failed=7, time=at + 0.5)
    assert Hang(facts(), group(victim, r5=late)).given_up == {5}
    assert Hang(facts(), group(victim, timeout(5), r5=late)).given_up == set(), "it timed out itself"
    assert Hang(facts(), group(victim, r5=counted(7, 6, failed=7, time=at))).given_up == set()
    assert Hang(facts(), group(r5=late)).given_up == set()
    assert Hang(facts(), group(victim, r5=counted(7, 6, time=at + 0.5))).given_up == set(), "it names no failure"
    assert Hang(facts(), group(victim, r5=counted(7, 7, failed=7, time=at + 0.5))).given_up == set()


def test_more_ranks_than_a_node_holds_are_on_several() -> None:
    identity = SimpleNamespace(hosts={0: "node000", 1: "node000", 2: "node001"})
    assert on_one_node(facts(identity=identity), {0, 1})
    assert not on_one_node(facts(identity=identity), {0, 2})
    assert not on_one_node(facts(identity=identity), {0, 5}), "of rank 5 no host is known"
    unknown = facts(identity=SimpleNamespace(hosts={}))
    assert not on_one_node(unknown, set(range(NODE_RANKS + 1)))
