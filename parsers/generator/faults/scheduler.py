"""Ends that come from outside the program: limits, cancels, preemptions, dead nodes."""

from __future__ import annotations

from logtui.parsers.generator.faults.scene import Told, blame, culprits, until_fault
from logtui.parsers.generator.stage.spec import Fault, Layout
from logtui.parsers.generator.stage.stage import KILLED, Stage
from logtui.parsers.generator.wordings import slurm
from logtui.parsers.generator.wordings.ending import slurmstepd, stop
from logtui.parsers.pattern import FailureClass

NODE_DOWN_S = 300.0
"""SLURM gives up on a silent node after so long."""


def _cancelled(stage: Stage, why: str, title: str) -> None:
    at = until_fault(stage) + 0.7 * stage.spec.step_s
    if stage.spec.layout is not Layout.PDSH:
        slurmstepd(stage, at, why, mark="cancel")
    host = stage.world.nodes[0].host
    stage.batch(at + 0.01, slurm.cancelled(stage.spec, host, at, why, "JOB"), mark="cancel.job")
    stop(stage, at + 0.02)
    first = "cancel.job" if stage.spec.layout is Layout.PDSH else "cancel"
    blame(stage, FailureClass.INFRASTRUCTURE, title, first=first, also=("cancel.job",))


def time_limit(stage: Stage) -> None:
    """The job runs into its time limit while all is well."""
    _cancelled(stage, "TO TIME LIMIT", "the job ran into its time limit")


def preempted(stage: Stage) -> None:
    """A job of higher priority takes the nodes."""
    _cancelled(stage, "TO PREEMPTION", "the job was preempted")


def cancelled(stage: Stage) -> None:
    """Somebody cancels the job; before SLURM 25.05 the line gives no reason."""
    _cancelled(stage, slurm.by_signal(stage.spec), "the job was cancelled by a person or a script")


def node_failure(stage: Stage) -> None:
    """A node goes down; its ranks fall silent, and SLURM notices minutes later."""
    at = until_fault(stage) + 0.4 * stage.spec.step_s
    node = stage.world.node(culprits(stage)[0])
    stage.lost_nodes.add(node.index)
    for rank in node.ranks:
        stage.die(rank, at, KILLED)
    noticed = at + NODE_DOWN_S
    if stage.spec.layout is Layout.PDSH:
        stage.batch(noticed, f"pdsh@login01: {node.host}: ssh exited with exit code 255", mark="node")
    else:
        stage.batch(noticed, f"srun: error: Node failure on {node.host}", mark="node")
        stage.batch(noticed + 0.01, "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.")
        slurmstepd(
            stage, noticed + 0.3, "TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS", mark="cancel", avoid=node.index
        )
    stop(stage, noticed + 0.5)
    title = f"{node.host} went down"
    blame(stage, FailureClass.INFRASTRUCTURE, title, node.ranks, first="node", also=("cancel",))


FAULTS: Told = {
    Fault.TIME_LIMIT: time_limit,
    Fault.PREEMPTED: preempted,
    Fault.CANCELLED: cancelled,
    Fault.NODE_FAILURE: node_failure,
}
