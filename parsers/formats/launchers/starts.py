"""What launchers, trackers and shells print once as they start a program: seen again, another attempt may begin."""

from __future__ import annotations

from logtui.parsers.pattern import Landmark, LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="starts",
    title="starts of programs",
    reference="FoundationVision/VAR dist.py, utils/misc.py; wandb sdk; paddle.distributed.launch; accelerate launch; bash -x",
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
            name="start.flask",
            anchors=(" * Serving Flask app",),
            regex=r"^ \* Serving Flask app\b",
            samples=(Sample(" * Serving Flask app 'serve57'"),),
            role=Role.INFO,
            marks=(Mark.STARTS,),
            landmark=Landmark.ATTEMPT,
            title="Flask starts to serve",
        ),
        Pattern(
            name="start.snakemake",
            anchors=("Building DAG of jobs...",),
            regex=r"^Building DAG of jobs\.\.\.",
            samples=(Sample("Building DAG of jobs..."),),
            role=Role.INFO,
            marks=(Mark.STARTS, Mark.NEW_JOB),
            landmark=Landmark.ATTEMPT,
            title="Snakemake starts",
        ),
        Pattern(
            name="start.rule",
            anchors=("==   RESTART [",),
            regex=r"^={16,80} {2,4}RESTART \[(?P<when>[\d :-]{11,20})\] {2,4}={4,80}",
            samples=(
                Sample(
                    "=======================================================   RESTART [01-02 03:04:05]   "
                    "=======================================================",
                    {"when": "01-02 03:04:05"},
                ),
            ),
            role=Role.INFO,
            marks=(Mark.STARTS,),
            landmark=Landmark.ATTEMPT,
            title="a script of VAR's family starts",
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
            name="start.arguments",
            anchors=("--nproc_per_node", "--nproc-per-node"),
            regex=r"^(?=(?:.*?\s--nnodes[= ](?P<nodes>\d{1,6})(?!\S))?).*?\s--nproc[_-]per[_-]node[= ](?P<gpus_per_node>\d{1,4})(?!\S)",
            samples=(
                Sample(
                    "torchrun --nproc_per_node 8 --nnodes 16 train.py --lr 7e-4",
                    {"nodes": "16", "gpus_per_node": "8"},
                ),
                Sample("python -m torch.distributed.run --nproc-per-node=4 train.py", {"gpus_per_node": "4"}),
            ),
            role=Role.INFO,
            title="processes that a launcher is told to start",
        ),
        Pattern(
            name="start.processes",
            anchors=("--num_processes",),
            regex=r"--num_processes(?:[= ]|` was set to a value of `)(?P<processes>\d{1,6})(?!\d)",
            samples=(
                Sample("accelerate launch --num_processes=128 train.py", {"processes": "128"}),
                Sample("\t`--num_processes` was set to a value of `57`", {"processes": "57"}),
            ),
            role=Role.INFO,
            title="processes that accelerate starts",
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
