"""Where the driver itself reports a fault of the GPU: what a program then raises is that fault's echo."""

from __future__ import annotations

from logtui.diagnosis.facts import Facts
from logtui.parsers.pattern import FailureClass, Mark
from logtui.parsers.record import Record

WITHIN_S = 3600.0
"""Clocks of the kernel and of the job differ, and a hung GPU raises late."""


def driver_blames_gpu(facts: Facts, cls: FailureClass | None, host: str | None, record: Record) -> str:
    """Where the driver names a fault of the GPU on the host of a CUDA error, about when it was raised; else ""."""
    if cls is not FailureClass.CUDA_SOFTWARE:
        return ""
    for fault in facts.case.records.marked(Mark.GPU_FAULT):
        if not facts.recovered(fault) and _same_host(facts, fault, host) and _near(fault, record):
            place = f"{facts.case.file_name(fault)}:{fault.line}"
            return f"the driver reports a fault of the GPU itself ({place})"
    return ""


def _same_host(facts: Facts, fault: Record, host: str | None) -> bool:
    other = facts.identity.host_of(fault)
    return host is None or other is None or host.split(".")[0] == other.split(".")[0]


def _near(fault: Record, record: Record) -> bool:
    if fault.time is None or record.time is None:
        return True
    return abs(fault.time - record.time) <= WITHIN_S
