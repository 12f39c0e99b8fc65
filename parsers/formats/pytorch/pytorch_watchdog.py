"""PyTorch's NCCL watchdog and heartbeat monitor, every wording from 1.12 to 2.15.

Which rank printed a line is the `[rankN]:` before it. `[Rank n]` and `[PG … Rank n]` count inside a group, and the
bare `[Rank n]` may even be another group's.
"""

from __future__ import annotations

from logtui.parsers.pattern import Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Source, Trait

_NAMED = r"(?:ID (?P<pg_id>\d+) PG GUID (?P<guid>[^\s()\]]+)|GUID (?P<guid2>[^\s()\]]+)|(?P<pg_name>[^\s()\]]+))"
PG = r"\[(?:PG " + _NAMED + r"\s?(?:\((?P<desc>[^\]]*?)\))? )?Rank (?P<pg_rank>\d+)\]\s*"
"""The process group a line speaks for: by name (2.3), id and GUID (2.5 on), or a rank alone (before)."""

_WORK = (
    r"WorkNCCL\(SeqNum=(?P<seq>\d+), OpType=(?P<op>\w+)"
    r"(?:, TensorShape=\[[^\]]*\])?(?:, NumelIn=(?P<numel_in>\d+), NumelOut=(?P<numel_out>\d+))?"
    r"(?:, Timeout\(ms\)=(?P<timeout_ms>\d+))?\)"
)
_COUNTERS = r"last enqueued (?:NCCL )?work: *(?P<enqueued>-?\d+)(?:, last started work: *(?P<started>-?\d+))?, last completed (?:NCCL )?work: *(?P<completed>-?\d+)"

_27 = "[rank57]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:{}] "
_24 = "[rank57]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:{}] [PG 2 (mesh_dp) Rank 9] "
_23 = "[rank57]:[E ProcessGroupNCCL.cpp:{}] [PG 0 Rank 57] "
_PG25 = "[PG ID 3 PG GUID 12(DATA_PARALLEL_GROUP) Rank 9] "
_WORK_TEXT = "WorkNCCL(SeqNum=1234, OpType=ALLREDUCE, NumelIn=4096, NumelOut=4096, Timeout(ms)=600000)"

_TIMEOUT = Pattern(
    name="pg.timeout",
    anchors=("Watchdog caught collective operation timeout",),
    regex=r"(?<!terminated with exception: )(?<!terminated with exception: \[Rank \d\] )"
    r"(?:" + PG + r")?Watchdog caught collective operation timeout:(?: ?" + _WORK + r" ran for (?P<ran_ms>\d+) milliseconds)?",
    samples=(
        Sample(
            _27.format(683) + f"[Rank 9] Watchdog caught collective operation timeout: {_WORK_TEXT} ran for 600031 milliseconds before timing out.",
            {"seq": "1234", "op": "ALLREDUCE", "timeout_ms": "600000", "ran_ms": "600031", "numel_in": "4096", "pg_rank": "9"},
        ),
        Sample(
            "[E ProcessGroupNCCL.cpp:737] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=77, "
            "OpType=BROADCAST, Timeout(ms)=1800000) ran for 1800123 milliseconds before timing out.",
            {"seq": "77", "pg_rank": "3", "ran_ms": "1800123"},
        ),
        Sample(
            _27.format(694) + f"[PG GUID 12(DATA_PARALLEL_GROUP) Rank 9] Watchdog caught collective operation timeout: {_WORK_TEXT} "
            "ran for 600031 milliseconds before timing out.",
            {"guid2": "12", "desc": "DATA_PARALLEL_GROUP", "seq": "1234"},
        ),
    ),
    role=Role.SYMPTOM,
    unsigned=True,
    title="collective timed out: this rank had entered and waited",
    note="A victim's line: who is missing does not print it.",
)  # fmt: skip

