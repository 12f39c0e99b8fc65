"""Environment dumps (`env`, `printenv`, `set -x`, `export`) and version banners at the head of logs."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Mark, Pattern, Role, Sample

_START = r"(?<![A-Z0-9_])"
"""`LOCAL_WORLD_SIZE=` must not be read as `WORLD_SIZE=`."""

RANKS = (
    Pattern(
        name="environment.rank",
        anchors=("LOCAL_RANK=", "OMPI_COMM_WORLD_RANK="),
        regex=r"^(?=.*?(?<![A-Z0-9_])(?:LOCAL_RANK|OMPI_COMM_WORLD_LOCAL_RANK)=(?P<local_rank>\d+))"
        r"(?=(?:.*?(?:HOSTNAME|SLURMD_NODENAME)=(?P<host>[A-Za-z][\w.-]*))?).*?(?<![A-Z0-9_])(?:RANK|OMPI_COMM_WORLD_RANK)=(?P<rank>\d+)",
        samples=(
            Sample(
                "RANK=57 LOCAL_RANK=1 HOSTNAME=node007",
                {"rank": "57", "local_rank": "1", "host": "node007"},
            ),
        ),
        role=Role.INFO,
        marks=(Mark.STARTS, Mark.NAMES_SELF),
        note="Only where both stand in one line: RANK alone may be the node's, before torchrun starts.",
    ),
    Pattern(
        name="environment.world",
        anchors=("WORLD_SIZE=",),
        regex=_START + r"(?:WORLD_SIZE|OMPI_COMM_WORLD_SIZE)=['\"]?(?P<world_size>\d+)",
        samples=(
            Sample("+ export WORLD_SIZE=128", {"world_size": "128"}),
            Sample("WORLD_SIZE=128", {"world_size": "128"}),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="environment.nodes",
        anchors=("SLURM_JOB_NUM_NODES=", "NNODES="),
        regex=_START + r"(?:SLURM_NNODES|SLURM_JOB_NUM_NODES|PET_NNODES|NNODES)=['\"]?(?P<nodes>\d+)",
        samples=(Sample("SLURM_NNODES=16", {"nodes": "16"}), Sample("+ NNODES=16", {"nodes": "16"})),
        role=Role.INFO,
    ),
    Pattern(
        name="environment.gpus_per_node",
        anchors=(
            "LOCAL_WORLD_SIZE=",
            "SLURM_GPUS_ON_NODE=",
            "GPUS_PER_NODE=",
            "NPROC_PER_NODE=",
        ),
        regex=_START
        + r"(?:LOCAL_WORLD_SIZE|SLURM_GPUS_ON_NODE|SLURM_GPUS_PER_NODE|PET_NPROC_PER_NODE|GPUS_PER_NODE|NPROC_PER_NODE)=['\"]?(?:[a-z]\w*:)*(?P<gpus_per_node>\d+)",
        samples=(
            Sample("SLURM_GPUS_ON_NODE=8", {"gpus_per_node": "8"}),
            Sample("+ GPUS_PER_NODE=8", {"gpus_per_node": "8"}),
            Sample("SLURM_GPUS_PER_NODE=a100:8", {"gpus_per_node": "8"}),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="environment.node_rank",
        anchors=("NODE_RANK=", "GROUP_RANK="),
        regex=_START + r"(?:PET_NODE_RANK|NODE_RANK|GROUP_RANK)=['\"]?(?P<node_rank>\d+)",
        samples=(Sample("NODE_RANK=7", {"node_rank": "7"}),),
        role=Role.INFO,
    ),
    Pattern(
        name="environment.master",
        anchors=("MASTER_ADDR=", "MASTER_PORT="),
        regex=_START + r"MASTER_(?:ADDR=['\"]?(?P<master>[\w.:-]+)|PORT=['\"]?(?P<port>\d+))",
        samples=(
            Sample("MASTER_ADDR=node000", {"master": "node000"}),
            Sample("+ export MASTER_PORT=29500", {"port": "29500"}),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="environment.devices",
        anchors=("CUDA_VISIBLE_DEVICES=", "NVIDIA_VISIBLE_DEVICES=", "ROCR_VISIBLE_DEVICES="),
        regex=_START + r"(?:CUDA|NVIDIA|ROCR)_VISIBLE_DEVICES=['\"]?(?P<devices>[\w,:-]*)",
        samples=(Sample("CUDA_VISIBLE_DEVICES=0,1,2,3", {"devices": "0,1,2,3"}),),
        role=Role.INFO,
        bulk=True,
    ),
)

SLURM = (
    Pattern(
        name="environment.slurm_job",
        anchors=("SLURM_JOB_ID=", "SLURM_JOBID="),
        regex=_START + r"SLURM_JOB_?ID=['\"]?(?P<job_id>\d+)",
        samples=(
            Sample("SLURM_JOB_ID=4821", {"job_id": "4821"}),
            Sample("+ export SLURM_JOBID=4821", {"job_id": "4821"}),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="environment.nodelist",
        anchors=("SLURM_JOB_NODELIST=", "SLURM_NODELIST="),
        regex=_START + r"SLURM_(?:JOB_)?NODELIST=['\"]?(?P<nodelist>[\w.,\[\]-]+)",
        samples=(Sample("SLURM_JOB_NODELIST=node[000-015]", {"nodelist": "node[000-015]"}),),
        role=Role.INFO,
        note="Its expanded order normally is the order of node indices.",
    ),
    Pattern(
        name="environment.slurm_task",
        anchors=("SLURM_PROCID=", "SLURM_LOCALID=", "SLURM_NODEID=", "SLURMD_NODENAME="),
        regex=_START
        + r"(?:SLURM_PROCID=(?P<task>\d+)|SLURM_LOCALID=(?P<local_task>\d+)|SLURM_NODEID=(?P<node_rank>\d+)|SLURMD_NODENAME=(?P<node>[\w.-]+))",
        samples=(Sample("SLURM_PROCID=57", {"task": "57"}), Sample("SLURMD_NODENAME=node007", {"node": "node007"})),
        role=Role.INFO,
    ),
    Pattern(
        name="environment.slurm_times",
        anchors=("SLURM_JOB_START_TIME=", "SLURM_JOB_END_TIME="),
        regex=_START + r"SLURM_JOB_(?:START_TIME=(?P<start_epoch>\d{9,10})|END_TIME=(?P<end_epoch>\d{9,10}))",
        samples=(Sample("SLURM_JOB_START_TIME=1767323045", {"start_epoch": "1767323045"}),),
        role=Role.INFO,
        note="Seconds since the epoch: the best anchor for the zone of a job log, and the time limit in advance.",
    ),
    Pattern(
        name="environment.restarts",
        anchors=("TORCHELASTIC_RESTART_COUNT=", "SLURM_RESTART_COUNT="),
        regex=_START + r"(?:TORCHELASTIC|SLURM)_RESTART_COUNT=(?P<restarts>\d+)",
        samples=(Sample("SLURM_RESTART_COUNT=2", {"restarts": "2"}),),
        role=Role.INFO,
        marks=(Mark.STARTS,),
    ),
)

SETTINGS = (
    Pattern(
        name="environment.nccl",
        anchors=(
            "NCCL_DEBUG=",
            "NCCL_SOCKET_IFNAME=",
            "NCCL_NET_PLUGIN=",
            "NCCL_ALGO=",
            "NCCL_PROTO=",
            "NCCL_IB_HCA=",
            "NCCL_IB_DISABLE=",
            "NCCL_IB_TIMEOUT=",
            "NCCL_IB_GID_INDEX=",
            "NCCL_NET_GDR_LEVEL=",
            "NCCL_NVLS_ENABLE=",
            "NCCL_P2P_DISABLE=",
            "NCCL_TIMEOUT=",
            "NCCL_BLOCKING_WAIT=",
            "NCCL_TRACE_BUFFER_SIZE=",
            "NCCL_ENABLE_MONITORING=",
            "NCCL_HEARTBEAT_TIMEOUT_SEC=",
            "NCCL_DUMP_ON_TIMEOUT=",
            "NCCL_ASYNC_ERROR_HANDLING=",
            "TORCH_DISTRIBUTED_DEBUG=",
            "TORCH_CPP_LOG_LEVEL=",
        ),
        regex=_START
        + r"(?P<name>(?:TORCH_)?NCCL_[A-Z0-9_]+|TORCH_DISTRIBUTED_DEBUG|TORCH_CPP_LOG_LEVEL)=(?P<value>[^\s;]*)",
        samples=(
            Sample("+ export NCCL_SOCKET_IFNAME=eth0", {"name": "NCCL_SOCKET_IFNAME", "value": "eth0"}),
            Sample("TORCH_NCCL_TRACE_BUFFER_SIZE=2000", {"name": "TORCH_NCCL_TRACE_BUFFER_SIZE", "value": "2000"}),
        ),
        role=Role.INFO,
        note="Says what evidence to expect; images may carry values that the user did not set.",
    ),
    Pattern(
        name="environment.allocator",
        anchors=("PYTORCH_CUDA_ALLOC_CONF=", "PYTORCH_ALLOC_CONF="),
        regex=_START + r"PYTORCH_(?:CUDA_)?ALLOC_CONF=(?P<value>[^\s;]+)",
        samples=(Sample("PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True", {"value": "expandable_segments:True"}),),
        role=Role.INFO,
    ),
    Pattern(
        name="environment.data_source",
        anchors=("AIS_ENDPOINT=", "AWS_ENDPOINT_URL=", "S3_ENDPOINT_URL="),
        regex=_START + r"(?:AIS_ENDPOINT|AWS_ENDPOINT_URL|S3_ENDPOINT_URL)=['\"]?(?P<data_source>[^\s'\";]+)",
        samples=(Sample("+ export AIS_ENDPOINT=http://10.0.0.7:51080", {"data_source": "http://10.0.0.7:51080"}),),
        role=Role.INFO,
    ),
    Pattern(
        name="environment.pytorch",
        anchors=("Torch version", "torch version", "torch.__version__"),
        regex=r"(?:[Pp]y)?[Tt]orch(?: version|\.__version__)[ .:='\"]+(?P<pytorch>[12]\.\d+(?:\.\d+)?(?:a0|rc\d)?(?:\+(?:cu\d{2,3}|rocm\d[\d.]*|cpu|git[0-9a-f]+|[0-9a-f]{7,}))?)",
        samples=(
            Sample("PyTorch version: 2.6.0+cu124", {"pytorch": "2.6.0+cu124"}),
            Sample("torch version .................... 2.6.0+cu124", {"pytorch": "2.6.0+cu124"}),
        ),
        role=Role.INFO,
    ),
)

FORMAT = LineFormat(
    name="environment",
    title="environment dumps and version banners",
    reference="torchrun, SLURM, Open MPI, Kubeflow and NCCL environment variables; torch.utils.collect_env; ds_report",
    patterns=RANKS + SLURM + SETTINGS,
)
