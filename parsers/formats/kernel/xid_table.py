"""NVIDIA Xid codes: what each says, whom it accuses, and what to do about it.

Names are those of the driver header nverror.h, with RC_ for ROBUST_CHANNEL_; meanings and actions follow NVIDIA's
Xid catalogue of October 2025 (codes 1 to 172) and the open driver (173 to 176).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from logtui.parsers.pattern import FailureClass


class XidKind(StrEnum):
    """Whom a code accuses, to start from."""

    HARDWARE = "H"
    """The GPU, its memory, its links or its slot."""
    ENGINE = "E"
    """An engine of the GPU failed: hardware or driver."""
    DRIVER = "D"
    """Driver or firmware; a reset usually helps, repetition points to the GPU."""
    APPLICATION = "A"
    """The program first; the GPU when it comes back on one GPU under different programs."""
    CONSEQUENCE = "C"
    """Clean-up after another fault or a kill; means something only when first and alone."""
    WEAR = "W"
    """Corrected or recorded damage that stops no job by itself."""
    INFORMATION = "I"
    """Not about a failure."""
    UNUSED = "-"
    """No current driver writes it."""


@dataclass(frozen=True, slots=True)
class Xid:
    """One code."""

    code: int
    name: str
    """Identifier in the driver's source."""
    kind: XidKind
    meaning: str
    action: str
    """What to do about it, first thing first."""

    @property
    def failure_class(self) -> FailureClass | None:
        """The class a verdict starts from; None where the code is no cause by itself."""
        if self.kind in (XidKind.HARDWARE, XidKind.ENGINE, XidKind.DRIVER):
            return FailureClass.GPU_HARDWARE
        return FailureClass.CUDA_SOFTWARE if self.kind is XidKind.APPLICATION else None


_ACTIONS = {
    "app": "restart the job; look at the program first, test the GPU if it comes back on the same one",
    "cable": "drain and reset the GPU; then check link and cable",
    "debug": "restart the job; then debug the program",
    "driver": "harmless if alone; then check software and driver",
    "ecc": "with 63 or 64: drain and reset the GPU; alone: field diagnostics, replace if repeated",
    "exit": "harmless if alone; check whether the program or its peer had exited",
    "firmware": "drain and reset the GPU; then check driver and firmware versions",
    "link": "decode the sub-code in the line; reset the GPU",
    "none": "no action published; keep the line",
    "other": "find the other Xid; alone: restart the fabric manager, otherwise ignore",
    "peer": "find the GPU that has another Xid first; reset; vendor if repeated",
    "power": "reseat and check power; then vendor",
    "primary": "restart the job; then follow the primary Xid",
    "reboot": "reboot the node; vendor if repeated",
    "remap": "with 48: drain and reset; alone: reset when convenient",
    "replace": "reset or reboot now; replace if repeated",
    "reset": "drain and reset the GPU; vendor if it stays",
    "restart": "restart the job; vendor if it stays",
    "text": "do what the text says",
    "update": "update driver and firmware",
    "vendor": "vendor support, with the logs",
    "vm": "restart the virtual machine; then vendor",
    "watch": "harmless if alone; vendor if repeated",
}
"""Key in the table → advice."""

