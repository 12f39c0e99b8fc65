"""JAX's distributed runtime on TPU and GPU: tasks that the coordination service has lost."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="jax_runtime",
    title="JAX: coordination service",
    reference="openxla/xla tsl/distributed_runtime/coordination/coordination_service.cc and xla/pjrt/distributed/client.h",
    patterns=(
        Pattern(
            name="jax.task_lost",
            anchors=("has been set to ERROR in coordination service",),
            regex=r"/task:(?P<culprits>\d+) has been set to ERROR in coordination service: UNAVAILABLE: .{0,80}heartbeat timeout",
            samples=(
                Sample(
                    "2026-01-02 03:04:05.678901: E external/xla/xla/tsl/distributed_runtime/coordination/coordination_service.cc:57] "
                    "/job:jax_worker/replica:0/task:7 has been set to ERROR in coordination service: UNAVAILABLE: Task "
                    "/job:jax_worker/replica:0/task:7 heartbeat timeout. This indicates that the remote task has failed, got "
                    "preempted, or crashed unexpectedly.",
                    {"culprits": "7"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=52,
            title="a task no longer answers: crashed, preempted, or its host lost",
        ),
        Pattern(
            name="jax.replica_failed",
            anchors=("Execution of replica ",),
            regex=r"Execution of replica (?P<replica>\d{1,6}) failed: INTERNAL: (?!.{0,400}(?:NCCL|[Oo]ut of memory|RESOURCE_EXHAUSTED))"
            r"(?P<msg>[^\n]{0,400})",
            samples=(
                Sample(
                    "2026-01-02 03:04:05.678901: E external/xla/xla/pjrt/pjrt_stream_executor_client.cc:57] Execution of replica 7 "
                    "failed: INTERNAL: Failed to execute XLA Runtime executable: run time error: custom call 'xla.gpu.conv57' failed",
                    {"replica": "7"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CUDA_SOFTWARE,
            weight=56,
            title="XLA could not run the program on a device: {msg}",
            note="The other replicas wait for it in a rendezvous, and XLA aborts the process.",
        ),
        Pattern(
            name="jax.not_registered",
            anchors=("CoordinationService/RegisterTask",),
            regex=r"RPC: /[\w.]{1,60}CoordinationService/RegisterTask",
            samples=(Sample("RPC: /tensorflow.CoordinationService/RegisterTask"),),
            role=Role.CAUSE,
            cls=FailureClass.INIT_RENDEZVOUS,
            weight=58,
            title="a task could not join the coordination service",
            note="The status above it says why: DEADLINE_EXCEEDED is a coordinator that was not reached, or waited for others.",
        ),
        Pattern(
            name="jax.agent_not_registered",
            anchors=("CoordinationService/RegisterTask:", "as cluster registration failed"),
            regex=r"while calling /[\w.]{1,60}CoordinationService/RegisterTask:|Stopping coordination service as cluster registration failed",
            samples=(
                Sample(
                    "Additional GRPC error information from remote target unknown_target_for_coordination_leader while calling "
                    "/tensorflow.CoordinationService/RegisterTask:"
                ),
                Sample(
                    "2026-01-02 03:04:05.678901: E external/xla/xla/tsl/distributed_runtime/coordination/coordination_service.cc:57] "
                    "Stopping coordination service as cluster registration failed. This may be due to 1) some tasks crashed earlier"
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INIT_RENDEZVOUS,
            weight=58,
            title="not all tasks joined the coordination service in time",
            note="The tasks that are missing did not start, crashed before, or cannot reach the coordinator.",
        ),
        Pattern(
            name="jax.barrier_timeout",
            anchors=("Barrier timed out. Id", "Barrier timed out. Barrier_id"),
            regex=r"DEADLINE_EXCEEDED: Barrier timed out\. (?:Barrier_id|Id): (?P<barrier>[^\s]{1,120}?)\.(?= |$)",
            samples=(
                Sample(
                    "jaxlib.xla_extension.XlaRuntimeError: DEADLINE_EXCEEDED: Barrier timed out. Barrier_id: sync57. Timed out task names:",
                    {"barrier": "sync57"},
                ),
                Sample(
                    "Original error: DEADLINE_EXCEEDED: Barrier timed out. Id: [Init]Wait_for_all_tasks_to_register::0. This usually "
                    "happens because a task triggered the barrier too early or too slowly.",
                    {"barrier": "[Init]Wait_for_all_tasks_to_register::0"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INIT_RENDEZVOUS,
            weight=60,
            title="tasks did not come to a barrier in time",
            note="The tasks that the lines below name did not come: their own logs say why.",
        ),
        Pattern(
            name="jax.ended_by_coordinator",
            anchors=(
                "Terminating process because the coordinator detected",
                "Terminating process because the JAX distributed service detected",
            ),
            regex=r"Terminating process because the (?:coordinator|JAX distributed service) detected (?P<what>missing heartbeats|fatal errors)",
            samples=(
                Sample(
                    "2026-01-02 03:04:05.678901: F external/xla/xla/pjrt/distributed/client.h:57] Terminating process because the "
                    "JAX distributed service detected fatal errors. This most likely indicates that another task died; see the "
                    "other task logs for more details.",
                    {"what": "fatal errors"},
                ),
            ),
            role=Role.SYMPTOM,
            bulk=True,
            title="another task died",
        ),
    ),
)
