"""Errors of the operating system as programs print them: disk full, quota, stale mounts, limits."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample
from logtui.parsers.remedies import ANOTHER_PORT, ROOM_IN_SHM, ROOM_ON_HOST

_PATH = r"(?:: '(?P<path>[^']+)')?"
_OF_OUTPUT = r"(?:[^']{0,200}/)?(?:logs?|outputs?|lightning_logs|tensorboard)/"
"""A path that programs write to, where nothing says otherwise."""
_OF_MODEL = r"[^']{0,200}(?:ckpt|checkpoint|/models?/|\.pth?\b|safetensors|pytorch_model|tokenizer|\bweights\w{0,40}/)"
"""A path of a model that was trained, which a setting names."""

STORAGE = (
    Pattern(
        name="os.no_space",
        anchors=("No space left on device",),
        regex=r"^(?!.*(?:/dev/shm|NCCL WARN|UCX|ibv_|mlx[45]|libfabric|OFI |inotify|semget|shmget|epoll|\bbpf|: write error: )).*?No space left on device"
        + _PATH,
        samples=(
            Sample(
                "[rank57]: OSError: [Errno 28] No space left on device: '/tmp/run7/error.json'",
                {"path": "/tmp/run7/error.json"},
            ),
            Sample("cp: error writing '/ckpt/a': No space left on device", {}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=82,
        title="a disk is full",
        note="The path tells which: checkpoints, temporary files, /dev/shm, a cache.",
        advice=(
            Advice(
                "storage",
                "free space[ on the disk of {path}][ on {host}], or keep fewer checkpoints; TMPDIR and caches "
                "(HF_HOME, TRITON_CACHE_DIR) may be what fills it",
            ),
        ),
    ),
    Pattern(
        name="os.quota",
        anchors=("Disk quota exceeded",),
        regex=r"(?<!: write error: )Disk quota exceeded" + _PATH,
        samples=(Sample("OSError: [Errno 122] Disk quota exceeded: '/ckpt/run7/a.pt'", {"path": "/ckpt/run7/a.pt"}),),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=82,
        title="a disk quota is used up",
        advice=(
            Advice(
                "storage", "free space under the quota[ of {path}], or raise it: fewer checkpoints, caches elsewhere"
            ),
        ),
    ),
    Pattern(
        name="os.own_output",
        anchors=(": write error: ",),
        regex=r"^(?:\S{1,200}: line \d{1,6}: )?(?P<tool>sleep|echo|printf|date|cat|tee|ls|tail|nvidia-smi): write error: "
        r"(?P<why>Disk quota exceeded|No space left on device|Broken pipe)",
        samples=(
            Sample("sleep: write error: Disk quota exceeded", {"tool": "sleep", "why": "Disk quota exceeded"}),
            Sample("run.sh: line 57: echo: write error: No space left on device", {"tool": "echo"}),
        ),
        role=Role.SYMPTOM,
        bulk=True,
        title="a tool of the script could not print",
        note="What it prints goes into the job's own log: its disk has no room, and the log ends early.",
    ),
    Pattern(
        name="os.io_error",
        anchors=("Input/output error", "Remote I/O error"),
        regex=r"^(?!.*(?:UCX|NCCL|mlx5|OFI |[a-z]{3,6}://\S{1,300}: Input)).*?(?:\[Errno (?:5|121)\] )?(?:Input/output|Remote I/O) error"
        + _PATH,
        samples=(
            Sample("OSError: [Errno 5] Input/output error: '/data/shard-00012.tar'", {"path": "/data/shard-00012.tar"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=74,
        title="an I/O error",
        note="See the kernel log of the same host.",
        advice=(Advice("storage", "read the kernel log[ of {host}] of that minute for the disk or mount[ of {path}]"),),
    ),
    Pattern(
        name="os.write_refused",
        anchors=("rite failed: Quota exceeded", "rite failed: Not enough space", "rite failed: No space left"),
        regex=r"\b[Ww]rite failed: (?P<why>Quota exceeded|Not enough space|No space left(?! on device))",
        samples=(
            Sample("Rank write failed: Quota exceeded.", {"why": "Quota exceeded"}),
            Sample("Rank write failed: Not enough space.", {"why": "Not enough space"}),
            Sample("Rank write failed: No space left.", {"why": "No space left"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=80,
        bulk=True,
        title="a write found no room: {why}",
        note="NetCDF's and PnetCDF's words; a program that does not ask goes on without its output.",
    ),
    Pattern(
        name="os.io_error_stream",
        anchors=(": Input/output error",),
        regex=r"(?P<url>\b(?:https?|rtmps?|rtsp|udp|tcp|srt)://\S{1,300}): Input/output error",
        samples=(
            Sample("rtmp://media57.example/live/a57: Input/output error", {"url": "rtmp://media57.example/live/a57"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=52,
        title="a stream from or to the network broke off, or did not open",
    ),
    Pattern(
        name="os.stale_mount",
        anchors=(
            "Stale file handle",
            "Cannot send after transport endpoint shutdown",
            "Transport endpoint is not connected",
        ),
        regex=r"(?P<what>Stale file handle(?!: going to /tmp instead)|Cannot send after transport endpoint shutdown|Transport endpoint is not connected)"
        + _PATH,
        samples=(
            Sample(
                "OSError: [Errno 116] Stale file handle: '/data/shard-00012.tar'",
                {"what": "Stale file handle", "path": "/data/shard-00012.tar"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=76,
        title="a mounted file system went away",
        advice=(
            Advice(
                "storage",
                "mount the file system again[ on {host}][: {path}], and look why the server took the handle back",
            ),
        ),
    ),
    Pattern(
        name="os.read_only",
        anchors=("Read-only file system",),
        regex=r"Read-only file system" + _PATH,
        samples=(Sample("OSError: [Errno 30] Read-only file system: '/ckpt/run7'", {"path": "/ckpt/run7"}),),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=72,
        title="a file system is read-only",
        advice=(
            Advice(
                "storage",
                "look into the kernel log[ of {host}] why the file system[ of {path}] went read-only, then "
                "repair and remount it",
            ),
        ),
    ),
    Pattern(
        name="os.missing_file",
        anchors=("No such file or directory: ",),
        # `resource_tracker: '/psm_1a2b': [Errno 2] …`: what a process tidies up at its end was gone already;
        # `'a.tmp' -> 'a'`: what a program moves it wrote itself
        regex=r"(?<!': )(?<!requirements file: )\[Errno 2\] No such file or directory: b?'(?P<path>(?!"
        + _OF_OUTPUT
        + r"|"
        + _OF_MODEL
        + r")[^']*/[^']*)'(?! -> )",
        samples=(
            Sample(
                "[rank57]: FileNotFoundError: [Errno 2] No such file or directory: '/data/shard-00012.idx'",
                {"path": "/data/shard-00012.idx"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.DATA,
        weight=56,
        title="a file is missing",
        note="On the ranks of one host only: a mount or local staging is missing there.",
        advice=(
            Advice(
                "training",
                "check[ {path}]: the path, and that every node sees it; a mount that only one host lacks shows "
                "there alone",
            ),
        ),
    ),
    Pattern(
        name="os.missing_model",
        anchors=("No such file or directory: ",),
        regex=r"(?<!': )\[Errno 2\] No such file or directory: b?'(?P<path>(?!"
        + _OF_OUTPUT
        + r")"
        + _OF_MODEL
        + r"[^']*)'(?! -> )",
        samples=(
            Sample("e=[Errno 2] No such file or directory: './models/run57/last'", {"path": "./models/run57/last"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=56,
        title="a checkpoint or model file is missing",
        advice=(Advice("training", "check[ {path}]: the path, and that every node sees it"),),
    ),
    Pattern(
        name="os.missing_output",
        anchors=("No such file or directory: ",),
        regex=r"(?<!': )\[Errno 2\] No such file or directory: b?'(?P<path>" + _OF_OUTPUT + r"[^']*)'(?! -> )",
        samples=(
            Sample("e=[Errno 2] No such file or directory: '/data/logs/run57.json'", {"path": "/data/logs/run57.json"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=56,
        title="the folder to write to is missing",
        advice=(Advice("training", "create the folder[ of {path}] before the job starts, on every node"),),
    ),
    Pattern(
        name="os.permission",
        anchors=("[Errno 13] Permission denied",),
        regex=r"(?<!matplotlib: )\[Errno 13\] Permission denied" + _PATH,
        samples=(Sample("PermissionError: [Errno 13] Permission denied: '/ckpt/run7'", {"path": "/ckpt/run7"}),),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=58,
        title="a path may not be used",
        advice=(Advice("training", "check owner and mode[ of {path}], and which user the container runs as"),),
    ),
)

LIMITS = (
    Pattern(
        name="os.too_many_files",
        anchors=("[Errno 24] Too many open files", "Too many open files (24)", "received 0 items of ancdata"),
        regex=r"(?<!errors like `OSError: )\[Errno 24\] Too many open files|Too many open files \(24\)|received 0 items of ancdata",
        samples=(
            Sample("OSError: [Errno 24] Too many open files: '/data/shard-00012.tar'"),
            Sample("RuntimeError: received 0 items of ancdata"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=70,
        title="the process ran out of file descriptors",
        advice=(
            Advice(
                "infrastructure",
                "raise the limit of open files[ on {host}] (ulimit -n, LimitNOFILE); look for handles that a "
                "loader leaves open",
            ),
        ),
    ),
    Pattern(
        name="os.shared_memory",
        anchors=(
            "unable to open shared memory object",
            "unable to allocate shared memory",
            "unable to mmap ",
            "unable to resize file </torch_",
            "No space left on device: '/dev/shm",
        ),
        regex=r"unable to (?P<what>open shared memory object|allocate shared memory|mmap \d+ bytes from file|resize file)(?: <(?P<path>[^>]+)>)?(?!.*Too many open files)|No space left on device: '(?P<full>/dev/shm[^']*)'",
        samples=(
            Sample(
                "RuntimeError: unable to mmap 4194304 bytes from file </torch_4242_57>: Cannot allocate memory (12)",
                {"path": "/torch_4242_57"},
            ),
            Sample(
                "RuntimeError: unable to open shared memory object </torch_4242_57> in read-write mode: No such file or directory (2)",
                {"what": "open shared memory object"},
            ),
            Sample("OSError: [Errno 28] No space left on device: '/dev/shm/psm_57'", {"full": "/dev/shm/psm_57"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=70,
        title="shared memory failed",
        advice=ROOM_IN_SHM,
    ),
    Pattern(
        name="os.no_memory",
        anchors=(
            "[Errno 12] Cannot allocate memory",
            "MemoryError",
            "std::bad_alloc",
            "DefaultCPUAllocator: can't allocate memory",
            "DefaultCPUAllocator: not enough memory",
        ),
        regex=r"\[Errno 12\] Cannot allocate memory|(?:^ {0,4}|\]: ?|\) |^ *[\w.-]+: )(?:[\w.]*\.)?_?(?:Array)?MemoryError(?:$|: (?!Caught |std::bad_alloc: out_of_memory: CUDA|Error allocating \d+ bytes of device memory))|(?<!\()std::bad_alloc(?!: (?:(?:cuda|hip)Error|out_of_memory: CUDA))|DefaultCPUAllocator: (?:can't allocate|not enough) memory",
        samples=(
            Sample("OSError: [Errno 12] Cannot allocate memory"),
            Sample("[rank57]: MemoryError"),
            Sample(
                "RuntimeError: [enforce fail at alloc_cpu.cpp:118] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 57 bytes."
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=76,
        title="no host memory left",
        advice=ROOM_ON_HOST,
    ),
    Pattern(
        name="os.no_thread",
        anchors=(
            "can't start new thread",
            "pthread_create failed",
            "pthread_create() failed",
            "[Errno 11] Resource temporarily unavailable",
            "fork: retry: Resource temporarily unavailable",
            "Thread creation failed: Resource temporarily unavailable",
        ),
        regex=r"can't start new thread|pthread_create(?:\(\))? failed|(?:\[Errno 11\]|fork: retry:|Thread creation failed:) Resource temporarily unavailable",
        samples=(
            Sample("libgomp: Thread creation failed: Resource temporarily unavailable"),
            Sample("RuntimeError: can't start new thread"),
            Sample("env.cc:57] Check failed: ret == 0 (11 vs. 0)Thread loader creation via pthread_create() failed."),
            Sample(
                "libgomp: Thread creation failed: OpenBLAS blas_thread_init: pthread_create failed for thread 57 of 64"
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=64,
        title="no more threads or processes allowed",
        advice=(
            Advice(
                "infrastructure",
                "raise the limit of processes (ulimit -u, pids.max of the cgroup)[ on {host}]; set "
                "OMP_NUM_THREADS, and use fewer loader workers",
            ),
        ),
    ),
    Pattern(
        name="os.port_in_use",
        anchors=("[Errno 98]", " is already in use", " is in use by another program", ": bind: address already in use"),
        regex=r"\[Errno 98\] (?:Address already in use|error while attempting to bind on address \('(?P<address>[^']+)', (?P<port>\d+))"
        r"|^(?!.*\b(?:instead|try|trying|using|next|another)\b).{0,120}\b[Pp]ort (?:in server address \S{1,80}|\d{1,5}) is already in use"
        r"|^Port \d{1,5} is in use by another program"
        r"|\blisten (?:tcp|udp)[46]? \S{1,80}: bind: address already in use",
        samples=(
            Sample("listen tcp 0.0.0.0:5757: bind: address already in use"),
            Sample("OSError: [Errno 98] Address already in use", {}),
            Sample("Port in server address 127.0.0.1:5757 is already in use."),
            Sample("Port 5757 is in use by another program. Either stop that program, or start the server elsewhere."),
            Sample(
                "OSError: [Errno 98] error while attempting to bind on address ('0.0.0.0', 29500): address already in use",
                {"port": "29500"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=68,
        title="a port is taken",
        advice=ANOTHER_PORT,
    ),
)

FORMAT = LineFormat(
    name="os_errors",
    title="operating-system errors",
    reference="glibc strerror texts; CPython OSError; PyTorch MapAllocator.cpp and alloc_cpu.cpp",
    patterns=STORAGE + LIMITS,
)