_STATUS = Pattern(
    name="pg.status",
    anchors=("failure detected by watchdog at work sequence id", "detected by watchdog at work: ", "Timeout at NCCL work: "),
    regex=r"(?:" + PG + r")?(?:failure detected by watchdog at work sequence id: (?P<seq>\d+) PG status: |"
    r"Exception \(either an error or timeout\) detected by watchdog at work: (?P<seq2>\d+), |Timeout at NCCL work: (?P<seq3>\d+), )"
    + _COUNTERS,
    samples=(
        Sample(
            _27.format(2241) + _PG25 + " failure detected by watchdog at work sequence id: 1234 PG status: last enqueued work: 1236, last completed work: 1233",
            {"guid": "12", "desc": "DATA_PARALLEL_GROUP", "seq": "1234", "enqueued": "1236", "completed": "1233"},
        ),
        Sample(
            _27.format(2290) + _PG25 + " failure detected by watchdog at work sequence id: 1234 PG status: last enqueued work: 1236, "
            "last started work: -1, last completed work: 1233",
            {"started": "-1", "completed": "1233"},
        ),
        Sample(
            _24.format(1664) + "Exception (either an error or timeout) detected by watchdog at work: 1234, last enqueued NCCL work: 1236, last completed NCCL work: 1233.",
            {"pg_name": "2", "desc": "mesh_dp", "seq2": "1234", "enqueued": "1236"},
        ),
        Sample(
            _23.format(1537) + "Timeout at NCCL work: 1234, last enqueued NCCL work: 1236, last completed NCCL work: 1233.",
            {"pg_name": "0", "seq3": "1234", "completed": "1233"},
        ),
    ),
    role=Role.STATE, marks=(Mark.WAITS,),
    title="watchdog reports the group's progress on this rank",
    note="The most useful numbers of the log: this group, on this rank.",
)  # fmt: skip

_BARE_STATUS = Pattern(
    name="pg.status_bare",
    anchors=("last enqueued",),
    regex=r"^(?!.*(?:failure detected by|detected by watchdog|Timeout at NCCL|dump the debug info))(?:.*?\[Rank (?P<pg_rank>\d+)\])?.*?"
    r"last enqueued(?: NCCL)?(?: work)?: *(?P<enqueued>-?\d+), last completed(?: NCCL)?(?: work)?: *(?P<completed>-?\d+)",
    samples=(
        Sample("[rank0]: ... last enqueued work: 51, last completed work: 50", {"enqueued": "51", "completed": "50"}),
        Sample("[Rank 9]  last enqueued: 10, last completed: 10", {"pg_rank": "9", "completed": "10"}),
    ),
    role=Role.STATE,
    title="progress counters, quoted without their group",
    note="People wrap and shorten these lines in reports; the rank may stand in the line before.",
)

_WORK_QUOTED = Pattern(
    name="pg.work_quoted",
    anchors=("WorkNCCL(SeqNum=",),
    regex=r"^(?!.*(?:Watchdog caught|terminated with|async exception|timed out in blocking))(?:.*?\[Rank (?P<pg_rank>\d+)\])?.*?" + _WORK,
    samples=(Sample("[Rank 3]  WorkNCCL(SeqNum=11, OpType=ALLREDUCE, NumelIn=1, NumelOut=1)", {"pg_rank": "3", "seq": "11", "op": "ALLREDUCE"}),),
    role=Role.STATE,
    title="the operation waited for, on a line of its own",
)  # fmt: skip

