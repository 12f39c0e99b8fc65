"""Get-batch (x-moss): the designated target assembles, every other target sends; from AIStore 3.30 on. How get-batch jobs end: aborts, what other targets do then, late arrivals, clients that come too late."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Pattern, Role, Sample, Scope, Severity

_JOB = r"x-get-batch\[(?P<xid>[^\]]+)\]\S*"
_ANY_JOB = r"(?:x-)?get-batch\[(?P<xid>[^\]]+)\]\S*"
_WID = r"""wid="?(?P<wid>[^"\s,\])]+)"?"""

FORMAT = LineFormat(
    name="aistore_getbatch",
    title="AIStore: get-batch jobs",
    reference="NVIDIA/aistore xact/xs/moss.go, xact/t2tctrl.go, ais/ml.go; 3.17 to 5.0",
    scope=Scope.DAEMONS,
    patterns=(
        Pattern(
            name="getbatch.entry_timeout",
            anchors=("timed out waiting for",),
            regex=r"get-batch\[(?P<xid>[^\]]+)\]\S*: timed out waiting for (?:missing entry at index )?(?P<index>\d+)"
            r"(?: \"hole\" to fill)? \[ t\[(?P<node>[^\]]+)\](?:, "
            + _WID
            + r")?(?:, total-wait=(?P<waited>[\dmsh.]+))?",
            samples=(
                Sample(
                    "x-get-batch[Pf3kTw] Warning: failed to transmit GET response [ x-get-batch[Pf3kTw]: timed out waiting "
                    "for missing entry at index 12 [ t[AbCdEfGh], wid=pXyZkLm-aB3dE, total-wait=30s ] ]",
                    {"xid": "Pf3kTw", "index": "12", "node": "AbCdEfGh", "wid": "pXyZkLm-aB3dE", "waited": "30s"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a peer delivered nothing for the batch within the wait limit",
            versions="4.1+",
            blames="peer",
            note="3.30-4.0 say «hole». The limit is get_batch.max_wait: 30s in 4.1-4.9, 20s in 5.0.",
        ),
        Pattern(
            name="getbatch.entry_network",
            anchors=("network error while retrieving entry at index ",),
            regex=r"get-batch\[(?P<xid>[^\]]+)\]\S*: network error while retrieving entry at index (?P<index>\d+) "
            r"\[ t\[(?P<node>[^\]]+)\], " + _WID,
            samples=(
                Sample(
                    'x-get-batch[Pf3kTw]: network error while retrieving entry at index 4 [ t[AbCdEfGh], wid="pXyZkLm-aB3dE", '
                    "err=unexpected EOF ]",
                    {"index": "4", "wid": "pXyZkLm-aB3dE"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a peer's stream broke while the batch was assembled",
            versions="4.1+",
            blames="network",
        ),
        Pattern(
            name="getbatch.soft_limit",
            anchors=("exceeded soft-errors limit: ",),
            regex=r"get-batch\[(?P<xid>[^\]]+)\]\S*: (?:work item \"|wid=\")(?P<wid>[^\"]+)\" exceeded soft-errors limit: "
            r"(?P<errors>\d+) \(max: (?P<max>\d+)\)",
            samples=(
                Sample(
                    'x-get-batch[Pf3kTw]: wid="pXyZkLm-aB3dE" exceeded soft-errors limit: 9 (max: 8)',
                    {"errors": "9", "max": "8", "wid": "pXyZkLm-aB3dE"},
                ),
                Sample(
                    'x-get-batch[Pf3kTw]: work item "pXyZkLm-aB3dE" exceeded soft-errors limit: 7 (max: 6)',
                    {"max": "6"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="too many missing objects or failed recoveries in one batch",
            versions="4.1+",
            blames="data",
        ),
        Pattern(
            name="getbatch.truncated",
            anchors=("failed to transmit GET response [",),
            regex=r"^" + _JOB + r" Warning: failed to transmit GET response \[ (?P<cause>.*) \]$",
            samples=(
                Sample(
                    "x-get-batch[Pf3kTw] Warning: failed to transmit GET response [ write tcp 10.0.0.4:51081->10.0.9.7:40122: "
                    "write: broken pipe ]",
                    {"xid": "Pf3kTw", "cause": "write tcp 10.0.0.4:51081->10.0.9.7:40122: write: broken pipe"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="the client's batch was cut short: a valid but short TAR, status 200",
            versions="3.30+",
            blames="peer",
            note="A socket write error as cause means that the client was gone first. From 4.5 only final flushes say it.",
        ),
        Pattern(
            name="getbatch.item_failed",
            anchors=("] streaming: ",),
            regex=r"^" + _ANY_JOB + r" err: (?P<err>.*) \[ work:" + _WID + r".*\] streaming: (?P<streaming>true|false)",
            samples=(
                Sample(
                    'get-batch[gbt-Pf3kTw] err: Warning: failed to transmit GET response [ work:wid="pXyZkLm-aB3dE" '
                    "objs:[0 0B] files:[31 9.12MiB] ] streaming: true",
                    {"xid": "gbt-Pf3kTw", "wid": "pXyZkLm-aB3dE", "streaming": "true"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a batch failed on its designated target",
            versions="4.5+",
            blames="peer",
            note="Sparse: 1 to 5, then every 10th below 100, then every 256th. In streaming mode the real cause is not logged.",
        ),
        Pattern(
            name="getbatch.ended_with_errors",
            anchors=("[ assemble wid=",),
            regex=r"^\s{0,8}\[ assemble "
            + _WID
            + r": (?P<err>.{0,200}?)(?: \(and (?P<more>\d+) more errors?\))? (?P<count>\d+) \]$",
            samples=(
                Sample(
                    "\t\t[ assemble wid=pXyZkLm-aB3dE: Warning: failed to transmit GET response 1 ]",
                    {"wid": "pXyZkLm-aB3dE", "err": "Warning: failed to transmit GET response", "count": "1"},
                ),
                Sample(
                    '\t\t[ assemble wid="pXyZkLm-aB3dE": Warning: failed to transmit GET response (and 2 more errors) 3 ]',
                    {"wid": "pXyZkLm-aB3dE", "more": "2", "count": "3"},
                ),
            ),
            role=Role.STATE,
            severity=Severity.WARNING,
            title="a get-batch job ended: the batches it could not deliver are summed up",
            versions="4.1+",
            note="Printed when the job finishes or is aborted (xact/base.go), so up to minutes after the batches failed.",
        ),
        Pattern(
            name="getbatch.rejected",
            anchors=(" rejected due to resource pressure (", " rejected: pending="),
            regex=_JOB
            + r': (?:work item |wid=)"(?P<wid>[^"]+)" rejected(?: due to resource pressure \((?P<advice>.*?)\)|: pending=(?P<pending>\d+))',
            samples=(
                Sample(
                    'x-get-batch[Pf3kTw]: wid="pXyZkLm-aB3dE" rejected due to resource pressure (load=critical sleep=10ms '
                    "[mem=critical cpu=low dsk=low], pending=4)",
                    {"wid": "pXyZkLm-aB3dE"},
                ),
                Sample('x-get-batch[Pf3kTw]: wid="pXyZkLm-aB3dE" rejected: pending=257', {"pending": "257"}),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a batch was rejected (429) under resource pressure",
            versions="4.1+",
            blames="load",
        ),
        Pattern(
            name="getbatch.senders_silent",
            anchors=(" senders did not ack start within ",),
            regex=_JOB + r": (?P<silent>\d+) of (?P<senders>\d+) senders did not ack start within (?P<waited>\S+)",
            samples=(
                Sample(
                    "x-get-batch[Pf3kTw]: 2 of 7 senders did not ack start within 10s", {"silent": "2", "senders": "7"}
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.WARNING,
            title="peers did not start sending",
            versions="4.5+",
            blames="peer",
        ),
        Pattern(
            name="getbatch.receive_broken",
            anchors=(" failed to receive ",),
            regex=r"get-batch\[(?P<xid>[^\]]+)\].{0,200} failed to receive (?P<object>.{1,400}) from t\[(?P<peer>[^\]]{1,64})\]: (?P<err>.*)",
            samples=(
                Sample(
                    "x-get-batch[Pf3kTw] t[AbCdEfGh] failed to receive shards/shard-00012.tar from t[IjKlMnOp]: unexpected EOF",
                    {"object": "shards/shard-00012.tar", "peer": "IjKlMnOp"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.WARNING,
            title="an entry from a peer broke off",
            versions="4.0+",
            blames="peer",
        ),
        Pattern(
            name="getbatch.wedged",
            anchors=("wedged Rx for wi ", "wedged asm for wi "),
            regex=r'wedged (?P<stage>Rx|asm) for wi "(?P<wid>[^"]+)", age (?P<age>\S+)',
            samples=(
                Sample(
                    'x-get-batch[gbt-Pf3kTw] wedged Rx for wi "pXyZkLm-aB3dE", age 2m3s', {"stage": "Rx", "age": "2m3s"}
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a batch is stuck on its designated target",
            versions="4.6+",
            blames="peer",
        ),
        Pattern(
            name="getbatch.aborted_by_rebalance",
            anchors=("starting x-rebalance[",),
            regex=r"get-batch\[(?P<xid>[^\]]+)\].{0,200}(?:aborting|aborted|abrt): .{0,400}reason: starting x-rebalance\[(?P<rebalance>\w+)\]",
            samples=(
                Sample(
                    "x-get-batch[Pf3kTw] aborting: reason: starting x-rebalance[g7]",
                    {"xid": "Pf3kTw", "rebalance": "g7"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a starting rebalance aborted the get-batch job",
            versions="4.0+",
            blames="membership",
        ),
        Pattern(
            name="getbatch.membership",
            anchors=("x-moss: expecting ", "detected cluster membership change from "),
            regex=r"x-moss: expecting (?P<expected>\d+) targets, have (?P<have>\d+)|detected cluster membership change from (?P<smap>Smap ?\S+)",
            samples=(
                Sample("x-moss: expecting 8 targets, have 7: GET /v1/ml/moss (t[AbCdEfGh]: ml.go:300])", {"have": "7"}),
                Sample(
                    "x-get-batch[Pf3kTw]: detected cluster membership change from Smap v12 to Smap v13",
                    {"smap": "Smap v12"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="the set of targets changed during the batch",
            versions="4.0+",
            blames="membership",
        ),
        Pattern(
            name="getbatch.aborted",
            anchors=("-[abrt: ",),
            regex=r"^(?:x-)?get-batch\[(?P<xid>[^\]]+)\]\S*-\[abrt: .* aborted: (?P<cause>.*)",
            samples=(
                Sample(
                    "x-get-batch[Pf3kTw]-10:11:12.131415-[abrt: user]-00:00:00.000000 aborted: user",
                    {"xid": "Pf3kTw", "cause": "user"},
                ),
            ),
            role=Role.SYMPTOM,
            severity=Severity.ERROR,
            title="the get-batch job was aborted, with all its batches",
            versions="3.30-4.4",
        ),
        Pattern(
            name="getbatch.aborting",
            anchors=("] aborting",),
            regex=r"^" + _JOB + r" aborting(?:: (?P<cause>.*))?$",
            samples=(
                Sample(
                    "x-get-batch[Pf3kTw] aborting: x-get-batch[Pf3kTw]: remote target abort [t[IjKlMnOp]: gone]",
                    {"xid": "Pf3kTw"},
                ),
            ),
            role=Role.SYMPTOM,
            severity=Severity.ERROR,
            title="the get-batch job is aborted on this node",
            versions="4.0+",
        ),
        Pattern(
            name="getbatch.remote_abort",
            anchors=(
                "remote target abort [",
                "remote target aborted xaction: ",
                "remote target aborted work item: ",
                "] bcast abort [ ",
            ),
            regex=r"get-batch\[(?P<xid>[^\]]+)\].*?(?:remote target abort \[t\[(?P<peer>[^\]]+)\]|bcast abort \[)"
            r"|remote target aborted (?P<what>xaction|work item): (?:x-)?get-batch\[(?P<job>[^\]]+)\]",
            samples=(
                Sample(
                    "x-get-batch[Pf3kTw]: remote target abort [t[AbCdEfGh]: user]",
                    {"xid": "Pf3kTw", "peer": "AbCdEfGh"},
                ),
                Sample(
                    'remote target aborted xaction: get-batch[gbt-Pf3kTw] [t[AbCdEfGh]: "gone"]', {"job": "gbt-Pf3kTw"}
                ),
                Sample(
                    'remote target aborted work item: get-batch[gbt-Pf3kTw] wid="a-b" [t[AbCdEfGh]]',
                    {"what": "work item"},
                ),
            ),
            role=Role.SYMPTOM,
            severity=Severity.WARNING,
            title="another target aborted the job",
            versions="3.30+",
        ),
        Pattern(
            name="getbatch.out_of_bounds",
            anchors=("out-of-bounds index ",),
            regex=r"get-batch\[(?P<xid>[^\]]+)\]\S* (?:t\[(?P<node>[^\]]+)\] )?out-of-bounds index (?P<index>\d+) "
            r"\(recv'd len=(?P<len>\d+), " + _WID + r"\)",
            samples=(
                Sample(
                    "shared-dm Rx failure: [ xid: gbt-Pf3kTw err: x-get-batch[gbt-Pf3kTw] t[AbCdEfGh] out-of-bounds index 3 "
                    '(recv\'d len=0, wid="pXyZkLm-aB3dE") oname: shards/shard-00012.tar/a.flac num Rx errors: 1 ]',
                    {"xid": "gbt-Pf3kTw", "index": "3", "len": "0", "wid": "pXyZkLm-aB3dE"},
                ),
            ),
            role=Role.SYMPTOM,
            severity=Severity.WARNING,
            title="an entry arrived late, for a batch that had already ended",
            versions="3.30+",
            note="Up to 4.4 this late arrival then aborts the whole job.",
        ),
        Pattern(
            name="getbatch.receive_failed",
            anchors=("] RecvObj: ",),
            regex=r"^" + _JOB + r" t\[(?P<node>[^\]]+)\] RecvObj: (?P<err>.*)",
            samples=(
                Sample(
                    "x-get-batch[Pf3kTw] t[AbCdEfGh] RecvObj: unexpected EOF",
                    {"node": "AbCdEfGh"},
                ),
            ),
            role=Role.SYMPTOM,
            severity=Severity.ERROR,
            title="a receive error aborts the whole job on all targets",
            versions="3.30-4.4",
        ),
        Pattern(
            name="getbatch.not_active",
            anchors=("x-moss: xid ",),
            regex=r'x-moss: xid "(?P<xid>[^"]+)" not active: \w+ (?P<path>/v1/ml/moss/[^/\s]+/(?P<wid>[^/\s]+)\S*)',
            samples=(
                Sample(
                    'x-moss: xid "Pf3kTw" not active: GET /v1/ml/moss/Pf3kTw/pXyZkLm-aB3dE/2 (t[AbCdEfGh]: htrun.go:1414 <- ml.go:281])',
                    {"xid": "Pf3kTw", "wid": "pXyZkLm-aB3dE", "path": "/v1/ml/moss/Pf3kTw/pXyZkLm-aB3dE/2"},
                ),
            ),
            role=Role.SYMPTOM,
            severity=Severity.ERROR,
            title="a client came for a batch of an aborted job",
            versions="4.1+",
        ),
        Pattern(
            name="getbatch.prep_missing",
            anchors=("(prep-rx not done?)",),
            regex=r'get-batch\[(?P<xid>[^\]]+)\]\S*: (?:work item |wid=)"(?P<wid>[^"]+)"(?: not found)? \(prep-rx not done\?\)',
            samples=(
                Sample(
                    'x-get-batch[Pf3kTw]: work item "pXyZkLm-aB3dE" not found (prep-rx not done?)',
                    {"wid": "pXyZkLm-aB3dE"},
                ),
                Sample('x-get-batch[gbt-Pf3kTw]: wid="pXyZkLm-aB3dE" (prep-rx not done?)', {"wid": "pXyZkLm-aB3dE"}),
            ),
            role=Role.SYMPTOM,
            severity=Severity.ERROR,
            title="a batch is unknown here, as after a membership change",
            versions="4.0+",
            blames="membership",
        ),
        Pattern(
            name="getbatch.client_gone",
            anchors=("client gone before first write: ",),
            regex=_JOB + r" client gone before first write: (?P<err>.*)",
            samples=(
                Sample(
                    "x-get-batch[gbt-Pf3kTw] client gone before first write: context canceled",
                    {"err": "context canceled"},
                ),
            ),
            role=Role.SYMPTOM,
            severity=Severity.WARNING,
            title="the client had disconnected before the first byte",
            versions="4.5+",
            blames="client",
        ),
        Pattern(
            name="getbatch.abandoned",
            anchors=('" abandoned (age ', "GC cleaned abandoned wi "),
            regex=r'wi "(?P<wid>[^"]+)" abandoned \(age (?P<age>[^)]+)\)|GC cleaned abandoned wi (?P<gc>\S+) age: (?P<gc_age>\S+)',
            samples=(
                Sample('x-get-batch[gbt-Pf3kTw] wi "pXyZkLm-aB3dE" abandoned (age 5m0s)', {"age": "5m0s"}),
                Sample(
                    "x-get-batch[gbt-Pf3kTw] GC cleaned abandoned wi pXyZkLm-aB3dE age: 5m0s", {"gc": "pXyZkLm-aB3dE"}
                ),
            ),
            role=Role.SYMPTOM,
            severity=Severity.WARNING,
            title="a client never came for its batch",
            versions="4.6+",
            blames="client",
        ),
        Pattern(
            name="getbatch.stale_item",
            anchors=("stale or unknown wid ",),
            regex=_JOB + r" stale or unknown wid (?P<wid>\S+) from t\[(?P<peer>[^\]]+)\]",
            samples=(
                Sample(
                    "x-get-batch[gbt-Pf3kTw] stale or unknown wid pXyZkLm-aB3dE from t[IjKlMnOp] [ warn: true ]",
                    {"peer": "IjKlMnOp"},
                ),
            ),
            role=Role.NOISE,
            severity=Severity.INFO,
            title="a late control message",
            versions="4.5+",
        ),
        Pattern(
            name="getbatch.duplicate",
            anchors=("duplicate recv idx=",),
            regex=_JOB + r" t\[(?P<node>[^\]]+)\] duplicate recv idx=(?P<index>\d+) from t\[(?P<peer>[^\]]+)\]",
            samples=(
                Sample(
                    "x-get-batch[Pf3kTw] t[AbCdEfGh] duplicate recv idx=3 from t[IjKlMnOp] — dropping", {"index": "3"}
                ),
            ),
            role=Role.NOISE,
            severity=Severity.INFO,
            title="an entry came twice after a recovery",
            versions="4.0+",
        ),
        Pattern(
            name="getbatch.slow_abort",
            anchors=(" demand-pending after ",),
            regex=_JOB + r" abort: still (?P<pending>\d+) demand-pending after (?P<waited>\S+)",
            samples=(
                Sample(
                    "x-get-batch[gbt-Pf3kTw] abort: still 3 demand-pending after 10s - proceeding anyway",
                    {"pending": "3"},
                ),
            ),
            role=Role.SYMPTOM,
            severity=Severity.WARNING,
            title="the abort waits for requests in flight",
            versions="4.6+",
        ),
        Pattern(
            name="getbatch.started",
            anchors=("] run: x-get-batch[", "] run: get-batch["),
            regex=r"^t\[(?P<node>[^\]]+)\] run: " + _ANY_JOB,
            samples=(
                Sample(
                    't[AbCdEfGh] run: x-get-batch[Pf3kTw] without "bewarm" []', {"node": "AbCdEfGh", "xid": "Pf3kTw"}
                ),
            ),
            role=Role.STATE,
            severity=Severity.INFO,
            title="get-batch job starts",
            versions="4.1+",
        ),
        Pattern(
            name="getbatch.idle",
            anchors=("] idle expired",),
            regex=r"^" + _ANY_JOB + r" idle expired(?: \[ (?P<totals>.*) \]| - finishing)?",
            samples=(
                Sample("x-get-batch[Pf3kTw] idle expired [ pending:0 reqs:77 ]", {"xid": "Pf3kTw"}),
                Sample("get-batch[gbt-Pf3kTw] idle expired [ pending:0 ]", {"xid": "gbt-Pf3kTw"}),
            ),
            role=Role.STATE,
            severity=Severity.INFO,
            title="get-batch job ends: no request for 60 to 120 s",
            versions="3.30+",
        ),
    ),
)
