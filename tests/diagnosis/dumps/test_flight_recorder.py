"""Who keeps whom waiting, from what the recorders of a small job hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

import pytest
from recorded_job import RecordedJob

PENDING = "scheduled"


def one_is_missing() -> RecordedJob:
    return RecordedJob(4).launch("all_reduce").launch("all_reduce", (0, 1, 3), state=PENDING)


def missing_through_two_groups() -> RecordedJob:
    """0 waits for 1 in a pair, 1 for 2 in another, 2 for nobody."""
    job = RecordedJob(3, {"1": (0, 1), "2": (1, 2)}).launch("all_reduce")
    return job.launch("all_reduce", (0,), "1", PENDING).launch("all_gather", (1,), "2", PENDING)


def queued_behind_an_older_operation() -> RecordedJob:
    """1 did launch what 0 waits in, but on its device that queues behind what 2 has not joined."""
    job = RecordedJob(3, {"1": (0, 1), "2": (1, 2)}).launch("all_reduce")
    return job.launch("all_gather", (1,), "2", PENDING).launch("all_reduce", (0, 1), "1", PENDING)


def opposite_orders() -> RecordedJob:
    """0, 2 and 3 launch the world's collective first, 1 the pair's."""
    job = RecordedJob(4, {"1": (0, 1)}).launch("all_reduce")
    job.launch("all_reduce", (1,), "1", PENDING)
    return job.launch("all_reduce", None, "0", PENDING).launch("all_reduce", (0,), "1", PENDING)


def opposite_orders_of_two() -> RecordedJob:
    job = RecordedJob(2, {"1": (0, 1)})
    job.launch("all_reduce", (0,), "0", PENDING).launch("all_reduce", (1,), "1", PENDING)
    return job.launch("all_reduce", (1,), "0", PENDING).launch("all_reduce", (0,), "1", PENDING)


def opposite_orders_that_went_through() -> RecordedJob:
    """Each rank in its own order, and both collectives found everybody."""
    job = RecordedJob(2, {"1": (0, 1)})
    job.launch("all_reduce", (0,)).launch("all_reduce", (1,), "1")
    return job.launch("all_reduce", (1,)).launch("all_reduce", (0,), "1")


def lowest_rank_calls_another() -> RecordedJob:
    job = RecordedJob(4).launch("all_reduce")
    return job.launch("all_gather", (0,), state=PENDING).launch("all_reduce", (1, 2, 3), state=PENDING)


def another_size() -> RecordedJob:
    job = RecordedJob(4).launch("all_reduce", (0, 1, 3), state=PENDING)
    return job.launch("all_reduce", (2,), state=PENDING, input_sizes=[[9]], output_sizes=[[9]])


def another_type() -> RecordedJob:
    job = RecordedJob(4).launch("all_reduce", (0, 1, 3), state=PENDING)
    return job.launch("all_reduce", (2,), state=PENDING, input_dtypes=["Half"], output_dtypes=["Half"])


def two_of_two_disagree() -> RecordedJob:
    return RecordedJob(2).launch("all_gather", (0,), state=PENDING).launch("all_reduce", (1,), state=PENDING)


def half_and_half() -> RecordedJob:
    job = RecordedJob(4).launch("all_gather", (0, 1), state=PENDING)
    return job.launch("all_reduce", (2, 3), state=PENDING)


def one_launches_what_nobody_else_does() -> RecordedJob:
    return RecordedJob(8).launch("all_reduce").launch("barrier", (0,), state=PENDING)


def most_are_missing() -> RecordedJob:
    return RecordedJob(8).launch("all_reduce").launch("all_reduce", (0, 1, 2), state=PENDING)


def all_wait_alike() -> RecordedJob:
    return RecordedJob(4).launch("all_reduce").launch("all_reduce", state=PENDING)


def all_were_given_up_alike() -> RecordedJob:
    return RecordedJob(4).launch("all_reduce", state=PENDING, retired=True)


def all_has_finished() -> RecordedJob:
    return RecordedJob(4).launch("all_reduce").launch("barrier")


def dumped_while_the_last_one_ended() -> RecordedJob:
    return RecordedJob(4).launch("all_reduce").launch("barrier", (0, 3)).launch("barrier", (1, 2), state=PENDING)


def device_of_one_stopped() -> RecordedJob:
    """2 goes on launching and its peers go on finishing, but nothing finishes on its own device any more."""
    job = RecordedJob(4).launch("all_reduce")
    for _ in range(3):
        job.launch("all_reduce", (0, 1, 3)).launch("all_reduce", (2,), state=PENDING)
    return job.launch("all_reduce", state=PENDING)


def device_of_one_never_began() -> RecordedJob:
    job = RecordedJob(4).launch("all_reduce")
    return job.launch("all_reduce", (0, 1, 3), state="started").launch("all_reduce", (2,), state=PENDING)


def earlier_dump_of_one() -> RecordedJob:
    """The others finished what 2 had not launched: that cannot be, so 2's dump was written before."""
    job = RecordedJob(4).launch("all_reduce").launch("all_reduce", (0, 1, 3))
    return job.launch("all_reduce", (0, 1, 3), state=PENDING)


