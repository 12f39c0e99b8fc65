"""NCCL's plugins and device-side transports: libfabric's registrations and queues, GIN, expert-parallel kernels.

Programs that print the warning alone leave away its head of host, process and thread: none of these needs one.
"""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Pattern, Program, Role, Sample, Trait

_WARN = "node007:4411:4602 [1] NCCL WARN "

PLUGINS = (
    Pattern(
        name="nccl_plugin.registration",
        anchors=("NET/OFI Could not register", "NET/OFI Failed to register", "NET/OFI Unable to register m"),
        regex=r"NET/OFI (?P<what>(?:Could not|Failed to) register .{1,160}|Unable to register m(?!emory \(type).{1,160})",
        samples=(
            Sample(
                "NCCL WARN NET/OFI Could not register memory on rail 5 with flag 0",
                {"what": "Could not register memory on rail 5 with flag 0"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=58,
        title="libfabric could not register memory with the network card",
        note="Too many registrations, the memory-lock limit, or a driver without peer memory. Some versions of the "
        "plugin hang after it.",
        advice=(
            Advice(
                "infrastructure",
                "raise the memory-lock limit[ on {host}] (ulimit -l unlimited), and update libfabric and the plugin",
            ),
        ),
    ),
    Pattern(
        name="nccl_plugin.no_card",
        anchors=(
            "NET/OFI Could not find any optimal provider",
            "NET/OFI Only EFA provider is supported",
            "NET/OFI No eligible providers were found",
            "NET/OFI aws-ofi-nccl initialization failed",
            "NET/OFI Failed to initialize ",
        ),
        regex=r"NET/OFI (?P<what>Could not find any optimal provider|Only EFA provider is supported|No eligible providers "
        r"were found|aws-ofi-nccl initialization failed|Failed to initialize (?:\w+ protocol|rails?|sendrecv|rdma)\b)",
        samples=(
            Sample(
                _WARN + "NET/OFI aws-ofi-nccl initialization failed",
                {"what": "aws-ofi-nccl initialization failed"},
            ),
            Sample("NCCL WARN NET/OFI Only EFA provider is supported"),
        ),
        role=Role.NOISE,
        title="the libfabric plugin finds no card of its own",
        note="NCCL goes on with another network; slower where the host should have had one.",
    ),
    Pattern(
        name="nccl_plugin.ofi_call",
        anchors=("NET/OFI Unable to retrieve", "NET/OFI Failed to ", "NET/OFI Call to ", "NET/OFI Error "),
        regex=r"NET/OFI (?!Failed to (?:register|initialize))(?P<what>(?:Unable to retrieve|Failed to|Call to|Error) .{1,120}?)"
        r"[.:]? RC: (?P<rc>-?[1-9]\d{0,5})\b(?:.{0,3}(?i:error): (?P<error>.{2,80}))?",
        samples=(
            Sample(
                "NCCL WARN NET/OFI Unable to retrieve completion queue entries. RC: -57, ERROR: Input/output error",
                {"rc": "-57", "error": "Input/output error"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=56,
        title="a call of libfabric failed",
    ),
    Pattern(
        name="nccl_plugin.gin",
        anchors=("NCCL WARN GIN", "NCCL WARN NET/GIN"),
        regex=r"NCCL WARN (?:NET/)?GIN(?:/\w{1,20})? ?: ?(?P<what>.{0,120}(?i:fail|error|timed? ?out|abort|status=[1-9]).{0,120})",
        samples=(
            Sample(
                "node007:4411:4602 [1] gin/gin_host.cc:57 NCCL WARN GIN: progress thread failed: unhandled system error",
                {"what": "progress thread failed: unhandled system error"},
            ),
            Sample("NCCL WARN GIN/IB : Got completion from peer 10.1.0.9<5757> with error 12"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=56,
        title="NCCL's transport within kernels failed",
        note="GIN, 2.28 and later.",
    ),
    Pattern(
        name="nccl_plugin.imex",
        anchors=("IMEX channel", "nvidia-imex", "to IMEX node"),
        regex=r"NCCL WARN (?!MNNVL|Cuda failure|CUDA failure).{0,160}(?P<what>IMEX channel .{0,80}(?:not|denied|fail)\w*|nvidia-imex)"
        r"|\[ERROR\] \[tid \d+\] .{0,20}(?P<failed>(?:[Ff]ailed|[Uu]nable) to connect to IMEX node).{0,120}",
        samples=(
            Sample(
                _WARN + "no IMEX channel is available, see the service nvidia-imex",
                {},
            ),
            Sample(
                "[Jan 02 2026 03:04:05] [ERROR] [tid 841] Failed to connect to IMEX node 10.0.0.7: no answer",
                {"failed": "Failed to connect to IMEX node"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=62,
        title="multi-node NVLink is not set up on this node",
        advice=(
            Advice(
                "infrastructure",
                "set up nvidia-imex on all nodes of the NVLink domain, or run with NCCL_MNNVL_ENABLE=0",
            ),
        ),
    ),
)

EXPERTS = (
    Pattern(
        name="expert_kernels.timeout",
        anchors=("NCCL EP timeout for ", "DeepEP timeout ", "DeepEP dispatch ", "DeepEP combine "),
        regex=r"(?:NCCL EP timeout for (?P<operation>dispatch|combine)|DeepEP (?:(?:dispatch|combine) .{0,60}?)?timeout)\b"
        r"(?:.{0,60}?\brank:? (?P<rank>\d+))?(?:.{0,120}?\bsrc_?(?:rank|RDMA|NVL)?:? (?P<source>\d+))?",
        samples=(
            Sample(
                "Warning: NCCL EP timeout for combine receive, rank 5, local_expert_idx 7, src_rank 3",
                {"operation": "combine", "rank": "5", "source": "3"},
            ),
            Sample("DeepEP timeout for dispatch recv count, rank 5, nvl_rank 7", {"rank": "5"}),
            Sample("DeepEP dispatch NVL receiver timeout, channel: 5, RDMA: 0, nvl: 7, src NVL: 3"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CUDA_SOFTWARE,
        weight=74,
        bulk=True,
        title="a kernel of expert parallelism waited in vain for another rank's tokens",
        note="The kernel traps then, as an unspecified launch failure. Named are those who wait and for whom, not why: one "
        "buffer for two handles, ranks that disagree on counts, or a peer or link that failed first.",
    ),
)

FORMAT = LineFormat(
    name="nccl_plugins",
    title="NCCL plugins, GIN, expert-parallel kernels",
    reference="aws/aws-ofi-nccl src; NVIDIA/nccl src/gin and contrib/nccl_ep, 2.28 to 2.30; deepseek-ai/DeepEP csrc/kernels",
    patterns=PLUGINS + EXPERTS,
    programs=(
        Program(Kind.LIBRARY, ("nccl_plugin",), traits=(Trait.TOGETHER, Trait.WARNS)),
        Program(Kind.LIBRARY, ("expert_kernels",), traits=(Trait.TOGETHER,)),
    ),
)
