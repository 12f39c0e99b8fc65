"""The ways in which a line names a rank, each a row with a sample that is tested; see heard_ranks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from logtui.parsers.regex import regex

MAY_SAY = regex(
    rb"(?i)rank|\] (?:\w{1,60}:\d{1,6} )?nccl "
    rb"|\btask \d{1,5}/|process[ _](?:index|\d)|^use gpu: |\btask[ _]index|wrf task |^\[default\d"
    rb"|\] \(\d{1,4}/|^[a-z_]{1,20}/\d+ \[\d"
    rb"|[\[(](?:proc|worker|client|trainer|learner|actor|pe)\w{0,4}[ _#-]{0,3}\d|- part \d|\[r\d"
    rb"|\xe8\xbf\x9b\xe7\xa8\x8b\d|\xe3\x83\x97\xe3\x83\xad\xe3\x82\xbb\xe3\x82\xb9\d|t(?:\xc3\xa2|a)che \d"
    rb"|pro(?:cessus|ceso|cesso|zess) \d"
    rb"|(?:ing|ted) on (?:core|proc|thread|image)\w{0,7}:? {0,12}\d|^ {4,8}from worker \d"
    rb"|^\[\d{1,5}\] {1,5}--> foam|^ {2,8}task # {1,12}\d|^\[\d{1,6}\]petsc "
    rb"|hybridparallelinfo|^nranks = |^\[[^\]]{1,40} tp\d{1,4}[ \]]|device=xla:|/rnk: "
    rb"| node\[\d|^node \d{1,5} is running on |\[\[\d{1,6},\d\],\d|\[[\d,]{1,12}\]<std"
    rb"|^\[gpu|\bi am (?:process )?\d| pet\d"
)
WORDS = (
    b"rank",
    b"process ",
    b"process_",
    b" nccl ",
    b"[default",
    b"task",
    b"use gpu: ",
    b"[gpu",
    b"i am ",
    b" pet",
    b"] (",
    b" [",
    b"]<std",
    b"proc",
    b"[worker",
    b"[client",
    b"[trainer",
    b"[learner",
    b"[actor",
    b"- part ",
    b"[r",
    b"\xe8\xbf\x9b\xe7\xa8\x8b",
    b"\xe3\x83\x97\xe3\x83\xad\xe3\x82\xbb\xe3\x82\xb9",
    b"che ",
    b"prozess ",
    b"[[",
    b"foam fatal",
    b"]petsc error",
    b"on core",
    b"on proc",
    b"on thread",
    b"on image",
    b"from worker ",
    b"nranks = ",
    b" tp",
    b"device=xla:",
    b"/rnk: ",
    b" node[",
    b" is running on ",
)
"""Of which every such line has one, in small letters: most files are left with them alone."""
CODE = regex(rb"\bdef |self\.|\):\s*$|%d|\{rank")


@dataclass(frozen=True, slots=True)
class Wording:
    """A way in which a line names a rank."""

    regex: re.Pattern[str]
    """Begins with letters, where it can: a search for what may stand before them takes ten times as long."""
    word: str
    """What every such line has, in small letters."""
    sample: str
    means: int
    """The rank that the sample names; a number within a node is the rank on the first one."""
    sure: bool = False
    """Whether nothing but a rank of the job can stand there, whatever its size."""


_OTHER = "(?<![a-z])(?<![a-z][_-])" + "".join(
    f"(?<!{word} )" for word in ("lora", "low", "node", "machine", "dp", "tp", "pp", "group", "parallel", "local")
)
"""What stands before `rank` where something else has one: LoRA, a matrix, a node, a machine, a group of the mesh."""

_RANK = rf"[Rr][Aa][Nn][Kk](?i:(?<={_OTHER}rank)|(?<={_OTHER}globalrank)|(?<={_OTHER}global[_ -]rank))"
"""The word, where it is of the job."""

WORDINGS = (
    Wording(
        regex(
            _RANK + r"(?i: is)?['\"]?[ \t]{0,20}(?:[:=#][ \t]{0,12}|(?<=[ ]))(\d{1,5})(?![\d%]|\.\d"
            r"|[ :=|]{0,4}(?:(?i:prob|score|sim|dist)\w{0,12}[ :=]{0,3})?\d+\.\d)"
        ),
        "rank",
        "[Rank 3] Loading the data set",
        3,
    ),
    Wording(
        regex(
            _RANK + r"(?i:[ _-]?(?:id|number|num|no|nr)\.?)?(?: is)?['\"]?[ \t]{0,8}(?:[:=#@(<{/-]{1,2}|[=-]>)"
            r"[ \t]{0,8}['\"]?(\d{1,5})(?![\d%]|\.\d|[ :=|]{0,4}\d+\.\d|/)"
        ),
        "rank",
        "rank-3 worker-0 resuming data",
        3,
    ),
    Wording(
        regex(r"\brank {1,8}: (\d{1,5}) \(local_rank: \d{1,4}\)"),
        "(local_rank: ",
        "  rank      : 3 (local_rank: 1)",
        3,
        sure=True,
    ),
    Wording(
        regex(r"(?:Duplicate GPU detected : |(?<=\d) and )rank (\d{1,5})(?= (?:and rank \d|both on CUDA device))"),
        " both on cuda device",
        "Duplicate GPU detected : rank 3 both on CUDA device 57000",
        3,
        sure=True,
    ),
    Wording(
        regex(r"^\[[\w.-]{1,120}:mpi_rank_(\d{1,6})\]\["),
        ":mpi_rank_",
        "[node57.cluster.example:mpi_rank_3][error_sighandler] Caught error: Segmentation fault (signal 11)",
        3,
        sure=True,
    ),
    Wording(
        regex(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} Node\[(\d{1,5})\] "),
        " node[",
        "2026-01-02 03:04:05,678 Node[3] start with arguments Namespace(batch_size=57)",
        3,
        sure=True,
    ),
    Wording(
        regex(r"^ {1,4}rank \.{5,60} (\d{1,5})\s*$"),
        "rank ...",
        "  rank ............................................ 3",
        3,
        sure=True,
    ),
    Wording(
        regex(r"^Node (\d{1,5}) is running on host: \S{1,100}$"),
        " is running on ",
        "Node 3 is running on host: gn12",
        3,
    ),
    Wording(
        regex(r"\[Gloo\] Rank (\d{1,5}) is connected to \d{1,5} peer ranks"),
        "peer ranks",
        "[Gloo] Rank 3 is connected to 7 peer ranks. Expected number of connected peer ranks is : 7",
        3,
        sure=True,
    ),
    Wording(
        regex(r"--node[_-]rank[=', ]{1,4}(\d{1,5})\b(?=.{0,60}--nproc[_-]per[_-]node[=', ]{1,4}1\b)"),
        "rank",
        "torchrun --nnodes 4 --node_rank 3 --nproc_per_node 1 --master_addr gn12 train57.py",
        3,
        sure=True,
    ),
    Wording(
        regex(r"^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?: DP\d{1,4})? TP(\d{1,4})(?: EP\d{1,4})?(?: PP\d{1,4})?\]"),
        " tp",
        "[2026-01-02 03:04:05 DP1 TP3] Init torch distributed begin.",
        3,
        sure=True,
    ),
    Wording(regex(r"\bDevice=xla:\d{1,4}/(\d{1,5})(?= )"), "device=xla:", "| Device=xla:0/3 Step=57", 3, sure=True),
    Wording(
        regex(r"\bM[nx]\w{1,6}/Rnk: \d[\d.]{0,12}\w{0,4}/(\d{1,5})(?!\d)"),
        "/rnk: ",
        "MnRtt/Rnk: 57.57ms/3",
        3,
    ),
    Wording(
        regex(r"\bGLOBAL_RANK: (\d{1,5}), MEMBER: "),
        "global_rank: ",
        "distributed: GLOBAL_RANK: 3, MEMBER: 4/8",
        3,
    ),
    Wording(regex(r"(?i)\bprocess index: (\d{1,5})(?!\d)"), "process index: ", "Process index: 3", 3),
    Wording(
        regex(r"RANK and WORLD_SIZE in environ: (\d{1,5})/"),
        "rank and world_size in environ: ",
        "RANK and WORLD_SIZE in environ: 3/16",
        3,
    ),
    Wording(
        regex(r"\bLOCAL_RANK: (\d{1,3}) - CUDA"),
        "local_rank: ",
        "LOCAL_RANK: 3 - CUDA_VISIBLE_DEVICES: [0,1,2,3]",
        3,
    ),
    Wording(
        regex(r"(?i)(?<![a-z])local[_ -]rank['\"]?[ \t]{0,20}[:= ][ \t]{0,3}['\"]?(\d{1,3})(?![\d.])"),
        "local",
        "train.py: error: unrecognized arguments: --local-rank=3",
        3,
    ),
    Wording(
        regex(r"\bglobal_rank\((\d{1,5})\)"),
        "global_rank(",
        "INFO:composer.cli.launcher:Launching process for local_rank(1), global_rank(3) with command(['python'])",
        3,
        sure=True,
    ),
    Wording(
        regex(r"\bglobal_ranks=\[(\d{1,5}(?:, \d{1,5}){0,63})\]"),
        "global_ranks=[",
        "\tassigned global_ranks=[3]",
        3,
        sure=True,
    ),
    Wording(
        regex(r"(?i)\bdevice and rank: {1,3}[a-z]{2,8}:? ?(\d{1,4})(?!\d)"),
        "device and rank: ",
        "Device and Rank:  cuda 3",
        3,
    ),
    Wording(
        regex(r"(?<![a-z])gpu_rank['\"]?[ :=]{1,3}(\d{1,4})(?![\d.])"), "gpu_rank", "[INFO] gpu_rank 3, world size 4", 3
    ),
    Wording(regex(r"^Use GPU: (\d{1,3}) for training"), "use gpu: ", "Use GPU: 3 for training", 3),
    Wording(
        regex(r"\b[Ii] am (?:process |rank )?(\d{1,5}) of \d{1,5}(?!\d)"), "i am ", "I am 3 of 24: 3 on node007", 3
    ),
    Wording(regex(r"^\[GPU ?:? ?(\d{1,3})\](?= )"), "[gpu", "[GPU: 3] Epoch 7/30:", 3),
    Wording(
        regex(r"[Rr](?:ank|ANK)(?<=(?<![\w.-])rank|(?<![\w.-])Rank|(?<![\w.-])RANK)_?(\d{1,5})(?=[\s|:\]),]|$)"),
        "rank",
        "rank3 | step 57 | loss 5.7",
        3,
    ),
    Wording(
        regex(r"\b[Rr]ank\[(\d{1,5})\](?=[ /|:,\]])"), "rank[", "2026-01-02 03:04:05 INFO rank[3]/ 4 starts training", 3
    ),
    Wording(
        regex(
            r"(?i)\b(?:running|started|working) on (?:core|proc(?:ess(?:or)?)?|thread|image):? {0,12}"
            r"(\d{1,5})(?![\d.])"
        ),
        " on ",
        " Photons now running on core:           3",
        3,
    ),
    Wording(
        regex(r"store_based_barrier_key:\d{1,9} to store for rank: (\d{1,5})(?!\d)"),
        "to store for rank: ",
        "INFO:torch.distributed.distributed_c10d:Added key: store_based_barrier_key:1 to store for rank: 3",
        3,
        sure=True,
    ),
    Wording(
        regex(r"mpi(?:run|exec) noticed that process rank (\d{1,5}) with PID "),
        "noticed that process rank ",
        "mpirun noticed that process rank 3 with PID 4821 on node gn12 exited on signal 11 (Segmentation fault).",
        3,
        sure=True,
    ),
    Wording(
        regex(r"^ {4,8}From worker (\d{1,5}):\t"),
        "from worker ",
        "      From worker 3:\tworking on a.jld2",
        3,
        sure=True,
    ),
    Wording(
        regex(r"^\[(\d{1,5})\] {1,5}--> FOAM FATAL"),
        "foam fatal",
        "[3] --> FOAM FATAL IO ERROR: (openfoam-2012)",
        3,
        sure=True,
    ),
    Wording(regex(r"\bMPI rank: {1,8}(\d{1,6}) \(out of \d"), "mpi rank", "  MPI rank:    3 (out of 15)", 3, sure=True),
    Wording(regex(r"^\[(\d{1,6})\]PETSC ERROR: "), "petsc error", "[3]PETSC ERROR: Signal received", 3, sure=True),
    Wording(regex(r"^ {2,8}task # {1,12}(\d{1,5})\s*$"), "task #", "     task #         3", 3, sure=True),
    Wording(regex(r"\[\[\d{1,6},1\],(\d{1,5})\]"), "],", "  Process name: [[57321,1],3]", 3, sure=True),
    Wording(regex(r"\bon rank (\d{1,5})(?!\d)"), "on rank ", "Peak memory on rank 3: 5.7 GB", 3),
    Wording(
        regex(
            r"(?i)\bprocess (\d{1,5}) ?(?:/|of) ?\d{1,5}"
            r"(?:[ :,]{1,2}(?:initiali[sz]ed|start\w*|ready|is on|on|running|using|joined)\b)"
        ),
        "process ",
        "Process 3/16 initialized",
        3,
    ),
    Wording(
        regex(r"(?i)\bprocess_index['\"]?[ =:]{1,2}(\d{1,5})(?!\d)"), "process_index", "process_index=3 devices=4", 3
    ),
    Wording(
        regex(r"\bProcess (\d{1,5}), total \d{1,5}(?:,|\.(?!\d)|$)"),
        "process ",
        "Training in distributed mode with multiple processes, 1 device per process.Process 3, total 4, device cuda:3.",
        3,
        sure=True,
    ),
    Wording(regex(r"^\[process (\d{1,5})\](?= )"), "[process ", "[process 3] the mesh has 16 devices", 3),
    Wording(
        regex(r"(?:^|(?<=\s))[\[(](?:proc(?:ess)?|worker|pe|PE|rank) ?[#-]? ?(\d{1,5})/\d{1,5}[\])]:?(?= )"),
        "/",
        "2026-01-02 03:04:05 (proc 3/8) 57 questions",
        3,
    ),
    Wording(
        regex(r"(?:^|(?<=\s))Task (\d{1,5})/\d{1,5}: "), "task ", "I0102 03:04:05.678901 57 x.py:57] Task 3/8: done", 3
    ),
    Wording(regex(r"\b[Ii]nitiali[sz]ing process (\d{1,5})(?![\d.])"), "process ", "Initializing process 3", 3),
    Wording(regex(r"(?<=- )part (\d{1,5})/\d{1,5}(?= - )"), "- part ", "03:04:05 - part 3/8 - epoch 5 loss 0.57", 3),
    Wording(
        regex(r"(?:^|(?<=\s))\[(?:worker|client|trainer|learner|actor)[ _-]{1,3}(\d{1,5})\]:?(?= )"),
        "[",
        "2026-01-02 03:04:05 [worker-3] update 57",
        3,
    ),
    Wording(regex(r"(?:^|(?<=[\dMZ\]] ))\[R(\d{1,5})\](?= )"), "[r", "2026-01-02 03:04:05 [R3] step 57", 3),
    Wording(
        regex(
            r"(?:进程|プロセス|프로세스|[Tt][âa]che |[Pp]rocessus |[Pp]roceso |[Pp]rocesso |[Pp]rozess )"
            r"(\d{1,5})(?=[】\]):：! ]|$)"
        ),
        "",
        "プロセス3: NCCL",
        3,
    ),
    Wording(
        regex(r"^[\w.-]{1,80}:\d{1,8}:\d{1,8} \[(\d{1,2})\] (?:\w{1,60}:\d{1,6} )?NCCL "),
        " nccl ",
        "node007:5701:5757 [3] NCCL INFO Using network Socket",
        3,
    ),
    Wording(regex(r"^\[default(\d{1,3})\]:"), "[default", "[default3]:ready to train", 3),
    Wording(
        regex(r"starting wrf task {1,16}(\d{1,5}) {1,16}of"),
        "wrf task",
        " starting wrf task            3  of           24",
        3,
        sure=True,
    ),
    Wording(
        regex(r"^\d{8} \d{6}\.\d{3} [A-Z_]{4,12} {1,16}PET(\d{1,6})(?= )"),
        " pet",
        "20260102 030405.678 INFO             PET3 Finalizing ESMF",
        3,
        sure=True,
    ),
    Wording(
        regex(r"(?i)\btask[ _]index['\"]?[ =:]{1,3}(\d{1,5})(?!\d)"),
        "task",
        "job name = worker\ntask index = 3",
        3,
    ),
    Wording(
        regex(r"\] \((\d{1,4})/\d{1,4}\) "),
        "] (",
        "2026-01-02 03:04:05,678 INFO [train.py:57] (3/4) Training started",
        3,
    ),
    Wording(regex(r"^[a-z_]{1,20}/\d{1,4} \[(\d{1,3})\]:"), "]:", "trainer/0 [3]:[W socket.cpp:558] [c10d] x", 3),
    Wording(
        regex(r"(?:^|(?<=\s))\[[Rr]ank-(\d{1,5})\]:?(?= )"),
        "[rank-",
        "(WorkerDict pid=4242, ip=10.0.0.57) [rank-3]: Saving model to /mnt/ckpt/model_world_size_16_rank_3.pt",
        3,
        sure=True,
    ),
    Wording(
        regex(r"(?<=[_-])rank_?(\d{1,5})\.(?:pt|pth|bin|ckpt|safetensors|distcp)\b"),
        "rank",
        "Saved optimizer state to: /mnt/ckpt/optim_005700_rank3.pt",
        3,
        sure=True,
    ),
    Wording(
        regex(r"(?:^|(?<=[\s\])]))\[[Rr](?:ank|ANK) (\d{1,5})\](?=[ :])"), "[rank ", "[Rank 3] training_step -> 57", 3
    ),
    Wording(
        regex(r"\bRank of current process: (\d{1,5})(?!\d)"),
        "rank of current process",
        "[01/02 03:04:05 detectron2]: Rank of current process: 3. World size: 4",
        3,
        sure=True,
    ),
    Wording(
        regex(r"^-- Process (\d{1,5}) terminated with the following error"),
        "-- process ",
        "-- Process 3 terminated with the following error:",
        3,
        sure=True,
    ),
    Wording(
        regex(r"\bon process (\d{1,5})(?=[\s:,\[]|$)"), "on process ", "starting iteration 57 on process 3 [now]", 3
    ),
    Wording(
        regex(r"^[A-Z]\w{1,60}\[rank=(\d{1,5})\](?=:)"),
        "[rank=",
        "PolicyWorker[rank=3]: moves the model to the CPU",
        3,
        sure=True,
    ),
    Wording(
        regex(r"^[\[(]?[Rr]ank ?(\d{1,5})[\])]?: {1,3}(?=[A-Z_]{2})"),
        "rank",
        "Rank 3: _REDUCE_SCATTER_BASE, TensorShape=[57]",
        3,
        sure=True,
    ),
    Wording(
        regex(r"rankNum\[\d{1,5}\], rank\[(\d{1,5})\]"),
        "ranknum[",
        "hcom destroy complete,take time [486]us, rankNum[8], rank[3]",
        3,
        sure=True,
    ),
    Wording(
        regex(r"(?<!\w)proc-rank-(\d{1,5})-device-\d"),
        "proc-rank-",
        "[ModelArts Service Log]2026-01-02 03:04:05,192 - INFO - bootstrap proc-rank-3-device-3",
        3,
        sure=True,
    ),
    Wording(
        regex(r"HybridParallelInfo: rank_id: \d{1,6}, .{0,300}?\bdp_group: \[(\d{1,5}(?:, \d{1,5}){0,255})\]"),
        "hybridparallelinfo: ",
        "topology.py - HybridParallelInfo: rank_id: 3, mp_degree: 1, dp_degree: 1, mp_group: [3],  dp_group: [3]",
        3,
        sure=True,
    ),
    Wording(
        regex(r"\blocal_reader_ranks=\[(\d{1,4}(?:, \d{1,4}){0,63})\]"),
        "local_reader_ranks=",
        "vLLM message queue communication handle: Handle(connect_ip='127.0.0.1', local_reader_ranks=[3], buffer=57",
        3,
        sure=True,
    ),
    Wording(
        regex(r"^nranks = \d{1,6} {0,2}\t num_gpus = \d{1,6} {0,2}\t device=(\d{1,5})(?!\d)"),
        "nranks = ",
        "nranks = 8 \t num_gpus = 8 \t device=3",
        3,
        sure=True,
    ),
    Wording(
        regex(r"global_rank_mapping=[^{]{1,40}\{'[^',]{1,80}': \[(\d{1,5}(?:, \d{1,5}){0,63})\]\}"),
        "global_rank_mapping=",
        "[launch.py:163:main] global_rank_mapping=defaultdict(<class 'list'>, {'localhost': [3]})",
        3,
        sure=True,
    ),
)
