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
)
