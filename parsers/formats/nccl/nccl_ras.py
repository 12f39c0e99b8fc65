"""NCCL's RAS subsystem (2.24 on): peers declared dead, and the `ncclras` report that names missing ranks."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Pattern, Program, Role, Sample, Trait

_INFO = "node007:4411:4620 [1] NCCL INFO "

FORMAT = LineFormat(
    name="nccl_ras",
    title="NCCL RAS",
    reference="NCCL src/ras, 2.24 to 2.30",
    patterns=(
        Pattern(
            name="ras.peer_dead",
            anchors=("RAS declaring peer ", "that is considered dead!"),
            regex=r"RAS (?:declaring peer (?P<peer>\S+?)(?:<(?P<port>\d+)>)? as DEAD"
            r"|connection from peer (?P<late>\S+) that is considered dead)",
            samples=(
                Sample(
                    _INFO + "RAS declaring peer 10.0.0.9<28028> as DEAD; rasDeadPeersHash 0x51aa",
                    {"peer": "10.0.0.9", "port": "28028"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=55,
            title="NCCL lost a peer's process",
            note="The process or its node is gone: why must come from that host.",
            advice=(
                Advice(
                    "infrastructure",
                    "read the kernel log and the scheduler's record of {peer}: its process or node is gone",
                ),
            ),
        ),
        Pattern(
            name="ras.slow_peer",
            anchors=(" on socket connection with ", "RAS collective "),
            regex=r"RAS (?P<what>connect retry timeout|connect timeout warning|idle timeout|send stuck timeout error|"
            r"termination stuck timeout error)[^(]{0,20}\((?P<seconds>\d+)s\) on socket connection with (?P<peer>\S+)"
            r"|RAS collective \S+ timeout (?:warning|error)",
            samples=(
                Sample(
                    _INFO + "RAS connect timeout warning (5s) on socket connection with 10.0.0.9<28028>",
                    {"what": "connect timeout warning", "seconds": "5", "peer": "10.0.0.9<28028>"},
                ),
                Sample(_INFO + "RAS collective 10.0.0.1<28028>:4 timeout warning (10s) -- 2 responses missing"),
            ),
            role=Role.STATE,
            bulk=True,
            title="NCCL's RAS waits for a peer",
        ),
        Pattern(
            name="ras.communicator",
            anchors=(") MISMATCH", ") INCOMPLETE", ") ERROR", ") TIMEOUT"),
            regex=r"^\s*#(?P<group>\d+)-(?P<index>\d+) \((?P<comm>[0-9a-f]+)\) (?P<status>[A-Z]+(?:[ ,/]+[A-Z]+){0,4})\s*$",
            samples=(
                Sample(
                    "#0-0 (fa93daea854b060b) MISMATCH",
                    {"group": "0", "index": "0", "comm": "fa93daea854b060b", "status": "MISMATCH"},
                ),
            ),
            role=Role.STATE,
            follow=20,
            title="RAS report: a communicator with a problem",
        ),
        Pattern(
            name="ras.missing_ranks",
            anchors=("Missing communicator data from ",),
            regex=r"Missing communicator data from (?P<count>\d+) ranks?",
            samples=(Sample("  Missing communicator data from 2 ranks", {"count": "2"}),),
            role=Role.CAUSE,
            weight=80,
            follow=20,
            title="RAS report: ranks without data",
            note="The lines below name them; why they are gone is not said.",
        ),
        Pattern(
            name="ras.dead_processes",
            anchors=("considered dead (unreachable via the RAS network)",),
            regex=r"(?P<count>\d+) job process(?:es)? (?:is|are) considered dead",
            samples=(
                Sample(
                    "  2 job processes are considered dead (unreachable via the RAS network)",
                    {"count": "2"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=70,
            follow=20,
            title="RAS report: processes that are gone",
        ),
        Pattern(
            name="ras.dead_process",
            anchors=(" managing GPU",),
            regex=r"Process (?P<pid>\d+) on node (?P<host>\S+) managing GPUs? (?P<gpus>[\d,\- ]+)",
            samples=(Sample("  Process 4411 on node 10.0.0.9 managing GPUs 0-7", {"pid": "4411", "host": "10.0.0.9"}),),
            role=Role.STATE,
            title="RAS report: a process that is gone",
        ),
        Pattern(
            name="ras.snapshot",
            anchors=('"communicators_count":',),
            regex=r'"communicators_count":\s*(?P<count>\d+)',
            samples=(Sample('  "communicators_count": 12,', {"count": "12"}),),
            role=Role.STATE,
            title="RAS snapshot as JSON (2.28.7 on)",
        ),
        Pattern(
            name="ras.rank",
            anchors=(" managed by process ", " -- [process information not found]"),
            regex=r"Rank (?P<rank>\d+) (?:has [^-]{1,60})?-- (?:GPU (?P<gpu>\d+)[^m]{0,20} managed by process (?P<pid>\d+) on node (?P<host>\S+)"
            r"|\[process information not found\])",
            samples=(
                Sample(
                    "  Rank 57 -- GPU 1 managed by process 4411 on node 10.0.0.7",
                    {"rank": "57", "gpu": "1", "pid": "4411", "host": "10.0.0.7"},
                ),
                Sample("  Rank 58 -- [process information not found]", {"rank": "58"}),
            ),
            role=Role.STATE,
            title="RAS report: a rank of the odd ones",
            note="Under MISMATCH the minority may be ahead, not behind.",
        ),
        Pattern(
            name="ras.operations",
            anchors=(" launched up to operation ",),
            regex=r"(?:(?P<count>\d+) ranks? ha(?:s|ve)|Rank (?P<rank>\d+) has) launched up to operation (?P<seq>\d+)",
            samples=(
                Sample("  126 ranks have launched up to operation 640", {"count": "126", "seq": "640"}),
                Sample(
                    "  Rank 57 has launched up to operation 639 -- GPU 1 managed by process 4411 on node 10.0.0.7",
                    {"rank": "57", "seq": "639"},
                ),
            ),
            role=Role.STATE,
            title="RAS report: how far the ranks are",
        ),
        Pattern(
            name="ras.rank_errors",
            anchors=("Initialization error", "Asynchronous error"),
            regex=r"(?P<what>Initialization|Asynchronous) errors? on (?P<count>\d+) ranks?",
            samples=(Sample("  Asynchronous errors on 2 ranks", {"what": "Asynchronous", "count": "2"}),),
            role=Role.STATE,
            title="RAS report: ranks with errors",
        ),
    ),
    programs=(Program(Kind.LIBRARY, ("ras",), traits=(Trait.TOGETHER,)),),
)
