"""Get-batch (x-moss): the designated target assembles, every other target sends; from AIStore 3.30 on."""

from __future__ import annotations

from logtui.parsers.aistore.signature import Meaning, Severity, Signature
from logtui.parsers.pattern import Sample

_JOB = r"x-get-batch\[(?P<xid>[^\]]+)\]\S*"
_ANY_JOB = r"(?:x-)?get-batch\[(?P<xid>[^\]]+)\]\S*"
_WID = r"""wid="?(?P<wid>[^"\s,\])]+)"?"""

SIGNATURES = (
    Signature(
        "getbatch.entry_timeout",
        ("timed out waiting for",),
        r"get-batch\[(?P<xid>[^\]]+)\]\S*: timed out waiting for (?:missing entry at index )?(?P<index>\d+)"
        r"(?: \"hole\" to fill)? \[ t\[(?P<node>[^\]]+)\](?:, " + _WID + r")?(?:, total-wait=(?P<waited>[\dmsh.]+))?",
        (
            Sample(
                "x-get-batch[Pf3kTw] Warning: failed to transmit GET response [ x-get-batch[Pf3kTw]: timed out waiting "
                "for missing entry at index 12 [ t[AbCdEfGh], wid=pXyZkLm-aB3dE, total-wait=30s ] ]",
                {"xid": "Pf3kTw", "index": "12", "node": "AbCdEfGh", "wid": "pXyZkLm-aB3dE", "waited": "30s"},
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "a peer delivered nothing for the batch within the wait limit",
        "4.1+",
        blames="peer",
        note="3.30-4.0 say «hole». The limit is get_batch.max_wait: 30s in 4.1-4.9, 20s in 5.0.",
    ),
    Signature(
        "getbatch.entry_network",
        ("network error while retrieving entry at index ",),
        r"get-batch\[(?P<xid>[^\]]+)\]\S*: network error while retrieving entry at index (?P<index>\d+) "
        r"\[ t\[(?P<node>[^\]]+)\], " + _WID,
        (
            Sample(
                'x-get-batch[Pf3kTw]: network error while retrieving entry at index 4 [ t[AbCdEfGh], wid="pXyZkLm-aB3dE", '
                "err=unexpected EOF ]",
                {"index": "4", "wid": "pXyZkLm-aB3dE"},
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "a peer's stream broke while the batch was assembled",
        "4.1+",
        blames="network",
    ),
    Signature(
        "getbatch.soft_limit",
        ("exceeded soft-errors limit: ",),
        r"get-batch\[(?P<xid>[^\]]+)\]\S*: (?:work item \"|wid=\")(?P<wid>[^\"]+)\" exceeded soft-errors limit: "
        r"(?P<errors>\d+) \(max: (?P<max>\d+)\)",
        (
            Sample(
                'x-get-batch[Pf3kTw]: wid="pXyZkLm-aB3dE" exceeded soft-errors limit: 9 (max: 8)',
                {"errors": "9", "max": "8", "wid": "pXyZkLm-aB3dE"},
            ),
            Sample(
                'x-get-batch[Pf3kTw]: work item "pXyZkLm-aB3dE" exceeded soft-errors limit: 7 (max: 6)', {"max": "6"}
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "too many missing objects or failed recoveries in one batch",
        "4.1+",
        blames="data",
    ),
    Signature(
        "getbatch.truncated",
        ("failed to transmit GET response [",),
        r"^" + _JOB + r" Warning: failed to transmit GET response \[ (?P<cause>.*) \]$",
        (
            Sample(
                "x-get-batch[Pf3kTw] Warning: failed to transmit GET response [ write tcp 10.0.0.4:51081->10.0.9.7:40122: "
                "write: broken pipe ]",
                {"xid": "Pf3kTw", "cause": "write tcp 10.0.0.4:51081->10.0.9.7:40122: write: broken pipe"},
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "the client's batch was cut short: a valid but short TAR, status 200",
        "3.30+",
        blames="peer",
        note="A socket write error as cause means that the client was gone first. From 4.5 only final flushes say it.",
    ),
    Signature(
        "getbatch.item_failed",
        ("] streaming: ",),
        r"^" + _ANY_JOB + r" err: (?P<err>.*) \[ work:" + _WID + r".*\] streaming: (?P<streaming>true|false)",
        (
            Sample(
                'get-batch[gbt-Pf3kTw] err: Warning: failed to transmit GET response [ work:wid="pXyZkLm-aB3dE" '
                "objs:[0 0B] files:[31 9.12MiB] ] streaming: true",
                {"xid": "gbt-Pf3kTw", "wid": "pXyZkLm-aB3dE", "streaming": "true"},
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "a batch failed on its designated target",
        "4.5+",
        blames="peer",
        note="Sparse: 1 to 5, then every 10th below 100, then every 256th. In streaming mode the real cause is not logged.",
    ),
    Signature(
        "getbatch.rejected",
        (" rejected due to resource pressure (", " rejected: pending="),
        _JOB
        + r': (?:work item |wid=)"(?P<wid>[^"]+)" rejected(?: due to resource pressure \((?P<advice>.*?)\)|: pending=(?P<pending>\d+))',
        (
            Sample(
                'x-get-batch[Pf3kTw]: wid="pXyZkLm-aB3dE" rejected due to resource pressure (load=critical sleep=10ms '
                "[mem=critical cpu=low dsk=low], pending=4)",
                {"wid": "pXyZkLm-aB3dE"},
            ),
            Sample('x-get-batch[Pf3kTw]: wid="pXyZkLm-aB3dE" rejected: pending=257', {"pending": "257"}),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "a batch was rejected (429) under resource pressure",
        "4.1+",
        blames="load",
    ),
    Signature(
        "getbatch.senders_silent",
        (" senders did not ack start within ",),
        _JOB + r": (?P<silent>\d+) of (?P<senders>\d+) senders did not ack start within (?P<waited>\S+)",
        (Sample("x-get-batch[Pf3kTw]: 2 of 7 senders did not ack start within 10s", {"silent": "2", "senders": "7"}),),
        Meaning.CAUSE,
        Severity.WARNING,
        "peers did not start sending",
        "4.5+",
        blames="peer",
    ),
    Signature(
        "getbatch.receive_broken",
        (" failed to receive ",),
        r"get-batch\[(?P<xid>[^\]]+)\]\S*.* failed to receive (?P<object>.+) from t\[(?P<peer>[^\]]+)\]: (?P<err>.*)",
        (
            Sample(
                "x-get-batch[Pf3kTw] t[AbCdEfGh] failed to receive shards/shard-00012.tar from t[IjKlMnOp]: unexpected EOF",
                {"object": "shards/shard-00012.tar", "peer": "IjKlMnOp"},
            ),
        ),
        Meaning.CAUSE,
        Severity.WARNING,
        "an entry from a peer broke off",
        "4.0+",
        blames="peer",
    ),
    Signature(
        "getbatch.wedged",
        ("wedged Rx for wi ", "wedged asm for wi "),
        r'wedged (?P<stage>Rx|asm) for wi "(?P<wid>[^"]+)", age (?P<age>\S+)',
        (Sample('x-get-batch[gbt-Pf3kTw] wedged Rx for wi "pXyZkLm-aB3dE", age 2m3s', {"stage": "Rx", "age": "2m3s"}),),
        Meaning.CAUSE,
        Severity.ERROR,
        "a batch is stuck on its designated target",
        "4.6+",
        blames="peer",
    ),
    Signature(
        "getbatch.aborted_by_rebalance",
        ("starting x-rebalance[",),
        r"get-batch\[(?P<xid>[^\]]+)\].*(?:aborting|aborted|abrt): .*reason: starting x-rebalance\[(?P<rebalance>\w+)\]",
        (
            Sample(
                "x-get-batch[Pf3kTw] aborting: reason: starting x-rebalance[g7]", {"xid": "Pf3kTw", "rebalance": "g7"}
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "a starting rebalance aborted the get-batch job",
        "4.0+",
        blames="membership",
    ),
    Signature(
        "getbatch.membership",
        ("x-moss: expecting ", "detected cluster membership change from "),
        r"x-moss: expecting (?P<expected>\d+) targets, have (?P<have>\d+)|detected cluster membership change from (?P<smap>Smap ?\S+)",
        (
            Sample("x-moss: expecting 8 targets, have 7: GET /v1/ml/moss (t[AbCdEfGh]: ml.go:300])", {"have": "7"}),
            Sample(
                "x-get-batch[Pf3kTw]: detected cluster membership change from Smap v12 to Smap v13",
                {"smap": "Smap v12"},
            ),
        ),
        Meaning.CAUSE,
        Severity.ERROR,
        "the set of targets changed during the batch",
        "4.0+",
        blames="membership",
    ),
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
