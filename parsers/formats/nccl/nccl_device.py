"""NCCL's CUDA calls, NVLink SHARP, shared memory and allocations: local faults of the printing rank's node."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Pattern, Program, Role, Sample, Trait
from logtui.parsers.remedies import FABRIC_MANAGER, OLD_NCCL, OWN_GPU, ROOM_ON_HOST, WITHOUT_NVLS

_AT = "node007:4411:4602 [1] "
_ECHOES = (
    "an illegal memory access was encountered|device-side assert triggered|unspecified launch failure|misaligned address|"
    "an illegal instruction was encountered|driver shutting down"
)
_HARDWARE = (
    "uncorrectable ECC error encountered|uncorrectable NVLink error[^']*|unknown error|no CUDA-capable device is detected|"
    r"all CUDA-capable devices are busy or unavailable|CUDA-capable device\(s\) is/are busy or unavailable|"
    "GPU has fallen off the bus|system not yet initialized"
)
_FAILURES = ("Cuda failure ", "CUDA failure ", "HIP failure ")
"""As pasted into reports, too: there with other quotes."""
_DEVICE = "invalid device ordinal"
_FULL = "out of memory"


def _failure(texts: str) -> str:
    """`Cuda failure '<text>'`, from 2.20 with the driver's code before the text.

    After `<file>:<line> ` of an INFO line the failure was expected: NCCL probes what a system can do.
    """
    return rf"(?<!\d )(?:C(?:uda|UDA)|HIP) failure (?:(?P<code>\d+) )?['‘](?P<error>{texts})['’]"


_ELSEWHERE = rf"(?!(?:{_ECHOES}|{_HARDWARE}|{_DEVICE}|{_FULL})['’])[^'’]{{1,120}}"

CUDA = (
    Pattern(
        name="nccl_device.out_of_memory",
        anchors=_FAILURES,
        regex=_failure(_FULL),
        samples=(
            Sample(
                "[2026-11-21 04:12:03] node007:4411:4602 [1] include/alloc.h:231 NCCL WARN Cuda failure 2 'out of memory'",
                {"code": "2", "error": "out of memory"},
            ),
            Sample("NCCL WARN CUDA failure 2 ‘out of memory’", {"code": "2"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_OOM,
        weight=75,
        title="NCCL found no memory on this rank's GPU",
        note="The allocator of the program, or another process, took it.",
        advice=(
            Advice(
                "training",
                "leave NCCL some memory[ on {rank}]: a smaller batch, or a lower "
                "torch.cuda.set_per_process_memory_fraction; NCCL_BUFFSIZE and NCCL_MAX_NCHANNELS lower what it "
                "takes",
            ),
            Advice("infrastructure", "look with nvidia-smi for other processes on that GPU[ of {host}]"),
        ),
    ),
    Pattern(
        name="nccl_device.hardware",
        anchors=_FAILURES,
        regex=_failure(_HARDWARE),
        samples=(
            Sample(
                _AT + "enqueue.cc:1134 NCCL WARN Cuda failure 'uncorrectable ECC error encountered'",
                {"error": "uncorrectable ECC error encountered"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=75,
        title="NCCL met a broken GPU or driver on this rank",
        advice=(
            Advice(
                "hardware",
                "read the kernel log[ of {host}] for Xid lines and run dcgmi diag -r 3 before it takes jobs again",
            ),
        ),
    ),
    Pattern(
        name="nccl_device.invalid_device",
        anchors=_FAILURES,
        regex=_failure(_DEVICE),
        samples=(Sample(_AT + "init.cc:1508 NCCL WARN Cuda failure 101 'invalid device ordinal'", {"code": "101"}),),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=65,
        title="this rank asks for a GPU that is not there",
        advice=OWN_GPU,
    ),
    Pattern(
        name="nccl_device.cuda_echo",
        anchors=_FAILURES,
        regex=_failure(_ECHOES),
        samples=(
            Sample(_AT + "enqueue.cc:1134 NCCL WARN Cuda failure 710 'device-side assert triggered'", {"code": "710"}),
        ),
        role=Role.SYMPTOM,
        bulk=True,
        title="NCCL met this process's earlier CUDA error",
    ),
    Pattern(
        name="nccl_device.nvls",
        anchors=("transport/nvls.cc:", "Failed to bind NVLink SHARP"),
        regex=r"transport/nvls\.cc:\d+(?: \(\w+\))? NCCL WARN Cuda failure (?:(?P<code>\d+) )?'(?P<error>"
        + _ELSEWHERE
        + r")'|Failed to bind NVLink SHARP \(NVLS\) Multicast memory of size (?P<size>\d+)",
        samples=(
            Sample(
                "[2026-11-21 04:12:03] node007:4411:4602 [1] transport/nvls.cc:598 NCCL WARN Cuda failure 1 'invalid "
                "argument'",
                {"code": "1", "error": "invalid argument"},
            ),
            Sample(
                _AT + "transport/nvls.cc:281 NCCL WARN Failed to bind NVLink SHARP (NVLS) Multicast memory of size "
                "2097152 : CUDA error 401 'the operation cannot be performed in the present state'.",
                {"size": "2097152"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=65,
        follow=2,
        title="NVLink SHARP does not work on this node",
        note="Fabric manager or NVSwitch; the INFO variant ends `Proceeding without NVLS support` and is harmless.",
        advice=(
            *FABRIC_MANAGER,
            *WITHOUT_NVLS,
        ),
    ),
    Pattern(
        name="nccl_device.ipc_handle",
        anchors=("failed to open CUDA IPC handle",),
        regex=r"failed to open CUDA IPC handle : (?:(?P<code>\d+) )?(?P<error>.{3,120})",
        samples=(
            Sample(
                _AT
                + "transport/p2p.cu:548 NCCL WARN failed to open CUDA IPC handle : 217 peer access is not supported "
                "between these two devices",
                {"code": "217", "error": "peer access is not supported between these two devices"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=56,
        title="GPUs cannot share memory, though NCCL took it that they can",
        note="Containers with separate PID or IPC name spaces, GPUs hidden from each other, an ACS setting. NCCL_P2P_DISABLE=1 works.",
        advice=(
            Advice(
                "infrastructure",
                "give the containers of a node one PID and IPC name space (--ipc=host --pid=host), or leave all "
                "GPUs visible to each process",
            ),
            Advice("training", "until then NCCL_P2P_DISABLE=1 works, slower"),
        ),
    ),
    Pattern(
        name="nccl_device.cuda_failure",
        anchors=_FAILURES,
        regex=r"(?<!nvls\.cc:\d{2} NCCL WARN )(?<!nvls\.cc:\d{3} NCCL WARN )" + _failure(_ELSEWHERE),
        samples=(
            Sample(
                _AT + "init.cc:1508 NCCL WARN Cuda failure 'invalid device context'",
                {"error": "invalid device context"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=45,
        title="a CUDA call of NCCL failed on this rank",
        note="`invalid device context` in a container is a bug of NCCL before 2.21.",
        advice=(
            *OLD_NCCL,
            Advice(
                "training",
                "rerun with NCCL_DEBUG=INFO: it names the call that ended in `{error}`; memory, driver and container "
                "set-up come first",
            ),
        ),
    ),
)

MEMORY = (
    Pattern(
        name="nccl_device.shared_memory",
        anchors=(
            "shared memory segment",
            "Error: failed to extend ",
            "failed to create shared memory file",
            "Call to posix_fallocate failed",
        ),
        regex=r"Error: failed to extend (?P<path>\S+) to (?P<size>\d+) bytes"
        r"|Error while (?:creating|attaching to) shared memory segment (?P<segment>\S+) \(size (?P<segment_size>\d+)\)"
        r"|failed to create shared memory file (?P<file>\S+?),? error"
        r"|include/shm\.h:\d+ NCCL WARN Call to posix_fallocate failed",
        samples=(
            Sample(
                _AT
                + "misc/shmutils.cc:72 NCCL WARN Error: failed to extend /dev/shm/nccl-Kx3Q to 33030532 bytes, error: "
                "No space left on device (28)",
                {"path": "/dev/shm/nccl-Kx3Q", "size": "33030532"},
            ),
            Sample(
                _AT
                + "misc/shmutils.cc:113 NCCL WARN Error while creating shared memory segment /dev/shm/nccl-Kx3Q (size "
                "33030528), error: No space left on device (28)",
                {"segment": "/dev/shm/nccl-Kx3Q", "segment_size": "33030528"},
            ),
            Sample(_AT + "include/shm.h:28 NCCL WARN Call to posix_fallocate failed : No space left on device"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=75,
        title="no shared memory left for NCCL",
        note="/dev/shm is full, or the container's limit is low.",
        advice=(
            Advice(
                "infrastructure",
                "enlarge /dev/shm[ on {host}]: docker --shm-size or --ipc=host, in Kubernetes an emptyDir of "
                "medium Memory at /dev/shm",
            ),
        ),
    ),
    Pattern(
        name="nccl_device.cuda_malloc",
        anchors=("Failed to CUDA malloc ", "Failed to CUDA calloc ", "Failed to CUDA host alloc "),
        regex=r"(?<!\d )Failed to CUDA (?:malloc|calloc|host alloc)(?: async)? (?P<size>\d+) bytes",
        samples=(Sample(_AT + "include/alloc.h:246 NCCL WARN Failed to CUDA calloc async 16 bytes", {"size": "16"}),),
        role=Role.CAUSE,
        cls=FailureClass.GPU_OOM,
        weight=65,
        title="NCCL found no memory on this rank's GPU",
        advice=(
            Advice(
                "training",
                "leave NCCL some memory[ on {rank}]: a smaller batch, or a lower "
                "torch.cuda.set_per_process_memory_fraction; NCCL_BUFFSIZE and NCCL_MAX_NCHANNELS lower what it "
                "takes",
            ),
            Advice("infrastructure", "look with nvidia-smi for other processes on that GPU[ of {host}]"),
        ),
    ),
    Pattern(
        name="nccl_device.malloc",
        anchors=("Failed to malloc ",),
        regex=r"(?<!\d )Failed to malloc (?P<size>\d+) bytes",
        samples=(Sample(_AT + "include/alloc.h:69 NCCL WARN Failed to malloc 1048576 bytes", {"size": "1048576"}),),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=65,
        title="NCCL found no host memory",
        advice=ROOM_ON_HOST,
    ),
    Pattern(
        name="nccl_device.mnnvl",
        anchors=("MNNVL is not supported", ") is available but not "),
        regex=r"MNNVL (?:is not supported on this system|\(cliqueSize (?P<clique>\d+)\) is available but not \w+)",
        samples=(
            Sample(
                _AT
                + "mnnvl.cc:24 NCCL WARN MNNVL (cliqueSize 72) is available but not working on this system. Check the "
                "IMEX configuration (nvidia-imex-ctl -N).",
                {"clique": "72"},
            ),
            Sample(_AT + "mnnvl.cc:12 NCCL WARN MNNVL is not supported on this system"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=60,
        title="multi-node NVLink is not set up on this node",
        advice=(
            Advice(
                "infrastructure",
                "set up nvidia-imex on all nodes of the NVLink domain, or run with NCCL_MNNVL_ENABLE=0",
            ),
        ),
    ),
)

FORMAT = LineFormat(
    name="nccl_device",
    title="NCCL: GPU and memory of the node",
    reference="NCCL src/include/checks.h, alloc.h, transport/nvls.cc, misc/shmutils.cc, mnnvl.cc, 2.14 to 2.30",
    patterns=CUDA + MEMORY,
    programs=(Program(Kind.LIBRARY, ("nccl_device",), traits=(Trait.TOGETHER, Trait.WARNS)),),
)
