"""Intel Gaudi: devices that cannot be acquired, the driver's resets."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="habana",
    title="Intel Gaudi: Synapse, HCL, kernel driver",
    reference="HabanaAI/hccl_demo; torvalds/linux drivers/accel/habanalabs/common/device.c",
    patterns=(
        Pattern(
            name="habana.server_type",
            anchors=("Invalid server type (",),
            regex=r"Invalid server type \((?P<type>[^)]+\])?",
            samples=(
                Sample(
                    "/opt/hcl/src/platform/gaudi_common/hcl_device_control_factory.cpp::57(initDevice): The condition [ false ] "
                    "failed. Invalid server type (4[OCP1]) requested to generate controller.",
                    {"type": "4[OCP1]"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=68,
            title="this server is of a type that HCL does not know",
        ),
        Pattern(
            name="habana.acquire",
            anchors=("synDeviceAcquire(",),
            regex=r"synDeviceAcquire\(.{0,80}\) failed with synapse error:? (?P<code>\d+)",
            samples=(
                Sample(
                    "HCCL demo error: In function initDevice(): synDeviceAcquire(&resources.deviceHandle, nullptr) failed with "
                    "synapse error: 20",
                    {"code": "20"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=56,
            bulk=True,
            title="no Gaudi device could be acquired",
            note="Held by another process, or not up.",
        ),
        Pattern(
            name="habana.memory",
            anchors=("MODULE:PT_DEVMEM Allocation failed",),
            regex=r"MODULE:PT_DEVMEM Allocation failed for size::(?P<bytes>\d+)",
            samples=(
                Sample(
                    "[rank7]: RuntimeError: [Rank:7] FATAL ERROR :: MODULE:PT_DEVMEM Allocation failed for size::57671680 (55)MB",
                    {"bytes": "57671680"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_OOM,
            weight=80,
            title="the Gaudi device of this rank is full",
        ),
        Pattern(
            name="habana.reset",
            anchors=(
                "Device heartbeat failed!",
                "Going to hard-reset device",
                "ECC error detected",
                "Lost communication with ",
                "device is not operational",
            ),
            regex=r"habanalabs (?P<pci>[\w:.]{1,40})[^:]{0,80}: .{0,200}?(?P<what>Device heartbeat failed!|Going to hard-reset device|DERR ECC error detected|ECC error detected(?=.{0,200}(?:[Uu]ncorrect|DERR|critical 1\b))|Lost communication with .{1,40}|device is not operational)",
            samples=(
                Sample(
                    "[571234.567890] habanalabs 0000:33:00.0: accel3: Device heartbeat failed!",
                    {"what": "Device heartbeat failed!"},
                ),
                Sample(
                    "[571234.567890] habanalabs hl5: ECC error detected, uncorrectable, HBM 3",
                    {"what": "ECC error detected"},
                ),
            ),
            role=Role.CAUSE,
            marks=(Mark.GPU_FAULT,),
            cls=FailureClass.GPU_HARDWARE,
            weight=84,
            title="a Gaudi device failed",
        ),
        Pattern(
            name="habana.link",
            anchors=("NIC link down", "port link down", "link is down on port"),
            regex=r"habanalabs (?P<pci>[\w:.]{1,40})[^:]{0,80}: .{0,120}?(?:NIC link down|port link down|link is down on port)(?:.{0,20}?(?P<port>\d{1,3}))?",
            samples=(Sample("[571234.567890] habanalabs 0000:33:00.0: hl5: NIC link down, port 7", {"port": "7"}),),
            role=Role.CAUSE,
            marks=(Mark.HAMPERS,),
            cls=FailureClass.NETWORK,
            weight=76,
            title="a Gaudi device lost a link",
        ),
        Pattern(
            name="habana.hcl",
            anchors=("[HCL][error]", "[HCL][critical]", "[HCL ][error]"),
            regex=r"\[HCL ?\]\[(?:error|critical)\](?:\[[^\]]{1,40}\])? ?(?P<what>.{1,200})",
            samples=(
                Sample(
                    "[04:05:06.789][HCL][error][tid:4242] a peer did not answer: hcclInternalError",
                    {"what": "a peer did not answer: hcclInternalError"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.NETWORK,
            weight=46,
            bulk=True,
            title="Gaudi's collectives failed",
        ),
    ),
)