_DUMP_SIGNAL = Pattern(
    name="pg.dump_signal",
    anchors=(" to dump the debug info. Last enqueued ", "will start to dump the debug info", "try our best to dump the debug info"),
    regex=r"(?:" + PG + r")?Received a (?:global )?(?:timeout|dump)(?: signal)?(?: due to a collective timeout)? from (?:(?P<local>this local rank)|"
    r"another rank| *rank (?P<source>-?\d+),?) and (?:will start to|we will try our best to) dump the debug info"
    r"(?:. Last enqueued NCCL work: (?P<enqueued>-?\d+), last completed NCCL work: (?P<completed>-?\d+))?",
    samples=(
        Sample(
            _27.format(1858) + "[PG ID 0 PG GUID 0(default_pg) Rank 57] Received a dump signal due to a collective timeout from  rank 3 and we will "
            "try our best to dump the debug info. Last enqueued NCCL work: 1233, last completed NCCL work: 1233.This is most likely caused by",
            {"guid": "0", "desc": "default_pg", "source": "3", "enqueued": "1233", "completed": "1233"},
        ),
        Sample(
            _27.format(1858) + "[PG ID 0 PG GUID 0(default_pg) Rank 57] Received a dump signal due to a collective timeout from this local rank and we "
            "will try our best to dump the debug info. Last enqueued NCCL work: 1234, last completed NCCL work: 1233.This is most likely",
            {"local": "this local rank", "enqueued": "1234"},
        ),
        Sample(
            _24.format(1206) + "Received a global dump signal from rank 3, and will start to dump the debug info. Last enqueued NCCL work: 8, last completed NCCL work: 8.",
            {"source": "3", "completed": "8"},
        ),
        Sample(
            _23.format(1153) + "Received a timeout signal from this local rank and will start to dump the debug info. Last enqueued NCCL work: 9, last completed NCCL work: 8.",
            {"local": "this local rank"},
        ),
    ),
    role=Role.STATE,
    title="told to dump by a rank that timed out",
    note="The counters are the default group's, whatever group timed out; the source is a detector, normally a victim.",
)  # fmt: skip