# code, kind, driver name | meaning | key of the action
_TABLE = """\
1 - RC_FIFO_ERROR_FIFO_METHOD | formerly: invalid or corrupted push buffer stream | vendor
2 - RC_FIFO_ERROR_SW_METHOD | formerly: invalid or corrupted push buffer stream | vendor
3 - RC_FIFO_ERROR_UNK_METHOD | formerly: invalid or corrupted push buffer stream | vendor
4 - RC_FIFO_ERROR_CHANNEL_BUSY | formerly: invalid or corrupted push buffer stream | vendor
5 - RC_FIFO_ERROR_RUNOUT_OVERFLOW | no longer used | vendor
6 - RC_FIFO_ERROR_PARSE_ERR | formerly: invalid or corrupted push buffer stream | vendor
7 - RC_FIFO_ERROR_PTE_ERR | formerly: invalid or corrupted push buffer address | vendor
8 A RC_FIFO_ERROR_IDLE_TIMEOUT | channel idle timeout, GPU stopped processing | restart
9 - RC_GR_ERROR_INSTANCE | formerly: driver error programming GPU | vendor
10 - RC_GR_ERROR_SINGLE_STEP | no longer used | vendor
11 A RC_GR_ERROR_MISSING_HW | bad command stream | debug
12 - RC_GR_ERROR_SW_METHOD | formerly: driver error handling GPU exception | vendor
13 A RC_GR_EXCEPTION | SM engine exception: illegal instruction, address out of range or misaligned | app
14 - RC_FAKE_ERROR | no longer used | vendor
15 - RC_SCANLINE_TIMEOUT | no longer used | vendor
16 - RC_VBLANK_CALLBACK_TIMEOUT | formerly: display engine hung | vendor
17 - RC_PARAMETER_ERROR | no longer used | vendor
18 - RC_BUS_MASTER_TIMEOUT_ERROR | formerly: bus mastering disabled in PCI config space | vendor
19 - RC_DISP_MISSED_NOTIFIER | formerly: display engine error | vendor
20 - RC_MPEG_ERROR_SW_METHOD | formerly: invalid or corrupted mpeg push buffer | vendor
21 - RC_ME_ERROR_SW_METHOD | formerly: invalid or corrupted motion estimation push buffer | vendor
22 - RC_VP_ERROR_SW_METHOD | formerly: invalid or corrupted video processor push buffer | vendor
23 - RC_RC_LOGGING_ENABLED | no longer used | vendor
24 - RC_GR_SEMAPHORE_TIMEOUT | formerly: GPU semaphore timeout | vendor
25 A RC_GR_ILLEGAL_NOTIFY | illegal command stream | debug
26 - RC_FIFO_ERROR_FBISTATE_TIMEOUT | formerly: framebuffer timeout | vendor
27 - RC_VP_ERROR | formerly: video processor exception | vendor
28 - RC_VP2_ERROR | formerly: video processor exception | vendor
29 - RC_BSP_ERROR | formerly: video processor exception | vendor
30 - RC_BAD_ADDR_ACCESS | formerly: GPU semaphore access error | vendor
31 A RC_FIFO_ERROR_MMU_ERR_FLT | MMU page fault (illegal address) | app
32 A RC_PBDMA_ERROR | corrupt command stream seen by the DMA engine | debug
33 - RC_SEC_ERROR | formerly: internal micro-controller error | vendor
34 - RC_MSVLD_ERROR | formerly: video processor exception | vendor
35 - RC_MSPDEC_ERROR | formerly: video processor exception | vendor
36 - RC_MSPPP_ERROR | formerly: video processor exception | vendor
37 D RC_FECS_ERR_UNIMP_FIRMWARE_METHOD | driver firmware (FECS) unsupported method | debug
38 D RC_FECS_ERR_WATCHDOG_TIMEOUT | driver firmware watchdog | watch
39 E RC_CE0_ERROR | copy engine 0 exception | restart
40 E RC_CE1_ERROR | copy engine 1 exception | restart
41 E RC_CE2_ERROR | copy engine 2 exception | restart
42 - RC_VIC_ERROR | formerly: video processor exception | vendor
43 C RC_RESETCHANNEL_VERIF_ERROR | channel reset after a fault; the app's fault stopped it | watch
44 D RC_GR_FAULT_DURING_CTXSW | fault during context switch | watch
45 C RC_PREEMPTIVE_REMOVAL | channel torn down early: clean-up after another error or a kill | other
46 H RC_GPU_TIMEOUT_ERROR | GPU stopped processing | reset
47 - RC_NVENC0_ERROR | formerly: video processor exception | vendor
48 H RC_GPU_ECC_DBE | double-bit (uncorrectable) ECC error | ecc
49 - SILENT_RUNNING_CONSTANT_LEVEL_SET_BY_REGISTRY | no longer used | vendor
50 - SILENT_RUNNING_LEVEL_TRANSITION_DUE_TO_RC_ERROR | no longer used | vendor
51 - SILENT_RUNNING_STRESS_TEST_FAILURE | no longer used | vendor
52 - SILENT_RUNNING_LEVEL_TRANS_DUE_TO_TEMP_RISE | no longer used | vendor
53 - SILENT_RUNNING_TEMP_REDUCED_CLOCKING | no longer used | vendor
54 H SILENT_RUNNING_PWR_REDUCED_CLOCKING | auxiliary power connector missing | power
55 - SILENT_RUNNING_TEMPERATURE_READ_ERROR | no longer used | vendor
56 - DISPLAY_CHANNEL_EXCEPTION | formerly: display engine error | vendor
57 - FB_LINK_TRAINING_FAILURE_ERROR | formerly: error programming video memory interface | vendor
58 - FB_MEMORY_ERROR | formerly: unstable video memory interface detected | vendor
59 - PMU_ERROR | formerly: internal micro-controller error (older drivers) | vendor
60 D RC_SEC2_ERROR | video/security processor exception | driver
61 - PMU_BREAKPOINT | formerly: internal micro-controller breakpoint/warning (newer drivers) | vendor
62 H PMU_HALT_ERROR | internal micro-controller halted | reset
63 W INFOROM_DRAM_RETIREMENT_EVENT | row remap / page retirement recorded; takes effect after reset | remap
64 H INFOROM_DRAM_RETIREMENT_FAILURE | row remap failed: not recorded, or no spare row left | replace
65 - RC_NVENC1_ERROR | formerly: video processor exception | vendor
66 A RC_FECS_ERR_REG_ACCESS_VIOLATION | illegal register access by driver | driver
67 A RC_FECS_ERR_VERIF_VIOLATION | illegal access by driver | watch
68 A RC_NVDEC0_ERROR | video decoder exception | restart
69 A RC_GR_CLASS_ERROR | graphics class error | debug
70 E RC_CE3_ERROR | copy engine 3 error | restart
71 E RC_CE4_ERROR | copy engine 4 error | restart
72 E RC_CE5_ERROR | copy engine 5 error | restart
73 - RC_NVENC2_ERROR | formerly: NVENC2 error | vendor
74 H NVLINK_ERROR | NVLink error on this GPU or on its peer/switch | peer
75 E RC_CE6_ERROR | copy engine 6 error | restart
76 E RC_CE7_ERROR | copy engine 7 error | restart
77 E RC_CE8_ERROR | copy engine 8 error | restart
78 D VGPU_START_ERROR | vGPU start failure | update
79 H RC_GPU_HAS_FALLEN_OFF_THE_BUS | GPU fell off the PCIe bus | reboot
80 H PBDMA_PUSHBUFFER_CRC_MISMATCH | CRC mismatch in data sent to the GPU | debug
81 - RC_VGA_SUBSYSTEM_ERROR | formerly: VGA subsystem error | vendor
82 E RC_NVJPG0_ERROR | JPEG engine 0 error | restart
83 E RC_NVDEC1_ERROR | NVDEC1 (video/JPEG engine) error | restart
84 E RC_NVDEC2_ERROR | NVDEC2 (video/JPEG engine) error | restart
85 E RC_CE9_ERROR | copy engine 9 error | restart
86 E RC_OFA0_ERROR | optical-flow engine exception | restart
87 - NVTELEMETRY_DRIVER_REPORT | reserved | vendor
88 E RC_NVDEC3_ERROR | NVDEC3 (video/JPEG engine) error | restart
89 E RC_NVDEC4_ERROR | NVDEC4 (video/JPEG engine) error | restart
90 - LTC_ERROR | reserved | vendor
91 - RESERVED_XID | reserved | vendor
92 W EXCESSIVE_SBE_INTERRUPTS | high rate of corrected single-bit ECC errors | watch
93 I INFOROM_ERASE_LIMIT_EXCEEDED | InfoROM wear limit, non-fatal | watch
94 H RC_CONTAINED_ERROR | contained memory error: only the process that touched it dies | primary
95 H RC_UNCONTAINED_ERROR | uncontained memory error: every process on the GPU is affected | replace
96 E RC_NVDEC5_ERROR | NVDEC5 (video/JPEG engine) error | restart
97 E RC_NVDEC6_ERROR | NVDEC6 (video/JPEG engine) error | restart
98 E RC_NVDEC7_ERROR | NVDEC7 (video/JPEG engine) error | restart
99 E RC_NVJPG1_ERROR | NVJPG1 (video/JPEG engine) error | restart
100 E RC_NVJPG2_ERROR | NVJPG2 (video/JPEG engine) error | restart
101 E RC_NVJPG3_ERROR | NVJPG3 (video/JPEG engine) error | restart
102 E RC_NVJPG4_ERROR | NVJPG4 (video/JPEG engine) error | restart
103 E RC_NVJPG5_ERROR | NVJPG5 (video/JPEG engine) error | restart
104 E RC_NVJPG6_ERROR | NVJPG6 (video/JPEG engine) error | restart
105 E RC_NVJPG7_ERROR | NVJPG7 (video/JPEG engine) error | restart
106 I SMBPBI_TEST_MESSAGE | out-of-band test message | none
107 I SMBPBI_TEST_MESSAGE_SILENT | out-of-band test message (silent) | none
108 - NVLINK_REMOTE_TRANSLATION_ERROR | reserved | exit
109 D RC_CTXSW_TIMEOUT_ERROR | context-switch timeout | reset
110 H SEC_FAULT_ERROR | security fault | firmware
111 - BUNDLE_ERROR_EVENT | formerly: display bundle error event | vendor
112 - DISP_SUPERVISOR_ERROR | formerly: display supervisor error | vendor
113 - DP_LT_FAILURE | formerly: DP link training error | vendor
114 - HEAD_RG_UNDERFLOW | formerly: display pipeline underflow error | vendor
115 - CORE_CHANNEL_REGS | formerly: display core channel error | vendor
116 - WINDOW_CHANNEL_REGS | formerly: display window channel error | vendor
117 - CURSOR_CHANNEL_REGS | formerly: display cursor channel error | vendor
118 - HEAD_REGS | formerly: display pixel pipeline error | vendor
119 D GSP_RPC_TIMEOUT | GSP firmware did not answer an RPC | firmware
120 D GSP_ERROR | GSP firmware error | firmware
121 W C2C_ERROR | chip-to-chip (Grace-Hopper) link error, corrected | watch
122 - SPI_PMU_RPC_READ_FAIL | formerly: SPI PMU RPC read failure | vendor
123 - SPI_PMU_RPC_WRITE_FAIL | formerly: SPI PMU RPC write failure | vendor
124 - SPI_PMU_RPC_ERASE_FAIL | formerly: SPI PMU RPC erase failure | vendor
125 - INFOROM_FS_ERROR | formerly: inforom FS failure | vendor
126 E RC_CE10_ERROR | copy engine 10 error | restart
127 E RC_CE11_ERROR | copy engine 11 error | restart
128 E RC_CE12_ERROR | copy engine 12 error | restart
129 E RC_CE13_ERROR | copy engine 13 error | restart
130 E RC_CE14_ERROR | copy engine 14 error | restart
131 E RC_CE15_ERROR | copy engine 15 error | restart
132 E RC_CE16_ERROR | copy engine 16 error | restart
133 E RC_CE17_ERROR | copy engine 17 error | restart
134 E RC_CE18_ERROR | copy engine 18 error | restart
135 E RC_CE19_ERROR | copy engine 19 error | restart
136 H ALI_TRAINING_FAIL | NVLink training failed | cable
137 A NVLINK_PRIV_ERR | NVLink access without permission (peer mapped memory gone or bad address) | exit
138 - RC_DLA_ERROR | reserved | vendor
139 E RC_OFA1_ERROR | OFA1 (optical flow) error | restart
140 H UNRECOVERABLE_ECC_ERROR_ESCAPE | unrecovered ECC error | reset
141 D RC_FAST_PATH_ERROR | CUDA fast-path error | watch
142 D RC_NVENC3_ERROR | video encoder 3 error | vendor
143 H GPU_INIT_ERROR | GPU initialisation error | reset
144 H NVLINK_SAW_ERROR | NVLink 5: SAW unit | link
145 H NVLINK_RLW_ERROR | NVLink 5: RLW unit | link
146 H NVLINK_TLW_ERROR | NVLink 5: TLW unit | link
147 H NVLINK_TREX_ERROR | NVLink 5: TREX unit | link
148 H NVLINK_NVLPW_CTRL_ERROR | NVLink 5: link control | link
149 H NVLINK_NETIR_ERROR | NVLink 5: NETIR (physical link event) | link
150 H NVLINK_MSE_ERROR | NVLink 5: MSE unit | link
151 D RC_KEY_ROTATION_ERROR | key rotation error (confidential computing) | vm
152 D RC_DLA_SMMU_ERROR | DLA SMMU error | watch
153 D RC_DLA_TIMEOUT | DLA timeout | watch
154 I GPU_RECOVERY_ACTION_CHANGED | recommended recovery action for the GPU changed (text names it) | text
155 H NVLINK_SW_DEFINED_ERROR | NVLink software-defined error | firmware
156 W RESOURCE_RETIREMENT_EVENT | resource retirement event | reset
157 H RESOURCE_RETIREMENT_FAILURE | resource retirement failed | watch
158 H GPU_FATAL_TIMEOUT | GPU fatal timeout | reset
159 H RC_CHI_NON_DATA_ERROR | CHI non-data error | driver
160 D CHANNEL_RETIREMENT_EVENT | channel retirement event | driver
161 D CHANNEL_RETIREMENT_FAILURE | channel retirement failed | driver
162 I PSHC_REENGAGED | power-smoothing circuit re-engaged | none
163 I PSHC_DISENGAGED | power-smoothing circuit disengaged | none
164 I PSHC_LOW_LIFETIME | power-smoothing circuit near end of life | none
165 I PSHC_ZERO_LIFETIME | power-smoothing circuit worn out | none
166 D NVLINK_SECURE_CRYPTO_ERR | encrypted NVLink traffic before link was ready | none
167 H PCIE_FATAL_TIMEOUT | PCIe fatal timeout | none
168 H REDUCED_GPU_MEMORY_CAPACITY | errors in the protected memory region; less memory | none
169 D SEC2_HALT_ERROR | security micro-controller halted | none
170 D NVLINK_SECURE_OTHER | NVLink secure-mode interrupt | none
171 H UNCORRECTABLE_DRAM_ERROR | detail for Xid 48: DRAM | none
172 H UNCORRECTABLE_SRAM_ERROR | detail for Xid 48: SRAM | none
173 H C2C_FATAL_LINK_FAILURE | chip-to-chip fatal link failure | none
174 C RC_RESETCHANNEL_KILL_PROCESS_SILENT | channel reset that kills the process silently | none
175 H MEMORY_SUBSYSTEM_ERROR | memory subsystem error | none
176 W PCIE_CORRECTABLE_ERROR_FAULT | PCIe correctable-error fault | none
"""


@lru_cache(maxsize=1)
def table() -> dict[int, Xid]:
    """All codes, ascending."""
    return {xid.code: xid for xid in map(_read, _TABLE.splitlines())}


def _read(row: str) -> Xid:
    head, meaning, action = row.split(" | ")
    code, kind, name = head.split(" ")
    return Xid(int(code), name, XidKind(kind), meaning, _ACTIONS[action])


def find(code: int) -> Xid | None:
    """A code's entry; None for codes that no driver has published."""
    return table().get(code)


def codes(*kinds: XidKind) -> tuple[int, ...]:
    """Codes of some kinds, ascending."""
    return tuple(code for code, xid in table().items() if xid.kind in kinds)
