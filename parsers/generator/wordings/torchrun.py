"""What torchrun writes, from its start to the end of its workers."""

from __future__ import annotations

import signal
from bisect import bisect_right

from logtui.parsers.generator.stage import clock
from logtui.parsers.generator.stage.spec import Layout, Version
from logtui.parsers.generator.stage.stage import TERMINATED, Death, Stage
from logtui.parsers.generator.stage.world import TORCHRUN_LAYOUTS, Node
from logtui.parsers.generator.wordings.errors import SITE, Frame, chained, traceback

# -- Agents: one a node, supervising its ranks and writing the failure block
#
# Source: torch/distributed/elastic (multiprocessing/api.py, agent/server/api.py, multiprocessing/errors), 1.12 to
# 2.15.

SCRIPT = "/workspace/train.py"
PYTHON = "/opt/venv/bin/python3"
_API = "torch/distributed/elastic/multiprocessing/api.py"
_SERVER = "torch/distributed/elastic/agent/server/api.py"
_LINES: tuple[tuple[Version, tuple[int, int, int]], ...] = (
    ((1, 12), (697, 671, 715)), ((1, 13), (699, 673, 715)), ((2, 0), (698, 672, 729)), ((2, 1), (703, 676, 742)),
    ((2, 2), (696, 669, 733)), ((2, 3), (851, 826, 741)), ((2, 4), (858, 833, 688)), ((2, 5), (897, 869, 704)),
    ((2, 6), (897, 869, 719)), ((2, 7), (900, 874, 719)), ((2, 8), (900, 874, 723)), ((2, 9), (908, 882, 725)),
    ((2, 10), (1010, 984, 739)), ((2, 14), (1028, 1002, 753)),
)  # fmt: skip
"""Source lines of `Sending process`, `failed (exitcode`, `death signal`, from the release on."""


def log_head(version: Version, level: str, module: str, path: str, line: int, time: float, pid: int) -> str:
    """The header of torch's Python loggers: three styles over the releases."""
    name = module.replace("/", ".").removesuffix(".py")
    if version <= (2, 0):
        return f"{level}:{name}:"
    if version <= (2, 2):
        return f"[{clock.comma(time)}] {name}: [{level}] "
    ident = 139_000_000_000_000 + pid * 4096 if version <= (2, 4) else pid
    return f"{level[0]}{clock.padded(time)} {ident} {path}:{line}] "


def lines_of(version: Version) -> tuple[int, int, int]:
    """Source lines of `Sending process`, `failed (exitcode` and `death signal` in a release."""
    return _LINES[bisect_right(_LINES, version, key=lambda row: row[0]) - 1][1]


def poll_s(version: Version) -> float:
    """How long an agent may take to see that a process of its node ended: 5 s up to 2.3, then 0.1 s."""
    return 0.15 if version >= (2, 4) else 5.0


