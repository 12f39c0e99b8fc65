"""Scenes of a cluster that loses a node: what the node, its peers and the proxy write, and how it comes back."""

from __future__ import annotations

from logtui.parsers.generator.lab.script import script

STREAM_BROKEN = script(r"""
0.040 t <4.5 W shared_dm:267 t[$node] shared-dm shared-dm[$lost<=$node] sbr_proto_hdr:[err: unexpected EOF]
0.040 t <4.5 E - ErrSBR: shared-dm[$lost<=$node] sbr_proto_hdr:[err: unexpected EOF]: PUT /v1/objstream/shared-dm (t[$node]: ])
0.040 t >=4.5 W shared_dm:350 t[$node] shared-dm shared-dm[$lost<=$node] sbr_proto_hdr:[ctx: n=0 err: unexpected EOF]
0.040 t >=4.5 E - ErrSBR: shared-dm[$lost<=$node] sbr_proto_hdr:[ctx: n=0 err: unexpected EOF]: PUT /v1/objstream/shared-dm (t[$node]: ])
6.010 t * W client_fasthttp:94,101 Error: shared-dm[$node=>$lost] [ write tcp4 $ip:43118->$lostip:51083: write: broken pipe ]
""")
"""`refused` and `timed out`: how calls to the lost node end."""

ITEM_FAILED = script(r"""
0.210 t <4.5 W moss:1291 x-get-batch[$xid] $wid GFN fail: voices/train/clip-0412.flac Get "http://$lostip:51083/v1/objects/voices/train/clip-0412.flac?gfn=true&provider=ais": $err
0.280 t >=4.5 W moss:678 x-get-batch[$xid] t[$node] bcast abort [ Warning: failed to transmit GET response ]
0.280 t >=4.5 W moss:684 get-batch[$xid] err: Warning: failed to transmit GET response [ work:wid="$wid" objs:[3 355.21KiB] files:[3 288.90KiB] gfn:1 gfn-err:1 age:24.770311ms ] streaming: true
0.290 t >=4.5 W t2tctrl:86 x-get-batch[$xid] abortWI t[$lost] Post "http://$lostip:51082/v1/xactions/t2tctrl/get-batch/$xid/$wid/abortWI": $err
""")

REDIALED = script(r"""
0.000 t * I bundle:480,430 sb-[$node-v7-shared-dm] successfully restablished connectivity to $lost
0.000 t * W shared_dm:153,202 t[$node] reconnect/send: shared-dm --> $lost <nil>
0.001 t * W client_fasthttp:94,101 Error: shared-dm[$node=>$lost] [ error when dialing $lostip:51083: dial tcp4 $lostip:51083: connect: connection refused ]
""")
"""Every two seconds while the peer is away."""

TORN_DOWN = script(r"""
0.000 t * E shared_dm:135,181 t[$node] shared-dm: failed reconnecting to $lost (error when dialing $lostip:51083: dial tcp4 $lostip:51083: connect: connection refused --> sb-[$node-v7-shared-dm]: reopening individual streams when cluster map changes is not supported yet (Smap v8[$uuid, p[$proxy], t=$left, p=$proxies] vs Smap v7[$uuid, p[$proxy], t=$targets, p=$proxies])) - closing/aborting...
0.001 t * I bundle:144,154 stop sb-[$node-v7-shared-dm]
0.001 t >=4.3 I shared_dm:224 shared-dm stats: drops 0 rxerr 0 sbrs 2
0.001 t * I shared_dm:136,185 t[$node] close shared-dm
""")

PROXY_REFUSED = script(r"""
0.180 p <4.3 E - Error: Post "http://$lostip:51082/v1/ml/moss/noxid/$wid/4?tid=$lost": $err: GET /v1/ml/moss (p[$node]: ])
0.180 p >=4.3,<4.5 E - p[$node]: failed to call t[$lost] [control-plane], err: Post "http://$lostip:51082/v1/ml/moss/noxid/$wid/4?coloc=1&tid=$lost": $err: GET /v1/ml/moss (stack: [])
""")

