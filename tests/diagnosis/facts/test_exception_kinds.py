"""What an exception is taken for where its traceback is cut or its text is another library's."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

BOTO = (
    '  File "/opt/venv/lib/python3.12/site-packages/aiobotocore/httpsession.py", line 57, in send\n'
    "    raise ConnectTimeoutError(endpoint_url=url, error=e)\n"
    'botocore.exceptions.ConnectTimeoutError: Connect timeout on endpoint URL: "https://s3.example/a"\n'
)
WORKER = "[rank3]: FileNotFoundError: Caught FileNotFoundError in DataLoader worker process 2.\n"
CODE_IN_WORKER = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 7, in main\n'
    "AttributeError: Caught AttributeError in DataLoader worker process 0.\n"
    "Original Traceback (most recent call last):\n"
    '  File "/opt/job/dataset.py", line 7, in __getitem__\n'
    "AttributeError: 'Dataset' object has no attribute 'resize'\n"
)
ARROW = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/read.py", line 7, in read\n'
    "OSError: When reading information for key 'a/b' in bucket 'c': AWS Error NETWORK_CONNECTION during HeadObject "
    "operation: curlCode: 28, Timeout was reached\n"
)
GLOO = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 7, in main\n'
    "RuntimeError: [/opt/build/third_party/gloo/gloo/transport/tcp/pair.cc:799] connect [10.0.0.7]:13195: Connection "
    "refused\n"
)
HCCL = (
    "[rank1]: Traceback (most recent call last):\n"
    '[rank1]:   File "/opt/job/train.py", line 7, in main\n'
    "[rank1]: RuntimeError: InnerRunOpApi:torch_npu/csrc/framework/OpParamMaker.cpp:57 OPS function error: HcclAllreduce, "
    "error code is 6\n"
    "[rank1]: EI0006: [PID: 4242] 2026-01-02-03:04:05.678.901 Getting socket times out. Reason: Remote Rank did not send "
    "the data in time.\n"
)
CHILD = (
    "Traceback (most recent call last):\n"
    '  File "/opt/venv/lib/python3.8/site-packages/torch/distributed/launch.py", line 57, in main\n'
    "subprocess.CalledProcessError: Command '['python', 'train.py', '--local_rank=7']' died with <Signals.SIGSEGV: 11>.\n"
)
OLD_STORE = (
    "Traceback (most recent call last):\n"
    '  File "/opt/venv/lib/python3.9/site-packages/torch/distributed/elastic/rendezvous/c10d_rendezvous_backend.py", line 57, '
    "in _create_tcp_store\n"
    "RuntimeError: connect() timed out. Original timeout was 60000 ms.\n"
)
STALLED = (
    "WARNING: One or more tensors were submitted to be reduced, gathered or broadcasted by subset of ranks and are waiting\n"
    "Stalled ops:\nHorovodBroadcast_a_0 [missing ranks: 3]\nHorovodBroadcast_b_0 [missing ranks: 3]\n"
)
NPU_TAKEN = "EJ0001: 2026-01-02-03:04:05.678.901 Failed to initialize the HCCP process. Reason: Maybe the last\n"
RAY_GPU = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/main.py", line 57, in main\n'
    "    ray.get(task)\n"
    "ray.exceptions.RayTaskError(OutOfMemoryError): ray::main_task() (pid=4242, ip=10.0.0.7)\n"
    '  File "/opt/job/trainer.py", line 7, in fit\n'
    "    update(batch)\n"
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 57.00 MiB. GPU 0 has a total capacity of 23.65 GiB\n"
)
MPI = "mpirun noticed that process rank 7 with PID 0 on node node007 exited on signal 9 (Killed).\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BOTO, "storage-io"),
        (WORKER, "data"),
        (CODE_IN_WORKER, "software"),
        (ARROW, "storage-io"),
        (GLOO, "init-rendezvous"),
        (HCCL, "unknown"),
        (CHILD, "software"),
        (CHILD.replace("SIGSEGV: 11", "SIGKILL: 9"), "host-oom"),
        (NPU_TAKEN, "init-rendezvous"),
        (OLD_STORE, "init-rendezvous"),
        (STALLED, "collective-mismatch"),
        (MPI, "infrastructure"),
        (RAY_GPU, "gpu-oom"),
    ],
    ids=[
        "frames-above",
        "worker",
        "code-in-worker",
        "arrow",
        "gloo",
        "hccl-victim",
        "crashed",
        "killed",
        "npu-taken",
        "old-store",
        "horovod",
        "mpirun",
        "ray's wrapper of the GPU's memory",
    ],
)
def test_class(text: str, expected: str, report_of: Callable[[Mapping[str, str]], Report]) -> None:
    assert report_of({"job.log": text}).verdict.cls == expected


@pytest.mark.parametrize(("text", "rank"), [(MPI, 7), (STALLED, 3)], ids=["mpirun", "horovod"])
def test_the_rank_that_a_line_names(text: str, rank: int, report_of: Callable[[Mapping[str, str]], Report]) -> None:
    assert report_of({"job.log": text}).verdict.culprit_ranks == (rank,)


SITE = "/opt/venv/lib/python3.12/site-packages"


@pytest.mark.parametrize(
    ("file", "function", "said", "expected"),
    [
        (f"{SITE}/triton/build.py", "_build", "subprocess.CalledProcessError: Command '['/usr/bin/gcc', 'm.c']' returned", "software"),
        (f"{SITE}/datasets/utils.py", "run", "RuntimeError: One of the subprocesses has abruptly died during map", "host-oom"),
        (f"{SITE}/jax/pjit.py", "call", "jaxlib.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory allocating 57", "gpu-oom"),
        (f"{SITE}/torch/nn.py", "linear", "RuntimeError: XPU out of memory. Tried to allocate 5.71 GiB.", "gpu-oom"),
        (f"{SITE}/torch/nn.py", "linear", "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling", "gpu-oom"),
        (f"{SITE}/torch/nn.py", "to", "RuntimeError: DefaultCPUAllocator: not enough memory: you tried to allocate 57", "host-oom"),
        (f"{SITE}/transformers/hub.py", "get", "OSError: Can't load tokenizer for '/models/tok57'.", "config"),
        ("/opt/job/load.py", "load", "FileNotFoundError: [Errno 2] No such file or directory: '/data/ckpt/57.pt'", "config"),
        ("/opt/job/load.py", "load", "FileNotFoundError: [Errno 2] No such file or directory: '/data/shard-57.tar'", "data"),
        (f"{SITE}/torch/utils.py", "parse_rendezvous_endpoint", "ValueError: The port number of 'a:b' must be an integer", "config"),
        ("/opt/job/reader.py", "parse_sample", "ValueError: 57 fields", "data"),
        (f"{SITE}/moviepy/video/reader.py", "read", "OSError: Error in file /v/57.mp4, Accessing time t=57.1", "data"),
        (f"{SITE}/botocore/auth.py", "add_auth", "botocore.exceptions.NoCredentialsError: Unable to locate credentials", "config"),
        (f"{SITE}/transformers/models/auto/configuration_auto.py", "__getitem__", "KeyError: 'qwen57'", "config"),
        (f"{SITE}/sglang/runner.py", "init", "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.", "gpu-oom"),
        ("/opt/job/schedule.py", "check", "ValueError: the number of microbatches has to be a multiple of 7", "config"),
        (f"{SITE}/torch/distributed/rendezvous.py", "_env", "ValueError: host not found: Name or service not known", "init-rendezvous"),
        ("/usr/lib/python3.12/urllib/request.py", "do_open", "urllib.error.URLError: <urlopen error [Errno 101] Network is unreachable>", "network"),
    ],
    ids=["compiler", "map", "jax", "xpu", "cublas", "cpu", "tokenizer", "ckpt", "shard", "port", "sample", "video", "credentials", "unknown-model", "sglang", "multiple", "name", "unreachable"],
)  # fmt: skip
def test_kind(
    file: str, function: str, said: str, expected: str, report_of: Callable[[Mapping[str, str]], Report]
) -> None:
    text = f'Traceback (most recent call last):\n  File "{file}", line 57, in {function}\n    run()\n{said}\n'
    assert report_of({"job.log": text}).verdict.cls == expected


ALIKE = (
    'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n    run()\nTypeError: no run\n'
)
BLOCK = (
    "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
    + "=" * 60
    + "\ntrain.py FAILED\n"
    + "-" * 60
)


def _failure(number: int, rank: int) -> str:
    return (
        f"[{number}]:\n  time      : 2026-11-21_04:12:09\n  host      : node007\n  rank      : {rank} (local_rank: {rank})\n"
        f"  exitcode  : 1 (pid: {4200 + rank})\n  error_file: <N/A>\n"
    )


@pytest.mark.parametrize(("times", "ranks"), [(4, ()), (1, (2,))], ids=["all-alike", "one"])
def test_whose_it_is(times: int, ranks: tuple[int, ...], report_of: Callable[[Mapping[str, str]], Report]) -> None:
    others = "".join(_failure(n, rank) for n, rank in enumerate((0, 1, 3), start=1)) if times > 1 else ""
    block = (
        f"{BLOCK}\nFailures:\n{others}{'-' * 60}\nRoot Cause (first observed failure):\n{_failure(0, 2)}{'=' * 60}\n"
    )
    assert report_of({"job.log": ALIKE * times + block}).verdict.culprit_ranks == ranks


REMOTE = (
    '[rank0]: multiprocess.pool.RemoteTraceback: \n[rank0]: """\n[rank0]: Traceback (most recent call last):\n'
    '[rank0]:   File "/opt/job/prepare.py", line 57, in encode\n[rank0]:     raise ValueError("57 words")\n'
    '[rank0]: ValueError: 57 words\n[rank0]: """\n\n'
    "[rank0]: The above exception was the direct cause of the following exception:\n\n"
)
MAPPED = (
    "[rank{r}]: Traceback (most recent call last):\n"
    '[rank{r}]:   File "/opt/job/train.py", line 57, in main\n[rank{r}]:     ds.map(encode)\n'
    "[rank{r}]: ValueError: 57 words\n"
)


