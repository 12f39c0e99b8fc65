"""nccl-tests: its banner maps ranks to hosts and devices; its table shows bandwidth and wrong elements."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Mark, Pattern, Program, Role, Sample, Trait

_HOST = r"(?<![\w.-])(?P<hosts>[A-Za-z][\w-]{0,62})(?:\.[\w.-]{1,99})?"
_NCCL_FAILURE = _HOST + r": Test NCCL failure [\w./]{1,60}:\d+ '"
_FAILURE = _HOST + r": Test CUDA failure [\w./]{1,60}:\d+ '"

FORMAT = LineFormat(
    name="nccl_tests",
    title="nccl-tests and rccl-tests",
    reference="NVIDIA/nccl-tests src/common.cu, 2.0 to 2.17",
    patterns=(
        Pattern(
            name="nccltests.rank",
            anchors=("#  Rank ", "#   Rank ", "# Rank "),
            regex=r"# +Rank +(?P<rank>\d+)(?: +Group +\d+)? +Pid +(?P<pid>\d+) on +(?P<host>[\w.-]+) +device +(?P<device>\d+) \[(?P<bus>\w+)(?::\w+)*\]",
            samples=(
                Sample(
                    "#  Rank 57 Group  0 Pid   4242 on    node007 device  1 [0xbd] NVIDIA A100-SXM4-40GB",
                    {"rank": "57", "pid": "4242", "host": "node007", "device": "1", "bus": "0xbd"},
                ),
                Sample(
                    "#   Rank  3 Pid  4242 on node003 device  3 [0x1a] Tesla V100-SXM2-16GB",
                    {"rank": "3", "host": "node003", "device": "3"},
                ),
            ),
            role=Role.INFO,
            marks=(Mark.NAMES_SELF,),
        ),
        Pattern(
            name="nccltests.cuda_software",
            anchors=(": Test CUDA failure ",),
            regex=_FAILURE
            + r"(?P<error>no kernel image[^']*|CUDA driver version is insufficient[^']*|an illegal memory access[^']*|unspecified launch failure|invalid argument)'",
            samples=(
                Sample(
                    "node007: Test CUDA failure common.cu:571 'no kernel image is available for execution on the device'",
                    {"hosts": "node007", "error": "no kernel image is available for execution on the device"},
                ),
                Sample(
                    "node007: Test CUDA failure common.cu:1057 'CUDA driver version is insufficient for CUDA runtime version'",
                    {"hosts": "node007"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CUDA_SOFTWARE,
            weight=76,
            title="nccl-tests: the CUDA installation does not fit",
        ),
        Pattern(
            name="nccltests.config",
            anchors=(": Test CUDA failure ",),
            regex=_FAILURE + r"(?P<error>invalid device ordinal)'",
            samples=(
                Sample("node007: Test CUDA failure common.cu:571 'invalid device ordinal'", {"hosts": "node007"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=76,
            title="nccl-tests: more GPUs were asked for than the process sees",
        ),
        Pattern(
            name="nccltests.out_of_memory",
            anchors=(": Test CUDA failure ",),
            regex=_FAILURE + r"(?P<error>out of memory)'",
            samples=(Sample("node007: Test CUDA failure common.cu:571 'out of memory'", {"hosts": "node007"}),),
            role=Role.CAUSE,
            cls=FailureClass.GPU_OOM,
            weight=78,
            title="nccl-tests: GPU memory ran out",
        ),
        Pattern(
            name="nccltests.gpu_failed",
            anchors=(": Test CUDA failure ",),
            regex=_FAILURE
            + r"(?P<error>uncorrectable ECC error[^']*|unknown error|[^']*busy or unavailable|no CUDA-capable device[^']*|system not yet initialized|hardware stack error)'",
            samples=(
                Sample(
                    "node007: Test CUDA failure common.cu:571 'uncorrectable ECC error encountered'",
                    {"hosts": "node007"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=80,
            title="nccl-tests: a GPU failed",
        ),
        Pattern(
            name="nccltests.peer_gone",
            anchors=(": Test NCCL failure ",),
            regex=_NCCL_FAILURE
            + r"(?P<error>remote process exited or there was a network error|unhandled system error)",
            samples=(
                Sample(
                    "node007: Test NCCL failure common.cu:571 'remote process exited or there was a network error / '",
                    {"hosts": "node007", "error": "remote process exited or there was a network error"},
                ),
                Sample("node007: Test NCCL failure common.cu:571 'unhandled system error'", {"hosts": "node007"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=48,
            title="nccl-tests: a peer was gone, or the network to it",
            note="Of what the other side died stands in its own lines, where there are any.",
        ),
        Pattern(
            name="nccltests.failure",
            anchors=(": Test NCCL failure ", ": Test failure "),
            regex=_HOST
            + r"(?: pid (?P<pid>\d+))?: Test (?:NCCL )?failure(?!.{1,80}'(?:remote process|unhandled system)) (?P<file>[\w./]{1,60}):(?P<line>\d+)(?: '(?P<error>[^']+)')?",
            samples=(
                Sample(
                    "node007: Test NCCL failure common.cu:571 'invalid usage'",
                    {"hosts": "node007", "error": "invalid usage"},
                ),
                Sample(" .. node007 pid 4242: Test failure common.cu:571", {"hosts": "node007", "pid": "4242"}),
            ),
            role=Role.SYMPTOM,
            title="nccl-tests failed",
        ),
        Pattern(
            name="nccltests.bandwidth",
            anchors=("# Avg bus bandwidth",),
            regex=r"# Avg bus bandwidth +: (?P<gb_per_s>[\d.]+)",
            samples=(Sample("# Avg bus bandwidth    : 57.1234 ", {"gb_per_s": "57.1234"}),),
            role=Role.INFO,
            title="nccl-tests printed its last line",
        ),
        Pattern(
            name="nccltests.correct",
            anchors=("# Out of bounds values : ",),
            regex=r"# Out of bounds values : 0 OK",
            samples=(Sample("# Out of bounds values : 0 OK"),),
            role=Role.END,
            title="nccl-tests found all results correct",
        ),
        Pattern(
            name="nccltests.wrong",
            anchors=("# Out of bounds values : ",),
            regex=r"# Out of bounds values : (?P<count>[1-9]\d*) FAILED",
            samples=(Sample("# Out of bounds values : 57 FAILED", {"count": "57"}),),
            role=Role.CAUSE,
            cls=FailureClass.UNKNOWN,
            weight=55,
            title="a collective returned wrong values",
        ),
        Pattern(
            name="nccltests.wrong_row",
            anchors=tuple(
                f" {dtype}     {op}"
                for dtype in ("float", "double", "half", "int8", "bfloat16")
                for op in ("sum", "prod", "max", "min", "none")
            ),
            regex=r" (?P<size>\d+) +\d+ +\w+ +\w+ +-?\d+ +[\d.]+ +[\d.]+ +[\d.]+ +(?:[1-9]\d* +[\d.]+ +[\d.]+ +[\d.]+ +\d+|0 +[\d.]+ +[\d.]+ +[\d.]+ +[1-9]\d*)\s*$",
            samples=(
                Sample(
                    "    67108864      16777216     float     sum      -1   8571.2    7.83   15.17     57   8412.5    7.98   15.46      7",
                    {"size": "67108864"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.UNKNOWN,
            weight=50,
            bulk=True,
            title="a collective returned wrong elements",
            note="The #wrong column of either the out-of-place or the in-place half is above zero.",
        ),
    ),
    programs=(Program(Kind.LIBRARY, ("nccltests",), traits=(Trait.TOGETHER, Trait.WARNS)),),
)
