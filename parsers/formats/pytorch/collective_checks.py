"""Checks that name a rank outright: collective fingerprints, monitored barrier, DDP, NaN check."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Trait

FINGERPRINTS = (
    Pattern(
        name="collective.mismatch",
        anchors=("Detected mismatch between collectives",),
        # the sentence is long: people and consoles break it into lines, and put calls in place of fingerprints
        regex=r"Detected mismatch between collectives(?: on ranks(?:\.|$)|$)(?: Rank (?P<rank>\d+) is(?: running)?"
        r"(?: collective| inconsistent collective)?(?:: | |$)(?:CollectiveFingerPrint\((?:SequenceNumber=(?P<seq>\d+), )?"
        r"(?:OpType=(?P<op>\w+))?|(?P<call>\w+)\()?(?:,? ?TensorShape=\[(?P<shape>[\d, ]*)\])?"
        r"(?:.{0,400}?but Rank (?P<other>\d+) is running)?"
        r"(?:.{0,800}?Collectives differ in the following aspects:\s*(?P<differ>.{0,200}))?)?",
        samples=(
            Sample(
                "[rank3]: RuntimeError: Detected mismatch between collectives on ranks. Rank 3 is running collective: "
                "CollectiveFingerPrint(SequenceNumber=41, OpType=ALLREDUCE, TensorShape=[4096, 512], "
                "TensorDtypes=Float, TensorDeviceTypes=TensorOptions(dtype=float (default), device=cuda)), but Rank 5 "
                "is running collective: CollectiveFingerPrint(SequenceNumber=40, OpType=BROADCAST, TensorShape=[8])."
                "Collectives differ in the following aspects: \t Sequence number: 41vs 40  Op type: ALLREDUCEvs "
                "BROADCAST",
                {"rank": "3", "seq": "41", "op": "ALLREDUCE", "shape": "4096, 512", "other": "5"},
            ),
            Sample(
                "RuntimeError: Detected mismatch between collectives on ranks. Rank 0 is running inconsistent "
                "collective: CollectiveFingerPrint(OpType=BARRIER",
                {"rank": "0", "op": "BARRIER"},
            ),
            Sample("Detected mismatch between collectives on ranks. Rank 3 is running", {"rank": "3"}),
            Sample(
                "Detected mismatch between collectives on ranks. Rank 3 is running all_gather(TensorShape=[57]) but Rank 5 "
                "is running barrier()",
                {"rank": "3", "call": "all_gather", "shape": "57", "other": "5"},
            ),
            Sample("RuntimeError: Detected mismatch between collectives"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.COLLECTIVE_MISMATCH,
        weight=85,
        title="ranks run different collectives",
        note="TORCH_DISTRIBUTED_DEBUG=DETAIL. Every rank compares itself with one other: trust only its own half, "
        "and compare the halves. Ranks are group-local.",
        advice=(
            Advice(
                "training",
                "find the call of rank {rank} at sequence number {seq}: it differs from the others' by branch, "
                "shape or order",
            ),
        ),
    ),
    Pattern(
        name="collective.running",
        anchors=("Running collective: CollectiveFingerPrint(",),
        regex=r"Running collective: CollectiveFingerPrint\((?:(?:SequenceNumber=(?P<seq>\d+), )?OpType=(?P<op>\w+))?",
        samples=(
            Sample(
                "[rank3]:[I1121 04:12:09.112358132 ProcessGroupWrapper.cpp:587] [Rank 3] Running collective: "
                "CollectiveFingerPrint(SequenceNumber=41, OpType=ALLREDUCE, TensorShape=[8])",
                {"seq": "41", "op": "ALLREDUCE"},
            ),
        ),
        role=Role.STATE,
        bulk=True,
        title="entered a collective",
    ),
)

BARRIER = (
    Pattern(
        name="collective.barrier_missing",
        anchors=("failed to pass monitoredBarrier in",),
        regex=r"Ranks? (?P<ranks>\d+(?:, \d+){0,9999}) failed to pass monitoredBarrier in (?P<timeout_ms>\d+) ms",
        samples=(
            Sample(
                "[rank0]: RuntimeError: [Rank 0]: Rank 57 failed to pass monitoredBarrier in 30000 ms",
                {"ranks": "57", "timeout_ms": "30000"},
            ),
            Sample("[Rank 0]: Ranks 1, 2 failed to pass monitoredBarrier in 30000 ms", {"ranks": "1, 2"}),
        ),
        role=Role.CAUSE,
        weight=90,
        title="ranks did not reach the monitored barrier",
        note="Names the ranks, by their numbers in the group, and not the reason; torchrun then blames rank 0, which printed this.",
        advice=(
            Advice(
                "training",
                "take the stack of ranks {ranks} while they are late (py-spy dump): the barrier names them, not "
                "the reason",
            ),
        ),
    ),
    Pattern(
        name="collective.barrier_victim",
        anchors=("successfully reached monitoredBarrier, but received errors",),
        regex=r"Rank (?P<pg_rank>\d+) successfully reached monitoredBarrier, but received errors",
        samples=(
            Sample(
                "[rank4]: RuntimeError: Rank 4 successfully reached monitoredBarrier, but received errors while "
                "waiting for send/recv from rank 0. Please check rank 0 logs for faulty rank.",
                {"pg_rank": "4"},
            ),
        ),
        role=Role.SYMPTOM,
        title="passed the barrier; rank 0 knows who did not",
    ),
)

MODEL = (
    Pattern(
        name="ddp.unused_parameters",
        anchors=("Expected to have finished reduction in the prior iteration",),
        regex=r"Expected to have finished reduction in the prior iteration before starting a new one",
        samples=(
            Sample(
                "[rank3]: RuntimeError: Expected to have finished reduction in the prior iteration before starting a "
                "new one. This error indicates that your module has parameters that were not used in producing loss."
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=70,
        follow=4,
        title="DDP: parameters without a gradient",
        note="On some ranks only: those took another path through the model.",
        advice=(
            Advice(
                "training",
                "DistributedDataParallel(..., find_unused_parameters=True), or let every forward pass use every "
                "parameter; static_graph=True where the set never changes",
            ),
            Advice("training", "TORCH_DISTRIBUTED_DEBUG=DETAIL names the parameters"),
        ),
    ),
    Pattern(
        name="ddp.unused_list",
        anchors=("which did not receive grad for rank",),
        regex=r"Parameters? (?:indices )?which did not receive grad for rank (?P<rank>\d+): (?P<parameters>.{1,300})",
        samples=(
            Sample(
                "[rank3]: Parameter indices which did not receive grad for rank 3: 6 7",
                {"rank": "3", "parameters": "6 7"},
            ),
            Sample(
                "Parameters which did not receive grad for rank 3: head.weight, head.bias",
                {"parameters": "head.weight, head.bias"},
            ),
        ),
        role=Role.STATE,
        title="DDP: the parameters in question",
    ),
    Pattern(
        name="ddp.ready_twice",
        anchors=("Expected to mark a variable ready only once",),
        regex=r"Expected to mark a variable ready only once",
        samples=(
            Sample("[rank3]: RuntimeError: Expected to mark a variable ready only once. This error is caused by"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=65,
        title="DDP: a parameter was reduced twice",
        advice=(
            Advice(
                "training",
                "use_reentrant=False for checkpointed blocks, or static_graph=True: a parameter was used twice "
                "in one backward pass",
            ),
        ),
    ),
    Pattern(
        name="ddp.model_differs",
        anchors=("DDP expects same model across all ranks", "appears not to match"),
        regex=r"DDP expects same model across all ranks, but Rank (?P<rank>\d+) has (?P<params>\d+) params, while rank "
        r"(?P<other>\d+) has inconsistent (?P<other_params>[1-9]\d*) params"
        r"|\[(?P<process>\d+)\]: params\[\d+\] in this process with (?:sizes|strides) .{1,120} appears not to match",
        samples=(
            Sample(
                "[rank1]: RuntimeError: DDP expects same model across all ranks, but Rank 1 has 12 params, while rank "
                "0 has inconsistent 10 params.",
                {"rank": "1", "params": "12", "other": "0", "other_params": "10"},
            ),
            Sample(
                "RuntimeError: [1]: params[0] in this process with sizes [8, 8] appears not to match sizes of the same "
                "param in process 0.",
                {"process": "1"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.COLLECTIVE_MISMATCH,
        weight=80,
        title="DDP: the ranks built different models",
        advice=(
            Advice(
                "training",
                "build the same model on every rank: same configuration, seed and branch before DDP; {params} "
                "parameters here, {other_params} on rank {other}",
            ),
        ),
    ),
    Pattern(
        name="ddp.model_unread",
        anchors=("has inconsistent 0 params",),
        regex=r"DDP expects same model across all ranks, but Rank (?P<rank>\d+) .{0,80}? has inconsistent 0 params",
        samples=(
            Sample(
                "[rank2]: RuntimeError: DDP expects same model across all ranks, but Rank 2 has 51 params, while rank 0 "
                "has inconsistent 0 params.",
                {"rank": "2"},
            ),
        ),
        role=Role.SYMPTOM,
        title="DDP: the comparison of models never finished",
        note="0 is what an aborted all-gather leaves behind: a victim's line.",
    ),
    Pattern(
        name="nan.check",
        anchors=("checkForNaN: block: [",),
        regex=r"checkForNaN: block: \[(?:(?P<block>[\d,]+)\], thread: \[(?P<thread>[\d,]+)\] Assertion)?",
        samples=(
            Sample(
                "/opt/build/torch/csrc/distributed/c10d/NanCheck.cu:180: checkForNaN: block: [0,0,0], thread: [12,0,0] "
                "Assertion `!isnan(tailPtr[threadIdx.x])` failed.",
                {"block": "0,0,0", "thread": "12,0,0"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.LASTS,),
        cls=FailureClass.SOFTWARE,
        weight=75,
        bulk=True,
        title="NaN in this rank's input to a collective",
        note="TORCH_NCCL_NAN_CHECK, 2.4 and 2.12 on; between, a device trap without text.",
        advice=(
            Advice(
                "training",
                "look at this rank's own loss and data of that step: its tensor held the NaN before the collective",
            ),
        ),
    ),
)

FORMAT = LineFormat(
    name="collective_checks",
    title="PyTorch checks of collectives and models",
    reference="pytorch ProcessGroupWrapper.cpp, ProcessGroupGloo.cpp, reducer.cpp, NanCheck.cu",
    patterns=FINGERPRINTS + BARRIER + MODEL,
    programs=(Program(Kind.LIBRARY, ("ddp", "collective"), traits=(Trait.TOGETHER,)),),
)
