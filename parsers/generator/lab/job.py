"""Write a job of the lab: archives of the daemons as `ais log get cluster` leaves them, and the workers' log."""

from __future__ import annotations

from pathlib import Path

from logtui.parsers.generator.aistore.daemons import write_runs
from logtui.parsers.generator.aistore.spec import AisSpec, Packing
from logtui.parsers.generator.lab.clients import Workers
from logtui.parsers.generator.lab.cluster import Cluster
from logtui.parsers.generator.lab.faults import FIRST, TELLERS, Scene
from logtui.parsers.generator.lab.serving import STEP_S, Served
from logtui.parsers.generator.lab.spec import LabFault, LabSpec, LabTruth

ERRORS = "workers/error-5120-0.out"
_CLASSES: dict[LabFault, tuple[str, ...]] = {
    LabFault.SLOW_DISK: ("storage-io", "data-loading-stall", "slow-training"),
    LabFault.MISSING: ("data", "storage-io"),
    LabFault.PRIMARY: ("storage-io", "network", "infrastructure"),
    LabFault.CUT: ("storage-io", "network", "infrastructure"),
}
_RANKS: dict[LabFault, tuple[int, ...]] = {LabFault.SLOW_DISK: (0,), LabFault.MISSING: (1,)}


def write_lab(spec: LabSpec, directory: Path) -> LabTruth:
    """Write one job below a directory and return the truth about it, which is not written.

    Raises:
        OSError: if a file cannot be written.
    """
    scene = tell(spec)
    packed = AisSpec(
        version=spec.version, zone_s=spec.zone_s, skew_s=spec.skew_s, max_size=spec.rotates_at, packing=Packing.ARCHIVES
    )
    write_runs(scene.cluster.runs, packed, directory / "ais_logs")
    first = _write_workers(scene.workers, directory)
    classes = ("healthy",) if spec.harmless else _CLASSES.get(spec.fault, ("storage-io", "infrastructure"))
    at_proxy = spec.fault is LabFault.PRIMARY
    culprit = scene.cluster.proxies[0] if at_proxy else scene.culprit
    named = not spec.harmless and spec.fault is not LabFault.MISSING
    nodes = {n.id: n.name for n in scene.cluster.nodes}
    return LabTruth(classes, culprit.id if named else "", _RANKS.get(spec.fault), first, nodes)


def tell(spec: LabSpec) -> Scene:
    """A whole job, before any file."""
    cluster = Cluster(spec, 3 if spec.fault is LabFault.PRIMARY else 1)
    end, began = spec.at + spec.after_s, spec.at - spec.before_s
    served, workers = Served(cluster, began), Workers(cluster, cluster.rng)
    served.form(end)
    scene = Scene(cluster, served, workers, spec.at, end)
    ends = TELLERS[spec.fault](scene)
    collapse = None if spec.recovers else ends
    over = spec.at if collapse is not None else end - 30
    served.serve(over)
    served.tick(end, collapse or over)
    stall = (spec.at, ends - spec.at) if spec.recovers and ends else (over, 0.0)
    steps = workers.train(served.job_start, over, STEP_S, stall)
    if collapse is not None:
        workers.collapse(collapse)
    else:
        workers.done(over, steps)
    for run in cluster.runs:
        run.said.sort(key=lambda s: s.time)
    return scene


def _write_workers(workers: Workers, directory: Path) -> tuple[tuple[str, int], ...]:
    (directory / ERRORS).parent.mkdir(parents=True, exist_ok=True)
    text: list[str] = []
    first = []
    for line in sorted(workers.lines, key=lambda x: x.time):
        if line.mark == FIRST:
            first.append((ERRORS, len(text) + 1))
        text += line.text.split("\n")
    (directory / ERRORS).write_text("\n".join(text) + "\n", encoding="utf-8")
    return tuple(first)