def ring_has_wrapped() -> RecordedJob:
    """The ring of 2 begins after what the others wait in; its watermark is of no help either."""
    job = RecordedJob(4, {"1": range(4)})
    job.launch("all_reduce", (0, 1, 3), "1", PENDING).launch("all_reduce", (2,), "1", PENDING)
    for _ in range(3):
        job.launch("all_reduce", (2,), "0", PENDING)
    return job.forget(2, 2)


def ring_has_wrapped_but_its_watermark_tells() -> RecordedJob:
    """The ring of 1 holds nothing of the group; the recorder still knows how far it came."""
    job = RecordedJob(4, {"1": range(4)}).launch("all_reduce", group="1").launch("all_reduce", (0, 1, 3), "1", PENDING)
    job.launch("all_reduce", (2,)).launch("all_reduce", (2,)).forget(2, 2)
    return job.marks(2, g0=(2, -1, 2), g1=(1, -1, 1))


def ring_has_wrapped_and_all_is_well() -> RecordedJob:
    job = RecordedJob(4)
    for _ in range(5):
        job.launch("all_reduce")
    return job.forget(2, 4)


def active_entries_only() -> RecordedJob:
    """Dumps that leave out what is completed; only the watermarks of 1 show that it finished all it launched."""
    job = RecordedJob(3)
    for _ in range(5):
        job.launch("all_reduce")
    job.launch("all_reduce", (0, 2), state=PENDING).launch("all_reduce", (0, 2), state=PENDING)
    for rank in (0, 2):
        job.forget(rank, 0, completed=True).marks(rank, g0=(7, -1, 5))
    return job.forget(1, 0, completed=True).marks(1, g0=(5, -1, 5))


def coalesced_and_finished() -> RecordedJob:
    job = RecordedJob(2).launch("all_reduce")
    for rank in (0, 1):
        job.coalesced(("_broadcast_oop", "_broadcast_oop"), rank)
    return job.launch("barrier")


def coalesced_and_missing() -> RecordedJob:
    return coalesced_and_finished().coalesced(("all_reduce", "all_reduce"), 0, state=PENDING)


def coalesced_unlike() -> RecordedJob:
    job = RecordedJob(3)
    for rank in (0, 1):
        job.coalesced(("all_gather", "all_reduce"), rank, state=PENDING)
    return job.coalesced(("all_reduce", "all_gather"), 2, state=PENDING)


def partner_does_not_receive() -> RecordedJob:
    return RecordedJob(2).launch("all_reduce").transfer("send 0->1", 0, state=PENDING)


def partner_does_not_send() -> RecordedJob:
    return RecordedJob(2).launch("all_reduce").transfer("recv 0<-1", 0, state=PENDING)


def partner_receives_behind_a_collective() -> RecordedJob:
    job = RecordedJob(3, {"1": (1, 2)}).launch("all_reduce").transfer("send 0->1", 0, state=PENDING)
    return job.launch("all_reduce", (1,), "1", PENDING).transfer("recv 1<-0", 1, state=PENDING)


