"""A hang whose cause lies outside the job: the cluster that serves the data, told from both sides."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from logtui.parsers.generator.aistore.daemons import write_daemons
from logtui.parsers.generator.aistore.spec import AisFault, AisSpec, AisTruth, ClientEvent
from logtui.parsers.generator.aistore.story import Story
from logtui.parsers.generator.faults.scene import Told, blame, culprits, fault_step, until_fault
from logtui.parsers.generator.stage import clock
from logtui.parsers.generator.stage.spec import Fault, JobSpec
from logtui.parsers.generator.stage.stage import Stage, hang, wait_for
from logtui.parsers.generator.wordings.ending import end
from logtui.parsers.generator.wordings.hang import write_hang
from logtui.parsers.generator.wordings.training import SHARD_EVERY, opening
from logtui.parsers.pattern import FailureClass

WORKERS_AHEAD_S = -8 * 3600
"""The workers print Pacific time, the daemons UTC."""
CUT_AFTER_S = 0.4
"""After the step before the fault a batch is cut short."""
DAEMONS_BEFORE_S = 3 * 3600.0
DAEMONS_AFTER_S = 1800.0
ROTATES_AT = 50_000
"""Bytes: some files for each daemon."""
FAILING_S = 60.0
"""Clients' lines from so long before the cut on are those of the rank that stalls; earlier ones recover."""


def cluster_of(spec: JobSpec) -> AisSpec:
    """The cluster that the job of a storage stall reads from."""
    stage = Stage(spec)
    return _cluster(stage, until_fault(stage))


def write_cluster(spec: JobSpec, directory: Path) -> AisTruth:
    """Write the daemons' logs of a job; a target that has no part in the failure has removed its oldest file.

    Raises:
        OSError: if they cannot be written.
    """
    truth = write_daemons(cluster_of(spec), directory)
    calm = [f for f in truth.files if f.node not in (truth.culprit, truth.assembler) and "target" in f.name]
    oldest = min(calm, key=lambda f: (f.start, f.name))
    (directory / oldest.name).unlink()
    return replace(truth, files=tuple(f for f in truth.files if f != oldest))


def _cluster(stage: Stage, fault: float) -> AisSpec:
    """All disks of one target saturate; another waits for it, and cuts a batch short when the fault begins."""
    trained = fault - stage.trained_from
    return AisSpec(
        fault=AisFault.DISK_PRESSURE,
        failure=fault + CUT_AFTER_S - WORKERS_AHEAD_S,
        history_s=DAEMONS_BEFORE_S + trained,
        aftermath_s=DAEMONS_AFTER_S,
        job_s=trained,
        targets=4,
        disks=8,
        ranks=stage.spec.world_size,
        max_size=ROTATES_AT,
        seed=stage.spec.seed,
    )


def storage_stall(stage: Stage) -> None:
    """A batch is cut short; its rank fetches the rest one by one from slow disks, and all others wait for it."""
    at, late = until_fault(stage), culprits(stage)
    _clients(stage, _cluster(stage, at), late[0])
    opening(stage, late[0], at + CUT_AFTER_S + 0.6, fault_step(stage) + SHARD_EVERY, mark=f"last_words.{late[0]}")
    write_hang(stage, hang(stage, wait_for(stage, late, at + 1.5), late))
    end(stage)
    title = f"rank {late[0]} never entered the collective that the others wait in: storage cut its batch short"
    also = (f"last_words.{late[0]}", f"observed.{late[0]}", f"received.{late[0]}")
    accept = (FailureClass.DATA_LOADING_STALL,)
    blame(stage, FailureClass.STORAGE_IO, title, late[:1], first=f"client.{late[0]}", also=also, accept=accept)


def _clients(stage: Stage, cluster: AisSpec, culprit: int) -> None:
    for event in Story(cluster).clients:
        time = event.time + WORKERS_AHEAD_S
        if time > stage.trained_from:
            rank = culprit if event.time > cluster.failure - FAILING_S else event.rank
            stage.rank(rank, time, _line(event, rank, time), mark=f"client.{rank}")


def _line(event: ClientEvent, rank: int, time: float) -> str:
    return f"{clock.comma(time)} {event.level}: [rank{rank}]: {event.text}"


FAULTS: Told = {
    Fault.STORAGE_STALL: storage_stall,
}
