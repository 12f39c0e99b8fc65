"""Scenes of a cluster at work: get-batch jobs, load, alerts."""

from __future__ import annotations

from logtui.parsers.generator.lab.script import script

OPENED = script(r"""
0.000 t * I bundle:107,119 open sb-[$node-v7-shared-dm]
0.000 t * I dmover:224,233 dm-open-shared-dm is open
0.000 t * I ml:404,505 t[$node] open shared-dm
""")

COUNTED = script(r"""
0.002 t told,<4.5 I moss:468 x-get-batch[$xid] ctlmsg (  reqs:$reqs objs: [$objs ${osize}MiB] files: [$files ${fsize}MiB], bewarm:off )
""")
"""What a job says of itself, up to 4.4."""

_STARTED = script(r"""
0.000 t * I moss:276,320 t[$node] run: x-get-batch[$xid] without "bewarm" []
0.001 t loaded,<4.5 W moss:443 resource pressure: load=critical sleep=1ms [mem=low cpu=critical dsk=low] - sleeping/delaying: 1ms
""")
BATCH_JOB = _STARTED + COUNTED

FIRST_WORDS = script(r"""
0.400 t >=4.5 I moss:521 get-batch[$xid] ctlmsg (  )
""")

MINUTE = script(r"""
0.000 t >=4.5 I moss:521 get-batch[$xid] ctlmsg ( t[$node]:[reqs:$reqs objs:($objs,${osize}MiB) files:($files,${fsize}MiB)] )
""")

IDLE = script(r"""
0.000 t <4.5,prompt I moss:382 x-get-batch[$xid] idle expired [  reqs:$reqs objs: [$objs ${osize}MiB] files: [$files ${fsize}MiB], bewarm:off ]
0.000 t <4.5,waited I moss:382 x-get-batch[$xid] idle expired [  reqs:$reqs objs: [$objs ${osize}MiB] files: [$files ${fsize}MiB], bewarm:off avg-wait:131.402118ms ]
0.000 t <4.5 I base:221 x-get-batch[$xid]-$began-00:00:00.000000 finished
0.000 t >=4.5 I moss:434 get-batch[$xid] idle expired [ t[$node]:[reqs:$reqs objs:($objs,${osize}MiB) files:($files,${fsize}MiB)] ]
""")

BUSY = script(r"""
0.000 tp <4.4 E common:589 $tag CPU utilization: extremely high [ 9.41 2 ]
0.000 tp >=4.4 W common:592 $tag CPU utilization: high [ 20 2 ]
""")

BUSIER = script(r"""
0.000 tp >=4.4 E common:582 $tag CPU utilization: extremely high [ 96 2 ]
""")

ALERTS = script(r"""
0.000 tp * I - Warning: state alerts:
0.000 tp * I - $alerts
""")

MEMORY_SHORT = script(r"""
0.000 tp * E common:527 extreme memory pressure actual: 15322808320 min: 18253611008 cnt: 1
0.000 tp * W common:537 $tag $node.gmm alert: oom
0.004 tp * W oom:57 free-mem runtime: 5.118204ms
0.500 t * E npa:89 extreme memory pressure actual: 17716740096 min: 18253611008 cnt: 2
0.510 t * I oom:40 not running - only 510.2ms < 4m0s passed since the previous run
3.000 t * I oom:40 not running - only 3.01s < 4m0s passed since the previous run
6.000 t * I oom:40 not running - only 6.02s < 4m0s passed since the previous run
10.00 p * I oom:40 not running - only 9.98817s < 4m0s passed since the previous run
41.00 t * E - ErrTooManyRequests: x-get-batch[$xid]: wid="$wid" rejected due to resource pressure (load=critical sleep=100ms [mem=critical cpu=critical dsk=low], pending=0): POST /v1/ml/moss/noxid/$wid/4 (called by p[$proxy]) (t[$node]: ])
42.00 t * E - ErrTooManyRequests: x-get-batch[$xid]: wid="$wid" rejected due to resource pressure (load=critical sleep=100ms [mem=critical cpu=critical dsk=low], pending=0): POST /v1/ml/moss/noxid/$wid/4 (called by p[$proxy]) (p[$proxy]: ])
90.00 tp * I common:549 $tag $node.gmm back to normal
""")

