"""Paddle: what each of its processes says as it starts, and how its core ends one.

Its launcher appends to `workerlog.N`: of a process that starts again, the same lines come again.
"""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample
from logtui.parsers.prefix.grammar import LINE_START
from logtui.parsers.remedies import OWN_GPU

_GLOG = LINE_START + r"[IWEF]\d{4} [\d:.]{8,15} +(?P<pid>\d{1,7}) \w{1,40}\.(?:cc|h):\d{1,5}\] "

FORMAT = LineFormat(
    name="paddle",
    title="Paddle",
    reference="PaddlePaddle/Paddle device_context.cc, gpu_resources.cc, nccl_context.cc, signal handler of init.cc; 1.8 to 2.6",
    patterns=(
        Pattern(
            name="paddle.device",
            anchors=("] Please NOTE: device: ",),
            regex=_GLOG + r"Please NOTE: device: (?P<device>\d{1,3}), ",
            samples=(
                Sample(
                    "W0102 03:04:05.678901  4242 gpu_resources.cc:57] Please NOTE: device: 1, GPU Compute Capability: 8.0, "
                    "Driver API Version: 12.1, Runtime API Version: 11.7",
                    {"pid": "4242", "device": "1"},
                ),
            ),
            role=Role.INFO,
            marks=(Mark.STARTS,),
            title="a process of Paddle takes its GPU",
        ),
        Pattern(
            name="paddle.ranks",
            anchors=("] init nccl context nranks: ",),
            regex=_GLOG + r"init nccl context nranks: (?P<world_size>\d{1,6}) local rank: (?P<rank>\d{1,6}) ",
            samples=(
                Sample(
                    "I0102 03:04:05.678901  4242 nccl_context.cc:57] init nccl context nranks: 8 local rank: 5 gpu id: 5 ring id: 0",
                    {"pid": "4242", "world_size": "8", "rank": "5"},
                ),
            ),
            role=Role.INFO,
            marks=(Mark.NAMES_SELF,),
            title="a process of Paddle joins the others",
            note="What it calls a local rank is the number of the trainer in the whole job.",
        ),
        Pattern(
            name="paddle.no_such_gpu",
            anchors=("] Invalid CUDAPlace(",),
            regex=_GLOG
            + r"Invalid CUDAPlace\((?P<device>\d{1,4})\), must inside \[0, (?P<gpus>\d{1,4})\), because GPU number on your machine is",
            samples=(
                Sample(
                    "E0102 03:04:05.678901  4242 pybind.cc:57] Invalid CUDAPlace(5), must inside [0, 4), because GPU number on "
                    "your machine is 4",
                    {"device": "5", "gpus": "4"},
                ),
            ),
            role=Role.CAUSE,
            marks=(Mark.ENDS, Mark.REFUSED),
            cls=FailureClass.CONFIG,
            weight=64,
            title="a GPU that is not there was asked for",
            note="The process ends itself: nothing else is printed of it.",
            advice=OWN_GPU,
        ),
        Pattern(
            name="paddle.exit_code",
            anchors=("LAUNCH INFO ",),
            regex=LINE_START + r"LAUNCH INFO [\d-]{10} [\d:,]{8,15} Exit code (?P<exitcode>-?[1-9]\d{0,2})\s*$",
            samples=(Sample("LAUNCH INFO 2026-11-21 04:12:12,345 Exit code -15", {"exitcode": "-15"}),),
            role=Role.SYMPTOM,
            marks=(Mark.EXIT_CODE, Mark.CHILD_EXIT, Mark.SIGNALLED),
            title="Paddle's launcher tells how its container ended",
        ),
        Pattern(
            name="paddle.aborted",
            anchors=("trainer process with rank=[",),
            regex=r"\bABORT!!! Out of all (?P<trainers>\d{1,6}) trainers, the trainer process with rank=\[(?P<rank>\d{1,6})\] was aborted",
            samples=(
                Sample(
                    "ERROR 2026-01-02 03:04:05,678 launch_utils.py:57] ABORT!!! Out of all 8 trainers, the trainer process with "
                    "rank=[5] was aborted. Please check its log.",
                    {"trainers": "8", "rank": "5"},
                ),
            ),
            role=Role.SYMPTOM,
            marks=(Mark.NAMES_RANK,),
            title="Paddle's launcher saw a trainer abort",
        ),
    ),
    programs=(Program(Kind.FRAMEWORK, ("paddle",), "Paddle", outer=10),),
)
