"""torch.multiprocessing.spawn: which child ended, and how. The index is the child's place, not a rank."""

from __future__ import annotations

from logtui.parsers.pattern import Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Source, Trait

FORMAT = LineFormat(
    name="spawn",
    title="torch.multiprocessing.spawn",
    reference="pytorch torch/multiprocessing/spawn.py",
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
            marks=(Mark.EXIT_CODE, Mark.CHILD_EXIT, Mark.SIGNALLED),
            title="a spawned worker ended",
        ),
    ),
    programs=(Program(Kind.AGENT, ("spawn",), traits=(Trait.PER_NODE, Trait.NO_SIGN_OF_LIFE), source=Source.LAUNCHER),),
)
