"""What the watchdogs print about a collective that does not end, and how the processes take themselves down."""

from __future__ import annotations

from logtui.parsers.generator.stage.spec import NcclState
from logtui.parsers.generator.stage.stage import ABORTED, Stage
from logtui.parsers.generator.stage.watchdog import terminate_type, timed_out_line, wording
from logtui.parsers.generator.stage.world import Hang, ProcessGroup, Stuck
from logtui.parsers.generator.wordings.errors import abort_frames, as_rank, loop_frames, traceback, wait_frames

DUMP_WAIT_S = 60.0
"""From 2.3 on a timed-out process waits so long for dumps before it takes itself down."""
MONITOR_KILL_S = 480.0
"""The heartbeat monitor ends a process that was told of a timeout elsewhere after so long."""
GARBAGE_SHARE = 0.04
"""How many victims' main threads return from the aborted collective with garbage, and fail on it."""


def write_hang(stage: Stage, hang: Hang) -> None:
    """Let the watchdogs speak, and the processes take themselves down."""
    stage.hang = hang
    order = sorted(hang.stuck, key=lambda s: s.entered)
    for stuck in order:
        _victim(stage, hang, stuck)
    detectors = [s.rank for s in order[:3]]
    for rank, completed in hang.idle.items():
        _observer(stage, rank, completed, hang.fired, detectors)


def _victim(stage: Stage, hang: Hang, stuck: Stuck) -> None:
    poll = 0.1 if stage.version >= (2, 4) else 1.0
    over = stage.jitter(poll)
    fired = stuck.entered + hang.timeout_s + over
    timeout = {"work": work_text(stage, stuck), "ran_ms": hang.timeout_s * 1000 + int(over * 1000)}
    stage.say(stuck.rank, fired, "timed_out", stuck.group, timeout, mark=f"timeout.{stuck.rank}")
    _report(stage, hang, stuck, fired)
    if stage.spec.noise and stage.version >= (2, 3) and stage.rng.random() < GARBAGE_SHARE:
        _garbage(stage, stuck.rank, fired + 3.0 + stage.jitter(5.0))
    wait = DUMP_WAIT_S + stage.jitter(0.8) if stage.version >= (2, 3) else 0.05 + stage.jitter(0.2)
    message = stage.phrase(stuck.rank, "timed_out", stuck.group, timeout)
    _take_down(stage, stuck, fired + wait, message)


def _garbage(stage: Stage, rank: int, at: float) -> None:
    """A second, misleading exception: the consequence of the rank's own timeout."""
    headline = (
        f"RuntimeError: Storage size calculation overflowed with sizes=[4, {stage.rng.randrange(1 << 60, 1 << 62)}]"
    )
    stage.rank(rank, at, as_rank(traceback(loop_frames(stage.spec.framework), headline), rank, stage.version))


def work_text(stage: Stage, stuck: Stuck) -> str:
    """`WorkNCCL(SeqNum=…)` in the release's form."""
    row = wording("work", stage.version)
    assert row is not None, "every release describes its work"
    return row.text.format(
        seq=stuck.seq,
        op=stuck.op,
        numel_in=stuck.numel_in,
        numel_out=stuck.numel_out,
        timeout_ms=stage.spec.timeout_s * 1000,
    )


def _report(stage: Stage, hang: Hang, stuck: Stuck, fired: float) -> None:
    """Status, stack, dump signal and the monitor's echo; what the release has of them."""
    rank, group, world = stuck.rank, stuck.group, stage.world.default_group
    counts: dict[str, object] = {
        "seq": stuck.seq,
        "enqueued": stuck.enqueued,
        "completed": stuck.completed,
        "started": -1,
    }
    state = NcclState(group.desc, stuck.enqueued, stuck.completed, group.guid)
    if stage.say(rank, fired + 0.0004, "status", group, counts, mark=f"status.{rank}"):
        stage.shown[f"status.{rank}"] = (rank, state)
    if stage.say(rank, fired + DUMP_WAIT_S - 0.4, "timeout_at", group, counts, mark=f"timeout_at.{rank}"):
        stage.shown[f"timeout_at.{rank}"] = (rank, state)
    if stage.spec.records_flight:
        event = stage.say(rank, fired + 0.0015, "stack", group)
        if event is not None:
            event.text += "\n" + "\n".join(wait_frames(stage.spec, stuck.op)) + "\n"
    else:
        stage.say(rank, fired + 0.0015, "no_stack", group)
    stage.say(rank, fired + 0.0021, "signal", group)
    enqueued, completed = (stuck.enqueued, stuck.completed) if group is world else hang.default[rank]
    echo = {"enqueued": enqueued, "completed": completed}
    later = fired + 0.05 + stage.jitter(0.9)
    if stage.say(rank, later, "received_here", world, echo, mark=f"received.{rank}"):
        shown = NcclState(world.desc, enqueued, completed)
        stage.shown[f"received.{rank}"] = (rank, shown)
    if stage.version >= (2, 3):
        stage.say(rank, later + 0.0002, "preparing", world)


def _take_down(stage: Stage, stuck: Stuck, at: float, message: str) -> None:
    """Banner, the watchdog thread's exception, libstdc++'s last word, SIGABRT."""
    rank, group = stuck.rank, stuck.group
    stage.say(rank, at, "banner", group)
    stage.say(rank, at + 0.0003, "taking_down", group)
    raised = f"checkTimeout at ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:{timed_out_line(stage.version)}"
    take_down_thread(stage, rank, at + 0.0006, group, message, raised)
    stage.die(rank, at + 0.3 + stage.jitter(0.4), ABORTED)


def take_down_thread(
    stage: Stage, rank: int, at: float, group: ProcessGroup, message: str, raised_at: str, cuda: bool = False
) -> None:
    """The watchdog thread ends with an exception, and with it the process."""
    frames = abort_frames(stage.spec, raised_at, stage.rng)
    error = {"error": message}
    said = stage.phrase(rank, "terminated", group, error)
    head = f"terminate called after throwing an instance of '{terminate_type(stage.version, cuda)}'\n  what():  "
    if stage.version >= (2, 1):  # before, the message is logged at INFO, which is hidden
        event = stage.say(rank, at, "terminated", group, error, mark=f"terminated.{rank}")
        if event is not None:
            event.text += "\n" + frames + "\n"
    stage.rank(rank, at + 0.002, f"{head}{said}\n{frames}\n").marks[f"what.{rank}"] = 1


def _observer(stage: Stage, rank: int, completed: int, fired: float, detectors: list[int]) -> None:
    """A rank that waits for nothing hears of the timeout through the store."""
    world = stage.world.default_group
    at = fired + 0.2 + stage.jitter(0.9)
    counts: dict[str, object] = {"enqueued": completed, "completed": completed, "source": stage.rng.choice(detectors)}
    stage.say(rank, at, "observed", world, mark=f"observed.{rank}")
    if stage.say(rank, at + 0.0003, "received_there", world, counts, mark=f"received.{rank}"):
        stage.shown[f"received.{rank}"] = (rank, NcclState(world.desc, completed, completed))
        stage.say(rank, at + 0.0006, "preparing", world)
    event = stage.say(rank, at + MONITOR_KILL_S, "monitor_kill", world, counts, level="F")
    if event is not None:
        stage.die(rank, at + MONITOR_KILL_S + 0.1, ABORTED)