def test_the_same_words_of_every_rank_are_nobodys(report_of: Callable[[Mapping[str, str]], Report]) -> None:
    text = REMOTE + MAPPED.format(r=0) + MAPPED.format(r=1)
    assert report_of({"job.log": text}).verdict.culprit_ranks == ()
    assert report_of({"job.log": REMOTE + MAPPED.format(r=0) + "[rank1]: step 57\n"}).verdict.culprit_ranks == (0,)


def test_the_end_of_a_tracker_is_no_failure(report_of: Callable[[Mapping[str, str]], Report]) -> None:
    log = "2026-01-02 03:04:05,678 INFO    MainThread:42 [wandb_run.py:_atexit_cleanup():57] got exitcode: 0\n"
    text = (
        f'Traceback (most recent call last):\n  File "{SITE}/wandb/sdk/mailbox/mailbox.py", line 57, in deliver\n'
        "    raise MailboxClosedError()\nwandb.sdk.mailbox.mailbox.MailboxClosedError\n"
    )
    assert report_of({"debug.log": log + text}).verdict.cls == "healthy"


ASSERTED = (
    "../aten/src/ATen/native/cuda/Indexing.cu:57: indexSelectLargeIndex: block: [57,0,0], thread: [{t},0,0] Assertion "
    "`srcIndex < srcSelectDimSize` failed.\n"
)


