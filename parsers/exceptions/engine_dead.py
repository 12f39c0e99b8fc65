"""vLLM's client of an engine that died, and what waited on that engine's workers: why is told by the engine itself."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised

KIND = ExceptionKind(
    name="exception.engine_dead",
    writer="vLLM 0.6 and later: v1/engine/exceptions.py, engine/multiprocessing, device_communicators/shm_broadcast.py",
    types=(r"EngineDeadError$", r"^RuntimeError$"),
    says=(r"See stack trace \(above\) for the root cause", r"^cancelled$"),
    frames=(r"vllm[./]",),
    title="vLLM's engine, or a worker of it, is gone",
    samples=(
        Raised(
            "vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause.",
            ("vllm/v1/engine/core_client.py ensure_alive",),
        ),
        Raised("RuntimeError: cancelled", ("vllm/distributed/device_communicators/shm_broadcast.py acquire_read",)),
    ),
)
