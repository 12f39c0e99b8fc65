"""Whether the files are those of a job that is one process: what fails in it is its rank 0."""

from __future__ import annotations

from logtui.diagnosis.facts import Facts
from logtui.parsers.pattern import FailureClass, Trait
from logtui.parsers.registry import registry
from logtui.parsers.source import FileKind

STREAMS = 2
"""A process writes two files at most: its output and its errors."""
LIBRARIES = ("/distributed/", "megatron", "deepspeed", "/fsdp/", "horovod", "colossalai")
"""In the path of a frame: the program runs with others."""
NOBODYS = frozenset({FailureClass.INFRASTRUCTURE, FailureClass.HEALTHY, FailureClass.SLOW_TRAINING})
"""Verdicts that blame no process."""


def sole_process(facts: Facts) -> bool:
    """Whether one process is all there is: the job says so, or it is seen at work and nothing speaks of another.

    False where that is not known: for excerpts, kernel logs, dumps and daemon logs alone.
    """
    workers = [f for f in facts.case.files if f.kind in (FileKind.WORKER, FileKind.UNKNOWN)]
    if not workers or set(facts.seen_ranks) - {0} or (facts.job.nodes or 1) > 1:
        return False
    if facts.job.world_size is not None:
        return facts.job.world_size == 1
    together, at_work = (facts.areas & registry().areas_with(t) for t in (Trait.TOGETHER, Trait.AT_WORK))
    if len(workers) != len(facts.case.files) or together or facts.job.scheduler is not None:
        return False
    return _one_gpu(facts) or (len(workers) <= STREAMS and bool(at_work) and not _with_others(facts))


def _one_gpu(facts: Facts) -> bool:
    attached = [r.number("attached") for r in facts.case.records.of("nvidia_smi.attached")]
    return bool(attached) and set(attached) == {1}


def _with_others(facts: Facts) -> bool:
    frames = (f.file for e in facts.exceptions for f in (*e.traceback.frames, *e.traceback.root.frames))
    return any(word in path for path in frames for word in LIBRARIES)