def partners_of_a_subgroup() -> RecordedJob:
    """Numbers in a send are ranks within the group: 3 waits for 5."""
    return RecordedJob(6, {"1": (1, 3, 5)}).launch("all_reduce").transfer("send 1->2", 3, "1", PENDING)


def both_send_first() -> RecordedJob:
    job = RecordedJob(2).transfer("send 0->1", 0, state=PENDING).transfer("send 1->0", 1, state=PENDING)
    return job.transfer("recv 0<-1", 0, state=PENDING).transfer("recv 1<-0", 1, state=PENDING)


def both_sides_are_there() -> RecordedJob:
    job = RecordedJob(2).launch("all_reduce").transfer("send 0->1", 0, state=PENDING)
    return job.transfer("recv 1<-0", 1, state=PENDING)


def receives_from_anybody() -> RecordedJob:
    return RecordedJob(2).transfer("recv 0<-?", 0, state=PENDING).transfer("send 1->0", 1, state=PENDING)


def pipeline_of_batches() -> RecordedJob:
    """A ring of coalesced sends and receives in which 2 does not take part."""
    job = RecordedJob(4).launch("all_reduce")
    for rank in (0, 1, 3):
        ops = (f"send {rank}->{(rank + 1) % 4}", f"recv {rank}<-{(rank - 1) % 4}")
        job.coalesced(ops, rank, state=PENDING)
    return job


def finished_batches() -> RecordedJob:
    job = RecordedJob(2).launch("all_reduce")
    for _ in range(2):
        job.coalesced(("send 0->1", "recv 0<-1"), 0).coalesced(("recv 1<-0", "send 1->0"), 1)
    return job


def batches_without_their_closing_entries() -> RecordedJob:
    """Active entries only: what closed the finished batches is left out, what was in them is not."""
    job = RecordedJob(2)
    for _ in range(2):
        job.coalesced(("send 0->1",), 0, closing=True).coalesced(("recv 1<-0",), 1, closing=True)
    job.coalesced(("send 0->1", "recv 0<-1"), 0, closing=False).coalesced(("recv 1<-0", "send 1->0"), 1, closing=False)
    job.launch("all_reduce")
    return job.coalesced(("send 0->1", "recv 0<-1"), 0).coalesced(("recv 1<-0", "send 1->0"), 1)


def gloo_one_is_missing() -> RecordedJob:
    """gloo retires what failed just as what succeeded."""
    return RecordedJob(4, backend="gloo").launch("all_reduce").launch("all_reduce", (0, 2, 3))


def gloo_has_finished() -> RecordedJob:
    return RecordedJob(4, backend="gloo").launch("all_reduce").launch("barrier")


def gloo_calls_another() -> RecordedJob:
    job = RecordedJob(4, backend="gloo").launch("all_reduce")
    return job.launch("all_reduce", (0, 1, 3)).launch("all_gather", (2,))


