"""What launchers, trackers and shells print once as they start a program: seen again, another attempt may begin."""

from __future__ import annotations

from logtui.parsers.pattern import Landmark, LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="starts",
    title="starts of programs",
    reference="wandb sdk; paddle.distributed.launch; accelerate launch; bash -x",
    patterns=(
        Pattern(
            name="start.wandb",
            anchors=("racking run with wandb version",),
            regex=r"Tracking run with wandb version (?P<version>[\w.]+)",
            samples=(Sample("wandb: Tracking run with wandb version 0.16.3", {"version": "0.16.3"}),),
            role=Role.INFO,
            marks=(Mark.STARTS,),
            landmark=Landmark.ATTEMPT,
            title="wandb follows a run",
        ),
        Pattern(
            name="start.paddle",
            anchors=("-----------  Configuration  -----",),
            regex=r"LAUNCH INFO .{0,40}-{5,}  Configuration  -{5,}",
            samples=(Sample("LAUNCH INFO 2026-01-02 03:04:05,678 -----------  Configuration  ----------------------"),),
            role=Role.INFO,
            marks=(Mark.STARTS, Mark.LAUNCHES),
            landmark=Landmark.ATTEMPT,
            title="Paddle launches a program",
        ),
        Pattern(
            name="start.accelerate",
            anchors=("values were not passed to `accelerate launch`",),
            regex=r"values were not passed to `accelerate launch`",
            samples=(
                Sample("The following values were not passed to `accelerate launch` and had defaults used instead:"),
            ),
            role=Role.INFO,
            marks=(Mark.STARTS, Mark.LAUNCHES),
            landmark=Landmark.ATTEMPT,
            title="accelerate launches a program",
        ),
        Pattern(
            name="start.traced",
            anchors=("+ python", "+ torchrun ", "+ deepspeed ", "+ accelerate launch ", "+ srun ", "+ mpirun "),
            regex=r"^\++ (?:srun|mpirun|torchrun|deepspeed|accelerate launch|python[\d.]*) (?:\S+ ){0,64}?"
            r"(?P<script>[\w./-]+\.(?:py|sh))(?!\S)",
            samples=(
                Sample("+ python -u train.py --lr 7e-4", {"script": "train.py"}),
                Sample("++ torchrun --nproc_per_node 8 /opt/job/train.py", {"script": "/opt/job/train.py"}),
            ),
            role=Role.INFO,
            marks=(Mark.STARTS,),
            landmark=Landmark.ATTEMPT,
            title="the shell starts a program",
            note="A shell that traces its commands; another script is another phase.",
        ),
    ),
)
