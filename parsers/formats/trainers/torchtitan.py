"""torchtitan: step lines, mesh, memory pressure. ANSI colours may stand between the fields."""

from __future__ import annotations

from logtui.parsers.pattern import Kind, Landmark, LineFormat, Mark, Pattern, Program, Role, Sample

_HEAD = "[rank0]:[titan] 2026-01-02 03:04:05,678 - root - INFO - "
_WARN = "[titan] 2026-01-02 03:04:05,678 - root - WARNING - "

FORMAT = LineFormat(
    name="torchtitan",
    title="torchtitan",
    reference="pytorch/torchtitan torchtitan/components/metrics.py and train.py, 0.1 to 0.2",
    patterns=(
        Pattern(
            name="torchtitan.step",
            anchors=("tflops: ", "  wps: "),
            regex=r"\bstep: +(?P<step>\d+) +loss: .{0,160}?(?:tps|wps): +[\d,]+",
            samples=(
                Sample(
                    _HEAD + "step: 57  loss:  5.7123  grad_norm:  0.5712  memory: 57.12GiB(71.57%)  tps: 5,712  "
                    "tflops: 357.12  mfu: 35.71%",
                    {"step": "57"},
                ),
                Sample(
                    "2026-01-02 03:04:05,678 - root - INFO - step: 10  loss: 10.9  memory: 9.9GiB(10%)  wps: 100  mfu: 3%",
                    {"step": "10"},
                ),
            ),
            role=Role.INFO,
            numeric=("step", ""),
            note="Every rank prints it where torchrun tees all. tps is per device: tokens per step / tps = step time.",
        ),
        Pattern(
            name="torchtitan.version",
            anchors=("torchtitan version: ",),
            regex=r"torchtitan version: (?P<framework_version>[\w.+-]+)",
            samples=(
                Sample(_HEAD + "torchtitan version: 0.2.0 (0.2.0 means not installed)", {"framework_version": "0.2.0"}),
            ),
            role=Role.INFO,
            marks=(Mark.STARTS,),
        ),
        Pattern(
            name="torchtitan.mesh",
            anchors=("Building device mesh with parallelism: ",),
            regex=r"Building device mesh with parallelism: (?P<layout>(?:\w+=\d+,? ?)+)",
            samples=(
                Sample(
                    _HEAD
                    + "Building device mesh with parallelism: pp=2, dp_replicate=1, dp_shard=16, cp=1, tp=4, ep=1, etp=1",
                    {"layout": "pp=2, dp_replicate=1, dp_shard=16, cp=1, tp=4, ep=1, etp=1"},
                ),
            ),
            role=Role.INFO,
        ),
        Pattern(
            name="torchtitan.peak_flops",
            anchors=("Peak FLOPS used for computing MFU: ",),
            regex=r"Peak FLOPS used for computing MFU: (?P<flops>[\d.e+]+)",
            samples=(Sample(_HEAD + "Peak FLOPS used for computing MFU: 9.890e+14", {"flops": "9.890e+14"}),),
            role=Role.INFO,
            note="9.89e14 is an H100-class GPU in bf16.",
        ),
        Pattern(
            name="torchtitan.start",
            anchors=("Training starts at step ",),
            regex=r"Training starts at step (?P<first_step>\d+)",
            samples=(Sample(_HEAD + "Training starts at step 1, with local batch size 8", {"first_step": "1"}),),
            role=Role.INFO,
            marks=(Mark.STARTS,),
            title="training begins",
        ),
        Pattern(
            name="torchtitan.resumed",
            anchors=("Loading the checkpoint from ",),
            regex=r"Loading the checkpoint from (?P<resumed_from>\S+?)\.?(?:\s|$)",
            samples=(
                Sample(
                    _HEAD + "Loading the checkpoint from outputs/checkpoint/step-500.",
                    {"resumed_from": "outputs/checkpoint/step-500"},
                ),
            ),
            role=Role.INFO,
            landmark=Landmark.RESUMED,
            title="resumed from a checkpoint",
        ),
        Pattern(
            name="torchtitan.left",
            anchors=("Process group destroyed",),
            regex=r" - INFO - Process group destroyed\.?\s*$",
            samples=(Sample(_HEAD + "Process group destroyed"),),
            role=Role.END,
            title="torchtitan took its process group down",
            note="Behind the try of its main: not after an exception.",
        ),
        Pattern(
            name="torchtitan.garbage_collection",
            anchors=("[GC] Pe", "[GC] Initial", " GC collection"),
            regex=r"\[GC\] (?P<reason>.{1,200}?) (?:took )?(?P<seconds>\d+\.\d+) seconds",
            samples=(
                Sample(
                    _HEAD + "[GC] Peforming periodical GC collection took 0.06 seconds",
                    {"reason": "Peforming periodical GC collection", "seconds": "0.06"},
                ),
            ),
            role=Role.INFO,
            marks=(Mark.LENGTHENS_STEP,),
            bulk=True,
            note="The misspelling is in the source. Explains a periodic slow step.",
        ),
        Pattern(
            name="torchtitan.memory_pressure",
            anchors=(" CUDA memory allocation retries.", " CUDA OOM errors thrown."),
            regex=r"(?<!\d)(?P<count>\d+) CUDA (?:memory allocation retries|OOM errors thrown)",
            samples=(
                Sample(_WARN + "7 CUDA memory allocation retries.", {"count": "7"}),
                Sample(_WARN + "1 CUDA OOM errors thrown.", {"count": "1"}),
            ),
            role=Role.STATE,
            bulk=True,
            title="GPU memory runs short",
        ),
    ),
    programs=(Program(Kind.FRAMEWORK, ("torchtitan",), "torchtitan", outer=50),),
)
