"""Hugging Face Trainer, Accelerate, LLaMA-Factory and ms-swift: plan, loss lines, ranks, resume."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import Kind, Landmark, LineFormat, Mark, Pattern, Program, Role, Sample, Trait

_LOSS = "{'loss': 1.5712, 'grad_norm': 0.5712, 'learning_rate': 2.5712e-05, 'epoch': 1.57}"
_NUMBER = r"'?(?P<{}>-?(?:[\d.]+(?:e[+-]\d+)?|nan|inf))'?"

TRAINER = (
    Pattern(
        name="huggingface.loss",
        anchors=("{'loss': ",),
        regex=r"^(?!.*(?:(?:it|/s)\]\s*\{'loss': |max_steps)).*?\{'loss': "
        + _NUMBER.format("loss")
        + r"(?:.*?'grad_norm': "
        + _NUMBER.format("grad_norm")
        + ")?"
        r"(?:.*?'epoch': " + _NUMBER.format("epoch") + ")?",
        samples=(
            Sample(_LOSS, {"loss": "1.5712", "grad_norm": "0.5712", "epoch": "1.57"}),
            Sample(
                "{'loss': '1.571', 'grad_norm': '0.5712', 'learning_rate': '2.571e-05', 'epoch': '1.57'}",
                {"loss": "1.571", "epoch": "1.57"},
            ),
        ),
        role=Role.INFO,
        marks=(Mark.UNNUMBERED_STEP,),
        note="Main process only; release 4 prints numbers, release 5 strings. No step number inside.",
    ),
    Pattern(
        name="huggingface.step",
        anchors=(" {'loss': ",),
        regex=r"\| (?P<step>\d+)/\d+ \[[\d:]+<[\d:?]+, {1,8}(?:(?P<s>[\d.]+)s/it)?[^\]]*\]\s*\{'loss': ",
        samples=(
            Sample(
                " 57%|#####7    | 57/100 [03:10<02:23,  3.33s/it]                       " + _LOSS,
                {"step": "57", "s": "3.33"},
            ),
        ),
        role=Role.INFO,
        numeric=("step", "s"),
        note="The bar that stands before the dict has the step; its rate is smoothed.",
    ),
    Pattern(
        name="huggingface.eval",
        anchors=("{'eval_loss': ", "'eval_runtime': "),
        regex=r"\{'eval_loss': " + _NUMBER.format("eval_loss") + r"(?:.*?'eval_runtime': '?(?P<seconds>[\d.]+))?",
        samples=(
            Sample(
                "{'eval_loss': 1.91, 'eval_runtime': 12.3, 'eval_samples_per_second': 8.1, 'epoch': 1.0}",
                {"eval_loss": "1.91", "seconds": "12.3"},
            ),
        ),
        role=Role.INFO,
        marks=(Mark.LENGTHENS_STEP,),
    ),
    Pattern(
        name="huggingface.banner",
        anchors=("***** Running training *****",),
        regex=r"\*{5} Running training \*{5}",
        samples=(Sample("[INFO|trainer.py:2414] 2026-01-02 03:04:05,678 >> ***** Running training *****"),),
        role=Role.INFO,
        marks=(Mark.STARTS,),
        title="training begins",
    ),
    Pattern(
        name="huggingface.plan",
        anchors=(
            "Total optimization steps = ",
            "Total train batch size (w. parallel",
            "Instantaneous batch size per device = ",
            "Gradient Accumulation steps = ",
        ),
        regex=r"Total optimization steps = (?P<total_steps>[\d,]+)|Total train batch size \(w\. parallel, distributed & accumulation\) = "
        r"(?P<total_batch>[\d,]+)|Instantaneous batch size per device = (?P<device_batch>[\d,]+)|Gradient Accumulation steps = (?P<accumulation>\d+)",
        samples=(
            Sample("  Total optimization steps = 1,740", {"total_steps": "1,740"}),
            Sample(
                "  Total train batch size (w. parallel, distributed & accumulation) = 64",
                {"total_batch": "64"},
            ),
            Sample("  Instantaneous batch size per device = 8", {"device_batch": "8"}),
            Sample("  Gradient Accumulation steps = 1", {"accumulation": "1"}),
        ),
        role=Role.INFO,
        note="World size = total batch / (device batch × accumulation).",
    ),
    Pattern(
        name="huggingface.resumed",
        anchors=("Continuing training from global step ", "Resuming training from checkpoint with epoch "),
        regex=r"(?:Continuing training from|Resuming training from checkpoint with epoch \d+ and) (?P<resumed_from>global step \d+)",
        samples=(
            Sample("  Continuing training from global step 500", {"resumed_from": "global step 500"}),
            Sample(
                "  Resuming training from checkpoint with epoch 1 and global step 500",
                {"resumed_from": "global step 500"},
            ),
        ),
        role=Role.INFO,
        landmark=Landmark.RESUMED,
        title="resumed from a checkpoint",
    ),
    Pattern(
        name="huggingface.skipping",
        anchors=("will skip to saved global_step", "Fast-forwarding the dataloader past ", "  Will skip the first "),
        regex=r"will skip to saved global_step|Fast-forwarding the dataloader past|Will skip the first \d+ epochs",
        samples=(Sample("  Fast-forwarding the dataloader past 57 batches in the first epoch."),),
        role=Role.INFO,
        title="skips data that were seen before the checkpoint",
        note="A long silence here is not a hang.",
    ),
)

ACCELERATE = (
    Pattern(
        name="accelerate.environment",
        anchors=("Distributed environment: ",),
        regex=r"Distributed environment: (?P<kind>\w+)(?: +Backend: (?P<backend>\w+))?",
        samples=(
            Sample("Distributed environment: MULTI_GPU  Backend: nccl", {"kind": "MULTI_GPU", "backend": "nccl"}),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="accelerate.world",
        anchors=("Num processes: ",),
        regex=r"\bNum processes: (?P<world_size>\d+)",
        samples=(Sample("Num processes: 128", {"world_size": "128"}),),
        role=Role.INFO,
        note="1 on a machine with several GPUs: started without a configuration.",
    ),
    Pattern(
        name="accelerate.rank",
        anchors=("Process index: ",),
        regex=r"(?<!Local p)(?<!Local P)\b[Pp]rocess index: (?P<rank>\d+)",
        samples=(Sample("Process index: 57", {"rank": "57"}),),
        role=Role.INFO,
        marks=(Mark.STARTS, Mark.NAMES_SELF),
    ),
    Pattern(
        name="accelerate.one_process",
        anchors=("`--num_processes` was set to a value of `1`",),
        regex=r"`--num_processes` was set to a value of `1`",
        samples=(Sample("\t`--num_processes` was set to a value of `1`"),),
        role=Role.STATE,
        marks=(Mark.HAMPERS,),
        title="Accelerate starts one process only",
        note="What it does where nobody says how many; a run on one GPU is meant so.",
        advice=(
            Advice(
                "training",
                "where more GPUs were meant, give accelerate launch --num_processes (and --num_machines), or run accelerate "
                "config: by default it starts one process",
            ),
        ),
    ),
    Pattern(
        name="accelerate.defaults",
        anchors=("values were not passed to `accelerate launch`",),
        regex=r"values were not passed to `accelerate launch` and had defaults used instead",
        samples=(Sample("The following values were not passed to `accelerate launch` and had defaults used instead:"),),
        role=Role.NOISE,
    ),
)

FACTORY = (
    Pattern(
        name="llamafactory.rank",
        anchors=("Process rank: ",),
        regex=r"Process rank: (?P<rank>\d+), world size: (?P<world_size>\d+), device: (?P<device>[\w:]+)",
        samples=(
            Sample(
                "2026-01-02 03:04:05 - INFO - Process rank: 57, world size: 128, device: "
                "cuda:1, distributed training: True, compute dtype: torch.bfloat16",
                {"rank": "57", "world_size": "128", "device": "cuda:1"},
            ),
        ),
        role=Role.INFO,
        marks=(Mark.STARTS, Mark.NAMES_SELF),
    ),
    Pattern(
        name="llamafactory.tasks",
        anchors=(" distributed tasks at: ",),
        regex=r"Initializing (?P<world_size>\d+) distributed tasks at: (?P<address>\S+)",
        samples=(
            Sample(
                "Initializing 8 distributed tasks at: 10.0.0.7:29500",
                {"world_size": "8", "address": "10.0.0.7:29500"},
            ),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="llamafactory.nodes",
        anchors=("Multi-node training enabled: num nodes: ",),
        regex=r"Multi-node training enabled: num nodes: (?P<nodes>\d+), node rank: (?P<node_rank>\d+)",
        samples=(
            Sample("Multi-node training enabled: num nodes: 16, node rank: 7", {"nodes": "16", "node_rank": "7"}),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="llamafactory.step",
        anchors=('"current_steps": ',),
        regex=r'"current_steps": (?P<step>\d+), "total_steps": \d+',
        samples=(
            Sample(
                '{"current_steps": 57, "total_steps": 3257, "loss": 4.5712, "lr": 1.2e-08, "epoch": 0.99, "percentage": '
                '1.76, "elapsed_time": "0:05:13", "remaining_time": "4:50:25"}',
                {"step": "57"},
            ),
        ),
        role=Role.INFO,
        numeric=("step", ""),
        note="trainer_log.jsonl, main process only.",
    ),
    Pattern(
        name="framework.llamafactory",
        anchors=("] llamafactory.", "llamafactory/launcher.py", "llamafactory-cli"),
        regex=r"\] llamafactory\.|llamafactory/launcher\.py|llamafactory-cli",
        samples=(Sample("[INFO|2026-01-02 03:04:05] llamafactory.train.tuner:123 >> msg"),),
        role=Role.INFO,
        program="llamafactory",
        bulk=True,
    ),
    Pattern(
        name="framework.swift",
        anchors=("swift/cli/", "[INFO:swift]", "[WARNING:swift]"),
        regex=r"swift/cli/\w+\.py|\[(?:INFO|WARNING):swift\]",
        samples=(Sample("[INFO:swift] Loading the model using model_dir: /models/base"),),
        role=Role.INFO,
        program="swift",
        bulk=True,
    ),
    Pattern(
        name="swift.step",
        anchors=("'global_step/max_steps': ",),
        regex=r"'global_step/max_steps': '(?P<step>\d+)/\d+'",
        samples=(
            Sample(
                "{'loss': '2.571', 'grad_norm': '2.57', 'epoch': '0.0057', 'global_step/max_steps': '57/300', "
                "'elapsed_time': '25s', 'train_speed(s/it)': '25.71'}",
                {"step": "57"},
            ),
        ),
        role=Role.INFO,
        numeric=("step", ""),
        note="train_speed is the mean since the start, not the time of this step.",
    ),
)

FORMAT = LineFormat(
    name="huggingface",
    title="Hugging Face Trainer, Accelerate, LLaMA-Factory, ms-swift",
    reference="huggingface/transformers trainer.py 4 and 5, accelerate state.py, LLaMA-Factory extras/logging.py",
    patterns=TRAINER + ACCELERATE + FACTORY,
    programs=(
        Program(Kind.FRAMEWORK, ("llamafactory",), "LLaMA-Factory", outer=95),
        Program(Kind.FRAMEWORK, ("swift",), "ms-swift", outer=90),
        Program(Kind.FRAMEWORK, ("huggingface",), "Hugging Face Trainer", outer=25, traits=(Trait.AT_WORK,)),
        Program(Kind.FRAMEWORK, ("accelerate",), "Accelerate", outer=20),
        Program(Kind.LAUNCHER, ("accelerate",), "accelerate", outer=70, traits=(Trait.TOGETHER,)),
    ),
)
