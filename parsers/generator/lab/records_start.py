"""Scenes of every cluster: a daemon starts, the cluster forms, buckets are made. Source: NVIDIA/aistore, tags v1.4.1 to v1.5.0."""

from __future__ import annotations

from logtui.parsers.generator.lab.script import script

NETWORKS = script(r"""
0.000 tp <5.0 W config:2134,2284 public ($ip) and intra-cluster control ($ip) share the same IP: "$ip"
0.000 tp <5.0 W config:2142,2292 public ($ip) and intra-cluster data ($ip) share the same IP: "$ip"
0.000 tp <5.0 W config:2147,2300 control and data share the same intra-cluster network: $ip
0.000 tp >=5.0 W config:2968 PUBLIC ($ip:$port) and INTRA-CONTROL ($ip:51082) share the same IP/host: "$ip"
0.000 tp >=5.0 W config:2968 PUBLIC ($ip:$port) and INTRA-DATA ($ip:51083) share the same IP/host: "$ip"
0.000 tp >=5.0 W config:2944 INTRA-CONTROL and INTRA-DATA share the same network "$ip" with distinct ports: 51082 and 51083, respectively
""")
"""Printed twice whenever the configuration is read."""

HEAD = script(r"""
0.000 tp * E config:2804,3622 Warning: load initial global config from $conf/ais.json
""")

START = script(r"""
0.003 tp * I config:2840,3671 log.dir: "$logs"; l4.proto: tcp; pub port: $port; verbosity: 3
0.003 tp * I config:2842,3673 config: "$conf/ais.json"; stats_time: 10s; authentication: false; backends: []
0.004 tp >=4.3 W cgroup_linux:46 cgroup v2: found /proc/self/cgroup entry "/" but /sys/fs/cgroup/cpu.stat does not exist: stat /sys/fs/cgroup/cpu.stat: no such file or directory
0.004 tp * I daemon:319,321 Version $build
0.004 tp * I k8s:52,50 non-Kubernetes deployment (init k8s-client returned: 'unable to load in-cluster configuration')
0.008 tp <4.3 W utils:97 (non-K8s, fspaths) deployment: excluding loopback IP: 127.0.0.1
0.008 tp <4.3 I utils:162 local IPv4: [$ip(MTU=1500)]
0.008 tp >=4.3 I utils:237 local IPv4: [127.0.0.1(MTU=65536) $ip(MTU=1500)]
0.008 tp * I utils:163,239 configured: [$ip]
0.008 tp * I utils:181,271 selected: hostname $ip IP $ip
0.008 tp * I htrun:448,363 PUBLIC (user) access: {$ip $port http://$ip:$port $ip:$port} (config: $ip)
0.008 tp >=4.3 I utils:237 local IPv4: [127.0.0.1(MTU=65536) $ip(MTU=1500)]
0.008 tp * I utils:163,239 configured: [$ip]
0.008 tp * I utils:181,271 selected: hostname $ip IP $ip
0.008 tp * I htrun:463,378 INTRA-CONTROL access: {$ip 51082 http://$ip:51082 $ip:51082} (config: $ip)
0.008 tp >=4.3 I utils:237 local IPv4: [127.0.0.1(MTU=65536) $ip(MTU=1500)]
0.008 tp * I utils:163,239 configured: [$ip]
0.008 tp * I utils:181,271 selected: hostname $ip IP $ip
0.008 tp * I htrun:476,391 INTRA-DATA access: {$ip 51083 http://$ip:51083 $ip:51083} (config: $ip)
0.009 p first I proxy:161,187 Initialized p[$node] from randomly generated ID
0.009 p again I proxy:161,174 Initialized p[$node] from file ".ais.proxy_id"
0.009 t first I target:362,401 generated tid t[$node]
0.009 t again I target:357,396 loaded tid t[$node]
0.010 p * I proxy:97,124 memory: $node.gmm[(used 7GiB, free 22GiB, buffcache 3GiB, actfree 25GiB), pressure 'low', (min-free 2GiB, low-wm 11GiB]
0.010 t * I target:278,315 memory: $node.gmm[(used 7GiB, free 22GiB, buffcache 3GiB, actfree 25GiB), pressure 'low', (min-free 2GiB, low-wm 11GiB]
0.011 p * I proxy:106,133 using local redirect CIDR: <nil>
0.020 t <4.3 I dutils_linux:113 [/dev/$dev0]: [$dev0:512]
0.020 t <4.3 I dutils_linux:113 [/dev/$dev1]: [$dev1:512]
0.020 t >=4.3 I dutils_linux:118 [/dev/$dev0]: [$dev0:{512 1}]
0.020 t >=4.3 I dutils_linux:118 [/dev/$dev1]: [$dev1:{512 1}]
0.021 t first W vinit:56 t[$node]: creating new VMD from [$mp0 $mp1] config
0.022 t first W vinit:62 t[$node] VMD v1($node, [$mp0 $mp1]) initialized
0.022 t again I vinit:91 VMD v1($node, [$mp1 $mp0])
0.022 t >=4.3 I fs:1289 volume: [464.13MiB, hdd]
0.026 tp * I daemon:262,263 Node $letter[$node], Version $build\n
0.027 t * W daemon:353,355 file descriptor limit is low (20000); hard limit (20000); recommended 262144+ for production
0.028 t * I collect:50,89 Intra-cluster networking: fasthttp client
0.028 t * I collect:51,90 Starting stream-collector
0.029 t first W bucketmeta:376,372 initializing new BMD v0
0.029 t again I bucketmeta:367,363 loaded BMD v3
0.030 t * I etlmeta:236,201 initializing new EtlMD v0(0)
0.031 t again I target:411,451 t[$node] loaded Smap v7[$uuid, p[$proxy], t=$targets, p=$proxies]
0.027 p first I metasync:193 Starting metasyncer
0.028 p first I bucketmeta:298,294 BMD v0 does not exist at $conf/.ais.bmd - initializing
0.028 p first I etlmeta:179,166 EtlMD v0(0) does not exist at $conf/.ais.emd - initializing
0.028 p first I earlystart:61,64 p[$node]: starting without Smap
0.028 p first I earlystart:83,94 p[$node]: assuming primary role as per: {url: isSmap:false isCfg:true isEP:false}
0.029 p * I proxy:253,238 PUBLIC: \t\t http://$ip:$port
0.029 p * I proxy:255,240 INTRA-CONTROL: \t http://$ip:51082
0.029 p * I proxy:258,243 INTRA-DATA: \t http://$ip:51083
0.080 t * I htrun:2088,2284 t[$node]: primary responded Ok via http://$proxyip:51080
0.081 t * I target:239,274 t[$node] backends: none
0.082 t <4.3 W xattr_unix:87 max xattr size [ 4096 mp[$mp0, $dev0] ]
0.082 t >=4.3 W xattr_unix:97 max xattr size [ 4096 mp[$mp0, $dev0, hdd] ]
0.083 t >=4.3 I runtime_off:20 ETL runtime disabled (not built)
""")

