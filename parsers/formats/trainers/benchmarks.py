"""Benchmarks and trainers that count in words of their own: HPL, TensorFlow's CNN benchmarks, Horovod's, Marian, Darknet."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="benchmarks",
    title="HPL, tf_cnn_benchmarks, Horovod's synthetic benchmark, Marian, Darknet",
    reference="netlib.org/benchmark/hpl testing/ptest; tensorflow/benchmarks benchmark_cnn.py; horovod examples *_synthetic_benchmark.py; "
    "marian-nmt/marian scheduler.h; AlexeyAB/darknet detector.c",
    patterns=(
        Pattern(
            name="hpl.passed",
            anchors=(" tests completed and passed residual checks",),
            regex=r"^\s{4,20}(?P<tests>[1-9]\d{0,5}) tests completed and passed residual checks",
            samples=(Sample("             57 tests completed and passed residual checks,", {"tests": "57"}),),
            role=Role.END,
            marks=(Mark.ANY_END,),
            title="HPL passed its residual checks",
        ),
        Pattern(
            name="hpl.failed",
            anchors=(" tests completed and failed residual checks",),
            regex=r"^\s{4,20}(?P<tests>[1-9]\d{0,5}) tests completed and failed residual checks",
            samples=(Sample("              5 tests completed and failed residual checks,", {"tests": "5"}),),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=62,
            title="{tests} of HPL's tests failed their residual checks",
            note="Wrong results: a library, an overclocked or failing node, or memory.",
        ),
        Pattern(
            name="tf_cnn.step",
            anchors=("images/sec: ",),
            regex=r"(?:^|[\s>])(?P<step>\d{1,9})\timages/sec: [\d.]+ \+/- ",
            samples=(
                Sample("570\timages/sec: 305.7 +/- 0.5 (jitter = 5.7)\t7.571", {"step": "570"}),
                Sample("[1,0]<stdout>:<stdout> 10\timages/sec: 305.7 +/- 0.0 (jitter = 0.0)\t7.571", {"step": "10"}),
            ),
            role=Role.INFO,
            numeric=("step", ""),
        ),
        Pattern(
            name="tf_cnn.end",
            anchors=("total images/sec: ",),
            regex=r"\btotal images/sec: [\d.]+\s*$",
            samples=(Sample("total images/sec: 2457.15"), Sample("[1,0]<stdout>:total images/sec: 2457.15")),
            role=Role.END,
            title="the benchmark finished",
        ),
        Pattern(
            name="synthetic_benchmark.end",
            anchors=("Total img/sec on ",),
            regex=r"\bTotal img/sec on (?P<world_size>\d{1,6}) \w+\(s\): [\d.]+ \+-",
            samples=(Sample("Total img/sec on 7 GPU(s): 1571.5 +-5.7", {"world_size": "7"}),),
            role=Role.END,
            title="the benchmark finished",
        ),
        Pattern(
            name="marian.step",
            anchors=(" : Up. ",),
            regex=r"\bEp\. \d+ : Up\. (?P<step>\d+) : Sen\. ",
            samples=(
                Sample(
                    "[2026-01-02 03:04:05] Ep. 1 : Up. 5700 : Sen. 571,230 : Cost 5.71234 * 171,230 after 7,571,230 : "
                    "Time 57.12s : 17571.23 words/s : gNorm 1.5712",
                    {"step": "5700"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", ""),
        ),
        Pattern(
            name="darknet.step",
            anchors=(" rate, ",),
            regex=r"^ {0,8}(?P<step>\d{1,9}): [\d.]+, [\d.]+ avg(?: loss)?, [\d.]+ rate, (?P<s>[\d.]+) seconds, ",
            samples=(
                Sample(
                    " 57: 5.712345, 7.123456 avg loss, 0.001000 rate, 2.571234 seconds, 3648 images, 5.712 hours left",
                    {"step": "57", "s": "2.571234"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", "s"),
        ),
    ),
)