Verdict = tuple[str, str, tuple[int, ...], str]
CASES: tuple[tuple[Callable[[], RecordedJob], Iterable[int] | None, Verdict], ...] = (
    (one_is_missing, None, ("straggler", "unknown", (2,), "high")),
    (one_is_missing, (0, 2, 3), ("straggler", "unknown", (2,), "medium")),
    (one_is_missing, (0, 1, 3), ("no_dump", "unknown", (), "low")),
    (missing_through_two_groups, None, ("straggler", "unknown", (2,), "high")),
    (queued_behind_an_older_operation, None, ("straggler", "unknown", (2,), "high")),
    (opposite_orders, None, ("cycle", "collective-mismatch", (1,), "medium")),
    (opposite_orders_of_two, None, ("cycle", "collective-mismatch", (), "low")),
    (opposite_orders_that_went_through, None, ("none", "unknown", (), "low")),
    (lowest_rank_calls_another, None, ("mismatch", "collective-mismatch", (0,), "high")),
    (another_size, None, ("mismatch", "collective-mismatch", (2,), "high")),
    (another_type, None, ("mismatch", "collective-mismatch", (2,), "high")),
    (two_of_two_disagree, None, ("mismatch", "collective-mismatch", (), "low")),
    (half_and_half, None, ("mismatch", "collective-mismatch", (), "low")),
    (one_launches_what_nobody_else_does, None, ("extra", "collective-mismatch", (0,), "low")),
    (most_are_missing, None, ("undecided", "unknown", (), "low")),
    (all_wait_alike, None, ("fabric", "network", (), "low")),
    (all_were_given_up_alike, None, ("fabric", "network", (), "medium")),
    (all_wait_alike, (0, 1, 2), ("no_dump", "unknown", (), "low")),
    (all_has_finished, None, ("none", "unknown", (), "low")),
    (all_has_finished, (1,), ("none", "unknown", (), "low")),
    (dumped_while_the_last_one_ended, None, ("none", "unknown", (), "low")),
    (device_of_one_stopped, None, ("device_stopped", "gpu-hardware", (2,), "high")),
    (device_of_one_never_began, None, ("straggler", "unknown", (2,), "high")),
    (earlier_dump_of_one, None, ("undecided", "unknown", (), "low")),
    (ring_has_wrapped, None, ("undecided", "unknown", (), "low")),
    (ring_has_wrapped_but_its_watermark_tells, None, ("straggler", "unknown", (2,), "high")),
    (ring_has_wrapped_and_all_is_well, None, ("none", "unknown", (), "low")),
    (active_entries_only, None, ("straggler", "unknown", (1,), "high")),
    (coalesced_and_finished, None, ("none", "unknown", (), "low")),
    (coalesced_and_missing, None, ("straggler", "unknown", (1,), "high")),
    (coalesced_unlike, None, ("mismatch", "collective-mismatch", (2,), "high")),
    (partner_does_not_receive, None, ("straggler", "unknown", (1,), "high")),
    (partner_does_not_send, None, ("straggler", "unknown", (1,), "high")),
    (partner_receives_behind_a_collective, None, ("straggler", "unknown", (2,), "high")),
    (partners_of_a_subgroup, None, ("straggler", "unknown", (5,), "high")),
    (both_send_first, None, ("cycle", "collective-mismatch", (), "low")),
    (both_sides_are_there, None, ("fabric", "network", (), "low")),
    (receives_from_anybody, None, ("fabric", "network", (), "low")),
    (pipeline_of_batches, None, ("straggler", "unknown", (2,), "high")),
    (finished_batches, None, ("none", "unknown", (), "low")),
    (batches_without_their_closing_entries, None, ("none", "unknown", (), "low")),
    (gloo_one_is_missing, None, ("straggler", "unknown", (1,), "medium")),
    (gloo_one_is_missing, (0, 1, 2), ("straggler", "unknown", (1,), "low")),
    (gloo_has_finished, None, ("none", "unknown", (), "low")),
    (gloo_has_finished, (0, 3), ("none", "unknown", (), "low")),
    (gloo_calls_another, None, ("mismatch", "collective-mismatch", (2,), "medium")),
)


def _id(case: tuple[Callable[[], RecordedJob], Iterable[int] | None, Verdict]) -> str:
    build, ranks, _ = case
    return build.__name__ + ("" if ranks is None else f" {','.join(map(str, ranks))}")


@pytest.mark.parametrize(("build", "ranks", "expected"), CASES, ids=map(_id, CASES))
def test_proposals(build: Callable[[], RecordedJob], ranks: Iterable[int] | None, expected: Verdict) -> None:
    hint = build().findings(ranks).hint
    assert (hint.kind, hint.cls, hint.culprits, hint.confidence) == expected, hint.why


@pytest.mark.parametrize("build", dict.fromkeys(case[0] for case in CASES), ids=lambda build: build.__name__)
def test_findings_can_be_written(build: Callable[[], RecordedJob]) -> None:
    written = json.loads(json.dumps(build().findings().as_dict()))
    assert {"dumps", "missing_ranks", "mismatches", "suspects"} <= written.keys()
    for suspect in written["suspects"]:
        assert suspect["why"]
        assert suspect["evidence"]
