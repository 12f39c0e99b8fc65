"""The codes of CANN's error messages: `EI0005: <text>`, from 8.1 on `<Title>(EI0005): <text>`.

MindSpore lists them below `Ascend Error Message`, torch_npu within the message of its exception.
"""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample


def _anchors(*codes: str) -> tuple[str, ...]:
    return tuple(text for code in codes for text in (f"{code}: ", f"{code}): "))


def _coded(*codes: str, what: str = r"\S.{0,300}") -> str:
    """A line that begins its message with one of these codes: other systems number their errors alike."""
    return rf"(?<!\w)(?P<code>{'|'.join(codes)})\)?: (?:\[PID: (?P<pid>\d+)\] )?(?P<what>{what})"


_INNER = tuple(f"E{letter}9999" for letter in "123456789BCDFGHJKLMPTVXY")
_RUNTIME = ("EE9999", "EZ9999")
"""Those of the runtime and of HCCL also end what waited for another rank: there only a reason counts."""
_MISMATCH = ("EI0005",)
_SETTINGS = ("EI0001", "EI0004", "EI0014", "EI0016", "EI0017", "EJ0004")
_NOT_FORMED = ("EI0015", "EI0019", "EI0020", "EJ0003")
_LINKS = ("EI0009", "EI0010", "EI0012", "EI0013", "EI0018", "EJ0002")
_FULL = ("EI0007", "EI0011", "EL0004")
_ARGUMENTS = ("EE1001", "EH0001", "EK0001", "EL0003", "EI0003")
_ACCESS = ("EL0002", "EL0007", "EL0015")
_OPERATORS = ("E40021", "E90003", "EB0000", "EZ3002", "EZ3003", "EZ9010", "E30003", "E30004", "E30008")
_GRAPH = ("E10001", "E10003", "E10007", "E10014", "E10016", "E13019", "E14001")

