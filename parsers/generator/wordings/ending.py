"""How a job ends once its first process is dead: what each launcher sees, kills and prints."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from logtui.parsers.generator.stage.spec import Layout, Survivors
from logtui.parsers.generator.stage.stage import KILLED, TERMINATED, Death, Stage
from logtui.parsers.generator.stage.world import Node
from logtui.parsers.generator.wordings import slurm
from logtui.parsers.generator.wordings.torchrun import SCRIPT, Agents, launch_line

Exits = list[tuple[float, Node, str]]
"""When which node's task ended, and srun's word for it."""


def end(stage: Stage) -> None:
    """Let the launcher of this layout find the deaths and end the rest."""
    _ENDINGS.get(stage.spec.layout, _torchrun)(stage)


def stop(stage: Stage, time: float) -> None:
    """Everything that still runs is ended from outside by SIGTERM: a limit, a cancel, a preemption."""
    alive = [n for n in stage.world.nodes if n.index not in stage.lost_nodes]
    if stage.spec.layout is Layout.MERGED:
        for node in alive:
            _terminate_node(stage, node, time + stage.jitter(0.05))
        _srun_tasks(stage, time)
    elif stage.spec.layout is Layout.PDSH:
        for node in alive:
            _killing(stage, node, time + stage.jitter(0.05), TERMINATED)
    else:
        agents = Agents(stage)
        exits = [(agents.interrupted(n, time + stage.jitter(0.05)), n, slurm.status(1)) for n in alive]
        _report_exits(stage, exits)


def slurmstepd(stage: Stage, time: float, why: str, *, mark: str = "", avoid: int = -1) -> None:
    """The step's cancellation, printed by one node of it; behind `srun --label` it carries a task's label."""
    node = next(n for n in stage.world.nodes if n.index not in {avoid, *stage.lost_nodes})
    text = slurm.cancelled(stage.spec, node.host, time, why)
    if stage.spec.layout is Layout.MERGED:
        text = f"{node.ranks[0]:>{len(str(stage.spec.world_size - 1))}}: {text}"
    stage.batch(time, text, mark=mark)


def _terminate_node(stage: Stage, node: Node, time: float) -> None:
    for rank in node.ranks:
        stage.die(rank, time + stage.jitter(0.4), TERMINATED)


def _first_deaths(stage: Stage) -> list[tuple[float, Node]]:
    agents = Agents(stage)
    found = ((agents.deaths(node), node) for node in stage.world.nodes)
    return sorted(((d[0].time, node) for d, node in found if d), key=lambda pair: pair[0])


def _torchrun(stage: Stage) -> None:
    agents, stop_at = Agents(stage), inf
    exits: Exits = []
    for first, node in _first_deaths(stage):
        if first > stop_at:
            break
        done = agents.collect(node)
        exits.append((done, node, "Out Of Memory" if node.index in stage.oom_nodes else slurm.status(1)))
        if stage.spec.survivors is Survivors.TERMINATED and stop_at == inf:
            stop_at = done + 1.0
    _end_others(stage, agents, exits, stop_at)
    _report_exits(stage, exits)


def _end_others(stage: Stage, agents: Agents, exits: Exits, stop_at: float) -> None:
    """Nodes without a death of their own are ended by srun."""
    ended = {node.index for _, node, _ in exits}
    others = [node for node in stage.world.nodes if node.index not in ended]
    if not others or not exits:
        return
    at = stop_at if stop_at < inf else max(t for t, _, _ in exits) + 30.0
    stage.batch(at - 0.2, f"srun: Terminating StepId={slurm.step(stage.spec)}")
    slurmstepd(stage, at - 0.1, slurm.by_task(stage.spec))
    for node in others:
        exits.append((agents.interrupted(node, at + stage.jitter(0.1)), node, slurm.status(1)))


def _report_exits(stage: Stage, exits: Exits) -> None:
    for done, node, status in sorted(exits, key=lambda e: e[0]):
        _oom_event(stage, node, done + 0.2)
        stage.batch(done + 0.3, slurm.task_line(node.host, [node.index], status))


def _oom_event(stage: Stage, node: Node, time: float) -> None:
    """The memory handler's line comes when the node's step ends, before srun's."""
    if node.index in stage.oom_nodes:
        stage.batch(time, slurm.oom_event(stage.spec), mark="oom")


