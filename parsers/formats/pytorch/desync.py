"""PyTorch's desync report (TORCH_NCCL_DESYNC_DEBUG=1): several lines, prefixed at most on the first.

Its ranks are those of the process group. It is the best textual evidence PyTorch prints.
"""

from __future__ import annotations

from logtui.parsers.pattern import Kind, LineFormat, Pattern, Program, Role, Sample, Trait

FORMAT = LineFormat(
    name="desync",
    title="PyTorch desync report",
    reference="pytorch torch/csrc/distributed/c10d/TraceUtils.h, ProcessGroupNCCL.cpp, 2.0 to 2.15",
    patterns=(
        Pattern(
            name="desync.never_joined",
            anchors=("are the lagging ranks that caused this timeout",),
            regex=r"ranks \[(?P<ranks>[\d, ]+)\] are the lagging ranks that caused this timeout",
            samples=(
                Sample(
                    "\t - To our best knowledge, ranks [1, 2] are the lagging ranks that caused this timeout. They never "
                    "joined any collectives",
                    {"ranks": "1, 2"},
                ),
            ),
            role=Role.CAUSE,
            weight=90,
            title="desync report: ranks that never joined",
            note="Names the ranks, by their numbers in the group, and not the reason.",
        ),
        Pattern(
            name="desync.behind",
            anchors=("but didn't join collective #",),
            regex=r"\[(?P<ranks>[\d, ]+)\] finished collective #(?P<finished>\d+), but didn't join collective #(?P<seq>\d+)",
            samples=(
                Sample(
                    "\t     [57] finished collective #1233, but didn't join collective #1234 (count from 1)",
                    {"ranks": "57", "finished": "1233", "seq": "1234"},
                ),
            ),
            role=Role.CAUSE,
            weight=90,
            title="desync report: ranks that did not join",
            note="Names the ranks, not the reason. Where another rank called one collective too many, that one "
            "is to blame. Group-local.",
        ),
        Pattern(
            name="desync.unfinished",
            anchors=("joined but didn't finish collective #",),
            regex=r"\[(?P<ranks>[\d, ]+)\] joined but didn't finish collective #(?P<seq>\d+)",
            samples=(
                Sample(
                    "\t   - [0, 1, 3] joined but didn't finish collective #1234 (count from 1)",
                    {"ranks": "0, 1, 3", "seq": "1234"},
                ),
            ),
            role=Role.STATE,
            title="desync report: ranks that wait",
        ),
        Pattern(
            name="desync.timeout_at",
            anchors=("] Timeout at collective: ",),
            regex=r"- \[(?P<pg_rank>\d+)\] Timeout at collective: (?P<op>\w+), #(?P<seq>\d+)",
            samples=(
                Sample(
                    "\t - [3] Timeout at collective: ALLREDUCE, #1234",
                    {"pg_rank": "3", "op": "ALLREDUCE", "seq": "1234"},
                ),
            ),
            role=Role.STATE,
            title="desync report: where this rank waits",
        ),
        Pattern(
            name="desync.snapshot",
            anchors=("] finished ", "] started "),
            regex=r"^[ \t]*(?:\S{1,60} )?[ \t]*\[(?P<ranks>\d[\d, ]*)\] (?P<phase>finished|started) (?P<op>_?[A-Z][A-Z_]{3,})\s*$",
            samples=(
                Sample(
                    "\t     [0, 1, 2] started ALLREDUCE", {"ranks": "0, 1, 2", "phase": "started", "op": "ALLREDUCE"}
                ),
                Sample("\t     [57] finished BROADCAST", {"ranks": "57", "phase": "finished"}),
            ),
            role=Role.STATE,
            title="desync report: a rank's last collective",
        ),
        Pattern(
            name="desync.store_down",
            anchors=("Store is down while updating #",),
            regex=r"Store is down while updating #(?:(?P<seq>\d+) with key (?P<key>\S+))?",
            samples=(
                Sample(
                    "[E ProcessGroupNCCL.cpp:314] Store is down while updating #1234 with key NCCL_3_trace_start",
                    {"seq": "1234", "key": "NCCL_3_trace_start"},
                ),
            ),
            role=Role.SYMPTOM,
            bulk=True,
        ),
        Pattern(
            name="desync.report_failed",
            anchors=("NCCL_DESYNC_DEBUG report",),
            regex=r"Failed to ret?rieve (?:TORCH_)?NCCL_DESYNC_DEBUG report",
            samples=(
                Sample("Failed to rerieve TORCH_NCCL_DESYNC_DEBUG report with unknown error. Please file an issue."),
                Sample("Failed to retrieve TORCH_NCCL_DESYNC_DEBUG report.  Please file an issue. Error: x"),
            ),
            role=Role.NOISE,
        ),
    ),
    programs=(Program(Kind.LIBRARY, ("desync",), traits=(Trait.TOGETHER,)),),
)
