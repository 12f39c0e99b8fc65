"""Which collective a program called, by its own stack."""

from __future__ import annotations

from logtui.diagnosis.facts.exceptions import ExceptionFact

COLLECTIVES = frozenset(
    "all_reduce all_gather all_gather_into_tensor all_gather_object all_to_all all_to_all_single barrier broadcast "
    "broadcast_object_list gather reduce reduce_scatter reduce_scatter_tensor scatter monitored_barrier".split()
)
LIBRARY = "torch/distributed/"


def called_collective(fact: ExceptionFact) -> str:
    """The collective the program called: the first frame inside the library; "" where it called none."""
    for frame in fact.traceback.frames:
        if LIBRARY in frame.file and frame.function in COLLECTIVES:
            return frame.function
    return ""


def is_other_call(call: str, operation: str) -> bool:
    """Whether a call of the program cannot be an operation as the watchdog names it: `all_gather` and `BROADCAST`."""
    ours = call.replace("_", "").removesuffix("intotensor").removesuffix("object").removesuffix("objectlist")
    theirs = operation.replace("_", "").lower()
    return bool(ours and theirs) and not theirs.startswith(ours) and ours not in ("barrier", "monitoredbarrier")
