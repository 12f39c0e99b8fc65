"""Redis, which takes no more writes since it cannot save to its disk what it holds."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.redis_disk",
    writer="Redis 2.6 and later (stop-writes-on-bgsave-error), through redis-py, Celery, kombu",
    types=(r"ResponseError$",),
    says=(r"^MISCONF Redis is configured to save RDB snapshots",),
    cls=FailureClass.STORAGE_IO,
    weight=66,
    title="Redis cannot save to its disk, and takes no more writes",
    advice=(Advice("infrastructure", "look at Redis's log, and at the room and the rights of its folder"),),
    samples=(
        Raised(
            "redis.exceptions.ResponseError: MISCONF Redis is configured to save RDB snapshots, but it's currently unable to "
            "persist to disk. 57"
        ),
    ),
)
