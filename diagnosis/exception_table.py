"""What kind of failure a Python exception is, as data: first matching row wins.

The type alone rarely decides; the message and the deepest frames do. Rows run from specific to generic. Wrappers
and echoes of other processes' deaths have no class: they are symptoms wherever they stand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from logtui.parsers.pattern import FailureClass as C
from logtui.parsers.pattern import Role


@dataclass(frozen=True)
class Row:
    """One kind of exception. Empty expressions match anything."""

    type: str
    message: str
    frames: str
    cls: C | None
    weight: int
    title: str
    role: Role = Role.CAUSE

    @cached_property
    def _compiled(self) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
        return re.compile(self.type), re.compile(self.message, re.I), re.compile(self.frames, re.I)

    def matches(self, type_name: str, message: str, frames: str) -> bool:
        """Whether type, message and frames (paths and functions, deepest last) all fit."""
        t, m, f = self._compiled
        return bool(t.search(type_name) and m.search(message) and f.search(frames))


def _echo(type_name: str, message: str, title: str, frames: str = "") -> Row:
    return Row(type_name, message, frames, None, 0, title, Role.SYMPTOM)


DATA_CODE = (
    r"dataset|data_?loader|datamodule|datapipe|lhotse|webdataset|\bwds\b|tokeniz|indexed_|h5py|hdf5|\bdali\b|PIL/|"
    r"tarfile|zipfile|pyarrow|parquet|/data/|_utils/(?:fetch|worker)|collate"
)
DECODERS = r"/(?:moviepy|decord|torchvision/io|av|librosa|soundfile|torchaudio|imageio|ffmpeg|pydub|nibabel|rasterio|SimpleITK)/"
DATA_PATH = r"data|index|shard|corpus|train|valid|\.npy|\.bin|\.idx|\.parquet|\.jsonl|\.tar|\.h(?:df)?5|\.rec\b|img_info|\.arrow"

TABLE: tuple[Row, ...] = (
    # -- what Python's subprocess says of a child that said nothing itself
    Row(r"CalledProcessError", r"died with <Signals\.SIGKILL", "", C.HOST_OOM, 52, "a child process was killed with SIGKILL"),
    Row(r"CalledProcessError", r"died with <Signals\.SIG(?:SEGV|BUS|ILL|FPE)", "", C.SOFTWARE, 52, "a child process crashed"),
    Row(r"CalledProcessError", r"Command '\[?'?(?:\S*/)?(?:gcc|g\+\+|cc|c\+\+|clang\S*|nvcc|hipcc|ninja|ptxas\S*|ld|make|cmake)\b", "", C.SOFTWARE, 64, "a compiler failed"),
    # -- echoes and wrappers
    _echo(r"ChildFailedError|SignalException|ProcessRaisedException|ProcessExitedException|CalledProcessError", "", "a launcher reports a dead child"),
    _echo(r"RayTaskError|RayActorError|ActorDiedError|ActorUnavailableError|WorkerCrashedError", "", "Ray reports a dead actor"),
    _echo(r"", r"Storage size calculation overflowed", "garbage after an aborted collective"),
    _echo(r"", r"NCCL communicator was aborted|ncclRemoteError|remote process exited", "the communicator was aborted"),
    _echo(r"", r"Watchdog caught collective operation timeout|timed out in blocking wait", "the collective timed out here"),
    _echo(r"", r"Connection closed by (?:remote )?peer|Call to (?:recv|send)(?: (?:from|to) \S+)? failed ?: (?:Connection reset|Broken pipe)|Read error \[|Timed out waiting \d+ms for (?:recv|send)|Application timeout caused pair closure", "a peer is gone"),
    _echo(r"RendezvousClosedError|RendezvousGracefulExitError", "", "the other nodes have left the rendezvous"),
    _echo(r"ncclRemoteError|UnknownError", r"remote process|Horovod has been shut down", "another rank failed"),
    _echo(r"Dist(?:Network|Store)Error|RendezvousConnectionError", r"Broken pipe|reset by peer|failed to recv|connection was likely closed|c10d store", "the store is gone"),
    _echo(r"RuntimeError", r"^Broken pipe$", "the store is gone"),
    _echo(r"BrokenPipeError|ConnectionResetError|EOFError|ConnectionRefusedError", "", "the other end is gone", r"multiprocessing|resource_sharer|queues\.py|TCPStore|rendezvous"),
    _echo("", r"Hccl\w*, error code is|HCCL (?:function )?error|hccl api failed|ACL stream synchronize failed|AclrtSynchronize\w*WithTimeout, error code is 507048|EI000[26]: ", "a collective of NPUs failed here"),
    _echo(r"MailboxClosedError|ServiceDiedError", "", "the tracker's service has ended", "wandb"),
    Row("", r"DataLoader worker .* killed by signal: Hangup", "", C.INFRASTRUCTURE, 50, "the terminal was closed"),
    _echo(r"UnpicklingError", r"pickle data was truncated", "the parent of a spawned worker is gone", r"multiprocessing.spawn|popen_|spawn_main"),
    _echo(r"DataLoader|SystemError", r"killed by signal: Terminated", "workers end with their parent"),
    _echo(r"", r"DataLoader worker \(pid\(?s?\)? [\d, ]+\) is killed by signal: Terminated", "workers end with their parent"),
    # -- decisive
    Row("", r"Detected mismatch between collectives on ranks", "", C.COLLECTIVE_MISMATCH, 92, "ranks called different collectives"),
    Row("", r"failed to pass monitoredBarrier", "", C.COLLECTIVE_MISMATCH, 85, "a rank failed to reach the barrier"),
    # -- memory
    Row(r"OutOfMemoryError", r"ray|memory monitor", "", C.HOST_OOM, 80, "host memory ran out"),
    Row(r"", r"(?:CUDA|HIP|NPU|XPU|HPU|MPS backend) out of memory|(?:CUDA|HIP) error: out of memory|(?:cuda|hip)Error(?:MemoryAllocation|OutOfMemory)|RESOURCE_EXHAUSTED|OOM when allocating tensor|Out of memory error on GPU|Free memory on device|No available memory for the cache blocks|Not enough memory\. Please try to increase --mem-fraction", "", C.GPU_OOM, 80, "GPU memory ran out"),
    Row(r"", r"Failed to CUDA (?:m|c)alloc", "", C.GPU_OOM, 64, "NCCL could not allocate GPU memory"),
    Row(r"OutOfMemoryError", "", "", C.GPU_OOM, 78, "GPU memory ran out"),
    Row("", r"CUDNN_STATUS_NOT_INITIALIZED|CUBLAS_STATUS_ALLOC_FAILED|CUDNN_STATUS_ALLOC_FAILED|CUBLAS_STATUS_NOT_INITIALIZED", "", C.GPU_OOM, 70, "no GPU memory left for a library"),
    Row(r"MemoryError", "", "", C.HOST_OOM, 78, "host memory ran out"),
    Row("", r"\[Errno 12\]|Cannot allocate memory|DefaultCPUAllocator|DataLoader worker .* killed by signal: Killed", "", C.HOST_OOM, 75, "host memory ran out"),
    Row("", r"subprocesses has abruptly died during map|TerminatedWorkerError|terminated abruptly while the future|unexpectedly terminated\. This could be caused by", "", C.HOST_OOM, 52, "a worker process was killed, most often for want of memory"),
    Row("TerminatedWorkerError|BrokenProcessPool", "", "", C.HOST_OOM, 52, "a worker process was killed, most often for want of memory"),
    Row("", r"killed by signal: Bus error|out of shared memory|unable to (?:mmap|open shared memory)|No space left on device.*/dev/shm", "", C.HOST_OOM, 72, "shared memory ran out"),
    # -- GPU
    Row("", r"uncorrectable (?:ECC|NVLink) error|ECC error|fallen off the bus|CUDA error: unknown error|devices? (?:is|are)(?:/are)? busy or unavailable|GPU is lost|hardware stack error|nvlink (?:error|fault|fatal|failure)", "", C.GPU_HARDWARE, 82, "the GPU failed"),
    Row("", r"invalid device ordinal|invalid device context", "", C.CONFIG, 72, "a GPU that is not there was asked for"),
    Row("", r"No CUDA GPUs are available|no CUDA-capable device|system not yet initialized|Device acquire failed", "", C.GPU_HARDWARE, 62, "no GPU is visible"),
    Row("", r"illegal memory access|device-side assert|unspecified launch failure|misaligned address|illegal instruction|CUDA error: invalid|cudaErrorIllegalAddress|CU(?:BLAS|DNN)_STATUS_(?:EXECUTION_FAILED|INTERNAL_ERROR|INVALID_VALUE|MAPPING_ERROR)", "", C.CUDA_SOFTWARE, 72, "a CUDA kernel failed"),
    Row(r"ImportError|OSError", r"undefined symbol|libcud(?:art|nn)|libnccl|CUDA_HOME|amp_C", "", C.CUDA_SOFTWARE, 66, "a compiled extension does not fit the installed libraries"),
    # -- storage
    Row("", r"\[Errno 28\]|No space left on device|\[Errno 122\]|Disk quota exceeded|FilesystemQuotaExceeded|StorageFull", "", C.STORAGE_IO, 80, "the disk is full"),
    Row("", r"PytorchStreamWriter failed writing|file write failed|unexpected pos \d+ vs", "", C.STORAGE_IO, 76, "a checkpoint could not be written"),
    Row(r"RuntimeError", r"^File .{1,300} cannot be opened", r"serialization", C.STORAGE_IO, 58, "a checkpoint could not be written"),
    Row("", r"\[Errno (?:5|30|108|116|121)\]|Input/output error|Stale file handle|Read-only file system|Remote I/O error|transport endpoint shutdown", "", C.STORAGE_IO, 78, "the file system failed"),
    Row(r"AISBatchLoaderError|AISError|ais\.", "", "", C.STORAGE_IO, 72, "AIStore could not deliver"),
    Row("", r"AWS Error [A-Z_]+ during \w+ operation", "", C.STORAGE_IO, 68, "the object store could not be reached"),
    Row(r"NoCredentialsError|PartialCredentialsError|TokenRetrievalError|DefaultCredentialsError", "", "", C.CONFIG, 58, "the object store was given no credentials"),
    Row(r"ServiceUnavailable|TooManyRequests|GatewayTimeout|RetryError|InternalServerError", "", r"google|cloud|storage|gcs|azure|blob", C.STORAGE_IO, 66, "the object store could not be reached"),
    Row("", r"\[Errno (?:110|111|113)\]", DATA_CODE + r"|fsspec|urllib|\b(?:open|read)\w*$", C.STORAGE_IO, 58, "a connection to read from was lost"),
    Row(r"FSTimeoutError", "", "", C.STORAGE_IO, 66, "the object store could not be reached"),
    Row(r"ConnectionError|ConnectTimeout|ReadTimeout|MaxRetryError|NewConnectionError|IncompleteRead|ChunkedEncodingError|ProtocolError|ClientError|EndpointConnectionError|HTTPError|ConnectionResetError|ConnectionRefusedError", r"huggingface|hf\.co|wandb", "", C.SOFTWARE, 50, "a hub could not be reached"),
    Row(r"ConnectionError|ConnectTimeout|ReadTimeout|MaxRetryError|NewConnectionError|IncompleteRead|ChunkedEncodingError|ProtocolError|ClientError|EndpointConnectionError|HTTPError|ConnectionResetError|ConnectionRefusedError|SSLError", "", r"aistore|boto|s3|urllib3|requests|aiohttp|fsspec|gcsfs|http", C.STORAGE_IO, 66, "the object store could not be reached"),
    Row(r"FileNotFoundError", r"'/(?:psm|wnsm|torch|sem)[_.-][\w-]+'", "", C.SOFTWARE, 52, "a segment of shared memory is gone"),
    # -- start-up
    Row("", r"/tcp/\w+\.cc:\d+\] connect \[", "", C.INIT_RENDEZVOUS, 60, "the group could not connect"),
    Row("", r"connectFullMesh failed", "", C.INIT_RENDEZVOUS, 44, "the group could not connect"),
    Row("", r"Timed out initializing process group|store based barrier|wait timeout after \d+ms, keys|Timed out after \d+ seconds waiting for clients|client socket has timed out|connect\(\) timed out\. Original timeout|Socket Timeout|failed to connect to any network address", "", C.INIT_RENDEZVOUS, 62, "the job did not form"),
    Row("", r"host not found|Name or service not known|Temporary failure in name resolution|No address associated with hostname", r"rendezvous|c10d|init_process_group|TCPStore", C.INIT_RENDEZVOUS, 62, "the master's name is not known here"),
    Row(r"Rendezvous\w*Error", "", "", C.INIT_RENDEZVOUS, 62, "the rendezvous failed"),
    Row("", r"nonce == returnedNonce|EADDRINUSE|Address already in use|another process is utilizing it", "", C.INIT_RENDEZVOUS, 70, "the port belongs to somebody else"),
    Row("", r"environment variable \w+ expected, but not set", "", C.CONFIG, 70, "the launcher did not set the rank variables"),
    # -- network
    Row("", r"Network is unreachable|\[Errno 101\]|Name or service not known|Temporary failure in name resolution|No address associated with hostname", "", C.NETWORK, 56, "there is no way to that network"),
    Row("", r"IB(?:V)? .*completion|NET/IB|unhandled system error|ncclSystemError|System call \(e\.g\. socket", "", C.NETWORK, 50, "NCCL's transport failed"),
    Row("", r"unhandled cuda error|ncclUnhandledCudaError|Call to CUDA function failed", "", C.CUDA_SOFTWARE, 42, "a CUDA call inside NCCL failed"),
    Row("", r"Failed to initialize any NET plugin", "", C.NETWORK, 64, "NCCL found no network that works on this host"),
    Row("", r"ncclInvalidUsage|Duplicate GPU", "", C.CONFIG, 60, "NCCL was used wrongly"),
    Row("", r"ncclInternalError|NCCL error in: [^,]+, internal error", "", C.SOFTWARE, 40, "NCCL failed inside"),
    # -- data
    Row("", r"gated repo|not a local folder and is not a valid model identifier|Can't load (?:tokenizer|the (?:configuration|model)|feature extractor|image processor|processor)|does not appear to have (?:a file|any file)|Repository Not Found|401 Client Error|403 Client Error", "", C.CONFIG, 60, "a model or tokenizer cannot be had under that name"),
    Row(r"FileNotFoundError|NotADirectoryError", r"checkpoint|ckpt|\.pth?\b|safetensors|pytorch_model|state_dict|tokenizer|global_step\d", "", C.CONFIG, 58, "a checkpoint or model file is missing"),
    Row(r"FileNotFoundError|NotADirectoryError", r"\.ya?ml|config", "", C.CONFIG, 58, "a configuration file is missing"),
    Row(r"FileNotFoundError|NotADirectoryError|IsADirectoryError|RuntimeError|OSError", r"(?:No such file|Could not open|Unable to open|does not exist|not found).*(?:" + DATA_PATH + ")|(?:" + DATA_PATH + r").*(?:No such file|does not exist|not found)", "", C.DATA, 64, "a data file is missing"),
    Row(r"UnpicklingError|JSONDecodeError|BadZipFile|ReadError|UnidentifiedImageError|ArrowInvalid|DataCorrupt|struct\.error|zlib\.error|BadGzipFile|InvalidHeaderError|DatasetGenerationError|DatasetGenerationCastError", "", "", C.DATA, 66, "a sample is corrupt"),
    Row("", r"corrupt|truncated (?:file|image)|Unable to open object|bad magic|invalid (?:shard|sample|record)|Error decoding", "", C.DATA, 64, "a sample is corrupt"),
    Row(r"EOFError", r"Ran out of input", "", C.DATA, 58, "a file is empty or cut"),
    Row(r"StopIteration", "", r"dataloader|_next_data|iterator|data", C.DATA, 62, "this rank ran out of data"),
    Row(r"KeyError|ValueError", "", r"transformers/models/auto/\w+\.py \S+$", C.CONFIG, 58, "a kind of model that the library does not know"),
    Row(r"KeyError|IndexError|ValueError|UnicodeDecodeError|RuntimeError|TypeError|EOFError|AssertionError|ZeroDivisionError", "", r"_utils/worker|in DataLoader worker|(?:get_?items?(?:__)?|collate(?:_\w+)?|load_sample|decode\w*|parse(?:_(?:sample|record|example|line|row|item|annotation|label)\w*)?)$", C.DATA, 62, "reading a sample failed"),
    Row(r"OSError|RuntimeError|ValueError|DECORDError|AVError|InvalidDataError|NoBackendError", "", DECODERS, C.DATA, 60, "a sample cannot be decoded"),
    Row(r"FileNotFoundError", "", DATA_CODE, C.DATA, 62, "a data file is missing"),
    Row(r"KeyError|IndexError", "", DATA_CODE, C.DATA, 56, "the data do not have what the code expects"),
    # -- numerics
    Row("", r"found NaN|found Inf|Unexpected result nan|returned nan values|loss (?:is|scale already at minimum)|Spiky loss", "", C.SOFTWARE, 66, "the numbers went wrong"),
    # -- configuration
    Row(r"AssertionError|ValueError|RuntimeError|Exception", r"divisible|(?:must|to) be (?:a )?multiple|must be (?:equal|one of|set|specified|positive|greater|less)|not (?:compatible|supported|allowed) (?:with|for|when)|is incompatible|num_samples|world[_ ]?size|unrecognized arguments|invalid choice|port number of|conflict|mismatch TrainingArguments|parallel size", "", C.CONFIG, 60, "the configuration does not add up"),
    Row(r"ConfigAttributeError|MissingMandatoryValue|ConfigKeyError|ConfigCompositionException|ArgumentError|ValidationError|OverrideParseException|MisconfigurationException|InterpolationKeyError|InterpolationResolutionError|yaml\.\w+\.\w+Error|TOMLDecodeError", "", "", C.CONFIG, 62, "the configuration does not add up"),
    Row(r"AssertionError|ValueError|KeyError", "", r"arguments\.py|validate_args|parse_args|argparse|config", C.CONFIG, 56, "the configuration does not add up"),
    Row(r"FileNotFoundError|NotADirectoryError|PermissionError|IsADirectoryError", r"^\W*$", "", C.CONFIG, 34, "a path is wrong"),
    Row(r"FileNotFoundError|NotADirectoryError|PermissionError|IsADirectoryError", "", "", C.CONFIG, 54, "a path is wrong"),
    # -- everything else a program can do
    Row(r"InternalServerError", r"We encountered an internal error", "", C.INFRASTRUCTURE, 58, "the platform failed"),
    Row(r"FatalError", r"`Termination signal` is detected", "", C.INFRASTRUCTURE, 52, "stopped from outside with SIGTERM"),
    Row(r"KeyboardInterrupt", "", "", C.INFRASTRUCTURE, 30, "interrupted from outside"),
    Row(r"SystemExit|GeneratorExit", "", "", None, 0, "the program ended itself", Role.SYMPTOM),
    Row(r"ModuleNotFoundError|ImportError", "", "", C.SOFTWARE, 60, "an import failed"),
    Row(r"AttributeError|TypeError|NameError|NotImplementedError|SyntaxError|UnboundLocalError|RecursionError|IndentationError", "", "", C.SOFTWARE, 58, "the program failed"),
    Row(r"ValueError", "", "", C.SOFTWARE, 52, "the program failed"),
    Row("", "", "", C.SOFTWARE, 50, "the program failed"),
)  # fmt: skip


def classify(type_name: str, message: str, frames: str) -> Row:
    """The first row that fits an exception; the last row fits everything."""
    return next(row for row in TABLE if row.matches(type_name, message, frames))