JOINED = script(r"""
0.090 p * I clustermap:354,370 joined t[$peer] -> Smap v$smap[, p[$node], t=$count, p=$proxies]
""")

FORMED = script(r"""
0.000 p primary I earlystart:529,773 p[$node] reached the expected membership of $targets targets
0.000 p primary I earlystart:936,1181 p[$node] new cluster UUID: $uuid
0.000 p primary I earlystart:250,491 before: BMD v0[ (no buckets)], RMD v0[, []], <nil>, EtlMD v0(0)
0.000 p primary I earlystart:251,492 after:  BMD v0[ (no buckets)], RMD v0[, []], <nil>, EtlMD v0(0)
0.000 p primary I earlystart:252,493 after:  Smap v5[$uuid, p[$node], t=$targets, p=$proxies]
0.000 p primary I metasync:452 p[$node]: Smap v5
0.001 p primary I metasync:452 p[$node]: BMD v0
0.012 p primary I earlystart:599,843 p[$node] local Smap v5[$uuid, p[$node], t=$targets, p=$proxies] max-ver Smap v5[$uuid, p[$node], t=$targets, p=$proxies]
0.014 p primary I metasync:452 p[$node]: Smap v7
0.014 p primary I metasync:452 p[$node]: BMD v1
0.014 p primary I metasync:452 p[$node]: Conf v1
0.032 p primary I earlystart:353,590 p[$node] primary: cluster started up
0.032 p primary I earlystart:354,591 Smap v7[$uuid, p[$node], t=$targets, p=$proxies], BMD v1[$uuid (no buckets)]
0.010 t * I htrun:1870,2098 msync Rx: new Smap v5[$uuid, p[$proxy], t=$targets, p=$proxies] ( have v0[] aism[] <-- p[$proxy] )
0.016 t * I tgtcp:1209,1296 msync Rx: new Conf v1[$uuid] ( have v0[] aism[] <-- p[$proxy] )
0.016 t * I htrun:1870,2098 msync Rx: new Smap v7[$uuid, p[$proxy], t=$targets, p=$proxies] ( have v5[$uuid] aism[] <-- p[$proxy] )
0.017 t * I tgtcp:700,760 msync Rx: new BMD v1[$uuid (no buckets)] ( have v0 aism[] <-- p[$proxy] )
""")

READY = script(r"""
1.000 t first I htrun:2315,2567 t[$node] via primary health: cluster startup Ok, Smap v7[$uuid, p[$proxy], t=$targets, p=$proxies]
1.000 t again I htrun:2315,2564 t[$node] via primary health: cluster startup Ok, Smap v9[$uuid, p[$proxy], t=$targets, p=$proxies], RMD v1[$uuid, [$node]]
1.002 t * I target:512,553 t[$node] is ready
1.400 t * I common:462,454 Starting targetstats
1.650 t * I kalive:118,117 Starting talive
0.500 p * I common:462,454 Starting proxystats
0.750 p * I kalive:181,177 Starting palive
""")

BUCKET = script(r"""
0.000 p primary I metasync:452 p[$node]: BMD v$bmd, aism[create-bck[$action]]
0.003 t * I tgtcp:721,781 msync Rx: new BMD v$bmd[$uuid, buckets: ais($buckets), cloud(0)] ( have v$have aism[create-bck[$action]] <-- p[$proxy] )
0.003 t * I txn:260,269 txn-create-bck[$action]-ais://$bucket done]
""")
