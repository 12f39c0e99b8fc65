"""TensorFlow: a GPU that is full or not there, machines of a TPU that are lost, and its own client of S3."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample
from logtui.parsers.remedies import LESS_ON_HOST


def _no_memory(
    name: str, device: str, allocator: str, cls: FailureClass, *, title: str, advice: tuple[Advice, ...]
) -> Pattern:
    """An operation for which a device's allocator had nothing left, whatever becomes of it."""
    return Pattern(
        name=name,
        anchors=("OOM when allocating tensor",),
        regex=r"OP_REQUIRES failed at [\w./:-]{1,80} ?: (?:RESOURCE_EXHAUSTED|Resource exhausted): OOM when allocating tensor "
        rf".{{0,200}}/device:{device}:\d",
        samples=(
            Sample(
                "2026-01-02 03:04:05.678901: W tensorflow/core/framework/op_kernel.cc:57] OP_REQUIRES failed at conv_ops.cc:57 : "
                "RESOURCE_EXHAUSTED: OOM when allocating tensor with shape[57,7] and type float on "
                f"/job:localhost/replica:0/task:0/device:{device}:0 by allocator {allocator}",
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.PASSING,),
        cls=cls,
        weight=64,
        bulk=True,
        title=title,
        advice=advice,
    )


FORMAT = LineFormat(
    name="tensorflow_runtime",
    title="TensorFlow",
    reference="tensorflow python/tpu/session_support.py; core/platform/s3/aws_logging.cc, 1.4 to 2.3; stream_executor/cuda/cuda_driver.cc",
    patterns=(
        Pattern(
            name="tensorflow.lame_workers",
            anchors=("ShutdownHook: lame workers found",),
            regex=r"\bShutdownHook: lame workers found",
            samples=(
                Sample(
                    "INFO:tensorflow:ShutdownHook: lame workers found: HeartbeatManager(/job:worker/replica:0/task:5)"
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=62,
            title="a machine of the TPU is going away",
            note="It is preempted or maintained; the hook saves a checkpoint and ends the session.",
            advice=(
                Advice("infrastructure", "look at the TPU's state and events of that minute: preempted, maintained"),
            ),
        ),
        Pattern(
            name="tensorflow.no_gpu",
            anchors=("] failed call to cuInit: ",),
            regex=r"\] failed call to cuInit: (?P<why>.{1,200}?)\s*$",
            samples=(
                Sample(
                    "2026-01-02 03:04:05.678901: E external/local_xla/xla/stream_executor/cuda/cuda_platform.cc:51] failed call to "
                    "cuInit: INTERNAL: CUDA error: Failed call to cuInit: UNKNOWN ERROR (303)",
                    {"why": "INTERNAL: CUDA error: Failed call to cuInit: UNKNOWN ERROR (303)"},
                ),
            ),
            role=Role.NOISE,
            bulk=True,
            title="TensorFlow found no GPU, and computes on the CPU",
            note="Whoever meant to use one reads here why it was not seen.",
        ),
        Pattern(
            name="tensorflow.gpu_full",
            anchors=(") from device: ",),
            regex=r"\bfailed to allocate (?P<size>[\d.]{1,12}[KMGT]?(?:i?B)?) \(\d{1,15} bytes\) from device: CUDA_ERROR_OUT_OF_MEMORY(?!: out of memory)",
            samples=(
                Sample(
                    "2026-01-02 03:04:05.678901: E tensorflow/stream_executor/cuda/cuda_driver.cc:936] failed to allocate "
                    "157.57M (165223424 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY",
                    {"size": "157.57M"},
                ),
            ),
            role=Role.CAUSE,
            marks=(Mark.PASSING,),
            cls=FailureClass.GPU_OOM,
            weight=64,
            bulk=True,
            title="the GPU had not {size} left",
            note="The allocator may ask for less then; what fails right behind it failed of this.",
            advice=(Advice("training", "see with nvidia-smi who else holds the GPU's memory; a smaller batch"),),
        ),
        _no_memory(
            "tensorflow.host_full",
            "CPU",
            "mklcpu",
            FailureClass.HOST_OOM,
            title="an operation got no memory on the CPU",
            advice=LESS_ON_HOST,
        ),
        _no_memory(
            "tensorflow.operation_full",
            "GPU",
            "GPU_0_bfc",
            FailureClass.GPU_OOM,
            title="an operation got no memory on the GPU",
            advice=(Advice("training", "a smaller batch[ on {rank}]"),),
        ),
        Pattern(
            name="tensorflow.s3_retried",
            anchors=("] Request failed, now waiting ",),
            regex=r"aws_logging\.cc:\d{1,4}\] Request failed, now waiting (?P<wait_ms>\d{1,9}) ms before attempting again",
            samples=(
                Sample(
                    "2026-01-02 03:04:05.678901: W tensorflow/core/platform/s3/aws_logging.cc:57] Request failed, now waiting "
                    "800 ms before attempting again.",
                    {"wait_ms": "800"},
                ),
            ),
            role=Role.NOISE,
            bulk=True,
            title="a request to S3 is tried again",
        ),
        Pattern(
            name="tensorflow.s3_failed",
            anchors=("] Curl returned error code ",),
            regex=r"aws_logging\.cc:\d{1,4}\] Curl returned error code (?P<curl>[1-9]\d{0,2})\b",
            samples=(
                Sample(
                    "2026-01-02 03:04:05.678901: E tensorflow/core/platform/s3/aws_logging.cc:60] Curl returned error code 28",
                    {"curl": "28"},
                ),
            ),
            role=Role.CAUSE,
            marks=(Mark.PASSING,),
            cls=FailureClass.STORAGE_IO,
            weight=54,
            bulk=True,
            words={"why": ("curl", {"6": "unknown name", "7": "refused", "28": "timed out", "56": "connection broke"})},
            title="a request to S3 failed",
            advice=(Advice("storage", "look at the S3 service and the way to it in that minute"),),
        ),
    ),
    programs=(Program(Kind.FRAMEWORK, ("tensorflow",), "TensorFlow", outer=10),),
)
