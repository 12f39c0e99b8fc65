"""PyTorch's DataLoader: workers that died, timed out or raised. pids are the workers', not the rank's."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample
from logtui.parsers.remedies import EVEN_INPUTS, LESS_ON_HOST, ROOM_IN_SHM, ROOM_ON_HOST

_RAISED = "[rank57]: RuntimeError: "


def _killed(
    name: str, signals: str, sample: str, role: Role, cls: FailureClass | None, weight: int, words: str, *advice: Advice
) -> Pattern:
    """`DataLoader worker (pid n) is killed by signal: …`, one pattern per meaning of the signal."""
    return Pattern(
        name=f"dataloader.{name}",
        anchors=("is killed by signal: ",),
        regex=rf"DataLoader worker \(pid (?P<pid>\d+)\) is killed by signal: (?P<signal>{signals})",
        samples=(
            Sample(
                f"{_RAISED}DataLoader worker (pid 4411) is killed by signal: {sample}. ",
                {"pid": "4411", "signal": sample},
            ),
        ),
        role=role,
        cls=cls,
        weight=weight,
        title=words,
        advice=advice,
    )


WORKERS = (
    _killed(
        "worker_killed",
        "Killed",
        "Killed",
        Role.CAUSE,
        FailureClass.HOST_OOM,
        65,
        "a data worker was killed",
        Advice("infrastructure", "look into the kernel log[ of {host}] for the OOM killer: process {pid} got SIGKILL"),
        *LESS_ON_HOST,
    ),
    _killed(
        "worker_bus_error",
        "Bus error",
        "Bus error",
        Role.CAUSE,
        FailureClass.HOST_OOM,
        75,
        "a data worker ran out of shared memory",
        *ROOM_IN_SHM,
    ),
    _killed(
        "worker_crashed",
        "Segmentation fault|Aborted|Floating point exception|Illegal instruction",
        "Segmentation fault",
        Role.CAUSE,
        FailureClass.SOFTWARE,
        60,
        "a data worker crashed",
        Advice(
            "training",
            "rerun with num_workers=0 and PYTHONFAULTHANDLER=1: a worker got {signal} in native code, "
            "most often a decoder",
        ),
    ),
    _killed(
        "worker_terminated",
        "Terminated|Interrupt|Hangup|Unknown signal",
        "Terminated",
        Role.SYMPTOM,
        None,
        50,
        "a data worker was stopped",
    ),
    Pattern(
        name="dataloader.workers_exited",
        anchors=("DataLoader worker (pid(s)",),
        regex=r"DataLoader worker \(pid\(s\) (?P<pids>\d+(?:, \d+){0,999})\) exited unexpectedly",
        samples=(
            Sample(_RAISED + "DataLoader worker (pid(s) 4411, 4412) exited unexpectedly", {"pids": "4411, 4412"}),
        ),
        role=Role.SYMPTOM,
        cls=FailureClass.HOST_OOM,
        title="data workers are gone",
        note="Chained from a `killed by signal` line, if there is one.",
    ),
    Pattern(
        name="dataloader.worker_exit_code",
        anchors=("exited unexpectedly with exit code",),
        regex=r"DataLoader worker \(pid (?P<pid>\d+)\) exited unexpectedly with exit code (?P<exitcode>-?\d+)",
        samples=(
            Sample(
                _RAISED + "DataLoader worker (pid 4411) exited unexpectedly with exit code 1. Details are lost due to "
                "multiprocessing. Rerunning with num_workers=0 may give better error trace.",
                {"pid": "4411", "exitcode": "1"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=50,
        title="a data worker exited",
    ),
    Pattern(
        name="dataloader.timed_out",
        anchors=("DataLoader timed out after",),
        regex=r"DataLoader timed out after (?P<seconds>[\d.]+) seconds",
        samples=(Sample(_RAISED + "DataLoader timed out after 300 seconds", {"seconds": "300"}),),
        role=Role.CAUSE,
        cls=FailureClass.DATA_LOADING_STALL,
        weight=75,
        title="no batch within the DataLoader's timeout",
        note="Storage or file-system stall, or a worker stuck in decoding.",
        advice=(
            Advice(
                "client",
                "find what the workers waited for in those {seconds} s: py-spy dump on a loader worker; the "
                "DataLoader's timeout only makes it visible",
            ),
            Advice("storage", "look at what served[ {host}] in that minute"),
        ),
    ),
    Pattern(
        name="dataloader.pin_memory",
        anchors=("Pin memory thread exited unexpectedly",),
        regex=r"Pin memory thread exited unexpectedly",
        samples=(Sample(_RAISED + "Pin memory thread exited unexpectedly"),),
        role=Role.SYMPTOM,
        cls=FailureClass.SOFTWARE,
        title="the DataLoader's pin-memory thread ended",
        note="The thread's own traceback comes before.",
    ),
    Pattern(
        name="dataloader.fault_handler",
        anchors=("encountered in worker.",),
        regex=r"ERROR: Unexpected (?P<fault>bus error|segmentation fault|floating-point exception) encountered in worker",
        samples=(
            Sample(
                "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory "
                "(shm).",
                {"fault": "bus error"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=70,
        title="a data worker crashed",
        note="Written by the worker's signal handler, followed by a NUL byte. Bus error: /dev/shm is full.",
        advice=ROOM_IN_SHM,
    ),
    Pattern(
        name="dataloader.too_many_files",
        anchors=("Communication with the workers is no longer possible",),
        regex=r"Too many open files\. Communication with the workers is no longer possible",
        samples=(
            Sample(
                _RAISED + "Too many open files. Communication with the workers is no longer possible. Please increase "
                "the limit using `ulimit -n` in the shell"
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=70,
        title="data workers ran out of file descriptors",
        advice=(
            Advice(
                "training",
                "torch.multiprocessing.set_sharing_strategy('file_system'), or raise the limit of open files "
                "(ulimit -n)",
            ),
        ),
    ),
)

EXCEPTIONS = (
    Pattern(
        name="dataloader.io_error",
        anchors=(" in DataLoader worker process ",),
        regex=r"Caught (?P<exception>OSError|IOError|BlockingIOError|PermissionError|\w*Connection\w*|\w*Timeout\w*|"
        r"BrokenPipeError|RemoteDisconnected|IncompleteRead\w*|\w*HTTPError|ClientError|ProtocolError|SSLError|"
        r"AIS\w+) in DataLoader worker process (?P<worker>\d+)",
        samples=(
            Sample(
                "[rank57]: ConnectionResetError: Caught ConnectionResetError in DataLoader worker process 2.",
                {"exception": "ConnectionResetError", "worker": "2"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=60,
        follow=60,
        title="reading data failed in a data worker",
        note="The worker's own traceback follows as `Original Traceback`.",
        advice=(
            Advice(
                "storage", "check the file or mount that the worker's own traceback names, on that node[ {host}] first"
            ),
        ),
    ),
    Pattern(
        name="dataloader.memory_error",
        anchors=(" in DataLoader worker process ",),
        regex=r"Caught (?P<exception>MemoryError) in DataLoader worker process (?P<worker>\d+)",
        samples=(Sample("MemoryError: Caught MemoryError in DataLoader worker process 0.", {"worker": "0"}),),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=75,
        follow=60,
        title="a data worker ran out of memory",
        advice=ROOM_ON_HOST,
    ),
    Pattern(
        name="dataloader.worker_exception",
        anchors=(" in DataLoader worker process ", " in pin memory thread for device "),
        regex=r"Caught (?P<exception>(?!(?:OSError|IOError|BlockingIOError|PermissionError|\w*Connection\w*|\w*Timeout\w*|"
        r"BrokenPipeError|RemoteDisconnected|IncompleteRead\w*|\w*HTTPError|ClientError|ProtocolError|SSLError|AIS\w+|"
        r"MemoryError|AttributeError|NameError|UnboundLocalError|NotImplementedError|ImportError|ModuleNotFoundError) in )\w+) in (?:DataLoader worker process (?P<worker>\d+)|pin memory thread)",
        samples=(
            Sample(
                "[rank57]: ValueError: Caught ValueError in DataLoader worker process 3.",
                {"exception": "ValueError", "worker": "3"},
            ),
            Sample(
                "RuntimeError: Caught RuntimeError in pin memory thread for device 0.", {"exception": "RuntimeError"}
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.DATA,
        weight=60,
        follow=60,
        title="an exception in a data worker",
        note="The real error is the `Original Traceback` below it.",
        advice=(
            Advice(
                "training",
                "repair or skip the sample that the `Original Traceback` names; num_workers=0 shows the place",
            ),
        ),
    ),
    Pattern(
        name="dataloader.exhausted",
        anchors=("StopIteration",),
        regex=r"(?:^|\]: ?|\d: |\) )(?:\[rank\d+\]: )?StopIteration\s*$",
        samples=(Sample("[rank57]: StopIteration"), Sample(" 3: [rank57]: StopIteration")),
        role=Role.CAUSE,
        cls=FailureClass.DATA,
        weight=55,
        title="this rank ran out of data",
        note="On some ranks only: uneven inputs, while the others wait in a collective.",
        advice=EVEN_INPUTS,
    ),
    Pattern(
        name="dataloader.too_many_workers",
        anchors=("Our suggested max number of worker in current system",),
        regex=r"This DataLoader will create (?P<workers>\d+) worker processes in total\. Our suggested max number of worker "
        r"in current system is (?P<suggested>\d+)",
        samples=(
            Sample(
                "/opt/venv/lib/python3.12/site-packages/torch/utils/data/dataloader.py:624: UserWarning: This DataLoader "
                "will create 16 worker processes in total. Our suggested max number of worker in current system is 4, "
                "which is smaller than what this DataLoader is going to create.",
                {"workers": "16", "suggested": "4"},
            ),
        ),
        role=Role.NOISE,
        bulk=True,
        title="more data workers than CPU cores",
        note="Evidence when data loading is slow.",
    ),
)

FORMAT = LineFormat(
    name="dataloader",
    title="PyTorch DataLoader",
    reference="pytorch torch/utils/data, torch/csrc/DataLoader.cpp",
    patterns=WORKERS + EXCEPTIONS,
)
