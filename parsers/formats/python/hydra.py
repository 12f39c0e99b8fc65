"""What Hydra says of an object that it could not build, where it leaves the traceback out."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="hydra",
    title="Hydra's own words of a failure",
    reference="hydra/_internal/instantiate/_instantiate2.py, _call_target",
    patterns=(
        Pattern(
            name="hydra.call_failed",
            anchors=("Error in call to target '",),
            regex=r"^Error in call to target '(?P<target>[^']{1,300})':",
            samples=(
                Sample("Error in call to target 'job.rl.trainer.Trainer57':", {"target": "job.rl.trainer.Trainer57"}),
            ),
            role=Role.CAUSE,
            follow=2,
            cls=FailureClass.CONFIG,
            weight=58,
            title="what the configuration asks for could not be built ({target})",
            note="The next line is the exception; HYDRA_FULL_ERROR=1 shows where it was raised.",
            advice=(Advice("training", "correct what the configuration gives to {target}"),),
        ),
    ),
)
