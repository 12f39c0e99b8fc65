"""GPU memory: the caching allocator's OOM in all wordings, and OOM under other names (CUDA, cuBLAS, cuDNN, XLA).

GPU numbers are CUDA device indices inside the process: with one visible GPU always 0, never a rank.
"""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample
from logtui.parsers.remedies import LIBRARY_MEMORY, ROOM_ON_GPU

_SIZE = r"[\d.]+ (?:bytes|[KMGT]i?B)"
_OOM = r"(?<![\"'(])(?:CUDA|HIP|XPU|NPU|MPS) (?:backend )?out of memory\."
_RAISED = "[rank57]: torch.OutOfMemoryError: CUDA out of memory. "
_MODERN = (
    r" Tried to allocate (?P<tried>" + _SIZE + r")\. (?:GPU|NPU|XPU) (?P<device>\d+) has a total capaci?ty of "
    r"(?P<total>" + _SIZE + r") of which (?P<free>" + _SIZE + r") is free\."
    r"(?: Process (?P<other_pid>\d+) has (?P<other_used>" + _SIZE + r") memory in use\.)?"
    r"(?: Process \d+ has " + _SIZE + r" memory in use\.){0,64}"
    r"(?: Including non-PyTorch memory, this process has (?P<used>" + _SIZE + r") memory in use\.)?"
    r"(?: Process (?P<later_pid>\d+) has (?P<later_used>" + _SIZE + r") memory in use\.)?"
    r"(?:.{0,400}?(?P<allocated>" + _SIZE + r") is allocated by PyTorch)?"
    r"(?:.{0,200}?(?P<reserved>" + _SIZE + r") is reserved by PyTorch but unallocated)?"
)
_LEGACY = (
    r" Tried to allocate (?P<tried>" + _SIZE + r") \(GPU (?P<device>\d+); (?P<total>" + _SIZE + r") total capacity; "
    r"(?P<allocated>" + _SIZE + r") already allocated; (?P<free>" + _SIZE + r") free"
    r"(?:; " + _SIZE + r" allowed)?(?:; (?P<reserved>" + _SIZE + r") (?:reserved in total by PyTorch|cached))?"
)