def _ended(stage: Stage) -> list[Death]:
    """Ends of this attempt's ranks, without those of lost nodes, earliest first."""
    found = (d for d in stage.deaths.values() if d.attempt == stage.attempt)
    return sorted((d for d in found if stage.world.node(d.rank).index not in stage.lost_nodes), key=lambda d: d.time)


def _srun(stage: Stage) -> None:
    """One task a rank: srun sees the deaths themselves."""
    ended = _ended(stage)
    first, last = ended[0].time, ended[-1].time
    at_once = stage.spec.survivors is Survivors.TERMINATED
    if at_once or len(ended) < stage.spec.world_size:
        for node in stage.world.nodes:
            _terminate_node(stage, node, first + 1.2 if at_once else last + 2.0)
    _srun_tasks(stage, first + 0.6 if at_once else last + 1.5)


def _srun_tasks(stage: Stage, cancel_at: float) -> None:
    """srun's line for each node and way to die, and the cancellation of the rest between them."""
    groups: dict[tuple[int, str], list[Death]] = {}
    for death in _ended(stage):
        node = stage.world.node(death.rank)
        status = "Out Of Memory" if node.index in stage.oom_nodes and death.code == KILLED else slurm.status(death.code)
        groups.setdefault((node.index, status), []).append(death)
    for (index, status), deaths in groups.items():
        at = max(d.time for d in deaths) + 0.15
        ranks = [d.rank for d in deaths]
        if status == "Out Of Memory":
            _oom_event(stage, stage.world.nodes[index], at - 0.05)
        event = stage.batch(at, slurm.task_line(stage.world.nodes[index].host, ranks, status))
        event.marks |= {f"exit.{r}": 0 for r in ranks if status != slurm.status(TERMINATED)}
    if any(d.code != TERMINATED for d in _ended(stage)):
        stage.batch(cancel_at - 0.05, f"srun: Terminating StepId={slurm.step(stage.spec)}")
        slurmstepd(stage, cancel_at, slurm.by_task(stage.spec))


def _deepspeed(stage: Stage) -> None:
    """DeepSpeed's launch.py on each node, pdsh on the login host."""
    agents = Agents(stage)
    for first, node in _first_deaths(stage):
        code = agents.deaths(node)[0].code
        done = _killing(stage, node, first + 0.3 + stage.jitter(0.7), code)
        stage.batch(done + 0.4, f"pdsh@login01: {node.host}: ssh exited with exit code {code % 256}")
    for node in stage.world.nodes:
        if not agents.deaths(node):
            last = max(d.time for d in stage.deaths.values())
            _killing(stage, node, last + 31.0, TERMINATED)


def _killing(stage: Stage, node: Node, time: float, code: int) -> float:
    """launch.py kills every child of a node and says what ended first. Returns its end."""
    stage.stopped.setdefault(node.index, time)
    for rank in node.ranks:
        pid = stage.world.pid(rank, stage.attempt)
        stage.agent(node.index, time, launch_line(time, 319, "sigkill_handler", f"Killing subprocess {pid}"))
        stage.die(rank, time + 0.02, TERMINATED)
        time += 0.01 + stage.jitter(0.2)
    if code == TERMINATED:
        said, level, line = "Main process received SIGTERM, exiting", "INFO", 312
    else:
        command = [
            "/opt/venv/bin/python3",
            "-u",
            SCRIPT,
            f"--local_rank={len(node.ranks) - 1}",
            "--deepspeed",
            "ds_config.json",
        ]
        said, level, line = f"{command} exits with return code = {code}", "ERROR", 325
    first = min((d for r in node.ranks if (d := stage.deaths.get((r, stage.attempt)))), key=lambda d: d.time)
    text = launch_line(time, line, "sigkill_handler", said, level)
    stage.agent(node.index, time, text, mark="" if code == TERMINATED else f"exit.{first.rank}")
    return time


_ENDINGS: dict[Layout, Callable[[Stage], None]] = {Layout.MERGED: _srun, Layout.PDSH: _deepspeed}
