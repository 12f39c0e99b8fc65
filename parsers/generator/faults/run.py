"""Jobs that do not fail: healthy ones with a loud teardown, and slow ones."""

from __future__ import annotations

from logtui.parsers.generator.faults.stall import until_fault
from logtui.parsers.generator.stage import Stage, Verdict
from logtui.parsers.generator.training import finish, steps_before
from logtui.parsers.pattern import FailureClass


def healthy(stage: Stage) -> None:
    """All steps are done; what is printed after them is teardown."""
    at = until_fault(stage)
    finish(stage, at, steps_before(stage.spec.seq))
    for rank in stage.world.ranks:
        later = at + 45 + stage.jitter(2)
        stage.say(rank, later, "not_destroyed", stage.world.default_group, level="W")
    stage.verdict = Verdict(FailureClass.HEALTHY, "training finished as planned")