FORMAT = LineFormat(
    name="gpu_memory",
    title="GPU memory",
    reference="pytorch c10/cuda/CUDACachingAllocator.cpp, 1.12 to 2.15",
    patterns=(
        Pattern(
            name="gpu_memory.oom",
            anchors=(" out of memory. Tried to allocate ",),
            regex=_OOM + _MODERN,
            samples=(
                Sample(
                    _RAISED + "Tried to allocate 3.38 GiB. GPU 3 has a total capacity of 79.33 GiB of which 88.12 MiB "
                    "is free. Process 4411 has 2.10 GiB memory in use. Including non-PyTorch memory, this process has "
                    "77.10 GiB memory in use. Of the allocated memory 74.02 GiB is allocated by PyTorch, with 1.00 GiB "
                    "allocated in private pools (e.g., CUDA Graphs), and 1.31 GiB is reserved by PyTorch but "
                    "unallocated. If reserved but unallocated memory is large try setting "
                    "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.",
                    {
                        "tried": "3.38 GiB",
                        "device": "3",
                        "total": "79.33 GiB",
                        "free": "88.12 MiB",
                        "used": "77.10 GiB",
                        "other_pid": "4411",
                        "other_used": "2.10 GiB",
                        "allocated": "74.02 GiB",
                        "reserved": "1.31 GiB",
                    },
                ),
                Sample(
                    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total "
                    "capacty of 15.77 GiB of which 8.12 MiB is free. Including non-PyTorch memory, this process has "
                    "13.20 GiB memory in use. Process 7 has 2.50 GiB memory in use. Of the allocated memory 12.00 GiB "
                    "is allocated by PyTorch, and 700.00 MiB is reserved by PyTorch but unallocated.",
                    {"total": "15.77 GiB", "later_pid": "7", "allocated": "12.00 GiB", "reserved": "700.00 MiB"},
                ),
                Sample(
                    "[rank5]: torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
                    "capacity of 63.98 GiB of which 0 bytes is free.",
                    {"free": "0 bytes"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_OOM,
            weight=80,
            title="CUDA out of memory on this rank",
            note="The first rank to print it is the culprit; the others wait for it. Other pids on the GPU are "
            "leftovers, other jobs, or two ranks on one GPU.",
            advice=(
                *ROOM_ON_GPU,
                Advice(
                    "infrastructure",
                    "process {other_pid} holds {other_used} of GPU {device}[ on {host}]: find out whose it is "
                    "(nvidia-smi, ps) before the next start",
                ),
            ),
        ),
        Pattern(
            name="gpu_memory.oom_legacy",
            anchors=(" out of memory. Tried to allocate ",),
            regex=_OOM + _LEGACY,
            samples=(
                Sample(
                    "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 1; 39.41 GiB total capacity; "
                    "35.10 GiB already allocated; 1.20 GiB free; 36.00 GiB reserved in total by PyTorch) If reserved "
                    "memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.",
                    {
                        "tried": "2.00 GiB",
                        "device": "1",
                        "total": "39.41 GiB",
                        "allocated": "35.10 GiB",
                        "free": "1.20 GiB",
                        "reserved": "36.00 GiB",
                    },
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_OOM,
            weight=80,
            title="CUDA out of memory on this rank",
            note="Up to 2.0.",
            advice=ROOM_ON_GPU,
        ),
        Pattern(
            name="gpu_memory.oom_other",
            anchors=("CUDA out of memory.", "HIP out of memory.", "NPU out of memory.", "XPU out of memory."),
            regex=_OOM + r"(?! Tried to allocate [\d.]+ \w+(?:\. (?:GPU|NPU|XPU) \d+ has a total| \(GPU \d+; ))"
            r"(?:.{0,200}?(?:Requested size:|Tried to allocate) (?P<tried>" + _SIZE + r"))?",
            samples=(
                Sample(
                    _RAISED + "Allocation was preemptively rejected because it would exceed "
                    "per_process_memory_fraction limit. Requested size: 2.00 GiB",
                    {"tried": "2.00 GiB"},
                ),
                Sample("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate more than 1EB memory."),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_OOM,
            weight=75,
            title="CUDA out of memory on this rank",
            advice=ROOM_ON_GPU,
        ),
        Pattern(
            name="gpu_memory.julia",
            anchors=("Out of GPU memory trying to allocate ",),
            regex=r"Out of GPU memory trying to allocate (?P<tried>[\d.]+ \w{1,5})",
            samples=(
                Sample("ERROR: LoadError: Out of GPU memory trying to allocate 57.510 MiB", {"tried": "57.510 MiB"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_OOM,
            weight=75,
            title="Julia found no memory on this process's GPU",
            note="CUDA.jl, and AMDGPU.jl after it. The lines behind it tell how much of the GPU others hold.",
            advice=ROOM_ON_GPU,
        ),
        Pattern(
            name="gpu_memory.driver_oom",
            anchors=(
                "CUDA error: out of memory",
                "HIP error: out of memory",
                "CUDA Error: out of memory",
                "Triton Error [CUDA]: out of memory",
                "cudaErrorMemoryAllocation: out of memory",
                "cudaErrorMemoryAllocation out of memory",
                "CUDA: out of memory",
                "error=2 : out of memory",
                "error (2) : out of memory",
            ),
            regex=r"(?:(?<![\"'(])(?:CUDA|HIP) [Ee]rror: |Triton Error \[\w+\]: |cudaErrorMemoryAllocation:? |(?<![\"'(])\bCUDA: "
            r"|THCudaCheck FAIL [^\n]{1,300} error=2 : |\bcuda runtime error \(2\) : )"
            r"(?P<error>out of memory)",
            samples=(
                Sample("[rank57]: RuntimeError: CUDA error: out of memory", {"error": "out of memory"}),
                Sample(  # RAPIDS
                    "MemoryError: std::bad_alloc: out_of_memory: CUDA error at: rmm/cuda_memory_resource.hpp:57: cudaErrorMemoryAllocation out of memory"
                ),
                Sample(  # DGL and what grew from it, TVM, MXNet
                    "F /src/cuda_device.cc:57] Check failed: e == cudaSuccess || e == cudaErrorCudartUnloading: CUDA: out of memory"
                ),
                Sample("Check failed: e == cudaSuccess || e == cudaErrorCudartUnloading [4821]CUDA: out of memory"),
                Sample(  # Torch7, and PyTorch before 1.1
                    "THCudaCheck FAIL file=/opt/torch/lib/THC/generic/THCStorage.cu line=57 error=2 : out of memory"
                ),
                Sample("luajit: nn/Module.lua:57: cuda runtime error (2) : out of memory at THC/THCStorage.cu:57"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_OOM,
            weight=75,
            title="the GPU of this rank is full",
            note="The driver's own message, not the allocator's: often another process on the GPU.",
            advice=(
                Advice(
                    "infrastructure",
                    "look with nvidia-smi for other processes on that GPU[ of {host}]: the driver itself had nothing "
                    "left",
                ),
                Advice(
                    "training",
                    "lower the memory needed[ on {rank}]: a smaller micro batch, activation checkpointing, sharding; "
                    "where one rank alone runs out, compare its load with the others'",
                ),
            ),
        ),
        Pattern(
            name="gpu_memory.cublas",
            anchors=(
                "CUBLAS_STATUS_ALLOC_FAILED",
                "CUBLAS_STATUS_NOT_INITIALIZED",
                "CUFFT_ALLOC_FAILED",
                "CUSOLVER_STATUS_ALLOC_FAILED",
                "CUSPARSE_STATUS_ALLOC_FAILED",
                "CUSOLVER_STATUS_NOT_INITIALIZED",
            ),
            regex=r"(?<![\"'(])[Ee]rror: (?P<status>CU(?:BLAS|FFT|SOLVER|SPARSE)_(?:STATUS_)?(?:ALLOC_FAILED|NOT_INITIALIZED))",
            samples=(
                Sample(
                    "[rank57]: RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
                    {"status": "CUBLAS_STATUS_ALLOC_FAILED"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_OOM,
            weight=65,
            title="cuBLAS found no memory on this rank's GPU",
            note="OOM in disguise. Two ranks on one device look the same.",
            advice=LIBRARY_MEMORY,
        ),
        Pattern(
            name="gpu_memory.cudnn",
            anchors=(
                "CUDNN_STATUS_NOT_INITIALIZED",
                "CUDNN_STATUS_ALLOC_FAILED",
                "_ALLOCATION_FAILED",
                "miopenStatusAllocFailed",
            ),
            regex=r"(?:cuDNN|MIOpen) [Ee]rror: (?P<status>CUDNN_STATUS_(?:NOT_INITIALIZED|ALLOC_FAILED"
            r"|INTERNAL_ERROR_(?:HOST|DEVICE)_ALLOCATION_FAILED)|miopenStatusAllocFailed)",
            samples=(
                Sample(
                    "[rank57]: RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED",
                    {"status": "CUDNN_STATUS_NOT_INITIALIZED"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_OOM,
            weight=60,
            title="cuDNN found no memory on this rank's GPU",
            note="OOM in disguise; a broken cuDNN installation fails on every rank at the first call.",
            advice=LIBRARY_MEMORY,
        ),
        Pattern(
            name="gpu_memory.xla",
            anchors=("RESOURCE_EXHAUSTED: ",),
            regex=r"RESOURCE_EXHAUSTED: .{0,80}?[Oo]ut of memory(?! allocating \d)(?: while trying to allocate (?P<tried>\d+ bytes|[\d.]+\w+))?",
            samples=(
                Sample(
                    "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate "
                    "2147483648 bytes.",
                    {"tried": "2147483648 bytes"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_OOM,
            weight=75,
            title="XLA: the GPU is full",
            advice=(
                Advice(
                    "training",
                    "lower the memory needed[ on {rank}], or XLA_PYTHON_CLIENT_MEM_FRACTION where others use that GPU",
                ),
            ),
        ),
        Pattern(
            name="gpu_memory.detected",
            anchors=("Detected OutOfMemoryError!",),
            regex=r"\bDetected OutOfMemoryError!",
            samples=(Sample("ERROR: Detected OutOfMemoryError! Trying again with checkpointing, which is slower"),),
            role=Role.CAUSE,
            cls=FailureClass.GPU_OOM,
            weight=66,
            title="GPU memory ran out",
            note="As Pytorch-UNet's script says; it tries once more with less.",
        ),
    ),
)
