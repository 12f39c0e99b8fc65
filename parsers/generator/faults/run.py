"""Jobs that do not fail, or not the first time: healthy with a loud teardown, slow, restarted."""

from __future__ import annotations

from logtui.parsers.generator.faults.crash import raise_in
from logtui.parsers.generator.faults.scene import Told, blame, culprits, fault_step, until_fault
from logtui.parsers.generator.stage.spec import Fault
from logtui.parsers.generator.stage.stage import Stage
from logtui.parsers.generator.stage.world import TORCHRUN_LAYOUTS
from logtui.parsers.generator.wordings.ending import end
from logtui.parsers.generator.wordings.errors import Frame, loop_frames, traceback
from logtui.parsers.generator.wordings.torchrun import Agents
from logtui.parsers.generator.wordings.training import (
    COLLECTIVES_PER_STEP,
    finish,
    slow_step,
    write_retries,
    write_start,
    write_teardown,
    write_training,
)
from logtui.parsers.pattern import FailureClass


def healthy(stage: Stage) -> None:
    """All steps are done; what is printed after them is teardown."""
    at = until_fault(stage)
    write_retries(stage, at - 40 * stage.spec.step_s)
    finish(stage, at, fault_step(stage))
    write_teardown(stage, at + 45)
    blame(stage, FailureClass.HEALTHY, "training finished as planned")


def slow(stage: Stage) -> None:
    """From some step on, each takes much longer; the job still runs when the log ends."""
    until_fault(stage)
    title = f"steps take {stage.spec.slow_ratio:g} times as long from step {slow_step(stage)} on"
    blame(stage, FailureClass.SLOW_TRAINING, title, first="slow")


def restart_then_fail(stage: Stage) -> None:
    """A rank raises, the launcher restarts the job, and another rank (or the same) raises in the last attempt."""
    bad, spec = culprits(stage), stage.spec
    other = bad[0] if spec.recurring else next(r for r in reversed(stage.world.ranks) if r not in bad)
    begun, steps, seq = write_start(stage, spec.start), fault_step(stage), stage.seq
    done = 0
    for attempt in range(1, spec.attempts):
        until = max(1, steps * attempt // spec.attempts)
        at = write_training(stage, begun, done + 1, until)
        _raise_link(stage, other, at + 1.0)
        again = _restart(stage, at + 2.0)
        for event in stage.events:
            event.marks.clear()  # the truth is about the last attempt
        stage.attempt, done = attempt, until
        stage.seq = seq - COLLECTIVES_PER_STEP * done
        begun = write_start(stage, again)
    at = write_training(stage, begun, done + 1, steps)
    for rank in bad:
        _raise_link(stage, rank, at + 1.0)
    end(stage)
    which = "the second attempt" if spec.attempts == 2 else f"attempt {spec.attempts}"
    title = f"rank {bad[0]} raised IndexError in {which}, after rank {other} had before"
    blame(stage, FailureClass.SOFTWARE, title, bad, first=f"exception.{bad[0]}", accept=(FailureClass.DATA,))


def _raise_link(stage: Stage, rank: int, at: float) -> None:
    headline = (
        "KeyError: 'speaker_embedding'"
        if stage.attempt == 0
        else "IndexError: index 51865 is out of bounds: vocabulary has 51864 entries"
    )
    frame = Frame("/workspace/model/embedding.py", 73, "lookup", "row = self.table[key]")
    raise_in(stage, rank, at, traceback([*loop_frames(stage.spec.framework), frame], headline), headline)


def _restart(stage: Stage, at: float) -> float:
    """The launcher ends the first attempt. Returns when the second begins."""
    if stage.spec.layout not in TORCHRUN_LAYOUTS:
        end(stage)
        return at + 180.0
    agents = Agents(stage)
    for node in stage.world.nodes:
        if agents.deaths(node):
            agents.collect(node, final=False)
        else:
            agents.send_term(node, at + 0.5 + stage.jitter(4.0))
    return at + 12.0


FAULTS: Told = {
    Fault.SLOW: slow,
    Fault.HEALTHY: healthy,
    Fault.RESTART_THEN_FAIL: restart_then_fail,
}
