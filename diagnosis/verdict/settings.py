"""Settings that make a job say more, or fail less, under the names that its version of PyTorch has for them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from logtui.diagnosis.facts.case_facts import Facts
from logtui.parsers.advice import Advice, applies

NAMES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "recorder": (
        ("pytorch<2.2", ""),
        ("pytorch<2.8", "TORCH_NCCL_TRACE_BUFFER_SIZE=2000"),
        ("pytorch>=2.8", "TORCH_FR_BUFFER_SIZE=2000 (TORCH_NCCL_TRACE_BUFFER_SIZE)"),
    ),
    "on_timeout": (
        ("pytorch<2.2", ""),
        ("pytorch<2.15", "TORCH_NCCL_DUMP_ON_TIMEOUT=1"),
        ("pytorch>=2.15", "TORCH_FR_DUMP_ON_TIMEOUT=1"),
    ),
    "allocator": (
        ("pytorch<2.10", "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"),
        ("pytorch<2.11", "PYTORCH_ALLOC_CONF=expandable_segments:True"),
        ("pytorch>=2.11", "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"),
    ),
}
"""Placeholder → texts by version, the first that holds; "" where there is no such thing yet."""
WHATEVER_VERSION = {
    "recorder": "TORCH_NCCL_TRACE_BUFFER_SIZE=2000 (PyTorch 2.2 and later; also TORCH_FR_BUFFER_SIZE from 2.8)",
    "on_timeout": "TORCH_NCCL_DUMP_ON_TIMEOUT=1 (also TORCH_FR_DUMP_ON_TIMEOUT from 2.15)",
    "allocator": "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True (PYTORCH_ALLOC_CONF in 2.10)",
}


@cache
def names_for(pytorch: str | None) -> dict[str, str]:
    """What each placeholder stands for in a version of PyTorch; None where it is not known."""
    if pytorch is None:
        return WHATEVER_VERSION
    values = {"pytorch": pytorch}
    return {
        name: next(text for only, text in names if applies(Advice("training", text, only), values))
        for name, names in NAMES.items()
    }


def nccl_version(facts: Facts) -> str | None:
    """The version of NCCL that a banner or an error names; None where none does, or for RCCL."""
    for record in facts.case.records.of("nccl.version"):
        return record.fields.get("version") if record.fields.get("library") == "NCCL" else None
    for record in facts.case.records.with_prefix("comm"):
        if version := record.fields.get("version"):
            return version
    return None


def setting(facts: Facts, *names: str) -> str | None:
    """The value that a log shows for the first of some environment variables; None where it shows none."""
    for record in facts.case.records.of("environment.nccl"):
        if record.fields.get("name") in names:
            return record.fields.get("value", "")
    return None