KEPT_ALIVE = script(r"""
0.000 p * W kalive:279,266 p[$node] failed to fast-kalive $lostletter[$lost] err: [ Get "http://$lostip:51082/v1/health": $err 0 ]
0.000 p * W kalive:342,329 p[$node] failed to slow-kalive $lostletter[$lost] - retrying [ Get "http://$lostip:51082/v1/health": $err 0 5s Smap v7[$uuid, p[$node], t=$targets, p=$proxies] ]
18.00 p * E kalive:444,439 slow-kalive failure after 3 attempts - removing $lostletter[$lost] from Smap v7[$uuid, p[$node], t=$targets, p=$proxies]
18.00 p * I metasync:452 p[$node]: Smap v8
18.01 t others I htrun:1870,2098 msync Rx: new Smap v8[$uuid, p[$proxy], t=$left, p=$proxies] ( have v7[$uuid] aism[] <-- p[$proxy] )
""")

NO_ROUTE = script(r"""
0.000 p * W kalive:447 unexpected error Get "http://$lostip:51082/v1/health": dial tcp $lostip:51082: connect: no route to host(0) from t[$lost]
""")

ISOLATED = script(r"""
0.000 t lost W kalive:601,590 t[$node] => p[$proxy] failure - retrying: [ true 2s Post "http://$proxyip:51082/v1/cluster/keepalive/$node": dial tcp $proxyip:51082: connect: network is unreachable 0 ]
0.000 t lost W kalive:639 t[$node]: unexpected response from p[$proxy]: Post "http://$proxyip:51082/v1/cluster/keepalive": dial tcp $proxyip:51082: connect: network is unreachable(0)
12.00 t lost W kalive:628 t[$node] => p[$proxy] failed after 3 attempts
12.00 t lost I vote:473 t[$node]: primary p[$proxy] is no longer online and must be reelected
12.01 t lost E vote:464 t[$node] failed to execute HRW selection: no proxies (gateways) in the cluster (1 gateway in maintenance mode or being decommissioned)
""")

STOPPED = script(r"""
0.050 tp * W tgtcp:1560,1651 Stopping $tag: Signal 15
0.050 t >=4.5 I moss:379 x-get-batch[$xid] aborting: Signal 15
0.160 t * I htrun:2361,2609 self-initiated-removal: t[$node] (self) from Smap v7[$uuid, p[$proxy], t=$targets, p=$proxies]
0.170 tp * I htrun:2365,2612 Shutting down HTTP
5.400 tp * I common:680,662 Stopping ${role}stats err: Signal 15
5.400 tp * I kalive:655,648 Stopping ${letter}alive, err: Signal 15
5.400 t * I collect:61,100 Stopping stream-collector err: Signal 15
5.400 t * W daemon:399 runner [hk] exited with err [Signal 15]
5.400 tp * I daemon:372,374 Terminated OK via Signal 15
""")

LEFT = script(r"""
0.170 p primary,<5.0 I prxclu:706 remove t[$lost] (num targets $left)
0.170 p primary,>=5.0 I prxcycle:652 p[$node] mcast-unreg: actm[self-initiated-removal], [t[$lost]]
0.170 p primary,>=5.0 I prxcycle:706 remove t[$lost] (num targets $left)
0.172 p primary I metasync:452 p[$node]: Smap v8, aism[self-initiated-removal]
0.172 p primary I metasync:452 p[$node]: Conf v2, aism[self-initiated-removal]
0.175 t others I tgtcp:1209,1296 msync Rx: new Conf v2[$uuid] ( have v1[$uuid] aism[self-initiated-removal] <-- p[$proxy] )
0.176 t others I htrun:1870,2098 msync Rx: new Smap v8[$uuid, p[$proxy], t=$left, p=$proxies] ( have v7[$uuid] aism[self-initiated-removal] <-- p[$proxy] )
0.300 t others,>=4.6 W shared_dm:384 shared-dm xid $xid not found - dropping train/clip-0412.flac
""")

