"""Exceptions that say that memory ran out: of GPUs, of hosts, and memory that processes share."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass
from logtui.parsers.remedies import LESS_ON_HOST, LIBRARY_MEMORY, ROOM_IN_SHM, ROOM_ON_HOST

_XLA_EXHAUSTED = r"RESOURCE_EXHAUSTED: (?!Out of memory allocating \d{1,20} bytes)[^\n]{0,120}(?:memory|allocat)"
"""gRPC's status of that name speaks of quotas and sizes of messages."""

GPU_MEMORY = (
    ExceptionKind(
        name="exception.gpu_oom",
        writer="torch caching allocators: CUDA and HIP every version, MPS 1.12, XPU 2.0; torch_npu 1.8 and later",
        says=(r"(?:CUDA|HIP|NPU|XPU|HPU|MPS backend) out of memory", r"(?:CUDA|HIP) error: out of memory"),
        cls=FailureClass.GPU_OOM,
        weight=80,
        title="GPU memory ran out",
        samples=(
            Raised(
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 5.70 GiB. GPU 3 has a total capacity of 79.15 GiB "
                "of which 57.00 MiB is free. Including non-PyTorch memory, this process has 79.00 GiB memory in use."
            ),
            Raised("RuntimeError: NPU out of memory. Tried to allocate 5.70 GiB (NPU 3; 60.97 GiB total capacity)"),
            Raised("RuntimeError: MPS backend out of memory (MPS allocated: 5.71 GB, max allowed: 9.07 GB)."),
            Raised("torch.AcceleratorError: CUDA error: out of memory"),
        ),
    ),
    ExceptionKind(
        name="exception.gpu_oom_runtime",
        writer="CuPy 8, XGBoost 1 and later, with the CUDA runtime's or HIP's name of the error; MindSpore 1 and 2 on Ascend; Theano 0.7 to 1.0",
        says=(
            r"(?:cuda|hip)Error(?:MemoryAllocation|OutOfMemory)",
            r"Malloc for kernel \w{1,20} failed, Memory isn't enough",
            r"Error allocating \d{1,20} bytes of device memory",
        ),
        cls=FailureClass.GPU_OOM,
        weight=80,
        title="GPU memory ran out",
        samples=(
            Raised("cupy_backends.cuda.api.runtime.CUDARuntimeError: cudaErrorMemoryAllocation: out of memory"),
            Raised("cupy_backends.cuda.api.runtime.CUDARuntimeError: hipErrorOutOfMemory: out of memory"),
            Raised("MemoryError: Error allocating 5757 bytes of device memory (out of memory)."),
            Raised("RuntimeError: Malloc for kernel output failed, Memory isn't enough, node:Default/network57/conv"),
        ),
    ),
    ExceptionKind(
        name="exception.gpu_oom_framework",
        writer="jaxlib 0.3 and later; TensorFlow 2 (BFC allocator); Paddle 2 (memory/allocation)",
        says=(
            _XLA_EXHAUSTED,
            r"OOM when allocating tensor",
            r"Out of memory error on GPU",
        ),
        cls=FailureClass.GPU_OOM,
        weight=80,
        title="GPU memory ran out",
        samples=(
            Raised(
                "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 5757 bytes."
            ),
            Raised(
                "tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM when allocating tensor with shape[57,7] and "
                "type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc"
            ),
            Raised(
                "MemoryError: ResourceExhaustedError: Out of memory error on GPU 3. Cannot allocate 5.70GB memory on GPU 3."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.gpu_oom_graph",
        writer="TensorFlow 2.8 and later: what the graph ran out of stands paragraphs below",
        types=(r"ResourceExhaustedError",),
        says=(r"Graph execution error",),
        cls=FailureClass.GPU_OOM,
        weight=70,
        title="GPU memory ran out",
        samples=(Raised("tensorflow.python.framework.errors_impl.ResourceExhaustedError: Graph execution error:"),),
    ),
    ExceptionKind(
        name="exception.gpu_oom_server",
        writer="vLLM 0.3 and later (worker, kv_cache_utils); SGLang 0.2 and later (model_runner)",
        says=(
            r"Free memory on device",
            r"Not enough memory\. Please try to increase --mem-fraction",
        ),
        cls=FailureClass.GPU_OOM,
        weight=80,
        title="GPU memory ran out",
        samples=(
            Raised(
                "ValueError: Free memory on device (5.7/79.15 GiB) on startup is less than desired GPU memory utilization (0.9, 71.24 GiB)."
            ),
            Raised("RuntimeError: Not enough memory. Please try to increase --mem-fraction-static."),
        ),
    ),
    ExceptionKind(
        name="exception.gpu_oom_cache",
        writer="vLLM 0.3 and later: its share of the GPU's memory, which a setting gives, is full of the model",
        says=(r"No available memory for the cache blocks",),
        cls=FailureClass.GPU_OOM,
        weight=66,
        title="no GPU memory is left for the cache of keys and values",
        samples=(
            Raised(
                "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.nccl_gpu_oom",
        writer="NCCL alloc.h 2.10 and later, quoted by torch as the last error",
        says=(r"Failed to CUDA (?:m|c)alloc",),
        cls=FailureClass.GPU_OOM,
        weight=64,
        title="NCCL could not allocate GPU memory",
        samples=(
            Raised(
                "torch.distributed.DistBackendError: NCCL error in: /opt/pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:57, "
                "unhandled cuda error (run with NCCL_DEBUG=INFO for details), NCCL version 2.21.5\n"
                "ncclUnhandledCudaError: Call to CUDA function failed.\n"
                "Last error:\nFailed to CUDA calloc async 5757 bytes"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.gpu_oom_type",
        writer="torch 1.13 and later with cudaMallocAsync; CuPy's memory pool",
        types=(r"OutOfMemoryError",),
        cls=FailureClass.GPU_OOM,
        weight=78,
        title="GPU memory ran out",
        samples=(
            Raised("torch.OutOfMemoryError: Allocation on device 3 would exceed allowed memory. (out of memory)"),
            Raised(
                "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 5,757 bytes (allocated so far: 57 bytes)."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.gpu_oom_library",
        writer="torch with cuDNN 7 to 9 and cuBLAS 9 to 12: a handle is made when memory is full",
        says=(
            r"CUDNN_STATUS_NOT_INITIALIZED",
            r"CUDNN_STATUS_ALLOC_FAILED",
            r"CUBLAS_STATUS_ALLOC_FAILED",
            r"CUBLAS_STATUS_NOT_INITIALIZED",
        ),
        cls=FailureClass.GPU_OOM,
        weight=70,
        title="no GPU memory left for a library",
        advice=LIBRARY_MEMORY,
        samples=(
            Raised("RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED"),
            Raised("RuntimeError: cuDNN error: CUDNN_STATUS_ALLOC_FAILED"),
            Raised("RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
            Raised("RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`"),
        ),
    ),
    ExceptionKind(
        name="exception.gpu_oom_tensorflow",
        writer="TensorFlow 1 and 2: another process holds the GPU's memory, so that cuBLAS was not initialised",
        types=(r"InternalError",),
        says=(r"\bBlas \w{0,24}GEM[MV]\w{0,24} launch failed", r"\bcuDNN launch failure\b"),
        cls=FailureClass.GPU_OOM,
        weight=60,
        title="no GPU memory left for a library",
        advice=LIBRARY_MEMORY,
        samples=(
            Raised("InternalError: Blas GEMM launch failed : a.shape=(57, 7), b.shape=(7, 57), m=57, n=57, k=7"),
            Raised(
                "tensorflow.python.framework.errors_impl.InternalError: Blas xGEMMBatched launch failed : a.shape=[57,7,5]"
            ),
            Raised("InternalError: cuDNN launch failure : input shape ([57,7,7,3])"),
        ),
    ),
)

RAY_MEMORY = (
    ExceptionKind(
        name="exception.ray_oom",
        writer="Ray 2.2 and later, its memory monitor",
        types=(r"OutOfMemoryError",),
        says=(r"\bnode running low on memory|\bRay killed this worker|memory usage threshold",),
        cls=FailureClass.HOST_OOM,
        weight=80,
        title="host memory ran out",
        samples=(
            Raised(
                "ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory.\n"
                "  Memory on the node (IP: 10.0.0.7, ID: 57ab) where the task was running was 57.02GB / 60.00GB (0.950333), which "
                "exceeds the memory usage threshold of 0.95. Ray killed this worker (ID: 57cd) because it was the most recently "
                "scheduled task."
            ),
        ),
    ),
)

HOST_MEMORY = (
    ExceptionKind(
        name="exception.xla_host_memory",
        writer="XLA's client of CPUs, jaxlib 0.4 and later; those of GPUs say `while trying to allocate`",
        says=(r"RESOURCE_EXHAUSTED: Out of memory allocating \d{1,20} bytes",),
        cls=FailureClass.HOST_OOM,
        weight=60,
        title="host memory ran out",
        note="JAX ran on the CPU; with a GPU meant, it was not found.",
        advice=LESS_ON_HOST,
        samples=(
            Raised("jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Out of memory allocating 57571234567890 bytes."),
        ),
    ),
    ExceptionKind(
        name="exception.memory_error",
        writer="CPython, NumPy 1.17 and later",
        types=(r"MemoryError",),
        cls=FailureClass.HOST_OOM,
        weight=78,
        title="host memory ran out",
        advice=ROOM_ON_HOST,
        samples=(
            Raised("MemoryError"),
            Raised(
                "numpy._core._exceptions._ArrayMemoryError: Unable to allocate 57.0 GiB for an array with shape (57, 7) and data type float64"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.host_oom",
        writer="Linux through CPython (ENOMEM); torch's CPU allocator; torch.utils.data: a worker got SIGKILL",
        says=(
            r"\[Errno 12\]|Cannot allocate memory",
            r"DefaultCPUAllocator",
            r"DataLoader worker .* killed by signal: Killed",
        ),
        cls=FailureClass.HOST_OOM,
        weight=75,
        title="host memory ran out",
        advice=ROOM_ON_HOST,
        samples=(
            Raised("OSError: [Errno 12] Cannot allocate memory"),
            Raised(
                "RuntimeError: [enforce fail at alloc_cpu.cpp:57] data. DefaultCPUAllocator: not enough memory: "
                "you tried to allocate 5757 bytes."
            ),
            Raised("RuntimeError: DataLoader worker (pid 4242) is killed by signal: Killed. "),
        ),
    ),
    ExceptionKind(
        name="exception.map_worker_died",
        writer="Hugging Face datasets 2.2 and later, map with num_proc",
        says=(r"subprocesses has abruptly died during map",),
        cls=FailureClass.HOST_OOM,
        weight=52,
        title="a worker process was killed, most often for want of memory",
        advice=(
            Advice("infrastructure", "look into the kernel log[ of {host}] for the OOM killer of that minute"),
            *LESS_ON_HOST,
        ),
        samples=(
            Raised(
                "RuntimeError: One of the subprocesses has abruptly died during map operation.To debug the error, disable multiprocessing."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.pool_worker_died",
        writer="CPython concurrent.futures.process 3.3 and later, quoted by torch._inductor too; loky 2.4 and later (joblib)",
        says=(
            r"terminated abruptly while the future",
            r"unexpectedly terminated\. This could be caused by",
        ),
        cls=FailureClass.HOST_OOM,
        weight=52,
        title="a worker process was killed, most often for want of memory",
        advice=(
            Advice("infrastructure", "look into the kernel log[ of {host}] for the OOM killer of that minute"),
            *LESS_ON_HOST,
        ),
        samples=(
            Raised(
                "torch._inductor.exc.InductorError: BrokenProcessPool: A process in the process pool was terminated abruptly "
                "while the future was running or pending."
            ),
            Raised(
                "joblib.externals.loky.process_executor.TerminatedWorkerError: A worker process managed by the executor was "
                "unexpectedly terminated. This could be caused by a segmentation fault while calling the function or by an "
                "excessive memory usage causing the Operating System to kill the worker."
            ),
        ),
    ),
    ExceptionKind(
        name="exception.pool_broken",
        writer="CPython concurrent.futures.process 3.9 and later; loky where its message is cut",
        types=(r"TerminatedWorkerError", r"BrokenProcessPool"),
        cls=FailureClass.HOST_OOM,
        weight=52,
        title="a worker process was killed, most often for want of memory",
        advice=(
            Advice("infrastructure", "look into the kernel log[ of {host}] for the OOM killer of that minute"),
            *LESS_ON_HOST,
        ),
        samples=(
            Raised(
                "concurrent.futures.process.BrokenProcessPool: A child process terminated abruptly, the process pool is not usable anymore"
            ),
            Raised("joblib.externals.loky.process_executor.TerminatedWorkerError: "),
        ),
    ),
    ExceptionKind(
        name="exception.shared_memory",
        writer="torch.utils.data (a worker got SIGBUS), torch at::MapAllocator, CPython on a full /dev/shm",
        says=(
            r"killed by signal: Bus error",
            r"unable to (?:mmap|open shared memory)(?!.*Too many open files)",
            r"No space left on device.*/dev/shm",
        ),
        cls=FailureClass.HOST_OOM,
        weight=72,
        title="shared memory ran out",
        advice=ROOM_IN_SHM,
        samples=(
            Raised(
                "RuntimeError: DataLoader worker (pid 4242) is killed by signal: Bus error. It is possible that dataloader's workers "
                "are out of shared memory. Please try to raise your shared memory limit."
            ),
            Raised("RuntimeError: unable to mmap 5757 bytes from file <filename not specified>: Invalid argument (22)"),
            Raised(
                "RuntimeError: unable to open shared memory object </torch_4242_57_7> in read-write mode: No such file or directory (2)"
            ),
            Raised("OSError: [Errno 28] No space left on device: '/dev/shm/torch_4242_57'"),
        ),
    ),
)