FORMAT = LineFormat(
    name="ascend_codes",
    title="Ascend NPU: codes of CANN's error messages",
    reference="CANN error code reference, 5.0 to 9.0; cann/hcomm error registry; mindspore-ai/docs cann_error_cases",
    patterns=(
        Pattern(
            name="cann.mismatch",
            anchors=_anchors(*_MISMATCH),
            regex=_coded(
                *_MISMATCH,
                what=r"The (?:arguments|parameters) .{0,300}?parameter \[?(?P<parameter>\w{1,40})\]?(?:, local \[| is )"
                r"(?P<local>[^\]\s]{1,80}).{0,30}?(?:remote \[|and )(?P<remote>[^\]\s]{1,80})|\S.{0,300}",
            ),
            samples=(
                Sample(
                    "EI0005: The arguments for collective communication are inconsistent between ranks: tag "
                    "[HcomBroadcast_57_0], parameter [dataType], local [float16], remote [float32]",
                    {"code": "EI0005", "parameter": "dataType", "local": "float16", "remote": "float32"},
                ),
                Sample(
                    "[PID: 4242] 2026-01-02-03:04:05.678.901 Invalid_Argument(EI0005): The parameters of operator "
                    "AllGather are inconsistent between ranks, parameter count is 570 on the local rank and 571 on the "
                    "remote rank.",
                    {"parameter": "count", "local": "570", "remote": "571"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.COLLECTIVE_MISMATCH,
            weight=85,
            title="NPUs run unlike collectives[: {parameter} is {local} here, {remote} there]",
            note="Seen where two ranks build their link for it; either may be the odd one.",
        ),
        Pattern(
            name="cann.settings",
            anchors=_anchors(*_SETTINGS),
            regex=_coded(*_SETTINGS),
            samples=(
                Sample(
                    "EI0001: Environment variable [HCCL_EXEC_TIMEOUT] is invalid. Reason: it is no number.",
                    {"code": "EI0001"},
                ),
                Sample(
                    "Config_Error_Ranktable(EI0014): Value 57 for ranktable variable rank_id is invalid. Expected value: 0 to 7.",
                    {"code": "EI0014"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=70,
            title="HCCL's environment or rank table is wrong",
        ),
        Pattern(
            name="cann.not_formed",
            anchors=_anchors(*_NOT_FORMED),
            regex=_coded(*_NOT_FORMED),
            samples=(
                Sample(
                    "EJ0003: Failed to bind the IP port. Reason: The port 57 is in use.",
                    {"code": "EJ0003"},
                ),
                Sample(
                    "Communication_Error_Ranktable_Detect(EI0015): Failed to collect cluster information of the "
                    "communicator based on rootInfo detection. Reason: timeout.",
                    {"code": "EI0015"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INIT_RENDEZVOUS,
            weight=66,
            title="the NPUs of the job did not find together",
            note="A port that another process holds, or a rank that never came.",
        ),
        Pattern(
            name="cann.link",
            anchors=_anchors(*_LINKS),
            regex=_coded(*_LINKS),
            samples=(
                Sample("EI0009: Transport init error. Reason: the link of device 7 is down.", {"code": "EI0009"}),
                Sample(
                    "Execution_Error_ROCE_CQE(EI0013): An error CQE occurred during operator execution. Local "
                    "information: server 10.0.0.7, device ID 7, device IP 10.1.0.7.",
                    {"code": "EI0013"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=66,
            title="a link between NPUs failed",
            note="A consequence where the peer's process ended first.",
        ),
        Pattern(
            name="cann.memory",
            anchors=_anchors(*_FULL),
            regex=_coded(*_FULL, what=r"(?:Failed to alloc|\S.{0,200}(?i:memory)).{0,300}"),
            samples=(
                Sample(
                    "EI0007: Failed to allocate resource [Notify], with info [57]. Reason: Memory resources are exhausted.",
                    {"code": "EI0007"},
                ),
                Sample("EL0004: [PID: 4242] 2026-01-02-03:04:05.678.901 Failed to allocate memory.", {"pid": "4242"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_OOM,
            weight=76,
            title="an NPU is full",
        ),
        Pattern(
            name="cann.versions",
            anchors=_anchors("EI0008"),
            regex=_coded("EI0008"),
            samples=(
                Sample(
                    "EI0008: The CANN versions are inconsistent: tag [HcomBroadcast_57_0], local_version [5.7], "
                    "remote_version [5.8]",
                    {"code": "EI0008"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=76,
            title="nodes run unlike versions of CANN",
        ),
        Pattern(
            name="cann.device",
            anchors=_anchors("EL0001"),
            regex=_coded("EL0001", what=r"\S.{0,200}(?i:device).{0,200}"),
            samples=(Sample("EL0001: The device is absent or abnormal.", {"code": "EL0001"}),),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=80,
            title="an NPU is absent or abnormal",
            advice=(Advice("hardware", "look at npu-smi info -t health[ on {host}], and reset the NPU"),),
        ),
        Pattern(
            name="cann.busy",
            anchors=_anchors("EL0005", *_ACCESS),
            regex=_coded("EL0005", *_ACCESS),
            samples=(Sample("EL0005: The resources are busy.", {"code": "EL0005"}),),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=58,
            title="an NPU could not be had",
            note="Held by another process, still being reset, or not given to the container.",
        ),
        Pattern(
            name="cann.argument",
            anchors=_anchors(*_ARGUMENTS, *_GRAPH),
            regex=r"^(?!.{0,120}\bWarning: \[PID: )[^\n]{0,400}?"  # torch_npu looked at what came back, and went on
            + _coded(*_ARGUMENTS, *_GRAPH, what=r"(?:The argument is invalid|\S.{0,200}\b(?:is|are) invalid).{0,200}"),
            samples=(
                Sample("EE1001: The argument is invalid.Reason: no such stream.", {"code": "EE1001"}),
                Sample(
                    "EK0001: Value [57] for parameter [aic_metrics] is invalid. Reason: it is none of the list.",
                    {"code": "EK0001"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=52,
            title="CANN was given what it does not take",
        ),
        Pattern(
            name="cann.kernel",
            anchors=("aicore exception", "aicore error exception", "aivec error exception", "vector core exception"),
            regex=r"(?<!\w)(?P<code>E[EZ]9999)\)?: .{0,300}(?P<what>aicore (?:error )?exception|aivec error exception|vector core exception)",
            samples=(
                Sample(
                    "EZ9999: The error from device(chipId:7, dieId:0), serial number is 5, there is an aivec error "
                    "exception, core id is 7, error code = 0x57",
                    {"code": "EZ9999", "what": "aivec error exception"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CUDA_SOFTWARE,
            weight=66,
            title="a kernel on an NPU failed: {what}",
            note="Mostly an address or an index out of bounds.",
        ),
        Pattern(
            name="cann.operator",
            anchors=_anchors(*_OPERATORS),
            regex=_coded(*_OPERATORS, what=r"\S.{0,200}(?i:\bop\b|operator|compile|library).{0,200}"),
            samples=(
                Sample(
                    "E90003: Compile op failed. The node name is conv57, op type Conv2D",
                    {"code": "E90003"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=56,
            title="an operator could not be built for the NPU",
        ),
        Pattern(
            name="cann.device_not_started",
            anchors=("Failed to send the OPP to the device", "TsdOpen failed. "),
            regex=r"\(E39006\): Failed to send the OPP to the device|\bTsdOpen failed\. devId=(?P<device>\d{1,4})",
            samples=(
                Sample("Inner_Error_Failed_Send_OPP_To_Device(E39006): Failed to send the OPP to the device."),
                Sample("        TsdOpen failed. devId=3, tdt error=1.[FUNC:PrintfTsdError]", {"device": "3"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=62,
            title="the NPU could not be started: its link to the host, or the device itself",
            advice=(
                Advice(
                    "infrastructure",
                    "look at npu-smi info and the device's own logs[ of device {device}]; else reset it",
                ),
            ),
        ),
        Pattern(
            name="cann.inner",
            anchors=("9999: Inner Error", "9999): ", " failed, reason=["),
            regex=_coded(*_INNER, what=r"(?:Inner Error|\S.{0,200}(?:[Ee]rror|failed)).{0,200}")
            + r"|(?<!\w)(?P<runtime>"
            + "|".join(_RUNTIME)
            + r")\)?: .{0,200}? failed, reason=\[(?!.{0,80}(?i:time ?out|synchron|exception))(?P<reason>[^\]]{1,200})",
            samples=(
                Sample("E39999: Inner Error, Please contact support engineer!", {"code": "E39999"}),
                Sample(
                    "EE9999: [PID: 4242] 2026-01-02-03:04:05.678.901 rtStreamCreate execute failed, reason=[no such device]",
                    {"runtime": "EE9999", "reason": "no such device"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=42,
            bulk=True,
            title="CANN failed inside",
            note="Which part, the lines below say.",
        ),
    ),
)
