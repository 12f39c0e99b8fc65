"""TensorRT: an engine that is not built."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="tensorrt",
    title="TensorRT",
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
    ),
)
