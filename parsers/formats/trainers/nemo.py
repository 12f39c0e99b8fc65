"""NVIDIA NeMo 1 and 2: progress lines, rank groups, resume, graceful stops."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, Kind, Landmark, LineFormat, Mark, Pattern, Program, Role, Sample

PROGRESS = (
    Pattern(
        name="nemo.iteration",
        anchors=("train_step_timing in s: ",),
        regex=r"Training epoch \d+, iteration (?P<step>\d+)/\d+ .{0,400}?train_step_timing in s: (?P<s>[\d.]+(?:e[+-]\d+)?)",
        samples=(
            Sample(
                "Training epoch 0, iteration 57/999 | lr: 1.571e-07 | global_batch_size: 512 | global_step: 57 | "
                "reduced_train_loss: 11.57 | train_step_timing in s: 10.57 | consumed_samples: 29184",
                {"step": "57", "s": "10.57"},
            ),
        ),
        role=Role.INFO,
        numeric=("step", "s"),
        note="Rank 0 only, without a time of its own; the timing is rank 0's.",
    ),
    Pattern(
        name="nemo.validation",
        anchors=("Validation: iteration ",),
        regex=r"Validation: iteration (?P<iteration>\d+)/(?P<total>\d+)",
        samples=(Sample("Validation: iteration 3/16", {"iteration": "3", "total": "16"}),),
        role=Role.INFO,
        marks=(Mark.LENGTHENS_STEP,),
        bulk=True,
    ),
    Pattern(
        name="nemo.garbage_collection",
        anchors=("Running garbage collection at train global_step: ",),
        regex=r"Running garbage collection at train global_step: (?P<step>\d+)",
        samples=(Sample("Running garbage collection at train global_step: 100", {"step": "100"}),),
        role=Role.INFO,
        marks=(Mark.LENGTHENS_STEP,),
        bulk=True,
        note="Deliberate and the same step on all ranks: explains a periodic slow step.",
    ),
)

LAYOUT = (
    Pattern(
        name="nemo.group",
        anchors=("parallel group: [", "parallel group : ["),
        regex=r"Rank (?P<rank>\d+) has (?P<kind>data|context|tensor model|pipeline model|model|embedding) ?parallel group ?: (?P<ranks>\[[\d, ]*\])",
        samples=(
            Sample(
                "[NeMo I 2026-01-02 03:04:05 megatron_init:310] Rank 57 has data parallel group : [1, 57]",
                {"rank": "57", "kind": "data", "ranks": "[1, 57]"},
            ),
            Sample(
                "[NeMo I 2026-01-02 03:04:05 megatron_init:325] Rank 57 has tensor model parallel group: [56, 57]",
                {"rank": "57", "kind": "tensor model", "ranks": "[56, 57]"},
            ),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="nemo.coordinate",
        anchors=("parallel rank: ", "has pipeline model parallel rank "),
        regex=r"Ranks? (?P<rank>\d+) has (?P<kind>data|context|tensor model|pipeline model) parallel rank:? (?P<coordinate>\d+)",
        samples=(
            Sample(
                "[NeMo I 2026-01-02 03:04:05 megatron_init:330] Rank 57 has pipeline model parallel rank 3",
                {"rank": "57", "kind": "pipeline model", "coordinate": "3"},
            ),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="nemo.banner",
        anchors=("Experiments will be logged at ", "nemo_log_globalrank-"),
        regex=r"Experiments will be logged at (?P<directory>\S+)|nemo_log_globalrank-\d+",
        samples=(
            Sample(
                "[NeMo I 2026-01-02 03:04:05 exp_manager:396] Experiments will be logged at /results/run7/2026-01-02",
                {},
            ),
        ),
        role=Role.INFO,
        bulk=True,
    ),
    Pattern(
        name="nemo.version",
        anchors=("nemo_version: ",),
        regex=r"\bnemo_version: (?P<framework_version>\d[\w.+]*)",
        samples=(Sample("nemo_version: 2.3.0", {"framework_version": "2.3.0"}),),
        role=Role.INFO,
        marks=(Mark.STARTS,),
    ),
    Pattern(
        name="nemo.resumed",
        anchors=("Resuming training from checkpoint: ",),
        regex=r"Resuming training from checkpoint: (?P<resumed_from>\S+)",
        samples=(
            Sample(
                "[NeMo I 2026-01-02 03:04:05 exp_manager:500] Resuming training from checkpoint: /results/run7/step=400-last",
                {"resumed_from": "/results/run7/step=400-last"},
            ),
        ),
        role=Role.INFO,
        landmark=Landmark.RESUMED,
        title="resumed from a checkpoint",
    ),
    Pattern(
        name="nemo.from_scratch",
        anchors=("There were no checkpoints found in checkpoint_dir",),
        regex=r"There were no checkpoints found in checkpoint_dir or no checkpoint folder at checkpoint_dir ?: ?(?P<path>\S+?)\. Training from scratch",
        samples=(
            Sample(
                "[NeMo W 2026-01-02 03:04:05 exp_manager:568] There were no checkpoints found in checkpoint_dir or no "
                "checkpoint folder at checkpoint_dir :/results/run7. Training from scratch.",
                {"path": "/results/run7"},
            ),
        ),
        role=Role.STATE,
        title="starts from scratch",
    ),
    Pattern(
        name="nemo.unfinished_checkpoint",
        anchors=("Last checkpoint is unfinished and cannot be used",),
        regex=r"Last checkpoint is unfinished and cannot be used to resume the training",
        samples=(
            Sample(
                "[NeMo W 2026-01-02 03:04:05 exp_manager:573] Last checkpoint is unfinished and cannot be used to "
                "resume the training. Please remove the checkpoint manually to avoid unexpected cosequences."
            ),
        ),
        role=Role.STATE,
        title="the last checkpoint is unfinished",
    ),
)

STOPS = (
    Pattern(
        name="nemo.preempted",
        anchors=("Preemption detected, saving checkpoint and exiting",),
        regex=r"Preemption detected, saving checkpoint and exiting",
        samples=(
            Sample("[NeMo I 2026-01-02 03:04:05 preemption:77] Preemption detected, saving checkpoint and exiting"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=55,
        title="asked from outside to stop; saves and exits",
    ),
    Pattern(
        name="nemo.signal",
        anchors=(", initiating graceful stop", "Received SIGTERM, saving checkpoint and exiting"),
        regex=r"Received (?:signal (?P<signal>\w+), initiating graceful stop|SIGTERM, saving checkpoint and exiting)",
        samples=(
            Sample("Received signal 15, initiating graceful stop", {"signal": "15"}),
            Sample("[NeMo I 2026-01-02 03:04:05 nemo_model:9] Received SIGTERM, saving checkpoint and exiting", {}),
        ),
        role=Role.SYMPTOM,
        title="received a signal, stops gracefully",
    ),
)

FORMAT = LineFormat(
    name="nemo",
    title="NVIDIA NeMo",
    reference="NVIDIA/NeMo nemo/utils/exp_manager.py and nemo/lightning/pytorch/callbacks, 1.x and 2.x",
    patterns=PROGRESS + LAYOUT + STOPS,
    programs=(Program(Kind.FRAMEWORK, ("nemo",), "NeMo", outer=80),),
)
