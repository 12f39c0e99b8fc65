"""What several kinds of lines and exceptions call for: advice that is declared once."""

from __future__ import annotations

from logtui.parsers.advice import Advice

ANOTHER_PORT = (
    Advice(
        "training",
        "give the job a port of its own[ instead of {port}]: --master_port or MASTER_PORT, "
        "--main_process_port for Accelerate; port 0 (--rdzv_endpoint localhost:0, torchrun --standalone) "
        "takes a free one",
    ),
    Advice(
        "infrastructure",
        "see who holds the port[ on {host}]: ss -ltnp[ 'sport = :{port}']; often it is what is left of "
        "the previous attempt",
    ),
)
FABRIC_MANAGER = (
    Advice(
        "infrastructure",
        "restart the fabric manager[ on {host}]: systemctl restart nvidia-fabricmanager, of the same "
        "version as the driver; journalctl -u nvidia-fabricmanager says why it stopped",
    ),
)
WITHOUT_NVLS = (Advice("training", "until then NCCL_NVLS_ENABLE=0 runs the job without NVLink SHARP"),)
ROOM_IN_SHM = (
    Advice(
        "infrastructure",
        "enlarge /dev/shm[ on {host}]: docker --shm-size or --ipc=host, in Kubernetes an emptyDir of "
        "medium Memory at /dev/shm",
    ),
    Advice("training", "use fewer loader workers, or a smaller prefetch_factor: each batch in flight lies in /dev/shm"),
)
ROOM_ON_GPU = (
    Advice(
        "training",
        "lower the memory needed[ on {rank}]: a smaller micro batch, activation checkpointing, sharding; "
        "where one rank alone runs out, compare its load with the others'",
    ),
    Advice("training", "set {allocator}, so that what is reserved and unused does not fragment"),
)
ROOM_ON_HOST = (
    Advice("infrastructure", "raise the memory limit of the job or container[ on {host}], or use fewer ranks per node"),
    Advice(
        "training",
        "use fewer loader workers, and load checkpoints and data sets by shards or memory maps, not "
        "whole on every rank",
    ),
)
OWN_GPU = (
    Advice(
        "training", "choose the GPU by LOCAL_RANK, not by RANK: torch.cuda.set_device(int(os.environ['LOCAL_RANK']))"
    ),
    Advice(
        "training", "start no more processes per node than GPUs are visible: --nproc_per_node, CUDA_VISIBLE_DEVICES"
    ),
)
GPU_ACCESS = (
    Advice(
        "infrastructure",
        "check nvidia-smi[ on {host}], CUDA_VISIBLE_DEVICES, and that job and container ask for GPUs "
        "(--gpus, --gres, nvidia.com/gpu)",
    ),
)
PREPARED_DATA = (
    Advice(
        "training",
        "prepare the data set before the job, on one process without the others, or give `init_process_group` a "
        "`timeout` that is longer than it takes",
    ),
)
EVEN_INPUTS = (
    Advice(
        "training",
        "give every rank the same number of batches: drop_last=True in DistributedSampler and "
        "DataLoader, or train inside `with torch.distributed.algorithms.Join([model])`",
    ),
)
NO_MORE_NANS = (
    Advice(
        "training",
        "resume from before the first NaN with a lower learning rate or bf16, and look at the batch of "
        "that step; torch.autograd.set_detect_anomaly names the operation",
    ),
)
MISSING_FILE = (
    Advice("training", "check that path on every node: a mount or staging that only one host lacks shows there alone"),
)
BAD_FILE = (
    Advice(
        "training",
        "repair or replace that file, and skip what cannot be read: a reader that names the file makes "
        "it quick to find",
    ),
)
CHECKPOINT_SPACE = (
    Advice(
        "storage",
        "check free space and quota where checkpoints go, then remove the unfinished one and resume from "
        "the one before",
    ),
)
READ_KERNEL_LOG = (
    Advice(
        "hardware",
        "read the kernel log[ of {host}] for Xid lines and check nvidia-fabricmanager; reboot the node "
        "if nvidia-smi fails too",
    ),
)
KEEP_OUT = (Advice("infrastructure", "[keep {host} out of the next run until its GPU has passed dcgmi diag -r 3]"),)
NCCL_WORDS = (
    Advice(
        "training",
        "rerun with NCCL_DEBUG=INFO: what NCCL says before `internal error` decides; check that all "
        "ranks run one version",
    ),
)
NCCL_SYSTEM = (
    Advice("training", "rerun with NCCL_DEBUG=WARN: the line above the error names the call that failed"),
    Advice("infrastructure", "look[ on {host}] at the network, /dev/shm and limits (ulimit -l, -n)"),
)
LATE_NODE = (
    Advice("infrastructure", "look for the node that did not start, and check that all reach the endpoint"),
    Advice("training", "raise --rdzv_conf join_timeout where nodes start minutes apart"),
)
NO_INTERFACE = (
    Advice("training", "set NCCL_SOCKET_IFNAME to an interface that `ip -br addr` shows[ on {host}], or unset it"),
)
LIBRARY_MEMORY = (
    Advice(
        "training",
        "lower the memory needed[ on {rank}]: the library found none for its workspace; check too that "
        "no two ranks share a GPU",
    ),
)
NCCL_USAGE = (
    Advice(
        "training", "check that each rank has a GPU of its own (LOCAL_RANK), and that tensors of one call lie on it"
    ),
)
OLD_NCCL = (
    Advice(
        "training",
        "upgrade NCCL to 2.21 or later[ (this job runs {nccl})], where the error is `invalid device "
        "context`: in containers older ones lose it",
        only="nccl<2.21",
    ),
)
OFFLINE_HUB = (
    Advice(
        "infrastructure",
        "download models and data beforehand, and run with HF_HUB_OFFLINE=1: compute nodes have no way out",
    ),
)
RANK_VARIABLES = (
    Advice(
        "training",
        "start with torchrun, which sets RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT; "
        "under srun export them in the script",
    ),
)
LESS_ON_HOST = (
    Advice(
        "training",
        "use fewer loader workers, and load checkpoints and data sets by shards or memory maps, not "
        "whole on every rank",
    ),
)
