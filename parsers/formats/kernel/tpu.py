"""Google's TPUs: chips that halt, slices that lose a worker, links between chips, and a TPU that another process holds."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="tpu",
    title="TPU runtime",
    reference="libtpu's texts in JAX 0.4 to 0.6, PyTorch/XLA 2.0 to 2.7; cloud.google.com/tpu/docs/troubleshooting",
    patterns=(
        Pattern(
            name="tpu.halted",
            anchors=(
                "Accelerator device halted prematurely",
                "halted unexpectedly at tag",
                "TPU core halted",
                "TPU chip halted",
                "uncorrectable HBM error",
            ),
            regex=r"(?P<what>Accelerator device halted prematurely|halted unexpectedly at tag|TPU (?:core|chip) halted|uncorrectable HBM error)",
            samples=(
                Sample(
                    "INTERNAL: Accelerator device halted prematurely, perhaps due to an on-device check-failure. Node 5 "
                    "halted unexpectedly at tag:pc TensorCoreSequencer:7:0x57",
                    {"what": "Accelerator device halted prematurely"},
                ),
            ),
            role=Role.CAUSE,
            marks=(Mark.GPU_FAULT,),
            cls=FailureClass.GPU_HARDWARE,
            weight=84,
            title="a TPU chip halted",
            note="The chip, or a check within the program that runs on it.",
            advice=(Advice("hardware", "run again; where the same worker[ {host}] halts again, replace it"),),
        ),
        Pattern(
            name="tpu.program",
            anchors=("Program or fatal error occurred; ",),
            regex=r"Program or fatal error occurred; computation may be invalid(?:: (?P<why>[^\n]{1,200}))?",
            samples=(
                Sample(
                    "2026-01-02 03:04:05.678901: E stream_executor/stream.cc:57] INTERNAL: Program or fatal error occurred; "
                    "computation may be invalid: FAILED_PRECONDITION: Core 57 is not open.",
                    {"why": "FAILED_PRECONDITION: Core 57 is not open."},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CUDA_SOFTWARE,
            weight=66,
            title="the program on a TPU's core failed",
            note="Its runtime knows no more: the program, or the core.",
        ),
        Pattern(
            name="tpu.maintenance",
            anchors=("TERMINATE_ON_HOST_MAINTENANCE", "preempted=TRUE"),
            regex=r"\b(?:maintenance-event\W{1,3})?(?P<event>TERMINATE_ON_HOST_MAINTENANCE)\b|\bpreempted=TRUE\b",
            samples=(
                Sample(
                    "metadata server: maintenance-event=TERMINATE_ON_HOST_MAINTENANCE",
                    {"event": "TERMINATE_ON_HOST_MAINTENANCE"},
                ),
                Sample("metadata server says preempted=TRUE"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=72,
            title="the cloud takes the host away",
            note="Google's metadata server tells it a minute before.",
        ),
        Pattern(
            name="tpu.link",
            anchors=("ICI link", "ICI fabric", "ICI routing", "ICI error"),
            regex=r"\b(?P<what>ICI (?:link|fabric|routing|error)\b.{0,60}?(?i:\bdown\b|unhealthy|fail\w*|timed? ?out|error|degraded))",
            samples=(
                Sample(
                    "INTERNAL: the ICI link of chip 5 to chip 7 is down",
                    {"what": "ICI link of chip 5 to chip 7 is down"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=80,
            title="a link between TPU chips failed",
            advice=(Advice("hardware", "recreate the slice; where the same link[ of {host}] fails again, report it"),),
        ),
        Pattern(
            name="tpu.slice",
            anchors=("lice health check failed", "lice initialization failed"),
            regex=r"(?P<what>[Ss]lice (?:health check|initialization) failed)",
            samples=(
                Sample(
                    "UNAVAILABLE: TPU initialization failed: Slice health check failed: worker 5",
                    {"what": "Slice health check failed"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=72,
            title="a worker of the TPU slice is missing or unhealthy",
            advice=(
                Advice("infrastructure", "see that the program runs on every worker of the slice; recreate the slice"),
            ),
        ),
    ),
)
