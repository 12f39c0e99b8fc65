"""How get-batch jobs end: aborts, what other targets do then, late arrivals, clients that come too late."""

from __future__ import annotations

from logtui.parsers.aistore.signature import Meaning, Severity, Signature
from logtui.parsers.pattern import Sample

_JOB = r"x-get-batch\[(?P<xid>[^\]]+)\]\S*"
_ANY_JOB = r"(?:x-)?get-batch\[(?P<xid>[^\]]+)\]\S*"
_WID = r"""wid="?(?P<wid>[^"\s,\])]+)"?"""

SIGNATURES = (
    Signature(
        "getbatch.aborted",
        ("-[abrt: ",),
        r"^(?:x-)?get-batch\[(?P<xid>[^\]]+)\]\S*-\[abrt: .* aborted: (?P<cause>.*)",
        (
            Sample(
                "x-get-batch[Pf3kTw]-10:11:12.131415-[abrt: user]-00:00:00.000000 aborted: user",
                {"xid": "Pf3kTw", "cause": "user"},
            ),
        ),
        Meaning.CONSEQUENCE,
        Severity.ERROR,
        "the get-batch job was aborted, with all its batches",
        "3.30-4.4",
    ),
    Signature(
        "getbatch.aborting",
        ("] aborting",),
        r"^" + _JOB + r" aborting(?:: (?P<cause>.*))?$",
        (
            Sample(
                "x-get-batch[Pf3kTw] aborting: x-get-batch[Pf3kTw]: remote target abort [t[IjKlMnOp]: gone]",
                {"xid": "Pf3kTw"},
            ),
        ),
        Meaning.CONSEQUENCE,
        Severity.ERROR,
        "the get-batch job is aborted on this node",
        "4.0+",
    ),
    Signature(
        "getbatch.remote_abort",
        (
            "remote target abort [",
            "remote target aborted xaction: ",
            "remote target aborted work item: ",
            "] bcast abort [ ",
        ),
        r"get-batch\[(?P<xid>[^\]]+)\].*?(?:remote target abort \[t\[(?P<peer>[^\]]+)\]|bcast abort \[)"
        r"|remote target aborted (?P<what>xaction|work item): (?:x-)?get-batch\[(?P<job>[^\]]+)\]",
        (
            Sample(
                "x-get-batch[Pf3kTw]: remote target abort [t[AbCdEfGh]: user]", {"xid": "Pf3kTw", "peer": "AbCdEfGh"}
            ),
            Sample('remote target aborted xaction: get-batch[gbt-Pf3kTw] [t[AbCdEfGh]: "gone"]', {"job": "gbt-Pf3kTw"}),
            Sample(
                'remote target aborted work item: get-batch[gbt-Pf3kTw] wid="a-b" [t[AbCdEfGh]]', {"what": "work item"}
            ),
        ),
        Meaning.CONSEQUENCE,
        Severity.WARNING,
        "another target aborted the job",
        "3.30+",
    ),
    Signature(
        "getbatch.out_of_bounds",
        ("out-of-bounds index ",),
        r"get-batch\[(?P<xid>[^\]]+)\]\S* (?:t\[(?P<node>[^\]]+)\] )?out-of-bounds index (?P<index>\d+) "
        r"\(recv'd len=(?P<len>\d+), " + _WID + r"\)",
        (
            Sample(
                "shared-dm Rx failure: [ xid: gbt-Pf3kTw err: x-get-batch[gbt-Pf3kTw] t[AbCdEfGh] out-of-bounds index 3 "
                '(recv\'d len=0, wid="pXyZkLm-aB3dE") oname: shards/shard-00012.tar/a.flac num Rx errors: 1 ]',
                {"xid": "gbt-Pf3kTw", "index": "3", "len": "0", "wid": "pXyZkLm-aB3dE"},
            ),
        ),
        Meaning.CONSEQUENCE,
        Severity.WARNING,
        "an entry arrived late, for a batch that had already ended",
        "3.30+",
        note="Up to 4.4 this late arrival then aborts the whole job.",
    ),
    Signature(
        "getbatch.receive_failed",
        ("] RecvObj: ",),
        r"^" + _JOB + r" t\[(?P<node>[^\]]+)\] RecvObj: (?P<err>.*)",
        (
            Sample(
                "x-get-batch[Pf3kTw] t[AbCdEfGh] RecvObj: unexpected EOF",
                {"node": "AbCdEfGh"},
            ),
        ),
        Meaning.CONSEQUENCE,
        Severity.ERROR,
        "a receive error aborts the whole job on all targets",
        "3.30-4.4",
    ),
    Signature(
        "getbatch.not_active",
        ("x-moss: xid ",),
        r'x-moss: xid "(?P<xid>[^"]+)" not active: \w+ (?P<path>/v1/ml/moss/[^/\s]+/(?P<wid>[^/\s]+)\S*)',
        (
            Sample(
                'x-moss: xid "Pf3kTw" not active: GET /v1/ml/moss/Pf3kTw/pXyZkLm-aB3dE/2 (t[AbCdEfGh]: htrun.go:1414 <- ml.go:281])',
                {"xid": "Pf3kTw", "wid": "pXyZkLm-aB3dE", "path": "/v1/ml/moss/Pf3kTw/pXyZkLm-aB3dE/2"},
            ),
        ),
        Meaning.CONSEQUENCE,
        Severity.ERROR,
        "a client came for a batch of an aborted job",
        "4.1+",
    ),
    Signature(
        "getbatch.prep_missing",
        ("(prep-rx not done?)",),
        r'get-batch\[(?P<xid>[^\]]+)\]\S*: (?:work item |wid=)"(?P<wid>[^"]+)"(?: not found)? \(prep-rx not done\?\)',
        (
            Sample(
                'x-get-batch[Pf3kTw]: work item "pXyZkLm-aB3dE" not found (prep-rx not done?)', {"wid": "pXyZkLm-aB3dE"}
            ),
            Sample('x-get-batch[gbt-Pf3kTw]: wid="pXyZkLm-aB3dE" (prep-rx not done?)', {"wid": "pXyZkLm-aB3dE"}),
        ),
        Meaning.CONSEQUENCE,
        Severity.ERROR,
        "a batch is unknown here, as after a membership change",
        "4.0+",
        blames="membership",
    ),
    Signature(
        "getbatch.client_gone",
        ("client gone before first write: ",),
        _JOB + r" client gone before first write: (?P<err>.*)",
        (
            Sample(
                "x-get-batch[gbt-Pf3kTw] client gone before first write: context canceled", {"err": "context canceled"}
            ),
        ),
        Meaning.CONSEQUENCE,
        Severity.WARNING,
        "the client had disconnected before the first byte",
        "4.5+",
        blames="client",
    ),
    Signature(
        "getbatch.abandoned",
        ('" abandoned (age ', "GC cleaned abandoned wi "),
        r'wi "(?P<wid>[^"]+)" abandoned \(age (?P<age>[^)]+)\)|GC cleaned abandoned wi (?P<gc>\S+) age: (?P<gc_age>\S+)',
        (
            Sample('x-get-batch[gbt-Pf3kTw] wi "pXyZkLm-aB3dE" abandoned (age 5m0s)', {"age": "5m0s"}),
            Sample("x-get-batch[gbt-Pf3kTw] GC cleaned abandoned wi pXyZkLm-aB3dE age: 5m0s", {"gc": "pXyZkLm-aB3dE"}),
        ),
        Meaning.CONSEQUENCE,
        Severity.WARNING,
        "a client never came for its batch",
        "4.6+",
        blames="client",
    ),
    Signature(
        "getbatch.stale_item",
        ("stale or unknown wid ",),
        _JOB + r" stale or unknown wid (?P<wid>\S+) from t\[(?P<peer>[^\]]+)\]",
        (
            Sample(
                "x-get-batch[gbt-Pf3kTw] stale or unknown wid pXyZkLm-aB3dE from t[IjKlMnOp] [ warn: true ]",
                {"peer": "IjKlMnOp"},
            ),
        ),
        Meaning.NOISE,
        Severity.INFO,
        "a late control message",
        "4.5+",
    ),
    Signature(
        "getbatch.duplicate",
        ("duplicate recv idx=",),
        _JOB + r" t\[(?P<node>[^\]]+)\] duplicate recv idx=(?P<index>\d+) from t\[(?P<peer>[^\]]+)\]",
        (Sample("x-get-batch[Pf3kTw] t[AbCdEfGh] duplicate recv idx=3 from t[IjKlMnOp] — dropping", {"index": "3"}),),
        Meaning.NOISE,
        Severity.INFO,
        "an entry came twice after a recovery",
        "4.0+",
    ),
    Signature(
        "getbatch.slow_abort",
        (" demand-pending after ",),
        _JOB + r" abort: still (?P<pending>\d+) demand-pending after (?P<waited>\S+)",
        (
            Sample(
                "x-get-batch[gbt-Pf3kTw] abort: still 3 demand-pending after 10s - proceeding anyway", {"pending": "3"}
            ),
        ),
        Meaning.CONSEQUENCE,
        Severity.WARNING,
        "the abort waits for requests in flight",
        "4.6+",
    ),
    Signature(
        "getbatch.started",
        ("] run: x-get-batch[", "] run: get-batch["),
        r"^t\[(?P<node>[^\]]+)\] run: " + _ANY_JOB,
        (Sample('t[AbCdEfGh] run: x-get-batch[Pf3kTw] without "bewarm" []', {"node": "AbCdEfGh", "xid": "Pf3kTw"}),),
        Meaning.STATE,
        Severity.INFO,
        "get-batch job starts",
        "4.1+",
    ),
    Signature(
        "getbatch.idle",
        ("] idle expired",),
        r"^" + _ANY_JOB + r" idle expired(?: \[ (?P<totals>.*) \]| - finishing)?",
        (
            Sample("x-get-batch[Pf3kTw] idle expired [ pending:0 reqs:77 ]", {"xid": "Pf3kTw"}),
            Sample("get-batch[gbt-Pf3kTw] idle expired [ pending:0 ]", {"xid": "gbt-Pf3kTw"}),
        ),
        Meaning.STATE,
        Severity.INFO,
        "get-batch job ends: no request for 60 to 120 s",
        "3.30+",
    ),
)
