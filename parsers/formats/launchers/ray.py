"""Ray, and the RL trainers that run on it: verl, OpenRLHF. The owner of a line is in its prefix."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Pattern, Program, Role, Sample, Trait
from logtui.parsers.remedies import ROOM_ON_HOST

PROGRESS = (
    Pattern(
        name="verl.step",
        anchors=("timing_s/step:", "perf/time_per_step:"),
        regex=r"\bstep:(?P<step>\d+) - .{0,8000}?(?:timing_s/step|perf/time_per_step):(?:np\.float64\()?(?P<s>[\d.]+)",
        samples=(
            Sample(
                "(TaskRunner pid=4242) step:57 - global_seqlen/min:571234.000 - timing_s/gen:57.120 - timing_s/step:95.712",
                {"step": "57", "s": "95.712"},
            ),
        ),
        role=Role.INFO,
        numeric=("step", "s"),
        note="timing_s/* tell which phase of the step slowed.",
    ),
    Pattern(
        name="framework.verl",
        anchors=("verl/trainer/", "verl.trainer.", "verl/workers/"),
        regex=r"verl[./](?:trainer|workers)[./]",
        samples=(Sample('(TaskRunner pid=4242)   File "/opt/verl/trainer/ppo/ray_trainer.py", line 7, in fit'),),
        role=Role.INFO,
        program="verl",
        bulk=True,
    ),
    Pattern(
        name="framework.openrlhf",
        anchors=("openrlhf/", "openrlhf.cli."),
        regex=r"openrlhf[./]",
        samples=(Sample('  File "/opt/openrlhf/trainer/ppo_trainer.py", line 7, in fit'),),
        role=Role.INFO,
        program="openrlhf",
        bulk=True,
    ),
    Pattern(
        name="ray.start",
        anchors=("Started a local Ray instance", "Connecting to existing Ray cluster at address: "),
        regex=r"Started a local Ray instance|Connecting to existing Ray cluster at address: (?P<address>[\w.:]+)",
        samples=(
            Sample(
                "2026-01-02 03:04:05,678 INFO worker.py:1832 -- Started a local Ray instance. View the dashboard at 127.0.0.1:8265",
                {},
            ),
            Sample(
                "2026-01-02 03:04:05,678 INFO worker.py:1694 -- Connecting to existing Ray cluster at address: 10.0.0.7:6379...",
                {"address": "10.0.0.7:6379..."},
            ),
        ),
        role=Role.INFO,
    ),
    Pattern(
        name="ray.folded",
        anchors=("x across cluster]",),
        regex=r"\[repeated (?P<times>\d+)x across cluster\]",
        samples=(
            Sample("(WorkerDict pid=4242, ip=10.0.0.7) loading weights [repeated 7x across cluster]", {"times": "7"}),
        ),
        role=Role.STATE,
        bulk=True,
        note="The other workers' lines are not in this file; pid and ip are those of one of them.",
    ),
    Pattern(
        name="ray.dedup",
        anchors=("Ray deduplicates logs by default",),
        regex=r"Ray deduplicates logs by default",
        samples=(
            Sample("(raylet) Ray deduplicates logs by default. Set RAY_DEDUP_LOGS=0 to disable log deduplication"),
        ),
        role=Role.NOISE,
    ),
)

FAILURES = (
    Pattern(
        name="ray.memory_kill",
        anchors=(
            "killed due to memory pressure (OOM)",
            "killed due to the node running low on memory",
            "ray.exceptions.OutOfMemoryError",
        ),
        regex=r"(?:(?P<count>\d+) Workers \(tasks / actors\) )?killed due to memory pressure \(OOM\)|killed due to the node running low on memory|ray\.exceptions\.OutOfMemoryError",
        samples=(
            Sample(
                "(raylet) [2026-01-02 03:04:05,678 E 99 99] (raylet) node_manager.cc:3089: 7 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons at node (ID: ab, IP: 10.0.0.7)",
                {"count": "7"},
            ),
            Sample("ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory.", {}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=85,
        title="Ray's memory monitor killed a worker",
        advice=ROOM_ON_HOST,
    ),
    Pattern(
        name="ray.node_lost",
        anchors=(
            "has been marked dead because the detector has missed",
            "is dead because its node has died",
            "The actor died because its node has died",
            "the node it was running on is dead or unavailable",
        ),
        regex=r"(?:address: (?P<host>[\w.-]+) and node name: \S+ )?has been marked dead because the detector has missed too many heartbeats"
        r"|(?:is dead|actor died) because its node has died|the node it was running on is dead or unavailable",
        samples=(
            Sample(
                "2026-01-02 03:04:05,678\tWARNING worker.py:57 -- The node with node id: ab57 and address: 10.0.0.7 and node "
                "name: 10.0.0.7 has been marked dead because the detector has missed too many heartbeats from it.",
                {"host": "10.0.0.7"},
            ),
            Sample("The actor is dead because its node has died. Node Id: ab57"),
            Sample("The actor died because its node has died. Node Id: ab57"),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=60,
        title="Ray lost a node",
        note="Its raylet crashed, was out of memory, or the node is gone; `raylet.out` there says which.",
    ),
    Pattern(
        name="ray.no_node_type",
        anchors=("No available node types can fulfill resource request",),
        regex=r"No available node types can fulfill resource requests? (?P<request>\{[^}]{1,200}\})",
        samples=(
            Sample(
                "(autoscaler +5m7s) Error: No available node types can fulfill resource request {'GPU': 57.0}. Add suitable node types",
                {"request": "{'GPU': 57.0}"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.CONFIG,
        weight=58,
        title="no node of the cluster has what was asked for: {request}",
    ),
    Pattern(
        name="ray.check_failed",
        anchors=(" Check failed: ",),
        regex=r"^(?:\([^()]{1,80}\) )?\[\d{4}-\d\d-\d\d [\d:,.]{8,15} C \d{1,9} \d{1,9}\] (?:\([\w-]{1,40}\) )?[\w./]{1,80}:\d{1,6}: {1,4}Check failed: (?P<said>.{1,300})",
        samples=(
            Sample(
                "[2026-01-02 03:04:05,678 C 4821 4857] core_worker_process.cc:57:  Check failed: !core_worker_process The process is already initialized",
                {"said": "!core_worker_process The process is already initialized"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=64,
        title="a process of Ray found itself in a state that it may not be in",
        advice=(Advice("training", "read what it checked; ray.init() must not be called within a worker"),),
    ),
    Pattern(
        name="ray.actor_died",
        anchors=(
            "The actor died unexpectedly before finishing this task",
            "The worker died unexpectedly while executing this task",
            "The actor is dead because ",
            "actor is temporarily unavailable",
            "A worker died or was killed while executing",
        ),
        regex=r"The (?P<what>actor|worker) (?:died unexpectedly|is dead because(?! its node)|is temporarily unavailable)|A worker died or was killed while executing",
        samples=(
            Sample(
                "ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.",
                {"what": "actor"},
            ),
            Sample(
                "ray.exceptions.WorkerCrashedError: The worker died unexpectedly while executing this task. Check python-core-worker-*.log files for more information.",
                {"what": "worker"},
            ),
        ),
        role=Role.SYMPTOM,
        follow=10,
        title="a Ray worker died",
        note="Look for the worker's own traceback, or an OOM kill on its address.",
    ),
    Pattern(
        name="ray.worker_exit",
        anchors=("Worker exit type: ", "Worker exit detail: "),
        regex=r"Worker exit type: (?P<type>\w+)(?:.{0,100}?Worker exit detail: (?P<detail>.{1,1000}?)(?: The process receives|$))?",
        samples=(
            Sample(
                "The actor is dead because its worker process has died. Worker exit type: SYSTEM_ERROR Worker exit detail: Worker "
                "unexpectedly exits with a connection error code 2. End of file.",
                {
                    "type": "SYSTEM_ERROR",
                    "detail": "Worker unexpectedly exits with a connection error code 2. End of file.",
                },
            ),
        ),
        role=Role.STATE,
        title="how Ray saw a worker end",
    ),
    Pattern(
        name="ray.task_error",
        anchors=("ray.exceptions.RayTaskError", "ray.exceptions.RayActorError", "ray.exceptions.ActorUnavailableError"),
        regex=r"ray\.exceptions\.(?P<type>RayTaskError|RayActorError|ActorUnavailableError)(?:\((?P<cause>\w+)\))?(?:: .*?pid=(?P<pid>\d+), ip=(?P<ip>[\d.]+))?",
        samples=(
            Sample(
                "ray.exceptions.RayTaskError(ValueError): ray::Trainer.run() (pid=4242, ip=10.0.0.7)",
                {"type": "RayTaskError", "cause": "ValueError", "pid": "4242", "ip": "10.0.0.7"},
            ),
        ),
        role=Role.SYMPTOM,
        title="a Ray task failed",
        note="A wrapper; the task's own exception stands below it.",
    ),
)

FORMAT = LineFormat(
    name="ray",
    title="Ray, verl, OpenRLHF",
    reference="ray-project/ray python/ray/exceptions.py, src/ray/raylet/node_manager.cc; volcengine/verl",
    patterns=PROGRESS + FAILURES,
    programs=(
        Program(Kind.FRAMEWORK, ("ray",), "Ray", outer=10),
        Program(
            Kind.LAUNCHER,
            ("ray",),
            "ray",
            outer=50,
            traits=(Trait.JOINS_NODES, Trait.ONE_OUTPUT, Trait.DRIVEN, Trait.TOGETHER),
        ),
        Program(Kind.FRAMEWORK, ("verl",), "verl", outer=50),
        Program(Kind.FRAMEWORK, ("openrlhf",), "OpenRLHF", outer=50),
    ),
)
