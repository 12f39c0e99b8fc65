"""The targets' shared data mover and its streams; `src` and `dst` in brackets are bare node IDs."""

from __future__ import annotations

from logtui.parsers.aistore.signature import Meaning, Severity, Signature
from logtui.parsers.pattern import Sample

_STREAM = r"shared-dm\[(?P<src>[^\]=<]+)=>(?P<dst>[^\]]+)\]"
_DROPPED = r"dropping sobj-(?P<object>.*?)\(size=(?P<size>-?\d+)\)"

SIGNATURES = (
    Signature(
        "shared_dm.dial_failed",
        ("error when dialing ",),
        _STREAM + r" terminated \[.*error when dialing (?P<address>[\d.:]+): (?P<err>[^\]]*)",
        (
            Sample(
                "shared-dm[AbCdEfGh=>IjKlMnOp] terminated [error when dialing 10.0.0.7:51083: dial tcp4 10.0.0.7:51083: "
                "i/o timeout ctx: dropping sobj-ais://corpus/shard-00012.tar(size=1024)]",
                {"src": "AbCdEfGh", "dst": "IjKlMnOp", "address": "10.0.0.7:51083"},
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "a target cannot be reached by its peer",
        "4.3+",
        blames="network",
    ),
    Signature(
        "shared_dm.terminated",
        ("] terminated [", ' terminated("'),
        r"shared-dm.*terminated(?:\(\"|\b)",
        (
            Sample(
                "shared-dm[AbCdEfGh=>IjKlMnOp] terminated [reason: 'error' ctx: dropping sobj-ais://corpus/shard-00012.tar"
                "(size=1024) err: write tcp 10.0.0.4:44210->10.0.0.7:51083: write: broken pipe]",
            ),
            Sample(
                "shared-dm[AbCdEfGh=>IjKlMnOp] terminated [write tcp 10.0.0.4:44210->10.0.0.7:51083: write: connection "
                "reset by peer ctx: dropping sobj-ais://corpus/shard-00012.tar(size=1024)]",
            ),
        ),
        Meaning.CONSEQUENCE,
        Severity.ERROR,
        "a sender's stream to a peer died",
        "all",
        note="Once per stream. Up to 4.2 the receiver's own «xid not found» breaks it; first in time it is a cause.",
        blames="network",
    ),
    Signature(
        "shared_dm.receive_broken",
        (":[ctx: ",),
        r"shared-dm\[(?P<dst>[^\]<]+)<=(?P<src>[^\]]+)\] (?P<code>sbr_\w+):\[ctx: ",
        (
            Sample(
                "t[AbCdEfGh] shared-dm shared-dm[AbCdEfGh<=IjKlMnOp] sbr_obj_data:[ctx: shard-00012.tar err: unexpected EOF]",
                {"dst": "AbCdEfGh", "src": "IjKlMnOp", "code": "sbr_obj_data"},
            ),
        ),
        Meaning.CAUSE,
        Severity.WARNING,
        "a receiver's stream broke: the sender vanished, or the network",
        "4.1+",
        blames="peer",
    ),
    Signature(
        "shared_dm.rx_failure",
        ("shared-dm Rx failure: ", "] recvObj [err: ", " recvObj [err: "),
        r"shared-dm Rx failure: \[ xid: (?P<xid>\S+) err: (?P<err>.*?) oname: (?P<object>\S+) num Rx errors: (?P<errors>\d+)"
        r"|shared-dm: xid (?P<xid_old>\S+) recvObj \[err: (?P<err_old>.*), oname: (?P<object_old>[^,]+), rxerr: (?P<errors_old>\d+)\]",
        (
            Sample(
                "shared-dm Rx failure: [ xid: gbt-Pf3kTw err: gone oname: a.flac num Rx errors: 3 ]", {"errors": "3"}
            ),
            Sample("shared-dm: xid Pf3kTw recvObj [err: gone, oname: a.flac, rxerr: 2]", {"errors_old": "2"}),
        ),
        Meaning.CONSEQUENCE,
        Severity.WARNING,
        "an entry could not be received",
        "4.3+",
    ),
    Signature(
        "shared_dm.xid_not_found",
        ("shared-dm: xid ", "shared-dm xid "),
        r"shared-dm:? xid (?P<xid>\S+) not found(?:,| -) dropping(?: recv \[oname: (?P<object>[^,\]]+)(?:, drops: (?P<drops>\d+))?\]| (?P<count>\d+))",
        (
            Sample(
                "shared-dm: xid Pf3kTw not found, dropping recv [oname: corpus/shard-00012.tar/a.flac]: "
                "PUT /v1/objstream/shared-dm (t[AbCdEfGh]: recv.go:121])",
                {"xid": "Pf3kTw", "object": "corpus/shard-00012.tar/a.flac"},
            ),
            Sample("shared-dm: xid Pf3kTw not found, dropping recv [oname: a.flac, drops: 40]", {"drops": "40"}),
            Sample("shared-dm xid gbt-Pf3kTw not found - dropping 128", {"count": "128"}),
        ),
        Meaning.CONSEQUENCE,
        Severity.WARNING,
        "data arrived for a job that had ended here",
        "3.30+",
        note="Up to 4.2 it also closes the incoming stream, so the sender sees a broken pipe. Sparse from 4.6.",
    ),
    Signature(
        "shared_dm.closed",
        ("shared-dm is closed",),
        r"shared-dm is closed[,( ]+dropping",
        (
            Sample("shared-dm is closed (dropping all Rx)"),
            Sample("shared-dm is closed, dropping recv [xid: a, oname: b]"),
        ),
        Meaning.CONSEQUENCE,
        Severity.WARNING,
        "data arrived after the data mover was closed",
        "all",
    ),
    Signature(
        "shared_dm.torn_down",
        ("shared-dm: failed reconnecting to ", "closing shared-dm", "shared-dm closing despite "),
        r"shared-dm: failed reconnecting to (?P<peer>\S+)|closing shared-dm\S* with errors|shared-dm closing despite",
        (
            Sample(
                "t[AbCdEfGh] shared-dm: failed reconnecting to IjKlMnOp (EOF --> EOF) - closing/aborting...",
                {"peer": "IjKlMnOp"},
            ),
            Sample("closing shared-dm[AbCdEfGh] with errors [EOF]"),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "the data mover was torn down: all batches of this node fail",
        "4.1+",
        blames="network",
    ),
    Signature(
        "shared_dm.reconnected",
        (
            "successfully restablished connectivity to ",
            "successfully reestablished connectivity to ",
            "reconnect/send: shared-dm",
            "shared-dm successful reconnect from ",
        ),
        r"est?ablished connectivity to (?P<dst>\S+)|reconnect/send: shared-dm --> (?P<to>\S+)|successful reconnect from (?P<src>\S+)",
        (
            Sample(
                "sb-[AbCdEfGh-v12-shared-dm] successfully restablished connectivity to IjKlMnOp", {"dst": "IjKlMnOp"}
            ),
            Sample("t[AbCdEfGh] reconnect/send: shared-dm --> IjKlMnOp <nil>", {"to": "IjKlMnOp"}),
            Sample("t[IjKlMnOp] shared-dm successful reconnect from AbCdEfGh", {"src": "AbCdEfGh"}),
        ),
        Meaning.STATE,
        Severity.INFO,
        "a broken stream was restored",
        "4.1+",
    ),
    Signature(
        "shared_dm.totals",
        ("shared-dm stats: ",),
        r"shared-dm stats: drops (?P<drops>\d+) rxerr (?P<rxerr>\d+) sbrs (?P<sbrs>\d+)",
        (Sample("shared-dm stats: drops 12 rxerr 3 sbrs 0", {"drops": "12", "rxerr": "3", "sbrs": "0"}),),
        Meaning.STATE,
        Severity.INFO,
        "what sparse logging hides, counted",
        "4.3+",
    ),
    Signature(
        "shared_dm.opened",
        ("] open shared-dm", "] close shared-dm"),
        r"t\[(?P<node>[^\]]+)\] (?P<what>open|close) shared-dm$",
        (
            Sample("t[AbCdEfGh] open shared-dm", {"what": "open"}),
            Sample("t[AbCdEfGh] close shared-dm", {"what": "close"}),
        ),
        Meaning.STATE,
        Severity.INFO,
        "data mover opened or closed",
        "all",
    ),
    Signature(
        "shared_dm.retry_timeout",
        ("retry timeout ",),
        r"^retry timeout (?P<stream>\S+)",
        (
            Sample(
                "retry timeout shared-dm[AbCdEfGh=>IjKlMnOp] [ i/o timeout 4 10s ]",
                {"stream": "shared-dm[AbCdEfGh=>IjKlMnOp]"},
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "a peer stayed unreachable through all retries",
        "4.0+",
        blames="network",
    ),
    Signature(
        "shared_dm.queue_full",
        (" work channel full cnt: ",),
        r"(?P<stream>\S+) work channel full cnt: (?P<count>\d+)",
        (Sample("shared-dm[AbCdEfGh=>IjKlMnOp] work channel full cnt: 5", {"count": "5"}),),
        Meaning.CONSEQUENCE,
        Severity.WARNING,
        "a sender's backlog is full: the receiver is slow",
        "all",
        blames="peer",
    ),
    Signature(
        "shared_dm.destination_missing",
        ("destination missing: stream ", "no streams t["),
        r"destination missing: stream \((?P<stream>.*?)\)|no streams t\[(?P<node>[^\]]+)\] => ",
        (
            Sample("destination missing: stream (shared-dm) => t[AbCdEfGh], Smap v14", {"stream": "shared-dm"}),
            Sample("no streams t[AbCdEfGh] => 10.0.0.7/shared-dm", {"node": "AbCdEfGh"}),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "a peer left the cluster map",
        "all",
        blames="membership",
    ),
)