class Agents:
    """What the launcher of each node prints about one attempt."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.sending, self.failed, self.death_signal = lines_of(stage.version)

    def _log(self, node: Node, time: float, level: str, path: str, line: int, text: str, mark: str = "") -> None:
        head = log_head(self.stage.version, level, path, path, line, time + node.skew_s, node.agent_pid)
        self.stage.agent(node.index, time, head + text, mark=mark)

    def note(self, node: Node, time: float, level: str, path: str, line: int, text: str, mark: str = "") -> None:
        """Any line of an agent."""
        self._log(node, time, level, path, line, text, mark)

    def deaths(self, node: Node) -> list[Death]:
        """Ends of this attempt's ranks on a node, earliest first."""
        found = (self.stage.deaths.get((r, self.stage.attempt)) for r in node.ranks)
        return sorted((d for d in found if d is not None), key=lambda d: d.time)

    def collect(self, node: Node, *, final: bool = True) -> float:
        """The agent notices the first death on its node, ends the others and reports. Returns when it is done.

        Between two looks several may have died: it cannot tell which was the first, and takes the lowest rank.
        """
        seen = self.deaths(node)[0].time + 0.05 + self.stage.jitter(poll_s(self.stage.version))
        first = min((d for d in self.deaths(node) if d.time <= seen), key=lambda d: d.rank)
        self.send_term(node, seen)
        local = self.stage.world.local(first.rank)
        what = f"failed (exitcode: {first.code}) local_rank: {local} (pid: {self.pid(first.rank)}) of binary: {PYTHON}"
        done = seen + 0.2 + self.stage.jitter(0.4)
        self._log(node, done, "ERROR", _API, self.failed, what, f"exit.{first.rank}")
        if final:
            self._block(node, done + 0.05, seen)
        return done + 0.3

    def send_term(self, node: Node, time: float) -> None:
        """SIGTERM to each rank of a node that still lives."""
        self.stage.stopped.setdefault(node.index, time)
        for rank in node.ranks:
            death = self.stage.deaths.get((rank, self.stage.attempt))
            if death is None or death.time > time:
                what = f"Sending process {self.pid(rank)} closing signal SIGTERM"
                self._log(node, time, "WARNING", _API, self.sending, what)
                self.stage.die(rank, time + 0.02 + self.stage.jitter(0.05), TERMINATED)
                time += 0.0004

    def interrupted(self, node: Node, time: float, number: int = 15) -> float:
        """The agent itself gets a signal from outside: no failure block, a traceback instead. Returns its end."""
        self._log(
            node, time, "WARNING", _SERVER, self.death_signal, f"Received {number} death signal, shutting down workers"
        )
        self.send_term(node, time + 0.001)
        done = time + 0.4 + self.stage.jitter(0.8)
        self.stage.agent(node.index, done, _signal_traceback(node.agent_pid, number, self.stage.version))
        return done + 0.1

    def pid(self, rank: int) -> int:
        """A rank's process in the current attempt."""
        return self.stage.world.pid(rank, self.stage.attempt)

    def _block(self, node: Node, time: float, seen: float) -> None:
        deaths = sorted(self.deaths(node), key=lambda d: d.rank)
        listed = [d for d in deaths if d.code != TERMINATED or self.stage.version >= (2, 10)]
        root = next(d for d in listed if d.code != TERMINATED)
        ordered = [root, *(d for d in listed if d is not root)]
        entries = [self._entry(node, d, i, max(seen, d.time)) for i, d in enumerate(ordered)]
        text = failure_block(entries)
        head = f"{_launch_traceback(self.stage.version)}\ntorch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
        self.stage.agent(node.index, time, head + text)

    def _entry(self, node: Node, death: Death, index: int, noticed: float) -> list[str]:
        pid = self.pid(death.rank)
        name = signal.Signals(-death.code).name if death.code < 0 else ""
        code = f"  exitcode  : {death.code} (pid: {pid})"
        if self.stage.version >= (2, 12):
            code += f"  ({name})" if name else " "
        how = (
            f"Signal {-death.code} ({name}) received by PID {pid}"
            if name
            else "To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html"
        )
        return [
            f"[{index}]:",
            f"  time      : {clock.failure(noticed + node.skew_s)}",
            f"  host      : {node.host}.cluster.local",
            f"  rank      : {death.rank} (local_rank: {self.stage.world.local(death.rank)})",
            code,
            "  error_file: <N/A>",
            f"  traceback : {how}",
        ]


def failure_block(entries: list[list[str]]) -> str:
    """torchrun's summary of one node; the first entry is its root cause."""
    root, others = entries[0], entries[1:]
    body = [line for entry in others for line in entry] or ["  <NO_OTHER_FAILURES>"]
    title = f"{SCRIPT} FAILED"
    widest = max(map(len, [title, "Root Cause (first observed failure):", *body, *root]))
    double, single = "=" * min(widest, 60), "-" * min(widest, 60)
    rows = [double, title, single, "Failures:", *body, single, "Root Cause (first observed failure):", *root, double]
    return "\n".join(rows)


def launch_frames(version: Version) -> list[Frame]:
    """torchrun's own calls, outermost first."""
    root = f"{SITE}/torch/distributed"
    return [
        Frame("/opt/venv/bin/torchrun", 8, "<module>", "sys.exit(main())"),
        Frame(
            f"{root}/elastic/multiprocessing/errors/__init__.py",
            345 + version[1],
            "wrapper",
            "return f(*args, **kwargs)",
        ),
        Frame(f"{root}/run.py", 880 + 9 * version[1], "main", "run(args)"),
        Frame(f"{root}/run.py", 871 + 9 * version[1], "run", "elastic_launch("),
        Frame(
            f"{root}/launcher/api.py",
            132 + version[1],
            "__call__",
            "return launch_agent(self._config, self._entrypoint, list(args))",
        ),
    ]


def _launch_traceback(version: Version) -> str:
    raised = Frame(
        f"{SITE}/torch/distributed/launcher/api.py", 264 + version[1], "launch_agent", "raise ChildFailedError("
    )
    return traceback([*launch_frames(version), raised], "").removesuffix("\n")


def _signal_traceback(pid: int, number: int, version: Version) -> str:
    root = f"{SITE}/{_API}"
    handler = Frame(
        root,
        84,
        "_terminate_process_handler",
        'raise SignalException(f"Process {os.getpid()} got signal: {sigval}", sigval=sigval)',
    )
    waiting = Frame(f"{SITE}/{_SERVER}", 870 + version[1], "_invoke_run", "time.sleep(monitor_interval)")
    line = f"torch.distributed.elastic.multiprocessing.api.SignalException: Process {pid} got signal: {number}"
    return chained(
        traceback([waiting, handler], line), traceback([*launch_frames(version), handler], line), direct=False
    )


# -- What the launcher of each layout prints before the processes do

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
