"""Paddle's own summary of an error, below its C++ stack: the Python exception above it says nothing."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample
from logtui.parsers.prefix.grammar import LINE_START

FORMAT = LineFormat(
    name="paddle_errors",
    title="Paddle's error summaries",
    reference="PaddlePaddle/Paddle phi/core/enforce.h, memory/allocation/cuda_allocator.cc, platform/init.cc, 2.0 to 3.0",
    patterns=(
        Pattern(
            name="paddle_errors.gpu_memory",
            anchors=("Out of memory error on GPU ",),
            regex=LINE_START
            + r"\s{0,8}Out of memory error on GPU (?P<device>\d{1,3})\. Cannot allocate (?P<wanted>[\d.]+\w?B)",
            samples=(
                Sample(
                    "Out of memory error on GPU 3. Cannot allocate 5.70GB memory on GPU 3, 31.57GB memory has been allocated",
                    {"device": "3", "wanted": "5.70GB"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_OOM,
            weight=84,
            title="GPU memory ran out",
        ),
        Pattern(
            name="paddle_errors.cuda",
            anchors=("ExternalError: CUDA error(", "ExternalError:  Cuda error("),
            regex=r"ExternalError: {1,2}(?:CUDA|Cuda) error\((?P<code>\d{1,3})\), (?P<message>(?!out of memory|uncorrectable)[^.]{1,120})",
            samples=(
                Sample(
                    "ExternalError: CUDA error(719), unspecified launch failure.",
                    {"code": "719", "message": "unspecified launch failure"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CUDA_SOFTWARE,
            weight=64,
            title="a kernel failed: {message}",
        ),
        Pattern(
            name="paddle_errors.label_line",
            anchors=("When parsing line ",),
            regex=r"ERROR: When parsing line (?P<line>\S{1,300})",
            samples=(
                Sample(
                    "[2026/01/02 03:04:05] root ERROR: When parsing line train/img_57.jpg\tword",
                    {"line": "train/img_57.jpg"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.DATA,
            weight=56,
            title="a line of the labels, or its image, cannot be read",
            note="PaddleOCR, ppocr/data/simple_dataset.py: it takes another sample, and goes on for as long as there is one.",
            advice=(
                Advice("training", "look at the line of {line} in the label file, and whether the image is there"),
            ),
        ),
        Pattern(
            name="paddle_errors.crashed",
            anchors=("is detected by the operating system",),
            regex=r"FatalError: `(?P<what>Segmentation fault|Access to an undefined portion of a memory object|Illegal instruction"
            r"|Erroneous arithmetic operation|Process abort signal)` is detected by the operating system",
            samples=(
                Sample(
                    "FatalError: `Segmentation fault` is detected by the operating system.",
                    {"what": "Segmentation fault"},
                ),
                Sample(
                    "FatalError: `Process abort signal` is detected by the operating system.",
                    {"what": "Process abort signal"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=56,
            title="a process crashed ({what})",
        ),
        Pattern(
            name="paddle_errors.told_to_end",
            anchors=("is detected by the operating system",),
            regex=r"FatalError: `Termination signal` is detected by the operating system",
            samples=(Sample("FatalError: `Termination signal` is detected by the operating system."),),
            role=Role.SYMPTOM,
            marks=(Mark.TOLD_TO_STOP,),
            title="a process was told to end by a signal",
        ),
    ),
)
