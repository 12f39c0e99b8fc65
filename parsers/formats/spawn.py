"""torch.multiprocessing.spawn and subprocess: which child ended, and how.

The index that spawn prints is the child's place, not a rank.
"""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="spawn",
    title="torch.multiprocessing.spawn, subprocess",
    reference="pytorch torch/multiprocessing/spawn.py; CPython Lib/subprocess.py",
    patterns=(
        Pattern(
            name="spawn.child_exception",
            anchors=("terminated with the following error",),
            regex=r"-- Process (?P<index>\d+) terminated with the following error:",
            samples=(Sample("-- Process 1 terminated with the following error:", {"index": "1"}),),
            role=Role.STATE,
            follow=60,
            title="a spawned worker raised an exception",
            note="The traceback of the child follows.",
        ),
        Pattern(
            name="spawn.child_exit",
            anchors=("terminated with signal SIG", "terminated with exit code"),
            regex=r"rocess (?P<index>\d+) terminated with (?:signal (?P<signal>\w+)|exit code (?P<exitcode>\d+))",
            samples=(
                Sample(
                    "torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGABRT",
                    {"index": "1", "signal": "SIGABRT"},
                ),
                Sample("Exception: process 0 terminated with exit code 1", {"index": "0", "exitcode": "1"}),
            ),
            role=Role.STATE,
            title="a spawned worker ended",
        ),
        Pattern(
            name="subprocess.killed",
            anchors=("died with <Signals.SIG",),
            regex=r"died with <Signals\.(?P<signal>SIGKILL): \d+>",
            samples=(
                Sample(
                    "subprocess.CalledProcessError: Command '['python', '-u', 'train.py']' died with <Signals.SIGKILL: 9>.",
                    {"signal": "SIGKILL"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=52,
            title="a child process was killed with SIGKILL",
        ),
        Pattern(
            name="subprocess.crashed",
            anchors=("died with <Signals.SIG",),
            regex=r"(?:--local[_-]rank[= '\",]+(?P<local_rank>\d+).*?)?died with <Signals\.(?P<signal>SIGSEGV|SIGBUS|SIGILL|SIGFPE): \d+>",
            samples=(
                Sample(
                    "subprocess.CalledProcessError: Command '['python', '-u', 'train.py', '--local_rank=7']' died with "
                    "<Signals.SIGSEGV: 11>.",
                    {"local_rank": "7", "signal": "SIGSEGV"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=54,
            title="a child process crashed",
            note="torch.distributed.launch up to 1.7 names the first child that ended badly.",
        ),
    ),
)
