"""UCX and UCC, below MPI and some collectives: transport errors, and the signal handler that UCX installs.

`[<host>:<pid>:<thread>:<tid>] Caught signal …` heads a native backtrace; `[<time>] [<host>:<pid>:<n>] <file>:<line> UCX
  ERROR …` is a log line.
"""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample
from logtui.parsers.remedies import ROOM_IN_SHM

_AT = "[1795234368.838971] [node007:4411:2]    ib_mlx5_log.c:177  UCX  ERROR "
_HANDLER = "[node007:4411 :0:4411] "
_WHO = r"\[(?P<host>[\w.-]+):(?P<pid>\d+) *:\d+:\d+\] Caught signal "

FORMAT = LineFormat(
    name="ucx",
    title="UCX and UCC",
    reference="openucx/ucx src/ucs/debug, src/uct/ib, 1.6 to 1.18",
    patterns=(
        Pattern(
            name="ucx.bus_error",
            anchors=("Caught signal 7",),
            regex=_WHO + r"(?P<signal>7)\b(?: \((?P<text>[^)]{1,100})\)?)?",
            samples=(
                Sample(
                    _HANDLER + "Caught signal 7 (Bus error: nonexistent physical address)",
                    {
                        "host": "node007",
                        "pid": "4411",
                        "signal": "7",
                        "text": "Bus error: nonexistent physical address",
                    },
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.HOST_OOM,
            weight=65,
            follow=30,
            title="bus error: no shared memory left",
            advice=ROOM_IN_SHM,
        ),
        Pattern(
            name="ucx.crash",
            anchors=("Caught signal 11", "Caught signal 8", "Caught signal 4"),
            regex=_WHO + r"(?P<signal>11|8|4)\b(?! \([^)]{0,60}Sent by the kernel)(?: \((?P<text>[^)]{1,100})\)?)?",
            samples=(
                Sample(
                    _HANDLER + "Caught signal 11 (Segmentation fault: address not mapped to object at address 0x10)",
                    {"signal": "11", "text": "Segmentation fault: address not mapped to object at address 0x10"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=50,
            follow=30,
            title="a process crashed",
            note="The native backtrace below names the library.",
        ),
        Pattern(
            name="ucx.crash_at_exit",
            anchors=("Caught signal 11 (Segmentation fault: Sent by the kernel",),
            regex=_WHO + r"(?P<signal>11) \(Segmentation fault: Sent by the kernel",
            samples=(Sample(_HANDLER + "Caught signal 11 (Segmentation fault: Sent by the kernel at address (nil))"),),
            role=Role.SYMPTOM,
            title="a process crashed while it was torn down",
            note="What an abort leaves behind on a survivor.",
        ),
        Pattern(
            name="ucx.transport",
            anchors=("Transport retry count exceeded", "RNR retry count exceeded"),
            regex=r"(?P<error>Transport retry count exceeded|RNR retry count exceeded)(?: on (?P<device>[\w-]+):(?P<port>\d+))?",
            samples=(
                Sample(
                    _AT + "Transport retry count exceeded on mlx5_0:1/RoCE (synd 0x15 vend 0x81 hw_synd 0/0)",
                    {"error": "Transport retry count exceeded", "device": "mlx5_0", "port": "1"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=65,
            title="InfiniBand: a peer does not answer",
            note="Peer dead, cable, switch, or wrong settings. A consequence where the peer's process ended first.",
            advice=(
                Advice(
                    "infrastructure",
                    "check the peer's process first, then {device} port {port}[ of {host}]: cable, switch, "
                    "UCX_NET_DEVICES",
                ),
            ),
        ),
        Pattern(
            name="ucx.completion",
            anchors=(" error on mlx", " error on bnxt", " error on irdma"),
            regex=r"(?P<error>(?:Remote access|Remote operation|Remote invalid request|Local protection|Local QP operation|Local length)"
            r" error) on (?P<device>[\w-]{1,20}):(?P<port>\d{1,3})",
            samples=(
                Sample(
                    _AT + "Remote invalid request error on mlx5_5:1/IB (synd 0x12 vend 0x57 hw_synd 0/0)",
                    {"error": "Remote invalid request error", "device": "mlx5_5", "port": "1"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=58,
            bulk=True,
            title="InfiniBand: completion with an error",
            note="Memory that one side has released does it too, and a peer that ended.",
        ),
        Pattern(
            name="ucx.unreachable",
            anchors=("Destination is unreachable", "messages transport to ", "Endpoint timeout"),
            regex=r"(?P<error>error '(?:Destination is unreachable|Endpoint timeout)'"
            r"|no [\w ]{1,40}transport to|Destination is unreachable(?= on wireup|$))",
            samples=(
                Sample(
                    "[1795234368.838971] [node007:4411:0]         select.c:57   UCX  ERROR   no active messages transport to <no "
                    "debug data>: Unsupported operation",
                    {},
                ),
                Sample("ucp_ep.c:57 endpoint 0x7f0: error 'Endpoint timeout'", {"error": "error 'Endpoint timeout'"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=56,
            title="UCX finds no way to a peer",
        ),
        Pattern(
            name="ucx.device_missing",
            anchors=("UCX  ERROR ibv_open_device",),
            regex=r"UCX  ERROR ibv_open_device(?:\((?P<device>[\w-]+)\) failed)?",
            samples=(Sample(_AT + "ibv_open_device(mlx5_9) failed: No such file or directory", {"device": "mlx5_9"}),),
            role=Role.NOISE,
            bulk=True,
            title="UCX skips a device",
        ),
        Pattern(
            name="ucx.error",
            anchors=(" UCX  ERROR ", " UCX  FATAL ", " UCC  ERROR "),
            regex=r" UC[XC]  (?:ERROR|FATAL) (?P<error>(?!ibv_open_device|(?:Transport|RNR) retry count exceeded|(?:Remote|Local) [\w ]{6,20} error on |\s{0,3}no [\w ]{1,40}transport to)\S.{0,200})",
            samples=(
                Sample(
                    "3: [1795234368.838971] [node007:4411:2]    cuda_ipc_md.c:62   UCX  ERROR cuCtxGetDevice(&cu_device) is "
                    "failed. ret:invalid device context",
                    {"error": "cuCtxGetDevice(&cu_device) is failed. ret:invalid device context"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=40,
            bulk=True,
            title="UCX error",
        ),
        Pattern(
            name="ucx.in_use",
            anchors=("UCC  WARN  tl ctx",),
            regex=r"UCC  WARN  tl ctx",
            samples=(
                Sample(
                    "[1795234368.838971] [node007:4411:0]  ucc_context.c:906  UCC  WARN  tl ctx cuda is still in use"
                ),
            ),
            role=Role.NOISE,
            bulk=True,
        ),
    ),
)
