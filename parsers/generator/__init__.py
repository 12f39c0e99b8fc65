"""Writes whole jobs with known truth, for demos, tests and benchmarks. Deterministic from a seed.

from logtui.parsers.generator import Fault, JobSpec, generate

truth = generate(JobSpec(fault=Fault.DATA_STALL, world_size=128), directory)
"""

from __future__ import annotations

from logtui.parsers.generator.demos import DEMOS, demo_directory
from logtui.parsers.generator.flight_recorder import write_dumps
from logtui.parsers.generator.job import generate
from logtui.parsers.generator.stage.spec import (
    VERSIONS,
    Fault,
    Framework,
    JobSpec,
    Layout,
    NcclState,
    Place,
    Survivors,
    Truth,
)

__all__ = [
    "DEMOS", "VERSIONS", "Fault", "Framework", "JobSpec", "Layout", "NcclState", "Place", "Survivors", "Truth",
    "demo_directory", "generate", "write_dumps",
]  # fmt: skip
