"""torchrun's elastic agent: supervision of workers, exit codes, death signals, rendezvous, 1.9 to 2.15."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import (
    FailureClass,
    Kind,
    Landmark,
    LineFormat,
    Mark,
    Pattern,
    Program,
    Role,
    Sample,
    Source,
    Trait,
)

_API = "W1121 04:12:11.382000 11807 torch/distributed/elastic/multiprocessing/api.py:1028] "
_ERR = "E1121 04:12:12.014000 11807 torch/distributed/elastic/multiprocessing/api.py:1002] "
_AGENT = "I1121 03:58:02.117000 11807 torch/distributed/elastic/agent/server/api.py:525] "
_RDZV = "W1121 04:13:40.008000 11807 torch/distributed/elastic/rendezvous/dynamic_rendezvous.py:1352] "

_TAIL = r"\) local_rank: (?P<local_rank>-?\d+) \(pid: (?P<pid>\d+)\) of (?:binary: (?P<binary>\S+)|fn: (?P<fn>\S+))?"


def _exit(codes: str) -> str:
    """The agent's line about the first worker that failed, for some exit codes."""
    return rf"failed \(exitcode: (?P<exitcode>{codes})" + _TAIL


SUPERVISION = (
    Pattern(
        name="torchrun.sigterm",
        anchors=("Sending process", "Closing process"),
        regex=r"(?:Sending process (?P<pid>\d+) closing|Closing process (?P<fn_pid>\d+) via) signal "
        r"(?:Signals\.)?(?P<signal>\w+)",
        samples=(
            Sample(_API + "Sending process 12213 closing signal SIGTERM", {"pid": "12213", "signal": "SIGTERM"}),
            Sample(
                "WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 7 closing signal SIGTERM",
                {"pid": "7"},
            ),
            Sample(
                "[2026-11-21 04:12:11,382] torch.distributed.elastic.multiprocessing.api: [WARNING] Closing process "
                "12214 via signal SIGTERM",
                {"fn_pid": "12214", "signal": "SIGTERM"},
            ),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.ENDS, Mark.STOPS_WORKERS),
        title="torchrun stops a surviving worker",
        note="The pids listed are not the first failure.",
    ),
    Pattern(
        name="torchrun.sigkill",
        anchors=("forcefully exiting via", "forcefully exitting via"),
        regex=r"Unable to shutdown process (?P<pid>\d+) via (?:Signals\.)?\w+, forcefully exit+ing via "
        r"(?:Signals\.)?(?P<signal>\w+)",
        samples=(
            Sample(
                _API + "Unable to shutdown process 12213 via Signals.SIGTERM, forcefully exiting via Signals.SIGKILL",
                {"pid": "12213", "signal": "SIGKILL"},
            ),
            Sample(
                _API + "Unable to shutdown process 12213 via 15, forcefully exitting via 9",
                {"pid": "12213", "signal": "9"},
            ),
        ),
        role=Role.SYMPTOM,
        title="a worker ignored SIGTERM for 30 s and was killed",
        note="The process was stuck in a GPU, driver or file-system call.",
    ),
    Pattern(
        name="torchrun.abandoned",
        anchors=("abandoning and continuing teardown",),
        regex=r"Process (?P<pid>\d+) did not exit after (?P<signal>\S+) within (?P<seconds>[\d.]+)s; abandoning",
        samples=(
            Sample(
                _API + "Process 12213 did not exit after SIGKILL within 30s; abandoning and continuing teardown. "
                "Worker may be in uninterruptible kernel sleep (e.g. wedged on GPU/NIC); host may need to be recycled.",
                {"pid": "12213", "signal": "SIGKILL", "seconds": "30"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=50,
        title="a worker survives SIGKILL: stuck in the kernel",
        note="2.13 and later. D-state: the node needs a look, whatever else failed.",
        advice=(
            Advice(
                "infrastructure",
                "reboot the node[ {host}]: process {pid} hangs in the kernel, in a file system or a driver",
            ),
        ),
    ),
    Pattern(
        name="torchrun.death_signal",
        anchors=("death signal, shutting down workers",),
        regex=r"Received (?:Signals\.)?(?P<signal>\w+) death signal, shutting down workers",
        samples=(
            Sample(
                "W1121 04:12:11.380000 11807 torch/distributed/elastic/agent/server/api.py:753] "
                "Received 15 death signal, shutting down workers",
                {"signal": "15"},
            ),
            Sample(
                "WARNING:torch.distributed.elastic.agent.server.api:Received Signals.SIGTERM death signal, "
                "shutting down workers",
                {"signal": "SIGTERM"},
            ),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.SIGNALLED,),
        cls=FailureClass.INFRASTRUCTURE,
        title="torchrun itself got a signal",
        note="Cancelled from outside: scancel, preemption, time limit, or srun after another task's failure.",
    ),
    Pattern(
        name="torchrun.signal_exception",
        anchors=("SignalException: Process",),
        regex=r"SignalException: Process (?P<pid>\d+) got signal: (?:Signals\.)?(?P<signal>\w+)",
        samples=(
            Sample(
                "torch.distributed.elastic.multiprocessing.api.SignalException: Process 11807 got signal: 15",
                {"pid": "11807", "signal": "15"},
            ),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.SIGNALLED,),
        cls=FailureClass.INFRASTRUCTURE,
        title="torchrun stopped by a signal",
        note="The last line of the agent's traceback; no failure block follows.",
    ),
    Pattern(
        name="torchrun.reaped",
        anchors=("Reaping worker_pid",),
        regex=r"Reaping worker_pid=\[?(?P<pid>\d+)\]?",
        samples=(Sample(_AGENT + "Reaping worker_pid=[12213]. Expired timers: ['step']", {"pid": "12213"}),),
        role=Role.SYMPTOM,
        title="torchrun's timer watchdog killed a worker",
    ),
    Pattern(
        name="torchrun.omp",
        anchors=("Setting OMP_NUM_THREADS environment variable",),
        regex=r"Setting OMP_NUM_THREADS environment variable",
        samples=(
            Sample(
                "Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your "
                "system being overloaded, please further tune the variable for optimal performance as needed. "
            ),
        ),
        role=Role.NOISE,
        marks=(Mark.STARTS, Mark.LAUNCHES),
        landmark=Landmark.ATTEMPT,
        note="Once for each launch on each node: a second one is another run.",
    ),
)

EXITS = (
    Pattern(
        name="torchrun.worker_killed",
        anchors=("failed (exitcode:",),
        regex=_exit("-9|137"),
        samples=(
            Sample(
                _ERR + "failed (exitcode: -9) local_rank: 6 (pid: 12219) of binary: /opt/venv/bin/python3",
                {"exitcode": "-9", "local_rank": "6", "pid": "12219", "binary": "/opt/venv/bin/python3"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.WORKER_EXIT,),
        cls=FailureClass.INFRASTRUCTURE,
        weight=50,
        title="a worker was killed with SIGKILL",
        note="OOM killer, scheduler, operator, or the agent's own second stage. First worker seen by this agent.",
        advice=(
            Advice(
                "infrastructure",
                "look into the kernel log[ of {host}] for the OOM killer of that minute: process {pid} got "
                "SIGKILL; else ask scheduler and operators",
            ),
        ),
    ),
    Pattern(
        name="torchrun.worker_crashed",
        anchors=("failed (exitcode:",),
        regex=_exit("-4|-7|-8|-11|132|135|136|139"),
        samples=(
            Sample(
                "[2026-11-21 04:12:12,014] torch.distributed.elastic.multiprocessing.api: [ERROR] failed (exitcode: "
                "-11) local_rank: 2 (pid: 4411) of fn: main (start_method: spawn)",
                {"exitcode": "-11", "local_rank": "2", "pid": "4411", "fn": "main"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.WORKER_EXIT,),
        cls=FailureClass.SOFTWARE,
        weight=45,
        title="a worker crashed (segfault, bus error)",
        note="-11 SIGSEGV, -7 SIGBUS (shared memory), -4 SIGILL, -8 SIGFPE.",
        advice=(
            Advice(
                "training",
                "rerun with PYTHONFAULTHANDLER=1 to see where process {pid} crashed in native code; a bus error "
                "is most often a full /dev/shm",
            ),
        ),
    ),
    Pattern(
        name="torchrun.worker_aborted",
        anchors=("failed (exitcode:",),
        regex=_exit("-6|-15|134|143"),
        samples=(
            Sample(
                _ERR + "failed (exitcode: -6) local_rank: 0 (pid: 12213) of binary: /opt/venv/bin/python3",
                {"exitcode": "-6", "local_rank": "0", "pid": "12213"},
            ),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.WORKER_EXIT,),
        title="a worker aborted or was terminated",
        note="-6 is usually the watchdog's abort, -15 the launcher's SIGTERM: victims.",
    ),
    Pattern(
        name="torchrun.worker_failed",
        anchors=("failed (exitcode:",),
        regex=_exit(r"(?!(?:-4|-6|-7|-8|-9|-11|-15|132|134|135|136|137|139|143)\))-?\d+"),
        samples=(
            Sample(
                "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 1) local_rank: 3 (pid: 812) "
                "of binary: /usr/bin/python",
                {"exitcode": "1", "local_rank": "3", "pid": "812", "binary": "/usr/bin/python"},
            ),
            Sample(_ERR + "failed (exitcode: 3) local_rank: 1 (pid: 9) of binary: /usr/bin/python", {"exitcode": "3"}),
        ),
        role=Role.STATE,
        marks=(Mark.ENDS, Mark.WORKER_EXIT),
        title="a worker exited with an error",
        note="1 is a Python exception; others come from sys.exit(n). First worker seen by this agent only.",
    ),
    Pattern(
        name="torchrun.child_failed",
        anchors=("ChildFailedError:",),
        regex=r"(?:^|[\s.\]:])ChildFailedError:\s*$",
        samples=(Sample("torch.distributed.elastic.multiprocessing.errors.ChildFailedError: "),),
        role=Role.STATE,
        marks=(Mark.ENDS, Mark.LAST_WORD),
        follow=120,
        title="torchrun's failure report",
        note="One block per node. Read with worker_failures; for hangs its root cause is wrong by construction.",
    ),
    Pattern(
        name="torchrun.root_cause",
        anchors=("Root Cause (first observed failure)", "Root Cause:"),
        regex=r"Root Cause(?: \(first observed failure\))?:\s*$",
        samples=(Sample("Root Cause (first observed failure):"), Sample("Root Cause:")),
        role=Role.STATE,
        follow=60,
        title="torchrun's first observed failure",
        note="The earliest failure of that node. A detector, not a culprit, where the job hung.",
    ),
    Pattern(
        name="torchrun.error_file",
        anchors=("no error file defined for parent",),
        regex=r"no error file defined for parent, to copy child error file \((?P<error_file>[^)]*)\)",
        samples=(
            Sample(
                _ERR + "no error file defined for parent, to copy child error file "
                "(/tmp/torchelastic_k2/run7_x/attempt_0/3/error.json)",
                {"error_file": "/tmp/torchelastic_k2/run7_x/attempt_0/3/error.json"},
            ),
        ),
        role=Role.INFO,
        title="where a worker left its error.json",
    ),
)

FORMAT = LineFormat(
    name="torchrun",
    title="torchrun: supervision and exit codes",
    reference="pytorch torch/distributed/elastic, 1.9 to 2.15",
    patterns=SUPERVISION + EXITS,
    programs=(
        Program(
            Kind.LAUNCHER,
            ("torchrun",),
            "torchrun",
            outer=90,
            traits=(
                Trait.PER_NODE,
                Trait.SEVERAL_PER_TASK,
                Trait.ONE_OUTPUT,
                Trait.TOGETHER,
                Trait.NO_SIGN_OF_LIFE,
                Trait.STOPS_SURVIVORS,
            ),
            source=Source.LAUNCHER,
        ),
    ),
)