def test_the_kernel_speaks_before_the_exception(report_of: Callable[[Mapping[str, str]], Report]) -> None:
    raised = f'Traceback (most recent call last):\n  File "{SITE}/torch/nn.py", line 57, in forward\n    run()\n'
    said = "RuntimeError: CUDA error: device-side assert triggered\n"
    asserted = "".join(ASSERTED.format(t=t) for t in range(7))
    verdict = report_of({"job.log": f"ready\n{asserted}{raised}{said}"}).verdict
    assert verdict.cls == "cuda-software"
    assert verdict.first_evidence is not None and verdict.first_evidence.line == 2


MADE = (
    'Traceback (most recent call last):\n  File "/usr/lib/python3.12/pathlib.py", line 57, in mkdir\n    os.mkdir(self, mode)\n'
    "FileNotFoundError: [Errno 2] No such file or directory: '/scratch/a/ckpt'\n\n"
    "During handling of the above exception, another exception occurred:\n\n"
    'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n    out.mkdir(parents=True)\n'
    "OSError: [Errno 122] Disk quota exceeded: '/scratch/a'\n"
)


def test_a_parent_that_is_made_is_not_missed(report_of: Callable[[Mapping[str, str]], Report]) -> None:
    verdict = report_of({"job.log": MADE}).verdict
    assert verdict.cls == "storage-io"
    assert verdict.first_evidence is not None and verdict.first_evidence.line == 11


def test_paddle_tells_of_a_signal(report_of: Callable[[Mapping[str, str]], Report]) -> None:
    text = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n    run()\n'
    said = "FatalError: `Termination signal` is detected by the operating system.\n"
    assert report_of({"job.log": text + said}).verdict.cls == "infrastructure"


THREAD = (
    "Exception in thread Thread-5 (prefetch):\nTraceback (most recent call last):\n"
    f'  File "{SITE}/h5py/_hl/files.py", line 57, in make_fid\n'
    "OSError: Unable to synchronously open file (truncated file: eof = 57)\n"
)
LATER = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 7, in step\nTypeError: no batch 57\n'
STEPS = "".join(f"step {n}/900 loss 2.5 time 0.5s\n" for n in range(100, 140))


@pytest.mark.parametrize(
    ("text", "expected"),
    [(THREAD, "data"), (THREAD + LATER, "software"), (STEPS + THREAD, "data")],
    ids=["last", "failed-later", "after-steps"],
)
def test_what_ended_a_thread(text: str, expected: str, report_of: Callable[[Mapping[str, str]], Report]) -> None:
    assert report_of({"job.log": text}).verdict.cls == expected


BARS = "".join(f"\rEpoch 7:  57%|█▏ | {n}/197 [01:13<00:29,  1.91it/s, loss=0.4]" for n in range(100, 110))


@pytest.mark.parametrize("behind", [STEPS, BARS], ids=["steps", "a bar"])
def test_a_thread_that_training_survived(behind: str, report_of: Callable[[Mapping[str, str]], Report]) -> None:
    assert report_of({"job.log": THREAD + behind}).verdict.cls != "data"


UNKNOWN_ERROR = (
    f"{SITE}/torch/cuda/__init__.py:57: UserWarning: CUDA initialization: CUDA unknown error - this may be due to an "
    "incorrectly set up environment, e.g. changing env variable CUDA_VISIBLE_DEVICES after program start. Setting the "
    "available devices to be zero.\n"
)


def test_a_warning_is_asked_what_it_says_before_it_is_folded(
    report_of: Callable[[Mapping[str, str]], Report],
) -> None:
    assert report_of({"job.log": UNKNOWN_ERROR + LATER}).verdict.cls == "gpu-hardware"
