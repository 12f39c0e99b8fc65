"""What any part of a daemon prints of another node that it cannot reach: keep-alive, rebalance, get-batch, proxies' calls.

The sentences differ by caller and release; the operating system's words and the address at their end do not.
"""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Pattern, Role, Sample, Scope, Severity

_WHY = (
    r"(?:connection refused|no route to host|network is unreachable|i/o timeout|context deadline exceeded"
    r"|connection reset by peer|broken pipe|connection timed out)"
)

FORMAT = LineFormat(
    name="aistore_unreachable",
    title="AIStore: calls that another node does not answer",
    reference="NVIDIA/aistore ais/htcommon.go, ais/kalive.go, ais/prxnotif.go, reb/bcast.go, xact/t2tctrl.go; Go net",
    scope=Scope.DAEMONS,
    patterns=(
        Pattern(
            name="peers.unreachable",
            anchors=(
                "connection refused",
                "no route to host",
                "network is unreachable",
                "i/o timeout",
                "context deadline exceeded",
                "connection reset by peer",
                "broken pipe",
                "connection timed out",
            ),
            regex=r'^(?!.*failed to transmit GET response).*?(?:\w "(?P<url>https?://(?P<address>[^/\s"]{3,80}+)[^"\s]{0,400}+)": |dial tcp[46]? (?P<dialed>(?:\[[\da-fA-F:]{2,45}+\]|[\w.-]{1,70}+):\d{1,5}): )'
            r".*?(?P<why>" + _WHY + r")",
            samples=(
                Sample(
                    'Error: Post "http://10.0.0.7:51082/v1/ml/moss/noxid/pXyZkLm-aB3dE/4?tid=AbCdEfGh": dial tcp 10.0.0.7:51082: '
                    "connect: connection refused: GET /v1/ml/moss (p[px]: ])",
                    {"address": "10.0.0.7:51082", "why": "connection refused"},
                ),
                Sample(
                    'p[px]: failed to call t[AbCdEfGh] [control-plane], err: Post "http://10.0.0.7:51082/v1/ml/moss/a/b/4": '
                    "context deadline exceeded: GET /v1/ml/moss (stack: [])",
                    {"address": "10.0.0.7:51082", "why": "context deadline exceeded"},
                ),
                Sample(
                    't[IjKlMnOp][g1,v9] waiting for: t[AbCdEfGh] [ Get "http://10.0.0.7:51082/v1/health": dial tcp 10.0.0.7:51082: '
                    "connect: connection refused 0 ]",
                    {"address": "10.0.0.7:51082"},
                ),
                Sample(
                    'unexpected error Get "http://10.0.0.7:51082/v1/health": dial tcp 10.0.0.7:51082: connect: no route to host(0) '
                    "from t[AbCdEfGh]",
                    {"why": "no route to host"},
                ),
                Sample("GFN failure: dial tcp 10.0.0.7:51083: i/o timeout", {"dialed": "10.0.0.7:51083"}),
            ),
            role=Role.CAUSE,
            severity=Severity.WARNING,
            title="another node does not answer",
            versions="all",
            blames="peer",
        ),
        Pattern(
            name="peers.unknown_stream",
            anchors=("unknown transport endpoint ",),
            regex=r'unknown transport endpoint "(?P<stream>[^"]+)"',
            samples=(
                Sample(
                    'errUnknownTrname: unknown transport endpoint "shared-dm": PUT /v1/objstream/shared-dm (t[AbCdEfGh]: ])',
                    {"stream": "shared-dm"},
                ),
            ),
            role=Role.SYMPTOM,
            severity=Severity.WARNING,
            title="a peer sends to a node that has just started",
            versions="all",
        ),
        Pattern(
            name="service.refused",
            anchors=("requires a valid token", "failed to execute HRW selection"),
            regex=r"requires a valid token|failed to execute HRW selection: (?P<why>.*)",
            samples=(
                Sample(
                    "enabling client authentication requires a valid token [err: token required]: PUT /v1/cluster/set-config"
                ),
                Sample(
                    "t[AbCdEfGh] failed to execute HRW selection: no proxies (gateways) in the cluster",
                    {"why": "no proxies (gateways) in the cluster"},
                ),
            ),
            role=Role.STATE,
            severity=Severity.WARNING,
            title="a request of an operator or a node was refused",
            versions="all",
        ),
    ),
)
