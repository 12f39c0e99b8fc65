"""How a job starts: what the launcher of each layout prints before the processes do."""

from __future__ import annotations

from logtui.parsers.generator import clock
from logtui.parsers.generator.spec import Layout
from logtui.parsers.generator.stage import Stage
from logtui.parsers.generator.torchrun import Agents
from logtui.parsers.generator.world import TORCHRUN_LAYOUTS

_STARS = "*****************************************"
_OMP = (
    "Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being "
    "overloaded, please further tune the variable for optimal performance in your application as needed. "
)


def write_launch(stage: Stage, time: float) -> None:
    """The launcher's first lines on each node."""
    if stage.spec.layout in TORCHRUN_LAYOUTS:
        _torchrun(stage, time)
    elif stage.spec.layout is Layout.PDSH:
        _deepspeed(stage, time)


def _torchrun(stage: Stage, time: float) -> None:
    agents = Agents(stage)
    line = 600 + 19 * stage.version[1]
    for node in stage.world.nodes:
        at = time + stage.jitter(2.0)
        for text in ("", _STARS, _OMP, _STARS):
            agents.note(node, at, "WARNING", "torch/distributed/run.py", line, text)


def _deepspeed(stage: Stage, time: float) -> None:
    mapping = {node.host: list(node.ranks) for node in stage.world.nodes}
    for node in stage.world.nodes:
        at = time + stage.jitter(2.0)
        devices = ",".join(map(str, range(len(node.ranks))))
        said = [
            (155, f"nnodes={len(stage.world.nodes)}, num_local_procs={len(node.ranks)}, node_rank={node.index}"),
            (164, f"global_rank_mapping=defaultdict(<class 'list'>, {mapping})"),
            (165, f"dist_world_size={stage.spec.world_size}"),
            (167, f"Setting CUDA_VISIBLE_DEVICES={devices}"),
        ]
        for number, text in said:
            stage.agent(node.index, at, launch_line(at, number, "main", text))


def launch_line(time: float, line: int, function: str, text: str, level: str = "INFO") -> str:
    """A line of DeepSpeed's per-node launcher."""
    return f"[{clock.comma(time)}] [{level}] [launch.py:{line}:{function}] {text}"
