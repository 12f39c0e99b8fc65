"""PyTorch Lightning: who joined the job, bars with a global step, signals and requeues."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, Kind, Landmark, LineFormat, Mark, Pattern, Program, Role, Sample, Trait

START = (
    Pattern(
        name="lightning.member",
        anchors=("GLOBAL_RANK: ",),
        regex=r"nitializing (?:distributed|ddp): GLOBAL_RANK: (?P<rank>\d+), MEMBER: \d+/(?P<world_size>\d+)",
        samples=(
            Sample(
                "Initializing distributed: GLOBAL_RANK: 57, MEMBER: 58/128",
                {"rank": "57", "world_size": "128"},
            ),
            Sample("initializing ddp: GLOBAL_RANK: 1, MEMBER: 2/2", {"rank": "1", "world_size": "2"}),
        ),
        role=Role.INFO,
        marks=(Mark.STARTS, Mark.NAMES_SELF),
        title="a rank joins",
        note="Ranks without this line never started, or could not reach the store.",
    ),
    Pattern(
        name="lightning.registered",
        anchors=("All distributed processes registered. Starting with ",),
        regex=r"All distributed processes registered\. Starting with (?P<world_size>\d+) processes",
        samples=(Sample("All distributed processes registered. Starting with 128 processes", {"world_size": "128"}),),
        role=Role.INFO,
        marks=(Mark.STARTS,),
        title="all ranks joined",
    ),
    Pattern(
        name="lightning.devices",
        anchors=(" - CUDA_VISIBLE_DEVICES: [",),
        regex=r"LOCAL_RANK: (?P<local_rank>\d+) - CUDA_VISIBLE_DEVICES: \[(?P<devices>[\d,]*)\]",
        samples=(
            Sample(
                "LOCAL_RANK: 1 - CUDA_VISIBLE_DEVICES: [0,1,2,3]",
                {"local_rank": "1", "devices": "0,1,2,3"},
            ),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="lightning.banner",
        anchors=("GPU available: True",),
        regex=r"GPU available: True(?: \(\w+\))?, used: (?P<used>True|False)",
        samples=(Sample("GPU available: True (cuda), used: True", {"used": "True"}),),
        role=Role.INFO,
        bulk=True,
    ),
    Pattern(
        name="lightning.version",
        anchors=("lightning version: ", "lightning_version: "),
        regex=r"(?:pytorch[-_])?lightning[ _]version: (?P<framework_version>\d[\w.+]*)",
        samples=(Sample("pytorch-lightning_version: 2.5.1", {"framework_version": "2.5.1"}),),
        role=Role.INFO,
    ),
    Pattern(
        name="lightning.resumed",
        anchors=("Restoring states from the checkpoint path at ",),
        regex=r"Restoring states from the checkpoint path at (?P<resumed_from>\S+)",
        samples=(
            Sample(
                "Restoring states from the checkpoint path at /ckpt/run7/last.ckpt",
                {"resumed_from": "/ckpt/run7/last.ckpt"},
            ),
        ),
        role=Role.INFO,
        landmark=Landmark.RESUMED,
        title="resumed from a checkpoint",
    ),
)

PROGRESS = (
    Pattern(
        name="lightning.global_step",
        anchors=("global_step=",),
        regex=r"(?:it/s|s/it|<\?, \?)[^\]]{0,600}?\bglobal_step=(?P<step>\d[\d.]*(?:e\+?\d+)?)(?:[^\]]{0,600}?train_step_timing in s=(?P<s>[\d.]+(?:e[+-]?\d+)?))?",
        samples=(
            Sample(
                "Epoch 0:   1%|          | 58/77157 [5:07:12<857:12:34, 57.12s/it, loss=3.1, v_num=, "
                "reduced_train_loss=3.057, global_step=57.00, consumed_samples=2.92e+4, train_step_timing in s=10.40]",
                {"step": "57.00", "s": "10.40"},
            ),
        ),
        role=Role.INFO,
        numeric=("step", "s"),
    ),
    Pattern(
        name="lightning.bar",
        anchors=(", v_num=",),
        regex=r"^(?!.*global_step=).*?Epoch (?P<epoch>\d+):.*?\| (?P<batch>\d+)/(?P<batches>[\d?]+) \[",
        samples=(
            Sample(
                "Epoch 3:  57%|#####7    | 57/100 [00:57<00:43,  1.00it/s, v_num=12, train_loss=2.31]",
                {"epoch": "3", "batch": "57", "batches": "100"},
            ),
        ),
        role=Role.INFO,
        bulk=True,
    ),
    Pattern(
        name="lightning.metric",
        anchors=(", global step ",),
        regex=r"Epoch (?P<epoch>\d+), global step (?P<step>\d+): '(?P<metric>[^']+)' (?P<what>reached|was not in top)",
        samples=(
            Sample(
                "Epoch 3, global step 5700: 'val_loss' reached 1.91000 (best 1.91000), saving model to '/ckpt/a.ckpt' as top 3",
                {"epoch": "3", "step": "5700", "metric": "val_loss", "what": "reached"},
            ),
            Sample("Epoch 7, global step 7500: 'val_loss' was not in top 1", {"step": "7500"}),
        ),
        role=Role.INFO,
        numeric=("step", ""),
    ),
)

STOPS = (
    Pattern(
        name="lightning.sigterm",
        anchors=("Received SIGTERM: 15", "Bypassing SIGTERM: 15"),
        regex=r"(?:\[rank: (?P<rank>\d+)\] )?(?:Received|Bypassing) SIGTERM: 15",
        samples=(Sample("[rank: 57] Received SIGTERM: 15", {"rank": "57"}), Sample("Bypassing SIGTERM: 15", {})),
        role=Role.SYMPTOM,
        marks=(Mark.TOLD_TO_STOP,),
        bulk=True,
        title="received SIGTERM",
    ),
    Pattern(
        name="lightning.interrupted",
        anchors=("Detected KeyboardInterrupt, attempting",),
        regex=r"Detected KeyboardInterrupt, attempting (?:to )?graceful",
        samples=(Sample("Detected KeyboardInterrupt, attempting graceful shutdown ..."),),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=46,
        title="somebody interrupted the program",
    ),
    Pattern(
        name="lightning.requeue",
        anchors=("Handling auto-requeue signal: ", "requeing job ", "requeuing job ", "Requeued SLURM job: "),
        regex=r"Handling auto-requeue signal: (?P<signal>\d+)|reque(?:u)?ing job (?P<job>\d+)|Requeued SLURM job: (?P<job_id>\d+)",
        samples=(
            Sample("Handling auto-requeue signal: 10", {"signal": "10"}),
            Sample("requeing job 4821...", {"job": "4821"}),
            Sample("Requeued SLURM job: 4821", {"job_id": "4821"}),
        ),
        role=Role.STATE,
        marks=(Mark.ENDS,),
        title="the job puts itself back into the queue",
    ),
    Pattern(
        name="lightning.child",
        anchors=("Child process with PID ",),
        regex=r"(?:\[rank: (?P<rank>\d+)\] )?Child process with PID (?P<pid>\d+) terminated with code (?P<exitcode>-?\d+)",
        samples=(
            Sample(
                "[rank: 3] Child process with PID 4242 terminated with code -9. Forcefully terminating all other "
                "processes to avoid zombies",
                {"rank": "3", "pid": "4242", "exitcode": "-9"},
            ),
        ),
        role=Role.STATE,
        title="a worker process ended",
    ),
)

FORMAT = LineFormat(
    name="lightning",
    title="PyTorch Lightning",
    reference="Lightning-AI/pytorch-lightning fabric/utilities/distributed.py, trainer connectors, 1.0 to 2.5",
    patterns=START + PROGRESS + STOPS,
    programs=(Program(Kind.FRAMEWORK, ("lightning",), "Lightning", outer=40, traits=(Trait.AT_WORK,)),),
)
