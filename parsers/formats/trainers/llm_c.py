"""llm.c: its checks of calls print what failed and exit; the error's text stands in a line of its own."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample
from logtui.parsers.prefix.grammar import LINE_START
from logtui.parsers.remedies import ROOM_ON_GPU

_PLACE = LINE_START + r"\[CUDA ERROR\] at file (?P<file>[\w./-]{1,200}):(?P<at>\d{1,6}):"
_HERE = "[CUDA ERROR] at file train_gpt57.cu:57:"

FORMAT = LineFormat(
    name="llm_c",
    title="llm.c",
    reference="karpathy/llm.c llmc/cuda_common.h, cublas_common.h, zero.cuh",
    patterns=(
        Pattern(
            name="llm_c.check",
            anchors=("Error: Token out of vocabulary at ", "Error: must forward with targets", "Error: Failed to "),
            regex=r"Error: (?P<what>Token out of vocabulary|must forward with targets before backward|Failed to [a-z ]{3,40})"
            r" at (?P<file>[\w./-]{1,200}\.cuh?|[\w./-]{1,200}\.[ch]):(?P<at>\d{1,6})",
            samples=(
                Sample(
                    "step 57/118 | loss 3.2Error: Token out of vocabulary at train_gpt57.cu:571",
                    {"what": "Token out of vocabulary", "file": "train_gpt57.cu", "at": "571"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=66,
            title="{what}, and the program ends",
            note="It calls exit; lines of steps behind it waited in the buffer of another stream.",
        ),
        Pattern(
            name="llm_c.cuda",
            anchors=("[CUDA ERROR] at file ",),
            regex=_PLACE,
            samples=(Sample(_HERE, {"file": "train_gpt57.cu"}),),
            role=Role.CAUSE,
            cls=FailureClass.CUDA_SOFTWARE,
            weight=55,
            title="a CUDA call failed; the next line says how",
            advice=(Advice("training", "rerun with CUDA_LAUNCH_BLOCKING=1 to find the kernel at {file}:{at}"),),
        ),
        Pattern(
            name="llm_c.oom",
            anchors=("out of memory",),
            regex=LINE_START + r"out of memory\s*$",
            samples=(Sample("out of memory"), Sample("[1,57]<stderr>:out of memory")),
            role=Role.CAUSE,
            cls=FailureClass.GPU_OOM,
            weight=74,
            title="CUDA out of memory on this rank",
            note="CUDA's own text for the call that the line before names.",
            advice=ROOM_ON_GPU,
        ),
    ),
)
