"""The targets' shared data mover and its streams; `src` and `dst` in brackets are bare node IDs."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Pattern, Role, Sample, Scope, Severity

_STREAM = r"shared-dm\[(?P<src>[^\]=<]+)=>(?P<dst>[^\]]+)\]"

FORMAT = LineFormat(
    name="aistore_shared_dm",
    title="AIStore: the targets' shared data mover and its streams; `src` and `dst` in brackets are bare node ids",
    reference="NVIDIA/aistore transport/bundle/shared_dm.go, transport/; 3.17 to 5.0",
    scope=Scope.DAEMONS,
    patterns=(
        Pattern(
            name="shared_dm.dial_failed",
            anchors=("error when dialing ",),
            regex=_STREAM + r" terminated \[.*error when dialing (?P<address>[\d.:]+): (?P<err>[^\]]*)",
            samples=(
                Sample(
                    "shared-dm[AbCdEfGh=>IjKlMnOp] terminated [error when dialing 10.0.0.7:51083: dial tcp4 10.0.0.7:51083: "
                    "i/o timeout ctx: dropping sobj-ais://corpus/shard-00012.tar(size=1024)]",
                    {"src": "AbCdEfGh", "dst": "IjKlMnOp", "address": "10.0.0.7:51083"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a target cannot be reached by its peer",
            versions="4.3+",
            blames="network",
        ),
        Pattern(
            name="shared_dm.terminated",
            anchors=("] terminated [", ' terminated("'),
            regex=r"shared-dm.*terminated(?:\(\"|\b)",
            samples=(
                Sample(
                    "shared-dm[AbCdEfGh=>IjKlMnOp] terminated [reason: 'error' ctx: dropping sobj-ais://corpus/shard-00012.tar"
                    "(size=1024) err: write tcp 10.0.0.4:44210->10.0.0.7:51083: write: broken pipe]",
                ),
                Sample(
                    "shared-dm[AbCdEfGh=>IjKlMnOp] terminated [write tcp 10.0.0.4:44210->10.0.0.7:51083: write: connection "
                    "reset by peer ctx: dropping sobj-ais://corpus/shard-00012.tar(size=1024)]",
                ),
            ),
            role=Role.SYMPTOM,
            severity=Severity.ERROR,
            title="a sender's stream to a peer died",
            versions="all",
            note="Once per stream. Up to 4.2 the receiver's own «xid not found» breaks it; first in time it is a cause.",
            blames="network",
        ),
        Pattern(
            name="shared_dm.receive_broken",
            anchors=(":[ctx: ",),
            regex=r"shared-dm\[(?P<dst>[^\]<]+)<=(?P<src>[^\]]+)\] (?P<code>sbr_\w+):\[ctx: ",
            samples=(
                Sample(
                    "t[AbCdEfGh] shared-dm shared-dm[AbCdEfGh<=IjKlMnOp] sbr_obj_data:[ctx: shard-00012.tar err: unexpected EOF]",
                    {"dst": "AbCdEfGh", "src": "IjKlMnOp", "code": "sbr_obj_data"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.WARNING,
            title="a receiver's stream broke: the sender vanished, or the network",
            versions="4.1+",
            blames="peer",
        ),
        Pattern(
            name="shared_dm.rx_failure",
            anchors=("shared-dm Rx failure: ", "] recvObj [err: ", " recvObj [err: "),
            regex=r"shared-dm Rx failure: \[ xid: (?P<xid>\S+) err: (?P<err>.*?) oname: (?P<object>\S+) num Rx errors: (?P<errors>\d+)"
            r"|shared-dm: xid (?P<xid_old>\S+) recvObj \[err: (?P<err_old>.*), oname: (?P<object_old>[^,]+), rxerr: (?P<errors_old>\d+)\]",
            samples=(
                Sample(
                    "shared-dm Rx failure: [ xid: gbt-Pf3kTw err: gone oname: a.flac num Rx errors: 3 ]",
                    {"errors": "3"},
                ),
                Sample("shared-dm: xid Pf3kTw recvObj [err: gone, oname: a.flac, rxerr: 2]", {"errors_old": "2"}),
            ),
            role=Role.SYMPTOM,
            severity=Severity.WARNING,
            title="an entry could not be received",
            versions="4.3+",
        ),
        Pattern(
            name="shared_dm.xid_not_found",
            anchors=("shared-dm: xid ", "shared-dm xid "),
            regex=r"shared-dm:? xid (?P<xid>\S+) not found(?:,| -) dropping(?: recv \[oname: (?P<object>[^,\]]+)(?:, drops: (?P<drops>\d+))?\]| (?P<count>\d+))",
            samples=(
                Sample(
                    "shared-dm: xid Pf3kTw not found, dropping recv [oname: corpus/shard-00012.tar/a.flac]: "
                    "PUT /v1/objstream/shared-dm (t[AbCdEfGh]: recv.go:121])",
                    {"xid": "Pf3kTw", "object": "corpus/shard-00012.tar/a.flac"},
                ),
                Sample("shared-dm: xid Pf3kTw not found, dropping recv [oname: a.flac, drops: 40]", {"drops": "40"}),
                Sample("shared-dm xid gbt-Pf3kTw not found - dropping 128", {"count": "128"}),
            ),
            role=Role.SYMPTOM,
            severity=Severity.WARNING,
            title="data arrived for a job that had ended here",
            versions="3.30+",
            note="Up to 4.2 it also closes the incoming stream, so the sender sees a broken pipe. Sparse from 4.6.",
        ),
        Pattern(
            name="shared_dm.closed",
            anchors=("shared-dm is closed",),
            regex=r"shared-dm is closed[,( ]+dropping",
            samples=(
                Sample("shared-dm is closed (dropping all Rx)"),
                Sample("shared-dm is closed, dropping recv [xid: a, oname: b]"),
            ),
            role=Role.SYMPTOM,
            severity=Severity.WARNING,
            title="data arrived after the data mover was closed",
            versions="all",
        ),
        Pattern(
            name="shared_dm.torn_down",
            anchors=("shared-dm: failed reconnecting to ", "closing shared-dm", "shared-dm closing despite "),
            regex=r"shared-dm: failed reconnecting to (?P<peer>\S+)|closing shared-dm\S* with errors|shared-dm closing despite",
            samples=(
                Sample(
                    "t[AbCdEfGh] shared-dm: failed reconnecting to IjKlMnOp (EOF --> EOF) - closing/aborting...",
                    {"peer": "IjKlMnOp"},
                ),
                Sample("closing shared-dm[AbCdEfGh] with errors [EOF]"),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="the data mover was torn down: all batches of this node fail",
            versions="4.1+",
            blames="network",
        ),
        Pattern(
            name="shared_dm.reconnected",
            anchors=(
                "successfully restablished connectivity to ",
                "successfully reestablished connectivity to ",
                "reconnect/send: shared-dm",
                "shared-dm successful reconnect from ",
            ),
            regex=r"est?ablished connectivity to (?P<dst>\S+)|reconnect/send: shared-dm --> (?P<to>\S+)|successful reconnect from (?P<src>\S+)",
            samples=(
                Sample(
                    "sb-[AbCdEfGh-v12-shared-dm] successfully restablished connectivity to IjKlMnOp",
                    {"dst": "IjKlMnOp"},
                ),
                Sample("t[AbCdEfGh] reconnect/send: shared-dm --> IjKlMnOp <nil>", {"to": "IjKlMnOp"}),
                Sample("t[IjKlMnOp] shared-dm successful reconnect from AbCdEfGh", {"src": "AbCdEfGh"}),
            ),
            role=Role.STATE,
            severity=Severity.INFO,
            title="a broken stream was restored",
            versions="4.1+",
        ),
        Pattern(
            name="shared_dm.totals",
            anchors=("shared-dm stats: ",),
            regex=r"shared-dm stats: drops (?P<drops>\d+) rxerr (?P<rxerr>\d+) sbrs (?P<sbrs>\d+)",
            samples=(Sample("shared-dm stats: drops 12 rxerr 3 sbrs 0", {"drops": "12", "rxerr": "3", "sbrs": "0"}),),
            role=Role.STATE,
            severity=Severity.INFO,
            title="what sparse logging hides, counted",
            versions="4.3+",
        ),
        Pattern(
            name="shared_dm.opened",
            anchors=("] open shared-dm", "] close shared-dm"),
            regex=r"t\[(?P<node>[^\]]+)\] (?P<what>open|close) shared-dm$",
            samples=(
                Sample("t[AbCdEfGh] open shared-dm", {"what": "open"}),
                Sample("t[AbCdEfGh] close shared-dm", {"what": "close"}),
            ),
            role=Role.STATE,
            severity=Severity.INFO,
            title="data mover opened or closed",
            versions="all",
        ),
        Pattern(
            name="shared_dm.retry_timeout",
            anchors=("retry timeout ",),
            regex=r"^retry timeout (?P<stream>\S+)",
            samples=(
                Sample(
                    "retry timeout shared-dm[AbCdEfGh=>IjKlMnOp] [ i/o timeout 4 10s ]",
                    {"stream": "shared-dm[AbCdEfGh=>IjKlMnOp]"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a peer stayed unreachable through all retries",
            versions="4.0+",
            blames="network",
        ),
        Pattern(
            name="shared_dm.queue_full",
            anchors=(" work channel full cnt: ",),
            regex=r"(?<!\S)(?P<stream>\S+) work channel full cnt: (?P<count>\d+)",
            samples=(Sample("shared-dm[AbCdEfGh=>IjKlMnOp] work channel full cnt: 5", {"count": "5"}),),
            role=Role.SYMPTOM,
            severity=Severity.WARNING,
            title="a sender's backlog is full: the receiver is slow",
            versions="all",
            blames="peer",
        ),
        Pattern(
            name="shared_dm.destination_missing",
            anchors=("destination missing: stream ", "no streams t["),
            regex=r"destination missing: stream \((?P<stream>.*?)\)|no streams t\[(?P<node>[^\]]+)\] => ",
            samples=(
                Sample("destination missing: stream (shared-dm) => t[AbCdEfGh], Smap v14", {"stream": "shared-dm"}),
                Sample("no streams t[AbCdEfGh] => 10.0.0.7/shared-dm", {"node": "AbCdEfGh"}),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a peer left the cluster map",
            versions="all",
            blames="membership",
        ),
    ),
)
