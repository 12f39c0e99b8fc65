"""The kernel about devices: network adapters, PCIe, machine checks, memory modules, temperature."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_HEAD = "[ 1622.172326] "

NETWORK = (
    Pattern(
        name="nic.link_down",
        anchors=(": Link down",),
        regex=r"mlx\d_\w+ (?P<bdf>[\w:.]+)(?: (?P<interface>[\w.-]+))?: Link down",
        samples=(
            Sample(_HEAD + "mlx5_core 0000:9c:00.0 eth2: Link down", {"bdf": "0000:9c:00.0", "interface": "eth2"}),
        ),
        role=Role.CAUSE,
        marks=(Mark.HAMPERS,),
        cls=FailureClass.NETWORK,
        weight=78,
        title="a network adapter lost its link",
        note="A pair of down and up at boot is normal. InfiniBand changes are not printed at the default level.",
        advice=(
            Advice(
                "infrastructure",
                "check cable, optics and switch port of {interface}[ on {host}]; keep the host out until the "
                "link stays up",
            ),
        ),
    ),
    Pattern(
        name="nic.transmit_timeout",
        anchors=("NETDEV WATCHDOG: ",),
        regex=r"NETDEV WATCHDOG: (?P<interface>[\w.-]+) \((?P<driver>\w+)\): transmit queue \d+ timed out",
        samples=(
            Sample(
                _HEAD + "NETDEV WATCHDOG: eth2 (bnxt_en): transmit queue 3 timed out",
                {"interface": "eth2", "driver": "bnxt_en"},
            ),
        ),
        role=Role.CAUSE,
        marks=(Mark.HAMPERS,),
        cls=FailureClass.NETWORK,
        weight=70,
        title="a network adapter stopped sending",
        note="Its driver resets it; connections over it stall or break meanwhile.",
        advice=(Advice("infrastructure", "check {interface}[ on {host}], its firmware and the driver {driver}"),),
    ),
    Pattern(
        name="nic.link_up",
        anchors=(": Link up",),
        regex=r"mlx\d_\w+ (?P<bdf>[\w:.]+)(?: (?P<interface>[\w.-]+))?: Link up",
        samples=(Sample(_HEAD + "mlx5_core 0000:9c:00.0 eth2: Link up", {"bdf": "0000:9c:00.0", "interface": "eth2"}),),
        role=Role.STATE,
        title="a network adapter's link is up",
    ),
    Pattern(
        name="nic.cable",
        anchors=("Port module event: module ", "Port module event[error]: module "),
        regex=r"(?P<bdf>[\w:.]+): Port module event(?:\[error\])?: module (?P<module>\d+), (?P<what>Cable unplugged|Cable error.*)",
        samples=(
            Sample(
                _HEAD + "mlx5_core 0000:9c:00.0: Port module event: module 0, Cable unplugged",
                {"module": "0", "what": "Cable unplugged"},
            ),
            Sample(
                _HEAD + "mlx5_core 0000:9c:00.0: Port module event[error]: module 1, Cable error, High Temperature",
                {"what": "Cable error, High Temperature"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=84,
        title="a network cable or its optics failed",
        advice=(Advice("infrastructure", "replace cable or optics[ of {host}]: {what}"),),
    ),
    Pattern(
        name="nic.health",
        anchors=(
            "High temperature on sensors with bit set",
            "insufficient power on the PCIe slot",
            "without any active interface",
            "health compromised",
        ),
        regex=r"(?P<what>High temperature on sensors|insufficient power on the PCIe slot|now running without any active interface|health compromised)",
        samples=(
            Sample(
                _HEAD + "mlx5_core 0000:9c:00.0: Detected insufficient power on the PCIe slot (27W).",
                {"what": "insufficient power on the PCIe slot"},
            ),
            Sample(_HEAD + "bond0: now running without any active interface!", {}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=76,
        title="a network adapter is unhealthy",
        advice=(
            Advice("infrastructure", "reset the adapter[ of {host}] or power-cycle the host; firmware next: {what}"),
        ),
    ),
    Pattern(
        name="nic.noise",
        anchors=("ACCESS_REG(0x805)",),
        regex=r"mlx5_cmd_out_err:\d+:\(pid \d+\): ACCESS_REG\(0x805\)",
        samples=(
            Sample(
                _HEAD
                + "mlx5_core 0000:9c:00.0: mlx5_cmd_out_err:834:(pid 4242): ACCESS_REG(0x805) op_mod(0x1) failed, status bad operation(0x2)"
            ),
        ),
        role=Role.NOISE,
        bulk=True,
        note="A management tool polls what the firmware lacks.",
    ),
    Pattern(
        name="ufm.link_down",
        anchors=("Link went down: (", "is considered by SM as unhealthy"),
        regex=r"Link went down: \((?P<from>[^)]*)\)|Peer Port (?P<port>\S+) is considered by SM as unhealthy",
        samples=(
            Sample(
                "2026-01-02 03:04:05.678 [57] [110] CRITICAL [Link] Switch [leaf7] Link went down: (Switch:leaf7:31)node007:1",
                {"from": "Switch:leaf7:31"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.NETWORK,
        weight=82,
        title="a fabric link went down",
        advice=(Advice("infrastructure", "check cable and optics between {from} and its switch port {port}"),),
    ),
)

PCIE = (
    Pattern(
        name="pcie.limited",
        anchors=("available PCIe bandwidth, limited by ",),
        regex=r"(?P<bdf>[\w:.]+): (?P<gb_per_s>[\d.]+) Gb/s available PCIe bandwidth, limited by (?P<link>[\d.]+ GT/s (?:PCIe )?x\d+) link at (?P<port>[\w:.]+) \(capable of (?P<capable>[\d.]+) Gb/s",
        samples=(
            Sample(
                _HEAD
                + "mlx5_core 0000:9c:00.0: 63.012 Gb/s available PCIe bandwidth, limited by 16.0 GT/s PCIe x4 link at 0000:97:01.0 "
                "(capable of 252.048 Gb/s with 16.0 GT/s PCIe x16 link)",
                {"bdf": "0000:9c:00.0", "gb_per_s": "63.012", "link": "16.0 GT/s PCIe x4", "capable": "252.048"},
            ),
        ),
        role=Role.STATE,
        marks=(Mark.HAMPERS,),
        title="a device runs with fewer PCIe lanes or at a lower speed",
        note="Slows every step if it is a network adapter or a GPU; some devices are narrow by design: compare with sisters.",
        advice=(
            Advice(
                "hardware",
                "reseat the device {bdf}[ in {host}], or move it to another slot: {gb_per_s} Gb/s instead of "
                "{capable}; compare lspci -vv (LnkSta) with a sister node",
            ),
        ),
    ),
    Pattern(
        name="pcie.fatal",
        anchors=(
            "Uncorrected (Fatal)",
            "Uncorrectable (Fatal)",
            "DPC: containment event",
            "DPC: unmasked uncorrectable error",
            "AER: device recovery failed",
        ),
        regex=r"(?P<bdf>[\da-fA-F]{4}:[\w:.]+): (?:.*?)(?P<what>Uncorrect(?:ed|able) \(Fatal\)|DPC: containment event|DPC: unmasked uncorrectable error|AER: device recovery failed)",
        samples=(
            Sample(
                _HEAD + "pcieport 0000:97:01.0: AER: Uncorrected (Fatal) error received: 0000:98:00.0",
                {"bdf": "0000:97:01.0", "what": "Uncorrected (Fatal)"},
            ),
            Sample(
                _HEAD + "pcieport 0000:97:01.0: DPC: containment event, status:0x1f01 source:0x0000",
                {"what": "DPC: containment event"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=86,
        title="fatal PCIe error",
        note="On the port of a GPU or adapter just before it is lost, this is the root.",
        advice=(
            Advice(
                "hardware",
                "reseat the device {bdf}[ in {host}] and check slot, riser and power; replace what fails again",
            ),
        ),
    ),
    Pattern(
        name="pcie.slot",
        anchors=("pciehp: Slot(",),
        regex=r"(?P<bdf>[\w:.]+): pciehp: Slot\((?P<slot>[\w-]+)\): (?P<what>Link Down|Card not present)",
        samples=(
            Sample(_HEAD + "pcieport 0000:97:01.0: pciehp: Slot(400): Link Down", {"slot": "400", "what": "Link Down"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.GPU_HARDWARE,
        weight=84,
        title="a PCIe slot lost its device",
        advice=(Advice("hardware", "reseat or replace what sits in slot {slot}[ of {host}]"),),
    ),
    Pattern(
        name="pcie.corrected",
        anchors=(
            "severity=Corrected",
            "AER: Corrected error",
            "AER: Multiple Corrected error",
            "AER: Correctable error",
        ),
        regex=r"severity=Correct(?:ed|able)|AER: (?:Multiple )?Correct(?:ed|able) error",
        samples=(
            Sample(_HEAD + "nvme 0000:81:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)"),
        ),
        role=Role.NOISE,
        marks=(Mark.HAMPERS,),
        bulk=True,
        note="Degradation at most; evidence where the rate rises before an uncorrected error of the same device.",
    ),
    Pattern(
        name="pcie.link_downgraded",
        anchors=("(downgraded)",),
        regex=r"LnkSta:\s+Speed (?P<speed>[\d.]+GT/s)(?: \((?:ok|downgraded)\))?, Width (?P<width>x\d+)(?: \((?:ok|downgraded)\))?",
        samples=(Sample("\t\tLnkSta:\tSpeed 8GT/s (ok), Width x2 (downgraded)", {"speed": "8GT/s", "width": "x2"}),),
        role=Role.STATE,
        marks=(Mark.HAMPERS,),
        title="a PCIe link is downgraded",
        advice=(
            Advice(
                "hardware",
                "reseat the device[ in {host}], or move it to another slot: its link runs at {speed}, width "
                "{width}; lspci -vv (LnkCap, LnkSta) tells what it can",
            ),
        ),
    ),
)

HOST = (
    Pattern(
        name="mce.uncorrected",
        anchors=("Machine Check: ", "event severity: fatal", "event severity: recoverable", " UE memory "),
        regex=r"Machine Check: \w+ Bank (?P<bank>\d+): (?P<status>[abef][0-9a-f]{15})|event severity: (?P<severity>fatal|recoverable)|EDAC (?P<controller>MC\d+): \d+ UE memory .*?error on (?P<dimm>\S+)",
        samples=(
            Sample(
                "mce: [Hardware Error]: CPU 5: Machine Check: 0 Bank 1: be00000000570057",
                {"bank": "1", "status": "be00000000570057"},
            ),
            Sample(
                "EDAC MC3: 1 UE memory read error on CPU_SrcID#0_MC#1_Chan#0_DIMM#1 (channel:2 slot:0)",
                {"controller": "MC3", "dimm": "CPU_SrcID#0_MC#1_Chan#0_DIMM#1"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=80,
        title="uncorrected hardware error of CPU or host memory",
        note="Status bit 61, the first digit a, b, e or f, says uncorrected.",
        advice=(
            Advice(
                "hardware", "run memory and CPU diagnostics[ on {host}][, DIMM {dimm}], and keep it out until they pass"
            ),
        ),
    ),
    Pattern(
        name="mce.corrected",
        anchors=("Machine Check: ", "Machine check events logged", "event severity: corrected", " CE memory "),
        regex=r"Machine Check: \w+ Bank \d+: [89cd][0-9a-f]{15}|Machine check events logged|event severity: corrected|EDAC MC\d+: \d+ CE memory",
        samples=(
            Sample("mce: [Hardware Error]: Machine check events logged"),
            Sample("{1}[Hardware Error]: event severity: corrected"),
        ),
        role=Role.NOISE,
        bulk=True,
    ),
    Pattern(
        name="cpu.throttled",
        anchors=("cpu clock throttled", "cpu clock is throttled"),
        regex=r"CPU(?P<cpu>\d+): (?:Core|Package) temperature(?:/power limit)?(?: is)? above threshold, cpu clock(?: is)? throttled \(total events = (?P<events>\d+)\)",
        samples=(
            Sample(
                "mce: CPU0: Core temperature above threshold, cpu clock throttled (total events = 57)",
                {"cpu": "0", "events": "57"},
            ),
            Sample(
                "mce: CPU7: Package temperature is above threshold, cpu clock is throttled (total events = 5)",
                {"cpu": "7", "events": "5"},
            ),
        ),
        role=Role.STATE,
        marks=(Mark.HAMPERS,),
        bulk=True,
        title="a CPU is throttled for heat",
        advice=(
            Advice(
                "hardware",
                "look at the cooling[ of {host}]: fans, dust, inlet temperature; ipmitool sdr type temperature",
            ),
        ),
    ),
)

FORMAT = LineFormat(
    name="kernel_devices",
    title="Linux kernel: network adapters, PCIe, machine checks; UFM",
    reference="torvalds/linux mlx5 core, drivers/pci/pcie/aer.c and dpc.c, arch/x86 mce, drivers/edac; NVIDIA UFM event log",
    patterns=NETWORK + PCIE + HOST,
)
