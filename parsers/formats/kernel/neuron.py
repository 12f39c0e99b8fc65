"""AWS Neuron: the runtime's words about Trainium and Inferentia devices, and its kernel driver's."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_ERROR = "2026-Jan-02 03:04:05.000057 4242:4243 ERROR  "

FORMAT = LineFormat(
    name="neuron",
    title="AWS Neuron runtime and driver",
    reference="aws-neuron/aws-neuron-sdk neuron-runtime/nrt-troubleshoot.rst and deploy/troubleshooting.rst, 2.5 to 2.33",
    patterns=(
        Pattern(
            name="neuron.hardware",
            anchors=(
                "ncorrectable memory error is detected",
                "ncorrectable HBM memory error",
                "NEURON_HW_ERR=",
                "NRT_EXEC_HW_ERR_",
            ),
            regex=r"(?P<what>Uncorrectable (?:HBM )?memory error is detected|NEURON_HW_ERR=\w{1,60}|NRT_EXEC_HW_ERR_(?!REPAIRABLE)\w{1,40})",
            samples=(
                Sample(
                    _ERROR + "TDRV:exec_process (FATAL-RT-UNDEFINED-STATE) [ND 5][NC 7] Uncorrectable memory error is "
                    "detected, metadata: 0x57.",
                    {"what": "Uncorrectable memory error is detected"},
                ),
                Sample(
                    "[57.1] neuron: NEURON_HW_ERR=DMA_ABORT hostname=node007 nd-id=5",
                    {"what": "NEURON_HW_ERR=DMA_ABORT"},
                ),
                Sample("nrt_execute status=1204, NRT_EXEC_HW_ERR_DMA_ABORT", {"what": "NRT_EXEC_HW_ERR_DMA_ABORT"}),
            ),
            role=Role.CAUSE,
            marks=(Mark.GPU_FAULT,),
            cls=FailureClass.GPU_HARDWARE,
            weight=91,
            title="a Neuron device failed: {what}",
            advice=(Advice("hardware", "stop and start the instance[ {host}], or let the cloud replace it"),),
        ),
        Pattern(
            name="neuron.memory",
            anchors=("DEVICE memory", "mc_alloc: device mempool"),
            regex=r"[Ff]ailed to alloc\w* (?:\S{1,40} ){0,3}DEVICE memory|mc_alloc: device mempool .{0,120} needed (?P<bytes>\d{1,15})",
            samples=(
                Sample(
                    "kernel: [57.1] neuron:mc_alloc: device mempool [0:0] total 5700 occupied 5690 needed 57 available 10",
                    {"bytes": "57"},
                ),
                Sample(_ERROR + "TDRV:dmem_alloc Failed to alloc DEVICE memory: 57"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.GPU_OOM,
            weight=80,
            title="a Neuron device is full",
        ),
        Pattern(
            name="neuron.no_device",
            anchors=("No neuron device available", "NeuronCore(s) not available", "Could not open the nd"),
            regex=r"No neuron device available|NeuronCore\(s\) not available - Requested:(?P<cores>[\w-]{1,40})|Could not open the nd\d",
            samples=(
                Sample(_ERROR + "TDRV:tdrv_get_dev_info No neuron device available"),
                Sample(
                    _ERROR
                    + "NRT:nrt_allocate_neuron_cores NeuronCore(s) not available - Requested:nc5-nc7 Available:0",
                    {"cores": "nc5-nc7"},
                ),
                Sample(_ERROR + "TDRV:tdrv_init_mla_phase1 Could not open the nd5"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=62,
            title="no Neuron device could be had",
            note="Held by another process, or not given to the container.",
        ),
        Pattern(
            name="neuron.driver",
            anchors=("NRT:nrt_init ",),
            regex=r"NRT:nrt_init\s+(?P<why>Unable to determine Neuron Driver version|This runtime requires Neuron Driver version \S{1,20})",
            samples=(
                Sample(
                    _ERROR + "NRT:nrt_init      This runtime requires Neuron Driver version 5.7 or greater.",
                    {"why": "This runtime requires Neuron Driver version 5.7"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=70,
            title="Neuron's runtime and driver do not fit",
        ),
        Pattern(
            name="neuron.out_of_bounds",
            anchors=("Received notification generated at runtime: failed to run",),
            regex=r"Received notification generated at runtime: failed to run (?P<what>.{1,60}?), due to out-of-bound",
            samples=(
                Sample(
                    _ERROR
                    + "TDRV:generate_custom_notification_msg nd5:nc7:h_model.id57: Received notification generated "
                    "at runtime: failed to run gather, due to out-of-bound access",
                    {"what": "gather"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CUDA_SOFTWARE,
            weight=66,
            title="a kernel on a Neuron device read out of bounds",
            note="The model was given indices that its tables do not have.",
        ),
        Pattern(
            name="neuron.unrecoverable",
            anchors=("NRT_EXEC_UNIT_UNRECOVERABLE",),
            regex=r"\b(?P<status>NRT_EXEC_UNIT_UNRECOVERABLE)\b",
            samples=(Sample("the model failed: NRT_EXEC_UNIT_UNRECOVERABLE status_code=57"),),
            role=Role.CAUSE,
            cls=FailureClass.GPU_HARDWARE,
            weight=72,
            title="an execution unit of a Neuron device failed for good",
            note="Mostly the device; a kernel of the program's own may do it too.",
        ),
        Pattern(
            name="neuron.stuck",
            anchors=("(FATAL-RT-UNDEFINED-STATE)", "suspected hang in collectives"),
            regex=r"\(FATAL-RT-UNDEFINED-STATE\) (?:\[ND \d+\]\[NC \d+\] )?(?P<what>execution timeout|inference timeout|missing collectives status)",
            samples=(
                Sample(
                    _ERROR
                    + "TDRV:exec_consume (FATAL-RT-UNDEFINED-STATE) execution timeout (57000 ms) on Neuron Device 5",
                    {"what": "execution timeout"},
                ),
            ),
            role=Role.SYMPTOM,
            title="a Neuron device did not finish",
            note="It waits for others as long as their hardware or program does not come.",
        ),
    ),
)
