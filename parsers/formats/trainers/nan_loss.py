"""NaN, infinities and spikes: in losses, in gradients, in Megatron's checks and re-runs."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample
from logtui.parsers.remedies import NO_MORE_NANS

_ITERATION = " iteration       57/    1000 | elapsed time per iteration (ms): 5712.3 | learning rate: 5.7E-06 | "

CHECKS = (
    Pattern(
        name="nan.gradient",
        anchors=("Unexpected result nan", "Unexpected result inf", ": found NaN in ", ": found Inf in "),
        regex=r"Rank (?P<rank>\d+)(?:, node (?P<host>[\w.-]+), device (?P<device>\d+), iteration (?P<iteration>-?\d+))?: (?:Unexpected result (?:nan|inf|-inf)|found (?:NaN|Inf) in)(?:.*?, node: (?P<node>[\w.-]+))?",
        samples=(
            Sample(
                "[rank57]: RuntimeError: Rank 57, node node007, device 1, iteration 500: Unexpected result nan (message='found NaN in local "
                "grad norm for bucket #0 in backward pass before data-parallel communication collective')",
                {"rank": "57", "host": "node007", "device": "1", "iteration": "500"},
            ),
            Sample(
                "AssertionError: Rank 57: found NaN in local grad norm in backward pass before data-parallel communication collective. Device: 1, node: node007",
                {"rank": "57", "node": "node007"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.NAMES_RANK, Mark.LASTS),
        cls=FailureClass.SOFTWARE,
        weight=72,
        title="a rank's gradient or loss is NaN",
        note="Checked before the reduction, so it names the true first rank.",
        advice=(
            Advice(
                "training",
                "look at the data and the learning rate of iteration {iteration}; resume from before it, skip "
                "that batch, or clip gradients",
            ),
        ),
    ),
    Pattern(
        name="nan.rerun",
        anchors=("Unexpected result nan on rank ", "Unexpected result inf on rank "),
        regex=r"Unexpected result (?:nan|inf) on rank (?P<rank>\d+) at iteration #(?P<iteration>\d+)",
        samples=(
            Sample(
                "ERROR:megatron.core.rerun_state_machine:Unexpected result nan on rank 57 at iteration #500 invocation #2 "
                "(message='found NaN in local grad norm for bucket #0')",
                {"rank": "57", "iteration": "500"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.NAMES_RANK, Mark.LASTS),
        cls=FailureClass.SOFTWARE,
        weight=66,
        title="a rank's result is NaN; Megatron runs the step again",
    ),
    Pattern(
        name="nan.rerun_hardware",
        anchors=("Possible transient error!", "Possible persistent error!"),
        regex=r"(?:Rank (?P<rank>\d+), node (?P<host>[\w.-]+), device (?P<device>\d+).*?)?Possible (?P<kind>transient|persistent) error!",
        samples=(
            Sample(
                "Rank 57, node node007, device 1, iteration #500: Possible transient error!",
                {"rank": "57", "host": "node007", "kind": "transient"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.NAMES_RANK, Mark.LASTS),
        cls=FailureClass.GPU_HARDWARE,
        weight=76,
        title="a re-run gave another result: suspect GPU",
        note="Silent data corruption.",
        advice=(
            Advice(
                "hardware",
                "test the GPU[ of rank {rank}][ on {host}] (dcgmi diag -r 4): the same step gave another result",
            ),
        ),
    ),
    Pattern(
        name="nan.rerun_application",
        anchors=("Correct result (but possible Application error)",),
        regex=r"(?:Rank (?P<rank>\d+), .{0,400}?)?Correct result \(but possible Application error\)",
        samples=(
            Sample(
                "Rank 57, node node007, device 1, iteration #500: Correct result (but possible Application error)",
                {"rank": "57"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.NAMES_RANK, Mark.LASTS),
        cls=FailureClass.SOFTWARE,
        weight=68,
        title="a re-run gave the same NaN: data, rate or precision",
    ),
    Pattern(
        name="nan.anomaly",
        anchors=("returned nan values in its ",),
        regex=r"Function '(?P<function>\w+)' returned nan values in its (?P<output>\d+)th output",
        samples=(
            Sample(
                "RuntimeError: Function 'MulBackward0' returned nan values in its 0th output.",
                {"function": "MulBackward0", "output": "0"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.LASTS,),
        cls=FailureClass.SOFTWARE,
        weight=72,
        title="autograd found NaN",
    ),
)

LOSSES = (
    Pattern(
        name="nan.spiky",
        anchors=("Spiky loss",),
        regex=r"(?:Rank (?P<rank>\d+), node (?P<host>[\w.-]+).{0,200}?)?Unexpected result (?P<value>[\d.eE+-]{1,40}).{0,200}?Spiky loss",
        samples=(
            Sample(
                "Rank 57, node node007, device 1, iteration 500: Unexpected result 57.1 (message='Spiky loss, factor of 10')",
                {"rank": "57", "value": "57.1"},
            ),
        ),
        role=Role.STATE,
        title="the loss jumped",
    ),
    Pattern(
        name="nan.loss",
        anchors=(
            "loss: nan",
            "Loss: nan",
            "loss=nan",
            "'loss': nan",
            "'loss': 'nan'",
            "loss nan",
            "Loss nan",
            "loss:nan",
            "'grad_norm': nan",
            "'grad_norm': 'nan'",
            "loss is NaN",
            "Loss is nan",
            "Loss is NaN",
            "Loss is NAN",
            "loss is NAN",
            "loss is nan",
            "Loss is inf",
            "loss is inf",
        ),
        regex=r"(?:(?<!test )(?<!test_)(?<!val_)(?<!val )(?<!valid_)(?<!eval_)(?<!test_scalars \{')[Ll]oss(?:'?[:=]+ ?| )'?nan\b|'grad_norm': '?nan|[Ll]oss is (?:[Nn][Aa][Nn]\b|inf\b))"
        r"(?![^\n]{0,200}\b[Ss]kip(?:s|ped|ping)?\b)",
        samples=(
            Sample("{'loss': 0.0, 'grad_norm': nan, 'learning_rate': 2e-05, 'epoch': 1.42}"),
            Sample("1/1 - 3s - loss: nan"),
            Sample("step 57 loss nan step_time 0.1s"),
            Sample("Speed 570.57 samples/sec   Loss nan   LearningRate 0.570000   Epoch: 5   Global Step: 570"),
            Sample("Loss is NAN: Mini-Batch Index: 57"),
        ),
        role=Role.CAUSE,
        marks=(Mark.LASTS,),
        cls=FailureClass.SOFTWARE,
        weight=50,
        bulk=True,
        title="the loss is NaN",
        note="All ranks at once: after a reduction, or data or rate.",
        advice=NO_MORE_NANS,
    ),
    Pattern(
        name="nan.grad_norm",
        anchors=("| grad norm: nan ",),
        regex=r"iteration +(?P<step>\d+)/.*\| grad norm: nan \|",
        samples=(
            Sample(
                _ITERATION + "loss scale: 1.0 | grad norm: nan | number of skipped iterations:   0 |", {"step": "57"}
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.LASTS,),
        cls=FailureClass.SOFTWARE,
        weight=50,
        bulk=True,
        title="the gradient norm is NaN",
        advice=NO_MORE_NANS,
    ),
    Pattern(
        name="nan.loss_missing",
        anchors=("number of nan iterations: ",),
        regex=r"iteration +(?P<step>\d+)/ *\d+ \|(?!.{0,1000}\bl?m?[ _]?loss: [\d-])(?!.{0,1000}\bloss[^|]{0,60}: -?\d[\d.]{0,20}E).{0,1000}number of nan iterations: +0 \|",
        samples=(
            Sample(
                _ITERATION + "loss scale: 1.0 | number of skipped iterations:   0 | number of nan iterations:   0 |",
                {"step": "57"},
            ),
        ),
        role=Role.STATE,
        bulk=True,
        title="the loss is missing from the iteration line",
        note="Megatron prints it only while it is above zero: NaN, or a step skipped for overflow.",
    ),
    Pattern(
        name="nan.iterations",
        anchors=("number of nan iterations: ",),
        regex=r"number of nan iterations: +(?P<count>[1-9]\d*)",
        samples=(
            Sample(
                _ITERATION + "loss scale: 1.0 | number of skipped iterations:   0 | number of nan iterations:   1 |",
                {"count": "1"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.LASTS,),
        cls=FailureClass.SOFTWARE,
        weight=52,
        bulk=True,
        title="iterations with a NaN loss",
    ),
    Pattern(
        name="nan.overflow",
        anchors=("OVERFLOW! Rank ", "Gradient overflow.  Skipping step"),
        regex=r"OVERFLOW! Rank (?P<rank>\d+) Skipping step|Gradient overflow\.  Skipping step, loss scaler \d+ reducing",
        samples=(
            Sample(
                "[deepspeed] OVERFLOW! Rank 57 Skipping step. Attempted loss scale: 65536, reducing to 32768",
                {"rank": "57"},
            ),
            Sample("Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 32768.0", {}),
        ),
        role=Role.STATE,
        bulk=True,
        title="gradients overflowed; the step was skipped",
        note="Normal in the first tens of fp16 steps.",
    ),
    Pattern(
        name="nan.scale_exhausted",
        anchors=("Current loss scale already at minimum",),
        regex=r"Current loss scale already at minimum",
        samples=(
            Sample("Exception: Current loss scale already at minimum - cannot decrease scale anymore. Exiting run."),
        ),
        role=Role.CAUSE,
        marks=(Mark.LASTS,),
        cls=FailureClass.SOFTWARE,
        weight=76,
        title="the fp16 loss scale cannot go lower: NaN or divergence",
        advice=(
            Advice(
                "training",
                "the fp16 loss scale is at its minimum: train in bf16, lower the learning rate, or resume from "
                "before the divergence",
            ),
        ),
    ),
)

FORMAT = LineFormat(
    name="nan_loss",
    title="NaN and divergence",
    reference="NVIDIA/Megatron-LM rerun_state_machine.py and training.py; DeepSpeed fp16 loss_scaler.py; torch.autograd.anomaly_mode",
    patterns=CHECKS + LOSSES,
)
