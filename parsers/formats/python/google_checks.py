"""What the C++ code of TensorFlow, XLA and others says where a check of its own fails, before it aborts the process."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

_AT = r"(?:^|[\s:])F(?:\d{4} [^\n]{1,60}?| )[\w./-]{1,120}\.(?:cc|cpp|hpp|hh|h|cuh?):\d{1,6}\] "
"""A record at the level of fatal errors, by Abseil, glog or TensorFlow's own logging."""
_OF_CUDA = r"== (?:cudaSuccess|(?:CUDNN|CUBLAS|CURAND)_STATUS_SUCCESS)\b"

FORMAT = LineFormat(
    name="google_checks",
    title="Failed checks of Abseil, glog and TensorFlow",
    reference="abseil-cpp absl/log/check.h; glog src/glog/logging.h; tensorflow tsl/platform/default/logging.cc",
    patterns=(
        Pattern(
            name="check.event_status",
            anchors=("Unexpected Event status: ",),
            regex=_AT + r"Unexpected Event status: (?P<status>\d+)",
            samples=(
                Sample("F0000 00:00:1763698329.707742 4242 device_event_mgr.cc:57] Unexpected Event status: 1"),
                Sample(
                    "2026-01-02 03:04:05.678901: F tensorflow/core/common_runtime/device/device_event_mgr.cc:57] Unexpected Event status: 1",
                    {"status": "1"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CUDA_SOFTWARE,
            weight=62,
            title="a kernel that was launched before failed",
            note="TensorFlow sees it when it asks for the kernel's event; CUDA_LAUNCH_BLOCKING=1 shows which one it was.",
        ),
        Pattern(
            name="check.cuda",
            anchors=(
                "== CUDNN_STATUS_SUCCESS",
                "== cudaSuccess",
                "== CUBLAS_STATUS_SUCCESS",
                "== CURAND_STATUS_SUCCESS",
            ),
            regex=_AT
            + r"Check failed: (?![^\n]{0,200}out of memory)[^\n]{0,80}"
            + _OF_CUDA
            + r"(?P<what>[^\n]{0,160})",
            samples=(
                Sample(
                    "F0102 03:04:05.678901  4242 conv_layer.cu:57] Check failed: status == CUDNN_STATUS_SUCCESS (8 vs. 0)  "
                    "CUDNN_STATUS_EXECUTION_FAILED",
                    {"what": " (8 vs. 0)  CUDNN_STATUS_EXECUTION_FAILED"},
                ),
                Sample(
                    "F0102 03:04:05.678901  4242 math.cu:57] Check failed: error == cudaSuccess (77 vs. 0)  an illegal access"
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CUDA_SOFTWARE,
            weight=62,
            title="a call of CUDA's libraries failed{what}",
            note="Caffe and others check each call.",
        ),
        Pattern(
            name="check.failed",
            anchors=("] Check failed: ",),
            regex=_AT
            + r"Check failed: (?![^\n]{0,200}(?:out of memory|pthread_create))(?![^\n]{0,80}"
            + _OF_CUDA
            + r")(?P<what>[^\n]{1,200})",
            samples=(
                Sample(
                    "2026-01-02 03:04:05.678901: F tensorflow/core/util/tensor.cc:57] Check failed: 57 == NumElements() (57 vs. 7)",
                    {"what": "57 == NumElements() (57 vs. 7)"},
                ),
                Sample("F0102 03:04:05.678901  4242 layer.cpp:57] Check failed: top.size() == 7 (57 vs. 7)"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=56,
            title="a check of a native library failed ({what})",
        ),
    ),
)
