"""Hydra: configurations that cannot be put together, reported without a traceback."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample
from logtui.parsers.prefix.grammar import LINE_START

FORMAT = LineFormat(
    name="hydra",
    title="Hydra configuration errors",
    reference="hydra _internal/utils.py, config_loader_impl.py and core/override_parser, 1.0 to 1.3",
    patterns=(
        Pattern(
            name="hydra.config",
            anchors=(
                "Cannot find primary config ",
                "Could not override '",
                "Could not append to config",
                "' is not in struct",
                "Error parsing override '",
                "Ambiguous value for argument '",
                "Missing mandatory value: ",
                "Primary config module ",
                "Primary config directory not found",
                "': Could not find '",
                "': Validation error while composing",
            ),
            regex=r"(?:"
            + LINE_START
            + r"\W{0,4}|\]:? {0,2}|\) ?)(?:hydra\.errors\.\w+: )?(?:Cannot find primary config |Could not override '|Could not append to config"
            r"|Error parsing override '|Ambiguous value for argument '|Missing mandatory value: |Primary config (?:module |directory not found)"
            r"|Key '[^']{1,80}' is not in struct|In '[^']{1,120}': (?:Could not find|Validation error|Unable to)).{0,300}",
            samples=(
                Sample("Cannot find primary config 'pretrain_57'. Check that it's in your config search path."),
                Sample("Could not override 'trainer.gpus'."),
                Sample("Key 'optimizer_v57' is not in struct"),
                Sample("Ambiguous value for argument 'model.data.split=980,10,10'"),
                Sample("[default7]:Could not override 'model.width57'."),
                Sample("[rank57]: In 'pretrain': Could not find 'model/encoder57'"),
            ),
            role=Role.CAUSE,
            marks=(Mark.REFUSED,),
            cls=FailureClass.CONFIG,
            weight=72,
            title="the configuration cannot be put together",
            advice=(
                Advice(
                    "training",
                    "check the override or the missing value that the lines below name; --cfg job prints what is put "
                    "together",
                ),
            ),
        ),
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