DISK_FULL = script(r"""
0.000 t * W tgtspace:77 t[$node] running store cleanup: cap(used 302.7MiB, avail 161.5MiB [min=26%, avg=65%, max=100], OOS)
0.000 t * E tgtfshc:31 t[$node]: OOS (cap(used 302.7MiB, avail 161.5MiB [min=26%, avg=65%, max=100], OOS)) via FSHC, mp[$mp0, $dev0, hdd]
0.000 t * E - PathError: [fs-path] ais://checkpoints/put.step-000003.pt._n0.3170: no space left on device: PUT /v1/objects/checkpoints/step-000003.pt (t[$node]: ])
0.002 t * I cleanup:311 x-cleanup-store[$other] started:  x-cleanup-store[$other]-$clock cap(used 302.7MiB, avail 161.5MiB [min=26%, avg=65%, max=100], OOS)
0.004 t * I cleanup:1116 x-cleanup-store[$other]-j[$mp0] [ old: 0 misplaced obj: 0 misplaced ec: 0 sysbck: 0 invalid: 0 ]
0.006 t * W cleanup:1028 x-cleanup-store[$other] post-rm('deleted'): out of space: used 100% of total capacity on at least one of the mountpaths (total used 302.66MiB out of 464.13MiB)
0.400 t * I - $mp1: used 26%, avail 161.47MiB
0.400 t * I - $mp0: (out-of-space)
2.000 t * W base:244 x-cleanup-store[$other]-$clock-00:00:00.000000 finished w/err: [ out of space: used 100% of total capacity on at least one of the mountpaths (total used 302.66MiB out of 464.13MiB) ]
2.000 t * W cleanup:330 x-cleanup-store[$other] finished with cap error: out of space: used 100% of total capacity on at least one of the mountpaths (total used 302.66MiB out of 464.13MiB)
2.001 t * W tgtspace:87 t[$node] still out of space, running LRU eviction now: cap(used 302.7MiB, avail 161.5MiB [min=26%, avg=65%, max=100], OOS)
2.004 t * I lru:183 x-lru[$other]-$clock started, dont-evict-time 2h0m, cap(used 302.7MiB, avail 161.5MiB [min=26%, avg=65%, max=100], OOS)
2.005 t * I lru:259 x-lru[$other]-$clock: jog-mp[$mp0, $dev0, hdd]: freeing-up 58.02MiB
2.014 t * I lru:195 x-lru[$other]-$clock finished, cap(used 302.7MiB, avail 161.5MiB [min=26%, avg=65%, max=100], OOS)
""")

PUT_REFUSED = script(r"""
0.000 t * E - ErrCapExceeded: out of space: used 100% of total capacity on at least one of the mountpaths (total used 302.66MiB out of 464.13MiB): PUT /v1/objects/checkpoints/$object (t[$node]: ])
0.080 t * W tgtspace:68 t[$node]: _not_ running store cleanup: (5219004418000, 10m0s), cap(used 302.7MiB, avail 161.5MiB [min=26%, avg=65%, max=100], OOS)
""")

DISK_LOST = script(r"""
0.000 t * W target:1820 t[$node] GET local I/O error: ais://voices/$object err: read $mp0/@ais/voices/%ob/$object: input/output error
0.001 t * E tgtfshc:59 t[$node]: waking up FSHC to check mp[$mp0, $dev0, hdd], err: read $mp0/@ais/voices/%ob/$object: input/output error
0.002 t * W - ## IO errors (11) exceeded configured limit, which is: (no more than 10 in 10s)
0.010 t * E fshc:147 mp[$mp0, $dev0, hdd] FAULTED: (exceeded I/O error limit: (read 6, write 0 (max-errors 2, write-size 1MiB)))
0.011 t * W fshc:164 proceeding to disable mp[$mp0, $dev0, hdd]
0.020 t * I fs:964 disabled mountpath mp[$mp0, $dev0, hdd] (1 remain active)
0.021 t * W fshc:216 mp[$mp0, $dev0, hdd] now disabled, reason: FAULTED
""")

SETTINGS_REFUSED = script(r"""
0.000 p primary E - enabling client authentication requires a valid token [err: token required]: PUT /v1/cluster/set-config (p[$node]: ])
""")

MAINTENANCE_REFUSED = script(r"""
0.000 t * E - ErrLimitedCoexistence: t[$node]: x-get-batch[$xid]-$clock is currently running, cannot run "start-maintenance"() concurrently: POST /v1/txn/begin (called by p[$proxy]) (stack: [])
0.003 t * E - t[$node]: expecting begin phase, got "abort": POST /v1/txn/abort (called by p[$proxy]) (stack: [])
""")
