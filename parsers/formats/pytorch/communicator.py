"""ProcessGroupNCCL's own errors: async NCCL errors, aborted communicators, DistBackendError, set-up by the store.

`Last error:` on the following line holds the local NCCL WARN without its header; nccl_* formats match it there.
"""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Trait
from logtui.parsers.remedies import NCCL_SYSTEM, NCCL_USAGE, NCCL_WORDS, OLD_NCCL

_MAIN = "[rank57]: torch.distributed.DistBackendError: NCCL error in: /opt/build/ProcessGroupNCCL.cpp:2261, "
_WATCHDOG = "[rank57]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:683] "


def _error(text: str) -> str:
    """`NCCL error in: <file>:<line>, <text>` of the main thread, or `NCCL error: <text>` of the watchdog."""
    return (
        r"NCCL error(?: in: (?P<source>[^,\s]+:\d+), |: )(?P<error>" + text + r")"
        r"(?:.{0,80}?, NCCL version (?P<version>[\d.]+))?"
    )


ERRORS = (
    Pattern(
        name="comm.cuda_error",
        anchors=("unhandled cuda error",),
        regex=_error("unhandled cuda error"),
        samples=(
            Sample(
                _MAIN + "unhandled cuda error (run with NCCL_DEBUG=INFO for details), NCCL version 2.21.5",
                {"error": "unhandled cuda error", "version": "2.21.5"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=45,
        follow=4,
        title="NCCL: a CUDA call failed on this rank",
        note="Local GPU, driver or set-up; the WARN line or `Last error` says which. Often memory in disguise.",
        advice=(
            Advice("training", "rerun with NCCL_DEBUG=INFO: the WARN line above names the CUDA call"),
            *OLD_NCCL,
        ),
    ),
    Pattern(
        name="comm.system_error",
        anchors=("unhandled system error",),
        regex=_error("unhandled system error"),
        samples=(
            Sample(
                _MAIN + "unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.21.5",
                {"error": "unhandled system error"},
            ),
            Sample(
                _WATCHDOG + "[Rank 57] NCCL watchdog thread terminated with exception: NCCL error: unhandled system "
                "error, NCCL version 2.14.3",
                {"version": "2.14.3"},
            ),
        ),
        role=Role.SYMPTOM,
        cls=FailureClass.NETWORK,
        weight=40,
        follow=4,
        title="NCCL: a system call failed on this rank",
        note="Network, shared memory or IB on this node; also what survivors print when a peer is gone.",
        advice=NCCL_SYSTEM,
    ),
    Pattern(
        name="comm.internal_error",
        anchors=("internal error",),
        regex=_error("internal error"),
        samples=(
            Sample(
                _MAIN + "internal error - please report this issue to the NCCL developers, NCCL version 2.21.5",
                {"error": "internal error"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=40,
        follow=4,
        title="NCCL: internal check failed",
        note="Versions, topology or bootstrap that do not fit; `Last error` says which.",
        advice=NCCL_WORDS,
    ),
    Pattern(
        name="comm.invalid_usage",
        anchors=("invalid usage", "invalid argument"),
        regex=_error("invalid usage|invalid argument"),
        samples=(
            Sample(
                _MAIN + "invalid usage (run with NCCL_DEBUG=WARN for details), NCCL version 2.21.5",
                {"error": "invalid usage"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=55,
        follow=4,
        title="NCCL: wrong use, such as two ranks on one GPU",
        advice=NCCL_USAGE,
    ),
    Pattern(
        name="comm.remote_error",
        anchors=("remote process exited or there was a network error",),
        regex=_error("remote process exited or there was a network error"),
        samples=(
            Sample(
                _WATCHDOG + "[PG ID 0 PG GUID 0(default_pg) Rank 57] Process group watchdog thread terminated with "
                "exception: NCCL error: remote process exited or there was a network error, NCCL version 2.21.5",
                {"error": "remote process exited or there was a network error", "version": "2.21.5"},
            ),
        ),
        role=Role.SYMPTOM,
        follow=4,
        title="NCCL: another rank ended, or the network broke",
    ),
    Pattern(
        name="comm.not_ready",
        anchors=("NCCL timeout in: ", "NCCL operation in progress", "NCCL timeout when waiting for nonblocking call"),
        regex=r"NCCL timeout in: (?P<source>\S+:\d+)|NCCL error(?: in: \S+, |: )NCCL operation in progress"
        r"|NCCL timeout when waiting for nonblocking call",
        samples=(
            Sample("NCCL timeout in: /opt/build/NCCLUtils.cpp:71", {"source": "/opt/build/NCCLUtils.cpp:71"}),
            Sample("NCCL timeout when waiting for nonblocking call to become successful."),
        ),
        role=Role.SYMPTOM,
        title="NCCL: a non-blocking call did not finish",
    ),
    Pattern(
        name="comm.result_code",
        anchors=(
            "ncclUnhandledCudaError: ",
            "ncclSystemError: ",
            "ncclInternalError: ",
            "ncclInvalidArgument: ",
            "ncclInvalidUsage: ",
            "ncclRemoteError: ",
        ),
        regex=r"(?P<code>nccl(?:UnhandledCuda|System|Internal|Remote)Error|ncclInvalid(?:Argument|Usage)): \w",
        samples=(
            Sample("[rank57]: ncclInternalError: Internal check failed.", {"code": "ncclInternalError"}),
            Sample(
                "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting "
                "prematurely.",
                {"code": "ncclRemoteError"},
            ),
        ),
        role=Role.SYMPTOM,
        title="NCCL's result code",
        note="Explains the line before; `Last error:` follows.",
    ),
)

PROPAGATION = (
    Pattern(
        name="comm.async_exception",
        anchors=("raised the following async exception",),
        regex=r"Collective (?:Work\w+\(SeqNum=(?P<seq>\d+), OpType=(?P<op>\w+)(?:, \w+(?:\(ms\))?=\d+){0,4}\) )?"
        r"raised the following async exception: (?P<error>.{0,200})",
        samples=(
            Sample(
                _WATCHDOG + "[Rank 57] Collective WorkNCCL(SeqNum=1234, OpType=ALLREDUCE, NumelIn=4096, "
                "NumelOut=4096, Timeout(ms)=600000) raised the following async exception: NCCL error: remote process "
                "exited or there was a network error, NCCL version 2.21.5",
                {"seq": "1234", "op": "ALLREDUCE"},
            ),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.PEER_GONE,),
        follow=5,
        title="a collective failed asynchronously",
        note="2.5 and later. The error after the colon decides what it means.",
    ),
    Pattern(
        name="comm.async_found",
        anchors=("found async exception when checking for NCCL errors", "Received NCCL errors for communicators"),
        regex=r"found async exception when checking for NCCL errors: ?(?P<error>.{0,200})"
        r"|Received NCCL errors for communicators in the cache",
        samples=(
            Sample(
                "[I ProcessGroupNCCL.cpp:466] [Rank 3] found async exception when checking for NCCL errors: NCCL error: "
                "unhandled system error, NCCL version 2.14.3"
            ),
            Sample("[I ProcessGroupNCCL.cpp:602] [Rank 3] Received NCCL errors for communicators in the cache: "),
        ),
        role=Role.SYMPTOM,
        title="a collective failed asynchronously",
    ),
    Pattern(
        name="comm.aborted",
        anchors=("NCCL communicator was aborted on rank", "NCCL communicator encountered error set by"),
        regex=r"NCCL communicator (?:was aborted on rank (?P<pg_rank>\d+)|encountered error set by \w+: )"
        r"(?:\.\s+Original reason for failure was: )?(?P<reason>.{0,300})",
        samples=(
            Sample(
                "[rank57]: torch.distributed.DistBackendError: NCCL communicator was aborted on rank 1.  Original "
                "reason for failure was: [Rank 1] Watchdog",
                {"pg_rank": "1", "reason": "[Rank 1] Watchdog"},
            ),
            Sample(
                "NCCL communicator encountered error set by ProcessGroupNCCL: NCCL error: x",
                {"reason": "NCCL error: x"},
            ),
        ),
        role=Role.SYMPTOM,
        title="the communicator was aborted on this rank",
    ),
    Pattern(
        name="comm.aborted_elsewhere",
        anchors=("Found key in store: NCCLABORTEDCOMM",),
        regex=r"Found key in store: NCCLABORTEDCOMM:(?P<comm>\w+), from rank: (?P<from_rank>\d+)",
        samples=(
            Sample(
                "[I ProcessGroupNCCL.cpp:655] [Rank 3] Found key in store: NCCLABORTEDCOMM:0a1b2c, from rank: 1. This "
                "means that rank has aborted its NCCL communicators previously and is not in a healthy state.",
                {"comm": "0a1b2c", "from_rank": "1"},
            ),
        ),
        role=Role.SYMPTOM,
        title="another rank aborted its communicators",
    ),
    Pattern(
        name="comm.setup_failed",
        anchors=("is setting up NCCL communicator",),
        regex=r"\[(?P<pg_rank>\d+)\] is setting up NCCL communicators? and retrieving ncclUniqueIds? from "
        r"(?:\[(?P<root>\d+)\]|roots) via (?:c10d key-value store|TCPStore) by key '(?P<key>[^']*)', but "
        r"(?:store->get\('[^']*'\) )?got error: (?P<error>.{0,300})",
        samples=(
            Sample(
                "[rank57]: torch.distributed.DistBackendError: [1] is setting up NCCL communicator and retrieving "
                "ncclUniqueId from [0] via c10d key-value store by key '0', but store->get('0') got error: wait "
                "timeout after 600000ms, keys: /default_pg/0//cuda//0",
                {"pg_rank": "1", "root": "0", "key": "0"},
            ),
            Sample(
                "[3] is setting up NCCL communicators and retrieving ncclUniqueId from roots via TCPStore by key '7', "
                "but got error: Connection reset by peer",
                {"pg_rank": "3", "key": "7", "error": "Connection reset by peer"},
            ),
        ),
        role=Role.SYMPTOM,
        cls=FailureClass.INIT_RENDEZVOUS,
        title="the group's first rank did not come",
        note="Rank 0 of that group never reached its first collective, or ended.",
    ),
)

FORMAT = LineFormat(
    name="communicator",
    title="PyTorch ProcessGroupNCCL errors",
    reference="pytorch torch/csrc/distributed/c10d/{ProcessGroupNCCL,NCCLUtils}.cpp, 1.12 to 2.15",
    patterns=ERRORS + PROPAGATION,
    programs=(Program(Kind.LIBRARY, ("comm",), traits=(Trait.TOGETHER, Trait.WATCHDOG, Trait.NO_SIGN_OF_LIFE)),),
)
