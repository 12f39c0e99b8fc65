"""NCCL's own log: version, communicators and who is which rank in them, bootstrap, ends. NCCL 2.4 to 2.30, RCCL.

Lines begin `<host>:<pid>:<tid> [<cudaDev>] NCCL INFO `: the rank is known only through the Init lines.
"""

from __future__ import annotations

from logtui.parsers.pattern import Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Source, Trait

_INFO = "node007:4411:4583 [1] NCCL INFO "
_WARN = "[2026-11-21 04:12:03] node007:4411:4602 [1] "

# `comm` line up to 2.17 without a function name; splits name their parent; commId came with 2.16 and is absent in
# splits from 2.23; RCCL and builds of others add words before the dash.
_COMM = (
    r"(?:(?P<function>nccl\w+) )?comm (?P<comm>(?:0x)?[0-9a-f]+) rank (?P<rank>\d+) n[rR]anks (?P<nranks>\d+)"
    r"(?: cudaDev (?P<cuda_dev>-?\d+))?(?: nvmlDev (?P<nvml_dev>-?\d+))?(?: busId (?P<bus_id>[0-9a-f]+))?"
    r"(?: parent (?P<parent>(?:0x)?[0-9a-f]+))?(?: (?:split|child)Count (?P<split>\d+))?"
    r"(?: color (?P<color>-?\d+))?(?: key (?P<key>-?\d+))?(?: commId (?P<comm_id>0x[0-9a-f]+))?[^-]{0,80}?"
)
_MODERN = "comm 0x55d0aa10 rank 57 nranks 128 cudaDev 1 nvmlDev 1 busId 1b000 commId 0x9f3c0e7741aa23d1 - "
_MEMBER = {
    "comm": "0x55d0aa10", "rank": "57", "nranks": "128", "cuda_dev": "1", "bus_id": "1b000",
    "comm_id": "0x9f3c0e7741aa23d1",
}  # fmt: skip

