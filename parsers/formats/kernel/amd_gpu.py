"""AMD's kernel driver: memory errors, hung rings, resets, page faults. What the runtime prints: gpu_faults, cuda_errors."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_PCI = r"amdgpu (?P<pci>[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.\d): "
_HEAD = "[571234.567890] amdgpu 0000:c9:00.0: amdgpu: "

FORMAT = LineFormat(
    name="amd_gpu",
    title="AMD kernel driver",
    reference="torvalds/linux drivers/gpu/drm/amd/amdgpu amdgpu_ras.c, amdgpu_job.c, amdgpu_device.c, gmc_v9_0.c; 5.15 to 6.14",
    patterns=(
        Pattern(
            name="amdgpu.uncorrectable",
            anchors=(" uncorrectable hardware errors detected in", " uncorrectable errors detected in total"),
            regex=_PCI
            + r".*?\b(?P<count>[1-9]\d*) (?:new )?uncorrectable (?:hardware )?errors detected in (?P<block>\w+)",
            samples=(
                Sample(
                    _HEAD + "2 uncorrectable hardware errors detected in umc block",
                    {"pci": "0000:c9:00.0", "count": "2", "block": "umc"},
                ),
            ),
            role=Role.CAUSE,
            marks=(Mark.GPU_FAULT,),
            cls=FailureClass.GPU_HARDWARE,
            weight=91,
            title="a GPU counted uncorrectable errors",
            advice=(
                Advice(
                    "hardware",
                    "reset the GPU {pci}[ on {host}], retire its bad pages (rocm-smi --showretiredpages), replace it "
                    "if it counts more",
                ),
            ),
        ),
        Pattern(
            name="amdgpu.lost",
            anchors=(
                "amdgpu: device lost from bus",
                "amdgpu: GPU reset end with ret = -",
                "amdgpu: GPU Recovery Failed",
            ),
            regex=_PCI + r"amdgpu: (?P<what>device lost from bus|GPU reset end with ret = -\d+|GPU Recovery Failed)",
            samples=(Sample(_HEAD + "device lost from bus!", {"what": "device lost from bus"}),),
            role=Role.CAUSE,
            marks=(Mark.GPU_FAULT,),
            cls=FailureClass.GPU_HARDWARE,
            weight=91,
            title="a GPU is lost",
            advice=(
                Advice("hardware", "reboot the node[ {host}]; reseat or replace the GPU {pci} if it is lost again"),
            ),
        ),
        Pattern(
            name="amdgpu.ring_timeout",
            anchors=("*ERROR* ring ", "amdgpu: ring "),
            regex=r"(?:\*ERROR\*|amdgpu:) ring (?P<ring>[\w.]+) timeout",
            samples=(
                Sample(
                    "[571234.567890] [drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring comp_1.0.0 timeout, signaled seq=57, emitted seq=59",
                    {"ring": "comp_1.0.0"},
                ),
                Sample(_HEAD + "ring sdma0 timeout, signaled seq=57, emitted seq=59", {"ring": "sdma0"}),
            ),
            role=Role.CAUSE,
            marks=(Mark.GPU_FAULT,),
            cls=FailureClass.GPU_HARDWARE,
            weight=80,
            title="a GPU engine hangs",
            advice=(
                Advice(
                    "hardware",
                    "reset the GPU[ on {host}] and test it (rvs); where it is one kernel that hangs it, debug that",
                ),
            ),
        ),
        Pattern(
            name="amdgpu.reset",
            anchors=("GPU reset begin!", "HW hang", "failed to suspend gfx"),
            regex=r"amdgpu: (?P<what>GPU reset begin!)",
            samples=(Sample(_HEAD + "GPU reset begin!", {"what": "GPU reset begin!"}),),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=76,
            title="the driver resets a GPU",
            note="Everything that runs on it is lost, whether or not the reset succeeds.",
        ),
        Pattern(
            name="amdgpu.poison",
            anchors=("RAS poison consumption", "poison is consumed by", "Fatal error during GPU init"),
            regex=_PCI + r".{0,80}?(?P<what>RAS poison consumption|poison is consumed by|Fatal error during GPU init)",
            samples=(
                Sample(
                    _HEAD + "RAS poison consumption, unmap queue flow succeeded: client id 57",
                    {"what": "RAS poison consumption"},
                ),
            ),
            role=Role.CAUSE,
            marks=(Mark.GPU_FAULT,),
            cls=FailureClass.GPU_HARDWARE,
            weight=86,
            title="a GPU read memory that it had marked as broken, or did not start",
        ),
        Pattern(
            name="amdgpu.xgmi",
            anchors=("amdgpu: XGMI: ", "amdgpu: xgmi: "),
            regex=_PCI + r"amdgpu: (?i:xgmi): (?P<what>.{0,60}(?i:fail).{0,80})",
            samples=(
                Sample(
                    _HEAD + "XGMI: Get topology failure on device 57, hive 75, ret -22",
                    {"what": "Get topology failure on device 57, hive 75, ret -22"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=80,
            title="the links between AMD GPUs do not come up",
        ),
        Pattern(
            name="amdgpu.firmware",
            anchors=(
                "*ERROR* PSP ",
                "PSP firmware loading failed",
                "MES failed to re",
                "Queue preemption time out",
                "SMU: I'm not done with your previous command",
                "MES might be in unrecoverable state",
            ),
            regex=r"amdgpu.{0,80}(?P<what>PSP \w[\w ]{0,40}failed|MES failed to re\w+ .{1,60}|Queue preemption time out"
            r"|SMU: I'm not done with your previous command|MES might be in unrecoverable state)",
            samples=(
                Sample(
                    _HEAD + "MES failed to respond to msg=ADD_QUEUE", {"what": "MES failed to respond to msg=ADD_QUEUE"}
                ),
                Sample("[571234.567890] [drm:psp_hw_start [amdgpu]] *ERROR* PSP load kdb failed!"),
            ),
            role=Role.CAUSE,
            marks=(Mark.GPU_FAULT,),
            cls=FailureClass.GPU_HARDWARE,
            weight=74,
            bulk=True,
            title="the firmware of an AMD GPU does not answer",
            advice=(Advice("hardware", "reboot the node[ {host}]; update driver and firmware where it comes back"),),
        ),
        Pattern(
            name="amdgpu.page_fault",
            anchors=("amdgpu: [gfxhub", "amdgpu: [mmhub", "amdgpu: VM_CONTEXT"),
            regex=_PCI + r"amdgpu: \[(?P<hub>\w+)\] (?:no-retry |retry )?page fault",
            samples=(
                Sample(
                    _HEAD
                    + "[gfxhub0] no-retry page fault (src_id:0 ring:24 vmid:3 pasid:32769, for process python3 pid 4242 "
                    "thread python3 pid 4242)",
                    {"pci": "0000:c9:00.0", "hub": "gfxhub0"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CUDA_SOFTWARE,
            weight=66,
            bulk=True,
            title="GPU page fault, usually the program's",
        ),
    ),
)
