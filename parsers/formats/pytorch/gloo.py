"""Gloo, the CPU back end: nearly all its errors are echoes of a peer that ended or never came.

Texts begin with `[<build path>/gloo/transport/tcp/<file>.cc:<line>] `, which is not a c10 header.
"""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Source, Trait

_TCP = "[/opt/build/third_party/gloo/gloo/transport/tcp/"
_ERROR = "[rank5]: RuntimeError: " + _TCP
_PEER = r"\[(?P<peer>[^\]\s]*)\]:(?P<port>\d+)"

FORMAT = LineFormat(
    name="gloo",
    title="Gloo transport",
    reference="pytorch third_party/gloo/gloo/transport/tcp, ProcessGroupGloo.cpp, 1.12 to 2.15",
    patterns=(
        Pattern(
            name="gloo.peer_closed",
            anchors=("Connection closed by peer [",),
            regex=r"Connection closed by peer " + _PEER,
            samples=(
                Sample(
                    _ERROR + "pair.cc:553] Connection closed by peer [10.0.0.7]:19871. This is typically caused by a "
                    "remote worker crashing.",
                    {"peer": "10.0.0.7", "port": "19871"},
                ),
            ),
            role=Role.SYMPTOM,
            marks=(Mark.PEER_GONE,),
            title="a Gloo peer's process ended",
            note="The address names the host; the port is ephemeral.",
        ),
        Pattern(
            name="gloo.io_error",
            anchors=("] Read error [", "] Write error [", "] writev [", "] recv ["),
            regex=r"\] (?:(?:Read|Write) error|writev|recv) " + _PEER + r": (?P<error>[^.]*)",
            samples=(
                Sample(
                    _ERROR + "pair.cc:536] Read error [10.0.0.7]:19871: Connection reset by peer",
                    {"peer": "10.0.0.7", "error": "Connection reset by peer"},
                ),
                Sample(_ERROR + "pair.cc:310] writev [10.0.0.7]:19871: Broken pipe", {"error": "Broken pipe"}),
            ),
            role=Role.SYMPTOM,
            title="a Gloo peer's process was killed",
        ),
        Pattern(
            name="gloo.timed_out",
            anchors=("ms for recv operation to complete", "ms for send operation to complete"),
            regex=r"Timed out waiting (?P<timeout_ms>\d+)ms for (?P<op>\w+) operation to complete",
            samples=(
                Sample(
                    _ERROR + "unbound_buffer.cc:81] Timed out waiting 600000ms for recv operation to complete",
                    {"timeout_ms": "600000", "op": "recv"},
                ),
            ),
            role=Role.SYMPTOM,
            marks=(Mark.GAVE_UP_WAITING,),
            title="a Gloo peer did not come",
            note="A victim of a hang or a mismatch.",
        ),
        Pattern(
            name="gloo.pair_closed",
            anchors=("Application timeout caused pair closure",),
            regex=r"Application timeout caused pair closure",
            samples=(Sample(_ERROR + "pair.cc:460] Application timeout caused pair closure"),),
            role=Role.SYMPTOM,
            title="an earlier Gloo timeout closed the pair",
        ),
        Pattern(
            name="gloo.size_mismatch",
            anchors=("op.preamble.length <= op.nbytes", "op.getMessageLength() <= op.nbytes"),
            regex=r"op\.(?:preamble\.length|getMessageLength\(\)) <= op\.nbytes\.? ?(?P<received>\d+) vs (?P<expected>\d+)",
            samples=(
                Sample(
                    "[rank1]: RuntimeError: [enforce fail at /opt/build/third_party/gloo/gloo/transport/tcp/pair.cc:493]"
                    " op.preamble.length <= op.nbytes. 4096 vs 2048",
                    {"received": "4096", "expected": "2048"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.COLLECTIVE_MISMATCH,
            weight=75,
            title="ranks sent different sizes to one collective",
            note="The peer sent more than this rank expects: different shapes, counts or collectives.",
            advice=(
                Advice(
                    "training",
                    "make the tensors of that collective of one size on all ranks: {expected} bytes here, {received} "
                    "came",
                ),
            ),
        ),
        Pattern(
            name="gloo.mesh_failed",
            anchors=("Gloo connectFullMesh failed with",),
            regex=r"Gloo connectFullMesh failed with (?P<error>.{1,300})",
            samples=(
                Sample(
                    "[E1121 03:58:42.105934821 ProcessGroupGloo.cpp:143] Gloo connectFullMesh failed with "
                    + _TCP
                    + "pair.cc:144] no error",
                    {"error": _TCP + "pair.cc:144] no error"},
                ),
            ),
            role=Role.SYMPTOM,
            cls=FailureClass.INIT_RENDEZVOUS,
            title="Gloo could not connect all ranks",
            note="At start-up a peer was not listening: not started, ended, or another network.",
        ),
        Pattern(
            name="gloo.connect_failed",
            anchors=("] connect [",),
            regex=r"/tcp/\w+\.cc:\d+\] connect " + _PEER + r": (?P<error>[^.]+)",
            samples=(
                Sample(
                    "RuntimeError: " + _TCP + "pair.cc:799] connect [10.0.0.7]:13195: Connection refused",
                    {"peer": "10.0.0.7", "port": "13195", "error": "Connection refused"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INIT_RENDEZVOUS,
            weight=60,
            title="Gloo could not connect to a peer",
            note="Pairs connect when a group is made: the peer ended before, or is to be reached over another network.",
            advice=(
                Advice(
                    "infrastructure",
                    "look first at what became of the process at {peer}; then at GLOO_SOCKET_IFNAME, names and "
                    "firewalls",
                ),
            ),
        ),
        Pattern(
            name="gloo.connect_retry",
            anchors=("ERROR failed to connect, willRetry=",),
            regex=r"ERROR failed to connect, willRetry=(?:(?P<will_retry>\d+), retry=(?P<attempt>\d+), "
            r"retryLimit=(?P<limit>\d+), rank=(?P<pg_rank>\d+), size=(?P<size>\d+), local=\[(?P<local>[\w.:%-]*)\]\S*, "
            r"remote=\[(?P<remote>[\w.:%-]*)\])?",
            samples=(
                Sample(
                    _TCP + "debug_logger.cc:9] ERROR failed to connect, willRetry=1, retry=0, retryLimit=3, rank=2, "
                    "size=8, local=[10.0.0.2]:53412, remote=[10.0.0.7]:29511$0, error=SO_ERROR: Connection refused, "
                    "remote=[10.0.0.7]:29511$0",
                    {"will_retry": "1", "attempt": "0", "limit": "3", "pg_rank": "2", "remote": "10.0.0.7"},
                ),
            ),
            role=Role.NOISE,
            bulk=True,
            title="Gloo connects again",
            note="2.10 and later. rank= is the printing rank in its group.",
        ),
        Pattern(
            name="gloo.connected",
            anchors=(" peer ranks. Expected number of connected peer ranks",),
            regex=r"Rank (?P<pg_rank>\d+) is connected to (?P<connected>\d+) peer ranks\. Expected number of connected "
            r"peer ranks is : (?P<expected>\d+)",
            samples=(
                Sample(
                    "[Gloo] Rank 2 is connected to 7 peer ranks. Expected number of connected peer ranks is : 7",
                    {"pg_rank": "2", "connected": "7", "expected": "7"},
                ),
            ),
            role=Role.INFO,
            bulk=True,
            title="Gloo connected",
        ),
        Pattern(
            name="gloo.not_connected",
            anchors=(" is NOT connected to: [",),
            regex=r"Rank (?P<pg_rank>\d+) is NOT connected to: \[(?P<peers>\d[\d, ]*)\]",
            samples=(
                Sample(
                    "[Gloo] Rank 2 is NOT connected to: [5, 7]",
                    {"pg_rank": "2", "peers": "5, 7"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INIT_RENDEZVOUS,
            weight=60,
            title="rank {pg_rank} of a Gloo group has no connection to rank {peers}",
            note="gloo/rendezvous/context.cc, 2.7 and later: nothing is thrown, the group's first collective waits. Both "
            "numbers are of the group.",
            advice=(
                Advice(
                    "infrastructure",
                    "look at what rank {peers} of the group did meanwhile; then at GLOO_SOCKET_IFNAME, names and firewalls",
                ),
            ),
        ),
        Pattern(
            name="gloo.no_interface",
            anchors=("Unable to find interface for", "Unable to find address for", "Unable to resolve hostname to"),
            regex=r"Unable to (?:find (?:interface|address) for:?|resolve hostname to a \(local\) address) ?"
            r"\[?(?P<interface>[^\]\s]*)",
            samples=(
                Sample(
                    "RuntimeError: [enforce fail at /opt/build/third_party/gloo/gloo/transport/tcp/device.cc:84] ifa != "
                    "nullptr. Unable to find address for: ib0",
                    {"interface": "ib0"},
                ),
                Sample(
                    "[enforce fail at /opt/build/third_party/gloo/gloo/transport/tcp/device.cc:29] ifa != nullptr. "
                    "Unable to find interface for: [10.0.0.7]",
                    {"interface": "10.0.0.7"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=70,
            title="the network interface given to Gloo does not exist",
            note="GLOO_SOCKET_IFNAME, or a host name that resolves to another machine.",
            advice=(
                Advice(
                    "training",
                    "set GLOO_SOCKET_IFNAME to an interface that `ip -br addr` shows[ on {host}], or unset it",
                ),
            ),
        ),
    ),
    programs=(Program(Kind.LIBRARY, ("gloo",), traits=(Trait.TOGETHER,), source=Source.NCCL),),
)
