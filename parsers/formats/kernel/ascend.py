"""Ascend NPUs: torch_npu's error codes, HCCL's timeouts, and the device faults CANN names."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="ascend",
    title="Ascend NPU: torch_npu, CANN, HCCL",
    reference="Ascend/pytorch torch_npu/csrc/core/npu/NPUException and ProcessGroupHCCL; CANN error messages, 7.0 to 8.2",
    patterns=(
        Pattern(
            name="npu.error_code",
            anchors=(", RankID:",),
            regex=r"\[ERROR\] (?P<time>[\d:.-]+) \(PID:(?P<pid>\d+), Device:(?P<device>-?\d+), RankID:(?P<rank>\d+)\) (?P<code>ERR\d{5}) (?P<what>.+)",
            samples=(
                Sample(
                    "[ERROR] 2026-01-02-03:04:05 (PID:4242, Device:7, RankID:57) ERR02200 DIST call hccl api failed.",
                    {
                        "pid": "4242",
                        "device": "7",
                        "rank": "57",
                        "code": "ERR02200",
                        "what": "DIST call hccl api failed.",
                    },
                ),
            ),
            role=Role.SYMPTOM,
            title="torch_npu reports an error",
            note="Follows the exception; RankID is the global rank, -1 in the launcher.",
        ),
        Pattern(
            name="npu.notify_timeout",
            anchors=(
                "EI0002: ",
                "EI0002): ",
                "EI0006: ",
                "EI0006): ",
                "wait execution of the Notify register times out",
                "hccl fftsplus task timeout",
            ),
            regex=r"(?P<code>EI000[26])\)?: .{0,400}?(?:times out|timeout occurs)|hccl fftsplus task timeout",
            samples=(
                Sample(
                    "EI0002: [PID: 4242] 2026-01-02-03:04:05.678.901 The wait execution of the Notify register times out. "
                    "Reason: The Notify register has not received the Notify record from remote rank: [7].",
                    {"code": "EI0002"},
                ),
                Sample(
                    "EI0006: [PID: 4242] 2026-01-02-03:04:05.678.901 Getting socket times out. Reason: Remote Rank did not "
                    "send the data in time.",
                    {"code": "EI0006"},
                ),
                Sample(
                    "Communication_Error_Timeout(EI0002): A timeout occurs when the Notify register waits for execution. "
                    "Waiting peer rank: 7; task information: none.",
                    {"code": "EI0002"},
                ),
                Sample(
                    "EI9999: 2026-01-02-03:04:05.678.901  The error from device(chipId:7, dieId:0), serial number is 5, "
                    "hccl fftsplus task timeout occurred during task execution, stream_id:5"
                ),
            ),
            role=Role.SYMPTOM,
            title="an HCCL peer did not come",
            note="A victim, as NCCL's watchdog timeouts are: the rank that is missing says why.",
        ),
        Pattern(
            name="npu.device_taken",
            anchors=("Failed to initialize the HCCP process",),
            regex=r"Failed to initialize the HCCP process",
            samples=(
                Sample(
                    "EJ0001: 2026-01-02-03:04:05.678.901 Failed to initialize the HCCP process. Reason: Maybe the last "
                    "training process is running."
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INIT_RENDEZVOUS,
            weight=68,
            title="another process still holds the NPU",
        ),
        Pattern(
            name="npu.memory_error",
            anchors=("UCE ERROR", "HBM MULTI BIT ECC", "HBM multi-bit ECC error", "SUSPECT MEM ERROR"),
            regex=r"(?<![\w'\"])(?P<what>UCE ERROR|HBM MULTI BIT ECC|HBM multi-bit ECC error|SUSPECT MEM ERROR)",
            samples=(
                Sample(
                    "[rank57]: RuntimeError: HBM MULTI BIT ECC ERROR. NPU function error: c10_npu::acl::AclrtSynchronizeStreamWithTimeout, error code is 507054",
                    {"what": "HBM MULTI BIT ECC"},
                ),
                Sample(
                    "HBM MULTI BIT ECC, Uncorrectable ECC, device_id=7, event_id=0x80e01801",
                    {"what": "HBM MULTI BIT ECC"},
                ),
                Sample(
                    "ProcessCoreErrorInfo: The extend info: errcode:(0x57, 0, 0) errorStr: HBM multi-bit ECC error occurs",
                    {"what": "HBM multi-bit ECC error"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=88,
            title="an NPU's memory failed",
        ),
        Pattern(
            name="npu.link_error",
            anchors=("HCCS LINK ERROR", "HCCL OP RETRY FAILED"),
            regex=r"(?<![\w'\"])(?P<what>HCCS LINK ERROR|HCCL OP RETRY FAILED)",
            samples=(
                Sample(
                    "[rank57]: RuntimeError: HCCL OP RETRY FAILED. NPU function error: HcclAllreduce, error code is 507904",
                    {"what": "HCCL OP RETRY FAILED"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=76,
            title="a link between NPUs failed",
        ),
    ),
)