FORMAT = LineFormat(
    name="nccl_log",
    title="NCCL: version, communicators, ends",
    reference="NCCL src/init.cc, bootstrap.cc, 2.4 to 2.30",
    patterns=(
        Pattern(
            name="nccl.version",
            anchors=("NCCL version ", "RCCL version "),
            regex=r"(?P<library>[NR]CCL) version (?P<version>\d+\.\d+\.\d+)[^\s+]*\+(?P<toolkit>cuda|hip)(?P<toolkit_version>[\d.]+)",
            samples=(
                Sample(
                    "NCCL version 2.21.5+cuda12.4", {"library": "NCCL", "version": "2.21.5", "toolkit_version": "12.4"}
                ),
                Sample("RCCL version 2.18.3+hip6.0 HEAD:2f6d59e", {"library": "RCCL", "toolkit": "hip"}),
            ),
            role=Role.INFO,
            title="NCCL version",
        ),
        Pattern(
            name="nccl.init_start",
            anchors=("- Init START",),
            regex=_COMM + r" ?- Init START",
            samples=(
                Sample(_INFO + "ncclCommInitRank " + _MODERN + "Init START", _MEMBER | {"function": "ncclCommInitRank"}),
                Sample(
                    _INFO + "[Rank 57] ncclCommInitRankConfig " + _MODERN + "Init START",
                    _MEMBER | {"function": "ncclCommInitRankConfig"},
                ),
                Sample(
                    _INFO + "ncclCommSplit comm 0x55d0bb20 rank 1 nranks 2 cudaDev 1 nvmlDev 1 busId 1b000 parent "
                    "0x55d0aa10 splitCount 4 color 28 key 3- Init START",
                    {"rank": "1", "nranks": "2", "parent": "0x55d0aa10", "split": "4", "color": "28", "key": "3"},
                ),
            ),
            role=Role.STATE,
            title="communicator is being created",
            note="START without COMPLETE: creation hangs or failed. 2.18 and later.",
        ),
        Pattern(
            name="nccl.init",
            anchors=("- Init COMPLETE",),
            regex=_COMM + r" ?- Init COMPLETE",
            samples=(
                Sample(_INFO + "ncclCommInitRank " + _MODERN + "Init COMPLETE", _MEMBER),
                Sample(
                    _INFO + "comm 0x7f31f8 rank 3 nranks 8 cudaDev 3 busId b7000 - Init COMPLETE",
                    {"comm": "0x7f31f8", "rank": "3", "nranks": "8", "cuda_dev": "3", "bus_id": "b7000"},
                ),
                Sample(
                    _INFO + "ncclCommSplit comm 0x55d0bb20 rank 1 nranks 2 cudaDev 1 nvmlDev 1 busId 1b000 parent "
                    "0x55d0aa10 color 28 key 3 commId 0x77aa - Init COMPLETE",
                    {"parent": "0x55d0aa10", "color": "28", "key": "3", "comm_id": "0x77aa"},
                ),
                Sample(_INFO + "comm 0x7f31f8 rank 0 nranks 2 cudaDev 0 nvmlDev 0 - Init COMPLETE", {"rank": "0"}),
            ),
            role=Role.INFO,
            title="communicator created",
            note="In the communicator with the largest nranks, rank is the global rank.",
        ),
        Pattern(
            name="nccl.topology",
            anchors=(" nRanks ",),
            regex=r"comm (?P<comm>0x[0-9a-f]+) rank (?P<rank>\d+) nRanks (?P<nranks>\d+) nNodes (?P<nnodes>\d+) "
            r"localRanks (?P<local_ranks>\d+) localRank (?P<local_rank>\d+)",
            samples=(
                Sample(
                    _INFO + "comm 0x55d0aa10 rank 57 nRanks 128 nNodes 16 localRanks 8 localRank 1 MNNVL 0",
                    {"rank": "57", "nranks": "128", "nnodes": "16", "local_ranks": "8", "local_rank": "1"},
                ),
            ),
            role=Role.INFO,
            title="communicator's place",
            note="2.20 and later. localRank is the order within the node, not torchrun's.",
        ),
        Pattern(
            name="nccl.init_timings",
            anchors=("Init timings",),
            regex=r"Init timings(?:(?: - (?P<function>\w+))?: rank (?P<rank>\d+) nranks (?P<nranks>\d+) total "
            r"(?P<total_s>[\d.]+)(?: \((?P<parts>[\w ,.-]*)\))?)?",
            samples=(
                Sample(
                    _INFO + "Init timings - ncclCommInitRank: rank 57 nranks 128 total 3.21 (kernels 0.18, alloc 0.90, "
                    "bootstrap 1.70, allgathers 0.02, topo 0.20, graphs 0.02, connections 0.10, rest 0.09)",
                    {"rank": "57", "nranks": "128", "total_s": "3.21"},
                ),
            ),
            role=Role.INFO,
            bulk=True,
            title="seconds to create the communicator",
        ),
        Pattern(
            name="nccl.bootstrap",
            anchors=("Bootstrap : Using", "Bootstrap: Using"),
            regex=r"Bootstrap ?: Using(?: (?:\[\d+\])?(?P<interface>[\w.-]+):(?P<address>[\w.:%]*)<\d+>)?",
            samples=(
                Sample(_INFO + "Bootstrap : Using eth0:10.0.0.7<0>", {"interface": "eth0", "address": "10.0.0.7"}),
                Sample(_INFO + "Bootstrap: Using ib0:10.1.0.7<0>", {"interface": "ib0"}),
                Sample(_INFO + "Bootstrap : Using [0]ib0:10.1.0.7<0> [1]ib1:10.2.0.7<0>", {"interface": "ib0"}),
            ),
            role=Role.INFO, marks=(Mark.STARTS,),
            bulk=True,
            title="NCCL's bootstrap interface",
        ),
        Pattern(
            name="nccl.network",
            anchors=("NCCL INFO Using network ",),
            regex=r"NCCL INFO Using network (?P<network>[\w./-]+(?: [\w./-]+){0,3})?",
            samples=(
                Sample(_INFO + "Using network IB", {"network": "IB"}),
                Sample(_INFO + "Using network AWS Libfabric", {"network": "AWS Libfabric"}),
            ),
            role=Role.INFO,
            bulk=True,
            title="NCCL's network",
            note="Socket where IB was expected explains a slow job.",
        ),
        Pattern(
            name="nccl.environment",
            anchors=(" set by environment to ", "NCCL_SOCKET_IFNAME set to "),
            regex=r"(?P<variable>[NR]CCL_\w+) set (?:by environment )?to (?P<value>\S+?)\.?\s*$",
            samples=(
                Sample(
                    _INFO + "NCCL_NET_GDR_LEVEL set by environment to PHB",
                    {"variable": "NCCL_NET_GDR_LEVEL", "value": "PHB"},
                ),
                Sample(_INFO + "NCCL_IB_DISABLE set by environment to 1.", {"variable": "NCCL_IB_DISABLE", "value": "1"}),
                Sample(_INFO + "NCCL_SOCKET_IFNAME set to ib0", {"variable": "NCCL_SOCKET_IFNAME", "value": "ib0"}),
            ),
            role=Role.INFO,
            bulk=True,
            title="NCCL setting",
            note="Settings that nobody remembers explain hangs and slow transports.",
        ),
        Pattern(
            name="nccl.plugin",
            anchors=("aws-ofi-nccl ", "Loaded net plugin "),
            regex=r"NET/OFI (?:Initializing|Using) aws-ofi-nccl (?P<version>[\w.-]+)|Loaded net plugin (?P<plugin>\S.{0,40}?) \(",
            samples=(
                Sample(_INFO + "NET/OFI Initializing aws-ofi-nccl 1.9.1-aws", {"version": "1.9.1-aws"}),
                Sample(_INFO + "NET/Plugin: Loaded net plugin AWS Libfabric (v8)", {"plugin": "AWS Libfabric"}),
            ),
            role=Role.INFO,
            bulk=True,
            title="NCCL's network plugin",
        ),
        Pattern(
            name="nccl.destroyed",
            anchors=("- Destroy COMPLETE",),
            regex=_COMM + r" ?- Destroy COMPLETE",
            samples=(
                Sample(
                    _INFO + "comm 0x55d0aa10 rank 57 nranks 128 cudaDev 1 busId 1b000 - Destroy COMPLETE", {"rank": "57"}
                ),
            ),
            role=Role.END,
            title="communicator destroyed on purpose",
        ),
        Pattern(
            name="nccl.aborted",
            anchors=("- Abort START", "- Abort COMPLETE", "- Revoke START", "- Revoke COMPLETE"),
            regex=_COMM + r" ?- (?P<what>Abort|Revoke) (?P<phase>START|COMPLETE)",
            samples=(
                Sample(
                    _INFO + "comm 0x55d0aa10 rank 57 nranks 128 cudaDev 1 busId 1b000 - Abort COMPLETE",
                    {"rank": "57", "nranks": "128", "what": "Abort", "phase": "COMPLETE"},
                ),
            ),
            role=Role.SYMPTOM, marks=(Mark.ORDERLY,),
            bulk=True,
            title="communicator aborted on this rank",
            note="Follows an error or a kill; also printed by normal exits of some frameworks.",
        ),
        Pattern(
            name="nccl.fatal",
            anchors=("communicator encountered a fatal error",),
            regex=r"communicator encountered a fatal error(?: \(detected in (?P<function>\w+)\))?",
            samples=(
                Sample(
                    _WARN + "enqueue.cc:1712 NCCL WARN communicator encountered a fatal error (detected in ncclAllReduce)",
                    {"function": "ncclAllReduce"},
                ),
            ),
            role=Role.SYMPTOM,
            title="the communicator is broken",
        ),
        Pattern(
            name="nccl.warn",
            anchors=(" NCCL WARN ",),
            regex=r" NCCL WARN (?P<text>\S.{0,300})?",
            samples=(Sample("node007:4411:4602 [1] graph/xml.cc:700 NCCL WARN XML Import : unknown node", {"text": "XML Import : unknown node"}),),
            role=Role.STATE,
            bulk=True,
            title="NCCL warning",
            note="Every WARN line, those with a pattern of their own included.",
        ),
        Pattern(
            name="nccl.call_chain",
            anchors=tuple(
                f"NCCL INFO {file}"
                for file in ("init.cc:", "group.cc:", "transport", "bootstrap.cc:", "misc/socket.cc:", "enqueue.cc:",
                             "proxy.cc:", "channel.cc:", "include/", "misc/ibvwrap.cc:")
            ),
            regex=r"NCCL INFO (?P<source>[\w./]+:\d+) -> (?P<result>\d+)",
            samples=(Sample(_INFO + "transport/net.cc:835 -> 6", {"source": "transport/net.cc:835", "result": "6"}),),
            role=Role.SYMPTOM,
            bulk=True,
            title="NCCL call failed",
            note="1 cuda, 2 system, 3 internal, 4 argument, 5 usage, 6 remote, 7 in progress. First of a chain is deepest.",
        ),
    ),
    programs=(Program(Kind.LIBRARY, ("nccl",), traits=(Trait.TOGETHER, Trait.WARNS), source=Source.NCCL),),
)  # fmt: skip
