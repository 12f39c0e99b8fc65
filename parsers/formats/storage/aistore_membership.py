"""Keep-alive, joins and removals, elections. Rebalance, resilver, and other jobs that abort."""

from __future__ import annotations

from logtui.parsers.pattern import LineFormat, Pattern, Role, Sample, Scope, Severity

FORMAT = LineFormat(
    name="aistore_membership",
    title="AIStore: cluster membership and rebalance",
    reference="NVIDIA/aistore ais/kalive.go, ais/vote.go, ais/clustermap.go, ais/metasync.go, reb/; 3.17 to 5.0",
    scope=Scope.DAEMONS,
    patterns=(
        Pattern(
            name="membership.evicted",
            anchors=("slow-kalive failure after ",),
            regex=r"slow-kalive failure after (?P<attempts>\d+) attempts - removing (?P<node>[tp]\[[^\]]+\]) from Smap",
            samples=(
                Sample(
                    "slow-kalive failure after 3 attempts - removing t[AbCdEfGh] from Smap v14[uuid, p[px], t=8, p=1]",
                    {"node": "t[AbCdEfGh]"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="a node was evicted from the cluster",
            versions="3.26+",
            blames="membership",
        ),
        Pattern(
            name="membership.slow_keepalive",
            anchors=("failed to slow-kalive ",),
            regex=r"failed to slow-kalive (?P<node>[tp]\[[^\]]+\]) - retrying"
            r'(?: \[ \w{1,8} "https?://(?P<address>[^/\s"]{3,80}+)/)?',
            samples=(
                Sample(
                    "p[px] failed to slow-kalive t[AbCdEfGh] - retrying [ timeout 0 2s Smap v14 ]",
                    {"node": "t[AbCdEfGh]"},
                ),
                Sample(
                    'p[px] failed to slow-kalive t[AbCdEfGh] - retrying [ Get "http://10.61.4.22:51082/v1/health": dial tcp '
                    "10.61.4.22:51082: connect: connection refused 0 5s Smap v7[uuid, p[px], t=4, p=1] ]",
                    {"node": "t[AbCdEfGh]", "address": "10.61.4.22:51082"},
                ),
            ),
            role=Role.CAUSE,
            severity=Severity.WARNING,
            title="a node does not answer keep-alive probes",
            versions="3.26+",
            blames="peer",
        ),
        Pattern(
            name="membership.fast_keepalive",
            anchors=("failed to fast-kalive ",),
            regex=r"failed to fast-kalive (?P<node>[tp]\[[^\]]+\])",
            samples=(Sample("p[px] failed to fast-kalive t[AbCdEfGh] err: [ timeout 0 ]", {"node": "t[AbCdEfGh]"}),),
            role=Role.NOISE,
            severity=Severity.INFO,
            title="a first keep-alive probe failed",
            versions="3.26+",
        ),
        Pattern(
            name="membership.primary_unreachable",
            anchors=(" failure - retrying: [ ", "] failed after "),
            regex=r"(?P<self>[tp]\[[^\]]+\]) => (?P<primary>p\[[^\]]+\]) fail(?:ure - retrying|ed after )",
            samples=(
                Sample(
                    "t[AbCdEfGh] => p[px] failure - retrying: [ true 2s timeout 0 ]",
                    {"self": "t[AbCdEfGh]", "primary": "p[px]"},
                ),
                Sample("t[AbCdEfGh] => p[px] failed after 3 attempts", {"primary": "p[px]"}),
            ),
            role=Role.CAUSE,
            severity=Severity.WARNING,
            title="a node cannot reach the primary",
            versions="3.26+",
            blames="network",
        ),
        Pattern(
            name="membership.joined",
            anchors=("joined t[", "joined p["),
            regex=r"^joined (?P<node>[tp]\[[^\]]+\]) -> Smap v(?P<smap>\d+)(?:\[.{0,120}?\bt=(?P<targets>[\d()/]+))?",
            samples=(
                Sample(
                    "joined t[AbCdEfGh] -> Smap v14[uuid, p[px], t=8, p=1]",
                    {"node": "t[AbCdEfGh]", "smap": "14", "targets": "8"},
                ),
            ),
            role=Role.STATE,
            severity=Severity.WARNING,
            title="a node (re)joined: it restarted, or had been evicted",
            versions="all",
            blames="restart",
        ),
        Pattern(
            name="membership.removed",
            anchors=("remove t[", "remove p["),
            regex=r"^remove (?P<node>[tp]\[[^\]]+\]) \(num (?:targets|proxies) (?P<left>\d+)\)",
            samples=(Sample("remove t[AbCdEfGh] (num targets 7)", {"node": "t[AbCdEfGh]", "left": "7"}),),
            role=Role.STATE,
            severity=Severity.WARNING,
            title="a node left the cluster",
            versions="all",
            blames="restart",
        ),
        Pattern(
            name="membership.left",
            anchors=("self-initiated-removal: ",),
            regex=r"^self-initiated-removal: (?P<node>[tp]\[[^\]]+\]) \(self\) from Smap",
            samples=(
                Sample("self-initiated-removal: t[AbCdEfGh] (self) from Smap v14[uuid]", {"node": "t[AbCdEfGh]"}),
            ),
            role=Role.STATE,
            severity=Severity.WARNING,
            title="the node left on its own",
            versions="all",
            blames="restart",
        ),
        Pattern(
            name="membership.new_map",
            anchors=("msync Rx: new Smap v",),
            regex=r"msync Rx: new Smap v(?P<smap>\d+)\[.*t=(?P<targets>[\d()/]+)",
            samples=(
                Sample(
                    "msync Rx: new Smap v15[uuid, p[px], t=7, p=1] ( have v14[uuid] aism[rmv[uuid]] <-- p[px] )",
                    {"smap": "15", "targets": "7"},
                ),
            ),
            role=Role.STATE,
            severity=Severity.INFO,
            title="a new cluster map arrived",
            versions="all",
            blames="membership",
        ),
        Pattern(
            name="membership.metadata",
            anchors=("msync Rx: new ", "]: Smap v", "]: BMD v", "]: Conf v", "]: RMD v"),
            regex=r"^(?:msync Rx: new |p\[[^\]]{1,40}\]: )(?P<what>Smap|BMD|Conf|RMD) v(?P<version>\d+)(?=[\[, ]|$)",
            samples=(
                Sample(
                    "msync Rx: new BMD v3[uuid, buckets: ais(2), cloud(0)] ( have v2 aism[create-bck[Pf3kTw]] <-- p[px] )",
                    {"what": "BMD", "version": "3"},
                ),
                Sample("p[px]: Conf v2, aism[self-join-target[g1], name=AbCdEfGh]", {"what": "Conf", "version": "2"}),
                Sample("p[px]: Smap v8", {"what": "Smap", "version": "8"}),
            ),
            role=Role.NOISE,
            severity=Severity.INFO,
            title="cluster metadata of a new version",
            versions="all",
            note="All nodes receive a version at once, which tells their clocks apart.",
        ),
        Pattern(
            name="membership.loaded_map",
            anchors=("] loaded Smap v",),
            regex=r"loaded Smap v(?P<smap>\d+)\[.*\bt=(?P<targets>[\d()/]+)",
            samples=(Sample("t[AbCdEfGh] loaded Smap v14[uuid, p[px], t=8, p=1]", {"smap": "14", "targets": "8"}),),
            role=Role.STATE,
            severity=Severity.INFO,
            title="the daemon knows the cluster's members",
            versions="all",
        ),
        Pattern(
            name="membership.sync_failed",
            anchors=(": failing to sync t[",),
            regex=r"failing to sync (?P<node>t\[[^\]]+\]): (?P<err>.*)",
            samples=(Sample("p[px]: failing to sync t[AbCdEfGh]: connection refused(0)", {"node": "t[AbCdEfGh]"}),),
            role=Role.CAUSE,
            severity=Severity.WARNING,
            title="a node does not take cluster metadata",
            versions="all",
            blames="peer",
        ),
        Pattern(
            name="membership.superseded",
            anchors=(": cannot assume the primary role: local Smap", ": proceeding as primary even though local Smap"),
            regex=r"^(?P<node>p\[[^\]]+\]): (?:cannot assume the primary role:|(?P<stays>proceeding) as primary even though) "
            r"local Smap v(?P<smap>\d+)(?:\[.{0,200}?\])? < v(?P<newer>\d+)\((?P<other>[^,]{1,40}), cnt=\d+\)",
            samples=(
                Sample(
                    "p[AbCdEfGh]: cannot assume the primary role: local Smap v11 < v112(IjKlMnOp, cnt=6)",
                    {"node": "p[AbCdEfGh]", "smap": "11", "newer": "112", "other": "IjKlMnOp"},
                ),
                Sample(
                    "p[AbCdEfGh]: proceeding as primary even though local Smap v11[uuid, p[AbCdEfGh], t=4, p=3] < v12(AbCdEfGh, cnt=1)",
                    {"node": "p[AbCdEfGh]", "stays": "proceeding", "newer": "12"},
                ),
            ),
            role=Role.STATE,
            severity=Severity.WARNING,
            title="a restarted proxy finds a newer cluster map: another may have become primary meanwhile",
            versions="all",
        ),
        Pattern(
            name="membership.primary_down",
            anchors=(" is confirmed down: [", " becoming primary", ": removing failed primary "),
            regex=r"primary (?P<primary>p\[[^\]]+\]) is confirmed down|(?P<new>p\[[^\]]+\]):? becoming primary|removing failed primary (?P<failed>\w+)",
            samples=(
                Sample(
                    "p[py]: primary p[px] is confirmed down: [ timeout ] moving to election state phase 1 (prepare)",
                    {"primary": "p[px]"},
                ),
                Sample("p[py]: becoming primary", {"new": "p[py]"}),
                Sample("p[py]: removing failed primary px", {"failed": "px"}),
            ),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="the primary proxy failed over",
            versions="all",
            blames="membership",
        ),
        Pattern(
            name="membership.primary_lost",
            anchors=(" is no longer online and must be reelected",),
            regex=r"primary (?P<primary>p\[[^\]]+\]) is no longer online and must be reelected",
            samples=(
                Sample(
                    "p[py] (via keepalive): primary p[px] is no longer online and must be reelected",
                    {"primary": "p[px]"},
                ),
            ),
            role=Role.SYMPTOM,
            severity=Severity.WARNING,
            title="this node has lost sight of the primary",
            versions="all",
            blames="peer",
            note="A node that is cut off says it too, while the others go on.",
        ),
        Pattern(
            name="membership.clock_drift",
            anchors=("Warning: clock drift ",),
            regex=r"clock drift (?P<from>[tp]\[[^\]]+\]) <-> (?P<self>[tp]\[[^\]]+\])\(self\) = (?P<drift>-?[\dhms.]+)",
            samples=(
                Sample(
                    "Warning: clock drift p[px] <-> t[AbCdEfGh](self) = 1m5.000428088s, txn create-bck[Pf3kTw]",
                    {"self": "t[AbCdEfGh]", "drift": "1m5.000428088s"},
                ),
            ),
            role=Role.STATE,
            severity=Severity.WARNING,
            title="the node's clock differs from the primary's",
            versions="all",
        ),
        Pattern(
            name="membership.catching_up",
            anchors=(
                " with newer Smap v",
                " (same version w/ txn commit): receive BMD ",
                "] transitioning (renewing) to x-reb",
                " transitioning(?) from older rebalance",
                " starting up - joining",
                " is older than (sender's) ",
            ),
            regex=r"health-ping from .* with newer Smap|\(same version w/ txn commit\): receive BMD|transitioning \(renewing\) to x-reb"
            r"|transitioning\(\?\) from older rebalance|\] starting up - joining|is older than \(sender's\)",
            samples=(
                Sample(
                    "t[AbCdEfGh][Smap v7[uuid, p[px], t=8, p=1]]: health-ping from (IjKlMnOp, t[IjKlMnOp]) with newer Smap v9"
                ),
                Sample(
                    't[AbCdEfGh] (same version w/ txn commit): receive BMD v3[uuid] from "p[px]" (action "keepalive-update")'
                ),
                Sample("t[AbCdEfGh] transitioning (renewing) to x-rebalance[g1]-10:00:00.000000"),
                Sample("t[AbCdEfGh][g1,v9]: t[IjKlMnOp][g0, v0] transitioning(?) from older rebalance - keep waiting"),
                Sample("t[AbCdEfGh][g1,v9]: t[IjKlMnOp][g0, v0] starting up - joining"),
                Sample(
                    "t[AbCdEfGh]: local Smap v8 is older than (sender's) t[IjKlMnOp] Smap v9 - proceeding anyway..."
                ),
            ),
            role=Role.NOISE,
            severity=Severity.INFO,
            title="nodes bring each other up to date after a change of members",
            versions="all",
        ),
        Pattern(
            name="membership.refused",
            anchors=(
                "ErrLimitedCoexistence: ",
                "expecting begin phase, got ",
                " is not in maintenance mode - nothing to do",
            ),
            regex=r"ErrLimitedCoexistence: |expecting begin phase, got |node (?P<node>[tp]\[[^\]]+\]) is not in maintenance mode",
            samples=(
                Sample(
                    "ErrLimitedCoexistence: t[AbCdEfGh]: x-get-batch[Pf3kTw] is currently running, cannot run "
                    '"start-maintenance"() concurrently: POST /v1/txn/begin (called by p[px])'
                ),
                Sample('t[AbCdEfGh]: expecting begin phase, got "abort": POST /v1/txn/abort (called by p[px])'),
                Sample("node t[AbCdEfGh] is not in maintenance mode - nothing to do: PUT /v1/cluster (p[px]: ])"),
            ),
            role=Role.STATE,
            severity=Severity.WARNING,
            title="an operator's change was refused",
            versions="all",
        ),
        Pattern(
            name="membership.stage_failed",
            anchors=("rebalance[",),
            regex=r"^(?:x-)?rebalance\[(?P<id>g\d+)\](?: Signal \d+$|-.* aborted: (?P<cause>.*))",
            samples=(
                Sample("rebalance[g1] Signal 15", {"id": "g1"}),
                Sample(
                    "x-rebalance[g1]-10:00:00.000000-[abrt: Signal 15]-00:00:00.000000 aborted: Signal 15",
                    {"cause": "Signal 15"},
                ),
            ),
            role=Role.STATE,
            severity=Severity.WARNING,
            title="a rebalance was aborted",
            versions="all",
        ),
        Pattern(
            name="membership.integrity",
            anchors=("cluster integrity error cie#",),
            regex=r"cluster integrity error cie#(?P<code>\d+)",
            samples=(Sample("cluster integrity error cie#50 split brain", {"code": "50"}),),
            role=Role.CAUSE,
            severity=Severity.ERROR,
            title="split brain: nodes of different clusters",
            versions="all",
            blames="config",
        ),
        Pattern(
            name="membership.operator",
            anchors=("start-maintenance", "stop-maintenance", "shutdown-node", "decommission-node"),
            regex=r"(?P<action>start-maintenance|stop-maintenance|shutdown-node|decommission-node)(?:\(\[?(?P<node>[tp]\[[^\]]+\])[^)]*\)|:)",
            samples=(
                Sample("p[px]: start-maintenance([t[AbCdEfGh]]) opts=skip", {"node": "t[AbCdEfGh]"}),
                Sample("p[px]: start-maintenance(t[AbCdEfGh]) opts=skip", {"node": "t[AbCdEfGh]"}),
            ),
            role=Role.CAUSE,
            severity=Severity.WARNING,
            title="an operator took a node out or back",
            versions="all",
            blames="membership",
        ),
        Pattern(
            name="rebalance.started",
            anchors=(" start no-ec run", "] start ec run"),
            regex=r"t\[(?P<node>[^\]]+)\]\[g(?P<id>\d+),v(?P<smap>\d+)(?:,<\S+>)?\] start ",
            samples=(Sample("t[AbCdEfGh][g7,v15] start no-ec run", {"node": "AbCdEfGh", "id": "7", "smap": "15"}),),
            role=Role.CAUSE,
            severity=Severity.WARNING,
            title="a global rebalance starts",
            versions="all",
            blames="membership",
        ),
        Pattern(
            name="rebalance.finished",
            anchors=("done x-rebalance[", "] x-rebalance["),
            regex=r"(?:done|finished \[.*\]) x-rebalance\[g(?P<id>\d+)\]",
            samples=(Sample("t[AbCdEfGh][g7,v15,<done>] done x-rebalance[g7]", {"id": "7"}),),
            role=Role.STATE,
            severity=Severity.INFO,
            title="the rebalance ended",
            versions="all",
        ),
        Pattern(
            name="rebalance.resumed",
            anchors=("resumed global rebalance ",),
            regex=r"resumed global rebalance (?P<id>\S+)",
            samples=(Sample("Warning: resumed global rebalance g7 Smap v15 RMD v7", {"id": "g7"}),),
            role=Role.CAUSE,
            severity=Severity.WARNING,
            title="an interrupted rebalance goes on",
            versions="all",
            blames="membership",
        ),
        Pattern(
            name="rebalance.resilver",
            anchors=("Starting resilver", "Resuming resilver", ": starting to resilver", "x-resilver["),
            regex=r"(?:Starting|Resuming) resilver(?:, reason: (?P<reason>.*))?|: starting to resilver"
            r"|^x-resilver\[(?P<xid>[^\]]{0,40})\][^,]{0,60}, (?:action \"(?P<action>[\w-]+)\"|num \d)",
            samples=(
                Sample("Starting resilver, reason: disable-mp", {"reason": "disable-mp"}),
                Sample('t[AbCdEfGh]: "detach-mp" mp[/ais/nvme2n1, nvme2n1]: starting to resilver'),
                Sample(
                    'x-resilver[Pf3kTw]-10:00:00.000000, action "detach-mp", rmi mp[/ais/nvme2n1, nvme2n1, ssd], num 7',
                    {"xid": "Pf3kTw", "action": "detach-mp"},
                ),
                Sample("x-resilver[Pf3kTw]-10:00:00.000000, num 8", {"xid": "Pf3kTw"}),
            ),
            role=Role.CAUSE,
            severity=Severity.WARNING,
            title="objects move between the node's disks",
            versions="all",
            blames="disk",
        ),
        Pattern(
            name="rebalance.job_failed",
            anchors=(" finished w/err: [ ",),
            regex=r"^x-(?P<kind>[\w-]+)\[(?P<xid>[^\]]+)\].* finished w/err: \[ (?P<err>.*) \]",
            samples=(
                Sample(
                    "x-download[Qr5]-10:00:00.000000-00:00:00.000000 finished w/err: [ disk full ]",
                    {"kind": "download", "err": "disk full"},
                ),
            ),
            role=Role.STATE,
            severity=Severity.WARNING,
            title="a job ended with errors",
            versions="all",
        ),
    ),
)
