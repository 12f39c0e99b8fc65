"""NCCL's sockets, proxies and bootstrap: mostly echoes of a peer that ended, and a few errors that name ranks.

After `Last error:` of a PyTorch exception the same texts stand without `NCCL WARN`, so no pattern requires it.
"""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Trait
from logtui.parsers.remedies import NO_INTERFACE

_AT = "node007:4411:4602 [1] "
_WARN = _AT + "misc/socket.cc:49 NCCL WARN "
_PEER = r"(?P<peer>[\w.:%\[\]-]+)(?:<(?P<port>\d+)>)?"
_OWN_ADDRESS = r"172\.17\.\d{1,3}\.\d{1,3}|127\.0\.1\.1"
_OTHER_HOST = rf"(?!(?:{_OWN_ADDRESS})<)"
_GONE = r"Connection reset by peer|Broken pipe|Software caused connection abort|Success"

_REFUSED = (
    Advice(
        "infrastructure",
        "look first at what became of the process on {peer}; then at NCCL_SOCKET_IFNAME and firewalls",
    ),
)

SOCKETS = (
    Pattern(
        name="nccl_error.peer_closed",
        anchors=("Connection closed by remote peer",),
        regex=r"Connection closed by remote peer(?: " + _PEER + r")?",
        samples=(
            Sample(
                _WARN + "socketProgress: Connection closed by remote peer node009<46776>",
                {"peer": "node009", "port": "46776"},
            ),
            Sample("Net : Connection closed by remote peer 10.0.0.9<46776>", {"peer": "10.0.0.9"}),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.PEER_CLOSED, Mark.PEER_GONE),
        bulk=True,
        title="a peer's process ended",
        note="Look at the host named: its rank ended before this.",
    ),
    Pattern(
        name="nccl_error.peer_reset",
        anchors=("Call to recv from ", "Call to send to ", "Call to recv failed", "Call to send failed"),
        regex=rf"Call to (?P<call>recv|send)(?: (?:from|to) {_PEER})? failed ?: (?P<error>{_GONE})",
        samples=(
            Sample(
                _WARN + "socketProgressOpt: Call to recv from 10.0.0.9<46776> failed : Connection reset by peer",
                {"call": "recv", "peer": "10.0.0.9", "error": "Connection reset by peer"},
            ),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.PEER_CLOSED, Mark.PEER_GONE),
        bulk=True,
        title="a peer's process was killed",
    ),
    Pattern(
        name="nccl_error.peer_unreachable",
        anchors=("Call to recv from ", "Call to send to ", "onnect to "),
        regex=r"(?:Call to (?:recv from|send to)|[Cc]onnect to) " + _PEER + r" (?:failed ?: |returned )"
        r"(?P<error>No route to host|Connection timed out|Network is unreachable|Host is down|Cannot assign requested address)(?!, retrying)",
        samples=(
            Sample(
                _WARN + "socketStartConnect: Connect to 10.0.0.9<46776> failed : No route to host",
                {"peer": "10.0.0.9", "port": "46776", "error": "No route to host"},
            ),
            Sample(
                _WARN + "ncclOsSocketProgressOpt: Call to recv from 10.0.0.9<46776> failed : Connection timed out",
                {"error": "Connection timed out"},
            ),
            Sample(
                _WARN + "socketPollConnect: connect to 10.0.0.9<46776> returned No route to host, exceeded error retry "
                "count after 35 attempts",
                {"peer": "10.0.0.9"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=60,
        title="NCCL cannot reach a host",
        note="Wrong interface, firewall, or a node that is down.",
        advice=(
            Advice(
                "infrastructure",
                "check from the same node: ping {peer}, nc -z {peer}; then routing, firewall and NCCL_SOCKET_IFNAME",
            ),
        ),
    ),
    Pattern(
        name="nccl_error.bridge_address",
        anchors=("onnect to 172.17.", "onnect to 127.0.1.1<"),
        regex=r"[Cc]onnect to (?P<peer>" + _OWN_ADDRESS + r")<\d+> (?:failed ?: |returned (?:-?\d+\()?)"
        r"(?:Connection refused|Connection timed out|No route to host|Software caused connection abort)(?!, retrying)",
        samples=(
            Sample(
                _WARN + "socketPollConnect: connect to 172.17.0.1<46776> returned Connection refused(111) errno 111",
                {"peer": "172.17.0.1"},
            ),
            Sample(_WARN + "Connect to 127.0.1.1<46776> failed : Connection refused", {"peer": "127.0.1.1"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=62,
        title="NCCL looks for a peer at an address of its own machine",
        note="172.17 is Docker's bridge, 127.0.1.1 what /etc/hosts maps a name to: no other host is reached there.",
        advice=(
            Advice("infrastructure", "set NCCL_SOCKET_IFNAME to the interface that the nodes reach each other by"),
        ),
    ),
    Pattern(
        name="nccl_error.connect_refused",
        anchors=("Connection refused",),
        regex=r"(?:[Cc]onnect to "
        + _OTHER_HOST
        + _PEER
        + r" (?:failed ?: |returned (?:-?\d+\()?)Connection refused(?!, (?:retrying|exceeded))"
        r"|Call to connect (?:timeout|failed) : Connection refused)",
        samples=(
            Sample(
                "node007:4411:4602 [1] include/socket.h:403 NCCL WARN Connect to 10.0.0.9<56821> failed : Connection "
                "refused",
                {"peer": "10.0.0.9", "port": "56821"},
            ),
            Sample("node007:4411:4602 [1] misc/socket.cu:57 NCCL WARN Call to connect timeout : Connection refused"),
        ),
        role=Role.SYMPTOM,
        cls=FailureClass.NETWORK,
        title="a peer refuses NCCL's connection",
        note="Its process is not there: not started, ended, or listening on another interface.",
        advice=_REFUSED,
    ),
    Pattern(
        name="nccl_error.connect_exhausted",
        anchors=("exceeded error retry count", "exceeded retries (", "exceeded timeouts ("),
        regex=r"(?:Connect|Accept|connect)\w*: (?:connect(?: to "
        + _PEER
        + r")? returned (?:-?\d+\()?Connection refused[^,]{0,40}, )?"
        r"exceeded (?:error retry count|retries|timeouts) ?(?:after )?\(?(?P<attempts>\d+)?",
        samples=(
            Sample(_WARN + "socketPollConnect: exceeded retries (20000)", {"attempts": "20000"}),
            Sample(
                _WARN + "socketPollConnect: connect returned Connection refused, exceeded error retry count (34)",
                {"attempts": "34"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=44,
        title="NCCL cannot connect to a peer, as often as it tries",
        note="Its process is not there, or listens where this node does not come: an interface, an address, a firewall.",
        advice=_REFUSED,
    ),
    Pattern(
        name="nccl_error.connect_retry",
        anchors=(", retrying (", "Call to connect returned"),
        regex=r"[Cc]onnect(?: to \S+)? returned (?P<error>[^,]{1,60}), retrying"
        r"(?: \((?P<attempt>\d+)/(?P<limit>\d+)\))?",
        samples=(
            Sample(
                _AT
                + "NCCL INFO socketPollConnect: connect returned Connection refused, retrying (3/34) after sleep for "
                "300 msec",
                {"error": "Connection refused", "attempt": "3", "limit": "34"},
            ),
            Sample(
                _AT + "NCCL INFO Call to connect returned Connection refused, retrying", {"error": "Connection refused"}
            ),
        ),
        role=Role.NOISE,
        bulk=True,
        title="NCCL connects again",
    ),
    Pattern(
        name="nccl_error.local_peer_closed",
        anchors=("Connection closed by localRank",),
        regex=r"Connection closed by localRank(?: (?P<peer_local_rank>\d+))?",
        samples=(
            Sample(_AT + "NCCL INFO [Service thread] Connection closed by localRank 3", {"peer_local_rank": "3"}),
        ),
        role=Role.SYMPTOM,
        marks=(Mark.ORDERLY,),
        bulk=True,
        title="a rank on this node closed its connection",
        note="Normal at exit; early, that rank died. Order within the node, not torchrun's local rank.",
    ),
    Pattern(
        name="nccl_error.teardown",
        anchors=(
            "Could not receive type from localRank",
            "Failed to execute operation Close from rank",
            "[Service thread] Accept failed",
            "NET/Socket : socket progress error",
        ),
        regex=r"Could not receive type from localRank|Failed to execute operation Close from rank"
        r"|\[Service thread\] Accept failed|NET/Socket : socket progress error",
        samples=(
            Sample(_AT + "proxy.cc:1495 NCCL WARN [Service thread] Accept failed Resource temporarily unavailable"),
            Sample(
                _AT
                + "proxy.cc:1521 NCCL WARN [Service thread] Could not receive type from localRank 0, res=3, closed=0"
            ),
            Sample(
                _AT
                + "proxy.cc:1557 NCCL WARN [Proxy Service 0] Failed to execute operation Close from rank 0, retcode 3"
            ),
        ),
        role=Role.NOISE,
        bulk=True,
        title="NCCL's proxy at shutdown",
    ),
    Pattern(
        name="nccl_error.proxy",
        anchors=("Failed to execute operation ", "ncclProxyClientGetFd call to", "Proxy Call to rank"),
        regex=r"Failed to execute operation (?P<operation>(?!Close\b)\w+) from rank (?P<from_rank>\d+), retcode (?P<result>\d+)"
        r"|ncclProxyClientGetFd call to tpRank \d+ handle \w+ failed|Proxy Call to rank (?P<to_rank>\d+) failed",
        samples=(
            Sample(
                _AT
                + "proxy.cc:1557 NCCL WARN [Proxy Service 0] Failed to execute operation Setup from rank 3, retcode 3",
                {"operation": "Setup", "from_rank": "3", "result": "3"},
            ),
            Sample(_AT + "proxy.cc:1095 NCCL WARN Proxy Call to rank 3 failed (Connect)", {"to_rank": "3"}),
        ),
        role=Role.SYMPTOM,
        bulk=True,
        title="NCCL's proxy failed",
    ),
)

BOOTSTRAP = (
    Pattern(
        name="nccl_error.duplicate_gpu",
        anchors=("Duplicate GPU detected",),
        regex=r"Duplicate GPU detected ?: rank (?P<rank>\d+) and rank (?P<other>\d+) both on (?:CUDA|HIP|GPU) device "
        r"(?P<bus_id>[0-9a-f:.]+)",
        samples=(
            Sample(
                _AT + "init.cc:795 NCCL WARN Duplicate GPU detected : rank 5 and rank 7 both on CUDA device 1b000",
                {"rank": "5", "other": "7", "bus_id": "1b000"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=85,
        title="two ranks use one GPU",
        advice=(
            Advice(
                "training",
                "choose the GPU by LOCAL_RANK: torch.cuda.set_device(int(os.environ['LOCAL_RANK'])) before the "
                "process group is made; ranks {rank} and {other} both use GPU {bus_id}",
            ),
        ),
    ),
    Pattern(
        name="nccl_error.version_mismatch",
        anchors=("Mismatched NCCL version detected",),
        regex=r"Mismatched NCCL version detected ?: rank (?P<rank>\d+) version (?P<version>\d+) rank (?P<other>\d+) version "
        r"(?P<other_version>\d+)",
        samples=(
            Sample(
                _AT
                + "init.cc:801 NCCL WARN Mismatched NCCL version detected : rank 5 version 22105 rank 0 version 22602",
                {"rank": "5", "version": "22105", "other": "0", "other_version": "22602"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=85,
        title="ranks run different NCCL versions",
        advice=(
            Advice(
                "training",
                "give all nodes one image, or one wheel of NCCL: rank {rank} runs {version}, the other "
                "{other_version}; LD_LIBRARY_PATH and LD_PRELOAD may bring another",
            ),
        ),
    ),
    Pattern(
        name="nccl_error.truncated",
        anchors=("Message truncated : received",),
        regex=r"(?<!/Socket : )Message truncated : received (?P<received>[\d,]+) bytes instead of (?P<expected>[\d,]+)",
        samples=(
            Sample(
                _AT + "misc/socket.cc:61 NCCL WARN Message truncated : received 1024 bytes instead of 256",
                {"received": "1024", "expected": "256"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=60,
        title="an NCCL message came truncated",
        note="Ranks call different inits, or run different versions; with NCCL 2.20 a bug of NCCL itself, which 2.21 fixes.",
        advice=(
            Advice(
                "training",
                "upgrade NCCL to 2.21 or later[ (this job runs {nccl})]: the bootstrap of 2.20 truncates messages",
                only="nccl<2.21",
            ),
            Advice(
                "training",
                "check that all ranks load the same NCCL (NCCL_DEBUG=VERSION), and make their groups in the same order",
            ),
        ),
    ),
    Pattern(
        name="nccl_error.size_mismatch",
        anchors=("message truncated : receiving",),
        regex=r"peer (?P<peer>\S+) message truncated : receiving (?P<received>\d+) bytes instead of (?P<expected>\d+)",
        samples=(
            Sample(
                _AT + "transport/net_socket.cc:502 NCCL WARN NET/Socket : peer 10.0.0.9<46776> message truncated : "
                "receiving 8192 bytes instead of 4096. If you believe your socket network is in healthy state, there may "
                "be a mismatch in collective sizes",
                {"peer": "10.0.0.9<46776>", "received": "8192", "expected": "4096"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.COLLECTIVE_MISMATCH,
        weight=75,
        title="two ranks sent different sizes",
        advice=(
            Advice(
                "training",
                "make the tensors of that collective of one size on all ranks: this rank sent {expected}, the "
                "peer {received}; TORCH_DISTRIBUTED_DEBUG=DETAIL names the first that differs",
            ),
        ),
    ),
    Pattern(
        name="nccl_error.bootstrap_conflict",
        anchors=("Bootstrap Root : mismatch in rank count", "ranks has already checked in"),
        regex=r"Bootstrap Root : (?:mismatch in rank count from procs (?P<procs>\d+) : (?P<expected>\d+)"
        r"|rank (?P<rank>\d+) of (?P<nranks>\d+) ranks has already checked in)",
        samples=(
            Sample(
                _AT + "bootstrap.cc:126 NCCL WARN Bootstrap Root : rank 5 of 16 ranks has already checked in",
                {"rank": "5", "nranks": "16"},
            ),
            Sample(
                _AT + "bootstrap.cc:118 NCCL WARN Bootstrap Root : mismatch in rank count from procs 16 : 8",
                {"procs": "16", "expected": "8"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INIT_RENDEZVOUS,
        weight=70,
        title="two jobs, or two attempts, share one bootstrap",
        advice=(
            Advice(
                "training",
                "give each job and each attempt a port of its own (MASTER_PORT, --rdzv_id), and see that no "
                "process of an earlier run is alive",
            ),
        ),
    ),
    Pattern(
        name="nccl_error.no_interface",
        anchors=("no socket interface found", "No socket interface found", "No interface found in the same subnet"),
        regex=r"[Nn]o socket interface found|No interface found in the same subnet",
        samples=(Sample(_AT + "bootstrap.cc:48 NCCL WARN Bootstrap : no socket interface found"),),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=80,
        title="NCCL finds no network interface",
        note="NCCL_SOCKET_IFNAME names one that does not exist on this host.",
        advice=NO_INTERFACE,
    ),
)

FORMAT = LineFormat(
    name="nccl_errors",
    title="NCCL: sockets, proxies, bootstrap",
    reference="NCCL src/misc/socket.cc, proxy.cc, bootstrap.cc, init.cc, 2.7 to 2.30",
    patterns=SOCKETS + BOOTSTRAP,
    programs=(Program(Kind.LIBRARY, ("nccl_error",), traits=(Trait.TOGETHER, Trait.WARNS)),),
)