REJOINED = script(r"""
0.020 p primary I prxclu:557,464 p[$node]: autoreg("self-join-target") t[$lost] (Smap v7)
0.060 p primary I metasync:452 p[$node]: Conf v2, aism[self-join-target[g1], name=$lost]
0.060 p primary I metasync:452 p[$node]: Smap v9, aism[self-join-target[g1], name=$lost]
0.060 p primary I metasync:452 p[$node]: BMD v3, aism[self-join-target[g1], name=$lost]
0.060 p primary I metasync:452 p[$node]: RMD v1, aism[self-join-target[g1], name=$lost]
2.060 p primary I metasync:408 p[$node]: 1 node sync-ed
0.055 t others I gfn:44 timed on
0.066 t * I htrun:1802,2030 msync Rx: new RMD v1[$uuid, [$lost]] ( have v0[] aism[self-join-target[g1], name=$lost] <-- p[$proxy] )
0.066 t * I tgtcp:1209,1296 msync Rx: new Conf v2[$uuid] ( have v1[$uuid] aism[self-join-target[g1], name=$lost] <-- p[$proxy] )
0.067 t others W tgtcp:1339,1479 t[$node][Smap v8[$uuid, p[$proxy], t=$left, p=$proxies]]: health-ping from ($lost, t[$lost]) with newer Smap v9
0.068 t others I htrun:1870,2098 msync Rx: new Smap v9[$uuid, p[$proxy], t=$targets, p=$proxies] ( have v8[$uuid] aism[self-join-target[g1], name=$lost] <-- p[$proxy] )
0.068 t lost I htrun:1870,2098 msync Rx: new Smap v9[$uuid, p[$proxy], t=$targets, p=$proxies] ( have v7[$uuid] aism[self-join-target[g1], name=$lost] <-- p[$proxy] )
0.069 t * W tgtcp:723,783 t[$node] (same version w/ txn commit): receive BMD v3[$uuid, buckets: ais(2), cloud(0)] from "p[$proxy]" (action "self-join-target", uuid "g1")
0.070 t * I tgtcp:994,1082 t[$node] starting rebalance[g1]
0.072 t * I bundle:107,119 open sb-[$node-v9-reb]
0.072 t * I bundle:107,119 open sb-[$node-INTRA-CONTROL-v9-ack.reb]
0.072 t * I dmover:224,233 dm-open-reb is open
0.072 t others,>=4.3 W status:52 t[$node] transitioning (renewing) to x-rebalance[g1]-$clock
0.073 t * I globrun:454,424 t[$node][g1,v9] - running x-rebalance[g1]-$clock
0.073 t * I globrun:293,288 t[$node][g1,v9] initializing
0.073 t others,>=4.5 W base:247 \t\t[ assemble wid="$wid": Warning: failed to transmit GET response (and 2 more errors) 3 ]
0.073 t others,>=4.5 I moss:379 x-get-batch[$xid] aborting: reason: starting x-rebalance[g1]
0.073 t * I gfn:57 global on timed off
0.074 t * I globrun:500,550 t[$node][g1,v9] start no-ec run
0.075 t others W bcast:242,233 t[$node][g1,v9]: t[$lost][g0, v0] transitioning(?) from older rebalance - keep waiting
2.070 t * I globrun:529,587 t[$node][g1,v9] finish no-ec run
4.080 t * I globrun:699,599 t[$node][g1,v9] fini => quiesce
9.000 t others I - running(1): rebalance[g1]
""")

ELECTED = script(r"""
18.00 p second W vote:280 p[$node]: primary p[$lost] is confirmed down: [ Get "http://$lostip:51082/v1/health": $err ] moving to election state phase 1 (prepare)
18.01 p second I vote:356 Vote Results:\n Y: 5, N: 1\n Victory: true\n
18.01 p second I vote:315 p[$node]: moving to election state phase 2 (commit)
18.02 p second I vote:325 p[$node]: becoming primary
18.02 p second I psetforce:624 p[$node]: removing failed primary $lost
18.03 p second I metasync:452 p[$node]: Smap v112
15.00 t * W kalive:601,590 t[$node] => p[$lost] failure - retrying: [ true 2s Post "http://$lostip:51082/v1/cluster/keepalive/$node": $err 0 ]
18.01 t * I vote:617 t[$node]: received vote result: new primary $second (old $lost)
18.04 t * I htrun:1870,2098 msync Rx: new Smap v112[$uuid, p[$second], t=$targets, p=$left] ( have v7[$uuid] aism[] <-- p[$second] )
22.00 t * I kalive:616 t[$node] => p[$second] OK after 1 attempt tout 2s
""")
