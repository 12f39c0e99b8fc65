"""Megatron-LM and the trainers derived from it: iteration lines, layout, phases, the straggler detector."""

from __future__ import annotations

from logtui.parsers.pattern import Kind, Landmark, LineFormat, Mark, Pattern, Program, Role, Sample, Trait

_ITERATION = (
    " [2026-01-02 03:04:05.678901] iteration       57/    1000 | consumed samples:        14592 | elapsed time per "
    "iteration (ms): 5712.3 | throughput per GPU (TFLOP/s/GPU): 257.1 | learning rate: 5.700000E-06 | global batch "
    "size:   256 | lm loss: 1.857123E+00 | loss scale: 1.0 | grad norm: 1.571 | number of skipped iterations:   0 | "
    "number of nan iterations:   0 |"
)

PROGRESS = (
    Pattern(
        name="megatron.iteration",
        anchors=("elapsed time per iteration (ms): ",),
        regex=r"iteration +(?P<step>\d+)/ *\d+ \|.{0,400}?elapsed time per iteration \(ms\): (?P<ms>[\d.]+)",
        samples=(
            Sample(_ITERATION, {"step": "57", "ms": "5712.3"}),
            Sample(
                " samples/sec: 7.571 | iteration       35/   15700 | elapsed time per iteration (ms): 4057.1 | "
                "learning rate: 2.571E-06 | lm_loss: 1.157123E+01 |",
                {"step": "35", "ms": "4057.1"},
            ),
        ),
        role=Role.INFO,
        numeric=("step", "ms"),
        note="Last rank only; the mean of the log interval over all ranks, so it never names one.",
    ),
    Pattern(
        name="megatron.iteration_seconds",
        anchors=("elapsed time per iteration (s): ",),
        regex=r"iteration +(?P<step>\d+)/ *\d+ \|.{0,400}?elapsed time per iteration \(s\): (?P<s>[\d.]+)",
        samples=(
            Sample(
                " iteration       57/  157000 | consumed samples:        58368 | elapsed time per iteration (s): 35.71 | learning "
                "rate: 5.712E-08 | global batch size:  1024 | lm loss: 5.712345E+01 | samples per second: 28.671 | TFLOPs: 41.57 |",
                {"step": "57", "s": "35.71"},
            ),
        ),
        role=Role.INFO,
        numeric=("step", "s"),
        note="BigScience's Megatron-DeepSpeed.",
    ),
    Pattern(
        name="megatron.validation",
        anchors=("loss at iteration ",),
        regex=r"validation\S* loss at iteration (?P<iteration>\d+)",
        samples=(
            Sample(
                " validation loss at iteration 500 | lm loss value: 2.104312E+00 | lm loss PPL: 8.20E+00 | ",
                {"iteration": "500"},
            ),
        ),
        role=Role.INFO,
        marks=(Mark.LENGTHENS_STEP,),
        title="validation",
        note="The gap before the next iteration line is evaluation, not a slow step.",
    ),
    Pattern(
        name="megatron.timer",
        anchors=("forward-backward ....", "batch-generator ....", "forward-compute ....", "optimizer-inner-step ...."),
        regex=r"(?<![a-z-])(?P<timer>[a-z-]+) \.{4,}: \((?P<min_ms>[\d.]+), (?P<max_ms>[\d.]+)\)",
        samples=(
            Sample(
                "    batch-generator ................................: (3.21, 912.40)",
                {"timer": "batch-generator", "min_ms": "3.21", "max_ms": "912.40"},
            ),
        ),
        role=Role.STATE,
        bulk=True,
        note="Minimum and maximum over ranks: far apart means a straggler, without its number.",
    ),
    Pattern(
        name="megatron.rank_timer",
        anchors=("     rank ",),
        regex=r"^(?:.*\]:|[ \d]*: ?)? {4,}rank +(?P<timed_rank>\d+): (?P<ms>[\d.]+)\s*$",
        samples=(Sample("     rank 57: 912.40", {"timed_rank": "57", "ms": "912.40"}),),
        role=Role.STATE,
        bulk=True,
        note="Below `times across ranks (ms):` and the timer's name: the one far above the others is the straggler.",
    ),
    Pattern(
        name="megatron.straggler_report",
        anchors=("| MnRtt/Rnk: ", "MxDRtt/Rnk: ", "MnClk/Rnk: "),
        regex=r"MnClk/Rnk: (?P<min_clock_mhz>[\d.]+)MHz/(?P<min_clock_rank>\d+)(?:.*?MxDRtt/Rnk: (?P<max_data_ms>[\d.]+)ms/(?P<max_data_rank>\d+))?",
        samples=(
            Sample(
                "(20) | MnRtt/Rnk: 3457.10ms/8 | MxRtt/Rnk: 3471.20ms/0 | MnClk/Rnk: 1857MHz/57 | MxClk/Rnk: "
                "1980MHz/0 | MnDRtt/Rnk: 15.71ms/23 | MxDRtt/Rnk: 57.12ms/3 | MnEtpt/Rnk: 257.02TF/0",
                {"min_clock_mhz": "1857", "min_clock_rank": "57", "max_data_ms": "57.12", "max_data_rank": "3"},
            ),
        ),
        role=Role.STATE,
        title="straggler report",
        note="Low clock: a throttled GPU. High data time: slow reading on that rank.",
    ),
    Pattern(
        name="megatron.memory",
        anchors=("iterations) memory (MB) | allocated: ",),
        regex=r"\[Rank (?P<rank>\d+)\] \(after \d+ iterations\) memory \(MB\) \| allocated: (?P<allocated_mb>[\d.]+) \| max allocated: (?P<max_allocated_mb>[\d.]+)",
        samples=(
            Sample(
                "[Rank 57] (after 10 iterations) memory (MB) | allocated: 30111.5 | max allocated: 61222.25 | reserved: "
                "63000.0 | max reserved: 63000.0",
                {"rank": "57", "allocated_mb": "30111.5", "max_allocated_mb": "61222.25"},
            ),
        ),
        role=Role.INFO,
    ),
)

