"""DeepSpeed: step lines, the host map of its launcher, exits."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Source, Trait

_INFO = "[2026-01-02 03:04:05,678] [INFO] "

PROGRESS = (
    Pattern(
        name="deepspeed.timer",
        anchors=("SamplesPerSec=",),
        regex=r"(?P<step>\d+), (?:RunningAvg)?SamplesPerSec=",
        samples=(
            Sample(
                _INFO + "[timer.py:215:stop] epoch=0/micro_step=34/global_step=57, RunningAvgSamplesPerSec=7.57123, "
                "CurrSamplesPerSec=8.57123, MemAllocated=57.12GB, MaxMemAllocated=65.71GB",
                {"step": "57"},
            ),
            Sample(_INFO + "[timer.py:181:stop] 0/40, SamplesPerSec=85.71", {"step": "40"}),
        ),
        role=Role.INFO,
        numeric=("step", ""),
    ),
    Pattern(
        name="deepspeed.step",
        anchors=(", skipped=",),
        regex=r"\bstep=(?P<step>\d+), skipped=\d+, lr=",
        samples=(
            Sample(
                _INFO + "[logging.py:96:log_dist] [Rank 0] step=57, skipped=7, lr=[0.0001], mom=[(0.9, 0.95)]",
                {"step": "57"},
            ),
        ),
        role=Role.INFO,
        numeric=("step", ""),
    ),
    Pattern(
        name="deepspeed.pipe_step",
        anchors=(" iter time (s): ",),
        regex=r"steps: (?P<step>\d+) loss: +\S+ iter time \(s\): +(?P<s>[\d.]+)",
        samples=(
            Sample(
                "localhost: steps: 57 loss: 12.5712 iter time (s): 125.712 samples/sec: 0.128",
                {"step": "57", "s": "125.712"},
            ),
        ),
        role=Role.INFO,
        numeric=("step", "s"),
    ),
    Pattern(
        name="deepspeed.breakdown",
        anchors=("_microstep: ",),
        regex=r"time \(ms\) \| (?:fwd|forward)_microstep: (?P<forward_ms>[\d.]+)(?:.*?(?:bwd|backward)_allreduce_microstep: (?P<allreduce_ms>[\d.]+))?",
        samples=(
            Sample(
                _INFO
                + "[logging.py:96:log_dist] [Rank 0] time (ms) | fwd_microstep: 657.12 | bwd_microstep: 1257.10 | "
                "bwd_inner_microstep: 801.57 | bwd_allreduce_microstep: 457.05 | step_microstep: 33.10",
                {"forward_ms": "657.12", "allreduce_ms": "457.05"},
            ),
        ),
        role=Role.STATE,
        bulk=True,
        note="A long all-reduce waits for a peer or a slow network.",
    ),
    Pattern(
        name="deepspeed.cache_flush",
        anchors=("pytorch allocator cache flushes since last step",),
        regex=r"(?P<count>\d+) pytorch allocator cache flushes since last step",
        samples=(
            Sample(
                "[2026-01-02 03:04:05,678] [WARNING] [stage3.py:1850:step] 3 pytorch allocator cache flushes since last "
                "step. this happens when there is high memory pressure and is detrimental to performance.",
                {"count": "3"},
            ),
        ),
        role=Role.STATE,
        marks=(Mark.LENGTHENS_STEP,),
        bulk=True,
        title="memory pressure flushes the allocator",
    ),
)

LAUNCH = (
    Pattern(
        name="deepspeed.rank_map",
        anchors=("global_rank_mapping=",),
        regex=r"global_rank_mapping=(?:defaultdict\(<class 'list'>, )?(?P<rank_map>\{.*?\})",
        samples=(
            Sample(
                _INFO + "[launch.py:151:main] global_rank_mapping=defaultdict(<class 'list'>, {'node006': [0, 1], "
                "'node007': [2, 3]})",
                {"rank_map": "{'node006': [0, 1], 'node007': [2, 3]}"},
            ),
        ),
        role=Role.INFO,
        title="hosts and their ranks",
    ),
    Pattern(
        name="deepspeed.world_info",
        anchors=("WORLD INFO DICT: ",),
        regex=r"WORLD INFO DICT: (?P<gpu_map>\{.*\})",
        samples=(
            Sample(
                _INFO + "[launch.py:145:main] WORLD INFO DICT: {'node006': [0, 1], 'node007': [0, 1]}",
                {"gpu_map": "{'node006': [0, 1], 'node007': [0, 1]}"},
            ),
        ),
        role=Role.INFO,
        marks=(Mark.STARTS, Mark.LAUNCHES),
        title="hosts and their GPUs",
    ),
    Pattern(
        name="deepspeed.nodes",
        anchors=(", num_local_procs=",),
        regex=r"nnodes=(?P<nodes>\d+), num_local_procs=(?P<gpus_per_node>\d+), node_rank=(?P<node_rank>\d+)",
        samples=(
            Sample(
                _INFO + "[launch.py:150:main] nnodes=16, num_local_procs=8, node_rank=7",
                {"nodes": "16", "gpus_per_node": "8", "node_rank": "7"},
            ),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="deepspeed.world",
        anchors=("dist_world_size=",),
        regex=r"dist_world_size=(?P<world_size>\d+)",
        samples=(Sample(_INFO + "[launch.py:152:main] dist_world_size=128", {"world_size": "128"}),),
        role=Role.INFO,
    ),
    Pattern(
        name="deepspeed.spawned",
        anchors=(" spawned with command: ",),
        regex=r"process (?P<pid>\d+) spawned with command: (?:.*--local_rank=(?P<local_rank>\d+))?",
        samples=(
            Sample(
                _INFO + "[launch.py:256:main] process 4242 spawned with command: ['/opt/venv/bin/python', '-u', "
                "'train.py', '--local_rank=5', '--deepspeed']",
                {"pid": "4242", "local_rank": "5"},
            ),
        ),
        role=Role.INFO,
        marks=(Mark.LAUNCHES,),
    ),
    Pattern(
        name="deepspeed.mpi",
        anchors=("Discovered MPI settings of world_rank=",),
        regex=r"Discovered MPI settings of world_rank=(?P<rank>\d+), local_rank=(?P<local_rank>\d+), world_size=(?P<world_size>\d+), master_addr=(?P<master>[^,]+)",
        samples=(
            Sample(
                _INFO + "[comm.py:688:mpi_discovery] Discovered MPI settings of world_rank=57, local_rank=1, "
                "world_size=128, master_addr=10.0.0.7, master_port=29500",
                {"rank": "57", "local_rank": "1", "world_size": "128", "master": "10.0.0.7"},
            ),
        ),
        role=Role.INFO,
        marks=(Mark.STARTS, Mark.NAMES_SELF),
    ),
    Pattern(
        name="deepspeed.stage",
        anchors=(" LAYERS=",),
        regex=r"RANK=(?P<rank>\d+) STAGE=(?P<stage>\d+) LAYERS=(?P<layers>\d+)",
        samples=(
            Sample(
                "RANK=57 STAGE=3 LAYERS=6 [18, 24) STAGE_PARAMS=12345 (0.012M) TOTAL_PARAMS=99 (0.099M)",
                {"rank": "57", "stage": "3", "layers": "6"},
            ),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="deepspeed.version",
        anchors=("DeepSpeed info: version=",),
        regex=r"DeepSpeed info: version=(?P<deepspeed_version>[\w.+]+)",
        samples=(
            Sample(
                _INFO
                + "[logging.py:128:log_dist] [Rank 0] DeepSpeed info: version=0.16.3, git-hash=unknown, git-branch=unknown",
                {"deepspeed_version": "0.16.3"},
            ),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="deepspeed.zero",
        anchors=("ZeRO stage ", "zero_optimization_stage ...", "zero_stage ...."),
        regex=r"Creating \S+ ZeRO stage (?P<zero_stage>\d) optimizer",
        samples=(
            Sample(
                _INFO + "[logging.py:128:log_dist] [Rank 0] Creating torch.bfloat16 ZeRO stage 2 optimizer",
                {"zero_stage": "2"},
            ),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="deepspeed.banner",
        anchors=("Setting ds_accelerator to ", "Initializing TorchBackend in DeepSpeed"),
        regex=r"Setting ds_accelerator to \w+|Initializing TorchBackend in DeepSpeed",
        samples=(
            Sample(_INFO + "[real_accelerator.py:219:get_accelerator] Setting ds_accelerator to cuda (auto detect)"),
        ),
        role=Role.INFO,
        bulk=True,
    ),
    Pattern(
        name="deepspeed.no_hostfile",
        anchors=("Unable to find hostfile, will proceed",),
        regex=r"Unable to find hostfile, will proceed with training with local resources only",
        samples=(
            Sample(
                "[2026-01-02 03:04:05,678] [WARNING] [runner.py:212:fetch_hostfile] Unable to find hostfile, will "
                "proceed with training with local resources only."
            ),
        ),
        role=Role.NOISE,
        marks=(Mark.HAMPERS,),
        title="DeepSpeed starts on this node alone: it found no hostfile",
        note="Evidence only where the job was meant for several nodes.",
        advice=(
            Advice(
                "training",
                "where several nodes were meant, give DeepSpeed a hostfile (--hostfile, lines of `worker-1 slots=8`): it found "
                "none and starts on this node alone",
            ),
        ),
    ),
)

ENDS = (
    Pattern(
        name="deepspeed.config_mismatch",
        anchors=("config values that mismatch TrainingArguments",),
        regex=r"Please correct the following DeepSpeed config values that mismatch TrainingArguments values",
        samples=(
            Sample(
                "ValueError: Please correct the following DeepSpeed config values that mismatch TrainingArguments values:"
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=80,
        title="DeepSpeed's config contradicts the trainer's arguments",
        advice=(
            Advice(
                "training",
                'set the values that differ to "auto" in the DeepSpeed configuration, or make both sides agree',
            ),
        ),
    ),
    Pattern(
        name="deepspeed.exit",
        anchors=("exits with return code = ",),
        regex=r"exits with return code = (?P<exitcode>-?\d+)",
        samples=(
            Sample(
                "[2026-01-02 03:04:05,678] [ERROR] [launch.py:322:sigkill_handler] ['/opt/venv/bin/python', '-u', "
                "'train.py', '--local_rank=7'] exits with return code = -9",
                {"exitcode": "-9"},
            ),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.EXIT_CODE, Mark.CHILD_EXIT, Mark.SIGNALLED),
        title="DeepSpeed's launcher saw a worker fail",
        note="The command shown is the last one started, not the one that failed. Negative codes are signals.",
    ),
    Pattern(
        name="launch.kill",
        anchors=("Killing subprocess ",),
        regex=r"Killing subprocess (?P<pid>\d+)",
        samples=(Sample(_INFO + "[launch.py:319:sigkill_handler] Killing subprocess 4242", {"pid": "4242"}),),
        role=Role.SYMPTOM,
        marks=(Mark.ENDS, Mark.STOPS_WORKERS),
        bulk=True,
        title="the launcher kills the surviving workers",
        note="DeepSpeed's, and torch.distributed.launch up to 1.8.",
    ),
    Pattern(
        name="launch.sigterm",
        anchors=("Main process received SIGTERM, exiting",),
        regex=r"Main process received SIGTERM, exiting",
        samples=(Sample(_INFO + "[launch.py:315:sigkill_handler] Main process received SIGTERM, exiting"),),
        role=Role.SYMPTOM,
        marks=(Mark.SIGNALLED,),
        title="the launcher was terminated from outside",
    ),
    Pattern(
        name="launch.sigint",
        anchors=("Main process received SIGINT, exiting",),
        regex=r"Main process received SIGINT, exiting",
        samples=(Sample(_INFO + "[launch.py:328:sigkill_handler] Main process received SIGINT, exiting"),),
        role=Role.CAUSE,
        marks=(Mark.SIGNALLED,),
        cls=FailureClass.INFRASTRUCTURE,
        weight=46,
        title="somebody interrupted the launcher",
        note="Ctrl-C. Anything that failed before it is the cause, and this the end.",
    ),
)

FORMAT = LineFormat(
    name="deepspeed",
    title="DeepSpeed engine and launcher",
    reference="deepspeedai/DeepSpeed launcher/launch.py, runtime/engine.py, utils/timer.py, 0.3 to 0.18",
    patterns=PROGRESS + LAUNCH + ENDS,
    programs=(
        Program(Kind.FRAMEWORK, ("deepspeed",), "DeepSpeed", outer=30),
        Program(
            Kind.LAUNCHER,
            ("deepspeed",),
            "deepspeed",
            outer=80,
            traits=(Trait.PER_NODE, Trait.SEVERAL_PER_TASK, Trait.ONE_OUTPUT, Trait.TOGETHER),
            source=Source.LAUNCHER,
        ),
        Program(
            Kind.AGENT, ("launch",), traits=(Trait.PER_NODE, Trait.SEVERAL_PER_TASK, Trait.ONE_OUTPUT, Trait.TOGETHER)
        ),
    ),
)