FORMAT = LineFormat(
    name="pytorch_watchdog",
    title="PyTorch ProcessGroupNCCL watchdog and heartbeat monitor",
    reference="pytorch torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp, 1.12 to 2.15",
    patterns=(
        _TIMEOUT,
        _STATUS,
        _BARE_STATUS,
        _WORK_QUOTED,
        _DUMP_SIGNAL,
        Pattern(
            name="pg.initiator",
            anchors=("First PG on this rank to signal dumping", "First watchdog to set the dump signal"),
            regex=r"(?:" + PG + r")?(?:First PG on this rank to signal dumping|First watchdog to set the dump signal)",
            samples=(
                Sample(_27.format(2573) + _PG25 + "First PG on this rank to signal dumping.", {"guid": "12"}),
                Sample(_24.format(1515) + "First watchdog to set the dump signal.", {"pg_name": "2"}),
            ),
            role=Role.STATE, marks=(Mark.WAITS,),
            title="this rank detected the timeout itself",
        ),
        Pattern(
            name="pg.notified",
            anchors=("Observed flight recorder dump signal from another rank", "detecting the dump signal through tcpstore"),
            regex=r"(?:" + PG + r")?(?:Observed flight recorder dump signal from another rank|First PG on this rank detecting the dump signal)",
            samples=(
                Sample(
                    _27.format(1794) + "[PG ID 0 PG GUID 0(default_pg) Rank 57] Observed flight recorder dump signal from another rank via TCPStore.",
                    {"guid": "0", "pg_rank": "57"},
                ),
                Sample(_24.format(1201) + "First PG on this rank detecting the dump signal through tcpstore.", {}),
            ),
            role=Role.STATE, marks=(Mark.WAITS,),
            title="notified of another rank's timeout; its own watchdog saw none",
        ),
        Pattern(
            name="pg.preparing_dump",
            anchors=("ProcessGroupNCCL preparing to dump debug info",),
            regex=r"(?:" + PG + r")?ProcessGroupNCCL preparing to dump debug info(?:.*only active collectives: (?P<only_active>\d))?",
            samples=(Sample(_27.format(1575) + _PG25 + "ProcessGroupNCCL preparing to dump debug info. Include stack trace: 1", {}),),
            role=Role.STATE,
            title="dumps the flight recorder",
        ),
        Pattern(
            name="pg.dump_written",
            anchors=("Finished writing Flight Recorder debug info to", "Finished writing NCCLPG debug info to"),
            regex=r"Finished writing (?:Flight Recorder|NCCLPG) debug info to (?P<path>\S+)",
            samples=(Sample("[rank3]:[I1121 04:12:09.112358132 FlightRecorder.cpp:99] Finished writing Flight Recorder debug info to /scratch/fr/dump_3", {"path": "/scratch/fr/dump_3"}),),
            role=Role.INFO,
        ),
        Pattern(
            name="pg.stuck_watchdog",
            anchors=("watchdog got stuck for", "Heartbeat monitor timed out!", "NCCL monitor thread timeout. Basically", "monitoring thread detects no heartbeat"),
            regex=r"(?:" + PG + r")?(?:ProcessGroupNCCL's watchdog got stuck for (?P<seconds>\d+) seconds|Heartbeat monitor timed out!|NCCL monitor thread timeout|monitoring thread detects no heartbeat)",
            samples=(
                Sample(_27.format(1895) + _PG25 + "ProcessGroupNCCL's watchdog got stuck for 480 seconds without making progress in monitoring enqueued collectives.", {"seconds": "480"}),
                Sample(_23.format(1169) + "Heartbeat monitor timed out! Process will be terminated after dumping debug info. workMetaList_.size()=3", {}),
                Sample("[E ProcessGroupNCCL.cpp:1080] [Rank 3] NCCL monitor thread timeout. Basically, this could be due to CUDA or NCCL calls", {"pg_rank": "3"}),
            ),
            role=Role.CAUSE,
            weight=45,
            title="watchdog thread itself is stuck inside a CUDA or NCCL call",
            note="Says this process is wedged (dead GPU, driver, GIL); says nothing of others.",
        ),
        Pattern(
            name="pg.gil",
            anchors=("Could not acquire GIL within",),
            regex=r"Could not acquire GIL within (?P<ms>\d+) ms on exit",
            samples=(Sample(_27.format(1840) + "Could not acquire GIL within 300 ms on exit, possible GIL induced hang", {"ms": "300"}),),
            role=Role.STATE,
            title="a Python thread holds the GIL",
        ),
        Pattern(
            name="pg.banner",
            anchors=("Some NCCL operations have failed or timed out", "taking the entire process down"),
            regex=r"Some NCCL operations have failed or timed out|To avoid (?:data|this) inconsistency, we are taking the entire process down",
            samples=(
                Sample(_27.format(730) + "[Rank 9] Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA kernels", {}),
                Sample(_27.format(732) + "[Rank 9] To avoid data inconsistency, we are taking the entire process down.", {}),
            ),
            role=Role.SYMPTOM, marks=(Mark.TAKES_DOWN,),
            title="the watchdog takes the process down",
            note="Up to 60 s after the timeout. No information but the time of death.",
        ),
        Pattern(
            name="pg.terminating",
            anchors=("Terminating the process after attempting to dump debug info", "We tried our best to dump the debug info", "watchdog detected a collective timeout"),
            regex=r"(?:" + PG + r")?(?:Terminating the process after attempting to dump debug info, due to (?P<reason>[\w ]+?)\.|ProcessGroupNCCL's watchdog detected (?P<what>a collective timeout|an exception|a dump signal))",
            samples=(Sample(_27.format(1937) + _PG25 + _PG25 + "Terminating the process after attempting to dump debug info, due to ProcessGroupNCCL watchdog hang.", {"reason": "ProcessGroupNCCL watchdog hang"}),),
            role=Role.SYMPTOM, marks=(Mark.TAKES_DOWN,),
            title="the heartbeat monitor ends the process",
        ),
        Pattern(
            name="pg.terminated",
            anchors=("watchdog thread terminated with exception",),
            regex=r"(?:" + PG + r")?(?:NCCL|Process group) watchdog thread terminated with exception: (?:\[[^\]]*\] )?(?!CUDA error)(?P<why>[^:.]*)"
            r"(?:: ?WorkNCCL\(SeqNum=(?P<seq>\d+))?",
            samples=(Sample(_27.format(1895) + _PG25 + f"Process group watchdog thread terminated with exception: [Rank 9] Watchdog caught collective operation timeout: {_WORK_TEXT}", {"why": "Watchdog caught collective operation timeout", "guid": "12", "seq": "1234"}),),
            role=Role.SYMPTOM,
            title="watchdog thread ended with an exception",
        ),
        Pattern(
            name="pg.ended",
            anchors=("NCCL watchdog thread terminated normally", "communicators on CUDA device "),
            regex=r"NCCL watchdog thread terminated normally|Destroyed (?P<count>\d+) ?communicators on CUDA device (?P<device>\d+)",
            samples=(
                Sample("[I ProcessGroupNCCL.cpp:844] [Rank 9] NCCL watchdog thread terminated normally"),
                Sample("[I ProcessGroupNCCL.cpp:875] [Rank 9] Destroyed 5communicators on CUDA device 1", {"count": "5", "device": "1"}),
            ),
            role=Role.END, marks=(Mark.UNSURE_END,),
            title="the process group was taken down in order",
            note="1.13 to 2.2, at log level INFO: when Python ends, also with an exception.",
        ),
        Pattern(
            name="pg.no_stack",
            anchors=("Stack trace of the failed collective",),
            regex=r"Stack trace of the failed collective(?P<missing> not found)?",
            samples=(Sample(_27.format(730) + "Stack trace of the failed collective not found, potentially because FlightRecorder is disabled.", {"missing": " not found"}),),
            role=Role.STATE,
        ),
        Pattern(
            name="pg.remote_error",
            anchors=("remote error detected from rank",),
            regex=r"remote error detected from rank: (?P<source>\d+)",
            samples=(Sample(_27.format(2106) + _PG25 + " remote error detected from rank: 3", {"source": "3"}),),
            role=Role.SYMPTOM,
            title="another rank reported an error",
        ),
        Pattern(
            name="pg.should_dump",
            anchors=("Failed to check the \"should dump\" flag on TCPStore", "TCPStore check for dump key"),
            regex=r"Failed to check the \"should dump\" flag on TCPStore|TCPStore check for dump key",
            samples=(Sample(_27.format(1771) + "Failed to check the \"should dump\" flag on TCPStore, (maybe TCPStore server has shut down too early), with error: Broken pipe", {}),),
            role=Role.NOISE, marks=(Mark.AFTER_EXIT,),
            bulk=True,
            title="the store is gone: rank 0 or its agent has ended",
        ),
        Pattern(
            name="pg.not_destroyed",
            anchors=("destroy_process_group() was not called before program exit", "process group has NOT been destroyed before"),
            regex=r"destroy_process_group\(\) was not called|process group has NOT been destroyed",
            samples=(Sample("[rank3]:[W1121 04:12:09.112358132 ProcessGroupNCCL.cpp:1524] Warning: WARNING: destroy_process_group() was not called before program exit, which can leak resources.", {}),),
            role=Role.NOISE,
            title="left without destroy_process_group()",
            note="By-product; dates the exit of the process that printed it, also after an exception.",
        ),
        Pattern(
            name="pg.init_options",
            anchors=("ProcessGroupNCCL initialization options",),
            regex=r"(?:" + PG + r")?ProcessGroupNCCL initialization options: size: (?P<size>\d+), global rank: (?P<global_rank>\d+)",
            samples=(Sample("[rank3]:[I1121 04:12:09.112358132 ProcessGroupNCCL.cpp:991] [PG ID 1 PG GUID 7 Rank 1] ProcessGroupNCCL initialization options: size: 4, global rank: 3, TIMEOUT(ms): 600000", {"size": "4", "global_rank": "3", "guid": "7"}),),
            role=Role.INFO,
        ),
    ),
    programs=(Program(Kind.LIBRARY, ("pg",), traits=(Trait.TOGETHER, Trait.WATCHDOG, Trait.NO_SIGN_OF_LIFE), source=Source.NCCL),),
)  # fmt: skip
