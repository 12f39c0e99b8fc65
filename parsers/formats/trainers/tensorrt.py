"""TensorRT: an engine that is not built."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="tensorrt",
    title="TensorRT, TensorRT-LLM",
    reference="NVIDIA/TensorRT samples/common/logger.h, sampleReporting.h; include/NvInferRuntimeBase.h ErrorCode",
    patterns=(
        Pattern(
            name="tensorrt.error",
            anchors=("[E] Error[", "Error Code "),
            regex=r"\[E\] (?:\[TRT\] )?(?:Error\[\d{1,3}\]: |\d{1,3}: )?(?:\[[^\]\n]{1,200}\] ?)?Error Code (?P<code>\d{1,3}): (?P<said>[^\n]{1,300})",
            samples=(
                Sample(
                    "[01/02/2026-03:04:05] [E] Error[9]: [graph.cpp::compute::519] Error Code 9: Internal Error (Floor_57: no "
                    "shape tensor)",
                    {"code": "9", "said": "Internal Error (Floor_57: no shape tensor)"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=56,
            title="TensorRT refused to build or run an engine",
        ),
        Pattern(
            name="tensorrt.unknown_option",
            anchors=("[E] Unknown option: ",),
            regex=r"\[E\] Unknown option: (?P<option>[^\n]{1,200})",
            samples=(
                Sample(
                    "[01/02/2026-03:04:05] [E] Unknown option: --pool57 4096",
                    {"option": "--pool57 4096"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=60,
            title="trtexec does not know an option",
        ),
        Pattern(
            name="tensorrt.failed",
            anchors=("&&&& FAILED ",),
            regex=r"^&&&& FAILED (?P<sample>[\w.]{1,80})",
            samples=(
                Sample(
                    "&&&& FAILED TensorRT.trtexec [TensorRT v101057] # trtexec --onnx=a57.onnx",
                    {"sample": "TensorRT.trtexec"},
                ),
            ),
            role=Role.SYMPTOM,
            title="a program of TensorRT failed",
        ),
        Pattern(
            name="tensorrt_llm.world_size",
            anchors=("[TensorRT-LLM][ERROR] Assertion failed: ",),
            regex=r"\[TensorRT-LLM\]\[ERROR\] Assertion failed: (?P<said>[^\n]{0,120}\b(?:[Ww]orld ?[Ss]ize|tp\*pp)[^\n]{0,200})",
            samples=(
                Sample(
                    "[TensorRT-LLM][ERROR] Assertion failed: With communicationMode kLEADER, MPI worldSize is expected to be "
                    "equal to tp*pp when participantIds are not specified (57)",
                    {
                        "said": "With communicationMode kLEADER, MPI worldSize is expected to be equal to tp*pp when participantIds are not specified (57)"
                    },
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=64,
            title="an engine was built for another number of processes",
            advice=(
                Advice(
                    "training", "start as many processes as the engine's tensor and pipeline parallel sizes ask for"
                ),
            ),
        ),
        Pattern(
            name="tensorrt_llm.assertion",
            anchors=("[TensorRT-LLM][ERROR] Assertion failed: ",),
            regex=r"\[TensorRT-LLM\]\[ERROR\] Assertion failed: (?P<said>(?![^\n]{0,120}\b(?:[Ww]orld ?[Ss]ize|tp\*pp))[^\n]{1,200})",
            samples=(
                Sample(
                    "[TensorRT-LLM][ERROR] Assertion failed: Tensor 'mask57' not found",
                    {"said": "Tensor 'mask57' not found"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=56,
            title="TensorRT-LLM's own check failed",
        ),
    ),
)
