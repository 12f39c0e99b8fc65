"""Horovod's stall inspector, which names the ranks that did not submit a tensor."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Pattern, Program, Role, Sample, Trait

_HEAD = "[2026-11-21 04:12:09.112358: W /opt/build/horovod/common/stall_inspector.cc:107] "

FORMAT = LineFormat(
    name="horovod",
    title="Horovod",
    reference="horovod/common/stall_inspector.cc",
    patterns=(
        Pattern(
            name="horovod.stall",
            anchors=("tensors were submitted to be reduced, gathered or broadcasted by subset of ranks",),
            regex=r"tensors were submitted to be reduced, gathered or broadcasted by subset of ranks",
            samples=(
                Sample(
                    _HEAD
                    + "One or more tensors were submitted to be reduced, gathered or broadcasted by subset of ranks "
                    "and are waiting for remainder of ranks for more than 60 seconds."
                ),
            ),
            role=Role.SYMPTOM,
            title="some ranks wait for a tensor that others did not submit",
        ),
        Pattern(
            name="horovod.missing_ranks",
            anchors=(
                ": [HorovodAll",
                "HorovodAll",
                "DistributedSGD_Allreduce",
                "HorovodBroadcast",
                ": [allreduce.",
                ": [allgather.",
                ": [broadcast.",
            ),
            regex=r"(?:^|>: ?) *(?P<culprits>\d+): \[(?:[^\]]*(?:Horovod|Distributed)\w*(?:llreduce|llgather|roadcast)"
            r"|(?:allreduce|allgather|broadcast)\.)",
            samples=(
                Sample("3: [DistributedAdam_Allreduce/HorovodAllreduce_grads_0]", {"culprits": "3"}),
                Sample("0: [train/HorovodAllgather_labels_0, train/HorovodAllreduce_grads_1]", {"culprits": "0"}),
                Sample(
                    "[1,0]<stderr>:5: [allreduce.encoder.layer7.weight, allreduce.head.bias ...]", {"culprits": "5"}
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.COLLECTIVE_MISMATCH,
            weight=68,
            title="did not submit a tensor that the others wait for",
            advice=(
                Advice("training", "look what ranks {culprits} did instead: another branch, no data left, or a stall"),
            ),
        ),
        Pattern(
            name="horovod.missing_of_tensor",
            anchors=("[missing ranks: ",),
            regex=r"\[missing ranks: (?P<culprits>\d+(?:, ?\d+)*)",
            samples=(
                Sample("HorovodBroadcast_dense_1_bias_0 [missing ranks: 3, 5]", {"culprits": "3, 5"}),
                Sample(
                    "[2019-11-21 04:12:09.112358: W horovod/common/operations.cc:588] allreduce.conv1.weight [missing ranks: 1]",
                    {"culprits": "1"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.COLLECTIVE_MISMATCH,
            weight=66,
            bulk=True,
            title="did not submit a tensor that the others wait for",
            note="0.16 to 0.18.",
        ),
        Pattern(
            name="horovod.shut_down",
            anchors=("Horovod has been shut down",),
            regex=r"Horovod has been shut down\.",
            samples=(
                Sample("RuntimeError: Horovod has been shut down. This was caused by an exception on one of the ranks"),
            ),
            role=Role.SYMPTOM,
            title="Horovod stopped because of another rank",
        ),
    ),
    programs=(Program(Kind.LIBRARY, ("horovod",), traits=(Trait.TOGETHER,)),),
)
