"""Exceptions of GPUs and of what runs on them: the device, the kernel, the libraries it was built for."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass
from logtui.parsers.remedies import GPU_ACCESS, OWN_GPU, READ_KERNEL_LOG

_OF_CUDA = r"(?:cuda|torch|c10|nccl|flash|apex|transformer_engine|triton|cudnn|cublas|xformers|_ZNK?2at)"
_OF_CUDA_UNDEFINED = rf"{_OF_CUDA}[^\n]{{0,300}}undefined symbol|undefined symbol[^\n]{{0,120}}{_OF_CUDA}"

GPU = (
    ExceptionKind(
        name="exception.gpu_failed",
        writer="the CUDA runtime's texts, in torch: RuntimeError to 2.7, AcceleratorError from 2.8; pynvml (GPU is lost)",
        says=(
            r"ECC error",
            r"nvlink (?:error|fault|fatal|failure)",
            r"CUDA error: unknown error",
            r"CUDA unknown error",
            r"device(?:s|\(s\))? (?:is|are)(?:/are)? busy or unavailable",
            r"GPU is lost",
            r"hardware stack error",
        ),
        cls=FailureClass.GPU_HARDWARE,
        weight=82,
        title="the GPU failed",
        advice=READ_KERNEL_LOG,
        samples=(
            Raised("RuntimeError: CUDA error: uncorrectable ECC error encountered"),
            Raised("torch.AcceleratorError: CUDA error: uncorrectable NVLink error detected during the execution"),
            Raised("RuntimeError: CUDA error: unknown error"),
            Raised(
                "RuntimeError: CUDA unknown error - this may be due to an incorrectly set up environment, e.g. changing env "
                "variable CUDA_VISIBLE_DEVICES after program start. Setting the available devices to be zero.",
                ("torch/cuda/__init__.py _lazy_init",),
            ),
            Raised("RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable"),
            Raised("torch.AcceleratorError: CUDA error: CUDA-capable device(s) is/are busy or unavailable"),
            Raised("pynvml.NVMLError_GpuIsLost: GPU is lost"),
            Raised("RuntimeError: CUDA error: hardware stack error"),
        ),
    ),
    ExceptionKind(
        name="exception.forked_gpu",
        writer="torch.cuda, _lazy_init, 0.4 and later",
        says=(r"Cannot re-initialize CUDA in forked subprocess",),
        cls=FailureClass.SOFTWARE,
        weight=70,
        title="a forked process uses the GPU, whose parent had used it before",
        advice=(
            Advice(
                "training",
                "keep tensors of the GPU out of data sets and their workers, or start workers with the spawn method",
            ),
        ),
        samples=(
            Raised(
                "RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the "
                "'spawn' start method",
                ("/opt/job/dataset.py __getitem__", "torch/cuda/__init__.py _lazy_init"),
            ),
        ),
    ),
    ExceptionKind(
        name="exception.no_such_gpu",
        writer="the CUDA runtime's texts, in torch; CUDA_VISIBLE_DEVICES or local ranks that do not fit the node",
        says=(r"invalid device ordinal",),
        cls=FailureClass.CONFIG,
        weight=72,
        title="a GPU that is not there was asked for",
        advice=OWN_GPU,
        samples=(
            Raised("RuntimeError: CUDA error: invalid device ordinal"),
            Raised(
                "torch.distributed.DistBackendError: NCCL error in: /opt/pytorch/torch/csrc/distributed/c10d/NCCLUtils.hpp:57, "
                "unhandled cuda error (run with NCCL_DEBUG=INFO for details), NCCL version 2.18.6\n"
                "ncclUnhandledCudaError: Call to CUDA function failed.\n"
                "Last error:\nCuda failure 'invalid device ordinal'"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.no_gpu",
        writer="torch.cuda; the CUDA runtime's texts, in torch; Habana's bridge for torch (synStatus); DeepSpeed's launcher",
        says=(
            r"No CUDA GPUs are available",
            r"no CUDA-capable device",
            r"system not yet initialized",
            r"Device acquire failed",
            r"no GPU resources available",
        ),
        cls=FailureClass.GPU_HARDWARE,
        weight=62,
        title="no GPU is visible",
        advice=GPU_ACCESS,
        samples=(
            Raised("RuntimeError: No CUDA GPUs are available"),
            Raised("RuntimeError: CUDA error: no CUDA-capable device is detected"),
            Raised(
                "RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling "
                "NumCudaDevices() that might have already set an error? Error 802: system not yet initialized"
            ),
            Raised("RuntimeError: synStatus=8 [Device not found] Device acquire failed."),
            Raised("RuntimeError: Unable to proceed, no GPU resources available"),
        ),
    ),
    ExceptionKind(
        name="exception.cuda_kernel",
        writer="the CUDA runtime's texts, in torch; its names of errors, in CuPy",
        says=(
            r"illegal memory access",
            r"device-side assert",
            r"unspecified launch failure",
            r"misaligned address",
            r"illegal instruction",
            r"CUDA error: invalid",
        ),
        cls=FailureClass.CUDA_SOFTWARE,
        weight=72,
        title="a CUDA kernel failed",
        advice=(
            Advice(
                "training",
                "rerun with CUDA_LAUNCH_BLOCKING=1, or under compute-sanitizer, to find the kernel; until then "
                "the Python line is not the place",
            ),
        ),
        samples=(
            Raised("torch.AcceleratorError: CUDA error: an illegal memory access was encountered"),
            Raised("RuntimeError: CUDA error: device-side assert triggered"),
            Raised("RuntimeError: CUDA error: unspecified launch failure"),
            Raised("RuntimeError: CUDA error: misaligned address"),
            Raised("RuntimeError: CUDA error: an illegal instruction was encountered"),
            Raised("RuntimeError: CUDA error: invalid configuration argument"),
            Raised(
                "cupy_backends.cuda.api.runtime.CUDARuntimeError: cudaErrorIllegalAddress: an illegal memory access was encountered"
            ),
        ),
    ),
    ExceptionKind(
        name="exception.cuda_library",
        writer="cuBLAS and cuDNN statuses, in torch",
        says=(r"CU(?:BLAS|DNN)_STATUS_(?:EXECUTION_FAILED|INTERNAL_ERROR|INVALID_VALUE|MAPPING_ERROR)",),
        cls=FailureClass.CUDA_SOFTWARE,
        weight=72,
        title="a CUDA kernel failed",
        samples=(
            Raised(
                "RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasGemmEx( handle, opa, opb, m, n, k )`"
            ),
            Raised("RuntimeError: cuDNN error: CUDNN_STATUS_MAPPING_ERROR"),
        ),
    ),
    ExceptionKind(
        name="exception.extension_unfit",
        writer="the dynamic linker through CPython; torch.utils.cpp_extension (CUDA_HOME); Apex (amp_C)",
        types=(r"ImportError", r"OSError"),
        says=(_OF_CUDA_UNDEFINED, r"libcud(?:art|nn)", r"libnccl", r"CUDA_HOME", r"amp_C"),
        cls=FailureClass.CUDA_SOFTWARE,
        weight=66,
        title="a compiled extension does not fit the installed libraries",
        advice=(
            Advice(
                "training",
                "rebuild the extension against the installed PyTorch and CUDA, or install the wheel that is "
                "built for them; CUDA_HOME is where bin/nvcc is",
            ),
        ),
        samples=(
            Raised(
                "ImportError: /opt/venv/lib/python3.12/site-packages/flash_attn_2_cuda.cpython-312-x86_64-linux-gnu.so: undefined symbol: _ZN3c105ErrorE"
            ),
            Raised("ImportError: cannot import name 'multi_tensor_l2norm57' from 'amp_C' (unknown location)"),
            Raised("ImportError: libcudart.so.11.0: cannot open shared object file: No such file or directory"),
            Raised("ImportError: libnccl.so.2: cannot open shared object file: No such file or directory"),
            Raised("OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root."),
        ),
    ),
    ExceptionKind(
        name="exception.library_missing",
        writer="the dynamic linker through CPython's ctypes and cffi; of an import it is `exception.import`",
        types=(r"OSError",),
        says=(r"cannot open shared object file", r"undefined symbol", r"version `\S{1,60}' not found"),
        cls=FailureClass.SOFTWARE,
        weight=62,
        title="a library of the system is missing, or of another version",
        advice=(
            Advice("training", "install it in the image that the job runs in; on one host only, its image differs"),
        ),
        samples=(
            Raised("OSError: libsndfile57.so.1: cannot open shared object file: No such file or directory"),
            Raised("OSError: /data/lib/libsox57.so: undefined symbol: sox_open57"),
            Raised("OSError: /lib/libm.so.6: version `GLIBC_2.57' not found (required by /data/lib/libsox.so)"),
        ),
    ),
)