LAYOUT = (
    Pattern(
        name="megatron.world",
        anchors=("using world size: ",),
        regex=r"using world size: (?P<world_size>\d+)(?:, data-parallel[- ]size: (?P<dp>\d+))?(?:.*?context-parallel size: (?P<cp>\d+))?"
        r"(?:.*?tensor-model-parallel size: (?P<tp>\d+))?(?:.*?pipeline-model-parallel size: (?P<pp>\d+))?",
        samples=(
            Sample(
                "using world size: 128, data-parallel size: 8, context-parallel size: 2, hierarchical context-parallel "
                "sizes: None, tensor-model-parallel size: 4, pipeline-model-parallel size: 2",
                {"world_size": "128", "dp": "8", "cp": "2", "tp": "4", "pp": "2"},
            ),
            Sample(
                "using world size: 64, data-parallel size: 4, context-parallel size: 1 tensor-model-parallel size: 8, "
                "pipeline-model-parallel size: 2 ",
                {"world_size": "64", "dp": "4", "cp": "1", "tp": "8", "pp": "2"},
            ),
            Sample(
                "using world size: 32, data-parallel-size: 8, tensor-model-parallel size: 4, pipeline-model-parallel size: 1 ",
                {"world_size": "32", "dp": "8", "tp": "4", "pp": "1"},
            ),
        ),
        role=Role.INFO,
        marks=(Mark.STARTS,),
        title="world size and parallel layout",
    ),
    Pattern(
        name="megatron.argument",
        anchors=(
            "  world_size ....",
            "  tensor_model_parallel_size ....",
            "  pipeline_model_parallel_size ....",
            "  context_parallel_size ....",
            "  expert_model_parallel_size ....",
            "  train_iters ....",
            "  global_batch_size ....",
            "  micro_batch_size ....",
            "  save_interval ....",
            "  eval_interval ....",
            "  log_interval ....",
            "  distributed_timeout_minutes ....",
        ),
        regex=r"^(?!.*\[config\.py)(?:.*?(?:^|\s))(?:world_size \.{4,} (?P<world_size>\d+)|tensor_model_parallel_size \.{4,} (?P<tp>\d+)"
        r"|pipeline_model_parallel_size \.{4,} (?P<pp>\d+)|context_parallel_size \.{4,} (?P<cp>\d+)"
        r"|(?P<name>[a-z_]+) \.{4,} (?P<value>\S+))",
        samples=(
            Sample("  world_size ...................................... 128", {"world_size": "128"}),
            Sample("  tensor_model_parallel_size ...................... 4", {"tp": "4"}),
            Sample(
                "  train_iters ..................................... 50000", {"name": "train_iters", "value": "50000"}
            ),
        ),
        role=Role.INFO,
        note="DeepSpeed's config dump looks alike, and its world_size is the data-parallel one: left out.",
    ),
    Pattern(
        name="megatron.phase",
        anchors=("] datetime: ",),
        regex=r"\[(?P<phase>(?:before|after|exiting)[^\[\]]{3,90})\] datetime: (?P<datetime>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)",
        samples=(
            Sample(
                "[after dataloaders are built] datetime: 2026-01-02 03:04:05.678901 ",
                {"phase": "after dataloaders are built", "datetime": "2026-01-02 03:04:05"},
            ),
        ),
        role=Role.INFO,
        note="A barrier stands before it: the last one printed says which phase hung.",
    ),
    Pattern(
        name="megatron.index_build",
        anchors=("> compiling dataset index builder ...", "> building indices for blendable datasets ..."),
        regex=r"> (?P<what>compiling dataset index builder|building indices for blendable datasets) \.\.\.",
        samples=(Sample("> compiling dataset index builder ...", {"what": "compiling dataset index builder"}),),
        role=Role.INFO,
        note="Nothing after it: rank 0 builds while the others wait.",
    ),
    Pattern(
        name="megatron.loaded",
        anchors=("successfully loaded checkpoint from ",),
        regex=r"successfully loaded checkpoint from (?P<resumed_from>\S{1,1024}).{0,200}? at iteration (?P<iteration>\d+)",
        samples=(
            Sample(
                "  successfully loaded checkpoint from /ckpt/run7 [ t 1/8, p 1/4 ] at iteration 500",
                {"resumed_from": "/ckpt/run7", "iteration": "500"},
            ),
        ),
        role=Role.INFO,
        landmark=Landmark.RESUMED,
        title="resumed from a checkpoint",
    ),
    Pattern(
        name="megatron.no_checkpoint",
        anchors=("could not find the metadata file ",),
        regex=r"WARNING: could not find the metadata file (?P<path>\S+)",
        samples=(
            Sample(
                "WARNING: could not find the metadata file /ckpt/run7/latest_checkpointed_iteration.txt",
                {"path": "/ckpt/run7/latest_checkpointed_iteration.txt"},
            ),
        ),
        role=Role.STATE,
        marks=(Mark.NONE_LOADED,),
        title="starts from random weights",
        note="Normal on a first start; on a restart the resume did not happen.",
    ),
    Pattern(
        name="megatron.banner",
        anchors=("-- arguments ----", "> initializing torch distributed ..."),
        regex=r"-{8,} arguments -{8,}|> initializing torch distributed \.\.\.",
        samples=(
            Sample("------------------------ arguments ------------------------"),
            Sample("> initializing torch distributed ..."),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="framework.megatron_deepspeed",
        anchors=("Megatron-DeepSpeed/", "| approx flops per GPU: ", "| consumed tokens: "),
        regex=r"Megatron-DeepSpeed/|\| approx flops per GPU: |\| consumed tokens: ",
        samples=(
            Sample('  File "/opt/Megatron-DeepSpeed/pretrain_gpt.py", line 7, in <module>'),
            Sample(" iteration       57/    5700 | consumed samples:          912 | consumed tokens:      1867776 |"),
        ),
        role=Role.INFO,
        program="megatron_deepspeed",
        bulk=True,
    ),
)

FORMAT = LineFormat(
    name="megatron",
    title="Megatron-LM, Megatron-Core trainers, Megatron-DeepSpeed",
    reference="NVIDIA/Megatron-LM megatron/training/training.py and arguments.py, v1.0 to core 0.16",
    patterns=PROGRESS + LAYOUT,
    programs=(
        Program(Kind.FRAMEWORK, ("megatron_deepspeed",), "Megatron-DeepSpeed", outer=70),
        Program(Kind.FRAMEWORK, ("megatron",), "Megatron-LM", outer=60, traits=(Trait.TOGETHER,)),
    ),
)
